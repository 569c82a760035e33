package lsp_test

import (
	"slices"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// TestFormatting formats text that is not saved, and leaves a resource to others.
func TestFormatting(t *testing.T) {
	e := open(t, setup{tree: map[string]string{
		"kustomization.yaml": "resources: []\n",
		"deploy.yaml":        "kind:   Deployment\n",
	}})
	e.open("kustomization.yaml", "namePrefix:   😀-\nresources: []\n")
	e.open("deploy.yaml")
	format := func(name string) []protocol.TextEdit {
		edits, err := e.server.Formatting(e.context(), &protocol.DocumentFormattingParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}})
		e.must(err)
		return edits
	}
	got := showEdit(&protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{e.uri("kustomization.yaml"): format("kustomization.yaml")}})
	want := []string{`kustomization.yaml 0:0-1:0 ""`, `kustomization.yaml 2:0-2:0 "namePrefix: 😀-\n"`}
	if !slices.Equal(got, want) {
		t.Errorf("the edits are %q", got)
	}
	if got := format("deploy.yaml"); len(got) != 0 {
		t.Errorf("a resource has the edits %v", got)
	}
}

// TestLinkedEditing asks for an anchor behind a character that a client counts double.
func TestLinkedEditing(t *testing.T) {
	e := open(t, setup{tree: map[string]string{"deploy.yaml": "a: [😀, &b c]\nd: *b\n"}})
	e.open("deploy.yaml")
	got, err := e.server.LinkedEditingRange(e.context(), &protocol.LinkedEditingRangeParams{TextDocumentPositionParams: e.at("deploy.yaml", "&‸b")})
	e.must(err)
	if len(got.Ranges) != 2 || got.Ranges[0].Start != (protocol.Position{Line: 0, Character: 9}) || got.Ranges[1].End != (protocol.Position{Line: 1, Character: 5}) {
		t.Errorf("the ranges are %v", got.Ranges)
	}
}
