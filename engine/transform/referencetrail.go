package transform

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
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
func (f *referenceFixer) candidatesOf(current bool, kind [3]string, name string) (list []int32, seen []*memo.Identity) {
	known := f.names.Before[name]
	if current {
		known = f.names.Current[name]
	}
	if known == nil {
		return nil, nil
	}
	for _, i := range known.All {
		c := f.resources[i]
		is := wasOf(c, kind[0], kind[1], kind[2])
		if current {
			is = c.ID().IsSelected(kind[0], kind[1], kind[2])
		}
		if is {
			list, seen = append(list, i), append(seen, f.names.Identities[i])
		}
	}
	return list, seen
}

// lookedUp notes a question.
func (f *referenceFixer) lookedUp(current bool, ref reference, name string) {
	if f.trail == nil {
		return
	}
	x := memo.Lookup{Current: current, Kind: [3]string{ref.group, ref.version, ref.kind}, Name: name}
	_, x.Found = f.candidatesOf(current, x.Kind, name)
	f.trail.Lookups = append(f.trail.Lookups, x)
}

// noted notes what was found by the last question.
func (f *referenceFixer) noted(target *resource.Resource, node, written *yaml.Node) {
	if f.trail == nil || f.trail.Broken {
		return
	}
	last := len(f.trail.Lookups) - 1
	x := f.trail.Lookups[last]
	list, _ := f.candidatesOf(x.Current, x.Kind, x.Name)
	at := slices.IndexFunc(list, func(i int32) bool { return f.resources[i] == target })
	if at < 0 {
		f.trail.Broken = true
		return
	}
	f.trail.Notes = append(f.trail.Notes, memo.ReferenceNote{Lookup: last, Candidate: at, Target: list[at], Node: node, Written: written})
}

// repeats tells whether the references of a resource come to what they came to before.
// It may be called for several resources at a time.
func (f *referenceFixer) repeats(r *resource.Resource) bool {
	if !f.remembers {
		return false
	}
	t := r.Form.(*memo.Form).Trail
	switch {
	case t == nil:
		return false
	case t.Names == f.names && t.Generation == f.names.Generation:
		return true
	}
	found := make([][]int32, len(t.Lookups))
	for i, x := range t.Lookups {
		list, seen := f.candidatesOf(x.Current, x.Kind, x.Name)
		if !slices.EqualFunc(seen, x.Found, (*memo.Identity).Equal) {
			return false
		}
		found[i] = list
	}
	if slices.ContainsFunc(t.Namespaces, func(x memo.NamespaceLookup) bool { return f.names.Namespaces[x.Name] != x.Had }) {
		return false
	}
	for i := range t.Notes {
		note := &t.Notes[i]
		note.Target = found[note.Lookup][note.Candidate]
	}
	t.Names, t.Generation = f.names, f.names.Generation
	return true
}

// repeat makes of a resource what became of it before.
func (f *referenceFixer) repeat(r *resource.Resource) {
	t := r.Form.(*memo.Form).Trail
	if t.After != nil {
		r.Change(func(e *resource.Edit) { e.Become(t.After) })
	}
	for _, note := range t.Notes {
		f.recordAs(r, f.resources[note.Target], note.Node, note.Written)
	}
}

// learn fixes the references of a resource, and remembers what came of it.
func (f *referenceFixer) learn(r *resource.Resource, references []reference) {
	if !f.remembers || r.Form.(*memo.Form).Node == nil { // nothing of it will be known again
		f.checkSubjects(r)
		f.fix(r, references)
		return
	}
	form := r.Form.(*memo.Form)
	form.Trail = nil
	problems := len(f.builder.Problems)
	f.checkSubjects(r)
	f.trail = &memo.Trail{Names: f.names, Generation: f.names.Generation}
	f.fix(r, references)
	learned := f.trail
	f.trail = nil
	if learned.Broken || len(f.builder.Problems) > problems {
		return
	}
	if form.Trail = learned; len(references) > 0 {
		learned.After = &resource.Resource{}
		r.CopyShared(learned.After)
	}
}

func (f *referenceFixer) recordAs(r, target *resource.Resource, name, written *yaml.Node) {
	if f.builder.Options.Analyze {
		f.layer.Facts.References = append(f.layer.Facts.References,
			trace.ReferenceFact{Referrer: r, Target: target, Node: name, Written: written})
	}
}

func (f *referenceFixer) record(r, target *resource.Resource, name *yaml.Node) {
	if f.builder.Options.Analyze || f.trail != nil {
		written := syntax.Copy(name)
		f.recordAs(r, target, name, written)
		f.noted(target, name, written)
	}
}
