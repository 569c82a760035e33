package lsp

import (
	"bytes"
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
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
			a.learnParts(p.DiagnosticsCapabilities)
		}
	},
}

func (a *publishAbilities) learnParts(c protocol.DiagnosticsCapabilities) {
	a.relatedInformation = a.relatedInformation || isTrue(c.RelatedInformation)
	a.codeDescription = a.codeDescription || isTrue(c.CodeDescriptionSupport)
	if len(c.TagSupport.ValueSet) > 0 {
		a.tags = c.TagSupport.ValueSet
	}
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
	// took is how long the last check took until the open files were done.
	took     time.Duration
	verdicts []byte // the last kls/verdicts
	// untitled is what the client was told of documents that are in no file, encoded.
	untitled map[uri.URI][]byte
}

// publication is what the client was told of a file, under a name: it may open the file
// by way of a link.
type publication struct {
	uri      uri.URI
	version  int32
	open     bool
	messages []byte // the diagnostics, encoded
}

func newPublisher(s *server) *publisher {
	return &publisher{server: s, changed: make(chan struct{}, 1), ready: make(chan struct{}), published: map[string]publication{}, untitled: map[uri.URI][]byte{},
		took: maxDebounce}
}

// begin lets the first check begin.
func (p *publisher) begin() { p.readyOnce.Do(func() { close(p.ready) }) }

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

const (
	// minDebounce is how long nothing may change before something is done, maxDebounce
	// before roots are built that take long. A check ends at the next change, so that
	// it is begun early costs little, and people see a difference of 50 ms.
	minDebounce = 5 * time.Millisecond
	maxDebounce = 10 * time.Millisecond
)

// debounce returns how long to wait for the next change: what the user says, else
// less the faster checks are.
func (p *publisher) debounce() time.Duration {
	s := p.server
	if s.options.Debounce != 0 {
		return s.options.Debounce
	}
	s.mutex.Lock()
	said, ok := settingsFor(s.settings, "").debounce()
	s.mutex.Unlock()
	if ok {
		return said
	}
	return min(max(p.took/4, minDebounce), maxDebounce)
}

// settle waits until nothing has changed for a while. Where that is long, drafts are
// told of meanwhile. False means that the server ends.
func (p *publisher) settle(ctx context.Context) bool {
	after := p.server.options.After
	for {
		whole := p.debounce()
		first := min(whole, minDebounce)
		select {
		case <-ctx.Done():
			return false
		case <-p.changed:
			continue
		case <-after(first):
		}
		if whole == first {
			return true
		}
		p.draft(ctx)
		select {
		case <-ctx.Done():
			return false
		case <-p.changed:
		case <-after(whole - first):
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

// maxDrafted is how many bytes a file may have to be looked at before all others.
const maxDrafted = 1 << 20

// draft tells of the mistakes that open files have by themselves.
func (p *publisher) draft(ctx context.Context) {
	s := p.server
	if s.pullsDiagnostics() {
		return // drafts are for who asks, see Diagnostic
	}
	defer func() {
		if reason := recover(); reason != nil {
			s.logStack("the draft", reason, debug.Stack())
		}
	}()
	now := s.moment()
	report, err := now.view.Draft(ctx, now.small())
	if err != nil || report == nil {
		return
	}
	p.publish(ctx, now, report, true)
}

func (p *publisher) check(ctx context.Context) {
	s := p.server
	defer func() {
		if reason := recover(); reason != nil {
			s.logStack("the check", reason, debug.Stack())
		}
	}()
	if !s.pullsDiagnostics() {
		p.publishUntitled(ctx)
	}
	now := s.moment()
	ended := s.showProgress(ctx, now.view)
	defer ended()
	started := time.Now()
	var took time.Duration
	err := now.view.Check(ctx, now.openFiles(), func(f *workspace.PartialReport) {
		if took == 0 {
			took = time.Since(started)
		}
		if !s.pullsDiagnostics() {
			p.publish(ctx, now, f, false)
		}
		if f.Final {
			s.publishVerdicts(ctx, now.view, f.Report)
			s.refreshDiagnostics(ctx, now, f)
		}
	})
	ended()
	if err != nil {
		if ctx.Err() == nil {
			s.log("check: %v", err)
		}
		return
	}
	p.took = took
	s.refresh(ctx, now.view)
}

// isCurrent tells whether nothing has changed since.
func (s *server) isCurrent(m moment) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.view == m.view && len(s.stale) == 0
}

// publish tells the client of every file in which something is not as it was told
// last, the open ones first. Of a draft only what is new is worth telling.
func (p *publisher) publish(ctx context.Context, now moment, report *workspace.PartialReport, draft bool) {
	byFile := groupByFile(report.Diagnostics)
	files := append(now.openFiles(), slices.Sorted(maps.Keys(byFile))...)
	files = append(files, slices.Sorted(maps.Keys(p.published))...)
	convert := p.server.newConverter(now.view)
	seen := map[string]bool{}
	for _, file := range files {
		if seen[file] || !report.Settled(file) {
			continue
		}
		seen[file] = true
		if ctx.Err() != nil || !p.server.isCurrent(now) {
			return // there is a newer view
		}
		p.publishFile(ctx, now, convert.diagnostics(byFile[file]), file, draft)
	}
}

func groupByFile(diagnostics []analysis.Diagnostic) map[string][]analysis.Diagnostic {
	grouped := map[string][]analysis.Diagnostic{}
	for _, d := range diagnostics {
		grouped[d.File] = append(grouped[d.File], d)
	}
	return grouped
}

func (p *publisher) publishFile(ctx context.Context, now moment, diagnostics []protocol.Diagnostic, file string, draft bool) {
	params := &protocol.PublishDiagnosticsParams{URI: p.server.uri(file), Diagnostics: diagnostics}
	told := publication{uri: params.URI}
	if told.version, told.open = now.versions[file]; told.open {
		params.Version = protocol.NewOptional(told.version)
	}
	var err error
	if told.messages, err = protocol.Marshal(diagnostics); err != nil {
		p.server.log("diagnostics of %s: %v", file, err)
		return
	}
	nothing := len(diagnostics) == 0 && !told.open
	before, known := p.published[file]
	if known && before.uri != told.uri {
		p.clear(ctx, before.uri)
		known = false
	}
	switch {
	case known && before.same(told), !known && nothing:
		return
	case draft && known && bytes.Equal(before.messages, told.messages):
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

// clear takes back what the client was told under another name of a file.
func (p *publisher) clear(ctx context.Context, u uri.URI) {
	err := p.server.client.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: []protocol.Diagnostic{}})
	p.server.logFailure("publishing diagnostics", err, ctx)
}

func (p publication) same(other publication) bool {
	return p.version == other.version && p.open == other.open && bytes.Equal(p.messages, other.messages)
}
