//go:build unix

package vfs

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// readRegular returns the contents of a regular file of at most limit bytes. What it
// judges is what it opened, not what the name stood for a moment before; and opening
// does not wait for the other end of a pipe.
func readRegular(path string, limit int64) ([]byte, error) {
	fail := func(op string, err error) ([]byte, error) { return nil, &fs.PathError{Op: op, Path: path, Err: err} }
	fd, err := again(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return fail("open", err)
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	switch err := syscall.Fstat(fd, &info); {
	case err != nil:
		return fail("stat", err)
	case info.Mode&syscall.S_IFMT != syscall.S_IFREG || isPseudo(fd):
		return fail("read", ErrNotRegular)
	case info.Size > limit:
		return fail("read", ErrTooLarge)
	}
	data, err := readAll(fd, int(info.Size), limit)
	if err != nil {
		return fail("read", err)
	}
	return data, nil
}

// readAll reads to the end, which need not be where the size said.
func readAll(fd, size int, limit int64) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := again(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		data = data[:len(data)+max(n, 0)]
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case n <= 0:
			return data, nil
		case int64(len(data)) > limit:
			return nil, ErrTooLarge
		}
	}
}

// again repeats a call that a signal interrupted.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
