//go:build unix

package vfs_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestDiskReadsRegularFilesOnly takes what looks like a file and has no end, waits for
// somebody, or is made up by the kernel.
func TestDiskReadsRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(syscall.Mkfifo(at("fifo"), 0o644))
	listener, err := net.Listen("unix", at("socket"))
	must(err)
	defer listener.Close()
	must(os.WriteFile(at("large"), nil, 0o644))
	must(os.Truncate(at("large"), 64<<20+1))
	must(os.WriteFile(at("fits"), nil, 0o644))
	must(os.Truncate(at("fits"), 64<<20))
	want := map[string]error{at("fifo"): vfs.ErrNotRegular, at("socket"): vfs.ErrNotRegular, dir: vfs.ErrNotRegular, "/dev/zero": vfs.ErrNotRegular,
		at("large"): vfs.ErrTooLarge, at("fits"): nil, at("none"): fs.ErrNotExist}
	if runtime.GOOS == "linux" {
		must(os.Symlink("/proc/self", at("self")))
		must(os.Symlink("self/environ", at("link")))
		for _, path := range []string{"/proc/self/environ", "/proc/self/pagemap", "/proc/self/mem", "/proc/kmsg", at("link"), at("self/maps"), "/sys/kernel/notes"} {
			if _, err := os.Stat(path); err == nil {
				want[path] = vfs.ErrNotRegular
			}
		}
	}
	for path, wanted := range want {
		read := make(chan error, 1)
		go func() {
			_, err := vfs.Disk().ReadFile(path)
			read <- err
		}()
		select {
		case err := <-read:
			if errors.Is(err, fs.ErrPermission) && os.Getuid() != 0 {
				continue
			}
			if !errors.Is(err, wanted) {
				t.Errorf("%s: %v, want %v", path, err, wanted)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: reading hangs", path)
		}
	}
	if _, err := vfs.DiskUpTo(3).ReadFile("hostile_unix_test.go"); !errors.Is(err, vfs.ErrTooLarge) {
		t.Errorf("with another limit: %v", err)
	}
}

// TestDiskIsNotTrickedByASwap has a file become a pipe, and a file again, while it is read.
func TestDiskIsNotTrickedByASwap(t *testing.T) {
	dir := t.TempDir()
	path, stop, stopped := filepath.Join(dir, "file"), make(chan struct{}), make(chan struct{})
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			other := filepath.Join(dir, "other")
			_ = syscall.Mkfifo(other, 0o644)
			_ = os.Rename(other, path)
			_ = os.WriteFile(other, []byte("text"), 0o644)
			_ = os.Rename(other, path)
		}
	}()
	done := make(chan struct{})
	go func() {
		read := 0
		for i := 0; i < 3000 || read == 0; i++ { // the writer may rest while there is a pipe
			if data, err := vfs.Disk().ReadFile(path); err == nil && string(data) == "text" {
				read++
			}
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("reading hangs")
	}
	close(stop)
	<-stopped
}
