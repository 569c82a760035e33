package builder

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// changesIdentities tells whether fields that name others are such by which others name
// a resource.
func changesIdentities(references kustomization.NameReference) bool {
	return slices.ContainsFunc(references.FieldSpecs, func(s kustomization.FieldSpec) bool {
		path := strings.TrimPrefix(s.Path, "/")
		return path == "kind" || path == "apiVersion" || strings.HasPrefix(path, "metadata/name")
	})
}

// candidatesOf returns the candidates of a name for a kind, and what is seen of them.
func (f *referenceFixer) candidatesOf(current bool, kind [3]string, name string) (list []int32, seen []*identity) {
	known := f.names.before[name]
	if current {
		known = f.names.current[name]
	}
	if known == nil {
		return nil, nil
	}
	for _, i := range known.all {
		c := f.resources[i]
		is := wasOf(c, kind[0], kind[1], kind[2])
		if current {
			is = c.ID().IsSelected(kind[0], kind[1], kind[2])
		}
		if is {
			list, seen = append(list, i), append(seen, f.names.identities[i])
		}
	}
	return list, seen
}

// lookedUp notes a question.
func (f *referenceFixer) lookedUp(current bool, ref reference, name string) {
	if f.trail == nil {
		return
	}
	x := lookup{current: current, kind: [3]string{ref.group, ref.version, ref.kind}, name: name}
	_, x.found = f.candidatesOf(current, x.kind, name)
	f.trail.lookups = append(f.trail.lookups, x)
}

// noted notes what was found by the last question.
func (f *referenceFixer) noted(target *resource.Resource, node, written *yaml.Node) {
	if f.trail == nil || f.trail.broken {
		return
	}
	last := len(f.trail.lookups) - 1
	x := f.trail.lookups[last]
	list, _ := f.candidatesOf(x.current, x.kind, x.name)
	at := slices.IndexFunc(list, func(i int32) bool { return f.resources[i] == target })
	if at < 0 {
		f.trail.broken = true
		return
	}
	f.trail.notes = append(f.trail.notes, referenceNote{last, at, list[at], node, written})
}

// repeats tells whether the references of a resource come to what they came to before.
// It may be called for several resources at a time.
func (f *referenceFixer) repeats(r *resource.Resource) bool {
	if !f.remembers {
		return false
	}
	t := r.Form.(*form).trail
	switch {
	case t == nil:
		return false
	case t.names == f.names && t.generation == f.names.generation:
		return true
	}
	found := make([][]int32, len(t.lookups))
	for i, x := range t.lookups {
		list, seen := f.candidatesOf(x.current, x.kind, x.name)
		if !slices.EqualFunc(seen, x.found, (*identity).equal) {
			return false
		}
		found[i] = list
	}
	if slices.ContainsFunc(t.namespaces, func(x namespaceLookup) bool { return f.names.namespaces[x.name] != x.had }) {
		return false
	}
	for i := range t.notes {
		note := &t.notes[i]
		note.target = found[note.lookup][note.candidate]
	}
	t.names, t.generation = f.names, f.names.generation
	return true
}

// repeat makes of a resource what became of it before.
func (f *referenceFixer) repeat(r *resource.Resource) {
	t := r.Form.(*form).trail
	if t.after != nil {
		r.Change(func(e *resource.Edit) { e.Become(t.after) })
	}
	for _, note := range t.notes {
		f.recordAs(r, f.resources[note.target], note.node, note.written)
	}
}

// learn fixes the references of a resource, and remembers what came of it.
func (f *referenceFixer) learn(r *resource.Resource, references []reference) {
	if !f.remembers || r.Form.(*form).Node == nil { // nothing of it will be known again
		f.checkSubjects(r)
		f.fix(r, references)
		return
	}
	form := r.Form.(*form)
	form.trail = nil
	problems := len(f.builder.problems)
	f.checkSubjects(r)
	f.trail = &trail{names: f.names, generation: f.names.generation}
	f.fix(r, references)
	learned := f.trail
	f.trail = nil
	if learned.broken || len(f.builder.problems) > problems {
		return
	}
	if form.trail = learned; len(references) > 0 {
		learned.after = &resource.Resource{}
		r.CopyShared(learned.after)
	}
}

func (f *referenceFixer) recordAs(r, target *resource.Resource, name, written *yaml.Node) {
	if f.builder.options.Analyze {
		f.layer.Facts.References = append(f.layer.Facts.References,
			ReferenceFact{Referrer: r, Target: target, Node: name, Written: written})
	}
}

func (f *referenceFixer) record(r, target *resource.Resource, name *yaml.Node) {
	if f.builder.options.Analyze || f.trail != nil {
		written := syntax.Copy(name)
		f.recordAs(r, target, name, written)
		f.noted(target, name, written)
	}
}
