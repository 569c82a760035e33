// Package memo keeps what builds came to, so that an edit makes little of a build happen again: the results of whole
// layers, and those of single steps in a layer that is edited.
package memo

import (
	"container/list"
	"context"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Memo keeps what layers came to, for all builds of a session and of those that are
// derived from it: a base is built once, whoever includes it, until something that
// its build looked at changes. What was not asked for longest is forgotten first.
// It is safe for concurrent use.
type Memo struct {
	mutex sync.Mutex
	Limit int // in resources
	Size  int // the same
	// moment counts the changes of the files; changes are the paths of the last
	// ones, the oldest first.
	moment  int
	changes [][]string
	entries map[LayerKey]*Entry
	// order has the entries that are built, the one that was not used longest first.
	order *list.List
	// Steps are what is remembered of the steps of layers that were edited, those that
	// were not built longest first.
	Steps []rememberedSteps
	// included are the folders that a layer ever included, and wasBuilt the layers that
	// were built since the first edit.
	included map[string]bool
	wasBuilt map[LayerKey]bool
	// built and taken count the outcomes that were made and those that were taken over.
	Built, Taken int
}

// rememberedSteps are the steps of a layer, of which there is one memory alone.
type rememberedSteps struct {
	key   LayerKey
	Steps *LayerSteps
	// taken is the build that has them; nil for none.
	taken *Turn
}

// TakeSteps gives a build what is remembered of a layer's steps; nil where another build
// has it.
func (m *Memo) TakeSteps(key LayerKey, b *Turn) *LayerSteps {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	at := m.stepsOf(key)
	if at < 0 {
		at = len(m.Steps)
		m.Steps = append(m.Steps, rememberedSteps{key: key, Steps: &LayerSteps{}})
	}
	if m.Steps[at].taken != nil {
		return nil
	}
	m.Steps[at].taken = b
	return m.Steps[at].Steps
}

func (m *Memo) stepsOf(key LayerKey) int {
	return slices.IndexFunc(m.Steps, func(s rememberedSteps) bool { return s.key == key })
}

// bytesOfResource is how many bytes the steps of each resource may take that may be
// remembered.
const bytesOfResource = 4 << 10

// PutSteps takes it back.
func (m *Memo) PutSteps(key LayerKey, steps *LayerSteps, b *Turn) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	at := m.stepsOf(key)
	if at < 0 || m.Steps[at].taken != b {
		return
	}
	m.Steps = append(slices.Delete(m.Steps, at, at+1), rememberedSteps{key: key, Steps: steps})
	size := 0
	for i, s := range slices.Backward(m.Steps) {
		if s.taken == nil {
			size += s.Steps.Size
		}
		if size > bytesOfResource*m.Limit {
			m.Steps = slices.Delete(m.Steps, 0, i+1)
			return
		}
	}
}

// GiveUp forgets the steps that a build has taken and not put back.
func (m *Memo) GiveUp(b *Turn) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.Steps = slices.DeleteFunc(m.Steps, func(s rememberedSteps) bool { return s.taken == b })
}

// Turn is that of one build in the queue for what others make.
type Turn struct {
	waiting *Entry // what another build makes and this one waits for; the memo's mutex guards it
}

// LayerKey is what the outcome of a layer depends on besides the files.
type LayerKey struct {
	Dir            string
	LoadRestrictor string
	Within         string
	Analyze        bool
	// unknown and unfinished are the states in which its build begins.
	Unknown, Unfinished bool
	// Origin is that of its folder, where the build asks for origins.
	Origin    resource.Origin
	HasOrigin bool
}

// Entry is an entry of a memo, perhaps one that is still being built.
type Entry struct {
	key     LayerKey
	file    *kustomization.Kustomization // as the layer's file says it
	builder *Turn                        // of who builds it; nil once that is done
	done    chan struct{}                // closed then
	since   int                          // the moment at which it was built
	moment  int                          // the last at which it is known to be valid
	place   *list.Element                // in the order; nil while it is built
	outcome *LayerResult
}

// maxChanges is after how many changes an entry is forgotten that was not used since.
const maxChanges = 1000

func NewMemo(limit int) *Memo {
	return &Memo{Limit: limit, order: list.New(), entries: map[LayerKey]*Entry{}, included: map[string]bool{}, wasBuilt: map[LayerKey]bool{}}
}

