package memo

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Who edits a kustomization changes one of its entries, and most resources go through
// all others as they did before. So of a layer that is built again after an edit it is
// remembered what each step made of each resource: steps that come to the same
// resource in the same state are not done again.
//
// A step that is new, as the edited one is with every keystroke, is remembered only of
// few resources: nobody comes back to what it made of many. What it made before the
// keystroke is forgotten with it.

// LayerSteps are what is remembered of a layer. One build at a time has it.
type LayerSteps struct {
	Config *kustomization.TransformerConfig
	Steps  map[uint64][]*StepMemory // by the hash of what they are
	// Forms are those in which resources came to the steps, by their nodes, and slots
	// those of the last build, in order.
	Forms map[*yaml.Node]*Form
	slots []*Form
	names []*NameIndex // of the last builds
	Order Ordering
	// Settled is true while the resources have the names that are in names.
	Settled bool
	Build   int // counts builds
	// last are the steps by their turns, as each turn was taken last; now those of this
	// build, and turns how many of each transformer it has had.
	Last, Now map[StepTurn]*StepMemory
	Turns     map[string]int
	Size      int // about how many bytes there are
	Used      int // and how many of them the last build used
	swept     int // and how many were left when some were forgotten last
}

// StepTurn is the place of a step among those of its transformer.
type StepTurn struct {
	transformer string
	number      int
}

// StepMemory is a step that was run.
type StepMemory struct {
	StepKey
	since, used int // the first build and the last
	replaced    bool
	// distinct are the identities that were looked at after the step and found to be
	// without two that are the same.
	distinct []*Identity
}

// StepKey says what a step does to a resource.
type StepKey struct {
	Transformer, Details string
	// Content is what configures it, cause whose place it writes.
	Content []*yaml.Node
	Cause   *yaml.Node
}

// maxIdleBuilds is after how many builds a result is forgotten that was not used.
const maxIdleBuilds = 8

// stepRun is a step on its way through resources. Its zero value remembers nothing.
type stepRun struct {
	b     *Runner
	steps *LayerSteps
	*StepMemory
}

// run begins a step. A schema that a build brings along decides about much.
func (b *Runner) run(key StepKey) stepRun {
	if key.Transformer == "" || b.Steps == nil || b.Schema.Set {
		return stepRun{}
	}
	same := sameness{table: b.Sources.Table()}
	hash := key.hash()
	at := slices.IndexFunc(b.Steps.Steps[hash], func(m *StepMemory) bool { return same.key(m.StepKey, key) })
	if at < 0 {
		at = len(b.Steps.Steps[hash])
		b.Steps.Steps[hash] = append(b.Steps.Steps[hash], &StepMemory{StepKey: key, since: b.Steps.Build})
	}
	m := b.Steps.Steps[hash][at]
	m.used = b.Steps.Build
	b.Steps.Now[StepTurn{key.Transformer, b.Steps.Turns[key.Transformer]}] = m
	b.Steps.Turns[key.Transformer]++
	return stepRun{b, b.Steps, m}
}

// fewRemembered is how many resources a new step is remembered of.
const fewRemembered = 16

// isWorthwhile tells whether what the step makes of the resources for which it is not
// known will be asked for again.
func (s stepRun) isWorthwhile(plan []planned) bool {
	if s.StepMemory == nil || s.since < s.steps.Build {
		return true
	}
	unknown := 0
	for _, p := range plan {
		if p.fresh && p.form != nil {
			unknown++
		}
	}
	return unknown <= fewRemembered
}

// known returns what the step is known to make of a form. It only reads.
func (s stepRun) known(f *Form) *made {
	for i := range f.made {
		if f.made[i].by == s.StepMemory {
			return &f.made[i]
		}
	}
	return nil
}

