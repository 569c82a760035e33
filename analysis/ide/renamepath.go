package ide

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/deployed"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// pathSegment is a name in a path: that of a file or folder which is there.
type pathSegment struct {
	text   string
	span   text.Span // in the file
	target string    // absolute
}

// pathEntryAt returns the path that the cursor is in: of a kustomization, or of an object
// that deploys one.
func pathEntryAt(ctx context.Context, v *workspace.View, c cursor.Cursor) (cursor.PathEntry, bool, error) {
	if e, ok := cursor.PathEntryAt(v, c); ok {
		return e, true, nil
	}
	return deployed.PathEntryAt(ctx, v, c.File, c.Offset)
}

// pathSegmentAt returns the name that the cursor is in; the last one where it is in a dot
// or dots. A reason says why that cannot be renamed.
func pathSegmentAt(v *workspace.View, c cursor.Cursor, e cursor.PathEntry) (s pathSegment, reason string) {
	names := strings.Split(e.Path(), "/")
	start := e.Part.Start
	found := -1
	for i, name := range names {
		part := text.Span{Start: start, End: start + len(name)}
		start = part.End + 1
		if name == "" || name == "." || name == ".." {
			continue
		}
		place, ok := cursor.PartPlace(v.Session().Table(), e.Node, part)
		if !ok {
			continue
		}
		if found < 0 || c.Offset >= place.Span.Start {
			found, s = i, pathSegment{text: name, span: place.Span}
		}
	}
	if last := names[len(names)-1]; found < 0 || last == ".." || last == "." {
		return s, "rename the folder where its name is written"
	}
	s.target = strings.Join(names[:found+1], "/")
	if !filepath.IsAbs(s.target) {
		s.target = filepath.Join(e.Base, filepath.FromSlash(s.target))
	}
	switch _, err := v.Files().IsDir(s.target); {
	case err != nil:
		return s, "there is no file or folder " + s.text
	case !v.IsInFolders(s.target) || slices.Contains(v.Folders(), s.target):
		return s, s.text + " is not in the folders that are open"
	}
	return s, ""
}

// renamePath gives the file or folder that is named under the cursor another name, in
// the same folder, or in another one that is relative to it.
func renamePath(ctx context.Context, v *workspace.View, c cursor.Cursor, e cursor.PathEntry, name string) (*workspace.Edit, string, error) {
	s, reason := pathSegmentAt(v, c, e)
	if reason != "" {
		return nil, reason, nil
	}
	name = strings.TrimSuffix(strings.TrimSpace(name), "/")
	if name == "" || strings.ContainsAny(name, "\n\r:=\\\x00") || path.IsAbs(name) {
		return nil, "this is not a valid file name", nil
	}
	move := workspace.Move{From: s.target, To: filepath.Join(filepath.Dir(s.target), filepath.FromSlash(name))}
	switch _, err := v.Files().IsDir(move.To); {
	case move.To == move.From:
		return nil, "this is its name already", nil
	case err == nil:
		return nil, v.ShortPath(move.To) + " is there already", nil
	case vfs.Below(move.From, move.To):
		return nil, "a folder cannot be moved into itself", nil
	case !v.IsInFolders(move.To):
		return nil, "this leads out of the folders that are open", nil
	}
	edits, err := MoveFiles(ctx, v, []workspace.Move{move})
	if err != nil {
		return nil, "", err
	}
	if !v.IsWhole() {
		return nil, notWhole, nil
	}
	edit := &workspace.Edit{Edits: edits, Move: []workspace.Move{move}}
	reason, err = checkMoves(ctx, v, edit)
	return edit, reason, err
}

// MoveFiles returns what is to be changed when files or folders get other paths: every
// entry that names one of them, and the paths to the outside in kustomizations that are
// moved. An entry of files whose path gives its key its name keeps the key.
func MoveFiles(ctx context.Context, v *workspace.View, list []workspace.Move) ([]analysis.FileEdit, error) {
	var from []string
	for _, move := range list {
		from = append(from, move.From)
	}
	entries, err := cursor.PathEntries(ctx, v, from...)
	if err != nil {
		return nil, err
	}
	more, err := inputEntries(ctx, v, from)
	if err != nil {
		return nil, err
	}
	objects, err := deployed.PathEntries(ctx, v)
	if err != nil {
		return nil, err
	}
	seen := map[spot]bool{}
	m := &mentioning{table: v.Session().Table()}
	var edits []analysis.FileEdit
	for _, e := range slices.Concat(entries, more, objects) {
		at, ok := m.spotOf(e.Node)
		if !ok || seen[at] {
			continue
		}
		seen[at] = true
		if edit, ok := moved(e, m.table, moves(list)); ok {
			edits = append(edits, edit)
		}
	}
	return edits, nil
}

