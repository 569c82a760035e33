package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// writeWhole writes a file so that at every moment it is the old one or the new one,
// never a part. The file that a link leads to is written, but not out of the
// repository that the link is in. Owner and mode stay; a read-only file does, too.
func writeWhole(path string, content []byte) error {
	return replacement{path: path, content: content}.write()
}

// replacement is a file that takes the place of another.
type replacement struct {
	path    string
	content []byte
	// step, where it is not nil, is called before each step.
	step func()
}

func (r replacement) next() {
	if r.step != nil {
		r.step()
	}
}

func (r replacement) write() error {
	path, err := resolveTarget(r.path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return r.replace(path, nil)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; --output takes a file", r.path)
	case !info.Mode().IsRegular():
		return os.WriteFile(path, r.content, 0o644) // a device or a pipe cannot be replaced
	}
	if reason := keptAsItIs(info); reason != "" {
		return fmt.Errorf("%s is left as it is: %s", r.path, reason)
	}
	return r.replace(path, info)
}

// resolveTarget returns the path without links.
func resolveTarget(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if isForeign(absolute) {
		return "", fmt.Errorf("%s is left as it is: %s", path, leadsAway)
	}
	real, err := filepath.EvalSymlinks(absolute)
	if errors.Is(err, os.ErrNotExist) {
		// A link that leads nowhere would be a way to make a file elsewhere.
		if info, err := os.Lstat(absolute); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return "", fmt.Errorf("%s is left as it is: it is a link to what is not there", path)
		}
		return absolute, nil
	}
	return real, err
}

// isForeign tells whether a path is in a git repository and is, or goes through, a link
// that leads out of it.
func isForeign(path string) bool {
	files := vfs.NewSnapshot(vfs.Disk())
	real, err := files.EvalSymlinks(path)
	if err != nil {
		real, err = files.EvalSymlinks(filepath.Dir(path))
	}
	if err != nil {
		return false
	}
	scope, ok := repositoryAbove(filepath.Dir(path))
	if !ok {
		return false
	}
	if scope, err = filepath.EvalSymlinks(scope); err != nil {
		return true
	}
	return !vfs.Below(scope, real)
}

// repositoryAbove returns the nearest folder upwards that has a .git, by names alone.
func repositoryAbove(dir string) (string, bool) {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, ".git")); err == nil {
			return up, true
		}
		if up == filepath.Dir(up) {
			return "", false
		}
	}
}

// keptAsItIs returns why a file must not be replaced; empty where it may.
func keptAsItIs(info os.FileInfo) string {
	switch {
	case info.Mode().Perm()&0o222 == 0:
		return "it is read-only"
	case hardLinks(info) > 1:
		return "it has other names, which would keep the old content"
	}
	return ""
}

// replace writes a temporary file beside the old one and gives it the name. The info is
// nil where there is no old one.
func (r replacement) replace(path string, old os.FileInfo) (err error) {
	removeLeftovers(filepath.Dir(path))
	r.next()
	temporary, err := os.CreateTemp(filepath.Dir(path), leftoverPrefix+strconv.Itoa(os.Getpid())+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, temporary.Close(), os.Remove(temporary.Name()))
		}
	}()
	r.next()
	if _, err = temporary.Write(r.content); err != nil {
		return err
	}
	r.next()
	if err = takeOver(temporary, old); err != nil {
		return err
	}
	r.next()
	if err = errors.Join(temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	r.next()
	if err = os.Rename(temporary.Name(), path); err == nil {
		r.next()
	}
	return err
}

// takeOver gives a file the owner and mode of the one that it replaces.
func takeOver(file *os.File, old os.FileInfo) error {
	if old == nil {
		return file.Chmod(0o644)
	}
	if err := keepOwner(file, old); err != nil {
		return fmt.Errorf("its owner cannot be kept: %w", err)
	}
	return file.Chmod(old.Mode().Perm())
}

// leftoverPrefix begins the names of temporary files; the number of the process that
// writes one follows.
const leftoverPrefix = ".kls-new-"

// removeLeftovers removes what processes left that were killed while they wrote.
func removeLeftovers(dir string) {
	names, err := filepath.Glob(filepath.Join(globQuoted(dir), leftoverPrefix+"*"))
	if err != nil {
		return
	}
	for _, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(name), leftoverPrefix), "-")
		if pid, err := strconv.Atoi(number); err == nil && !isAlive(pid) {
			_ = os.Remove(name) // the next one tries again
		}
	}
}

// globQuoted is a folder in which filepath.Glob sees no pattern.
func globQuoted(dir string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(dir)
}
