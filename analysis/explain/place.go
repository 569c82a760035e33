package explain

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Place is where something was written: an absolute path, or the URL of a remote
// file, and the 1-based line and column, in code points. The zero value is no place.
type Place struct {
	File         string
	Line, Column int
}

// Known tells whether there is a place.
func (p Place) Known() bool { return p.File != "" }

// PlaceOf returns where a node was written: in the file on disk, also where it
// stands in a document that is embedded in a string. A node that was made and not
// written has the place of the first thing in it that has one. The place is not
// known where there is none, as for what a flag of the build adds.
func PlaceOf(table *syntax.Table, n *yaml.Node) Place {
	n = written(n)
	if n == nil {
		return Place{}
	}
	id, line, column := table.Place(n)
	source := table.Source(id)
	if source == nil {
		return Place{}
	}
	offset := source.Lines().MarkToOffset(line, column)
	if host := source.Host(); host != nil {
		return inValue(table, host, string(source.Text()))(offset)
	}
	return placeAt(table, id, source.Path(), offset)
}

// inValue returns a function that finds the place of a byte of a scalar's value. A
// value of a generator's literal stands behind its key.
func inValue(table *syntax.Table, host *yaml.Node, value string) func(offset int) Place {
	shift := 0
	as := *host
	as.Value = value
	if text, ok := table.WrittenText(host); ok && text != value {
		if at := strings.IndexByte(text, '=') + 1; at > 0 && strings.Trim(text[at:], `"'`) == strings.Trim(value, `"'`) {
			as.Value, shift = text, at+strings.Index(text[at:], value)
		}
	}
	in := table.InValue(&as)
	return func(offset int) Place {
		file, path, span := in(text.Span{Start: offset + shift, End: offset + shift + 1})
		return placeAt(table, file, path, span.Start)
	}
}

func placeAt(table *syntax.Table, file text.FileID, path string, offset int) Place {
	source := table.Source(file)
	if source == nil {
		return Place{}
	}
	line, column := source.Lines().OffsetToLineColumn(offset)
	return Place{path, line, column}
}

// written returns the first node with a place in a node, itself first.
func written(n *yaml.Node) *yaml.Node {
	if n == nil || n.Line != 0 {
		return n
	}
	for _, child := range n.Content {
		if found := written(child); found != nil && found.Line != 0 {
			return found
		}
	}
	return nil
}
