package builder

import (
	"reflect"
	"slices"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// accumulated builds a layer, or takes over what it came to in an earlier build.
// unknown is for a layer that is part of something unknown.
func (b *builder) accumulated(l *trace.Layer, unknown bool) *accumulator.Accumulator {
	acc := accumulator.NewAccumulator()
	acc.Unknown = unknown
	key, ok := b.keyOf(l, unknown)
	if !ok {
		return b.accumulate(l, acc)
	}
	if l.Parent != nil {
		b.session.memo.NoteIncluded(l.Dir)
	} else if !b.session.memo.IsIncluded(l.Dir) {
		return b.accumulate(l, acc)
	}
	known, building := b.session.memo.Take(b.Ctx, b.session.moment, key, l.Kustomization, &b.turn)
	if known != nil && b.fits(known, l) && !b.observes(known) {
		return b.takeFrom(known, l)
	}
	if b.isWatched() && building != nil {
		// Who watches takes over what was analyzed, and does not analyze by itself.
		b.session.memo.Put(building, nil)
		building = nil
	}
	return b.accumulateApart(l, acc, building)
}

// keyOf returns the key of a layer; ok is false where its outcome is not to be
// remembered: where it lies outside of the files, and where somebody watches its build.
func (b *builder) keyOf(l *trace.Layer, unknown bool) (key memo.LayerKey, ok bool) {
	if b.session.memo == nil || b.options.Recorder != nil && b.options.Observed == "" ||
		(b.options.Incoming || b.options.Overlay != nil) && l.Parent == nil || l.Clone != "" || l.Repository != nil || b.Schema.Set {
		return memo.LayerKey{}, false
	}
	key = memo.LayerKey{Dir: l.Dir, LoadRestrictor: b.options.LoadRestrictor, Within: b.options.Within, Analyze: b.options.Analyze || b.isWatched(),
		Unknown: unknown, Unfinished: b.Unfinished}
	if l.Origin != nil {
		key.Origin, key.HasOrigin = *l.Origin, true
	}
	return key, true
}

// fits tells whether the layer would come to the same in this build.
func (b *builder) fits(o *memo.LayerResult, l *trace.Layer) bool {
	if b.Searches+b.Before.Searches+o.State.Searches > load.MaxSearches {
		return false
	}
	if !b.Budget.Allows(o.Spent) {
		return false // building it says which entry goes too far
	}
	for up := range l.Included {
		for _, dir := range o.Dirs {
			if up != l && vfs.Below(dir, up.Dir) {
				return false // it would lead back here
			}
		}
	}
	return true
}

func (b *builder) isWatched() bool { return b.options.Observer != nil || b.options.Recorder != nil }

// observes tells whether who watches has to see the layer being built.
func (b *builder) observes(o *memo.LayerResult) bool {
	return b.isWatched() && (o.Reads.Has(b.options.Observed) || slices.Contains(o.Files, b.options.Observed))
}

// accumulateApart builds a layer so that what it came to can be told from the rest
// of the build, and hands it to those who wait for it, if it was promised.
func (b *builder) accumulateApart(l *trace.Layer, acc *accumulator.Accumulator, promised *memo.Entry) *accumulator.Accumulator {
	var o *memo.LayerResult
	if promised != nil {
		defer func() { b.session.memo.Put(promised, o) }()
	}
	outer, files, problems, above := b.State, b.Files, b.Problems, b.Before
	reads := vfs.NewReads()
	b.Files, b.Problems = vfs.Record(b.Sources.Files(), reads), nil
	b.Before.Add(outer)
	b.State = load.State{Unfinished: outer.Unfinished}
	spent := b.Budget.Spent()

	b.accumulate(l, acc)
	for _, r := range acc.Set.List() {
		r.Share()
		if promised != nil && b.options.Analyze {
			r.ReuseParts()
			r.RememberParts()
		}
	}
	if promised != nil && !b.Stopped() && !b.Contextual && !b.Schema.Set && b.Before.Searches+b.Searches <= load.MaxSearches {
		o = b.freeze(l, acc, reads)
		o.Spent = b.Budget.Spent().Since(spent)
		acc.Distinct, acc.Scoped = o.Distinct, o.Scoped
	}

	files.Include(reads)
	inner := b.State
	b.Files, b.Problems, b.Before = files, append(problems, b.Problems...), above
	b.State = outer
	b.State.Add(inner)
	return acc
}

// freeze makes the outcome of a layer that was built just now.
func (b *builder) freeze(l *trace.Layer, acc *accumulator.Accumulator, reads *vfs.Reads) *memo.LayerResult {
	t := memo.NewGraft(acc.Set.List(), nil)
	o := &memo.LayerResult{Resources: t.Resources, Config: acc.Config, Unknown: acc.Unknown, Emptied: acc.Emptied, Reads: reads, State: b.State}
	o.Distinct = !acc.Set.HasRepeated()
	o.Scoped = !slices.ContainsFunc(t.Resources, func(r *resource.Resource) bool { return !load.HasKnownScope(r) })
	o.Layer = t.Layer(l, nil)
	o.Problems, o.Vars = t.Problems(b.Problems), t.Vars(acc.Vars)
	for from := range t.Layers {
		o.Dirs, o.Files = append(o.Dirs, from.Dir), append(o.Files, from.Path)
	}
	return o
}

// takeFrom makes of an outcome what building the layer would have made.
func (b *builder) takeFrom(o *memo.LayerResult, l *trace.Layer) *accumulator.Accumulator {
	t := memo.NewGraft(o.Resources, b.Schema.Schema)
	t.Into(l, o.Layer)
	b.Problems = append(b.Problems, t.Problems(o.Problems)...)
	b.State.Add(o.State)
	b.Budget.Spend(o.Spent)
	b.Files.Include(o.Reads)
	acc := accumulator.NewAccumulator()
	acc.Set.Fill(t.Resources)
	acc.Config, acc.Vars, acc.Unknown, acc.Emptied = o.Config, t.Vars(o.Vars), o.Unknown, o.Emptied
	acc.Distinct, acc.Scoped = o.Distinct, o.Scoped
	return acc
}

// takeSteps gives the builder what is remembered of a layer's steps until the function
// that it returns is called. It is nothing where nothing was edited yet, where somebody
// watches the build, or where another build has it.
func (b *builder) takeSteps(l *trace.Layer, acc *accumulator.Accumulator) (done func()) {
	outer := b.Steps
	b.Steps = nil
	key, ok := b.keyOf(l, acc.Unknown)
	if !ok || b.session.moment == 0 || b.isWatched() || b.options.Keep != nil || b.options.Incoming || l.Origin != nil || acc.Config == nil {
		return func() { b.Steps = outer }
	}
	m := b.session.memo
	if !m.WasBuilt(key) {
		return func() { b.Steps = outer } // most layers are never built again
	}
	known := m.TakeSteps(key, &b.turn)
	if known == nil {
		return func() { b.Steps = outer } // another build has it
	}
	if known.Config != acc.Config && !reflect.DeepEqual(known.Config, acc.Config) {
		*known = memo.LayerSteps{Config: acc.Config, Steps: map[uint64][]*memo.StepMemory{}, Forms: map[*yaml.Node]*memo.Form{},
			Last: map[memo.StepTurn]*memo.StepMemory{}}
	}
	known.Build++
	known.Used, known.Now, known.Turns = 0, map[memo.StepTurn]*memo.StepMemory{}, map[string]int{}
	known.Enter(acc.Set.List())
	b.Steps = known
	put := func() {
		known.Sweep()
		m.PutSteps(key, known, &b.turn)
	}
	if l.Parent == nil {
		b.Finals = known
		b.finished = put
		return func() { b.Steps = outer }
	}
	return func() {
		b.Steps = outer
		put()
	}
}
