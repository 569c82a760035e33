package main

import (
	"encoding/json"
	"io"

	"github.com/kustomize-lsp/kls/analysis"
)

// The JSON output, version 1. Lines and columns are 1-based, columns count code
// points, ends are exclusive; paths are relative to the working folder, with forward slashes.
type (
	jsonReport struct {
		Version     int              `json:"version"`
		Roots       []jsonRoot       `json:"roots"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}
	jsonRoot struct {
		Dir     string           `json:"dir"`
		Verdict analysis.Verdict `json:"verdict"`
		// Kustomize is "fails" where kls builds what kustomize refuses.
		Kustomize analysis.Verdict `json:"kustomize,omitempty"`
	}
	jsonDiagnostic struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		jsonPlace
		Message string        `json:"message"`
		Help    string        `json:"help,omitempty"`
		Roots   []string      `json:"roots"`
		Related []jsonRelated `json:"related"`
		Fixes   []jsonFix     `json:"fixes"`
		// Deployments are the IDs of those that get what it concerns.
		Deployments []string `json:"deployments,omitempty"`
	}
	jsonPlace struct {
		File  string    `json:"file"`
		Range jsonRange `json:"range"`
	}
	jsonRange struct {
		Start jsonPosition `json:"start"`
		End   jsonPosition `json:"end"`
	}
	jsonPosition struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	jsonRelated struct {
		jsonPlace
		Message string `json:"message"`
	}
	jsonFix struct {
		Title string     `json:"title"`
		Safe  bool       `json:"safe"`
		Edits []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		jsonPlace
		NewText string `json:"newText"`
	}
)

func (v *printer) writeJSON(out io.Writer, report *analysis.Report) error {
	r := jsonReport{Version: 1, Roots: []jsonRoot{}, Diagnostics: []jsonDiagnostic{}}
	for _, root := range report.Roots {
		shown := jsonRoot{Dir: relative(v.folder, root.Dir), Verdict: root.Verdict}
		if root.Beyond {
			shown.Kustomize = analysis.Fails
		}
		r.Roots = append(r.Roots, shown)
	}
	for _, d := range report.Diagnostics {
		r.Diagnostics = append(r.Diagnostics, v.jsonDiagnostic(d))
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

func (v *printer) jsonDiagnostic(d analysis.Diagnostic) jsonDiagnostic {
	j := jsonDiagnostic{Rule: d.Rule, Severity: d.Severity.String(), jsonPlace: v.jsonPlace(d.Place), Message: d.Message, Help: d.Help,
		Roots: []string{}, Related: []jsonRelated{}, Fixes: []jsonFix{}, Deployments: d.Deployments}
	for _, dir := range d.Roots {
		j.Roots = append(j.Roots, relative(v.folder, dir))
	}
	for _, r := range d.Related {
		j.Related = append(j.Related, jsonRelated{v.jsonPlace(r.Place), r.Message})
	}
	for _, message := range d.Others() {
		j.Related = append(j.Related, jsonRelated{v.jsonPlace(d.Place), message})
	}
	for _, f := range d.Fixes {
		fix := jsonFix{Title: f.Title, Safe: f.Safe}
		for _, e := range f.Edits {
			fix.Edits = append(fix.Edits, jsonEdit{v.jsonPlace(e.Place), e.New})
		}
		j.Fixes = append(j.Fixes, fix)
	}
	return j
}

func (v *printer) jsonPlace(p analysis.Place) jsonPlace {
	s := v.source(p.File)
	j := jsonPlace{File: relative(v.folder, p.File)}
	j.Range.Start.Line, j.Range.Start.Column = s.position(p.Span.Start)
	j.Range.End.Line, j.Range.End.Column = s.position(p.Span.End)
	return j
}
