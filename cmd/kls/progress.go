package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// quietTime is how long a check may take before it tells how far it is.
const quietTime = 2 * time.Second

// progress is a line on a terminal that tells how many roots are checked. Where
// there is no terminal it does nothing.
type progress struct {
	out   io.Writer
	total int
	done  atomic.Int64
	mutex sync.Mutex // of what is written

	ended chan struct{}
	wait  sync.WaitGroup
}

func newProgress(out io.Writer, total int) *progress {
	p := &progress{out: out, total: total, ended: make(chan struct{})}
	if isTerminal(out) {
		p.wait.Go(p.show)
	}
	return p
}

// add counts a root. It may be called from several goroutines.
func (p *progress) add() { p.done.Add(1) }

// stop takes the line away.
func (p *progress) stop() {
	close(p.ended)
	p.wait.Wait()
}

func (p *progress) show() {
	select {
	case <-p.ended:
		return
	case <-time.After(quietTime):
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		p.mutex.Lock()
		fmt.Fprintf(p.out, "\r\x1b[K%d of %d kustomizations checked", p.done.Load(), p.total)
		p.mutex.Unlock()
		select {
		case <-p.ended:
			fmt.Fprint(p.out, "\r\x1b[K")
			return
		case <-tick.C:
		}
	}
}
