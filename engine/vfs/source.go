// Package vfs gives the engine its files: immutable contents, unsaved editor
// buffers laid over a disk, content hashes, and a record of what was read. It
// is the only place in the engine that touches a disk.
package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MaxFileSize is the largest file that is read, in bytes, unless somebody says
// otherwise. A larger one is an error: nothing that belongs into a kustomization
// comes near it, and a core dump named by mistake must not fill the memory.
const MaxFileSize = 64 << 20

var (
	// ErrTooLarge is returned for a file over the limit.
	ErrTooLarge = errors.New("file is too large")
	// ErrNotRegular is returned for what is not a file that somebody wrote: folders,
	// pipes, sockets, devices, and what the kernel makes up, as in /proc.
	ErrNotRegular = errors.New("not a regular file")
)

// Source is a read-only file system. Paths are absolute and in the form of the
// operating system. Implementations are safe for concurrent use.
type Source interface {
	// ReadFile returns the contents of a regular file.
	ReadFile(path string) ([]byte, error)
	// IsDir tells whether the path is a folder; the error is fs.ErrNotExist (or
	// wraps it) where there is nothing.
	IsDir(path string) (bool, error)
	// ReadDir returns the names in a folder, sorted.
	ReadDir(path string) ([]fs.DirEntry, error)
	// EvalSymlinks returns the path with every symbolic link resolved.
	EvalSymlinks(path string) (string, error)
}

// lstater is a Source that can tell of one name whether it is a symbolic link,
// without resolving the folders before it.
type lstater interface {
	Lstat(path string) (fs.FileMode, error)
}

// Disk returns the file system of the operating system.
func Disk() Source { return disk{MaxFileSize} }

// DiskUpTo returns the file system of the operating system with another limit for
// the size of files, in bytes.
func DiskUpTo(limit int64) Source { return disk{limit} }

type disk struct{ limit int64 }

// ReadFile is Source's. It looks before it opens, since opening a device may have effects.
func (d disk) ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	return readRegular(path, d.limit)
}

func (disk) IsDir(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	return info.IsDir(), nil
}

func (disk) Lstat(path string) (fs.FileMode, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// Stamp implements stamper. Symbolic links are followed: what counts is what is read.
func (disk) Stamp(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{modified: info.ModTime().UnixNano(), size: info.Size(), mode: info.Mode()}
}

func (disk) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

func (disk) EvalSymlinks(path string) (string, error) { return filepath.EvalSymlinks(path) }
