package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const draftURI = uri.URI("untitled:Untitled-1")

const draftText = "resources:\n- nowhere.yaml\nnamePrefx: x\n"

func (e *editor) openUntitled(language, content string) {
	e.t.Helper()
	e.must(e.server.DidOpen(e.context(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: draftURI, LanguageID: protocol.LanguageKind(language), Version: 1, Text: content}}))
}

func draftAt(line, character uint32) protocol.TextDocumentPositionParams {
	return protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: draftURI},
		Position: protocol.Position{Line: line, Character: character}}
}

func (e *editor) pullUntitled() []string {
	e.t.Helper()
	report, err := e.server.Diagnostic(e.context(), &protocol.DocumentDiagnosticParams{TextDocument: protocol.TextDocumentIdentifier{URI: draftURI}})
	e.must(err)
	return codesOf(report.(*protocol.RelatedFullDocumentDiagnosticReport).Items)
}

func codesOf(list []protocol.Diagnostic) []string {
	var codes []string
	for _, d := range list {
		codes = append(codes, string(d.Code.(protocol.String)))
	}
	return codes
}

// TestUntitled types a kustomization into a document that is in no file: what can be told
// without a folder is told, and nothing else.
func TestUntitled(t *testing.T) {
	e := open(t, setup{tree: shop, capabilities: actionClient})
	e.expect(typo)
	published := func(want ...string) {
		t.Helper()
		if !e.wait(func() bool { list, ok := e.untitled[draftURI]; return ok && slices.Equal(codesOf(list), want) }) {
			t.Fatalf("of the document are shown %q, not %q", codesOf(e.untitled[draftURI]), want)
		}
	}
	e.openUntitled("yaml", draftText)
	published("unknown-field")
	if got := e.pullUntitled(); !slices.Equal(got, []string{"unknown-field"}) {
		t.Errorf("asked for, the diagnostics are %q", got)
	}
	hover, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: draftAt(0, 2)})
	e.must(err)
	if hover == nil {
		t.Error("a field has no hover")
	}
	var actions jsonrpc2.RawMessage
	_, err = e.conn.Call(e.context(), protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: draftURI}, Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}},
		Range: protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 2}}}, &actions)
	e.must(err)
	for _, part := range []string{`"Change to namePrefix"`, `"newText":"namePrefix"`, `"uri":"untitled:Untitled-1"`} {
		if !strings.Contains(string(actions), part) {
			t.Errorf("the actions have no %s: %s", part, actions)
		}
	}
	// The fix is made, and then a syntax error, in one message.
	line := protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 2, Character: 9}}
	end := protocol.Range{Start: protocol.Position{Line: 3}, End: protocol.Position{Line: 3}}
	e.must(e.server.DidChange(e.context(), &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: draftURI}, Version: 2},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangePartial{Range: line, Text: "namePrefix"},
			&protocol.TextDocumentContentChangePartial{Range: end, Text: "images: [\n"}}}))
	published("syntax-error")
	suggested, err := e.server.Completion(e.context(), &protocol.CompletionParams{TextDocumentPositionParams: draftAt(2, 0)})
	e.must(err)
	if list, ok := suggested.(*protocol.CompletionList); !ok || len(list.Items) == 0 {
		t.Errorf("fields are suggested: %v", suggested)
	}
	e.must(e.server.DidClose(e.context(), &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: draftURI}}))
	published()
	e.expect(typo) // the files are as they were
	e.quit()
}

// TestUntitledOfOthers opens documents that are not kls's.
func TestUntitledOfOthers(t *testing.T) {
	for name, d := range map[string]struct{ language, content string }{
		"another language": {"python", draftText},
		"a resource":       {"yaml", "apiVersion: v1\nkind: Service\nnamePrefx: x\n"},
		"a description":    {"yaml", "openapi: 3.1.0\ncomponents: {}\ninfo: {}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, setup{tree: shop})
			e.openUntitled(d.language, d.content)
			if got := e.pullUntitled(); len(got) > 0 {
				t.Errorf("it has %q", got)
			}
			e.quit()
		})
	}
}

// TestUntitledHasNoFolderAbove completes a path in a document that is in no folder, and in a
// file that is in one.
func TestUntitledHasNoFolderAbove(t *testing.T) {
	e := open(t, setup{tree: shop})
	labels := func(at protocol.TextDocumentPositionParams) []string {
		t.Helper()
		result, err := e.server.Completion(e.context(), &protocol.CompletionParams{TextDocumentPositionParams: at})
		e.must(err)
		var labels []string
		if list, ok := result.(*protocol.CompletionList); ok {
			for _, item := range list.Items {
				labels = append(labels, item.Label)
			}
		}
		return labels
	}
	const text = "resources:\n- \n"
	e.openUntitled("yaml", text)
	if got := labels(draftAt(1, 2)); slices.Contains(got, "../") {
		t.Errorf("offered are %q", got)
	}
	e.open("overlay/kustomization.yaml", text)
	if got := labels(e.at("overlay/kustomization.yaml", "- ‸\n")); !slices.Contains(got, "../") {
		t.Errorf("in a file, offered are %q", got)
	}
	e.quit()
}
