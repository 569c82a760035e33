package workspace

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
)

type lockedLog struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(b)
}

func (l *lockedLog) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// TestPanicIsLogged has builds that break down, asked for by those who are gone at once:
// what nobody is told of is in the log, with where it was.
func TestPanicIsLogged(t *testing.T) {
	log := &lockedLog{}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 300 { // whether a build begins at all is a matter of luck
		r := newRoot(analysis.Target{Dir: "/broken"}, nil) // no session to build it in
		func() {
			defer func() { _ = recover() }() // it came to the one who asked
			_, _ = r.check(gone, analysis.Options{Log: log}, &cache{})
		}()
	}
	for begun := time.Now(); !strings.Contains(log.String(), "/broken: ") || !strings.Contains(log.String(), "root.go"); time.Sleep(time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			t.Fatalf("the log says %q", log.String())
		}
	}
}
