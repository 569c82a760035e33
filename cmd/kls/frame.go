package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// frameWidth is how many columns of a line are shown.
const frameWidth = 110

// frame is a line of a file as it is printed, and where in it the carets stand.
// start and width are in columns of a terminal, width is at least 1.
type frame struct {
	text         string
	start, width int
}

// frame shows the 1-based line with a span that begins in it. A long line is cut
// on both sides, with … for what is left out.
func (s *source) frame(span text.Span, line int) frame {
	whole := s.near(s.lines.LineSpan(line-1), span.Start)
	cells := cellsOf([]byte(text.MaskCredentials(string(s.text[whole.Start:whole.End]))))
	first, last := 0, 0 // cells of the span
	for i, c := range cells {
		if whole.Start+c.offset < span.Start {
			first = i + 1
		}
		if whole.Start+c.offset < span.End {
			last = i + 1
		}
	}
	last = max(first, last)
	from, to := window(cells, first, last)
	f := frame{}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
		f.start++
	}
	for i := from; i < to; i++ {
		b.WriteString(cells[i].text)
		switch {
		case i < first:
			f.start += cells[i].width
		case i < last:
			f.width += cells[i].width
		}
	}
	if to < len(cells) {
		b.WriteString("…")
	}
	f.text, f.width = strings.TrimRight(b.String(), " "), max(f.width, 1)
	return f
}

// maxNear is how many bytes of a line on each side of a place are looked at: a
// multiple of what can be shown, since a line may be all that a large file has.
const maxNear = 16 << 10

// near is the part of a line around a place, in whole characters.
func (s *source) near(line text.Span, at int) text.Span {
	if at-line.Start > maxNear {
		line.Start = at - maxNear
		for !utf8.RuneStart(s.text[line.Start]) && line.Start < at {
			line.Start++
		}
	}
	if line.End-at > maxNear {
		line.End = at + maxNear
		for !utf8.RuneStart(s.text[line.End]) && line.End > at {
			line.End--
		}
	}
	return line
}

// window chooses the cells to show: the beginning of the line where the span is
// seen in it, else what surrounds the span.
func window(cells []cell, first, last int) (from, to int) {
	width := 0
	for i := 0; i < last; i++ {
		width += cells[i].width
	}
	if width >= frameWidth {
		const before = frameWidth / 3
		from = first
		for used := 0; from > 0 && used < before; from-- {
			used += cells[from-1].width
		}
	}
	to = from
	for used := 0; to < len(cells) && used < frameWidth; to++ {
		used += cells[to].width
	}
	return from, to
}

// cell is a character as it is printed: what stands at an offset (in bytes) of
// the line, and how many columns it takes.
type cell struct {
	text   string
	offset int
	width  int
}

const tabWidth = 4

func cellsOf(line []byte) []cell {
	var cells []cell
	column := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		c := cell{string(r), i, runeWidth(r)}
		switch {
		case r == '\t':
			c.width = tabWidth - column%tabWidth
			c.text = strings.Repeat(" ", c.width)
		case r == utf8.RuneError || !unicode.IsPrint(r) && c.width > 0 || text.EscapedRune(r, size) != "":
			c.text, c.width = "�", 1
			if escaped := text.EscapedRune(r, size); escaped != "" {
				c.text, c.width = escaped, utf8.RuneCountInString(escaped)
			}
		}
		cells = append(cells, c)
		column += c.width
		i += size
	}
	return cells
}

// printable is one line in which nothing is hidden and nothing commands a terminal.
func printable(s string) string {
	return text.Visible(strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s))
}

// runeWidth returns how many columns a character takes in a terminal: 2 for wide
// East Asian characters and emoji, 0 for what combines with the one before.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200B || r == 0x200D || r == 0xFEFF || 0xFE00 <= r && r <= 0xFE0F:
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wide is the East Asian wide and fullwidth characters of Unicode's annex 11, and
// emoji, in blocks.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1}, {Lo: 0x231A, Hi: 0x231B, Stride: 1}, {Lo: 0x23E9, Hi: 0x23EC, Stride: 1},
		{Lo: 0x25FD, Hi: 0x25FE, Stride: 1}, {Lo: 0x2614, Hi: 0x2615, Stride: 1}, {Lo: 0x2648, Hi: 0x2653, Stride: 1},
		{Lo: 0x26AA, Hi: 0x26AB, Stride: 1}, {Lo: 0x26BD, Hi: 0x26BE, Stride: 1}, {Lo: 0x26C4, Hi: 0x26C5, Stride: 1},
		{Lo: 0x2705, Hi: 0x2705, Stride: 1}, {Lo: 0x270A, Hi: 0x270B, Stride: 1}, {Lo: 0x2728, Hi: 0x2728, Stride: 1},
		{Lo: 0x274C, Hi: 0x274C, Stride: 1}, {Lo: 0x2753, Hi: 0x2757, Stride: 1}, {Lo: 0x2795, Hi: 0x2797, Stride: 1},
		{Lo: 0x2B1B, Hi: 0x2B1C, Stride: 1}, {Lo: 0x2B50, Hi: 0x2B55, Stride: 5},
		{Lo: 0x2E80, Hi: 0x303E, Stride: 1}, {Lo: 0x3041, Hi: 0xA4CF, Stride: 1}, {Lo: 0xA960, Hi: 0xA97F, Stride: 1},
		{Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, {Lo: 0xF900, Hi: 0xFAFF, Stride: 1}, {Lo: 0xFE30, Hi: 0xFE6F, Stride: 1},
		{Lo: 0xFF00, Hi: 0xFF60, Stride: 1}, {Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE0, Hi: 0x18CFF, Stride: 1}, {Lo: 0x1B000, Hi: 0x1B2FF, Stride: 1}, {Lo: 0x1F18E, Hi: 0x1F19A, Stride: 1},
		{Lo: 0x1F200, Hi: 0x1F320, Stride: 1}, {Lo: 0x1F32D, Hi: 0x1F64F, Stride: 1}, {Lo: 0x1F680, Hi: 0x1F6FC, Stride: 1},
		{Lo: 0x1F7E0, Hi: 0x1F7F0, Stride: 1}, {Lo: 0x1F90C, Hi: 0x1FAFF, Stride: 1}, {Lo: 0x20000, Hi: 0x3FFFD, Stride: 1},
	},
}
