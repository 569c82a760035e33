// Package diff compares two renderings resource by resource: which ones are
// added, removed or changed, as lines and as fields. It renders and reads
// nothing, and knows no output format.
package diff

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// Change says what became of a resource.
type Change string

const (
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
	// Reformatted: documents in its strings are written in another way and say the same.
	Reformatted Change = "reformatted"
)

// Options say how renderings are compared.
type Options struct {
	// ShowSecrets shows the values of Secrets, decoded. Otherwise it is only told
	// which of them differ.
	ShowSecrets bool
	// ByOrigin takes resources for the same whose names or namespaces differ, where
	// they were the same in the files: for two overlays of one base.
	ByOrigin bool
}

// Report is what differs.
type Report struct {
	// Resources are those that differ, sorted by address.
	Resources []Resource
	// Unchanged is how many resources are printed alike on both sides.
	Unchanged int
}

// Count returns how many resources had that change.
func (r *Report) Count(change Change) int {
	n := 0
	for _, x := range r.Resources {
		if x.Change == change {
			n++
		}
	}
	return n
}

// Resource is one that differs.
type Resource struct {
	Change Change
	// Before and After are its addresses on the two sides, as resource.ID.String has
	// them; empty where it is not there. They differ where a hash in the name does.
	Before, After string
	// Hunks are the lines that differ and three around them.
	Hunks []Hunk
	// Fields are the fields that differ; none for an added or removed resource.
	Fields []Field
}

// Address returns the resource's address now or, where it was removed, before.
func (r Resource) Address() string {
	if r.After != "" {
		return r.After
	}
	return r.Before
}

// Compare compares two lists of rendered resources.
func Compare(before, after []*resource.Resource, options Options) (*Report, error) {
	report := &Report{}
	for _, p := range match(before, after, options.ByOrigin) {
		r, err := p.compare(options)
		if err != nil {
			return nil, err
		}
		if r == nil {
			report.Unchanged++
			continue
		}
		report.Resources = append(report.Resources, *r)
	}
	slices.SortFunc(report.Resources, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Address(), b.Address()), cmp.Compare(a.Before, b.Before))
	})
	return report, nil
}

// pair is a resource on both sides; one of them can be nil.
type pair struct{ before, after *resource.Resource }

// compare returns nil for a resource that is the same.
func (p pair) compare(options Options) (*Resource, error) {
	r := &Resource{Change: Changed, Before: address(p.before), After: address(p.after)}
	before, err := printed(p.before)
	if err != nil {
		return nil, err
	}
	after, err := printed(p.after)
	if err != nil {
		return nil, err
	}
	switch {
	case bytes.Equal(before, after):
		return nil, nil
	case p.before == nil:
		r.Change = Added
	case p.after == nil:
		r.Change = Removed
	}
	// What is compared from here on is the printed form, read again.
	x, y := parse(before), parse(after)
	if !options.ShowSecrets {
		hideSecrets(x, y)
	} else {
		decodeSecrets(x, y)
	}
	expanded := expand(x, y)
	oldText, newText := text(expanded.before, x), text(expanded.after, y)
	if r.Hunks = hunks(oldText, newText); len(r.Hunks) == 0 {
		r.Change = Reformatted
	}
	if r.Change == Changed {
		r.Fields = fields(x, y)
	}
	return r, nil
}

func address(r *resource.Resource) string {
	if r == nil {
		return ""
	}
	return r.ID().String()
}

// printed returns what kustomize prints of a resource; nothing for one that it
// refuses to print.
func printed(r *resource.Resource) ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	text, err := render.Document(nil, r.Node)
	if refusal := new(render.Refusal); errors.As(err, &refusal) {
		return nil, nil
	}
	return text, err
}

func parse(text []byte) *yaml.Node {
	var document yaml.Node
	if yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

// text prints a tree as kustomize does. One that it would not print, which has a
// document from a string in it, is printed without.
func text(expanded, plain *yaml.Node) string {
	for _, n := range []*yaml.Node{expanded, plain} {
		if n == nil {
			continue
		}
		if printed, err := render.Document(nil, n); err == nil {
			return string(printed)
		}
	}
	return ""
}
