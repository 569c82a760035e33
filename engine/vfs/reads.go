package vfs

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// Reads is the set of paths that were looked at through a Recording: what the
// outcome of the work depends on. It is safe for concurrent use.
type Reads struct {
	mutex sync.RWMutex
	// asked holds the paths and all folders above them: something that appears,
	// changes or goes away there can change the answer.
	asked map[string]bool
	// listed holds the folders whose names were listed.
	listed map[string]bool
	// files holds the paths of files that were read, or tried to be.
	files map[string]bool
	// missing holds the paths that named nothing.
	missing map[string]bool
	// included are further sets that belong to this one, and do not change any more.
	included []*Reads
	noting   sync.Mutex
	notes    map[any]any
}

// NewReads returns an empty set.
func NewReads() *Reads {
	return &Reads{asked: map[string]bool{}, listed: map[string]bool{}, files: map[string]bool{}, missing: map[string]bool{}}
}

// Has tells whether the path itself was looked at, or something below it.
func (r *Reads) Has(path string) bool {
	path = cleaned(path)
	return r.any(func(part *Reads) bool { return part.asked[path] })
}

// Touches tells whether a change at the path can change what was found: it or
// something below it was looked at, the folder that it is in was listed, or a folder
// above it was looked for and not there.
func (r *Reads) Touches(path string) bool {
	path = cleaned(path)
	return r.any(func(part *Reads) bool { return part.touches(path) })
}

func (r *Reads) touches(path string) bool {
	if r.asked[path] || r.listed[above(path)] {
		return true
	}
	for dir := above(path); len(r.missing) > 0 && dir != above(dir); dir = above(dir) {
		if r.missing[dir] {
			return true
		}
	}
	return false
}

// Include makes all of another set a part of this one. The other must not change
// any more.
func (r *Reads) Include(other *Reads) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.included = append(r.included, other)
}

// any tells whether the condition holds of the set or of one that is included.
func (r *Reads) any(holds func(part *Reads) bool) bool {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	return holds(r) || slices.ContainsFunc(r.included, func(part *Reads) bool { return part.any(holds) })
}

// Files returns the paths that were read as files, in no order. Not all of them
// need to be there.
func (r *Reads) Files() []string { return slices.Collect(maps.Keys(FilesOf(r))) }

// EachPart calls yield for the set, of which nothing changes any more, and those that it
// includes, each once.
func (r *Reads) EachPart(yield func(part *Reads)) { eachOf([]*Reads{r}, yield) }

// Note returns what find says of the files that the set itself has, those of included
// ones left out; it is asked once for each about, which is compared with ==.
func (r *Reads) Note(about any, find func(files map[string]bool) any) any {
	r.noting.Lock()
	defer r.noting.Unlock()
	says, ok := r.notes[about]
	if !ok {
		if r.notes == nil {
			r.notes = map[any]any{}
		}
		says = find(r.files)
		r.notes[about] = says
	}
	return says
}

// Signature tells sets apart. Two that are Equal hold the same, as far as hashes tell.
type Signature struct {
	own   [4]uint64 // sums of the hashes of the paths
	parts []*Reads
}

// Equal tells whether two signatures of the same seed are the same.
func (s Signature) Equal(other Signature) bool {
	return s.own == other.own && slices.Equal(s.parts, other.parts)
}

// Signature returns that of a set which does not change any more.
func (r *Reads) Signature(seed maphash.Seed) Signature {
	r.mutex.RLock()
	defer r.mutex.RUnlock()
	s := Signature{parts: slices.Clone(r.included)}
	for i, paths := range []map[string]bool{r.asked, r.listed, r.files, r.missing} {
		for path := range paths {
			s.own[i] += maphash.String(seed, path)
		}
	}
	return s
}

// Union is what was looked at that several sets hold, and does not change any more.
type Union struct{ asked map[string]bool }

// Together returns the union of sets.
func Together(sets ...*Reads) Union {
	asked := map[string]bool{}
	eachOf(sets, func(part *Reads) { maps.Copy(asked, part.asked) })
	return Union{asked}
}

// FilesOf returns the paths that were read as files according to any of the sets; see
// Reads.Files.
func FilesOf(sets ...*Reads) map[string]bool {
	files := map[string]bool{}
	eachOf(sets, func(part *Reads) { maps.Copy(files, part.files) })
	return files
}

// eachOf calls yield for the sets and those that they include, each once.
func eachOf(sets []*Reads, yield func(part *Reads)) {
	seen := map[*Reads]bool{}
	var each func(part *Reads)
	each = func(part *Reads) {
		if seen[part] {
			return
		}
		seen[part] = true
		part.mutex.RLock()
		defer part.mutex.RUnlock()
		yield(part)
		for _, included := range part.included {
			each(included)
		}
	}
	for _, r := range sets {
		each(r)
	}
}

// Has tells whether the path itself was looked at, or something below it.
func (u Union) Has(path string) bool { return u.asked[cleaned(path)] }

func (r *Reads) addFile(path string) {
	path = cleaned(path)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.add(path)
	r.files[path] = true
}

// add adds a clean path. The caller holds the mutex.
func (r *Reads) add(path string) {
	for !r.asked[path] {
		r.asked[path] = true
		path = above(path)
	}
}

// note adds a path that was looked at, with the error of that.
func (r *Reads) note(path string, err error) {
	path = cleaned(path)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.add(path)
	if err != nil && errors.Is(err, fs.ErrNotExist) {
		r.missing[path] = true
	}
}

func (r *Reads) addListing(path string) {
	path = cleaned(path)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.add(path)
	r.listed[path] = true
}

// Recording is a snapshot that notes what it is asked for.
type Recording struct {
	files *Snapshot
	reads *Reads
}

// Record returns the snapshot with its reads noted in the set.
func Record(files *Snapshot, reads *Reads) Recording { return Recording{files, reads} }

// Reads returns what it notes into.
func (r Recording) Reads() *Reads { return r.reads }

// Include notes that what was read elsewhere was asked for here, too; the set must
// not change any more.
func (r Recording) Include(reads *Reads) { r.reads.Include(reads) }

// ReadFile is Snapshot.ReadFile.
func (r Recording) ReadFile(path string) (*File, error) {
	r.reads.addFile(path)
	return r.files.ReadFile(path)
}

// IsDir is Snapshot.IsDir.
func (r Recording) IsDir(path string) (bool, error) {
	isDir, err := r.files.IsDir(path)
	r.reads.note(path, err)
	return isDir, err
}

// ReadDir is Snapshot.ReadDir.
func (r Recording) ReadDir(path string) ([]fs.DirEntry, error) {
	r.reads.addListing(path)
	return r.files.ReadDir(path)
}

// EvalSymlinks is Snapshot.EvalSymlinks.
func (r Recording) EvalSymlinks(path string) (string, error) {
	real, err := r.files.EvalSymlinks(path)
	r.reads.note(path, err)
	return real, err
}
