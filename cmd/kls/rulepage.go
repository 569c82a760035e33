package main

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// pageWidth is how many columns the paragraphs of a page take on a terminal.
const pageWidth = 80

// terminalPage renders the Markdown of a rule's page for a terminal: without marks, with paragraphs as wide as a
// terminal, code indented. It knows what these pages have: headings, paragraphs, lists and fenced code.
func terminalPage(v *printer, markdown string) string {
	var b strings.Builder
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 && !strings.HasPrefix(paragraph[0], "Found by ") {
			b.WriteString(wrapped(v.inline(strings.Join(paragraph, " "))) + "\n")
		}
		paragraph = nil
	}
	fenced, blank := "", true
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case fenced != "":
			if line == fenced {
				fenced = ""
			} else {
				b.WriteString("    " + line + "\n")
			}
			blank = false
			continue
		case strings.HasPrefix(line, "<!--"):
			continue
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = line[:len(line)-len(strings.TrimLeft(line, "`"))]
		case line == "":
			flush()
			if !blank {
				b.WriteByte('\n')
			}
			blank = true
			continue
		case strings.HasPrefix(line, "#"):
			flush()
			b.WriteString(v.paint(bold, v.inline(strings.TrimLeft(line, "# "))) + "\n")
		case strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "|"):
			flush()
			paragraph = []string{line}
		default:
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
		blank = false
	}
	flush()
	return strings.TrimRight(b.String(), "\n") + "\n"
}

var (
	codeSpan   = text.Regexp("`([^`]+)`")
	linkSpan   = text.Regexp(`\[([^\]]+)\]\(([^)\s]+)\)`)
	strongSpan = text.Regexp(`\*\*([^*]+)\*\*`)
)

// inline renders the marks within a line: code is coloured where there is colour, else it keeps its marks, which tell
// it from the words around it.
func (v *printer) inline(line string) string {
	line = replaceAll(linkSpan(), line, func(m []string) string {
		if strings.Contains(m[2], "://") {
			return m[1] + " (" + m[2] + ")"
		}
		return m[1]
	})
	line = replaceAll(strongSpan(), line, func(m []string) string { return v.paint(bold, m[1]) })
	return replaceAll(codeSpan(), line, func(m []string) string {
		if !v.color {
			return m[0]
		}
		return v.paint(green, m[1])
	})
}

func replaceAll(pattern *regexp.Regexp, line string, with func(match []string) string) string {
	return pattern.ReplaceAllStringFunc(line, func(found string) string { return with(pattern.FindStringSubmatch(found)) })
}

var colourSequence = text.Regexp("\x1b\\[[0-9;]*m")

// wrapped breaks a text at spaces so that lines have at most pageWidth columns; those of a list are indented.
func wrapped(paragraph string) string {
	indent := ""
	if strings.HasPrefix(paragraph, "- ") {
		indent = "  "
	}
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(paragraph) {
		width := utf8.RuneCountInString(colourSequence().ReplaceAllString(word, ""))
		switch {
		case i == 0:
		case column+1+width > pageWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}
