//go:build !unix

package vfs

import (
	"io"
	"io/fs"
	"os"
)

// readRegular returns the contents of a regular file of at most limit bytes. What it
// judges is what it opened, not what the name stood for a moment before.
func readRegular(path string, limit int64) ([]byte, error) {
	fail := func(err error) ([]byte, error) { return nil, &fs.PathError{Op: "read", Path: path, Err: err} }
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	switch info, err := file.Stat(); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return fail(ErrNotRegular)
	case info.Size() > limit:
		return fail(ErrTooLarge)
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return fail(ErrTooLarge)
	}
	return data, err
}
