package ide

import (
	"fmt"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// nameOf names the folder of a root for people: as seen from the folder that is
// looked into.
func (v *View) nameOf(dir string) string {
	for _, folder := range v.folders {
		if vfs.Below(folder, dir) && folder != dir {
			return relativeTo(folder, dir)
		}
	}
	return filepath.Base(dir)
}

// relativeTo returns a path as it is seen from a folder, with forward slashes.
func relativeTo(dir, path string) string {
	if relative, err := filepath.Rel(dir, path); err == nil {
		path = relative
	}
	return filepath.ToSlash(path)
}

// shown returns a path as people know it: from the folder that they opened.
func (v *View) shown(path string) string {
	if name, err := filepath.Rel(v.folderOf(path), path); err == nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(path)
}

// folderOf returns the folder among those that are looked into that a file is in: the
// outermost, since builds anywhere in it may use the file.
func (v *View) folderOf(file string) string {
	outermost := filepath.Dir(file)
	for _, folder := range v.folders {
		if vfs.Below(folder, file) && vfs.Below(folder, outermost) {
			outermost = folder
		}
	}
	return outermost
}

// shortPath names a folder relative to the one that is looked into.
func (v *View) shortPath(dir string) string {
	for _, folder := range v.folders {
		if vfs.Below(folder, dir) {
			if relative, err := filepath.Rel(filepath.Dir(folder), dir); err == nil {
				return filepath.ToSlash(relative)
			}
		}
	}
	return filepath.ToSlash(dir)
}

// showPlace names a place for people: the file and its line.
func (v *View) showPlace(p analysis.Place) string {
	line := 1
	if f, err := v.files.ReadFile(p.File); err == nil {
		line, _ = text.NewLines(f.Data).OffsetToLineColumn(p.Span.Start)
	}
	return fmt.Sprintf("%s, line %d", v.shortFile(p.File), line)
}

func (v *View) shortFile(path string) string {
	return v.shortPath(filepath.Dir(path)) + "/" + filepath.Base(path)
}
