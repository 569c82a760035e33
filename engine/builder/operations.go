package builder

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

func (o *operations) valid() bool { return o.problem == nil }

func (o *operations) message() string {
	if o.problem == nil {
		return "it is empty"
	}
	return o.problem.Detail
}

// show points a problem at the place where the JSON of the patch ends to be any; at a
// comma where something should follow it.
func (o *operations) show(p *Problem, source patchSource) {
	if o.problem == nil || o.problem.Offset <= 0 || o.problem.Offset > len(source.text) {
		return
	}
	at := o.problem.Offset - 1
	if before := strings.TrimRight(source.text[:at], " \t\r\n"); strings.HasSuffix(before, ",") && strings.IndexByte("]}", source.text[at]) >= 0 {
		at = len(before) - 1
		p.Message, p.Help = "this is no JSON6902 patch: nothing follows the comma", "remove it"
	}
	p.Node, p.File, p.Span = nil, source.file, text.Span{Start: at, End: at + 1}
	p.Related = []Related{{Node: source.node, Message: "read for this"}}
}

// isList tells whether the text at least is a list, and so meant as JSON6902.
func (o *operations) isList() bool { return o.tree != nil && o.tree.Kind == yaml.SequenceNode }

// isOne tells whether the text is an operation that should be in a list.
func (o *operations) isOne() bool {
	_, op := syntax.Field(o.tree, "op")
	_, path := syntax.Field(o.tree, "path")
	return op != nil && path != nil
}

// operationsOf reads a patch as JSON6902, once however many builds read it: a component
// is built anew in each kustomization that includes it.
func (b *transformer) operationsOf(source patchSource) *operations {
	d := source.documents
	d.operationsOnce.Do(func() { d.operations = parseOperations(b.sources.table, source) })
	return d.operations
}

func parseOperations(table *syntax.Table, source patchSource) *operations {
	o := &operations{}
	parsed := syntax.Parse(table, source.file)
	if len(parsed.Documents) > 0 {
		o.tree = parsed.Documents[0].Root
	}
	if len(parsed.Problems) > 0 {
		o.broken = &parsed.Problems[0]
	}
	// The tree is that of another text where kustomize takes an indentation away.
	written := string(table.Source(source.file).Text())
	whole := o.broken == nil && strings.TrimSpace(source.text) == strings.TrimRightFunc(written, unicode.IsSpace)
	o.list, o.problem = patch.ParseJSON6902(source.text, o.tree, whole)
	return o
}

// applyOperation applies a JSON6902 patch to one resource and tells whether it
// failed, which is then reported.
func (b *transformer) applyOperation(l *Layer, acc *accumulator, e patchEntry, r *resource.Edit) (failed bool) {
	root, oddities, failure := patch.JSON6902(r.Node, e.operations.list)
	for _, o := range oddities {
		b.reportOddity(l, e, o)
	}
	if failure != nil {
		b.unfinished = true
		b.reportOperation(l, e, r.Resource, failure)
		return true
	}
	r.Put(root)
	if r.Empty() {
		acc.emptied = true
	}
	return false
}

// reportOperation reports an operation that fails, at the part of its path that
// is not there.
func (b *transformer) reportOperation(l *Layer, e patchEntry, r *resource.Resource, f *patch.Failure) {
	p := Problem{Code: PatchFails, Fatal: true, Node: e.node, Message: fmt.Sprintf("%s (in %s)", f.Message(), r.ID())}
	if twice := syntax.DuplicateKeys(r.Node); f.Reason == patch.NotJSON && len(twice) > 0 && twice[0].Again.Line != 0 {
		b.report(l, Problem{Code: DuplicateKey, Fatal: true, Node: twice[0].Again,
			Message: fmt.Sprintf("%q stands twice in this mapping of %s", twice[0].Again.Value, r.ID()),
			Help:    "kustomize refuses to patch it; remove one of them",
			Related: []Related{{Node: twice[0].First, Message: "the first one"}, {Node: e.node, Message: "the patch"}}})
		return
	}
	if f.Operation >= 0 && f.Operation < len(e.operations.list) {
		showOperation(&p, &e.operations.list[f.Operation], f)
	}
	if f.Deepest != nil && f.Deepest.Line != 0 {
		p.Related = append(p.Related, Related{Node: f.Deepest, Message: "the deepest part that exists"})
	}
	b.report(l, p)
}

var operationKinds = []string{"add", "remove", "replace", "move", "copy", "test"}

// showOperation points a problem at the operation, and where a key is missing
// that has a near one, offers that.
func showOperation(p *Problem, o *patch.Operation, f *patch.Failure) {
	pointer, node := o.Path, o.PathNode
	if f.InFrom {
		pointer, node = o.From, o.FromNode
	}
	switch {
	case f.Reason == patch.UnknownOperation && o.KindNode != nil:
		p.Node = o.KindNode
		if near, ok := text.Nearest(o.KindNode.Value, operationKinds); ok {
			p.Help, p.Fixes = fmt.Sprintf("did you mean %s?", near), []Fix{{Title: "Change to " + near, Node: o.KindNode, New: near}}
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
		p.Fixes = []Fix{{Title: "Change to " + mended, Node: node, New: mended}}
	}
}

// reportOddity reports an operation that works, though hardly as meant.
func (b *transformer) reportOddity(l *Layer, e patchEntry, o patch.Oddity) {
	operation := e.operations.list[o.Operation]
	p := Problem{Code: PatchOperationOdd, Node: operation.PathNode, Message: oddity(o.Kind)}
	if p.Node == nil {
		p.Node = e.node
	}
	if o.Kind == patch.ReplaceAdds {
		p.Code = PatchReplaceAdds
		if operation.KindNode != nil {
			p.Fixes = []Fix{{Title: "Change op to add", Safe: true, Node: operation.KindNode, New: "add"}}
		}
	}
	b.report(l, p)
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
	return "what stands before the first / is ignored"
}
