package structure

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
)

// resourceHead is what a document says that it is.
type resourceHead struct {
	kind, name string
	// span is that of the name, in bytes of the file.
	span text.Span
}

// headsOf returns the heads of the resources in a file without parsing it, which takes a
// hundred times as long: thousands of files are looked through at once for their symbols.
// It is false for a file that is not written as most are, in block style without quotes
// or anchors where the head is; then it has to be parsed.
func headsOf(data []byte) (heads []resourceHead, ok bool) {
	if bytes.ContainsAny(data, "\x00\ufeff\u2028\u2029\u0085\t") {
		return nil, false
	}
	s := &headScan{}
	for start := 0; start < len(data); {
		end := len(data)
		if at := bytes.IndexByte(data[start:], '\n'); at >= 0 {
			end = start + at
		}
		if !s.line(bytes.TrimRight(data[start:end], " \r"), start) {
			return nil, false
		}
		start = end + 1
	}
	s.endDocument()
	return s.heads, true
}

// headScan goes through a file line by line.
type headScan struct {
	heads []resourceHead
	resourceHead
	begun bool // with a field at the margin
	// inMetadata is true in that field, whose fields have the indentation; 0 before the
	// first of them.
	inMetadata  bool
	indentation int
	// inWord is true right behind a kind or name: a line that is indented deeper
	// than wordAt goes on with it.
	inWord bool
	wordAt int
}

func (s *headScan) endDocument() {
	if s.kind != "" && s.name != "" {
		s.heads = append(s.heads, s.resourceHead)
	}
	*s = headScan{heads: s.heads}
}

// line takes a line that begins at an offset; false where the file has to be parsed.
func (s *headScan) line(line []byte, offset int) bool {
	inner := bytes.TrimLeft(line, " ")
	indentation := len(line) - len(inner)
	switch {
	case len(inner) == 0 || inner[0] == '#':
		return true
	case s.inWord && indentation > s.wordAt:
		return false
	case string(line) == "---":
		s.endDocument()
		return true
	case indentation == 0:
		return s.field(line)
	case !s.inMetadata:
		return s.begun
	case s.indentation == 0:
		s.indentation = indentation
	}
	s.inWord = false
	if indentation != s.indentation {
		return indentation > s.indentation
	}
	key, value, ok := plainField(inner)
	if ok && key == "name" {
		s.name, s.inWord, s.wordAt = value, true, indentation
		start := offset + len(line) - len(value)
		s.span = text.Span{Start: start, End: start + len(value)}
		return isPlainWord(value)
	}
	return ok
}

// field takes a line with a field of the document.
func (s *headScan) field(line []byte) bool {
	key, value, ok := plainField(line)
	s.begun, s.inMetadata, s.inWord = true, false, false
	switch {
	case !ok:
		return false
	case key == "kind":
		first := s.kind == ""
		s.kind, s.inWord, s.wordAt = value, true, 0
		return first && isPlainWord(value)
	case key == "metadata":
		s.inMetadata = true
		return s.name == "" && value == ""
	}
	return value == "" || !bytes.ContainsAny([]byte(value[:1]), "\"'&*!")
}

// plainField takes apart a line with a key of letters.
func plainField(line []byte) (key, value string, ok bool) {
	before, after, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(before) == 0 || len(after) > 0 && after[0] != ' ' {
		return "", "", false
	}
	for _, c := range before {
		if !isWordByte(c) {
			return "", "", false
		}
	}
	return string(before), string(bytes.TrimLeft(after, " ")), true
}

func isPlainWord(value string) bool {
	for i := range len(value) {
		if !isWordByte(value[i]) {
			return false
		}
	}
	return value != "" && value[0] != '-'
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

func symbolsOfHeads(path string, heads []resourceHead) []WorkspaceSymbol {
	var symbols []WorkspaceSymbol
	for _, h := range heads {
		symbols = append(symbols, WorkspaceSymbol{h.kind + "/" + h.name, ResourceSymbol, analysis.Place{File: path, Span: h.span}})
	}
	return symbols
}