// repeatAll makes of the resources what the step is known to make of them.
func (s stepRun) repeatAll(plan []planned, step trace.Step, resources []*resource.Resource) {
	if s.StepMemory == nil {
		return
	}
	if advice.ComparesNodes(step.Transformer) {
		for i, r := range resources {
			if m := plan[i].known; m != nil {
				after := s.b.Record(step, r)
				m.apply(r)
				after()
				s.use(m)
			}
		}
		return
	}
	changed := make([]bool, len(resources))
	parallel.ForEach(len(resources), func(i int) {
		if m := plan[i].known; m != nil && m.after != nil {
			id := resources[i].ID()
			m.apply(resources[i])
			changed[i] = advice.CountsAlways(step.Transformer) || resources[i].ID() != id
		}
	})
	count := 0
	for i, p := range plan {
		if p.known != nil {
			s.use(p.known)
			if changed[i] || p.known.after == nil && advice.CountsAlways(step.Transformer) {
				count++
			}
		}
	}
	if count > 0 && s.b.Options.Analyze {
		step.Layer.CountChanges(step.Entry, count)
	}
}

func (m *made) apply(r *resource.Resource) {
	if m.after != nil {
		r.Change(func(e *resource.Edit) { e.Become(&m.after.Resource) })
		r.Form = m.after
	}
}

func (s stepRun) use(m *made) {
	s.b.MergedBuiltin = s.b.MergedBuiltin || m.mergedBuiltin
	if m.used != s.steps.Build {
		m.used = s.steps.Build
		s.steps.Used += m.weight
	}
}

// planned is what is known of a resource before the step comes to it. Its zero value is
// for one that the step does not come to.
type planned struct {
	known *made
	form  *Form // the resource's, nil where nothing is to be remembered
	fresh bool  // where the step is to be done
}

// plan looks which resources the step is known for, and makes the others ready to be
// changed.
func (s stepRun) plan(resources []*resource.Resource, w Work) []planned {
	plan := make([]planned, len(resources))
	parallel.ForEach(len(resources), func(i int) {
		if s.StepMemory != nil {
			if plan[i].form = formOf(resources[i]); plan[i].form != nil {
				plan[i].known = s.known(plan[i].form)
			}
		}
		plan[i].fresh = plan[i].known == nil && (w.ComesTo == nil || w.ComesTo(resources[i]))
	})
	var unknown []*resource.Resource
	for i, r := range resources {
		if plan[i].fresh {
			unknown = append(unknown, r)
		}
	}
	ownAll(unknown, w.Copies)
	if w.Prepare != nil {
		parallel.ForEach(len(resources), func(i int) {
			if plan[i].fresh {
				w.Prepare(i, resources[i])
			}
		})
	}
	return plan
}

// attempt is the state before a step, which is to be remembered.
type attempt struct {
	form     *Form
	state    load.State
	problems int
}

// begin is called before the step changes a resource of the plan.
func (s stepRun) begin(p planned) attempt {
	if p.form == nil {
		return attempt{}
	}
	return attempt{p.form, s.b.State, len(s.b.Problems)}
}

// end is called after that, and remembers what the step made of the resource, unless
// it met a mistake. The nodes are shared from then on.
func (s stepRun) end(a attempt, r *resource.Resource, found any) {
	if a.form == nil || r.Empty() || len(s.b.Problems) != a.problems || !s.b.State.SameBut(a.state) {
		return
	}
	m := made{by: s.StepMemory, found: found, mergedBuiltin: s.b.MergedBuiltin && !a.state.MergedBuiltin}
	if formOf(r) != a.form {
		m.after = &Form{}
		r.CopyShared(&m.after.Resource)
		m.after.identity = a.form.identity.then(r, s.b.Sources.Table())
		r.Form = m.after
	}
	m.weight = weightOfResult
	if m.after != nil {
		m.weight += weightOfForm + weightOfCopies(a.form.Node, r.Node)
	}
	a.form.made = append(a.form.made, m)
	s.steps.Size += m.weight
	s.use(&a.form.made[len(a.form.made)-1])
}

