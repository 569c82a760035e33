package analysis

import (
	"bytes"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// toSayWhy stands where the author is to say why the rule does not hold.
const toSayWhy = "TODO: say why"

// Suppress makes the edit by which a comment suppresses a rule at a place of a YAML
// file: above its line, or, where that line is within a value, for the whole file.
func Suppress(place Place, content []byte, rule string) (edit FileEdit, whole bool) {
	lines := text.NewLines(content)
	line := lines.OffsetToPosition(place.Span.Start, text.UTF8).Line
	start := lines.LineSpan(line).Start
	for _, s := range readSuppressions(content) {
		if s.line == line && len(s.rules) > 0 {
			end := s.rules[len(s.rules)-1].span.End
			return insertion(place.File, end, ","+rule), false
		}
	}
	newline := text.LineBreak(content)
	if isWithinScalar(content, start) {
		return insertion(place.File, lines.LineSpan(0).Start, "# kls:ignore-file "+rule+" "+toSayWhy+newline), true
	}
	rest := content[start:]
	indent := rest[:len(rest)-len(bytes.TrimLeft(rest, " "))]
	return insertion(place.File, start, string(indent)+"# kls:ignore "+rule+" "+toSayWhy+newline), false
}

func insertion(file string, at int, written string) FileEdit {
	return FileEdit{Place{file, text.Span{Start: at, End: at}}, written}
}

// isWithinScalar tells whether a line begins in the midst of a value, where a comment
// would be a part of it.
func isWithinScalar(content []byte, start int) bool {
	table := syntax.NewTable()
	d := syntax.Parse(table, table.Add("", content)).DocumentAt(start)
	if d == nil {
		return false
	}
	n := d.Path(table, start).Node
	if n == nil || n.Kind != yaml.ScalarNode {
		return false
	}
	_, outer := syntax.NodeSpan(table, n)
	_, inner := syntax.InnerSpan(table, n)
	return outer.Start < start && start < max(outer.End, inner.End)
}
