package load

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

func (o *Operations) Valid() bool { return o.problem == nil }

func (o *Operations) Message() string {
	if o.problem == nil {
		return "it is empty"
	}
	return o.problem.Detail
}

// Show points a problem at the place where the JSON of the patch ends to be any; at a
// comma where something should follow it.
func (o *Operations) Show(p *problem.Problem, source PatchSource) {
	if o.problem == nil || o.problem.Offset <= 0 || o.problem.Offset > len(source.Text) {
		return
	}
	at := o.problem.Offset - 1
	if before := strings.TrimRight(source.Text[:at], " \t\r\n"); strings.HasSuffix(before, ",") && strings.IndexByte("]}", source.Text[at]) >= 0 {
		at = len(before) - 1
		p.Message, p.Help = "this is not a JSON6902 patch: nothing follows the comma", "remove it"
	}
	p.Node, p.File, p.Span = nil, source.File, text.Span{Start: at, End: at + 1}
	p.Related = []problem.Related{{Node: source.Node, Message: "read for this"}}
}

// ExplainFlow is about a list in brackets that is YAML and not JSON, as
// `[{op: remove, path: /spec}]`: kustomize takes what begins with a bracket for JSON.
func (o *Operations) ExplainFlow(p *problem.Problem, source PatchSource) {
	var list []map[string]any
	if strings.Contains(source.Text, `"op"`) || !strings.HasPrefix(strings.TrimSpace(source.Text), "[") || o.Tree.Decode(&list) != nil || len(list) == 0 || list[0]["op"] == nil {
		return
	}
	p.Message = "a patch that begins with [ has to be JSON, and this is YAML"
	p.Help = "put the keys and texts in quotes, or write each operation on lines of its own: - op: …"
	if written, err := json.Marshal(list); err == nil && source.Node != nil && source.Node.Value == source.Text {
		p.Fixes = []problem.Fix{{Title: "Write the patch as JSON", Node: source.Node, New: string(written)}}
	}
}

// IsList tells whether the text at least is a list, and so meant as JSON6902.
func (o *Operations) IsList() bool { return o.Tree != nil && o.Tree.Kind == yaml.SequenceNode }

// IsOne tells whether the text is an operation that should be in a list.
func (o *Operations) IsOne() bool {
	_, op := syntax.Field(o.Tree, "op")
	_, path := syntax.Field(o.Tree, "path")
	return op != nil && path != nil
}

func parseOperations(table *syntax.Table, source PatchSource) *Operations {
	o := &Operations{}
	parsed := syntax.Parse(table, source.File)
	if len(parsed.Documents) > 0 {
		o.Tree = parsed.Documents[0].Root
	}
	if len(parsed.Problems) > 0 {
		o.Broken = &parsed.Problems[0]
	}
	// The tree is that of another text where kustomize takes an indentation away.
	written := string(table.Source(source.File).Text())
	whole := o.Broken == nil && strings.TrimSpace(source.Text) == strings.TrimRightFunc(written, unicode.IsSpace)
	o.List, o.problem = patch.ParseJSON6902(source.Text, o.Tree, whole)
	return o
}

// OperationsOf reads a patch as JSON6902, once however many builds read it: a component
// is built anew in each kustomization that includes it.
func (b *Loader) OperationsOf(source PatchSource) *Operations {
	d := source.Documents
	d.operationsOnce.Do(func() { d.operations = parseOperations(b.Sources.Table(), source) })
	return d.operations
}

// Operations is a text read as a JSON6902 patch, or why it is none.
type Operations struct {
	List    []patch.Operation
	Tree    *yaml.Node // the list's node, nil where the text has none
	problem *patch.ParseProblem
	// Broken is the first syntax error of the text, nil where there is none.
	Broken *syntax.Problem
}

// PatchSource is the text of a patch.
type PatchSource struct {
	Node      *yaml.Node // the value that holds or names it
	File      text.FileID
	Text      string
	Documents *Documents
}
