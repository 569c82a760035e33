package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
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

func structureClient(c *protocol.ClientCapabilities) {
	c.TextDocument.DocumentSymbol = &protocol.DocumentSymbolClientCapabilities{HierarchicalDocumentSymbolSupport: new(true)}
	c.TextDocument.DocumentLink = &protocol.DocumentLinkClientCapabilities{TooltipSupport: new(true)}
}

func TestStructure(t *testing.T) {
	tree := map[string]string{
		"a b/kustomization.yaml":  "resources:\n- all.yaml\n",
		"a b/all.yaml":            "kind: Pod\napiVersion: v1\nmetadata: {labels: {x: 💙}, name: p}\nspec:\n  x: y\n",
		"over/kustomization.yaml": "resources: [ '../a b' ]\n",
	}
	e := open(t, setup{tree: tree, capabilities: structureClient})
	file := protocol.TextDocumentIdentifier{URI: e.uri("a b/all.yaml")}

	outline, err := e.server.DocumentSymbol(e.context(), &protocol.DocumentSymbolParams{TextDocument: file})
	e.must(err)
	pod := outline.(protocol.DocumentSymbolSlice)[0]
	if pod.Name != "Pod/p" || pod.SelectionRange.Start.Character != 34 || len(pod.Children) != 4 {
		t.Errorf("outline: %+v", pod)
	}

	symbols, err := e.server.Symbols(e.context(), &protocol.WorkspaceSymbolParams{Query: "pod"})
	e.must(err)
	if list := symbols.(protocol.SymbolInformationSlice); len(list) != 1 || at(list[0].Location) != "a b/all.yaml:2:34-35" || *list[0].ContainerName != "a b/all.yaml" {
		t.Errorf("symbols: %+v", symbols)
	}

	links, err := e.server.DocumentLink(e.context(), &protocol.DocumentLinkParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("over/kustomization.yaml")}})
	e.must(err)
	if len(links) != 1 || *links[0].Target != e.uri("a b/kustomization.yaml") || links[0].Range.Start.Character != 14 || links[0].Range.End.Character != 20 {
		t.Errorf("links: %+v", links)
	}

	folds, err := e.server.FoldingRanges(e.context(), &protocol.FoldingRangeParams{TextDocument: file})
	e.must(err)
	if len(folds) != 1 || folds[0].StartLine != 3 || folds[0].EndLine != 4 || *folds[0].StartCharacter != 5 || *folds[0].EndCharacter != 6 {
		t.Errorf("folds: %+v", folds)
	}

	selection, err := e.server.SelectionRange(e.context(), &protocol.SelectionRangeParams{TextDocument: file,
		Positions: []protocol.Position{e.at("a b/all.yaml", "p}").Position, e.at("a b/all.yaml", "y\n").Position}})
	e.must(err)
	if len(selection) != 2 || selection[0].Range.Start.Character != 34 || selection[0].Parent.Range.Start.Character != 28 || selection[1].Range.Start.Line != 4 {
		t.Errorf("selection: %+v", selection)
	}
}

func TestCallHierarchyIsTheIncludeGraph(t *testing.T) {
	e := open(t, setup{tree: shopTree})
	items, err := e.server.PrepareCallHierarchy(e.context(), &protocol.CallHierarchyPrepareParams{
		TextDocumentPositionParams: e.at("over/kustomization.yaml", "../base")})
	e.must(err)
	if len(items) != 1 || items[0].Name != "tree/base" || items[0].URI != e.uri("base/kustomization.yaml") {
		t.Fatalf("items: %+v", items)
	}
	in, err := e.server.IncomingCalls(e.context(), &protocol.CallHierarchyIncomingCallsParams{Item: items[0]})
	e.must(err)
	if len(in) != 1 || in[0].From.Name != "tree/over" || in[0].FromRanges[0].Start.Character != 12 {
		t.Errorf("incoming: %+v", in)
	}
	out, err := e.server.OutgoingCalls(e.context(), &protocol.CallHierarchyOutgoingCallsParams{Item: items[0]})
	e.must(err)
	if len(out) != 1 || out[0].To.Name != "all.yaml" || out[0].FromRanges[0].Start.Character != 12 {
		t.Errorf("outgoing: %+v", out)
	}
}

// editClient makes edits of versions, and renames files.
func editClient(c *protocol.ClientCapabilities) {
	c.Workspace = &protocol.WorkspaceClientCapabilities{WorkspaceEdit: &protocol.WorkspaceEditClientCapabilities{
		DocumentChanges: new(true), ResourceOperations: []protocol.ResourceOperationKind{protocol.ResourceOperationKindRename}}}
}

