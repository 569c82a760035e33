// Package analysis turns what builds found into diagnostics: it discovers the
// kustomizations of a tree, builds them all, and reports every mistake once, at
// its place in a file, with the roots that it concerns. It decides nothing about
// kustomize: what a build does, and whether it fails, the engine says. It knows
// neither a protocol nor an output format.
package analysis

import (
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Severity says how bad a diagnostic is. The greater one is the worse.
type Severity int

const (
	// Hint is a remark that asks for nothing.
	Hint Severity = iota + 1
	// Info is style and migration.
	Info
	// Warning is for what renders and is very likely not what was meant.
	Warning
	// Error is for what makes the build fail.
	Error
)

// String returns the severity as it is written in output and configuration.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	}
	return "hint"
}

// ParseSeverity is the inverse of String.
func ParseSeverity(name string) (Severity, bool) {
	for s := Hint; s <= Error; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// Place is some bytes of a file on disk.
type Place struct {
	// File is an absolute path; empty where no file is known.
	File string
	// Span is in bytes of the file, within one line where the thing it shows
	// takes several: the first of them.
	Span text.Span
}

// Diagnostic is one mistake.
type Diagnostic struct {
	Rule     string
	Severity Severity
	// NeverFails is true for what does not count for Worst: it says that something
	// is not known.
	NeverFails bool
	// Mendable is true for what a kustomization that includes the root can mend.
	Mendable bool
	// Shared is the folder of the kustomization that has the mistake, where it is one
	// only if all roots that include that kustomization have it; else empty.
	Shared string
	// Guess says what holds only if the value Guessed is a typing mistake; see Review.
	Guess   builder.Guess
	Guessed string
	Place
	Message string
	// Also are what the same rule says of other resources at the same place.
	Also []string
	// Help says what to do about it; may be empty.
	Help    string
	Related []Related
	Fixes   []Fix
	// Roots are the folders of the roots that it concerns: absolute, sorted. It
	// is empty for a mistake of a component that no root here includes.
	Roots []string
	// Deployments are the IDs of the deployments that get what it concerns, sorted.
	Deployments []string
}

// Related is another place that explains a diagnostic.
type Related struct {
	Place
	Message string
}

// Fix is a change of files that mends a diagnostic.
type Fix struct {
	Title string
	// Safe fixes can be applied without a look at them.
	Safe  bool
	Edits []FileEdit
}

// Provable tells whether the one fix of a diagnostic can be proven by building: nothing
// is rendered without it.
func (d Diagnostic) Provable() bool {
	return d.Severity == Error && len(d.Fixes) == 1 && len(d.Roots) > 0
}

// FileEdit replaces the bytes of a place.
type FileEdit struct {
	Place
	New string
}

// Verdict says what becomes of a root, and nothing else does.
type Verdict string

const (
	// Builds: kustomize renders it.
	Builds Verdict = "builds"
	// Fails: kustomize refuses it.
	Fails Verdict = "fails"
	// Unknown: it needs what is switched off, and nothing certain fails.
	Unknown Verdict = "unknown"
	// IsComponent: it is no root and is checked in those that include it.
	IsComponent Verdict = "component"
)

// Decides tells whether a root of the diagnostic has a verdict because of it.
func (d *Diagnostic) Decides(verdict Verdict) bool {
	switch verdict {
	case Fails:
		return d.Severity == Error
	case Unknown:
		return d.Rule == string(problem.RemoteNotLoaded) || d.Rule == string(problem.ExternalNotRun)
	}
	return false
}

// Root is a folder with a kustomization file, and its verdict.
type Root struct {
	// Dir is an absolute path.
	Dir     string
	Verdict Verdict
	// Beyond is true where the root uses what only kls has: then kls builds it
	// and kustomize refuses it.
	Beyond bool

	// Layer is the folder as the build knows it, without symbolic links, and
	// Includes are those of the kustomizations that it includes; both are empty
	// where nothing was built.
	Layer    string
	Includes []string
	// File is the kustomization file; empty where nothing was built.
	File string
}

// Report is what a check found.
type Report struct {
	// Roots are sorted by folder.
	Roots []Root
	// Diagnostics are sorted by file and position.
	Diagnostics []Diagnostic
	// Suppressed is how many diagnostics a Review found suppressed by comments.
	Suppressed int
}

// Worst returns the greatest severity among the diagnostics that count, 0 where
// there are none.
func (r *Report) Worst() Severity {
	worst := Severity(0)
	for _, d := range r.Diagnostics {
		if !d.NeverFails {
			worst = max(worst, d.Severity)
		}
	}
	return worst
}
