package analysis

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Target is a folder with a kustomization file.
type Target struct {
	// Dir is an absolute path.
	Dir string
	// Component is true where the file says that it is a component.
	Component bool
}

// fluxGroup begins the apiVersion of Flux's objects of kind Kustomization.
const fluxGroup = "kustomize.toolkit.fluxcd.io/"

// Discover finds the kustomizations in the folder and below it, sorted by folder.
// The path is absolute; that of a kustomization file stands for its folder alone.
// Folders of version control, package managers and caches are left out, unless
// the path itself leads there; symbolic links to folders are not followed. What
// cannot be read is passed over, except the path itself.
func Discover(ctx context.Context, files *vfs.Snapshot, path string) ([]Target, error) {
	path = filepath.Clean(path)
	isDir, err := files.IsDir(path)
	if err != nil {
		return nil, err
	}
	if !isDir {
		target, ok := targetIn(files, filepath.Dir(path), []string{filepath.Base(path)})
		if !ok {
			return nil, &fs.PathError{Op: "check", Path: path, Err: errors.New("neither a folder nor a kustomization file")}
		}
		return []Target{target}, nil
	}
	if _, err := files.ReadDir(path); err != nil {
		return nil, err
	}
	d := NewDiscovery(files)
	if err := d.Run(ctx, path); err != nil {
		return nil, err
	}
	slices.SortFunc(d.targets, func(a, b Target) int { return cmp.Compare(a.Dir, b.Dir) })
	return d.targets, nil
}

// Discovery is looking for kustomizations, and says meanwhile what it has found.
type Discovery struct {
	files *vfs.Snapshot

	mutex   sync.Mutex
	targets []Target
	looking map[string]bool // the folders that are being looked into
	moved   time.Time       // when it came to a folder last, or left one
}

// NewDiscovery returns one that has found nothing yet.
func NewDiscovery(files *vfs.Snapshot) *Discovery {
	return &Discovery{files: files, looking: map[string]bool{}, moved: time.Now()}
}

// Run looks into folders, and those below them. The error is for cancellation, which waits for no folder that hangs.
func (d *Discovery) Run(ctx context.Context, folders ...string) error {
	return parallel.Walk(ctx, "", func(dir string) []string {
		if dir == "" {
			return folders
		}
		return d.look(dir)
	})
}

// IsLooking tells whether a folder is being looked into.
func (d *Discovery) IsLooking(dir string) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.looking[dir]
}

// Progress returns what was found so far, in no order, the folders that are being looked into, and for how long none
// of them was done.
func (d *Discovery) Progress() (targets []Target, looking []string, idle time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return slices.Clone(d.targets), slices.Collect(maps.Keys(d.looking)), time.Since(d.moved)
}

func (d *Discovery) enter(dir string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.looking[dir], d.moved = true, time.Now()
}

func (d *Discovery) leave(dir string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	delete(d.looking, dir)
	d.moved = time.Now()
}

// look looks for a target in a folder, and returns the folders in it.
func (d *Discovery) look(dir string) (below []string) {
	d.enter(dir)
	defer d.leave(dir)
	entries, err := d.files.ReadDir(dir)
	if err != nil {
		return nil // what nobody may read, no build reads either
	}
	var names []string
	for _, e := range entries {
		switch {
		case !e.IsDir():
			names = append(names, e.Name())
		case !vfs.IsToolFolder(e.Name()):
			below = append(below, filepath.Join(dir, e.Name()))
		}
	}
	if t, ok := targetIn(d.files, dir, names); ok {
		d.mutex.Lock()
		defer d.mutex.Unlock()
		d.targets = append(d.targets, t)
	}
	return below
}

// targetIn looks for a kustomization among the files of a folder.
func targetIn(files *vfs.Snapshot, dir string, names []string) (Target, bool) {
	t := Target{Dir: dir}
	found := false
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if !slices.Contains(names, name) || isFolder(files, path) {
			continue
		}
		kind, apiVersion := header(files, path)
		if strings.HasPrefix(apiVersion, fluxGroup) {
			continue
		}
		found = true
		t.Component = t.Component || kind == kustomization.KindComponent
	}
	return t, found
}

func isFolder(files *vfs.Snapshot, path string) bool {
	dir, err := files.IsDir(path)
	return err == nil && dir
}

// header returns what the first document of a file says that it is, as far as
// that can be read; nothing for a kustomization that is neither a component nor Flux's.
func header(files *vfs.Snapshot, path string) (kind, apiVersion string) {
	f, err := files.ReadFile(path)
	if err != nil || isOrdinary(f.Data) {
		return "", ""
	}
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add(path, f.Data))
	if len(parsed.Documents) == 0 {
		return "", ""
	}
	root := parsed.Documents[0].Root
	if _, n := syntax.Field(root, "kind"); n != nil {
		kind = n.Value
	}
	if _, n := syntax.Field(root, "apiVersion"); n != nil {
		apiVersion = n.Value
	}
	return kind, apiVersion
}

// isOrdinary tells of a text that can hold neither word that matters in a header: it need
// not be parsed for that. An escape in quotes, and UTF-16, could hide one.
func isOrdinary(text []byte) bool {
	return !bytes.Contains(text, []byte(kustomization.KindComponent)) && !bytes.Contains(text, []byte(fluxGroup)) &&
		bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, 0) < 0
}
