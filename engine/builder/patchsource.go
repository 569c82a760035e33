package builder

import (
	"strings"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/patch"
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

// operationsOf reads a patch as JSON6902, once however many builds read it: a component
// is built anew in each kustomization that includes it.
func (b *loader) operationsOf(source patchSource) *operations {
	d := source.documents
	d.operationsOnce.Do(func() { d.operations = parseOperations(b.sources.Table(), source) })
	return d.operations
}

// operations is a text read as a JSON6902 patch, or why it is none.
type operations struct {
	list    []patch.Operation
	tree    *yaml.Node // the list's node, nil where the text has none
	problem *patch.ParseProblem
	// broken is the first syntax error of the text, nil where there is none.
	broken *syntax.Problem
}

// patchSource is the text of a patch.
type patchSource struct {
	node      *yaml.Node // the value that holds or names it
	file      text.FileID
	text      string
	documents *documents
}
