package analysis

import (
	"maps"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Policy is what a configuration says about diagnostics.
type Policy interface {
	// Severity returns what the severity of a rule is in a file; off is true where
	// the rule is not to be reported there, and ok is false where nothing is said.
	Severity(rule, file string) (severity Severity, off, ok bool)
	// Excluded tells whether nothing is to be reported in a file or folder.
	Excluded(path string) bool
}

// Review says how a report is made ready for people.
type Review struct {
	Files  *vfs.Snapshot
	Rules  []*Rule
	Policy Policy // nil for none
	// Readings say in which files comments are looked for that suppress nothing;
	// nil for none.
	Readings *Readings
	// Complete tells of a file whether all that reads it was checked, so that a
	// comment that suppressed nothing is of no use; nil for never.
	Complete func(path string) bool
}

// Apply returns the report without what comments and the policy suppress, with
// the policy's severities, and with the comments that suppress nothing. It comes
// after Merge: a comment is used when it suppresses something of any root. A
// verdict it never changes.
func (r Review) Apply(report *Report) *Report {
	reviewed := &Report{Roots: report.Roots}
	comments := newSuppressor(r.Files, r.Rules)
	keep := func(d Diagnostic) {
		switch d, ok := r.judge(d); {
		case !ok:
		case comments.suppresses(d):
			reviewed.Suppressed++
		default:
			reviewed.Diagnostics = append(reviewed.Diagnostics, d)
		}
	}
	for _, d := range report.Diagnostics {
		keep(d)
	}
	at := slices.IndexFunc(r.Rules, func(rule *Rule) bool { return rule.Name == UnusedSuppression })
	if at < 0 || r.Readings == nil {
		return reviewed
	}
	for _, path := range r.Readings.files() {
		complete := r.Complete != nil && r.Complete(path) && !r.Readings.isUncertain(path)
		for _, d := range comments.unused(path, r.Rules[at].Severity, complete) {
			keep(d)
		}
	}
	sortDiagnostics(reviewed.Diagnostics)
	return reviewed
}

// judge gives a diagnostic the policy's severity; ok is false where it is not to
// be reported.
func (r Review) judge(d Diagnostic) (judged Diagnostic, ok bool) {
	if r.Policy == nil {
		return d, true
	}
	if r.Policy.Excluded(d.File) {
		return d, false
	}
	severity, off, ok := r.Policy.Severity(d.Rule, d.File)
	if ok && !off {
		// Who gives it a severity wants it to count.
		d.Severity, d.NeverFails = severity, false
	}
	return d, !off
}

// Readings collects what the builds of a check looked at: its Add is an
// Options.Built. It is safe for concurrent use.
type Readings struct {
	mutex sync.Mutex
	list  []reading
}

// reading is what the build of a root looked at.
type reading struct {
	reads     *vfs.Reads
	uncertain bool // the root is not known whole
}

// Add takes in a build that is done.
func (r *Readings) Add(_ string, result *build.Result) {
	if result == nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.list = append(r.list, reading{result.Reads, result.Unknown})
}

// files are those that the builds looked at, sorted.
func (r *Readings) files() []string {
	seen := map[string]bool{}
	for _, one := range r.list {
		for _, path := range one.reads.Files() {
			seen[path] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// isUncertain tells whether a root that reads the file is not known whole: what a
// comment suppresses may be in the rest.
func (r *Readings) isUncertain(path string) bool {
	return slices.ContainsFunc(r.list, func(one reading) bool { return one.uncertain && one.reads.Has(path) })
}