// Advance makes the memo that of the files after a change. It returns nil where it
// is that of other files already.
func (m *Memo) Advance(moment int, paths []string) (next int, ok bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.moment != moment {
		return 0, false
	}
	m.moment++
	if m.changes = append(m.changes, paths); len(m.changes) > maxChanges {
		m.changes = m.changes[len(m.changes)-maxChanges/2:]
	}
	return m.moment, true
}

// Take returns the outcome for a key, or that the builder is to build it and hand
// it to put. Neither means that it must build for itself alone.
func (m *Memo) Take(ctx context.Context, moment int, key LayerKey, file *kustomization.Kustomization, b *Turn) (found *LayerResult, building *Entry) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for ctx.Err() == nil {
		e := m.entries[key]
		switch {
		case e != nil && e.builder != nil:
			if e.moment != moment || e.file != file || m.wouldWaitForItself(e, b) {
				return nil, nil
			}
			b.waiting = e
			m.mutex.Unlock()
			select {
			case <-e.done:
			case <-ctx.Done():
			}
			m.mutex.Lock()
			b.waiting = nil
			continue
		case e != nil && e.file == file && m.isValid(e, moment):
			m.order.MoveToBack(e.place)
			m.Taken++
			return e.outcome, nil
		case e != nil && e.moment > moment:
			return nil, nil // that of a newer session stays
		}
		m.forget(e)
		e = &Entry{key: key, file: file, builder: b, done: make(chan struct{}), since: moment, moment: moment}
		m.entries[key] = e
		return nil, e
	}
	return nil, nil
}

// wouldWaitForItself tells whether who builds the entry waits, by way of others, for
// the builder.
func (m *Memo) wouldWaitForItself(e *Entry, b *Turn) bool {
	for e != nil && e.builder != nil {
		if e.builder == b {
			return true
		}
		e = e.builder.waiting
	}
	return false
}

// isValid tells whether nothing has changed since that the entry's build looked at.
func (m *Memo) isValid(e *Entry, moment int) bool {
	if moment <= e.moment {
		return moment >= e.since
	}
	if m.moment-e.moment > len(m.changes) {
		return false // some of the changes are forgotten
	}
	for at := e.moment + 1; at <= moment; at++ {
		for _, path := range m.changes[len(m.changes)-1-(m.moment-at)] {
			if e.outcome.Reads.Touches(path) {
				return false
			}
		}
	}
	e.moment = moment
	return true
}

// Put ends what take began; nil is for what cannot be taken over.
func (m *Memo) Put(e *Entry, o *LayerResult) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	e.builder = nil
	close(e.done)
	if m.entries[e.key] != e {
		return
	}
	if o == nil || o.size() > m.Limit {
		delete(m.entries, e.key)
		return
	}
	m.Built++
	e.outcome, e.place = o, m.order.PushBack(e)
	m.Size += o.size()
	for m.Size > m.Limit {
		m.forget(m.order.Front().Value.(*Entry))
	}
}

func (m *Memo) forget(e *Entry) {
	if e == nil || m.entries[e.key] != e {
		return
	}
	delete(m.entries, e.key)
	if e.place != nil {
		m.order.Remove(e.place)
		m.Size -= e.outcome.size()
	}
}

// NoteIncluded notes that layers include the folder: it is worth remembering also
// where it is built for itself.
func (m *Memo) NoteIncluded(dir string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.included[dir] = true
}

// WasBuilt tells whether the layer was built before, since the first edit.
func (m *Memo) WasBuilt(key LayerKey) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.wasBuilt[key] {
		return true
	}
	m.wasBuilt[key] = true
	return false
}

func (m *Memo) IsIncluded(dir string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.included[dir]
}

// LayerResult is what a layer came to, ready to be taken over by other builds. Nothing
// of it is ever changed.
type LayerResult struct {
	Resources []*resource.Resource
	Config    *kustomization.TransformerConfig
	Vars      []accumulator.VarEntry
	Unknown   bool
	Emptied   bool
	// distinct is true where no two of the resources have the same identity, and scoped
	// where the built-in schema knows the scope of each.
	Distinct, Scoped bool
	Layer            *trace.Layer // with the layers below it, as the trace has them
	// dirs and files are those of the layers.
	Dirs, Files []string
	Problems    []problem.Problem
	Reads       *vfs.Reads
	State       load.State // what its build added
	Spent       load.Spent // what its build used
}

// size is in resources.
func (o *LayerResult) size() int { return 1 + len(o.Dirs) + len(o.Resources) }
