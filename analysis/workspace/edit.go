package workspace

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/linediff"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Edit is a change of files that an editor is to make, in this order: files are
// created, texts changed, then files moved and deleted.
type Edit struct {
	Create []NewFile
	// Edits are of files as they are in the view, not of those that are created.
	Edits []analysis.FileEdit
	Move  []Move
	// Delete names files that nothing needs any more: where they stay, no harm is done.
	Delete []string
}

// NewFile is a file that is not there yet, by absolute path.
type NewFile struct {
	Path, Text string
}

// Move gives a file or folder another absolute path.
type Move struct {
	From, To string
}

// IsEmpty tells whether there is nothing to change.
func (e *Edit) IsEmpty() bool {
	return e == nil || len(e.Create)+len(e.Edits)+len(e.Move)+len(e.Delete) == 0
}

// With returns the view in which new files and changed texts are there already,
// unsaved. What is to be moved or deleted stays where it is.
func (e *Edit) With(v *View) (*View, error) {
	changed, err := analysis.Apply(e.Edits, func(path string) ([]byte, error) {
		f, err := v.files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return f.Data, nil
	})
	if err != nil {
		return nil, err
	}
	for _, f := range e.Create {
		v = v.Edit(f.Path, []byte(f.Text))
	}
	for path, content := range changed {
		v = v.Edit(path, content)
	}
	return v, nil
}

// Replacing makes the edits of a file that becomes another text: of those lines
// that differ, so that cursors and folds elsewhere stay where they are.
func Replacing(path string, before, after []byte) []analysis.FileEdit {
	return InFile(path, linediff.Edits(string(before), string(after)))
}

// InFile makes edits of a text into those of a file.
func InFile(path string, edits []text.Edit) []analysis.FileEdit {
	of := make([]analysis.FileEdit, len(edits))
	for i, e := range edits {
		of[i] = analysis.FileEdit{Place: analysis.Place{File: path, Span: e.Span}, New: e.New}
	}
	return of
}

// NewlineOf returns what ends the lines of a text.
func NewlineOf(content []byte) string {
	if at := bytes.IndexByte(content, '\n'); at > 0 && content[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
