package problem

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// mendLiteral offers to write a generator's literal that is a map of one entry as
// the text key=value that kustomize reads.
func mendLiteral(table *syntax.Table, p kustomization.Problem, out *Problem) {
	out.Fixes = nil
	out.Message = "a literal that is a map works in kls only; kustomize refuses it"
	out.Help = "write it as one text: " + p.Name + "=…"
	if p.Node == nil || len(p.Node.Content) != 2 || p.Node.Kind != yaml.MappingNode || strings.Contains(p.Name, "=") || p.Name == "" {
		return
	}
	file, span := syntax.NodeSpan(table, p.Node)
	source := table.Source(file)
	if source == nil {
		return
	}
	fix := Fix{Title: "Write it as " + p.Name + "=…", File: file, Span: span, Safe: true}
	if at, header, ok := blockStart(table, p); ok {
		fix.Span.End, fix.New = at, header+p.Name+"="
	} else {
		fix.New = scalar.Write(p.Candidate, 0, true)
	}
	out.Fixes = []Fix{fix}
}

// blockStart returns where the content of a block scalar begins and what stands
// from its header to there, if the content can just go on behind another text.
func blockStart(table *syntax.Table, p kustomization.Problem) (at int, header string, ok bool) {
	value := p.Node.Content[1]
	if value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 || p.Candidate != p.Name+"="+value.Value ||
		value.Value == "" || strings.ContainsAny(value.Value[:1], " \t\n") {
		return 0, "", false
	}
	file, start := syntax.ValueSpan(table, value)
	_, inner := syntax.InnerSpan(table, value)
	source := table.Source(file)
	if source == nil || inner.Start < start.Start {
		return 0, "", false
	}
	return inner.Start, string(source.Text()[start.Start:inner.Start]), true
}

// WithoutLine is the fix that removes an entry of a list where it has a line of its
// own, with nothing else in it. Another value may have been meant: it is not safe.
func WithoutLine(table *syntax.Table, entry *yaml.Node) []Fix {
	file, span := syntax.NodeSpan(table, entry)
	source := table.Source(file)
	if source == nil {
		return nil
	}
	content := source.Text()
	start := bytes.LastIndexByte(content[:span.Start], '\n') + 1
	length := bytes.IndexByte(content[span.End:], '\n') + 1
	end := span.End + length
	if length == 0 {
		end = len(content)
	}
	if string(bytes.TrimSpace(content[start:span.Start])) != "-" || len(bytes.TrimSpace(content[span.End:end])) > 0 {
		return nil
	}
	return []Fix{{Title: "Remove the entry", File: file, Span: text.Span{Start: start, End: end}}}
}

// FromFile is fromKustomization with what only a look at the file's text can offer.
func FromFile(table *syntax.Table, p kustomization.Problem, file text.FileID) Problem {
	out := FromKustomization(p, file)
	switch {
	case p.Kind == kustomization.NotInKustomize && p.Struct == "literal":
		mendLiteral(table, p, &out)
	case p.Kind == kustomization.WrongType, p.Kind == kustomization.ListExpected:
		mendType(table, p, &out)
	case p.Kind == kustomization.RepeatedValue:
		out.Fixes = WithoutLine(table, p.Node)
	}
	return out
}
