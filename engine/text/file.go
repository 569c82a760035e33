// Package text deals in byte offsets, spans, edits and the conversions between
// byte offsets and the coordinate systems of parsers and editors. It depends
// on the standard library only and knows neither YAML nor LSP.
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
