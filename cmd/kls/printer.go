package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// printer shows absolute paths and byte offsets as people and tools read them.
type printer struct {
	files *vfs.Snapshot
	paths []string // of the command line: absolute, without symbolic links
	// folder is the working folder, which all printed paths are relative to, except those of formats for a forge, which
	// wants them from the root of the repository.
	folder string
	color  bool
	// configs are the configurations of the files; nil where nobody has asked.
	configs *config.Set
	// oneRoot is true where there is only one root that a mistake can concern.
	oneRoot bool
	lines   map[string]*source
	scopes  map[string]string // by folder; see repositoryPath
}

// source is a file's text and its line index; both are nil for what cannot be read.
type source struct {
	text  []byte
	lines *text.Lines
	// private is true for what no line is shown of: a file outside of the repositories
	// that kls was asked about.
	private bool
}

// newPrinter is newPrinterOn for a command without limits of its own.
func newPrinter(paths []string, color string, out io.Writer) (*printer, error) {
	return newPrinterOn((&outsideFlags{}).disk(), paths, color, out)
}

func newPrinterOn(disk vfs.Source, paths []string, color string, out io.Writer) (*printer, error) {
	colored, err := wantsColor(color, out)
	if err != nil {
		return nil, err
	}
	v := &printer{files: vfs.NewSnapshot(disk), color: colored, lines: map[string]*source{}}
	if v.folder, err = realPath(v.files, "."); err != nil {
		return nil, err
	}
	for _, path := range paths {
		real, err := realPath(v.files, path)
		if err != nil {
			return nil, err
		}
		v.paths = append(v.paths, real)
	}
	return v, nil
}

// forget makes the printer one of other files.
func (v *printer) forget(files *vfs.Snapshot) {
	v.files, v.lines = files, map[string]*source{}
}

// source returns the text of a file.
func (v *printer) source(path string) *source {
	s, ok := v.lines[path]
	if !ok {
		s = &source{}
		if isDir, err := v.files.IsDir(path); err == nil && !isDir {
			if f, err := v.files.ReadFile(path); err == nil {
				s.text, s.lines, s.private = f.Data, text.NewLines(f.Data), v.isOutside(path)
			}
		}
		v.lines[path] = s
	}
	return s
}

// isOutside tells whether a file lies outside of the repositories of the command line.
// Where these are in none, only links that lead elsewhere are.
func (v *printer) isOutside(path string) bool {
	if config.LeadsOutside(v.files, path) {
		return true
	}
	real, err := v.files.EvalSymlinks(path)
	if err != nil {
		return false // it is unsaved, or of a commit
	}
	repositories := 0
	for _, named := range append([]string{v.folder}, v.paths...) {
		scope := v.scope(named)
		if vfs.Below(scope, real) {
			return false
		}
		if _, err := v.files.IsDir(filepath.Join(scope, ".git")); err == nil {
			repositories++
		}
	}
	return repositories > 0
}

// position returns the 1-based line and the 1-based column in code points of a
// byte offset; 1:1 in what cannot be read.
func (s *source) position(offset int) (line, column int) {
	if s.lines == nil {
		return 1, 1
	}
	return s.lines.OffsetToLineColumn(offset)
}

// line returns the line in which a byte offset is, without its end.
func (s *source) line(offset int) string {
	if s.lines == nil || s.private {
		return ""
	}
	span := s.lines.LineSpan(s.lines.OffsetToPosition(offset, text.UTF8).Line)
	return string(s.text[span.Start:span.End])
}

// relative returns the path as seen from a folder, with forward slashes.
func relative(folder, path string) string {
	short, err := filepath.Rel(folder, path)
	if err != nil {
		short = path
	}
	return filepath.ToSlash(short)
}

// shown returns a path as it is shown in text: as seen from the working folder,
// but not through more than a few folders upwards.
func (v *printer) shown(path string) string {
	short := relative(v.folder, path)
	if len(short) > len(path) {
		return filepath.ToSlash(path)
	}
	return short
}

func wantsColor(choice string, out io.Writer) (bool, error) {
	switch choice {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		if force := os.Getenv("FORCE_COLOR"); force != "" {
			return force != "0" && force != "false", nil
		}
		return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(out), nil
	}
	return false, errColor(choice)
}

func isTerminal(out io.Writer) bool {
	if o, ok := out.(*outlet); ok {
		out = o.Writer
	}
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
