package vfs

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"
)

// Watcher finds out what changed on disk by looking again: for editors that cannot
// tell. It watches no more than it is asked to, and uses nothing of the system that
// could run out. It is for one goroutine.
type Watcher struct {
	source stamper
	lists  Source
	skip   func(name string) bool
	last   time.Time // when the last Poll began

	folders map[string]*listing
	files   map[string]stamp
}

// stamper is a Source that can tell cheaply whether something changed.
type stamper interface {
	// Stamp returns the zero stamp for what is not there.
	Stamp(path string) stamp
}

// stamp is equal for two looks at the same version of a file or folder.
type stamp struct {
	modified int64 // nanoseconds since 1970
	size     int64
	mode     fs.FileMode
}

// listing is what a folder had when it was listed.
type listing struct {
	stamp  stamp
	listed time.Time
	names  map[string]bool // whether it is a folder
}

const (
	// maxWatchedFolders bounds the folders in which new files are noticed.
	maxWatchedFolders = 50_000
	// coarse is how far the clock of a file system may be behind: what changed this
	// shortly before it was looked at may change again unnoticed, or have changed after.
	coarse = 2 * time.Second
)

// NewWatcher returns a watcher of a source that leaves out folders by their names; nil
// where the source cannot tell what changed.
func NewWatcher(source Source, skip func(name string) bool) *Watcher {
	s, ok := source.(stamper)
	if !ok {
		return nil
	}
	return &Watcher{source: s, lists: source, skip: skip, last: time.Now(), folders: map[string]*listing{}, files: map[string]stamp{}}
}

// Poll returns the paths that were created, changed or removed since the last time:
// any in or below the folders, and of the files given those of which the contents
// are others. What is below a folder that came or went is not listed. The error is
// for cancellation.
func (w *Watcher) Poll(ctx context.Context, folders, files []string) ([]string, error) {
	began := time.Now()
	var changed []string
	for _, folder := range folders {
		if err := w.visit(ctx, filepath.Clean(folder), &changed); err != nil {
			return nil, err
		}
	}
	for i, path := range files {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		now := w.source.Stamp(path)
		before, known := w.files[path]
		w.files[path] = now
		if known && now != before || !known && now.modified > w.last.Add(-coarse).UnixNano() {
			changed = append(changed, path)
		}
	}
	w.last = began
	return changed, nil
}

// visit looks at a folder and those below it.
func (w *Watcher) visit(ctx context.Context, dir string, changed *[]string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := w.source.Stamp(dir)
	known, ok := w.folders[dir]
	switch {
	case !ok && len(w.folders) >= maxWatchedFolders:
		return nil
	case !ok:
		known = &listing{}
		w.folders[dir] = known
		w.list(dir, known, now, nil)
	case now != known.stamp, known.listed.Sub(time.Unix(0, known.stamp.modified)) < coarse:
		w.list(dir, known, now, changed)
	}
	for name, isDir := range known.names {
		if isDir && !w.skip(name) {
			if err := w.visit(ctx, filepath.Join(dir, name), changed); err != nil {
				return err
			}
		}
	}
	return nil
}

// list lists a folder anew, and adds the differences unless changed is nil.
func (w *Watcher) list(dir string, known *listing, now stamp, changed *[]string) {
	before := known.names
	known.stamp, known.listed, known.names = now, time.Now(), map[string]bool{}
	entries, err := w.lists.ReadDir(dir)
	if err != nil {
		entries = nil // it is gone, or nobody may read it
	}
	for _, e := range entries {
		known.names[e.Name()] = e.IsDir()
	}
	if changed == nil {
		return
	}
	for name, isDir := range known.names {
		if was, ok := before[name]; !ok || was != isDir {
			*changed = append(*changed, filepath.Join(dir, name))
		}
	}
	for name, wasDir := range before {
		isDir, ok := known.names[name]
		if !ok {
			*changed = append(*changed, filepath.Join(dir, name))
		}
		if wasDir && !isDir {
			w.forget(filepath.Join(dir, name))
		}
	}
}

// forget drops what is known of a folder that is gone.
func (w *Watcher) forget(dir string) {
	known := w.folders[dir]
	if known == nil {
		return
	}
	delete(w.folders, dir)
	for name, isDir := range known.names {
		if isDir {
			w.forget(filepath.Join(dir, name))
		}
	}
}
