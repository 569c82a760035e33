package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
)

// summary is a report with what is said of the whole.
type summary struct {
	report *analysis.Report
	// suppressed counts what comments suppress, known what a baseline knows, stale
	// what a baseline knows and is not found any more.
	suppressed, known, stale int
	// show is the least severity that text shows, all shows every finding, statistics
	// counts them by rule.
	show            analysis.Severity
	all, statistics bool
}

// formats are the output formats by name, in the order in which they are offered.
func formats() []format {
	return []format{
		{"text", func(v *printer, out io.Writer, s summary) error { return v.writeText(out, s) }},
		{"json", func(v *printer, out io.Writer, s summary) error { return v.writeJSON(out, s.report) }},
		{"sarif", func(v *printer, out io.Writer, s summary) error { return v.writeSARIF(out, s.report, rules.All()) }},
		{"github", func(v *printer, out io.Writer, s summary) error { return v.writeGitHub(out, s) }},
		{"junit", func(v *printer, out io.Writer, s summary) error { return v.writeJUnit(out, s.report) }},
	}
}

type format struct {
	name  string
	write func(*printer, io.Writer, summary) error
}

func formatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

func (v *printer) write(out io.Writer, name string, s summary) error {
	for _, f := range formats() {
		if f.name == name {
			return f.write(v, out, s)
		}
	}
	return fmt.Errorf("--format %s is not known", name)
}

// repositoryPath returns a path as seen from the root of its git repository, with
// forward slashes; outside of one, from the working folder.
func (v *printer) repositoryPath(path string) string {
	dir := filepath.Dir(path)
	scope, known := v.scopes[dir]
	if !known {
		if v.scopes == nil {
			v.scopes = map[string]string{}
		}
		scope = v.scope(dir)
		v.scopes[dir] = scope
	}
	return relative(scope, path)
}
