package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

// maxGroups is how many different findings are shown with their lines by default: a
// screenful. maxPlaces is how many places of one finding are named.
const (
	maxGroups = 8
	maxPlaces = 2
	// manyInFile is from how many findings of one rule in one file on they are one.
	manyInFile = 4
)

// outsideRoot is the rule of files that kustomize reads only without its load restrictor.
const outsideRoot = "outside-root"

// group is findings that say the same.
type group struct {
	first analysis.Diagnostic
	rest  []analysis.Diagnostic
}

// groups puts findings together that say the same of several places, and those of one
// rule of which a file has many. The worst come first.
func groups(diagnostics []analysis.Diagnostic) []*group {
	sorted := slices.Clone(diagnostics)
	slices.SortStableFunc(sorted, func(a, b analysis.Diagnostic) int { return int(b.Severity) - int(a.Severity) })
	type key struct {
		rule, file, message string
		severity            analysis.Severity
	}
	inFile := map[key]int{}
	for _, d := range sorted {
		inFile[key{rule: d.Rule, file: d.File, severity: d.Severity}]++
	}
	var all []*group
	known := map[key]*group{}
	for _, d := range sorted {
		k := key{rule: d.Rule, file: d.File, severity: d.Severity}
		switch {
		case d.Rule == outsideRoot:
			k.file = "" // all for one reason: they are built with another load restrictor
		case inFile[k] < manyInFile:
			k.file, k.message = "", d.Message
		}
		if g := known[k]; g != nil {
			g.rest = append(g.rest, d)
			continue
		}
		known[k] = &group{first: d}
		all = append(all, known[k])
	}
	return all
}

// writeGroups prints what people read first, and counts the rest.
func (v *printer) writeGroups(b *bytes.Buffer, s summary) {
	var shown, hidden []analysis.Diagnostic
	for _, d := range s.report.Diagnostics {
		if d.Severity < s.show {
			hidden = append(hidden, d)
		} else {
			shown = append(shown, d)
		}
	}
	if s.all {
		v.writeDiagnostics(b, shown)
	} else {
		list := groups(shown)
		for _, g := range list[:min(len(list), maxGroups)] {
			v.writeDiagnostic(b, g.first)
			v.writePlaces(b, g.rest)
			b.WriteByte('\n')
		}
		for _, g := range list[min(len(list), maxGroups):] {
			hidden = append(append(hidden, g.first), g.rest...)
		}
	}
	if counts := v.counts(hidden); counts != "" {
		remedy := "--all"
		if s.all {
			remedy = "--severity hint"
		}
		fmt.Fprintf(b, "not shown: %s; %s shows them\n", counts, v.paint(bold, remedy))
	}
	if text := outside(s.report); text != "" {
		fmt.Fprintln(b, text)
	}
}

// writePlaces names the other places of a finding.
func (v *printer) writePlaces(b *bytes.Buffer, rest []analysis.Diagnostic) {
	if len(rest) == 0 {
		return
	}
	var places []string
	for _, d := range rest[:min(len(rest), maxPlaces)] {
		line, _ := v.source(d.File).position(d.Span.Start)
		places = append(places, fmt.Sprintf("%s:%d", printable(v.shown(d.File)), line))
	}
	text := "also at " + strings.Join(places, ", ")
	if more := len(rest) - maxPlaces; more > 0 {
		text += fmt.Sprintf(" and %s", plural(more, "more place"))
	}
	fmt.Fprintf(b, "    %s %s\n", v.paint(faint, "="), text)
}

// counts says how many findings of each severity there are; "" for none.
func (v *printer) counts(list []analysis.Diagnostic) string {
	severities := map[analysis.Severity]int{}
	for _, d := range list {
		severities[d.Severity]++
	}
	var parts []string
	for s := analysis.Error; s >= analysis.Hint; s-- {
		n, name := severities[s], s.String()
		if n != 1 && s != analysis.Info {
			name += "s"
		}
		if n > 0 {
			parts = append(parts, v.paint(severityPaint(s), fmt.Sprintf("%d %s", n, name)))
		}
	}
	return strings.Join(parts, ", ")
}

