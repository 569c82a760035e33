package main

import (
	"bytes"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/affected"
)

// stream prints the diagnostics of a check that goes on as soon as they are final, see
// affected.Check. What it does not get to is printed at the end.
type stream struct {
	run     *checkRun
	check   affected.Check
	running analysis.Running
	review  analysis.Review
	// quiet keeps the line of progress away while something is printed.
	quiet func(print func() error) error

	ended chan struct{}
	wait  sync.WaitGroup

	mutex sync.Mutex
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
	if s.err != nil {
		return
	}
	var b bytes.Buffer
	s.run.view.writeDiagnostics(&b, s.check.Final(found, open))
	if b.Len() > 0 {
		s.err = s.quiet(func() error {
			_, err := s.run.std.out.Write(b.Bytes())
			return err
		})
	}
}
