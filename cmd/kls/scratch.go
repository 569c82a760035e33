package main

import (
	"os"
	"path/filepath"
	"sync"
)

// scratch has read-only files in a folder of its own, which is made for the first
// of them.
type scratch struct {
	mutex sync.Mutex
	dir   string
}

// Write puts a file in the place of an earlier one whole.
func (s *scratch) Write(name string, content []byte) (path string, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "kls-"); err != nil {
			return "", err
		}
		// As editors and the server name it, also where the folder for temporary files is
		// a symbolic link.
		if real, err := filepath.EvalSymlinks(s.dir); err == nil {
			s.dir = real
		}
	}
	f, err := os.CreateTemp(s.dir, "new-")
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	path = filepath.Join(s.dir, filepath.Base(name))
	if err == nil {
		err = os.Chmod(f.Name(), 0o400)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name()) // the folder is deleted in the end anyway
		return "", err
	}
	return path, nil
}

// Close deletes the folder.
func (s *scratch) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.dir == "" {
		return nil
	}
	dir := s.dir
	s.dir = ""
	return os.RemoveAll(dir)
}