// outside says what was not looked at since it is switched off; "" for nothing.
func outside(report *analysis.Report) string {
	unknown, remote, run := 0, 0, 0
	for _, r := range report.Roots {
		if r.Verdict == analysis.Unknown {
			unknown++
		}
	}
	for _, d := range report.Diagnostics {
		switch d.Rule {
		case "remote-not-loaded":
			remote++
		case "external-not-run":
			run++
		}
	}
	if unknown == 0 || remote+run == 0 {
		return ""
	}
	var parts []string
	if remote > 0 {
		parts = append(parts, plural2(remote, "remote entry was", "remote entries were")+" not loaded (--enable-remote)")
	}
	if run > 0 {
		parts = append(parts, plural2(run, "chart or function was", "charts and functions were")+" not run (--enable-helm, --enable-alpha-plugins)")
	}
	return fmt.Sprintf("%s could not be checked in full: %s", plural(unknown, "kustomization"), strings.Join(parts, "; "))
}

// fixable says what the fixes can do; "" where there are none.
func fixable(list []analysis.Diagnostic) string {
	safe, provable, unsafe := 0, 0, 0
	for _, d := range list {
		switch {
		case slices.ContainsFunc(d.Fixes, func(f analysis.Fix) bool { return f.Safe }):
			safe++
		case d.Provable():
			provable++
		case len(d.Fixes) > 0:
			unsafe++
		}
	}
	var parts []string
	if safe > 0 {
		parts = append(parts, fmt.Sprintf("%d with --fix", safe))
	}
	if provable > 0 {
		parts = append(parts, fmt.Sprintf("%d with --fix if the build then succeeds", provable))
	}
	if unsafe > 0 {
		parts = append(parts, fmt.Sprintf("%d with --fix --unsafe-fixes", unsafe))
	}
	if len(parts) == 0 {
		return ""
	}
	text := "* fixable: " + strings.Join(parts, ", ")
	if safe == 0 {
		text += " (--diff shows what they change)"
	}
	return text
}

// nextStep is what to do about many findings; "" for few.
func nextStep(list []analysis.Diagnostic) string {
	bad, restricted, deprecated := 0, 0, false
	for _, d := range list {
		if d.Rule == outsideRoot {
			restricted++
		}
		if d.Severity >= analysis.Warning {
			bad++
		}
		deprecated = deprecated || d.Rule == "deprecated-field"
	}
	var steps []string
	if restricted > 1 {
		steps = append(steps, "if you build with LoadRestrictionsNone, say so with --load-restrictor")
	}
	if bad > maxGroups {
		steps = append(steps, "leave folders out with exclude in .kls.yaml, or begin from here with --write-baseline")
	}
	if deprecated && bad > 0 {
		steps = append(steps, "kls edit fix replaces deprecated fields")
	}
	return strings.Join(steps, "; ")
}

// writeStatistics counts the findings by rule, the most frequent first.
func (v *printer) writeStatistics(b *bytes.Buffer, list []analysis.Diagnostic) {
	type row struct {
		rule           string
		severity       analysis.Severity
		count, fixable int
	}
	var rows []*row
	for _, d := range list {
		i := slices.IndexFunc(rows, func(r *row) bool { return r.rule == d.Rule && r.severity == d.Severity })
		if i < 0 {
			i = len(rows)
			rows = append(rows, &row{rule: d.Rule, severity: d.Severity})
		}
		rows[i].count++
		if len(d.Fixes) > 0 {
			rows[i].fixable++
		}
	}
	slices.SortStableFunc(rows, func(x, y *row) int { return y.count - x.count })
	for _, r := range rows {
		fmt.Fprintf(b, "%6d %s %s", r.count, v.paint(severityPaint(r.severity), fmt.Sprintf("%-7s", r.severity)), r.rule)
		if r.fixable > 0 {
			fmt.Fprintf(b, " (%d fixable)", r.fixable)
		}
		b.WriteByte('\n')
	}
}
