package analysis

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Review says how a report is made ready for people.
type Review struct {
	Files  *vfs.Snapshot
	Rules  []*Rule
	Config *config.Set // nil for none
	// Anyway are folders in which things are reported though the configuration
	// excludes them, since somebody asks for just those.
	Anyway []string
	// Whole are the folders that are checked whole; nil for none.
	Whole []string
	// Readings say in which files comments are looked for that suppress nothing;
	// nil for none.
	Readings *Readings
	// Inclusion, where it is not nil, has what every build included, so that the
	// files can be told that nothing includes.
	Inclusion *Inclusion
	// Complete tells of a file whether all that reads it was checked, so that a
	// comment that suppressed nothing is of no use; nil for never.
	Complete func(path string) bool
}

// Apply returns the report without what comments and the configuration suppress,
// with its severities, and with the comments that suppress nothing. It comes
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
	for _, d := range r.withoutTestData(r.withoutWrongGuesses(report.Diagnostics)) {
		keep(d)
	}
	for _, d := range r.notIncluded() {
		keep(d)
	}
	at := r.ruleAt(UnusedSuppression)
	if at < 0 || r.Readings == nil {
		SortDiagnostics(reviewed.Diagnostics)
		return reviewed
	}
	uncertain := r.Readings.uncertain()
	for _, path := range r.Readings.files() {
		complete := r.Complete != nil && r.Complete(path) && !uncertain.Has(path)
		for _, d := range comments.unused(path, r.Rules[at].Severity, complete) {
			keep(d)
		}
	}
	SortDiagnostics(reviewed.Diagnostics)
	return reviewed
}

func (r Review) ruleAt(name string) int {
	return slices.IndexFunc(r.Rules, func(rule *Rule) bool { return rule.Name == name })
}

// notIncluded returns the files that nothing includes.
func (r Review) notIncluded() []Diagnostic {
	at := r.ruleAt(FileNotIncluded)
	if at < 0 || r.Inclusion == nil || r.Complete == nil {
		return nil
	}
	return r.Inclusion.diagnostics(r.Files, r.Rules[at].Severity, r.Complete)
}

// judge gives a diagnostic the configured severity; ok is false where it is not to
// be reported. What the configuration says of itself it cannot keep quiet.
func (r Review) judge(d Diagnostic) (judged Diagnostic, ok bool) {
	if r.Config == nil || d.Rule == InvalidConfiguration {
		return d, true
	}
	if r.Config.Excluded(d.File) && !slices.ContainsFunc(r.Anyway, func(dir string) bool { return vfs.Below(dir, d.File) }) {
		return d, false
	}
	level := r.Config.Level(d.Rule, d.File)
	if severity, said := ParseSeverity(string(level)); said {
		// Who gives it a severity wants it to count.
		d.Severity, d.NeverFails = severity, false
	}
	if level == "" {
		class := r.classOf(d.Rule)
		if r.Config.ClassIsOff(string(class), d.File) || class == Schema && r.isReportedElsewhere(d.File) {
			return d, false
		}
	}
	return d, level != config.Off
}

// schemaMark is the comment by which a file names its schema to yaml-language-server.
var schemaMark = []byte("# yaml-language-server: $schema=")

// LeavesSchemas tells whether it is left to others to tell of the fields of resources
// in a file.
func (r Review) LeavesSchemas(path string) bool {
	return r.Config != nil && (r.Config.ClassIsOff(string(Schema), path) || r.isReportedElsewhere(path))
}

// isReportedElsewhere tells whether yaml-language-server, too, holds a file against the
// schemas of resources: never a kustomization file.
func (r Review) isReportedElsewhere(path string) bool {
	switch r.Config.Schemas(path) {
	case config.Elsewhere:
		return !slices.Contains(kustomization.FileNames(), filepath.Base(path))
	case config.UnlessMarked:
		f, err := r.Files.ReadFile(path)
		return err == nil && bytes.Contains(f.Data, schemaMark)
	}
	return false
}

func (r Review) classOf(rule string) Class {
	if at := r.ruleAt(rule); at >= 0 {
		return r.Rules[at].Class
	}
	return ""
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
	whole     bool     // comments are looked for in all files
	commented []string // else those in which they are
	uncertain bool     // the root is not known whole
}

// Add takes in a build that is done.
func (r *Readings) Add(_ string, result *builder.Result) {
	if result != nil {
		r.add(reading{reads: result.Reads, whole: true, uncertain: result.Unknown})
	}
}

// AddPart takes in what a build looked at, of which it is known in which files there
// may be comments. Unknown is that of the build's result.
func (r *Readings) AddPart(reads *vfs.Reads, commented []string, unknown bool) {
	r.add(reading{reads: reads, commented: commented, uncertain: unknown})
}

func (r *Readings) add(one reading) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.list = append(r.list, one)
}

// files are those in which comments are looked for, sorted.
func (r *Readings) files() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var whole []*vfs.Reads
	for _, one := range r.list {
		if one.whole {
			whole = append(whole, one.reads)
		}
	}
	seen := vfs.FilesOf(whole...)
	for _, one := range r.list {
		for _, path := range one.commented {
			seen[path] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// uncertain is what the roots looked at that are not known whole: what a comment
// suppresses may be in the rest.
func (r *Readings) uncertain() vfs.Union {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var uncertain []*vfs.Reads
	for _, one := range r.list {
		if one.uncertain {
			uncertain = append(uncertain, one.reads)
		}
	}
	return vfs.Together(uncertain...)
}
