package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// stream prints the findings of a check that goes on, in the order in which all of them
// are printed at its end: the files come by name, so that those of a file can be
// printed once nothing that is still to be checked can look at it or at one before it.
// What it does not get to is printed at the end.
type stream struct {
	run     *checkRun
	files   *vfs.Snapshot
	configs *config.Set
	running analysis.Running
	review  analysis.Review
	// quiet keeps the line of progress away while something is printed.
	quiet func(print func() error) error

	ended chan struct{}
	wait  sync.WaitGroup

	mutex sync.Mutex
	reach map[string][]string // of the targets, once it was wanted
	err   error
}

// firstStream is how long a check may take before its findings are looked through for
// the first time, which takes about a tenth of the time that it took up to then, and
// streamShare which part of the time that follows may go into that.
const (
	firstStream = 2 * time.Second
	streamShare = 20
)

// start begins to print.
func (s *stream) start() {
	s.ended = make(chan struct{})
	if s.run.eager {
		s.running.Changed = s.print
		return
	}
	s.wait.Go(func() {
		for wait := firstStream; ; {
			select {
			case <-s.ended:
				return
			case <-time.After(wait):
			}
			began := time.Now()
			s.print()
			wait = max(firstStream, streamShare*time.Since(began))
		}
	})
}

// end ends the printing, if it was started, and returns the error of it.
func (s *stream) end() error {
	if s.ended != nil {
		close(s.ended)
		s.wait.Wait()
	}
	return s.err
}

// print prints what is certain by now.
func (s *stream) print() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found, open := s.running.Found()
	found = s.review.Apply(found)
	s.run.hide(found)
	rest, ok := s.openFolders(found, open)
	if !ok || s.err != nil {
		return
	}
	certain := found.Diagnostics
	if at := slices.IndexFunc(certain, func(d analysis.Diagnostic) bool { return !isCertain(d, rest) }); at >= 0 {
		certain = certain[:at]
	}
	var b bytes.Buffer
	s.run.view.writeDiagnostics(&b, certain)
	if b.Len() > 0 {
		s.err = s.quiet(func() error {
			_, err := s.run.std.out.Write(b.Bytes())
			return err
		})
	}
}

// openFolders returns the folders of the files that targets which are still to be
// checked can look at, sorted; not ok where that can be any.
func (s *stream) openFolders(found *analysis.Report, open []string) (folders []string, ok bool) {
	if s.reach == nil {
		s.reach = s.reaches()
	}
	correct := s.correctConfigs(found)
	for _, dir := range open {
		reach := s.reach[dir]
		if reach == nil {
			return nil, false
		}
		folders = append(folders, reach...)
		if at := s.configs.For(dir).Dir; !correct[at] {
			folders = append(folders, at) // its mistakes are told with those of the root
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders), true
}

func (s *stream) reaches() map[string][]string {
	var dirs []string
	for _, t := range s.run.targets {
		dirs = append(dirs, t.Dir)
	}
	reach := map[string][]string{}
	for i, folders := range affected.Reach(s.files, dirs) {
		reach[dirs[i]] = folders
	}
	return reach
}

// correctConfigs returns the folders of the configurations that have no mistake: a root
// for which each of them counts is checked.
func (s *stream) correctConfigs(found *analysis.Report) map[string]bool {
	correct := map[string]bool{}
	for _, r := range found.Roots {
		if r.Verdict != analysis.IsComponent {
			correct[s.configs.For(r.Dir).Dir] = true
		}
	}
	for _, d := range found.Diagnostics {
		if d.Rule == analysis.InvalidConfiguration {
			delete(correct, filepath.Dir(d.File))
		}
	}
	return correct
}

// isCertain tells whether a finding stays as it is, and none comes before it, whatever
// is found in the open folders, which are sorted. A file that nothing includes may yet
// be in the folder of something that is not known whole.
func isCertain(d analysis.Diagnostic, open []string) bool {
	if len(open) == 0 {
		return true
	}
	if d.File >= open[0] {
		return false
	}
	if d.Rule != analysis.FileNotIncluded {
		return true
	}
	return len(d.Roots) > 0 && !slices.ContainsFunc(open, func(dir string) bool { return vfs.Below(d.Roots[0], dir) })
}
