package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// requests are what a client may send by each capability, with the fields of the
// parameters besides document and position. Capabilities without requests of their
// own have none.
var requests = map[string][]struct{ method, more string }{
	"callHierarchyProvider":           {{protocol.MethodTextDocumentPrepareCallHierarchy, ``}, {protocol.MethodCallHierarchyIncomingCalls, `"item": ITEM`}, {protocol.MethodCallHierarchyOutgoingCalls, `"item": ITEM`}},
	"codeActionProvider":              {{protocol.MethodTextDocumentCodeAction, `"range": RANGE, "context": {"diagnostics": []}`}},
	"codeLensProvider":                {{protocol.MethodTextDocumentCodeLens, ``}},
	"completionProvider":              {{protocol.MethodTextDocumentCompletion, ``}},
	"declarationProvider":             {{protocol.MethodTextDocumentDeclaration, ``}},
	"definitionProvider":              {{protocol.MethodTextDocumentDefinition, ``}},
	"diagnosticProvider":              {{protocol.MethodTextDocumentDiagnostic, ``}, {protocol.MethodWorkspaceDiagnostic, `"previousResultIds": []`}},
	"documentFormattingProvider":      {{protocol.MethodTextDocumentFormatting, `"options": {"tabSize": 2, "insertSpaces": true}`}},
	"documentHighlightProvider":       {{protocol.MethodTextDocumentDocumentHighlight, ``}},
	"documentLinkProvider":            {{protocol.MethodTextDocumentDocumentLink, ``}},
	"documentSymbolProvider":          {{protocol.MethodTextDocumentDocumentSymbol, ``}},
	"executeCommandProvider":          {{protocol.MethodWorkspaceExecuteCommand, `"command": "kls.preview", "arguments": [{"uri": URI}]`}, {protocol.MethodWorkspaceExecuteCommand, `"command": "kls.previewDiff", "arguments": [{"uri": URI, "against": "base"}]`}, {protocol.MethodWorkspaceExecuteCommand, `"command": "kls.graph", "arguments": [{"uri": URI}]`}, {protocol.MethodWorkspaceExecuteCommand, `"command": "kls.verdicts", "arguments": [{"uri": URI}]`}, {protocol.MethodWorkspaceExecuteCommand, `"command": "kls.explain", "arguments": [{"uri": URI, "position": {"line": 5, "character": 11}}]`}},
	"foldingRangeProvider":            {{protocol.MethodTextDocumentFoldingRange, ``}},
	"hoverProvider":                   {{protocol.MethodTextDocumentHover, ``}},
	"implementationProvider":          {{protocol.MethodTextDocumentImplementation, ``}},
	"inlayHintProvider":               {{protocol.MethodTextDocumentInlayHint, `"range": RANGE`}},
	"linkedEditingRangeProvider":      {{protocol.MethodTextDocumentLinkedEditingRange, ``}},
	"referencesProvider":              {{protocol.MethodTextDocumentReferences, `"context": {"includeDeclaration": true}`}},
	"renameProvider":                  {{protocol.MethodTextDocumentPrepareRename, ``}, {protocol.MethodTextDocumentRename, `"newName": "other"`}},
	"selectionRangeProvider":          {{protocol.MethodTextDocumentSelectionRange, `"positions": [{"line": 5, "character": 11}]`}},
	"semanticTokensProvider":          {{protocol.MethodTextDocumentSemanticTokensFull, ``}, {protocol.MethodTextDocumentSemanticTokensFullDelta, `"previousResultId": "0"`}, {protocol.MethodTextDocumentSemanticTokensRange, `"range": RANGE`}},
	"workspaceSymbolProvider":         {{protocol.MethodWorkspaceSymbol, `"query": "web"`}},
	"workspace":                       {{protocol.MethodWorkspaceTextDocumentContent, `"uri": "kls:/tree/overlay/preview.yaml"`}, {protocol.MethodWorkspaceWillRenameFiles, `"files": [{"oldUri": URI, "newUri": "file:///tree/overlay/other.yaml"}]`}},
	"textDocumentSync":                nil,
	"positionEncoding":                nil,
	"documentRangeFormattingProvider": {{protocol.MethodTextDocumentRangeFormatting, `"range": RANGE, "options": {"tabSize": 2, "insertSpaces": true}`}},
	"experimental":                    nil,
}

// TestCancelEverything sends each request that the server offers while the disk is
// stuck, and cancels it: it is answered all the same. A capability that is not in the
// table fails the test.
func TestCancelEverything(t *testing.T) {
	slow := newSlowSource(shop)
	e := open(t, setup{source: slow, tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
		pulling(c)
		c.Workspace.TextDocumentContent = &protocol.TextDocumentContentClientCapabilities{}
	}})
	<-slow.asked
	e.open("overlay/kustomization.yaml")
	encoded, err := protocol.Marshal(e.result.Capabilities)
	e.must(err)
	var offered map[string]json.RawMessage
	e.must(json.Unmarshal(encoded, &offered))
	number, waited := 1, 0 // initialize was the first request
	for _, capability := range slices.Sorted(maps.Keys(offered)) {
		list, known := requests[capability]
		if !known {
			t.Errorf("%s is not tried", capability)
		}
		for _, request := range list {
			number++
			if e.isCancelled(request.method, request.more, number) {
				waited++
			}
		}
	}
	if waited < 5 {
		t.Errorf("only %d requests had to wait: the disk is not stuck", waited)
	}
	close(slow.release)
	if lines, _, _ := e.pull("overlay/kustomization.yaml", ""); !slices.Equal(lines, []string{"5:10 warning patch-no-target"}) {
		t.Errorf("afterwards, pulled are %v", lines)
	}
	e.quit()
}

// parameters are those of a request about a place in a file, with more fields.
func (e *editor) parameters(name, more string) json.RawMessage {
	params := fmt.Sprintf(`{"textDocument": {"uri": URI}, "position": {"line": 5, "character": 11}%s}`, strings.TrimSuffix(", "+more, ", "))
	if strings.HasPrefix(more, `"uri"`) || strings.Contains(more, "ITEM") {
		params = "{" + more + "}"
	}
	const place = `{"start": {"line": 5, "character": 10}, "end": {"line": 5, "character": 12}}`
	params = strings.NewReplacer("ITEM", `{"name": "overlay", "kind": 2, "uri": URI, "range": RANGE, "selectionRange": RANGE}`).Replace(params)
	return json.RawMessage(strings.NewReplacer("URI", `"`+string(e.uri(name))+`"`, "RANGE", place).Replace(params))
}

// isCancelled sends a request, and cancels it, over and over, since it may not be on
// its way yet. It tells whether the answer was that it is cancelled.
func (e *editor) isCancelled(method, more string, number int) bool {
	e.t.Helper()
	params := e.parameters("overlay/kustomization.yaml", more)
	answered := make(chan error, 1)
	go func() {
		var result json.RawMessage
		_, err := e.conn.Call(context.Background(), method, params, &result)
		answered <- err
	}()
	late := time.After(patience)
	for pause := time.Millisecond; ; pause = 10 * time.Millisecond {
		select {
		case err := <-answered:
			switch {
			case err == nil:
				return false
			case !strings.Contains(err.Error(), "cancel"):
				e.t.Errorf("%s %s is answered with %v", method, more, err)
			}
			return err != nil
		case <-late:
			e.t.Fatalf("%s %s cannot be cancelled", method, more)
		case <-time.After(pause):
			e.must(e.conn.Notify(context.Background(), protocol.MethodCancelRequest, &protocol.CancelParams{ID: protocol.Integer(number)}))
		}
	}
}
