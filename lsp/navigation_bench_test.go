package lsp_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
	"go.lsp.dev/protocol"
)

// BenchmarkNavigation asks, in a tree of 4,001 resources, what editors ask by
// themselves while the cursor moves, and what people ask for.
func BenchmarkNavigation(b *testing.B) {
	tree := map[string]string{}
	for name, content := range gentree.Files(1000) {
		tree[name] = string(content)
	}
	name := filepath.Join(gentree.Overlay, "kustomization.yaml")
	e := open(b, setup{tree: tree, debounce: 50 * time.Millisecond})
	e.open(name)
	e.settle(name)
	here := e.at(name, "kind: D‸eployment")
	file := protocol.TextDocumentIdentifier{URI: e.uri(name)}
	resource := ""
	for path := range tree {
		if resource == "" && filepath.Base(path) != "kustomization.yaml" && filepath.Dir(path) != gentree.Overlay {
			resource = path
		}
	}
	inResource := e.at(resource, "  name: ‸")
	for _, question := range []struct {
		what string
		ask  func() error
	}{
		{"highlight", func() error {
			_, err := e.server.DocumentHighlight(e.context(), &protocol.DocumentHighlightParams{TextDocumentPositionParams: inResource})
			return err
		}},
		{"selection", func() error {
			_, err := e.server.SelectionRange(e.context(), &protocol.SelectionRangeParams{TextDocument: file, Positions: []protocol.Position{here.Position}})
			return err
		}},
		{"outline", func() error {
			_, err := e.server.DocumentSymbol(e.context(), &protocol.DocumentSymbolParams{TextDocument: file})
			return err
		}},
		{"links", func() error {
			_, err := e.server.DocumentLink(e.context(), &protocol.DocumentLinkParams{TextDocument: file})
			return err
		}},
		{"definition", func() error {
			_, err := e.server.Definition(e.context(), &protocol.DefinitionParams{TextDocumentPositionParams: here})
			return err
		}},
		{"references", func() error {
			_, err := e.server.References(e.context(), &protocol.ReferenceParams{TextDocumentPositionParams: inResource})
			return err
		}},
		{"implementation", func() error {
			_, err := e.server.Implementation(e.context(), &protocol.ImplementationParams{TextDocumentPositionParams: inResource})
			return err
		}},
		{"symbols", func() error {
			_, err := e.server.Symbols(e.context(), &protocol.WorkspaceSymbolParams{Query: "dep1"})
			return err
		}},
		{"rename", func() error {
			_, err := e.server.Rename(e.context(), &protocol.RenameParams{TextDocumentPositionParams: inResource, NewName: "another"})
			return err
		}},
	} {
		var took []time.Duration
		for range min(b.N, 10) {
			start := time.Now()
			e.must(question.ask())
			took = append(took, time.Since(start))
		}
		report(b, question.what, took)
	}
}
