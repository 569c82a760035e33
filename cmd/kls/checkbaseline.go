package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/baseline"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// defaultBaseline is the file that --write-baseline writes where none is named.
const defaultBaseline = ".kls-baseline.json"

// applyBaseline takes out of the report what is known, or makes it known: done is
// true where that was all there is to do.
func (c *checkRun) applyBaseline(sum *summary, show analysis.Severity) (done bool, err error) {
	name := c.flags.baseline
	if name == "" {
		name = defaultBaseline
	}
	path, err := realPlace(c.printer.files, name)
	if err != nil {
		return false, err
	}
	if config.LeadsOutside(c.printer.files, path) {
		return false, fmt.Errorf("--baseline %s is a link that leads out of the repository; it is neither read nor written", name)
	}
	known, err := readBaseline(path)
	if missing := errors.Is(err, fs.ErrNotExist); err != nil && (!missing || !c.flags.writeBaseline) {
		return false, fmt.Errorf("--baseline %s: %w", name, err)
	}
	here := func(f baseline.Entry) bool {
		return c.isComplete(filepath.Join(filepath.Dir(path), filepath.FromSlash(f.File)))
	}
	finding := func(d analysis.Diagnostic) baseline.Entry {
		return baseline.NewEntry(d.Rule, relative(filepath.Dir(path), d.File), c.printer.source(d.File).line(d.Span.Start))
	}
	if c.flags.writeBaseline {
		return true, c.write(path, name, sum.report, show, finding, here, known)
	}
	match := known.Match()
	sum.report.Diagnostics = slices.DeleteFunc(sum.report.Diagnostics, func(d analysis.Diagnostic) bool {
		if !match.Knows(finding(d)) {
			return false
		}
		sum.known++
		return true
	})
	sum.stale = match.Stale(here)
	return false, nil
}

// write writes the baseline. What is known of files that were not checked stays.
func (c *checkRun) write(path, name string, report *analysis.Report, show analysis.Severity, finding func(analysis.Diagnostic) baseline.Entry,
	here func(baseline.Entry) bool, known *baseline.Baseline) error {
	var findings []baseline.Entry
	seen := map[baseline.Entry]bool{}
	for _, d := range report.Diagnostics {
		if d.Severity >= show {
			findings = append(findings, finding(d))
			seen[finding(d)] = true
		}
	}
	made := baseline.New(findings)
	made.Keep(known, func(f baseline.Entry) bool { return !seen[f] && !here(f) })
	encoded, err := made.Encode()
	if err != nil {
		return err
	}
	if err := writeWhole(path, encoded); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.std.err, "%s: %s written\n", name, plural(len(findings), "finding"))
	return err
}

func readBaseline(path string) (*baseline.Baseline, error) {
	empty := baseline.New(nil)
	text, err := vfs.Disk().ReadFile(path)
	if err != nil {
		return empty, err
	}
	known, err := baseline.Parse(text)
	if err != nil {
		return empty, err
	}
	return known, nil
}
