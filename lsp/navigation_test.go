package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// shopTree has a name beyond the basic plane, so that the encodings differ.
var shopTree = map[string]string{
	"base/kustomization.yaml": "resources: [all.yaml]\n",
	"base/all.yaml":           "kind: ConfigMap\napiVersion: v1\nmetadata: {annotations: {💙: a}, name: shop}\ndata: {a: b}\n",
	"over/kustomization.yaml": "resources: [../base]\npatches:\n- {patch: '[{\"op\": \"add\", \"path\": \"/data/💙\", \"value\": \"\"}]', target: {name: shop}}\n",
}

func at(l protocol.Location) string {
	return fmt.Sprintf("%s:%d:%d-%d", strings.TrimPrefix(l.URI.FsPath(), root+"/"), l.Range.Start.Line, l.Range.Start.Character, l.Range.End.Character)
}

func TestReferencesInUTF16(t *testing.T) {
	e := open(t, setup{tree: shopTree})
	ask := func(declaration bool) (found []string) {
		t.Helper()
		list, err := e.server.References(e.context(), &protocol.ReferenceParams{
			TextDocumentPositionParams: e.at("over/kustomization.yaml", "name: s‸hop"),
			Context:                    protocol.ReferenceContext{IncludeDeclaration: declaration}})
		e.must(err)
		for _, l := range list {
			found = append(found, at(l))
		}
		return found
	}
	want := []string{"base/all.yaml:2:39-43", "over/kustomization.yaml:2:77-81"}
	if got := ask(true); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := ask(false); !slices.Equal(got, want[1:]) {
		t.Errorf("without the declaration: got %q, want %q", got, want[1:])
	}
	highlights, err := e.server.DocumentHighlight(e.context(), &protocol.DocumentHighlightParams{
		TextDocumentPositionParams: e.at("base/all.yaml", "shop")})
	e.must(err)
	if len(highlights) != 1 || highlights[0].Kind != protocol.DocumentHighlightKindWrite || highlights[0].Range.Start.Character != 39 {
		t.Errorf("highlights: %+v", highlights)
	}
	declaration, err := e.server.Declaration(e.context(), &protocol.DeclarationParams{
		TextDocumentPositionParams: e.at("over/kustomization.yaml", "name: s‸hop")})
	e.must(err)
	if list := declaration.(protocol.LocationSlice); len(list) != 1 || at(list[0]) != want[0] {
		t.Errorf("declaration: %v", declaration)
	}
	implementation, err := e.server.Implementation(e.context(), &protocol.ImplementationParams{
		TextDocumentPositionParams: e.at("base/all.yaml", "shop")})
	e.must(err)
	if list := implementation.(protocol.LocationSlice); len(list) != 1 || list[0].Range.Start.Line != 2 {
		t.Errorf("implementation: %v", implementation)
	}
}

// TestReferencesFollowUnsavedText types the name away and back.
func TestReferencesFollowUnsavedText(t *testing.T) {
	e := open(t, setup{tree: shopTree})
	e.open("over/kustomization.yaml")
	count := func() int {
		list, err := e.server.References(e.context(), &protocol.ReferenceParams{TextDocumentPositionParams: e.at("base/all.yaml", "shop")})
		e.must(err)
		return len(list)
	}
	if n := count(); n != 1 {
		t.Errorf("%d references before", n)
	}
	e.replace("over/kustomization.yaml", "name: shop", "name: sho")
	if n := count(); n != 0 {
		t.Errorf("%d references without the name", n)
	}
	e.replace("over/kustomization.yaml", "name: sho", "name: shop")
	if n := count(); n != 1 {
		t.Errorf("%d references after", n)
	}
}
