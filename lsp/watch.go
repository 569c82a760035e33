package lsp

import (
	"context"
	"time"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

const (
	// watchInterval is how often the disk is looked at, if that is quick.
	watchInterval = 2 * time.Second
	// watchShare is the part of the time, one of so many, that looking may take.
	watchShare = 50
)

// watch looks at the disk for a client that does not: at everything where it cannot
// tell of changes at all, else at the files that are read outside of its folders.
func (s *server) watch(ctx context.Context) {
	if s.watcher == nil {
		return
	}
	pause := watchInterval
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.options.After(pause):
		}
		began := time.Now()
		folders, files := s.watched()
		changed, err := s.watcher.Poll(ctx, folders, files)
		if err != nil {
			return
		}
		s.changedOnDisk(changed)
		pause = max(watchInterval, watchShare*time.Since(began))
	}
}

// watched returns the folders and files to look at.
func (s *server) watched() (folders, files []string) {
	s.mutex.Lock()
	view, told := s.view, s.watchesFiles
	s.mutex.Unlock()
	folders, files = view.Folders(), view.ReadFiles()
	if !told {
		return folders, files
	}
	var outside []string
	for _, path := range files {
		if !isBelowOneOf(folders, path) {
			outside = append(outside, path)
		}
	}
	return nil, outside
}

func isBelowOneOf(folders []string, path string) bool {
	for _, folder := range folders {
		if vfs.Below(folder, path) {
			return true
		}
	}
	return false
}

// changedOnDisk remembers that paths were created, changed or removed. A checkout
// brings thousands of them, in many messages: they are taken in together, when the
// view is asked for next.
func (s *server) changedOnDisk(paths []string) {
	if len(paths) == 0 {
		return
	}
	s.mutex.Lock()
	s.stale = append(s.stale, paths...)
	s.mutex.Unlock()
	s.publisher.wake()
}

// latest returns the view with what changed on disk. The caller holds the mutex.
func (s *server) latest() *workspace.View {
	if len(s.stale) > 0 {
		s.view, s.stale = s.view.Changed(s.stale...), nil
	}
	return s.view
}
