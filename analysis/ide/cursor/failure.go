package cursor

import (
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	yaml "go.yaml.in/yaml/v3"
)

// Failures are the places at which a build refuses something, and what has to do with
// that, such as the entry that names a file.
type Failures struct {
	of     *workspace.Scope
	places []analysis.Place
}

// FailuresOf returns those of a build.
func FailuresOf(u *workspace.Scope) Failures {
	f := Failures{of: u}
	add := func(n *yaml.Node) {
		if place, ok := u.Place(n); ok {
			f.places = append(f.places, place)
		}
	}
	for _, p := range u.Result.Problems {
		if !p.Fatal {
			continue
		}
		add(p.Node)
		for _, related := range p.Related {
			add(related.Node)
		}
	}
	return f
}

// Among tells whether one of the failures is in one of the parts of an entry.
func (f Failures) Among(parts ...*yaml.Node) bool {
	return slices.ContainsFunc(parts, func(part *yaml.Node) bool {
		outer, ok := f.of.Place(part)
		return ok && slices.ContainsFunc(f.places, func(place analysis.Place) bool { return IsIn(place, outer) })
	})
}

// IsIn tells whether a place is within another one.
func IsIn(place, outer analysis.Place) bool {
	return place.File == outer.File && outer.Span.Start <= place.Span.Start && place.Span.End <= outer.Span.End
}
