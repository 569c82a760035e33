package builder

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
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

// layerSteps are what is remembered of a layer. One build at a time has it.
type layerSteps struct {
	config *kustomization.TransformerConfig
	steps  map[uint64][]*stepMemory // by the hash of what they are
	// forms are those in which resources came to the steps, by their nodes, and slots
	// those of the last build, in order.
	forms map[*yaml.Node]*form
	slots []*form
	names []*nameIndex // of the last builds
	order ordering
	// settled is true while the resources have the names that are in names.
	settled bool
	build   int // counts builds
	// last are the steps by their turns, as each turn was taken last; now those of this
	// build, and turns how many of each transformer it has had.
	last, now map[stepTurn]*stepMemory
	turns     map[string]int
	size      int // about how many bytes there are
	used      int // and how many of them the last build used
	swept     int // and how many were left when some were forgotten last
}

// stepTurn is the place of a step among those of its transformer.
type stepTurn struct {
	transformer string
	number      int
}

// stepMemory is a step that was run.
type stepMemory struct {
	stepKey
	since, used int // the first build and the last
	replaced    bool
	// distinct are the identities that were looked at after the step and found to be
	// without two that are the same.
	distinct []*identity
}

// stepKey says what a step does to a resource.
type stepKey struct {
	transformer, details string
	// content is what configures it, cause whose place it writes.
	content []*yaml.Node
	cause   *yaml.Node
}

// maxIdleBuilds is after how many builds a result is forgotten that was not used.
const maxIdleBuilds = 8

// stepRun is a step on its way through resources. Its zero value remembers nothing.
type stepRun struct {
	b     *runner
	steps *layerSteps
	*stepMemory
}

// run begins a step. A schema that a build brings along decides about much.
func (b *runner) run(key stepKey) stepRun {
	if key.transformer == "" || b.steps == nil || b.schema.set {
		return stepRun{}
	}
	same := sameness{table: b.sources.Table()}
	hash := key.hash()
	at := slices.IndexFunc(b.steps.steps[hash], func(m *stepMemory) bool { return same.key(m.stepKey, key) })
	if at < 0 {
		at = len(b.steps.steps[hash])
		b.steps.steps[hash] = append(b.steps.steps[hash], &stepMemory{stepKey: key, since: b.steps.build})
	}
	m := b.steps.steps[hash][at]
	m.used = b.steps.build
	b.steps.now[stepTurn{key.transformer, b.steps.turns[key.transformer]}] = m
	b.steps.turns[key.transformer]++
	return stepRun{b, b.steps, m}
}

// fewRemembered is how many resources a new step is remembered of.
const fewRemembered = 16

