package lsp

import (
	"cmp"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// editAbilities are what the client can do with a change of files.
type editAbilities struct {
	versioned               bool // edits that say of which version they are
	creates, moves, deletes bool
}

func editAbilitiesOf(c *protocol.WorkspaceEditClientCapabilities) editAbilities {
	if c == nil || !isTrue(c.DocumentChanges) {
		return editAbilities{}
	}
	return editAbilities{
		versioned: true,
		creates:   can(c.ResourceOperations, protocol.ResourceOperationKindCreate),
		moves:     can(c.ResourceOperations, protocol.ResourceOperationKindRename),
		deletes:   can(c.ResourceOperations, protocol.ResourceOperationKindDelete),
	}
}

// canMake tells whether the client can make an edit. What is to be deleted may stay.
func (a editAbilities) canMake(e *workspace.Edit) bool {
	return (len(e.Create) == 0 || a.creates) && (len(e.Move) == 0 || a.moves)
}

// fromEdit returns the edit in the client's terms, nil where it cannot make it. The
// converter's view is that of the moment, for which the edit was made.
func (c *converter) fromEdit(now moment, e *workspace.Edit) *protocol.WorkspaceEdit {
	if !c.canMake(e) {
		return nil
	}
	out := &protocol.WorkspaceEdit{}
	if !c.versioned {
		out.Changes = map[uri.URI][]protocol.TextEdit{}
		for _, file := range byFile(e.Edits) {
			out.Changes[c.server.uri(file[0].File)] = c.fromFileEdits(file)
		}
		return out
	}
	for _, f := range e.Create {
		out.DocumentChanges = append(out.DocumentChanges, c.fromNewFile(f)...)
	}
	for _, file := range byFile(e.Edits) {
		var edits []protocol.TextDocumentEditElement
		for _, edit := range c.fromFileEdits(file) {
			edits = append(edits, &edit)
		}
		out.DocumentChanges = append(out.DocumentChanges, &protocol.TextDocumentEdit{TextDocument: c.versionOf(now, file[0].File), Edits: edits})
	}
	for _, m := range e.Move {
		out.DocumentChanges = append(out.DocumentChanges, &protocol.RenameFile{
			Kind: string(protocol.ResourceOperationKindRename), OldURI: c.server.uri(m.From), NewURI: c.server.uri(m.To)})
	}
	for _, path := range e.Delete {
		if c.deletes {
			out.DocumentChanges = append(out.DocumentChanges, &protocol.DeleteFile{
				Kind: string(protocol.ResourceOperationKindDelete), URI: c.server.uri(path)})
		}
	}
	return out
}

// fromNewFile makes a file and fills it. One that has come into being meanwhile is
// not overwritten: the client then gives the whole edit up.
func (c *converter) fromNewFile(f workspace.NewFile) []protocol.DocumentChange {
	u := c.server.uri(f.Path)
	return []protocol.DocumentChange{
		&protocol.CreateFile{Kind: string(protocol.ResourceOperationKindCreate), URI: u},
		&protocol.TextDocumentEdit{
			TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}},
			Edits:        []protocol.TextDocumentEditElement{&protocol.TextEdit{NewText: f.Text}},
		},
	}
}

// versionOf names a file with the version that is in the view; null where it is not
// open, and the disk counts.
func (c *converter) versionOf(now moment, path string) protocol.OptionalVersionedTextDocumentIdentifier {
	id := protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: c.server.uri(path)}}
	if version, open := now.versions[path]; open {
		id.Version = &version
	}
	return id
}

func (c *converter) fromFileEdits(edits []analysis.FileEdit) []protocol.TextEdit {
	out := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		out[i] = protocol.TextEdit{Range: c.toRange(e.Place), NewText: e.New}
	}
	return out
}

// byFile groups edits by file, in the order of the text.
func byFile(edits []analysis.FileEdit) [][]analysis.FileEdit {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b analysis.FileEdit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	var files [][]analysis.FileEdit
	for i, e := range sorted {
		if i == 0 || e.File != sorted[i-1].File {
			files = append(files, nil)
		}
		files[len(files)-1] = append(files[len(files)-1], e)
	}
	return files
}
