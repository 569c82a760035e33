package builder

import (
	"context"
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// loader reads what a kustomization names, and keeps what every room of a build needs: the files, what was met so far,
// and the schema.
type loader struct {
	ctx      context.Context
	sources  *sources
	files    vfs.Recording
	options  loadOptions
	problems []Problem
	// state is that of the layer that is built apart from the rest, and before is what was left behind before that began.
	state
	before state
	schema schemaState
	paths  map[string]fieldpath.Path
}

// loadOptions are the Options of a build that are no instruments.
type loadOptions struct {
	LoadRestrictor, Reorder    string
	AddManagedByLabel, Analyze bool
	Outside                    Outside
	Within                     string
	Overlay                    *Overlay
	Recorder                   Recorder
}

func (b *loader) report(l *Layer, p Problem) {
	p.Layer = l
	if p.Node == nil && p.File == 0 && l != nil {
		p.File = l.File
	}
	// A later step may write another value and place into a scalar.
	p.Node = asItIs(p.Node)
	p.Related = slices.Clone(p.Related) // those of a file's problems belong to all builds
	for i := range p.Related {
		p.Related[i].Node = asItIs(p.Related[i].Node)
	}
	b.problems = append(b.problems, p)
}

// asItIs returns a scalar as it is now, and any other node itself.
func asItIs(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.ScalarNode {
		return n
	}
	now := *n
	return &now
}

// stopped tells whether the build was given up: what it has made so far is thrown
// away, so the steps may end anywhere.
func (b *loader) stopped() bool { return b.ctx.Err() != nil }

// state is what the build of one layer leaves behind for those after it. Its zero
// value: nothing.
type state struct {
	// lacking is true once something that is switched off was needed.
	lacking bool
	// unfinished is true once a patch or a part of a generated resource had to be
	// left out: what a resource lacks is then not known.
	unfinished bool
	// searches are how often something near was looked for (see mayHaveMeant).
	searches int
	// contextual is true once something depended on what includes the layer, or on what is outside of the files.
	contextual bool
	// askedScope and mergedBuiltin say what was done with the built-in schema, which
	// decides how a custom one that follows stands to it.
	askedScope, mergedBuiltin bool
	// literals are the scalars of generators' literals by their place. Where they are
	// shared they belong to a layer that other builds take over, too.
	literals       map[[2]int]*yaml.Node
	literalsShared bool
}

// add adds what a layer left behind.
func (s *state) add(more state) {
	s.lacking = s.lacking || more.lacking
	s.unfinished = s.unfinished || more.unfinished
	s.searches += more.searches
	s.contextual = s.contextual || more.contextual
	s.askedScope = s.askedScope || more.askedScope
	s.mergedBuiltin = s.mergedBuiltin || more.mergedBuiltin
	if s.literals == nil {
		s.literals, s.literalsShared = more.literals, true
		return
	}
	s.literals, s.literalsShared = maps.Clone(s.literals), false
	maps.Copy(s.literals, more.literals)
}

// maxSearches is for how many mistakes of a build something near is looked for:
// the search looks at all there is, and nobody reads hundreds of suggestions.
const maxSearches = 200

// mayHaveMeant tells whether to look for what was meant in place of a mistake.
func (b *loader) mayHaveMeant() bool {
	b.searches++
	return b.before.searches+b.searches <= maxSearches
}

// sameBut tells whether nothing but mergedBuiltin differs.
func (s *state) sameBut(other state) bool {
	return s.lacking == other.lacking && s.unfinished == other.unfinished && s.searches == other.searches &&
		s.contextual == other.contextual && s.askedScope == other.askedScope && len(s.literals) == len(other.literals)
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
