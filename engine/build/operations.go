package build

import (
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// operations is a text read as a JSON6902 patch, or why it is none.
type operations struct {
	list    []patch.Operation
	tree    *yaml.Node // the list's node, nil where the text has none
	problem *patch.ParseProblem
}

func (o *operations) valid() bool { return o.problem == nil }

func (o *operations) message() string {
	if o.problem == nil {
		return "it is empty"
	}
	return o.problem.Detail
}

// isList tells whether the text at least is a list, and so meant as JSON6902.
func (o *operations) isList() bool { return o.tree != nil && o.tree.Kind == yaml.SequenceNode }

func (b *builder) parseOperations(source patchSource) *operations {
	o := &operations{}
	if parsed := tmpParse(b.session.table, source.file); len(parsed.Documents) > 0 {
		o.tree = parsed.Documents[0].Root
	}
	o.list, o.problem = patch.ParseJSON6902(source.text, o.tree)
	return o
}

// applyOperation applies a JSON6902 patch to one resource and tells whether it
// failed, which is then reported.
func (b *builder) applyOperation(l *Layer, acc *accumulator, e patchEntry, r *resource.Resource) (failed bool) {
	node, failure := tmpJSON(r.Node, e.operations.list)
	if failure != nil {
		b.reportOperation(l, e, r, failure)
		return true
	}
	r.Node = node
	if r.Empty() {
		acc.emptied = true
	}
	return false
}
