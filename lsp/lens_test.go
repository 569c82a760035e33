package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// lenses returns the titles above the lines of a file, "line title command".
func (e *editor) lenses(name string) []string {
	e.t.Helper()
	list, err := e.server.CodeLens(e.context(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}})
	e.must(err)
	var shown []string
	for i := range list {
		lens := &list[i]
		if lens.Command.Title == "" {
			lens, err = e.server.CodeLensResolve(e.context(), lens)
			e.must(err)
		}
		line := strings.Repeat(" ", int(lens.Range.Start.Line)) + lens.Command.Title + " " + lens.Command.Command
		for _, argument := range lens.Command.Arguments {
			line += " " + string(argument)
		}
		shown = append(shown, line)
	}
	return shown
}

// TestLenses resolves the lenses of unsaved text, runs their commands, and has the
// client ask again after a change elsewhere.
func TestLenses(t *testing.T) {
	e := open(t, setup{tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
		virtualClient(c)
		c.Workspace.CodeLens = &protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: new(true)}
	}})
	e.open("overlay/kustomization.yaml")
	e.expect(typo)
	want := []string{
		`1 resource kls.preview {"uri":"file:///tree/overlay"}`,
		`Preview kls.preview {"uri":"file:///tree/overlay"}`,
		`Graph kls.graph {"uri":"file:///tree/overlay"}`,
		`  changes nothing kls.preview {"uri":"file:///tree/overlay"}`,
	}
	if got := e.lenses("overlay/kustomization.yaml"); !slices.Equal(got, want) {
		t.Errorf("the lenses are\n%s", strings.Join(got, "\n"))
	}
	e.replace("overlay/kustomization.yaml", "wbe", "web")
	if !e.wait(func() bool { return e.lensesRefreshed > 0 }) {
		t.Fatal("the lenses are not refreshed")
	}
	if got := e.lenses("overlay/kustomization.yaml"); got[3] != `  changes 1 resource kls.preview {"uri":"file:///tree/overlay"}` {
		t.Errorf("the patch's lens is %s", got[3])
	}
	if got := e.lenses("base/deploy.yaml"); !slices.Equal(got, []string{`used by base, overlay · patched by 1 kls.preview {"resource":"Deployment.apps/web","uri":"file:///tree/base"}`}) {
		t.Errorf("the resource's lens is %s", got)
	}
	if p := e.preview(map[string]any{"uri": "file:///tree/base", "resource": "Deployment.apps/web"}); !strings.Contains(p.Text, "replicas: 1") {
		t.Errorf("the lens leads to\n%s", p.Text)
	}
	e.quit()
}

// TestLensesOff shows none where the user wants none.
func TestLensesOff(t *testing.T) {
	off := open(t, setup{tree: shop, initial: map[string]any{"settings": map[string]any{"codeLens": false, "inlayHints": false}}})
	off.open("overlay/kustomization.yaml")
	if got := off.lenses("overlay/kustomization.yaml"); got != nil {
		t.Errorf("the lenses are %v", got)
	}
	off.quit()
}

