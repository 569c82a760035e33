// Package text deals in byte offsets, spans, edits and the conversions between
// byte offsets and the coordinate systems of parsers and editors. It depends
// on the standard library only, knows neither YAML trees nor LSP messages, and
// is the only package that converts coordinates.
//
// The coordinate systems:
//
//   - Offset: 0-based, in bytes of one text. A Span is a half-open range of
//     offsets. Everything inside kls speaks offsets.
//   - Position: 0-based line and 0-based character of an editor. The unit of
//     the character is the Encoding that client and server agreed on.
//   - Line and column of reports: 1-based line, 1-based column in code points.
//     People, SARIF and other tools read these.
//   - Mark: 1-based line and 1-based column in runes, as yaml.v3 puts them into
//     its nodes. It also ends lines at U+0085, U+2028 and U+2029.
//
// A line ends at LF, CR or CR LF, for everyone but marks as said above. A byte
// order mark at the beginning of a text has no width in any of them but
// offsets, because editors and yaml.v3 take it off before they count. A byte
// that is not part of valid UTF-8 counts as one character in every unit.
// Positions outside the text are moved to the nearest place inside it.
package text

// FileID names one immutable text: a version of a file, or a document that is
// embedded in a string of another text. Zero means no text: the value was not
// written anywhere. IDs are given out by syntax.Table, and mean nothing
// outside the table that gave them.
type FileID uint32

// Span is a half-open range of byte offsets, 0-based, within one text.
type Span struct {
	Start, End int
}

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains tells whether the offset lies in the span or directly after it,
// where a cursor stands that has just typed its last character.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset <= s.End }
