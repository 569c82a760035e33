package lsp

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// Marks of Markdown as the texts of kls have them.
var (
	markdownLink     = text.Regexp(`\[((?:[^\]\\]|\\.)*)\]\([^)\s]*\)`)
	markdownCode     = text.Regexp("(`+) ?(.+?) ?(`+)")
	markdownStrong   = text.Regexp(`\*\*([^*]+)\*\*`)
	markdownEscape   = text.Regexp("\\\\([\\\\`*_\\[\\]<>!|~&@:.#])")
	markdownEmphasis = text.Regexp(`^\*([^*]+)\*$`)
)

// plainText takes the marks out of Markdown, for clients that show text as it is. What
// stands in blocks of code stays.
func plainText(markdown string) string {
	var out []string
	fence := ""
	for line := range strings.SplitSeq(markdown, "\n") {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "" && line == fence:
			fence = ""
			continue
		case fence != "":
		case len(mark) >= 3:
			fence = mark
			continue
		default:
			line = markdownLink().ReplaceAllString(line, "$1")
			line = markdownCode().ReplaceAllString(line, "$2")
			line = markdownStrong().ReplaceAllString(line, "$1")
			line = strings.TrimRight(markdownEmphasis().ReplaceAllString(line, "$1"), " ")
			line = markdownEscape().ReplaceAllString(line, "$1")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
