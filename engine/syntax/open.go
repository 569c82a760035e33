package syntax

import "bytes"

// opening is a bracket or quote that is not closed yet.
type opening struct {
	outer     *opening
	character byte // one of [ { " '
	line      int  // 0-based, within the lines given
	column    int  // 0-based, in bytes
}

var closingOf = map[byte]byte{'[': ']', '{': '}', '"': '"', '\'': '\''}

// closing returns what would close the opening and all around it. Brackets
// come on a line of their own, since the line before may end with a comment.
func (o *opening) closing() string {
	var b []byte
	if o != nil && !o.isQuote() {
		b = append(b, '\n')
	}
	for ; o != nil; o = o.outer {
		b = append(b, closingOf[o.character])
	}
	return string(b)
}

func (o *opening) depth() int {
	n := 0
	for ; o != nil; o = o.outer {
		n++
	}
	return n
}

func (o *opening) isQuote() bool { return o.character == '"' || o.character == '\'' }

func (o *opening) outermost() *opening {
	for o.outer != nil {
		o = o.outer
	}
	return o
}

// openings returns, for the beginning of each line and for the end of the
// last, what is open there. It knows as much of YAML as it takes to tell
// quotes and brackets from text that only looks like them, and unlike a parser
// it never fails.
func openings(lines []string) []*opening {
	s := openScanner{blockParent: -1}
	result := make([]*opening, 0, len(lines)+1)
	for i, line := range lines {
		result = append(result, s.open)
		s.line(i, line)
	}
	return append(result, s.open)
}

type openScanner struct {
	open        *opening
	blockParent int // in a block scalar the indentation of its parent, else -1
}

func (s *openScanner) line(number int, line string) {
	indent := indentation(line)
	if s.blockParent >= 0 && (indent > s.blockParent || indent == len(line)) {
		return
	}
	s.blockParent = -1
	tokenStart := true
	for i := 0; i < len(line); {
		switch {
		case s.inQuote():
			i = s.quoted(line, i)
			tokenStart = false
		case line[i] == '#' && (i == 0 || isBlank(line[i-1])):
			return
		case isBlank(line[i]):
			i++
		case tokenStart && (line[i] == '"' || line[i] == '\''):
			s.push(number, i, line[i])
			i++
		case (tokenStart || s.open != nil) && (line[i] == '[' || line[i] == '{'):
			s.push(number, i, line[i])
			i++
			tokenStart = true
		case s.open != nil && (line[i] == ']' || line[i] == '}'):
			s.open = s.open.outer
			i++
			tokenStart = false
		case tokenStart && s.open == nil && isBlockHeader(line[i:]):
			s.blockParent = max(0, entryColumn(line))
			if entryColumn(line) == 0 && !bytes.ContainsAny([]byte(line[:i]), ":-?") {
				s.blockParent = -1 // a scalar document
			}
			return
		default:
			i, tokenStart = s.plain(line, i, tokenStart)
		}
	}
}

func (s *openScanner) push(line, column int, character byte) {
	s.open = &opening{s.open, character, line, column}
}

func (s *openScanner) inQuote() bool {
	return s.open != nil && s.open.isQuote()
}

// quoted goes on behind the closing quote, or to the end of the line.
func (s *openScanner) quoted(line string, i int) int {
	for quote := s.open.character; i < len(line); i++ {
		switch {
		case quote == '"' && line[i] == '\\':
			i++
		case line[i] == quote && quote == '\'' && i+1 < len(line) && line[i+1] == quote:
			i++
		case line[i] == quote:
			s.open = s.open.outer
			return i + 1
		}
	}
	return len(line)
}

// plain goes on behind one character that is an indicator or part of a plain
// scalar, and tells whether a token may begin there.
func (s *openScanner) plain(line string, i int, tokenStart bool) (next int, start bool) {
	blankFollows := i+1 == len(line) || isBlank(line[i+1])
	switch c := line[i]; {
	case c == ':' && (blankFollows || s.open != nil && !tokenStart), c == ',' && s.open != nil:
		return i + 1, true
	case tokenStart && (c == '-' || c == '?') && blankFollows:
		return i + 1, true
	case tokenStart && (c == '&' || c == '!'):
		for i < len(line) && !isBlank(line[i]) {
			i++
		}
		return i, true
	}
	return i + 1, false
}

func isBlockHeader(rest string) bool {
	if rest[0] != '|' && rest[0] != '>' {
		return false
	}
	i := 1
	for i < len(rest) && (rest[i] == '+' || rest[i] == '-' || rest[i] >= '0' && rest[i] <= '9') {
		i++
	}
	return i == len(rest) || isBlank(rest[i])
}

func indentation(line string) int {
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	return i
}

// entryColumn returns the column, in bytes, of the innermost key or dash that
// a line begins with: 2 in "- a: |", 0 in "- |".
func entryColumn(line string) int {
	column := indentation(line)
	for i := column; i+1 < len(line) && line[i] == '-' && line[i+1] == ' '; {
		next := i + 1
		for next < len(line) && line[next] == ' ' {
			next++
		}
		if next == len(line) || line[next] == '|' || line[next] == '>' {
			return column
		}
		i, column = next, next
	}
	return column
}