// AreDistinct tells whether it was found before that no two of the resources, after the
// step, have the same identity, and find tells it otherwise.
func (s stepRun) AreDistinct(list []*resource.Resource, find func() bool) bool {
	if s.StepMemory == nil {
		return find()
	}
	now := make([]*Identity, len(list))
	for i, r := range list {
		f := formOf(r)
		if f == nil {
			return find()
		}
		now[i] = f.identity
	}
	if len(s.distinct) == len(now) && slices.Equal(s.distinct, now) {
		return true
	}
	found := find()
	if s.distinct = nil; found {
		s.distinct = now
	}
	return found
}

// hash is the same for keys that may be.
func (k StepKey) hash() uint64 {
	const prime = 1099511628211
	sum := uint64(14695981039346656037)
	add := func(s string) {
		for i := range len(s) {
			sum = (sum ^ uint64(s[i])) * prime
		}
		sum = (sum ^ 0xff) * prime
	}
	add(k.Transformer)
	add(k.Details)
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n == nil {
			return
		}
		add(n.Value)
		for _, child := range n.Content {
			walk(child)
		}
	}
	for _, n := range k.Content {
		walk(n)
	}
	return sum
}

// sameness compares what configures steps, at two moments: the text and, since what
// the step writes has its place, where that stands now.
type sameness struct {
	table *syntax.Table
	texts map[[2]text.FileID]bool // embedded ones that were compared
}

func (s *sameness) key(a, b StepKey) bool {
	return a.Transformer == b.Transformer && a.Details == b.Details &&
		slices.EqualFunc(a.Content, b.Content, s.node) && (a.Cause == b.Cause || a.Cause != nil && b.Cause != nil && s.place(a.Cause, b.Cause))
}

func (s *sameness) node(a, b *yaml.Node) bool {
	if a == b {
		return true
	}
	return a != nil && b != nil && a.Kind == b.Kind && a.Style == b.Style && a.Tag == b.Tag && a.Value == b.Value &&
		a.Anchor == b.Anchor && a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment &&
		s.node(a.Alias, b.Alias) && s.place(a, b) && slices.EqualFunc(a.Content, b.Content, s.node)
}

func (s *sameness) place(a, b *yaml.Node) bool {
	if a.Line == b.Line && a.Column == b.Column {
		// What stands in a text that nobody changed is where it was.
		if file, _, _ := s.table.Place(a); file == fileOf(a) {
			return true
		}
	}
	file, line, column := s.table.Place(a)
	otherFile, otherLine, otherColumn := s.table.Place(b)
	if line != otherLine || column != otherColumn {
		return false
	}
	return file == otherFile || s.text(file, otherFile)
}

func fileOf(n *yaml.Node) text.FileID {
	file, _, _ := syntax.Place(n)
	return file
}

// text tells whether two texts are the same and stand in the same place.
func (s *sameness) text(a, b text.FileID) bool {
	pair := [2]text.FileID{a, b}
	if same, ok := s.texts[pair]; ok {
		return same
	}
	x, y := s.table.Source(a), s.table.Source(b)
	same := x != nil && y != nil && x.Host() != nil && y.Host() != nil && string(x.Text()) == string(y.Text()) && s.place(x.Host(), y.Host())
	if s.texts == nil {
		s.texts = map[[2]text.FileID]bool{}
	}
	s.texts[pair] = same
	return same
}

// ownAll makes a field of all resources their own, the whole of them where the name
// is empty: one after the other it takes most of the time of a step. Of a few it does
// not: a step makes them its own where it changes them, and whoever watches it needs no
// copy of what was shared up to then.
func ownAll(resources []*resource.Resource, name string) {
	if name == NothingOwned || len(resources) < parallel.Few {
		return
	}
	parallel.ForEach(len(resources), func(i int) {
		resources[i].CopyAhead(name)
	})
}

// NothingOwned is no name of a field.
const NothingOwned = "\x00"
