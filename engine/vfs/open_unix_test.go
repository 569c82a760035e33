//go:build unix

package vfs

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// What is opened is judged, too: a name may have become a pipe since somebody looked.
func TestReadRegularRefusesAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
	if data, err := readRegular(path, 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%q, %v", data, err)
	}
}
