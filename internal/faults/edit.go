package main

import (
	"bytes"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// change is a text with a mistake in it.
type change struct {
	text []byte
	// line is the 1-based line of the mistake.
	line int
}

// line returns the 1-based line in the file of a node of the document.
func (d document) line(n *yaml.Node) int { return n.Line + d.shift }

// lines returns the file's lines, with what ends them.
func (d document) lines() [][]byte { return bytes.SplitAfter(d.text, []byte("\n")) }

// replace writes another text over a scalar that stands on one line; the last one
// of that text on the line counts, which in "key: value" is the value.
func (d document) replace(n *yaml.Node, value string) (change, bool) {
	if n.Kind != yaml.ScalarNode || n.Value == "" || n.Value == value || strings.Contains(n.Value, "\n") || n.Alias != nil || n.Anchor != "" {
		return change{}, false
	}
	lines, at := d.lines(), d.line(n)-1
	if at >= len(lines) {
		return change{}, false
	}
	from := 0
	if d.shift == 0 {
		from = min(n.Column-1, len(lines[at]))
	}
	where := bytes.Index(lines[at][from:], []byte(n.Value))
	if d.shift != 0 {
		where = bytes.LastIndex(lines[at], []byte(n.Value))
	}
	if where < 0 {
		return change{}, false
	}
	where += from
	lines[at] = bytes.Join([][]byte{lines[at][:where], []byte(value), lines[at][where+len(n.Value):]}, nil)
	return change{bytes.Join(lines, nil), at + 1}, true
}

// insert puts a line in before the 1-based line.
func (d document) insert(before int, line string) (change, bool) {
	lines := d.lines()
	if before < 1 || before > len(lines) {
		return change{}, false
	}
	if last := lines[len(lines)-1]; before == len(lines) && len(last) > 0 {
		lines[len(lines)-1] = append(bytes.Clone(last), '\n')
	}
	text := bytes.Join([][]byte{bytes.Join(lines[:before-1], nil), []byte(line + "\n"), bytes.Join(lines[before-1:], nil)}, nil)
	return change{text, before}, true
}

// indent returns the blanks before the first key of the line that a node begins
// on, dashes of list elements counted as blanks.
func (d document) indent(key *yaml.Node) string {
	line := string(d.lines()[d.line(key)-1])
	return strings.Repeat(" ", len(line)-len(strings.TrimLeft(line, " -")))
}

// mistype swaps two letters in the middle of a name, or doubles the last one.
func mistype(name string) string {
	stem := len(name)
	if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, '/')+2 {
		stem = dot
	}
	for i := stem - 2; i > 0 && name[i-1] != '/'; i-- {
		if a, b := name[i], name[i+1]; a != b && isLetter(a) && isLetter(b) {
			return name[:i] + string(b) + string(a) + name[i+2:]
		}
	}
	return name[:stem] + "x" + name[stem:]
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
