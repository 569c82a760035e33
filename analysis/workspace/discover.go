package workspace

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// walk looks into all folders of a view. The views that follow on it share it: it goes on when the view it was begun for
// is of no more use.
type walk struct {
	*running
	// changed are the paths that changed since it began.
	changed []string
}

type running struct {
	discovery *analysis.Discovery
	done      chan struct{}
	err       error // once it is done
}

func (v *View) startWalk() *walk {
	r := &running{discovery: analysis.NewDiscovery(v.files), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.err = r.discovery.Run(context.Background(), v.folders...) // a panic is an error
	}()
	return &walk{running: r}
}

// after returns the walk for files of which more changed.
func (w *walk) after(changed []string) *walk {
	return &walk{w.running, append(slices.Clone(w.changed), changed...)}
}

func (r *running) isDone() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// stalls is for how long no folder could be read where the others are waited for no more.
const stalls = 40 * time.Millisecond

// await waits until the walk is done or, for requests about files, until it hangs in folders in and above which none of the
// files is.
func (r *running) await(ctx context.Context, files []string) error {
	check := time.NewTicker(stalls / 4)
	defer check.Stop()
	for !r.isDone() {
		if len(files) > 0 && r.hangsElsewhere(files) {
			return nil
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return ctx.Err()
		case <-check.C:
		}
	}
	return r.err
}

func (r *running) hangsElsewhere(files []string) bool {
	_, looking, idle := r.discovery.Progress()
	return idle > stalls && len(looking) > 0 && !slices.ContainsFunc(looking, func(dir string) bool {
		return slices.ContainsFunc(files, func(file string) bool { return vfs.Below(dir, file) })
	})
}

// isBeingRead tells whether a folder is one whose kustomization is not known yet.
func (v *View) isBeingRead(dir string) bool {
	v.mutex.Lock()
	w := v.walk
	v.mutex.Unlock()
	return w != nil && w.discovery.IsLooking(dir)
}

// Roots returns what was discovered, by folder.
func (v *View) Roots(ctx context.Context) (map[string]*Root, error) {
	s, err := v.discover(ctx, nil)
	if err != nil {
		return nil, err
	}
	return s.roots, nil
}

// RootsFor is Roots for a question about some files. Where folders cannot be read for long that are neither theirs nor above
// them, the answer is without the kustomizations there.
func (v *View) RootsFor(ctx context.Context, files ...string) (map[string]*Root, error) {
	s, err := v.discover(ctx, files)
	if err != nil {
		return nil, err
	}
	return s.roots, nil
}

// IsWhole tells whether all folders were looked into.
func (v *View) IsWhole() bool {
	s := v.discovered()
	return s != nil && s.whole
}

// discover finds out the state: the whole of it where no files are given.
func (v *View) discover(ctx context.Context, files []string) (*state, error) {
	if s := v.discovered(); s != nil && s.whole {
		return s, nil
	}
	if w := v.walkNeeded(); w != nil {
		if err := w.await(ctx, files); err != nil {
			v.dropWalk(w)
			return nil, err
		}
	}
	select {
	case v.gate <- struct{}{}:
		defer func() { <-v.gate }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s := v.discovered(); s != nil && s.whole {
		return s, nil
	}
	s := &state{whole: true}
	targets, changed := map[string]analysis.Target{}, v.changed
	if w := v.walkNeeded(); w != nil {
		s.whole = w.isDone()
		found, _, _ := w.discovery.Progress()
		for _, t := range found {
			targets[t.Dir] = t
		}
		changed = w.changed
	} else {
		for dir, r := range v.base.roots {
			targets[dir] = r.Target
		}
	}
	if err := v.discoverChanged(ctx, changed, targets); err != nil {
		return nil, err
	}
	s.roots = make(map[string]*Root, len(targets))
	for dir, t := range targets {
		s.roots[dir] = v.takeOver(t)
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.state = s; s.whole {
		v.base, v.changed, v.moved, v.walk = nil, nil, false, nil
	}
	return s, nil
}

// walkNeeded returns the walk that finds the kustomizations; nil where the base says which there are.
func (v *View) walkNeeded() *walk {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.base != nil && v.base.whole && !v.moved {
		return nil
	}
	if v.walk == nil {
		v.walk = v.startWalk()
	}
	return v.walk
}

// dropWalk has a walk begun anew that broke down.
func (v *View) dropWalk(w *walk) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if w.isDone() && v.walk == w {
		v.walk = nil
	}
}

// discovered returns the state, nil before it is known.
func (v *View) discovered() *state {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.state
}

// discoverChanged looks where something changed.
func (v *View) discoverChanged(ctx context.Context, changed []string, targets map[string]analysis.Target) error {
	for _, path := range changed {
		if !v.IsInFolders(path) {
			continue
		}
		if isDir, err := v.files.IsDir(path); err == nil && !isDir {
			if IsKustomization(path) {
				if err := v.discoverIn(ctx, filepath.Dir(path), targets); err != nil {
					return err
				}
			}
			continue
		}
		// A folder, or something that is gone and may have been one.
		maps.DeleteFunc(targets, func(dir string, _ analysis.Target) bool { return vfs.Below(path, dir) })
		look := v.discoverBelow
		if IsKustomization(path) {
			path, look = filepath.Dir(path), v.discoverIn
		}
		if err := look(ctx, path, targets); err != nil {
			return err
		}
	}
	return nil
}

// discoverBelow adds the kustomizations at a path. That there are none, or that the
// path does not exist, is no error.
func (v *View) discoverBelow(ctx context.Context, path string, targets map[string]analysis.Target) error {
	found, err := analysis.Discover(ctx, v.files, path)
	if err != nil {
		return ctx.Err()
	}
	for _, t := range found {
		targets[t.Dir] = t
	}
	return nil
}

// discoverIn looks for a kustomization in one folder, and not below it.
func (v *View) discoverIn(ctx context.Context, dir string, targets map[string]analysis.Target) error {
	delete(targets, dir)
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if isDir, err := v.files.IsDir(path); err != nil || isDir {
			continue
		}
		if err := v.discoverBelow(ctx, path, targets); err != nil {
			return err
		}
	}
	return nil
}
