package lsp

import (
	"bytes"
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

// publishAbilities are which parts of a diagnostic the client understands.
type publishAbilities struct {
	relatedInformation bool
	codeDescription    bool
	tags               []protocol.DiagnosticTag
}

var publishFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if p := c.TextDocument.PublishDiagnostics; p != nil {
			a.relatedInformation = isTrue(p.RelatedInformation)
			a.codeDescription = isTrue(p.CodeDescriptionSupport)
			a.tags = p.TagSupport.ValueSet
		}
	},
}

// publisher checks the view some time after it changed, and tells the client what
// is wrong in each file. One goroutine runs it.
type publisher struct {
	server  *server
	changed chan struct{}
	// ready is closed once the settings are known.
	ready     chan struct{}
	readyOnce sync.Once
	// published is what the client was told last, by path; files without
	// diagnostics are left out.
	published map[string]publication
}

// publication is what the client was told of a file.
type publication struct {
	version  int32
	open     bool
	messages []byte // the diagnostics, encoded
}

func newPublisher(s *server) *publisher {
	return &publisher{server: s, changed: make(chan struct{}, 1), ready: make(chan struct{}), published: map[string]publication{}}
}

// begin lets the first check begin.
func (p *publisher) begin() {
	p.readyOnce.Do(func() { close(p.ready) })
	p.wake()
}

// wake has the view checked.
func (p *publisher) wake() {
	select {
	case p.changed <- struct{}{}:
	default: // it is to be checked already
	}
}

func (p *publisher) run(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-p.ready:
	}
	for ctx.Err() == nil {
		if p.settle(ctx) {
			p.checkUntilChange(ctx)
		}
	}
}

// settle waits until nothing has changed for a while; false means that the server ends.
func (p *publisher) settle(ctx context.Context) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-p.changed:
		case <-p.server.options.After(p.server.options.Debounce):
			return true
		}
	}
}

// checkUntilChange checks the view, and gives up as soon as there is a newer one.
// It returns when there is.
func (p *publisher) checkUntilChange(ctx context.Context) {
	checking, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.check(checking)
	}()
	select {
	case <-ctx.Done():
	case <-p.changed:
	}
	cancel()
	<-done
}

func (p *publisher) check(ctx context.Context) {
	s := p.server
	defer func() {
		if reason := recover(); reason != nil {
			s.logStack("the check", reason, debug.Stack())
		}
	}()
	now := s.moment()
	err := now.view.Check(ctx, now.openFiles(), func(f *ide.Findings) { p.publish(ctx, now, f) })
	if err != nil && ctx.Err() == nil {
		s.log("check: %v", err)
	}
	if err == nil {
		s.refreshVirtual(ctx, now.view)
	}
}

// moment is a view with the versions of the files that are open in it.
type moment struct {
	view     *ide.View
	versions map[string]int32 // by path
}

func (s *server) moment() moment {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.momentNow()
}

// momentNow is moment for a caller that holds the mutex.
func (s *server) momentNow() moment {
	m := moment{s.view, map[string]int32{}}
	for path, d := range s.documents {
		m.versions[path] = d.version
	}
	return m
}

func (m moment) openFiles() []string { return slices.Sorted(maps.Keys(m.versions)) }

// isCurrent tells whether nothing has changed since.
func (s *server) isCurrent(m moment) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.view == m.view
}

// publish tells the client of every file in which something is not as it was told
// last, the open ones first.
func (p *publisher) publish(ctx context.Context, now moment, findings *ide.Findings) {
	byFile := map[string][]analysis.Diagnostic{}
	for _, d := range findings.Diagnostics {
		byFile[d.File] = append(byFile[d.File], d)
	}
	files := append(now.openFiles(), slices.Sorted(maps.Keys(byFile))...)
	files = append(files, slices.Sorted(maps.Keys(p.published))...)
	convert := p.server.newConverter(now.view)
	seen := map[string]bool{}
	for _, file := range files {
		if seen[file] || !findings.Settled(file) {
			continue
		}
		seen[file] = true
		if ctx.Err() != nil || !p.server.isCurrent(now) {
			return // there is a newer view
		}
		p.publishFile(ctx, now, convert, file, byFile[file])
	}
}

func (p *publisher) publishFile(ctx context.Context, now moment, convert *converter, file string, diagnostics []analysis.Diagnostic) {
	converted := make([]protocol.Diagnostic, len(diagnostics))
	for i, d := range diagnostics {
		converted[i] = convert.fromDiagnostic(d)
	}
	params := &protocol.PublishDiagnosticsParams{URI: p.server.uri(file), Diagnostics: converted}
	told := publication{}
	if told.version, told.open = now.versions[file]; told.open {
		params.Version = protocol.NewOptional(told.version)
	}
	var err error
	if told.messages, err = protocol.Marshal(converted); err != nil {
		p.server.log("diagnostics of %s: %v", file, err)
		return
	}
	nothing := len(converted) == 0 && !told.open
	if before, known := p.published[file]; known && before.same(told) || !known && nothing {
		return
	}
	if err := p.server.client.PublishDiagnostics(ctx, params); err != nil {
		if ctx.Err() == nil {
			p.server.log("publishing diagnostics: %v", err)
		}
		return
	}
	p.published[file] = told
	if nothing {
		delete(p.published, file)
	}
}

func (p publication) same(other publication) bool {
	return p.version == other.version && p.open == other.open && bytes.Equal(p.messages, other.messages)
}