// inputEntries returns the paths that builds met elsewhere than in kustomization files:
// in the files that configure transformers and generators.
func inputEntries(ctx context.Context, v *workspace.View, about []string) ([]cursor.PathEntry, error) {
	configuring, err := v.Configuring(ctx, about...)
	if err != nil {
		return nil, err
	}
	var entries []cursor.PathEntry
	for _, r := range configuring {
		b, err := v.Build(ctx, r)
		if err != nil {
			return nil, err
		}
		if !b.Configures {
			continue
		}
		result, err := v.Trace(ctx, b)
		if err != nil {
			return nil, err
		}
		for _, l := range workspace.Layers(result) {
			for _, input := range l.Facts.Inputs {
				if e, ok := inputEntry(b.Session().Table(), l, input.Entry); ok {
					entries = append(entries, e)
				}
			}
		}
	}
	return entries, nil
}

// inputEntry reads the scalar of an input that stands outside of its kustomization.
func inputEntry(table *syntax.Table, l *builder.Layer, n *yaml.Node) (cursor.PathEntry, bool) {
	if n == nil || l.Clone != "" {
		return cursor.PathEntry{}, false
	}
	id, _, _ := syntax.Place(n)
	source := table.Source(id)
	if source == nil || source.Host() != nil || source.Path() == l.Path {
		return cursor.PathEntry{}, false
	}
	e, ok := cursor.NewPathEntry(source.Path(), n, &kustomization.Field{Name: "files", Path: true})
	if !ok {
		return cursor.PathEntry{}, false
	}
	e.Base, e.Gives = l.Dir, ""
	e.Target = filepath.Join(l.Dir, filepath.FromSlash(e.Path()))
	return e, true
}

// moved returns the edit of an entry; false where it stays.
func moved(e cursor.PathEntry, table *syntax.Table, m moves) (analysis.FileEdit, bool) {
	before, err := filepath.Rel(e.Base, e.Target)
	if err != nil {
		return analysis.FileEdit{}, false
	}
	target, base := m.to(e.Target), m.to(e.Base)
	if base == e.Base && workspace.IsKustomization(e.File) {
		base = filepath.Dir(m.to(e.File))
	}
	written := e.Path()
	if filepath.IsAbs(filepath.FromSlash(written)) {
		if target == e.Target {
			return analysis.FileEdit{}, false
		}
		return analysis.EditScalar(table, e.Node, e.Part, filepath.ToSlash(target))
	}
	after, err := filepath.Rel(base, target)
	if err != nil || after == before {
		return analysis.FileEdit{}, false
	}
	next := filepath.ToSlash(after)
	if strings.HasPrefix(written, "./") && !strings.HasPrefix(next, ".") {
		next = "./" + next
	}
	if strings.HasSuffix(written, "/") {
		next += "/"
	}
	if e.Gives != "" && path.Base(next) != e.Gives {
		next = e.Gives + "=" + next
	}
	return analysis.EditScalar(table, e.Node, e.Part, next)
}

// checkMoves builds every root that has to do with what is moved, before and after, and
// returns the reason why the edit must not be made.
func checkMoves(ctx context.Context, v *workspace.View, e *workspace.Edit) (reason string, err error) {
	changed, err := analysis.Apply(e.Edits, func(path string) ([]byte, error) {
		f, err := v.Files().ReadFile(path)
		if err != nil {
			return nil, err
		}
		return f.Data, nil
	})
	if err != nil {
		return "", err
	}
	var files []string
	for _, move := range e.Move {
		files = append(files, move.From)
	}
	moved := vfs.NewSnapshot(movedFiles{v.Files(), e.Move})
	for path, content := range changed {
		files = append(files, path)
		moved = moved.With(moves(e.Move).to(path), content)
	}
	uses, err := scopesOf(ctx, v, workspace.AllScopes, files...)
	if err != nil {
		return "", err
	}
	session := builder.NewSession(moved)
	for _, u := range uses {
		dir := u.Build.Root.Dir
		after, err := u.again(ctx, session, moves(e.Move).to(dir))
		if err != nil {
			return "", err
		}
		c := &renameComparison{before: u.Result, after: after, table: &mentioning{table: u.Build.Session().Table()}, moved: true}
		if reason := c.compare(); reason != "" {
			return v.ShortPath(dir) + ": " + reason, nil
		}
	}
	return deployed.CheckMoved(ctx, v, moved)
}
