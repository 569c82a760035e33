package problem

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

func SyntaxProblem(p syntax.Problem, entry *yaml.Node) Problem {
	out := Problem{Code: InvalidResource, Fatal: p.Refused, Node: p.Node, File: p.File, Span: p.Span}
	if entry != nil {
		out.Related = []Related{{Node: entry, Message: "included here"}}
	}
	switch p.Kind {
	case syntax.Malformed, syntax.InvalidCharacters, syntax.UTF16Text, syntax.InvalidSeparator:
		out.Code = SyntaxError
	case syntax.DuplicateKey:
		out.Code = DuplicateKey
	case syntax.ExpansionLimit, syntax.SizeLimit:
		out.Code, out.Help = BuildLimit, "the file is left out, and what depends on it is not checked"
	case syntax.IgnoredDocument:
		out.Code = IgnoredDocument
	}
	out.Message = SyntaxMessage(p)
	switch p.Kind {
	case syntax.MissingKind:
		suggestKey(&out, p.Node, "kind")
	case syntax.MissingName:
		showMissingName(&out, p.Node)
	}
	return out
}

// showMissingName points a problem at what stands where the name of a resource should.
func showMissingName(p *Problem, n *yaml.Node) {
	_, metadata := syntax.Field(n, "metadata")
	switch {
	case metadata == nil:
		suggestKey(p, n, "metadata")
	case metadata.Kind == yaml.MappingNode:
		p.Node = metadata
		suggestKey(p, metadata, "name")
		if key, name := syntax.Field(metadata, "name"); name != nil {
			p.Node, p.Message = key, "metadata.name is not text"
			if name.Kind == yaml.MappingNode && name.Style&yaml.FlowStyle != 0 {
				p.Help = "quote what stands in braces"
			}
		}
	case metadata.Kind == yaml.ScalarNode && metadata.Value != "":
		p.Node, p.Message = metadata, "the metadata is a text, so that the resource has no name"
		if strings.HasPrefix(metadata.Value, "name") {
			p.Help = "write name: with a colon and a space after it"
		}
	}
}

// Refuses tells whether nothing of a text with this mistake is used: kustomize refuses it,
// or it is beyond all bounds.
func Refuses(p syntax.Problem) bool {
	return p.Refused || p.Kind == syntax.ExpansionLimit || p.Kind == syntax.SizeLimit
}

// suggestKey points a problem at the key of a mapping that was probably meant to
// be the missing one.
func suggestKey(p *Problem, m *yaml.Node, missing string) {
	if m == nil || m.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		if _, near := text.Nearest(key.Value, []string{missing}); near && key.Kind == yaml.ScalarNode {
			p.Node, p.Help = key, fmt.Sprintf("did you mean %s?", missing)
			p.Fixes = []Fix{{Title: "Change to " + missing, New: missing}}
			return
		}
	}
}

func SyntaxMessage(p syntax.Problem) string {
	switch p.Kind {
	case syntax.Malformed:
		return "this is not YAML: " + p.Detail
	case syntax.InvalidCharacters:
		return "the text has bytes that no YAML may have"
	case syntax.UTF16Text:
		return "the text is UTF-16; save it as UTF-8"
	case syntax.InvalidSeparator:
		return "a line that begins with --- separates documents and may only hold a comment"
	case syntax.IgnoredDocument:
		return "kustomize does not read this document: start it with --- on a line of its own"
	case syntax.NotAnObject:
		return "this is not a resource: it has neither kind, apiVersion nor metadata"
	case syntax.MissingKind:
		return "the resource has no kind"
	case syntax.MissingName:
		return "the resource has no metadata.name"
	case syntax.DuplicateMergeKey:
		return "a mapping can have only one merge key <<"
	case syntax.InvalidMerge:
		return "the merge key << takes a mapping or a list of mappings"
	case syntax.AliasCycle:
		return "an anchor holds an alias of itself"
	case syntax.ExpansionLimit:
		return "the aliases in the file copy more than one file may: " + p.Detail
	case syntax.SizeLimit:
		return "the file has more values than a build may read: more than " + p.Detail
	case syntax.DuplicateKey:
		return "the mapping has this key already" + Suffixed(p.Detail)
	case syntax.InvalidList:
		return "the list cannot be taken apart" + Suffixed(p.Detail)
	}
	return string(p.Kind) + Suffixed(p.Detail)
}

func Suffixed(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + detail
}
