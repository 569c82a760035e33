package transform

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// applyOperation applies a JSON6902 patch to one resource and tells whether it
// failed, which is then reported.
func (b *Transformer) applyOperation(l *trace.Layer, acc *accumulator.Accumulator, e patchEntry, r *resource.Edit) (failed bool) {
	root, oddities, failure := patch.JSON6902(r.Node, e.operations.List, b.Budget.Charge)
	for _, o := range oddities {
		b.reportOddity(l, e, o)
	}
	if failure != nil && failure.Reason == patch.TooMuch {
		node := e.node
		if at := failure.Operation; at >= 0 && at < len(e.operations.List) && e.operations.List[at].Node != nil {
			node = e.operations.List[at].Node
		}
		b.OverBudget(l, acc, node)
		return true
	}
	if failure != nil {
		b.Unfinished = true
		b.reportOperation(l, e, r.Resource, failure)
		return true
	}
	r.Put(root)
	if r.Empty() {
		acc.Emptied = true
	}
	return false
}

// reportOperation reports an operation that fails, at the part of its path that
// is not there.
func (b *Transformer) reportOperation(l *trace.Layer, e patchEntry, r *resource.Resource, f *patch.Failure) {
	p := problem.Problem{Code: problem.PatchFails, Fatal: true, Node: e.node, Message: fmt.Sprintf("%s (in %s)", f.Message(), r.ID())}
	if twice := syntax.DuplicateKeys(r.Node); f.Reason == patch.NotJSON && len(twice) > 0 && twice[0].Again.Line != 0 {
		b.Report(l, problem.Problem{Code: problem.DuplicateKey, Fatal: true, Node: twice[0].Again,
			Message: fmt.Sprintf("%q appears twice in this mapping of %s", twice[0].Again.Value, r.ID()),
			Help:    "kustomize refuses to patch it; remove one of them",
			Related: []problem.Related{{Node: twice[0].First, Message: "the first one"}, {Node: e.node, Message: "the patch"}}})
		return
	}
	if f.Operation >= 0 && f.Operation < len(e.operations.List) {
		showOperation(&p, &e.operations.List[f.Operation], f)
	}
	if f.Deepest != nil && f.Deepest.Line != 0 {
		p.Related = append(p.Related, problem.Related{Node: f.Deepest, Message: "the deepest part that exists"})
	}
	b.Report(l, p)
}

var operationKinds = []string{"add", "remove", "replace", "move", "copy", "test"}

// showOperation points a problem at the operation, and where a key is missing
// that has a near one, offers that.
func showOperation(p *problem.Problem, o *patch.Operation, f *patch.Failure) {
	pointer, node := o.Path, o.PathNode
	if f.InFrom {
		pointer, node = o.From, o.FromNode
	}
	switch {
	case f.Reason == patch.UnknownOperation && o.KindNode != nil:
		p.Node = o.KindNode
		if near, ok := text.Nearest(o.KindNode.Value, operationKinds); ok {
			p.Help, p.Fixes = fmt.Sprintf("did you mean %s?", near), []problem.Fix{{Title: "Change to " + near, Node: o.KindNode, New: near}}
		}
		return
	case f.Reason == patch.UnknownOperation && o.Node != nil:
		p.Node, p.Message = o.Node, "the operation has no op"+strings.TrimPrefix(p.Message, f.Message())
		p.Help = "op is one of " + strings.Join(operationKinds, ", ")
		return
	case node == nil:
		if o.Node != nil {
			p.Node = o.Node
		}
		return
	}
	p.Node = node
	if spans := jsonpointer.Spans(pointer); f.Token >= 0 && f.Token < len(spans) {
		p.Part = spans[f.Token]
	}
	if f.Token >= len(f.Tokens) || p.Part.End == 0 {
		return
	}
	if near, ok := text.Nearest(f.Tokens[f.Token], f.Candidates); ok {
		mended := pointer[:p.Part.Start] + jsonpointer.Escape(near) + pointer[p.Part.End:]
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []problem.Fix{{Title: "Change to " + mended, Node: node, New: mended}}
	}
}

// reportOddity reports an operation that works, though hardly as meant.
func (b *Transformer) reportOddity(l *trace.Layer, e patchEntry, o patch.Oddity) {
	operation := e.operations.List[o.Operation]
	p := problem.Problem{Code: problem.PatchOperationOdd, Node: operation.PathNode, Message: oddity(o.Kind)}
	if p.Node == nil {
		p.Node = e.node
	}
	if o.Kind == patch.ReplaceAdds {
		p.Code = problem.PatchReplaceAdds
		if operation.KindNode != nil {
			p.Fixes = []problem.Fix{{Title: "Change op to add", Safe: true, Node: operation.KindNode, New: "add"}}
		}
	}
	b.Report(l, p)
}

func oddity(kind patch.OddityKind) string {
	switch kind {
	case patch.ReplaceAdds:
		return "there is nothing to replace here; kustomize adds it"
	case patch.CopyOfNothing:
		return "there is nothing to copy from; kustomize writes null"
	case patch.TestOfNothing:
		return "the test passes since there is nothing here"
	case patch.NoValue:
		return "the operation has no value; kustomize writes null"
	}
	return "everything before the first / is ignored"
}