func TestRename(t *testing.T) {
	e := open(t, setup{tree: shopTree, capabilities: editClient})
	e.open("base/all.yaml")
	here := e.at("base/all.yaml", "shop")
	prepared, err := e.server.PrepareRename(e.context(), &protocol.PrepareRenameParams{TextDocumentPositionParams: here})
	e.must(err)
	if p := prepared.(*protocol.PrepareRenamePlaceholder); p.Placeholder != "shop" || p.Range.Start.Character != 39 || p.Range.End.Character != 43 {
		t.Errorf("prepared: %+v", p)
	}
	if _, err := e.server.PrepareRename(e.context(), &protocol.PrepareRenameParams{TextDocumentPositionParams: e.at("base/all.yaml", "v1")}); err == nil ||
		!strings.Contains(err.Error(), "no name here") {
		t.Errorf("prepared where there is no name: %v", err)
	}
	edit, err := e.server.Rename(e.context(), &protocol.RenameParams{TextDocumentPositionParams: here, NewName: "store"})
	e.must(err)
	want := []string{"edit base/all.yaml@1 2:39-2:43 \"store\"", "edit over/kustomization.yaml 2:77-2:81 \"store\""}
	if got := shortEdit(edit); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := e.server.Rename(e.context(), &protocol.RenameParams{TextDocumentPositionParams: here, NewName: "a b"}); err == nil ||
		!strings.Contains(err.Error(), "blanks") {
		t.Errorf("a name with a blank: %v", err)
	}
}

// TestRenameFile renames a file by the entry that names it, and one that the editor
// moves.
func TestRenameFile(t *testing.T) {
	for _, able := range []bool{true, false} {
		s := setup{tree: shopTree}
		if able {
			s.capabilities = editClient
		}
		e := open(t, s)
		edit, err := e.server.Rename(e.context(), &protocol.RenameParams{TextDocumentPositionParams: e.at("base/kustomization.yaml", "all.yaml"), NewName: "x/ä.yaml"})
		want := []string{`edit base/kustomization.yaml 0:12-0:20 "x/ä.yaml"`, "rename base/all.yaml base/x/ä.yaml"}
		if able {
			e.must(err)
			if got := shortEdit(edit); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		} else if err == nil || !strings.Contains(err.Error(), "cannot rename files") {
			t.Errorf("a client that cannot rename files: %v %+v", err, edit)
		}
		edit, err = e.server.WillRenameFiles(e.context(), &protocol.RenameFilesParams{Files: []protocol.FileRename{
			{OldURI: string(e.uri("base")), NewURI: string(e.uri("lib/core"))}}})
		e.must(err)
		want = []string{`edit over/kustomization.yaml 0:12-0:19 "../lib/core"`}
		if got := shortEdit(edit); !slices.Equal(got, want) {
			t.Errorf("moved: got %q, want %q", got, want)
		}
	}
}

// shortEdit shows an edit a line for each change, as a client of either sort gets it.
func shortEdit(edit *protocol.WorkspaceEdit) []string {
	var shown []string
	show := func(file string, e *protocol.TextEdit) {
		r := e.Range
		shown = append(shown, fmt.Sprintf("edit %s %d:%d-%d:%d %q", file, r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, e.NewText))
	}
	short := func(path string) string { return strings.TrimPrefix(path, root+"/") }
	for u, edits := range edit.Changes {
		for _, e := range edits {
			show(short(u.FsPath()), &e)
		}
	}
	for _, change := range edit.DocumentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentEdit:
			file := short(c.TextDocument.URI.FsPath())
			if c.TextDocument.Version != nil {
				file += fmt.Sprintf("@%d", *c.TextDocument.Version)
			}
			for _, e := range c.Edits {
				show(file, e.(*protocol.TextEdit))
			}
		case *protocol.RenameFile:
			shown = append(shown, "rename "+short(c.OldURI.FsPath())+" "+short(c.NewURI.FsPath()))
		}
	}
	return shown
}

// TestRenameBehindASymbolicLink moves a folder of a workspace that was opened through a
// symbolic link to where no folder is yet.
func TestRenameBehindASymbolicLink(t *testing.T) {
	real := filepath.Join(t.TempDir(), "real")
	for name, content := range shopTree {
		if err := os.MkdirAll(filepath.Join(real, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(real, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	e := open(t, setup{source: vfs.Disk(), folders: []string{link}})
	edit, err := e.server.WillRenameFiles(e.context(), &protocol.RenameFilesParams{Files: []protocol.FileRename{
		{OldURI: string(uri.File(link + "/base")), NewURI: string(uri.File(link + "/new/lib/core"))}}})
	e.must(err)
	want := []string{`edit ` + link + `/over/kustomization.yaml 0:12-0:19 "../new/lib/core"`}
	if got := shortEdit(edit); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
