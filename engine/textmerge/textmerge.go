// Package textmerge merges one JSON or YAML document into another and keeps the
// text of the other: what the merge does not touch stays byte for byte, with its
// comments, quotes, indentation and order of keys. The values are merged as RFC
// 7396 says. The package knows neither files nor resources; what is wrong with a
// document is a Finding, never an error.
package textmerge

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
)

// Format is how documents are read.
type Format int

const (
	// JSON is read leniently: as yaml.v3 reads a document in flow style. What is
	// not JSON about it is a NotStrict finding.
	JSON Format = iota
	// YAML is read as yaml.v3 reads it.
	YAML
)

// Side is one of the two documents.
type Side int

const (
	Base Side = iota
	Overlay
)

// Kind says what is wrong.
type Kind int

const (
	_ Kind = iota

	// Unparsable: the document cannot be read. Fatal.
	Unparsable
	// DuplicateKey: a key under a path that the merge would write stands twice;
	// Other is the first. Fatal.
	DuplicateKey
	// Alias: an alias, or an anchor that aliases use, under a path that the merge
	// would write. Fatal.
	Alias
	// MergeKey is the same for a key <<. Fatal.
	MergeKey
	// SeveralDocuments: more than one document, of which the merge would write
	// the first. Fatal.
	SeveralDocuments
	// Unmergeable: the text is written in a way that kls cannot change. Fatal.
	Unmergeable
	// KindMismatch: a map replaces what is none, or the other way round; Other is
	// what it replaces. An empty value does not count.
	KindMismatch
	// NotStrict: something in a JSON document that JSON does not allow.
	NotStrict
)

// Finding is one thing that is wrong with a document.
type Finding struct {
	Kind Kind
	Side Side
	// Span is in bytes of the document of that side.
	Span text.Span
	// Message says what is wrong, in words that follow a colon.
	Message string
	// Other is a second place, empty where there is none; it is on the base's
	// side for KindMismatch, else on the same one.
	Other text.Span
	// New is what to write instead where HasFix is true.
	New    string
	HasFix bool
	// ReadsAsYAML is true where JSON was expected and the text is YAML.
	ReadsAsYAML bool
}

// Fatal tells whether nothing is merged because of it.
func (f Finding) Fatal() bool { return f.Kind < KindMismatch }

// Report is what was found in both documents, in the order of the text.
type Report struct{ Findings []Finding }

// Failed tells whether nothing was merged.
func (r Report) Failed() bool { return slices.ContainsFunc(r.Findings, Finding.Fatal) }

// Merge returns the base with the overlay merged into it. Maps merge deeply; any
// other value of the overlay takes the place of the base's; null removes the key.
// A value that is equal once it is read changes nothing. Where a finding is fatal,
// the base is returned as it is. Neither input is changed or kept.
func Merge(base, overlay []byte, format Format) (merged []byte, report Report) {
	m := &merger{format: format}
	m.base, m.overlay = m.read(base, Base), m.read(overlay, Overlay)
	if !m.report.Failed() {
		merged = m.merge()
	}
	if m.report.Failed() {
		merged = slices.Clone(base)
	}
	slices.SortStableFunc(m.report.Findings, func(a, b Finding) int {
		if a.Side != b.Side {
			return int(a.Side - b.Side)
		}
		return a.Span.Start - b.Span.Start
	})
	return merged, m.report
}

// Check returns what is wrong with one document as a whole: that it cannot be read,
// or, in JSON, what is loose about it. Every finding is on the side of the base.
func Check(content []byte, format Format) []Finding {
	_, findings := readDocument(content, format)
	return findings
}

// merger is the state of one merge.
type merger struct {
	format        Format
	base, overlay *document
	report        Report
	edits         []text.Edit // of the base
	style         style
	// extended is true once a line break was added to the base's text.
	extended bool
}

func (m *merger) find(f Finding) { m.report.Findings = append(m.report.Findings, f) }

// read parses one side and reports what is wrong with it as a whole.
func (m *merger) read(content []byte, side Side) *document {
	d, findings := readDocument(content, m.format)
	for _, f := range findings {
		f.Side = side
		m.find(f)
	}
	return d
}
