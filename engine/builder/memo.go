package builder

import (
	"container/list"
	"context"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// memo keeps what layers came to, for all builds of a session and of those that are
// derived from it: a base is built once, whoever includes it, until something that
// its build looked at changes. What was not asked for longest is forgotten first.
// It is safe for concurrent use.
type memo struct {
	mutex sync.Mutex
	limit int // in resources
	size  int // the same
	// moment counts the changes of the files; changes are the paths of the last
	// ones, the oldest first.
	moment  int
	changes [][]string
	entries map[layerKey]*remembered
	// order has the entries that are built, the one that was not used longest first.
	order *list.List
	// steps are what is remembered of the steps of layers that were edited, those that
	// were not built longest first.
	steps []rememberedSteps
	// included are the folders that a layer ever included.
	included map[string]bool
	// built and taken count the outcomes that were made and those that were taken over.
	built, taken int
}

// rememberedSteps are the steps of a layer, of which there is one memory alone.
type rememberedSteps struct {
	key   layerKey
	steps *layerSteps
	// taken is the build that has them; nil for none.
	taken *turn
}

// takeSteps gives a build what is remembered of a layer's steps; nil where another build
// has it.
func (m *memo) takeSteps(key layerKey, b *turn) *layerSteps {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	at := m.stepsOf(key)
	if at < 0 {
		at = len(m.steps)
		m.steps = append(m.steps, rememberedSteps{key: key, steps: &layerSteps{}})
	}
	if m.steps[at].taken != nil {
		return nil
	}
	m.steps[at].taken = b
	return m.steps[at].steps
}

func (m *memo) stepsOf(key layerKey) int {
	return slices.IndexFunc(m.steps, func(s rememberedSteps) bool { return s.key == key })
}

// bytesOfResource is how many bytes the steps of each resource may take that may be
// remembered.
const bytesOfResource = 4 << 10

// putSteps takes it back.
func (m *memo) putSteps(key layerKey, steps *layerSteps, b *turn) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	at := m.stepsOf(key)
	if at < 0 || m.steps[at].taken != b {
		return
	}
	m.steps = append(slices.Delete(m.steps, at, at+1), rememberedSteps{key: key, steps: steps})
	size := 0
	for i, s := range slices.Backward(m.steps) {
		if s.taken == nil {
			size += s.steps.size
		}
		if size > bytesOfResource*m.limit {
			m.steps = slices.Delete(m.steps, 0, i+1)
			return
		}
	}
}

// giveUp forgets the steps that a build has taken and not put back.
func (m *memo) giveUp(b *turn) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.steps = slices.DeleteFunc(m.steps, func(s rememberedSteps) bool { return s.taken == b })
}

// turn is that of one build in the queue for what others make.
type turn struct {
	waiting *remembered // what another build makes and this one waits for; the memo's mutex guards it
}

// layerKey is what the outcome of a layer depends on besides the files.
type layerKey struct {
	dir            string
	loadRestrictor string
	within         string
	analyze        bool
	// unknown and unfinished are the states in which its build begins.
	unknown, unfinished bool
	// origin is that of its folder, where the build asks for origins.
	origin    resource.Origin
	hasOrigin bool
}

// remembered is an entry of a memo, perhaps one that is still being built.
type remembered struct {
	key     layerKey
	file    *kustomization.Kustomization // as the layer's file says it
	builder *turn                        // of who builds it; nil once that is done
	done    chan struct{}                // closed then
	since   int                          // the moment at which it was built
	moment  int                          // the last at which it is known to be valid
	place   *list.Element                // in the order; nil while it is built
	outcome *outcome
}

// maxChanges is after how many changes an entry is forgotten that was not used since.
const maxChanges = 1000

func newMemo(limit int) *memo {
	return &memo{limit: limit, order: list.New(), entries: map[layerKey]*remembered{}, included: map[string]bool{}}
}

// advance makes the memo that of the files after a change. It returns nil where it
// is that of other files already.
func (m *memo) advance(moment int, paths []string) (next int, ok bool) {
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

// take returns the outcome for a key, or that the builder is to build it and hand
// it to put. Neither means that it must build for itself alone.
func (m *memo) take(ctx context.Context, moment int, key layerKey, file *kustomization.Kustomization, b *turn) (found *outcome, building *remembered) {
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
			m.taken++
			return e.outcome, nil
		case e != nil && e.moment > moment:
			return nil, nil // that of a newer session stays
		}
		m.forget(e)
		e = &remembered{key: key, file: file, builder: b, done: make(chan struct{}), since: moment, moment: moment}
		m.entries[key] = e
		return nil, e
	}
	return nil, nil
}

// wouldWaitForItself tells whether who builds the entry waits, by way of others, for
// the builder.
func (m *memo) wouldWaitForItself(e *remembered, b *turn) bool {
	for e != nil && e.builder != nil {
		if e.builder == b {
			return true
		}
		e = e.builder.waiting
	}
	return false
}

// isValid tells whether nothing has changed since that the entry's build looked at.
func (m *memo) isValid(e *remembered, moment int) bool {
	if moment <= e.moment {
		return moment >= e.since
	}
	if m.moment-e.moment > len(m.changes) {
		return false // some of the changes are forgotten
	}
	for at := e.moment + 1; at <= moment; at++ {
		for _, path := range m.changes[len(m.changes)-1-(m.moment-at)] {
			if e.outcome.reads.Touches(path) {
				return false
			}
		}
	}
	e.moment = moment
	return true
}

// put ends what take began; nil is for what cannot be taken over.
func (m *memo) put(e *remembered, o *outcome) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	e.builder = nil
	close(e.done)
	if m.entries[e.key] != e {
		return
	}
	if o == nil || o.size() > m.limit {
		delete(m.entries, e.key)
		return
	}
	m.built++
	e.outcome, e.place = o, m.order.PushBack(e)
	m.size += o.size()
	for m.size > m.limit {
		m.forget(m.order.Front().Value.(*remembered))
	}
}

func (m *memo) forget(e *remembered) {
	if e == nil || m.entries[e.key] != e {
		return
	}
	delete(m.entries, e.key)
	if e.place != nil {
		m.order.Remove(e.place)
		m.size -= e.outcome.size()
	}
}

// noteIncluded notes that layers include the folder: it is worth remembering also
// where it is built for itself.
func (m *memo) noteIncluded(dir string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.included[dir] = true
}

func (m *memo) isIncluded(dir string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.included[dir]
}

// outcome is what a layer came to, ready to be taken over by other builds. Nothing
// of it is ever changed.
type outcome struct {
	resources []*resource.Resource
	config    *kustomization.TransformerConfig
	vars      []varEntry
	unknown   bool
	emptied   bool
	// distinct is true where no two of the resources have the same identity, and scoped
	// where the built-in schema knows the scope of each.
	distinct, scoped bool
	layer            *Layer // with the layers below it, as the trace has them
	// dirs and files are those of the layers.
	dirs, files []string
	problems    []Problem
	reads       *vfs.Reads
	state       state // what its build added
}

// size is in resources.
func (o *outcome) size() int { return 1 + len(o.dirs) + len(o.resources) }
