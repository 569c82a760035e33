package ide

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// fieldReferences returns the field paths of replacements, and the paths of JSON6902
// patches, that lead to the field under the cursor, also inside of a document that
// is embedded in a string. Targets are looked into in the state in which the build
// met them.
func (u *use) fieldReferences(ctx context.Context, c cursor) ([]Reference, error) {
	if c.Node == nil {
		return nil, nil
	}
	s := &fieldSearch{use: u, cursor: c, entries: map[spot][]pathsInto{}}
	for _, l := range layersOf(u.result) {
		for i := range l.Facts.Replacements {
			s.replacement(&l.Facts.Replacements[i])
		}
		for i := range l.Facts.Patches {
			s.patch(&l.Facts.Patches[i])
		}
	}
	if len(s.entries) == 0 {
		return s.found, nil
	}
	options := u.view.options.Of(u.built.root.target.Dir)
	options.Recorder = s
	_, err := u.built.session.Build(ctx, u.built.root.target.Dir, options)
	return s.found, err
}

// fieldSearch is a build.Recorder that looks for a field.
type fieldSearch struct {
	use     *use
	cursor  cursor
	entries map[spot][]pathsInto
	found   []Reference
}

// pathsInto are the paths of an entry that lead into some resources.
type pathsInto struct {
	resources  []spot // where they were named
	paths      []kustomization.Text
	operations []*yaml.Node // of a JSON6902 patch: their paths
}

func (s *fieldSearch) replacement(f *build.ReplacementFact) {
	if source := f.Entry.Source; source != nil && f.Source != nil && source.FieldPath.Node != nil {
		s.try(source.FieldPath, fieldpath.Get(f.Source.Node, fieldpath.Parse(source.FieldPath.Value), s.use.explaining()))
	}
	for i, selected := range f.Selected {
		s.enter(f.Entry.Node, pathsInto{paths: f.Entry.Targets[i].FieldPaths}, selected)
	}
}

func (s *fieldSearch) patch(f *build.PatchFact) {
	if f.Patch == nil || f.Patch.Kind != yaml.SequenceNode {
		return
	}
	into := pathsInto{}
	for _, operation := range f.Patch.Content {
		if _, path := syntax.Field(operation, "path"); path != nil && path.Kind == yaml.ScalarNode {
			into.operations = append(into.operations, path)
		}
	}
	s.enter(f.Entry, into, f.Targets)
}

// enter notes the paths of an entry, if they may lead into the file of the cursor.
func (s *fieldSearch) enter(entry *yaml.Node, into pathsInto, list []*resource.Resource) {
	m := &mentioning{table: s.use.built.session.Table()}
	for _, r := range list {
		if at, ok := m.spotOf(r.Named); ok {
			into.resources = append(into.resources, at)
		}
	}
	if at, ok := m.spotOf(entry); ok && len(into.resources) > 0 {
		s.entries[at] = append(s.entries[at], into)
	}
}

// Before implements build.Recorder.
func (s *fieldSearch) Before(step build.Step, r *resource.Resource) func() {
	m := &mentioning{table: s.use.built.session.Table()}
	entry, ok := m.spotOf(step.Entry)
	named, named2 := m.spotOf(r.Named)
	if !ok || !named2 {
		return nil
	}
	for _, into := range s.entries[entry] {
		if !slices.Contains(into.resources, named) {
			continue
		}
		for _, path := range into.paths {
			if path.Node != nil {
				s.try(path, fieldpath.Match(r.Node, fieldpath.Parse(path.Value), 0, s.use.explaining()))
			}
		}
		for _, path := range into.operations {
			s.tryPointer(path, r.Node)
		}
	}
	return nil
}

func (s *fieldSearch) try(path kustomization.Text, outcome fieldpath.Outcome) {
	if len(outcome.Steps) == 0 {
		return
	}
	last := outcome.Steps[len(outcome.Steps)-1]
	for _, n := range last.Matched {
		if s.isAt(keyOf(last.From, n), n) {
			s.add(path.Node)
			return
		}
	}
}

// tryPointer looks whether the path of an operation leads to the field.
func (s *fieldSearch) tryPointer(path, root *yaml.Node) {
	if key, n := underPointer(root, path.Value); n != nil && s.isAt(key, n) {
		s.add(path)
	}
}

// isAt tells whether the cursor is on the key of a field, or in its single value.
func (s *fieldSearch) isAt(key, value *yaml.Node) bool {
	for _, n := range []*yaml.Node{key, value} {
		if n.Kind != yaml.ScalarNode {
			continue
		}
		if place, ok := s.use.place(n); ok && place.File == s.cursor.file && place.Span.Contains(s.cursor.offset) {
			return true
		}
	}
	return false
}

func (s *fieldSearch) add(path *yaml.Node) {
	if place, ok := partPlace(s.use.built.session.Table(), path, whole(path)); ok {
		s.found = append(s.found, Reference{Place: analysis.Place{File: place.File, Span: place.Span}})
	}
}
