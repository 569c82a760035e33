package edit

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// env is an older field of a generator's entry.
type env struct {
	field      *field     // the list of generators
	entry      *yaml.Node // the mapping in it
	key, value *yaml.Node
}

func (f *File) envs() []env {
	var found []env
	for _, name := range []string{"configMapGenerator", "secretGenerator"} {
		x := f.field(name)
		if x == nil || x.value.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range x.value.Content {
			if key, value := kustomization.FieldNode(entry, "env"); key != nil && entry.Kind == yaml.MappingNode {
				found = append(found, env{x, entry, key, value})
			}
		}
	}
	return found
}

// convertEnvs makes each env a list: kustomize appends it to envs when it reads the
// file.
func convertEnvs(f *File, _ *field) (edits []text.Edit, reason string) {
	for _, e := range f.envs() {
		made, ok := f.convertEnv(e)
		if !ok {
			return nil, unknownForm
		}
		edits = append(edits, made...)
	}
	return edits, ""
}

func (f *File) convertEnv(e env) ([]text.Edit, bool) {
	if e.value.Kind != yaml.ScalarNode || isNull(e.value) || e.value.Value == "" {
		return nil, false
	}
	if key, list := kustomization.FieldNode(e.entry, "envs"); key != nil {
		return f.appendEnv(e, list)
	}
	value := f.span(e.value)
	if isFlow(e.entry) {
		return []text.Edit{f.rename(e.key, "envs"),
			{Span: text.Span{Start: value.Start, End: value.Start}, New: "["},
			{Span: text.Span{Start: value.End, End: value.End}, New: "]"}}, true
	}
	if f.lineAt(f.span(e.key).Start) != f.lineAt(value.Start) {
		return nil, false
	}
	gap := text.Span{Start: f.span(e.key).End, End: value.Start}
	dash := blank(f.column(e.key)+f.bodyIndent(e.field)-f.column(e.field.key)) + "- "
	return []text.Edit{f.rename(e.key, "envs"), {Span: gap, New: ":" + f.newline + dash}}, true
}

// appendEnv puts the value behind those of a list and takes the entry away.
func (f *File) appendEnv(e env, list *yaml.Node) ([]text.Edit, bool) {
	if isFlow(e.entry) || strings.ContainsAny(f.source(e.value), "\r\n") {
		return nil, false
	}
	key, _ := kustomization.FieldNode(e.entry, "envs")
	x := &field{name: "envs", key: key, value: list, line: f.lineAt(f.span(key).Start), last: f.lastLine(list)}
	line := f.lineAt(f.span(e.key).Start)
	comments := f.commentsIn(line, line)
	edits, ok := f.extend(x, append(comments, "- "+f.source(e.value)), false)
	if !ok {
		return nil, false
	}
	removed, ok := f.removeEntry(e.entry, e.key, e.value)
	return append(edits, removed), ok
}

// removeEntry makes the edit that takes an entry out of a block mapping, which may
// be an entry of a list: then the next key has to stand behind the dash.
func (f *File) removeEntry(m, key, value *yaml.Node) (text.Edit, bool) {
	first, last := f.lineAt(f.span(key).Start), f.lastLine(value)
	if strings.TrimSpace(f.lineText(first)[:f.column(key)]) == "" {
		return f.removeLines(first, last), true
	}
	for i := 0; i+2 < len(m.Content); i += 2 {
		if m.Content[i] == key {
			return text.Edit{Span: text.Span{Start: f.span(key).Start, End: f.span(m.Content[i+2]).Start}}, true
		}
	}
	return text.Edit{}, false
}
