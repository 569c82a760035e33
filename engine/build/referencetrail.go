package build

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// trail is what the names that a resource refers to were held against, and what came
// of it. Where a later build has the same resource, and of each name the same
// candidates, it comes to the same.
type trail struct {
	lookups    []lookup
	namespaces []namespaceLookup
	notes      []referenceNote
	after      resource.Resource
	// broken is true where it hangs on what is not known in another build.
	broken bool
}

// lookup is a question for the candidates of a name.
type lookup struct {
	current bool // those with the name in the end, and not those that had it before
	kind    [3]string
	name    string
	found   []*final
}

type namespaceLookup struct {
	name string
	had  bool
}

// referenceNote is a name that was found to be that of a resource.
type referenceNote struct {
	lookup, candidate int // its index among the found
	updated           bool
	node, written     *yaml.Node
}

// changesIdentities tells whether fields that name others are such by which others name
// a resource.
func changesIdentities(references kustomization.NameReference) bool {
	return slices.ContainsFunc(references.FieldSpecs, func(s kustomization.FieldSpec) bool {
		path := strings.TrimPrefix(s.Path, "/")
		return path == "kind" || path == "apiVersion" || strings.HasPrefix(path, "metadata/name")
	})
}

// candidatesOf returns the candidates of a name for a kind, and what they are known
// by; false where one is not.
func (f *referenceFixer) candidatesOf(current bool, kind [3]string, name string) (list []*resource.Resource, tokens []*final, ok bool) {
	known := f.byName[name]
	if current {
		known = f.currentNames()[name]
	}
	if known == nil {
		return nil, nil, true
	}
	for _, c := range known.all {
		is := wasOf(c, kind[0], kind[1], kind[2])
		if current {
			is = c.ID().IsSelected(kind[0], kind[1], kind[2])
		}
		if !is {
			continue
		}
		token := f.tokens[c]
		if token == nil {
			return nil, nil, false
		}
		list, tokens = append(list, c), append(tokens, token)
	}
	return list, tokens, true
}

// lookedUp notes a question.
func (f *referenceFixer) lookedUp(current bool, ref reference, name string) {
	if f.trail == nil || f.trail.broken {
		return
	}
	x := lookup{current: current, kind: [3]string{ref.group, ref.version, ref.kind}, name: name}
	var ok bool
	_, x.found, ok = f.candidatesOf(current, x.kind, name)
	f.trail.lookups = append(f.trail.lookups, x)
	f.trail.broken = !ok
}

// noted notes what was found by the last question.
func (f *referenceFixer) noted(target *resource.Resource, updated bool, node, written *yaml.Node) {
	if f.trail == nil || f.trail.broken {
		return
	}
	last := len(f.trail.lookups) - 1
	at := slices.Index(f.trail.lookups[last].found, f.tokens[target])
	if at < 0 {
		f.trail.broken = true
		return
	}
	f.trail.notes = append(f.trail.notes, referenceNote{last, at, updated, node, written})
}

// repeats tells whether the references of a resource come to what they came to before.
func (f *referenceFixer) repeats(r *resource.Resource) bool {
	token := f.tokens[r]
	if token == nil || token.trail == nil {
		return false
	}
	for _, x := range token.trail.lookups {
		_, found, ok := f.candidatesOf(x.current, x.kind, x.name)
		if !ok || !slices.Equal(found, x.found) {
			return false
		}
	}
	return !slices.ContainsFunc(token.trail.namespaces, func(x namespaceLookup) bool { return f.hasOriginalNamespace(x.name) != x.had })
}

// repeat makes of a resource what became of it before.
func (f *referenceFixer) repeat(r *resource.Resource) {
	t := f.tokens[r].trail
	referredBy := r.ReferredBy
	r.Become(&t.after)
	r.ReferredBy = referredBy
	for _, note := range t.notes {
		x := t.lookups[note.lookup]
		list, _, _ := f.candidatesOf(x.current, x.kind, x.name)
		target := list[note.candidate]
		if note.updated {
			target.ReferredBy = append(target.ReferredBy, r.ID())
		}
		f.recordAs(r, target, note.node, note.written)
	}
}

// learn fixes the references of a resource, and remembers what came of it.
func (f *referenceFixer) learn(r *resource.Resource, references []reference) {
	token := f.tokens[r]
	if token == nil || len(references) == 0 {
		f.fix(r, references)
		return
	}
	problems := len(f.builder.problems)
	f.trail = &trail{}
	f.fix(r, references)
	learned := f.trail
	f.trail = nil
	if !learned.broken && len(f.builder.problems) == problems {
		r.CopyShared(&learned.after)
		token.trail = learned
	}
}

func (f *referenceFixer) recordAs(r, target *resource.Resource, name, written *yaml.Node) {
	if f.builder.options.Analyze {
		f.layer.Facts.References = append(f.layer.Facts.References,
			ReferenceFact{Referrer: r, Target: target, Node: name, Written: written})
	}
}

func (f *referenceFixer) record(r, target *resource.Resource, updated bool, name *yaml.Node) {
	if f.builder.options.Analyze || f.trail != nil {
		written := syntax.Copy(name)
		f.recordAs(r, target, name, written)
		f.noted(target, updated, name, written)
	}
}
