package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

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
	// failOn is the least severity that makes the command fail; quiet leaves out all but the findings.
	failOn analysis.Severity
	quiet  bool
}

// formats are the output formats by name, in the order in which they are offered.
func formats() []format {
	return []format{
		{"text", func(v *printer, out io.Writer, s summary) error { return v.writeText(out, s) }},
		{"json", func(v *printer, out io.Writer, s summary) error { return v.writeJSON(out, s.report) }},
		{"sarif", func(v *printer, out io.Writer, s summary) error { return v.writeSARIF(out, s.report, rules.All()) }},
		{"github", func(v *printer, out io.Writer, s summary) error { return v.writeGitHub(out, s) }},
		{"junit", func(v *printer, out io.Writer, s summary) error { return v.writeJUnit(out, s) }},
		{"gitlab", func(v *printer, out io.Writer, s summary) error { return v.writeGitLab(out, s.report) }},
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

// checkOutput is one value of --format: a format, and the file that it is written to, if not standard output.
type checkOutput struct {
	format format
	file   string
}

// outputs reads the values of --format.
func (f checkFlags) outputs() ([]checkOutput, error) {
	given := f.formats
	if len(given) == 0 {
		given = []string{"text"}
	}
	var outputs []checkOutput
	toOutput := 0
	for _, value := range given {
		name, file, toFile := strings.Cut(value, ":")
		i := slices.IndexFunc(formats(), func(f format) bool { return f.name == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("--format must be one of %s, not %q", strings.Join(formatNames(), ", "), name)
		case toFile && file == "":
			return nil, fmt.Errorf("--format %s names no file after the colon", value)
		case !toFile:
			toOutput++
		}
		outputs = append(outputs, checkOutput{formats()[i], file})
	}
	if toOutput > 1 {
		return nil, errors.New("only one --format can be printed; write the others to files, as in --format sarif:kls.sarif")
	}
	return outputs, nil
}

// writeAll writes every output. Formats for programs have all findings, unless a severity is asked for.
func (v *printer) writeAll(out io.Writer, outputs []checkOutput, s summary, severity string) error {
	whole := s
	if severity != "" {
		report := *s.report
		report.Diagnostics = slices.DeleteFunc(slices.Clone(report.Diagnostics), func(d analysis.Diagnostic) bool { return d.Severity < s.show })
		whole.report = &report
	}
	for _, o := range outputs {
		var written bytes.Buffer
		shown := whole
		if o.format.name == "text" {
			shown = s
		}
		if err := o.format.write(v, &written, shown); err != nil {
			return err
		}
		if o.file != "" {
			if err := writeWhole(o.file, written.Bytes()); err != nil {
				return fmt.Errorf("--format %s: %w", o.format.name, err)
			}
			continue
		}
		if _, err := out.Write(written.Bytes()); err != nil {
			return err
		}
	}
	return nil
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
