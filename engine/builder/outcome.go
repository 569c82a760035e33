package builder

import (
	"reflect"
	"slices"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// accumulated builds a layer, or takes over what it came to in an earlier build.
// unknown is for a layer that is part of something unknown.
func (b *builder) accumulated(l *Layer, unknown bool) *accumulator {
	acc := newAccumulator()
	acc.unknown = unknown
	key, ok := b.keyOf(l, unknown)
	if !ok {
		return b.accumulate(l, acc)
	}
	if l.Parent != nil {
		b.session.memo.noteIncluded(l.Dir)
	} else if !b.session.memo.isIncluded(l.Dir) {
		return b.accumulate(l, acc)
	}
	known, building := b.session.memo.take(b.ctx, b.session.moment, key, l.Kustomization, &b.turn)
	if known != nil && b.fits(known, l) && !b.observes(known) {
		return b.takeFrom(known, l)
	}
	if b.isWatched() && building != nil {
		// Who watches takes over what was analyzed, and does not analyze by itself.
		b.session.memo.put(building, nil)
		building = nil
	}
	return b.accumulateApart(l, acc, building)
}

// keyOf returns the key of a layer; ok is false where its outcome is not to be
// remembered: where it lies outside of the files, and where somebody watches its build.
func (b *builder) keyOf(l *Layer, unknown bool) (key layerKey, ok bool) {
	if b.session.memo == nil || b.options.Recorder != nil && b.options.Observed == "" ||
		(b.options.Incoming || b.options.Overlay != nil) && l.Parent == nil || l.Clone != "" || l.Repository != nil || b.schema.set {
		return layerKey{}, false
	}
	key = layerKey{dir: l.Dir, loadRestrictor: b.options.LoadRestrictor, within: b.options.Within, analyze: b.options.Analyze || b.isWatched(),
		unknown: unknown, unfinished: b.unfinished}
	if l.Origin != nil {
		key.origin, key.hasOrigin = *l.Origin, true
	}
	return key, true
}

// fits tells whether the layer would come to the same in this build.
func (b *builder) fits(o *outcome, l *Layer) bool {
	if b.searches+b.before.searches+o.state.searches > maxSearches {
		return false
	}
	for up := range l.included {
		for _, dir := range o.dirs {
			if up != l && vfs.Below(dir, up.Dir) {
				return false // it would lead back here
			}
		}
	}
	return true
}

func (b *builder) isWatched() bool { return b.options.Observer != nil || b.options.Recorder != nil }

// observes tells whether who watches has to see the layer being built.
func (b *builder) observes(o *outcome) bool {
	return b.isWatched() && (o.reads.Has(b.options.Observed) || slices.Contains(o.files, b.options.Observed))
}

// accumulateApart builds a layer so that what it came to can be told from the rest
// of the build, and hands it to those who wait for it, if it was promised.
func (b *builder) accumulateApart(l *Layer, acc *accumulator, promised *remembered) *accumulator {
	var o *outcome
	if promised != nil {
		defer func() { b.session.memo.put(promised, o) }()
	}
	outer, files, problems, above := b.state, b.files, b.problems, b.before
	reads := vfs.NewReads()
	b.files, b.problems = vfs.Record(b.sources.Files(), reads), nil
	b.before.add(outer)
	b.state = state{unfinished: outer.unfinished}

	b.accumulate(l, acc)
	for _, r := range acc.set.List() {
		r.Share()
		if promised != nil && b.options.Analyze {
			r.RememberParts()
		}
	}
	if promised != nil && !b.stopped() && !b.contextual && !b.schema.set && b.before.searches+b.searches <= maxSearches {
		o = b.freeze(l, acc, reads)
		acc.distinct, acc.scoped = o.distinct, o.scoped
	}

	files.Include(reads)
	inner := b.state
	b.files, b.problems, b.before = files, append(problems, b.problems...), above
	b.state = outer
	b.state.add(inner)
	return acc
}

// freeze makes the outcome of a layer that was built just now.
func (b *builder) freeze(l *Layer, acc *accumulator, reads *vfs.Reads) *outcome {
	t := newTransfer(acc.set.List(), nil)
	o := &outcome{resources: t.resources, config: acc.config, unknown: acc.unknown, emptied: acc.emptied, reads: reads, state: b.state}
	o.distinct = !acc.set.HasRepeated()
	o.scoped = !slices.ContainsFunc(t.resources, func(r *resource.Resource) bool { return !hasKnownScope(r) })
	o.layer = t.layer(l, nil)
	o.problems, o.vars = t.problems(b.problems), t.vars(acc.vars)
	for from := range t.layers {
		o.dirs, o.files = append(o.dirs, from.Dir), append(o.files, from.Path)
	}
	return o
}

// takeFrom makes of an outcome what building the layer would have made.
func (b *builder) takeFrom(o *outcome, l *Layer) *accumulator {
	t := newTransfer(o.resources, b.schema.schema)
	t.into(l, o.layer)
	b.problems = append(b.problems, t.problems(o.problems)...)
	b.state.add(o.state)
	b.files.Include(o.reads)
	acc := newAccumulator()
	acc.set.Fill(t.resources)
	acc.config, acc.vars, acc.unknown, acc.emptied = o.config, t.vars(o.vars), o.unknown, o.emptied
	acc.distinct, acc.scoped = o.distinct, o.scoped
	return acc
}

// takeSteps gives the builder what is remembered of a layer's steps until the function
// that it returns is called. It is nothing where nothing was edited yet, where somebody
// watches the build, or where another build has it.
func (b *builder) takeSteps(l *Layer, acc *accumulator) (done func()) {
	outer := b.steps
	b.steps = nil
	key, ok := b.keyOf(l, acc.unknown)
	if !ok || b.session.moment == 0 || b.isWatched() || b.options.Keep != nil || b.options.Incoming || l.Origin != nil || acc.config == nil {
		return func() { b.steps = outer }
	}
	m := b.session.memo
	known := m.takeSteps(key, &b.turn)
	if known == nil {
		return func() { b.steps = outer } // another build has it
	}
	if known.config != acc.config && !reflect.DeepEqual(known.config, acc.config) {
		*known = layerSteps{config: acc.config, steps: map[uint64][]*stepMemory{}, forms: map[*yaml.Node]*form{},
			last: map[stepTurn]*stepMemory{}}
	}
	known.build++
	known.used, known.now, known.turns = 0, map[stepTurn]*stepMemory{}, map[string]int{}
	known.enter(acc.set.List())
	b.steps = known
	put := func() {
		known.sweep()
		m.putSteps(key, known, &b.turn)
	}
	if l.Parent == nil {
		b.finals = known
		b.finished = put
		return func() { b.steps = outer }
	}
	return func() {
		b.steps = outer
		put()
	}
}