// isWorthwhile tells whether what the step makes of the resources for which it is not
// known will be asked for again.
func (s stepRun) isWorthwhile(plan []planned) bool {
	if s.stepMemory == nil || s.since < s.steps.build {
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
func (s stepRun) known(f *form) *made {
	for i := range f.made {
		if f.made[i].by == s.stepMemory {
			return &f.made[i]
		}
	}
	return nil
}

// repeatAll makes of the resources what the step is known to make of them.
func (s stepRun) repeatAll(plan []planned, step Step, resources []*resource.Resource) {
	if s.stepMemory == nil {
		return
	}
	if comparesNodes(step.Transformer) {
		for i, r := range resources {
			if m := plan[i].known; m != nil {
				after := s.b.record(step, r)
				m.apply(r)
				after()
				s.use(m)
			}
		}
		return
	}
	changed := make([]bool, len(resources))
	onAllCores(len(resources), func(i int) {
		if m := plan[i].known; m != nil && m.after != nil {
			id := resources[i].ID()
			m.apply(resources[i])
			changed[i] = countsAlways(step.Transformer) || resources[i].ID() != id
		}
	})
	count := 0
	for i, p := range plan {
		if p.known != nil {
			s.use(p.known)
			if changed[i] || p.known.after == nil && countsAlways(step.Transformer) {
				count++
			}
		}
	}
	if count > 0 && s.b.options.Analyze {
		step.Layer.countChanges(step.Entry, count)
	}
}

func (m *made) apply(r *resource.Resource) {
	if m.after != nil {
		r.Change(func(e *resource.Edit) { e.Become(&m.after.Resource) })
		r.Form = m.after
	}
}

func (s stepRun) use(m *made) {
	s.b.mergedBuiltin = s.b.mergedBuiltin || m.mergedBuiltin
	if m.used != s.steps.build {
		m.used = s.steps.build
		s.steps.used += m.weight
	}
}

// planned is what is known of a resource before the step comes to it. Its zero value is
// for one that the step does not come to.
type planned struct {
	known *made
	form  *form // the resource's, nil where nothing is to be remembered
	fresh bool  // where the step is to be done
}

// plan looks which resources the step is known for, and makes the others ready to be
// changed.
func (s stepRun) plan(resources []*resource.Resource, w work) []planned {
	plan := make([]planned, len(resources))
	onAllCores(len(resources), func(i int) {
		if s.stepMemory != nil {
			if plan[i].form = formOf(resources[i]); plan[i].form != nil {
				plan[i].known = s.known(plan[i].form)
			}
		}
		plan[i].fresh = plan[i].known == nil && (w.comesTo == nil || w.comesTo(resources[i]))
	})
	var unknown []*resource.Resource
	for i, r := range resources {
		if plan[i].fresh {
			unknown = append(unknown, r)
		}
	}
	ownAll(unknown, w.copies)
	if w.prepare != nil {
		onAllCores(len(resources), func(i int) {
			if plan[i].fresh {
				w.prepare(i, resources[i])
			}
		})
	}
	return plan
}

// attempt is the state before a step, which is to be remembered.
type attempt struct {
	form     *form
	state    state
	problems int
}

// begin is called before the step changes a resource of the plan.
func (s stepRun) begin(p planned) attempt {
	if p.form == nil {
		return attempt{}
	}
	return attempt{p.form, s.b.state, len(s.b.problems)}
}

// end is called after that, and remembers what the step made of the resource, unless
// it met a mistake. The nodes are shared from then on.
func (s stepRun) end(a attempt, r *resource.Resource, found any) {
	if a.form == nil || r.Empty() || len(s.b.problems) != a.problems || !s.b.state.sameBut(a.state) {
		return
	}
	m := made{by: s.stepMemory, found: found, mergedBuiltin: s.b.mergedBuiltin && !a.state.mergedBuiltin}
	if formOf(r) != a.form {
		m.after = &form{}
		r.CopyShared(&m.after.Resource)
		m.after.identity = a.form.identity.then(r, s.b.sources.Table())
		r.Form = m.after
	}
	m.weight = weightOfResult
	if m.after != nil {
		m.weight += weightOfForm + weightOfCopies(a.form.Node, r.Node)
	}
	a.form.made = append(a.form.made, m)
	s.steps.size += m.weight
	s.use(&a.form.made[len(a.form.made)-1])
}

// areDistinct tells whether it was found before that no two of the resources, after the
// step, have the same identity, and find tells it otherwise.
func (s stepRun) areDistinct(list []*resource.Resource, find func() bool) bool {
	if s.stepMemory == nil {
		return find()
	}
	now := make([]*identity, len(list))
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
func (k stepKey) hash() uint64 {
	const prime = 1099511628211
	sum := uint64(14695981039346656037)
	add := func(s string) {
		for i := range len(s) {
			sum = (sum ^ uint64(s[i])) * prime
		}
		sum = (sum ^ 0xff) * prime
	}
	add(k.transformer)
	add(k.details)
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
	for _, n := range k.content {
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

func (s *sameness) key(a, b stepKey) bool {
	return a.transformer == b.transformer && a.details == b.details &&
		slices.EqualFunc(a.content, b.content, s.node) && (a.cause == b.cause || a.cause != nil && b.cause != nil && s.place(a.cause, b.cause))
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
	if name == nothingOwned || len(resources) < few {
		return
	}
	onAllCores(len(resources), func(i int) {
		resources[i].CopyAhead(name)
	})
}

// nothingOwned is no name of a field.
const nothingOwned = "\x00"
