package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

// writeText prints the diagnostics with the lines that they are about, and a
// line that sums up.
func (v *printer) writeText(out io.Writer, s summary) error {
	var b bytes.Buffer
	if s.statistics {
		v.writeStatistics(&b, s.report.Diagnostics)
	} else {
		v.writeGroups(&b, s)
	}
	if !s.quiet {
		fmt.Fprintln(&b, v.summary(s))
		for _, line := range []string{fixable(s.report.Diagnostics), nextStep(s.report.Diagnostics)} {
			if line != "" {
				fmt.Fprintln(&b, line)
			}
		}
	}
	_, err := out.Write(b.Bytes())
	return err
}

// writeDiagnostics prints the diagnostics, the worst first.
func (v *printer) writeDiagnostics(b *bytes.Buffer, diagnostics []analysis.Diagnostic) {
	sorted := slices.Clone(diagnostics)
	slices.SortStableFunc(sorted, func(a, b analysis.Diagnostic) int { return int(b.Severity) - int(a.Severity) })
	for _, d := range sorted {
		v.writeDiagnostic(b, d)
		b.WriteByte('\n')
	}
}

// writeDiagnostic prints one diagnostic:
//
//	overlays/prod/kustomization.yaml:6:3: error: ingres.yaml does not exist [missing-path]
//	  6 | - ingres.yaml
//	    |   ^^^^^^^^^^^ did you mean ingress.yaml?
func (v *printer) writeDiagnostic(b *bytes.Buffer, d analysis.Diagnostic) {
	paint := severityPaint(d.Severity)
	source := v.source(d.File)
	line, column := source.position(d.Span.Start)
	mark := ""
	if len(d.Fixes) > 0 {
		mark = " *"
	}
	fmt.Fprintf(b, "%s %s %s %s%s\n",
		v.paint(bold, fmt.Sprintf("%s:%d:%d:", printable(v.shown(d.File)), line, column)),
		v.paint(paint, d.Severity.String()+":"),
		v.paint(bold, printable(d.Message)),
		v.paint(faint, "["+d.Rule+"]"), mark)
	gutter := len(fmt.Sprint(line)) + 2
	margin := strings.Repeat(" ", gutter) + " " + v.paint(faint, "|") + " "
	help := printable(d.Help)
	if source.lines != nil && !source.private {
		f := source.frame(d.Span, line)
		fmt.Fprintf(b, "%s %s %s\n", v.paint(faint, fmt.Sprintf("%*d", gutter, line)), v.paint(faint, "|"), f.text)
		underline := strings.Repeat(" ", f.start) + v.paint(paint, strings.Repeat("^", f.width))
		if help != "" && f.start+f.width+len(help) < frameWidth {
			underline += " " + v.paint(paint, help)
			help = ""
		}
		b.WriteString(margin + underline + "\n")
	}
	note := strings.Repeat(" ", gutter) + " " + v.paint(faint, "=") + " "
	if help != "" {
		b.WriteString(note + help + "\n")
	}
	for _, r := range d.Related {
		line, column := v.source(r.File).position(r.Span.Start)
		fmt.Fprintf(b, "%s%s %s\n", note, v.paint(faint, fmt.Sprintf("%s:%d:%d:", printable(v.shown(r.File)), line, column)), printable(r.Message))
	}
	for _, message := range d.Others() {
		b.WriteString(note + printable(message) + "\n")
	}
	if roots := v.concerned(d); roots != "" {
		b.WriteString(note + roots + "\n")
	}
	if by := deployedBy(d); by != "" {
		b.WriteString(note + printable(by) + "\n")
	}
}

// shownRoots is how many roots a diagnostic names.
const shownRoots = 3

// concerned names the roots of a diagnostic, unless it is only the folder that
// the file is in.
func (v *printer) concerned(d analysis.Diagnostic) string {
	if len(d.Roots) == 0 || v.oneRoot || len(d.Roots) == 1 && d.Roots[0] == filepath.Dir(d.File) {
		return ""
	}
	var names []string
	for _, dir := range d.Roots[:min(len(d.Roots), shownRoots)] {
		names = append(names, printable(v.shown(dir)))
	}
	text := "in " + strings.Join(names, ", ")
	if more := len(d.Roots) - shownRoots; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// deployedBy names the deployments of a diagnostic.
func deployedBy(d analysis.Diagnostic) string {
	if len(d.Deployments) == 0 {
		return ""
	}
	text := "deployed by " + strings.Join(d.Deployments[:min(len(d.Deployments), shownRoots)], ", ")
	if more := len(d.Deployments) - shownRoots; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// summary counts: "12 kustomizations: 10 built, 2 failed · 3 errors, 1 warning".
func (v *printer) summary(s summary) string {
	text := v.summaryOf(s.report)
	for _, part := range []struct {
		n    int
		text string
	}{{s.suppressed, "suppressed"}, {s.known, "in the baseline"}, {s.stale, "in the baseline and gone"}} {
		if part.n > 0 {
			text += fmt.Sprintf(" · %d %s", part.n, part.text)
		}
	}
	return text
}

func (v *printer) summaryOf(report *analysis.Report) string {
	verdicts := map[analysis.Verdict]int{}
	for _, r := range report.Roots {
		verdicts[r.Verdict]++
	}
	roots := len(report.Roots) - verdicts[analysis.IsComponent]
	var parts []string
	add := func(n int, text string, color paint) {
		if n > 0 {
			parts = append(parts, v.paint(color, fmt.Sprintf("%d %s", n, text)))
		}
	}
	add(verdicts[analysis.Builds], "built", green)
	add(verdicts[analysis.Fails], "failed", red)
	add(verdicts[analysis.Unknown], "unknown", yellow)
	text := plural(roots, "kustomization")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if n := verdicts[analysis.IsComponent]; n > 0 {
		text += ", " + plural(n, "component")
	}
	counts := v.counts(report.Diagnostics)
	if counts == "" {
		counts = "nothing to report"
	}
	return text + " · " + counts
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