// TestHintsAndTokens converts both to the client's encoding, behind characters that it
// counts otherwise than we do.
func TestHintsAndTokens(t *testing.T) {
	tree := map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\r\nimages:\r\n- {newTag: \"😀\", name: a} # 😀\r\nreplacements:\r\n- {source: {name: ä, fieldPath: \"data.😀.x\"}, targets: []}\r\n",
		"a.yaml":             "{apiVersion: v1, kind: Pod, metadata: {name: ä}, spec: {containers: [{name: a, image: a}]}}\n",
	}
	e := open(t, setup{tree: tree})
	whole := protocol.Range{End: protocol.Position{Line: 100}}
	document := protocol.TextDocumentIdentifier{URI: e.uri("kustomization.yaml")}
	hints, err := e.server.InlayHint(e.context(), &protocol.InlayHintParams{TextDocument: document, Range: whole})
	e.must(err)
	if len(hints) != 1 || hints[0].Label != protocol.String("→ a:😀") || hints[0].Position != (protocol.Position{Line: 2, Character: 24}) {
		t.Errorf("the hints are %+v", hints)
	}
	if hints, err = e.server.InlayHint(e.context(), &protocol.InlayHintParams{TextDocument: document, Range: protocol.Range{End: protocol.Position{Line: 2}}}); err != nil || len(hints) != 0 {
		t.Errorf("before them there are %v, %v", hints, err)
	}
	tokens, err := e.server.SemanticTokensFull(e.context(), &protocol.SemanticTokensParams{TextDocument: document})
	e.must(err)
	// data . 😀 . x, where 😀 has two units of UTF-16.
	if want := []uint32{4, 33, 4, 0, 0, 0, 4, 1, 3, 0, 0, 1, 2, 0, 0, 0, 2, 1, 3, 0, 0, 1, 1, 0, 0}; !slices.Equal(tokens.Data, want) {
		t.Errorf("the tokens are %v", tokens.Data)
	}
	part, err := e.server.SemanticTokensRange(e.context(), &protocol.SemanticTokensRangeParams{TextDocument: document,
		Range: protocol.Range{Start: protocol.Position{Line: 4, Character: 38}, End: protocol.Position{Line: 5}}})
	e.must(err)
	if want := []uint32{4, 38, 2, 0, 0, 0, 2, 1, 3, 0, 0, 1, 1, 0, 0}; !slices.Equal(part.Data, want) {
		t.Errorf("the tokens of a part are %v", part.Data)
	}
	e.quit()
}

// hints counts those of a file.
func (e *editor) hints(name string) int {
	e.t.Helper()
	hints, err := e.server.InlayHint(e.context(), &protocol.InlayHintParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)},
		Range: protocol.Range{End: protocol.Position{Line: 1 << 20}}})
	e.must(err)
	return len(hints)
}

// TestTokensDelta edits a file and applies what the server says changed of its tokens:
// that gives what it says of the whole. Of a result that is not the last one there is no
// change to tell of.
func TestTokensDelta(t *testing.T) {
	e := open(t, setup{tree: map[string]string{"kustomization.yaml": "patches:\n- target: {kind: Pod}\n  patch: |-\n" +
		"    - {op: remove, path: /spec/a}\n    - {op: remove, path: /spec/b}\n    - {op: remove, path: /spec/c}\n"}})
	e.open("kustomization.yaml")
	document := protocol.TextDocumentIdentifier{URI: e.uri("kustomization.yaml")}
	whole := func() *protocol.SemanticTokens {
		t.Helper()
		tokens, err := e.server.SemanticTokensFull(e.context(), &protocol.SemanticTokensParams{TextDocument: document})
		e.must(err)
		return tokens
	}
	delta := func(previous string) protocol.SemanticTokensDeltaResult {
		t.Helper()
		result, err := e.server.SemanticTokensFullDelta(e.context(), &protocol.SemanticTokensDeltaParams{TextDocument: document, PreviousResultID: previous})
		e.must(err)
		return result
	}
	last := whole()
	for _, edit := range [][2]string{{"/spec/b", "/spec"}, {"path: /spec}", "path: /spec/0/longer}"}, {"    - {op: remove, path: /spec/c}\n", ""}, {"/spec/a", "/spec/a"}} {
		e.replace("kustomization.yaml", edit[0], edit[1])
		changed, ok := delta(*last.ResultID).(*protocol.SemanticTokensDelta)
		if !ok || len(changed.Edits) > 1 {
			t.Fatalf("%q: %+v", edit, changed)
		}
		data := last.Data
		for _, edit := range changed.Edits {
			data = slices.Concat(data[:edit.Start], edit.Data, data[edit.Start+edit.DeleteCount:])
			if len(edit.Data) >= len(last.Data) {
				t.Errorf("the change has everything: %v", edit)
			}
		}
		if edit[0] == edit[1] && len(changed.Edits) > 0 {
			t.Errorf("nothing changed: %v", changed.Edits)
		}
		if last = whole(); !slices.Equal(data, last.Data) {
			t.Errorf("%q: got %v, want %v", edit, data, last.Data)
		}
	}
	if all, ok := delta("of another time").(*protocol.SemanticTokens); !ok || !slices.Equal(all.Data, last.Data) || all.ResultID == nil {
		t.Errorf("after an unknown result: %+v", all)
	}
}
