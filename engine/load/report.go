// Package load reads kustomizations and what they name: files, folders, repositories, patches, schemas and configurations.
// It knows the versions of files that were parsed, and changes no resource.
package load

import (
	"context"
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Loader reads what a kustomization names, and keeps what every room of a build needs: the files, what was met so far,
// and the schema.
type Loader struct {
	Ctx      context.Context
	Sources  *Sources
	Files    vfs.Recording
	Options  Options
	Problems []problem.Problem
	// state is that of the layer that is built apart from the rest, and before is what was left behind before that began.
	State
	Before State
	Schema schemaState
	// Budget counts what the build uses.
	Budget *Budget
	paths  map[string]fieldpath.Path
	keys   fieldpath.Keys
}

// Options are the Options of a build that are no instruments.
type Options struct {
	LoadRestrictor, Reorder    string
	AddManagedByLabel, Analyze bool
	Outside                    Outside
	Within                     string
	Overlay                    *Overlay
	Recorder                   trace.Recorder
}

func (b *Loader) Report(l *trace.Layer, p problem.Problem) {
	p.Layer = l
	if p.Code == problem.BuildLimit { // what was left out is not known
		b.Lacking, b.Unfinished, b.Contextual = true, true, true
	}
	if p.Node == nil && p.File == 0 && l != nil {
		p.File = l.File
	}
	// A later step may write another value and place into a scalar.
	p.Node = asItIs(p.Node)
	p.Related = slices.Clone(p.Related) // those of a file's problems belong to all builds
	for i := range p.Related {
		p.Related[i].Node = asItIs(p.Related[i].Node)
	}
	b.Problems = append(b.Problems, p)
}

// asItIs returns a scalar as it is now, and any other node itself.
func asItIs(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.ScalarNode {
		return n
	}
	now := *n
	return &now
}

// Stopped tells whether the build was given up: what it has made so far is thrown
// away, so the steps may end anywhere.
func (b *Loader) Stopped() bool { return b.Ctx.Err() != nil }

// State is what the build of one layer leaves behind for those after it. Its zero
// value: nothing.
type State struct {
	// Lacking is true once something that is switched off was needed.
	Lacking bool
	// Unfinished is true once a patch or a part of a generated resource had to be
	// left out: what a resource lacks is then not known.
	Unfinished bool
	// Searches are how often something near was looked for (see mayHaveMeant).
	Searches int
	// Contextual is true once something depended on what includes the layer, or on what is outside of the files.
	Contextual bool
	// askedScope and mergedBuiltin say what was done with the built-in schema, which
	// decides how a custom one that follows stands to it.
	askedScope, MergedBuiltin bool
	// Literals are the scalars of generators' literals by their place. Where they are
	// shared they belong to a layer that other builds take over, too.
	Literals       map[[2]int]*yaml.Node
	LiteralsShared bool
}

// Add adds what a layer left behind.
func (s *State) Add(more State) {
	s.Lacking = s.Lacking || more.Lacking
	s.Unfinished = s.Unfinished || more.Unfinished
	s.Searches += more.Searches
	s.Contextual = s.Contextual || more.Contextual
	s.askedScope = s.askedScope || more.askedScope
	s.MergedBuiltin = s.MergedBuiltin || more.MergedBuiltin
	if s.Literals == nil {
		s.Literals, s.LiteralsShared = more.Literals, true
		return
	}
	s.Literals, s.LiteralsShared = maps.Clone(s.Literals), false
	maps.Copy(s.Literals, more.Literals)
}

// MaxSearches is for how many mistakes of a build something near is looked for:
// the search looks at all there is, and nobody reads hundreds of suggestions.
const MaxSearches = 200

// MayHaveMeant tells whether to look for what was meant in place of a mistake.
func (b *Loader) MayHaveMeant() bool {
	b.Searches++
	return b.Before.Searches+b.Searches <= MaxSearches
}

// SameBut tells whether nothing but mergedBuiltin differs.
func (s *State) SameBut(other State) bool {
	return s.Lacking == other.Lacking && s.Unfinished == other.Unfinished && s.Searches == other.Searches &&
		s.Contextual == other.Contextual && s.askedScope == other.askedScope && len(s.Literals) == len(other.Literals)
}

// Values of Options.LoadRestrictor and Options.Reorder, as kustomize build
// spells them.
const (
	RootOnly       = "LoadRestrictionsRootOnly"
	NoRestrictions = "LoadRestrictionsNone"
	// NoRestrictionsRefused is for a root whose configuration asks for NoRestrictions
	// and that nobody trusts: files outside are not read, and what they hold is unknown.
	NoRestrictionsRefused = "LoadRestrictionsNone (refused)"
	ReorderNone           = "none"
	ReorderLegacy         = "legacy"
	ReorderUnstated       = "unspecified"
)
