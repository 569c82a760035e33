package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

type pullAbilities struct {
	// pulls: the client asks for diagnostics, and can be told to ask again. One that
	// cannot would not learn what an edit does to other files: it is sent them.
	pulls            bool
	relatedDocuments bool
}

var pullFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if d := c.TextDocument.Diagnostic; d != nil {
			a.pulls = c.Workspace.Diagnostics != nil && isTrue(c.Workspace.Diagnostics.RefreshSupport)
			a.relatedDocuments = isTrue(d.RelatedDocumentSupport)
			a.learnParts(d.DiagnosticsCapabilities)
		}
	},
	offer: func(a *abilities, c *protocol.ServerCapabilities) {
		if a.pulls {
			c.DiagnosticProvider = &protocol.DiagnosticOptions{Identifier: new("kls"), InterFileDependencies: true, WorkspaceDiagnostics: true}
		}
	},
}

func (s *server) pullsDiagnostics() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.pulls
}

// answered is what clients that pull were told last: a result id by path, and
// whether they asked for everything.
type answered struct {
	mutex      sync.Mutex
	ids        map[string]string
	everywhere bool
}

func (a *answered) note(path, id string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.ids == nil {
		a.ids = map[string]string{}
	}
	a.ids[path] = id
}

// resultOf are the diagnostics of a file as a client gets them, with an id that
// stands for them.
type resultOf struct {
	id    string
	items []protocol.Diagnostic
}

// noDiagnostics is the id of none.
const noDiagnostics = "none"

func newResult(items []protocol.Diagnostic) (resultOf, error) {
	if len(items) == 0 {
		return resultOf{noDiagnostics, []protocol.Diagnostic{}}, nil
	}
	encoded, err := protocol.Marshal(items)
	if err != nil {
		return resultOf{}, err
	}
	sum := sha256.Sum256(encoded)
	return resultOf{hex.EncodeToString(sum[:12]), items}, nil
}

// results converts what was found in those files that are wanted, by path; files
// without diagnostics are left out.
func (s *server) results(now moment, report *workspace.PartialReport, wanted func(path string) bool) (map[string]resultOf, error) {
	convert := s.newConverter(now.view)
	found := map[string]resultOf{}
	for path, list := range groupByFile(report.Diagnostics) {
		if !wanted(path) {
			continue
		}
		result, err := newResult(convert.diagnostics(list))
		if err != nil {
			return nil, err
		}
		found[path] = result
	}
	return found, nil
}

func (r resultOf) orNone() resultOf {
	if r.id == "" {
		return resultOf{noDiagnostics, []protocol.Diagnostic{}}
	}
	return r
}

// pullPatience is how long a client that asks for the diagnostics of a file waits for
// the roots; then it gets a draft, and is told when there is more.
const pullPatience = 150 * time.Millisecond

// Diagnostic answers textDocument/diagnostic.
func (s *server) Diagnostic(ctx context.Context, params *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	now := s.moment()
	jsonrpc2.Async(ctx)
	_, isAlone := now.untitled[params.TextDocument.URI]
	now, path, ok := now.at(params.TextDocument.URI)
	if isAlone || !ok {
		items := []protocol.Diagnostic{}
		if isAlone {
			items = s.newConverter(now.view).diagnostics(now.view.Alone(path))
		}
		return &protocol.RelatedFullDocumentDiagnosticReport{
			FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{Kind: "full", Items: items}}, nil
	}
	report, err := s.checkFile(ctx, now, path)
	if err != nil {
		return nil, err
	}
	results, err := s.results(now, report, func(other string) bool { return other == path || s.relatedDocuments && report.Related(other) })
	if err != nil {
		return nil, err
	}
	own := results[path].orNone()
	s.answered.note(path, own.id)
	related := map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport{}
	if s.relatedDocuments && report.Final {
		for other, result := range s.answered.others(path, results, groupByFile(report.Diagnostics)) {
			related[s.uri(other)] = &protocol.FullDocumentDiagnosticReport{Kind: "full", ResultID: new(result.id), Items: result.items}
		}
	}
	if params.PreviousResultID != nil && *params.PreviousResultID == own.id {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{RelatedDocuments: related,
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: "unchanged", ResultID: own.id}}, nil
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{RelatedDocuments: related,
		FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{Kind: "full", ResultID: new(own.id), Items: own.items}}, nil
}

// checkFile returns the report once those roots are checked that look at the file;
// where that takes long, a draft.
func (s *server) checkFile(ctx context.Context, now moment, path string) (*workspace.PartialReport, error) {
	type outcome struct {
		report *workspace.PartialReport
		err    error
	}
	done := make(chan outcome, 1)
	s.background(func(context.Context) {
		o := outcome{err: errors.New("kls crashed during the check; this is a bug in kls, and the server's log has the stack")}
		defer func() { done <- o }()
		o.report, o.err = now.view.CheckFile(ctx, path)
	})
	wait := func() (*workspace.PartialReport, error) {
		select {
		case o := <-done:
			return o.report, o.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	select {
	case o := <-done:
		return o.report, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.options.After(pullPatience):
	}
	if !slices.Contains(now.small(), path) {
		return wait()
	}
	if draft, err := now.view.Draft(ctx, []string{path}); err == nil && draft != nil {
		return draft, nil
	}
	return wait()
}

// refreshDiagnostics tells a client that pulls to ask again, where what it was told
// is not what is so.
func (s *server) refreshDiagnostics(ctx context.Context, now moment, report *workspace.PartialReport) {
	if !s.pullsDiagnostics() || !s.isCurrent(now) {
		return
	}
	results, err := s.results(now, report, func(string) bool { return true })
	if err != nil {
		s.log("diagnostics: %v", err)
		return
	}
	if s.answered.areUpToDate(results) {
		return
	}
	if err := s.client.DiagnosticRefresh(ctx); err != nil && ctx.Err() == nil {
		s.log("workspace/diagnostic/refresh: %v", err)
	}
}

// others returns the results of other files that are not what the client was told
// last, and remembers them: those given, and none for files that had some and are not
// among those that have.
func (a *answered) others(path string, results map[string]resultOf, have map[string][]analysis.Diagnostic) map[string]resultOf {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	others := map[string]resultOf{}
	for other, result := range results {
		if other != path && a.ids[other] != result.id {
			others[other] = result
		}
	}
	for other, id := range a.ids {
		if other != path && id != noDiagnostics && len(have[other]) == 0 {
			others[other] = resultOf{}.orNone()
		}
	}
	for other, result := range others {
		a.ids[other] = result.id
	}
	return others
}

func (a *answered) areUpToDate(results map[string]resultOf) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for path, id := range a.ids {
		if results[path].orNone().id != id {
			return false
		}
	}
	for path, result := range results {
		if _, told := a.ids[path]; a.everywhere && !told && result.id != noDiagnostics {
			return false
		}
	}
	return true
}
