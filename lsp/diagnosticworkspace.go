package lsp

import (
	"context"
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// DiagnosticWorkspace answers workspace/diagnostic: the diagnostics of all files, the
// open ones first, in parts where the client wants that.
func (s *server) DiagnosticWorkspace(ctx context.Context, params *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	w := &workspacePull{server: s, now: s.moment(), token: params.PartialResultToken,
		previous: map[string]protocol.PreviousResultId{}, reported: map[string]string{}}
	jsonrpc2.Async(ctx)
	for _, p := range params.PreviousResultIds {
		if path, ok := w.now.path(p.URI); ok {
			w.previous[path] = p
		}
	}
	report := &protocol.WorkspaceDiagnosticReport{Items: []protocol.WorkspaceDocumentDiagnosticReport{}}
	var failed error
	err := w.now.view.Check(ctx, w.now.openFiles(), func(f *workspace.PartialReport) {
		if w.token == nil && !f.Final {
			return
		}
		items, err := w.items(f)
		switch {
		case err != nil:
		case w.token != nil:
			err = w.stream(ctx, items)
		default:
			report.Items = append(report.Items, items...)
		}
		if failed == nil {
			failed = err
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	s.answered.noteAll(w.reported)
	return report, nil
}

// workspacePull is one request for everything.
type workspacePull struct {
	server   *server
	now      moment
	token    protocol.ProgressToken // nil for all in one
	previous map[string]protocol.PreviousResultId
	reported map[string]string // result ids by path
}

// items reports the files that are settled and were not reported before: in the end
// all that have diagnostics, and those that had.
func (w *workspacePull) items(report *workspace.PartialReport) ([]protocol.WorkspaceDocumentDiagnosticReport, error) {
	results, err := w.server.results(w.now, report, report.Settled)
	if err != nil {
		return nil, err
	}
	files := append(w.now.openFiles(), slices.Sorted(maps.Keys(results))...)
	files = append(files, slices.Sorted(maps.Keys(w.previous))...)
	var items []protocol.WorkspaceDocumentDiagnosticReport
	for _, path := range files {
		result := results[path].orNone()
		before, told := w.reported[path]
		if told && before == result.id || !report.Final && !report.Settled(path) {
			continue
		}
		previous, wasTold := w.previous[path]
		if result.id == noDiagnostics && !wasTold && !told {
			continue
		}
		w.reported[path] = result.id
		items = append(items, w.item(path, result, wasTold && !told && previous.Value == result.id))
	}
	return items, nil
}

func (w *workspacePull) item(path string, result resultOf, unchanged bool) protocol.WorkspaceDocumentDiagnosticReport {
	var version *int32
	if v, open := w.now.versions[path]; open {
		version = &v
	}
	var at uri.URI
	if previous, ok := w.previous[path]; ok {
		at = previous.URI
	} else {
		at = w.server.uri(path)
	}
	if unchanged {
		return &protocol.WorkspaceUnchangedDocumentDiagnosticReport{URI: at, Version: version,
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: "unchanged", ResultID: result.id}}
	}
	return &protocol.WorkspaceFullDocumentDiagnosticReport{URI: at, Version: version,
		FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{Kind: "full", ResultID: new(result.id), Items: result.items}}
}

// stream sends a part of the answer.
func (w *workspacePull) stream(ctx context.Context, items []protocol.WorkspaceDocumentDiagnosticReport) error {
	if len(items) == 0 {
		return nil
	}
	encoded, err := protocol.Marshal(&protocol.WorkspaceDiagnosticReportPartialResult{Items: items})
	if err != nil {
		return err
	}
	return w.server.client.Progress(ctx, &protocol.ProgressParams{Token: w.token, Value: protocol.LSPAny(encoded)})
}

// noteAll remembers what a client was told of all files.
func (a *answered) noteAll(ids map[string]string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.ids == nil {
		a.ids = map[string]string{}
	}
	a.everywhere = true
	maps.Copy(a.ids, ids)
}
