package workspace

import (
	"fmt"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// NameOf names the folder of a root for people: as seen from the folder that is
// looked into.
func (v *View) NameOf(dir string) string {
	for _, folder := range v.folders {
		if vfs.Below(folder, dir) && folder != dir {
			return RelativeTo(folder, dir)
		}
	}
	return filepath.Base(dir)
}

// RelativeTo returns a path as it is seen from a folder, with forward slashes.
func RelativeTo(dir, path string) string {
	if relative, err := filepath.Rel(dir, path); err == nil {
		path = relative
	}
	return filepath.ToSlash(path)
}

// PathFromFolder returns a path as people know it: from the folder that they opened.
func (v *View) PathFromFolder(path string) string {
	if name, err := filepath.Rel(v.FolderOf(path), path); err == nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(path)
}

// FolderOf returns the folder among those that are looked into that a file is in: the
// outermost, since builds anywhere in it may use the file.
func (v *View) FolderOf(file string) string {
	outermost := filepath.Dir(file)
	for _, folder := range v.folders {
		if vfs.Below(folder, file) && vfs.Below(folder, outermost) {
			outermost = folder
		}
	}
	return outermost
}

// ShortPath names a folder relative to the one that is looked into.
func (v *View) ShortPath(dir string) string {
	for _, folder := range v.folders {
		if vfs.Below(folder, dir) {
			if relative, err := filepath.Rel(filepath.Dir(folder), dir); err == nil {
				return filepath.ToSlash(relative)
			}
		}
	}
	return filepath.ToSlash(dir)
}

// ShowPlace names a place for people: the file and its line.
func (v *View) ShowPlace(p analysis.Place) string {
	line := 1
	if f, err := v.files.ReadFile(p.File); err == nil {
		line, _ = text.NewLines(f.Data).OffsetToLineColumn(p.Span.Start)
	}
	return fmt.Sprintf("%s, line %d", v.ShortFile(p.File), line)
}

func (v *View) ShortFile(path string) string {
	return v.ShortPath(filepath.Dir(path)) + "/" + filepath.Base(path)
}
