package analysis

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Mended is what the safe fixes make of files.
type Mended struct {
	// Before and After are the contents of the files that change, by path.
	Before, After map[string][]byte
	// Steps are the fixes in the order in which they were made.
	Steps []MendStep
	// Files and Report are the files with the fixes, and what is left in them.
	Files  *vfs.Snapshot
	Report *Report
}

// MendStep is a fix that was made.
type MendStep struct {
	File string
	// Line is the line of the mistake at that time, counted from 1.
	Line        int
	Rule, Title string
}

// maxRounds bounds how often files are checked anew to make the fixes that were
// in the way of others, or that only then could be found.
const maxRounds = 10

// Mend makes the safe fixes of what check finds, or all of them, and writes nothing. Fixes that
// overlap are made one after the other, the files being checked in between. A
// round after which a root fails that did not before is taken back, and is the
// last. Where may is false, a file is left as it is.
//
// Without unsafe it also makes fixes of errors that are guesses, where building proves
// them: see prove.
func Mend(ctx context.Context, files *vfs.Snapshot, check func(context.Context, *vfs.Snapshot) (*Report, error), may func(path string) bool, unsafe bool) (*Mended, error) {
	report, err := check(ctx, files)
	if err != nil {
		return nil, err
	}
	m := &Mended{Before: map[string][]byte{}, After: map[string][]byte{}, Files: files, Report: report}
	w := mender{check: check, may: may}
	if err := w.rounds(ctx, m, func(_ Diagnostic, f Fix) bool { return f.Safe || unsafe }); err != nil || unsafe {
		return m, err
	}
	return w.prove(ctx, m)
}

// mender makes fixes.
type mender struct {
	check func(context.Context, *vfs.Snapshot) (*Report, error)
	may   func(path string) bool
}

// rounds makes the fixes that are wanted until there are no more.
func (w mender) rounds(ctx context.Context, m *Mended, wanted func(Diagnostic, Fix) bool) error {
	for range maxRounds {
		steps, edits := m.choose(w.may, wanted)
		if len(edits) == 0 {
			break
		}
		changed, err := Apply(edits, m.read)
		if err != nil {
			return err
		}
		next := m.Files
		for path, content := range changed {
			next = next.With(path, content)
		}
		report, err := w.check(ctx, next)
		if err != nil {
			return err
		}
		if breaks(m.Report, report) {
			break
		}
		if err := m.take(changed); err != nil {
			return err
		}
		m.Files, m.Report, m.Steps = next, report, append(m.Steps, steps...)
	}
	return nil
}

// maxProofs bounds how often the fixes of errors are tried.
const maxProofs = 3

// prove makes the fixes of errors that have only one each, where they are proven: with
// them each kustomization that they are for builds, which did not, and nothing is
// reported that was not. Nothing was rendered before, so nothing is lost. A root that
// fails all the same is left as it is, with everything that it shares with others.
func (w mender) prove(ctx context.Context, m *Mended) (*Mended, error) {
	left := map[string]bool{} // roots that the fixes do not mend
	for range maxProofs {
		trial := m.clone()
		tried := map[string]bool{}
		err := w.rounds(ctx, trial, func(d Diagnostic, _ Fix) bool {
			if !d.Provable() || slices.ContainsFunc(d.Roots, func(dir string) bool { return left[dir] }) {
				return false
			}
			for _, dir := range d.Roots {
				tried[dir] = true
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		unproven := unmended(m.Report, trial.Report, tried)
		if len(unproven) == 0 {
			return trial, nil
		}
		for _, dir := range unproven {
			left[dir] = true
		}
	}
	return m, nil
}

// unmended are the roots among those that were tried that still fail, or of which
// something is reported now that was not before.
func unmended(before, after *Report, tried map[string]bool) (dirs []string) {
	for _, r := range after.Roots {
		if tried[r.Dir] && r.Verdict == Fails {
			dirs = append(dirs, r.Dir)
		}
	}
	type said struct{ rule, file, message string }
	known := map[said]bool{}
	for _, d := range before.Diagnostics {
		known[said{d.Rule, d.File, d.Message}] = true
	}
	for _, d := range after.Diagnostics {
		if d.Severity < Warning || known[said{d.Rule, d.File, d.Message}] {
			continue
		}
		for _, dir := range d.Roots {
			if tried[dir] {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

func (m *Mended) clone() *Mended {
	c := *m
	c.Before, c.After, c.Steps = maps.Clone(m.Before), maps.Clone(m.After), slices.Clip(m.Steps)
	return &c
}

// choose returns the wanted fixes that can be made together.
func (m *Mended) choose(may func(string) bool, wanted func(Diagnostic, Fix) bool) (steps []MendStep, edits []FileEdit) {
	blocked, taken := map[string]bool{}, map[string][]text.Span{}
	for _, d := range m.Report.Diagnostics {
		at := slices.IndexFunc(d.Fixes, func(f Fix) bool { return wanted(d, f) })
		if at < 0 || len(d.Fixes[at].Edits) == 0 {
			continue
		}
		fix := d.Fixes[at]
		inTheWay := func(e FileEdit) bool {
			if _, known := blocked[e.File]; !known {
				blocked[e.File] = !may(e.File) || m.isConflicted(e.File)
			}
			return blocked[e.File] || overlaps(taken[e.File], e.Span)
		}
		if slices.ContainsFunc(fix.Edits, inTheWay) {
			continue
		}
		for _, e := range fix.Edits {
			taken[e.File] = append(taken[e.File], e.Span)
		}
		edits = append(edits, fix.Edits...)
		steps = append(steps, MendStep{d.File, m.line(d.Place), d.Rule, fix.Title})
	}
	return steps, edits
}

// overlaps tells whether a span is in the way of others; two that touch are taken
// to be.
func overlaps(taken []text.Span, span text.Span) bool {
	return slices.ContainsFunc(taken, func(other text.Span) bool { return other.Start <= span.End && span.Start <= other.End })
}

// isConflicted tells whether git has left a merge for people to finish.
func (m *Mended) isConflicted(path string) bool {
	content, err := m.read(path)
	return err != nil || bytes.HasPrefix(content, conflictMark[1:]) || bytes.Contains(content, conflictMark)
}

var conflictMark = []byte("\n<<<<<<< ")

func (m *Mended) line(p Place) int {
	content, err := m.read(p.File)
	if err != nil {
		return 1
	}
	line, _ := text.NewLines(content).OffsetToLineColumn(p.Span.Start)
	return line
}

func (m *Mended) read(path string) ([]byte, error) {
	f, err := m.Files.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return f.Data, nil
}

// take remembers new contents.
func (m *Mended) take(changed map[string][]byte) error {
	for path, content := range changed {
		if _, known := m.Before[path]; !known {
			before, err := m.read(path)
			if err != nil {
				return err
			}
			m.Before[path] = before
		}
		m.After[path] = content
	}
	return nil
}

// breaks tells whether a root fails that did not before.
func breaks(before, after *Report) bool {
	verdicts := map[string]Verdict{}
	for _, r := range before.Roots {
		verdicts[r.Dir] = r.Verdict
	}
	return slices.ContainsFunc(after.Roots, func(r Root) bool { return r.Verdict == Fails && verdicts[r.Dir] != Fails })
}
