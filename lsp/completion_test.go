package lsp_test

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

// completions asks for what could be typed; ‸ is the cursor.
func (e *editor) completions(name, needle string) *protocol.CompletionList {
	e.t.Helper()
	result, err := e.server.Completion(e.context(), &protocol.CompletionParams{TextDocumentPositionParams: e.at(name, needle)})
	if err != nil {
		e.t.Fatal(err)
	}
	list, _ := result.(*protocol.CompletionList)
	if list == nil {
		return &protocol.CompletionList{}
	}
	return list
}

func item(t *testing.T, list *protocol.CompletionList, label string) protocol.CompletionItem {
	t.Helper()
	for _, i := range list.Items {
		if i.Label == label {
			return i
		}
	}
	t.Fatalf("no %q among %d suggestions", label, len(list.Items))
	return protocol.CompletionItem{}
}

// applied returns the line of the edit with the edit made, at its narrower range.
func (e *editor) applied(name string, i protocol.CompletionItem) string {
	e.t.Helper()
	content := e.buffers[e.path(name)]
	var r protocol.Range
	var written string
	switch edit := i.TextEdit.(type) {
	case *protocol.TextEdit:
		r, written = edit.Range, edit.NewText
	case *protocol.InsertReplaceEdit:
		r, written = edit.Insert, edit.NewText
	}
	lines := text.NewLines([]byte(content))
	at := func(p protocol.Position) int {
		return lines.PositionToOffset(text.Position{Line: int(p.Line), Character: int(p.Character)}, e.encoding)
	}
	start := strings.LastIndexByte(content[:at(r.Start)], '\n') + 1
	end := at(r.End) + strings.IndexByte(content[at(r.End):]+"\n", '\n')
	return content[start:at(r.Start)] + written + content[at(r.End):end]
}

// emoji is an overlay in which characters of several units stand before what is
// typed, in a file that is not saved.
var emoji = map[string]string{
	"base/kustomization.yaml":    "resources: [deploy.yaml]\n",
	"base/deploy.yaml":           "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n",
	"overlay/kustomization.yaml": "resources: [../base]\n",
}

const typing = "resources: [../base]\npatches: # 💙\n- {path: 💙ö.yaml, target: {kind: Depoy}}\n- target: {}\n  pa\n"

func TestCompletionEditsInUTF16(t *testing.T) {
	e := open(t, setup{tree: emoji})
	name := "overlay/kustomization.yaml"
	e.open(name, typing)
	kind := item(t, e.completions(name, "kind: ‸Depoy"), "Deployment")
	edit := kind.TextEdit.(*protocol.TextEdit)
	if edit.Range.Start != (protocol.Position{Line: 2, Character: 34}) || edit.Range.End.Character != 39 {
		t.Errorf("the edit is of %+v", edit.Range)
	}
	if got := e.applied(name, kind); got != `- {path: 💙ö.yaml, target: {kind: Deployment}}` {
		t.Error(got)
	}
	// The quote that closes stays where it is.
	e.replace(name, "Depoy", "Deployment, name: \"w\"")
	if got := e.applied(name, item(t, e.completions(name, "name: \"w‸"), "web")); !strings.HasSuffix(got, `name: "web"}}`) {
		t.Error(got)
	}
	e.quit()
}

func TestCompletionPlainAndSnippet(t *testing.T) {
	name := "overlay/kustomization.yaml"
	plain := open(t, setup{tree: emoji})
	plain.open(name, "resources: [../base]\nima")
	i := item(t, plain.completions(name, "ima‸"), "images")
	if got := plain.applied(name, i); got != "images:\n- " || i.InsertTextFormat != protocol.InsertTextFormatPlainText {
		t.Errorf("%q %v", got, i.InsertTextFormat)
	}
	if doc, ok := i.Documentation.(protocol.String); !ok || !strings.Contains(string(doc), "container images") {
		t.Errorf("documented by %v", i.Documentation)
	}
	plain.quit()

	able := open(t, setup{tree: emoji, capabilities: func(c *protocol.ClientCapabilities) {
		c.TextDocument.Completion = &protocol.CompletionClientCapabilities{CompletionItem: &protocol.ClientCompletionItemOptions{
			SnippetSupport: new(true), InsertReplaceSupport: new(true), DocumentationFormat: []protocol.MarkupKind{protocol.MarkupKindMarkdown},
			TagSupport:            protocol.CompletionItemTagOptions{ValueSet: []protocol.CompletionItemTag{protocol.CompletionItemTagDeprecated}},
			ResolveSupport:        protocol.ClientCompletionItemResolveOptions{Properties: []string{"documentation"}},
			InsertTextModeSupport: protocol.ClientCompletionItemInsertTextModeOptions{ValueSet: []protocol.InsertTextMode{protocol.InsertTextModeAsIs}},
		}}
	}})
	able.open(name, "resources: [../base]\nima\nreplicas: []\n")
	list := able.completions(name, "im‸a")
	i = item(t, list, "images")
	edit := i.TextEdit.(*protocol.InsertReplaceEdit)
	if edit.NewText != "images:\n- name: ${1}\n  newTag: ${2}" || i.InsertTextFormat != protocol.InsertTextFormatSnippet ||
		i.InsertTextMode != protocol.InsertTextModeAsIs || edit.Insert.End.Character != 2 || edit.Replace.End.Character != 3 {
		t.Errorf("%+v, %+v", edit, i)
	}
	if i.Documentation != nil {
		t.Error("documentation that nobody asked for yet")
	}
	resolved, err := able.server.CompletionResolve(able.context(), &i)
	if err != nil || !strings.Contains(resolved.Documentation.(*protocol.MarkupContent).Value, "**images**") {
		t.Errorf("resolved to %+v, %v", resolved.Documentation, err)
	}
	if old := item(t, list, "bases"); len(old.Tags) != 1 || list.Items[0].Tags != nil {
		t.Error("only what is deprecated is struck out")
	}
	able.quit()
}

// A client that indents by itself is given later lines without the indentation that
// it adds.
func TestCompletionForAClientThatIndents(t *testing.T) {
	e := open(t, setup{tree: emoji, capabilities: func(c *protocol.ClientCapabilities) {
		c.TextDocument.Completion = &protocol.CompletionClientCapabilities{InsertTextMode: protocol.InsertTextModeAdjustIndentation}
	}})
	name := "overlay/kustomization.yaml"
	e.open(name, typing)
	target := item(t, e.completions(name, "  pa‸"), "patch")
	if got := target.TextEdit.(*protocol.TextEdit).NewText; got != "patch: " {
		t.Errorf("%q", got)
	}
	e.replace(name, "  pa\n", "  opt\n")
	if got := item(t, e.completions(name, "  opt‸"), "options").TextEdit.(*protocol.TextEdit).NewText; got != "options:\n  " {
		t.Errorf("%q", got)
	}
	e.quit()
}

// Nothing is suggested for what is no file, and in a file without a word to say.
func TestNoCompletion(t *testing.T) {
	e := open(t, setup{tree: map[string]string{"notes.txt": "a: \n"}})
	e.open("notes.txt")
	if list := e.completions("notes.txt", "a: ‸"); len(list.Items) > 0 {
		t.Errorf("%d suggestions", len(list.Items))
	}
	result, err := e.server.Completion(e.context(), &protocol.CompletionParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: "untitled:Untitled-1"}}})
	if err != nil || result != nil {
		t.Errorf("%v, %v", result, err)
	}
	e.quit()
}
