// Package workspace holds what an editor or a command has open: which kustomizations there
// are, what became of building and checking them, which of them read a file, and what of
// all that stays when a file changes. It answers no question about a position.
package workspace

import (
	"bytes"
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// View is all that a request may see: the files at one moment, and what was built
// of them. It is never changed, and safe for concurrent use. What a change does
// not touch, the next view takes over.
type View struct {
	files   *vfs.Snapshot
	session *builder.Session
	folders []string
	options analysis.Options
	cache   *cache
	schemas *schemas
	// history is how the files came to be as they are; lastLoaded is kept along it.
	history     *history
	loadedCache *loadedCache
	// layout stands for which files there are, and the folders that are looked into: it
	// is another one after each change of that.
	layout *layout

	gate  chan struct{} // taken while the state is found out; guards what follows
	mutex sync.Mutex    // guards the writing of it
	state *state        // nil until it is asked for
	// base is the state of the last view that had one, changed what changed since
	// then. moved is true where other folders are looked into than there.
	base    *state
	changed []string
	moved   bool
	// walk looks into all folders, where the base does not say what is there; nil before it began.
	walk *walk
	// stale is true where nothing of the base may be taken over but what it found.
	stale bool
}

// layout is compared by its address.
type layout struct{ _ byte }

// state is what was discovered in a view's files.
type state struct {
	roots map[string]*Root // by folder
	// whole is false where folders are still being looked into.
	whole bool
}

// New returns a view of the files in which the kustomizations in and below the
// folders, absolute paths, are looked for and checked.
func New(files *vfs.Snapshot, folders []string, options analysis.Options) *View {
	return &View{files: files, session: newSession(files, options), folders: slices.Clone(folders), options: configured(options, files), cache: &cache{}, schemas: &schemas{}, history: &history{}, loadedCache: &loadedCache{}, layout: &layout{}, gate: make(chan struct{}, 1)}
}

// newSession returns a session that keeps what included kustomizations came to.
func newSession(files *vfs.Snapshot, options analysis.Options) *builder.Session {
	return builder.NewSession(files).Remember(memoryOf(options) / (8 * bytesOfResource))
}

// memoryOf returns about how many bytes a view may take.
func memoryOf(options analysis.Options) int {
	if options.MaxMemory > 0 {
		return options.MaxMemory
	}
	return 1 << 30
}

// bytesOfResource is about what a resource of a build takes.
const bytesOfResource = 4 << 10

// maxCached is the number of resources over which the oldest results are forgotten.
func maxCached(options analysis.Options) int { return memoryOf(options) / (8 * bytesOfResource) }

// maxWeight is how many bytes of text a session may have read before a fresh one
// takes its place.
func maxWeight(options analysis.Options) int64 { return int64(memoryOf(options) / 8) }

// Of returns the view of other files, checked in the same way.
func (v *View) Of(files *vfs.Snapshot, folders []string) *View {
	return New(files, folders, v.options)
}

// Files returns the snapshot.
func (v *View) Files() *vfs.Snapshot { return v.files }

// Session returns the session in which the files are built.
func (v *View) Session() *builder.Session { return v.session }

// Options returns how roots are checked.
func (v *View) Options() analysis.Options { return v.options }

// Folders returns the folders that are looked into.
func (v *View) Folders() []string { return v.folders }

// Edit returns the view in which a file has unsaved text; nil takes it away. What was
// built stays where the text is the one that was there, and was read: a file that is
// new on the disk has its text there too, but no root knows of it yet.
func (v *View) Edit(path string, text []byte) *View {
	files := v.files.With(path, text)
	_, _ = files.ReadFile(path) // so that it is known, where it can be read
	return v.EditTo(files, path)
}

// EditTo returns the view of files of which one has another text than in the view, or may
// have: it counts as the same where both are known. It does not look at the disk.
func (v *View) EditTo(files *vfs.Snapshot, path string) *View {
	path = filepath.Clean(path)
	before, after := v.files.Known(path), files.Known(path)
	changed := []string{path}
	if before != nil && after != nil && bytes.Equal(before.Data, after.Data) {
		changed = nil
	}
	next := v.derive(files, []string{path}, changed)
	if before != nil && after != nil {
		next.layout = v.layout
	}
	return next
}

// Changed returns the view after the files or folders were created, changed or
// deleted on disk. What was built stays where they have unsaved text, which hides that.
func (v *View) Changed(paths ...string) *View {
	shown := slices.DeleteFunc(slices.Clone(paths), v.files.IsUnsaved)
	return v.derive(v.files.Changed(paths...), paths, shown)
}

// In returns the view of other folders.
func (v *View) In(folders []string) *View {
	next := v.derive(v.files, nil, nil)
	next.folders = slices.Clone(folders)
	next.moved, next.walk = true, nil
	if !v.staysIn(folders) {
		next.forget(v.files.Fresh())
	}
	return next
}

// staysIn tells whether all that is looked into is among the folders.
func (v *View) staysIn(folders []string) bool {
	return !slices.ContainsFunc(v.folders, func(old string) bool {
		return !slices.ContainsFunc(folders, func(folder string) bool { return vfs.Below(folder, old) })
	})
}

// forget makes the view begin with nothing built; what was reported is kept until it
// is built again.
func (v *View) forget(files *vfs.Snapshot) {
	v.files, v.options = files, configured(v.options, files)
	v.session = newSession(files, v.options)
	v.cache.clear()
	v.cache, v.stale = &cache{}, true
	v.history, v.loadedCache = &history{}, &loadedCache{}
}

// Configured returns the view with a user's settings beneath the configurations, and
// another bound for its memory, see analysis.Options. Everything is built again; until
// then what was found before counts. The options of the view have configurations.
func (v *View) Configured(defaults []config.Defaults, maxMemory int) *View {
	next := v.derive(v.files, nil, nil)
	next.options.Config = next.options.Config.WithDefaults(defaults)
	next.options = configured(next.options, next.files) // the schemas go by the configurations
	if maxMemory != next.options.MaxMemory {
		next.options.MaxMemory = maxMemory
		next.forget(next.files)
	}
	next.stale, next.history = true, &history{}
	return next
}

// Trial returns the view of other files, which differ at a path. It keeps what it builds to
// itself: the view's own results are needed again.
func (v *View) Trial(files *vfs.Snapshot, path string) *View {
	next := v.derive(files, []string{path}, []string{path})
	next.cache = &cache{}
	return next
}

// derive returns the view of other files, which differ at the paths; changed are those
// of them that show something else than before.
func (v *View) derive(files *vfs.Snapshot, paths, changed []string) *View {
	next := &View{files: files, folders: v.folders, options: configured(v.options, files), cache: v.cache, schemas: v.schemas, history: v.history.after(paths), loadedCache: v.loadedCache, layout: &layout{}, gate: make(chan struct{}, 1)}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	next.stale = v.state == nil && v.stale
	if v.walk != nil {
		next.walk = v.walk.after(changed)
	}
	if v.state != nil {
		next.base, next.changed = v.state, slices.Clone(changed)
	} else if v.base != nil {
		next.base, next.changed = v.base, append(slices.Clone(v.changed), changed...)
		next.moved = v.moved
	}
	if v.session.Weight() < maxWeight(v.options) {
		next.session = v.session.Derive(files, paths...)
		return next
	}
	next.forget(files) // old versions of files have piled up
	return next
}

// configured returns the options with the configurations of other files, where they
// have any: what a root's build depends on is among its reads.
func configured(options analysis.Options, files *vfs.Snapshot) analysis.Options {
	if options.Config == nil {
		return options
	}
	options.Config = options.Config.On(files)
	if options.Schemas != nil {
		options.Kubernetes = options.Schemas.For(options.Config)
	}
	return options
}

func (v *View) IsInFolders(path string) bool {
	return slices.ContainsFunc(v.folders, func(folder string) bool { return vfs.Below(folder, path) })
}

// takeOver returns the root of the last state where no change touched it, and a
// new one, which remembers what was found last, where one did.
func (v *View) takeOver(t analysis.Target) *Root {
	if v.state != nil { // found while folders were still being looked into
		if known, ok := v.state.roots[t.Dir]; ok && known.Target == t {
			return known
		}
	}
	if v.base == nil {
		return newRoot(t, v.session)
	}
	old, ok := v.base.roots[t.Dir]
	if !ok {
		return newRoot(t, v.session)
	}
	built := old.Current()
	if !v.stale && built != nil && old.Target == t && !slices.ContainsFunc(v.changed, built.Reads.Touches) {
		old.follow(v.session)
		return old
	}
	next := newRoot(t, v.session)
	next.last = old.previous()
	if !v.stale {
		next.before = old.lastBuild()
	}
	if built == nil {
		return next
	}
	remembered := built.remember()
	if before := next.last; remembered.schemas == nil && before != nil {
		remembered.schemas, remembered.schemaFiles = before.schemas, before.schemaFiles
	}
	next.last = &remembered
	return next
}

// SortedRoots returns the roots by folder.
func SortedRoots(roots map[string]*Root) []*Root {
	return slices.SortedFunc(maps.Values(roots), func(a, b *Root) int { return cmp.Compare(a.Dir, b.Dir) })
}
