package ide

import (
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// fieldReferences returns the field paths of replacements, and the paths of JSON6902
// patches, that lead to the field under the cursor, also inside of a document that
// is embedded in a string. Targets are looked into in the state in which the build
// met them. Where the cursor is in a part of such a path, it is the parts of paths that
// lead where it does, with the fields themselves. Of those in one file only where it is
// given: then nothing is built for a file without such paths.
func (u *scope) fieldReferences(ctx context.Context, c cursor.Cursor, file string) ([]Reference, error) {
	if c.Node == nil {
		return nil, nil
	}
	s := &fieldSearch{use: u, cursor: c, file: file, entries: map[spot][]pathsInto{}}
	if e := cursor.EntryAt(u.Scope, c); e != nil {
		d, err := u.entryDefinition(ctx, c, e)
		if err != nil {
			return nil, err
		}
		if d != nil && len(d.nodes) > 0 {
			s.from(d)
		}
	}
	for _, l := range workspace.Layers(u.Result) {
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
	options := u.View.Options().Of(u.Build.Root.Dir)
	options.Recorder = s
	_, err := u.Build.Session().Build(ctx, u.Build.Root.Dir, options)
	return s.found, err
}

// fieldSearch is a builder.Recorder that looks for a field.
type fieldSearch struct {
	use    *scope
	cursor cursor.Cursor
	file   string // that the paths stand in; empty for any
	// wanted are the fields that are looked for; nil for that under the cursor.
	wanted  map[fieldNode]bool
	entries map[spot][]pathsInto
	found   []Reference
}

// fieldNode tells a field from others while a build goes on: its value may be replaced,
// its key stays, or where it is the element of a list, the element. The document in a
// text is written anew, so that there the place of the text and the way tell it.
type fieldNode struct {
	analysis.Place
	way string
}

// fieldNodes are by what a field is known to which the way leads.
func (u *scope) fieldNodes(key *yaml.Node, way string) []fieldNode {
	place, ok := u.Place(key)
	if !ok {
		return nil
	}
	host := u.hostOf(key)
	if host == nil {
		return []fieldNode{{Place: place}}
	}
	text, _ := u.Place(host)
	nodes := []fieldNode{{text, way}}
	if place.Span.Start > text.Span.Start || place.Span.End < text.Span.End {
		nodes = append(nodes, fieldNode{Place: place})
	}
	return nodes
}

// hostOf returns the scalar in a file that a node was read from; nil for a node of the
// file itself.
func (u *scope) hostOf(n *yaml.Node) *yaml.Node {
	var host *yaml.Node
	for {
		id, _, _ := syntax.Place(n)
		source := u.Build.Session().Table().Source(id)
		if source == nil || source.Host() == nil {
			return host
		}
		host = source.Host()
		n = host
	}
}

// from has the search look for what a part of a path leads to.
func (s *fieldSearch) from(d *Definition) {
	s.wanted = map[fieldNode]bool{}
	for _, n := range d.nodes {
		s.wanted[n] = true
	}
	for _, place := range d.Places {
		if s.file == "" || place.File == s.file {
			s.found = append(s.found, Reference{Place: place, Defines: true})
		}
	}
}

// pathsInto are the paths of an entry that lead into some resources.
type pathsInto struct {
	resources  []spot // where they were named
	paths      []kustomization.Text
	operations []*yaml.Node // of a JSON6902 patch: their paths
}

func (s *fieldSearch) replacement(f *builder.ReplacementFact) {
	if source := f.Entry.Source; source != nil && f.Source != nil && s.looksAt(source.FieldPath.Node) {
		path := fieldpath.Parse(source.FieldPath.Value)
		s.try(source.FieldPath, path, fieldpath.Get(f.Source.Node, path, s.use.explaining()), s.use.placesIn(f, source.FieldPath.Value))
	}
	for i, selected := range f.Selected {
		into := pathsInto{}
		for _, path := range f.Entry.Targets[i].FieldPaths {
			if s.looksAt(path.Node) {
				into.paths = append(into.paths, path)
			}
		}
		s.enter(f.Entry.Node, into, selected)
	}
}

// looksAt tells whether a path is one that counts.
func (s *fieldSearch) looksAt(path *yaml.Node) bool {
	if path == nil || path.Kind != yaml.ScalarNode {
		return false
	}
	place, ok := s.use.Place(path)
	return ok && (s.file == "" || place.File == s.file)
}

func (s *fieldSearch) patch(f *builder.PatchFact) {
	if f.Patch == nil || f.Patch.Kind != yaml.SequenceNode {
		return
	}
	into := pathsInto{}
	for _, operation := range f.Patch.Content {
		for _, field := range []string{"path", "from"} {
			if _, path := syntax.Field(operation, field); s.looksAt(path) {
				into.operations = append(into.operations, path)
			}
		}
	}
	s.enter(f.Entry, into, f.Targets)
}

// enter notes the paths of an entry.
func (s *fieldSearch) enter(entry *yaml.Node, into pathsInto, list []*resource.Resource) {
	if len(into.paths)+len(into.operations) == 0 {
		return
	}
	m := &mentioning{table: s.use.Build.Session().Table()}
	for _, r := range list {
		if at, ok := m.spotOf(r.Named); ok {
			into.resources = append(into.resources, at)
		}
	}
	if at, ok := m.spotOf(entry); ok && len(into.resources) > 0 {
		s.entries[at] = append(s.entries[at], into)
	}
}

// Before implements builder.Recorder.
func (s *fieldSearch) Before(step builder.Step, r *resource.Resource) func() {
	m := &mentioning{table: s.use.Build.Session().Table()}
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
			parsed := fieldpath.Parse(path.Value)
			s.try(path, parsed, fieldpath.Match(r.Node, parsed, 0, s.use.explaining()), s.use.exactPlace)
		}
		for _, path := range into.operations {
			s.tryPointer(path, r.Node)
		}
	}
	return nil
}

// try looks whether a path leads to the field: the whole of it to that under the
// cursor, a part of it to what another path leads to.
func (s *fieldSearch) try(written kustomization.Text, path fieldpath.Path, outcome fieldpath.Outcome, placeOf func(*yaml.Node) (analysis.Place, bool)) {
	for i, step := range outcome.Steps {
		isWhole := i == len(outcome.Steps)-1
		if !slices.ContainsFunc(step.Matched, func(n *yaml.Node) bool {
			return s.isIt(keyOf(step.From, n), n, path.String()[:path.Segments[i].Span.End], isWhole, placeOf)
		}) {
			continue
		}
		part := cursor.Whole(written.Node)
		if s.wanted != nil {
			part = path.Segments[i].Span
		}
		s.add(written.Node, part)
	}
}

// tryPointer is try for the path of an operation.
func (s *fieldSearch) tryPointer(path, root *yaml.Node) {
	for end := range len(path.Value) + 1 {
		isWhole := end == len(path.Value)
		if end == 0 || !isWhole && path.Value[end] != '/' {
			continue
		}
		key, n := underPointer(root, path.Value[:end])
		if n == nil || !s.isIt(key, n, path.Value[:end], isWhole, s.use.Place) {
			continue
		}
		part := cursor.Whole(path)
		if s.wanted != nil {
			part = text.Span{Start: strings.LastIndexByte(path.Value[:end], '/') + 1, End: end}
		}
		s.add(path, part)
	}
}

// isIt tells whether a way that leads to the key or value leads to the field.
func (s *fieldSearch) isIt(key, value *yaml.Node, way string, isWhole bool, placeOf func(*yaml.Node) (analysis.Place, bool)) bool {
	if s.wanted != nil {
		return slices.ContainsFunc(s.use.fieldNodes(key, way), func(n fieldNode) bool { return s.wanted[n] })
	}
	return isWhole && s.isAt(key, value, placeOf)
}

// isAt tells whether the cursor is on the key of a field, or in its single value, of which
// a function returns the place.
func (s *fieldSearch) isAt(key, value *yaml.Node, placeOf func(*yaml.Node) (analysis.Place, bool)) bool {
	isHere := func(place analysis.Place, ok bool) bool {
		return ok && place.File == s.cursor.File && place.Span.Contains(s.cursor.Offset)
	}
	place, exact := s.use.exactPlace(key)
	if key.Kind == yaml.ScalarNode && isHere(place, exact) {
		return true
	}
	if value.Kind != yaml.ScalarNode {
		return false
	}
	place, ok := placeOf(value)
	if !exact && ok && place.File == s.cursor.File && len(s.cursor.Steps) > 0 {
		// The text was written anew: the key is the one beside the value.
		step := s.cursor.Steps[len(s.cursor.Steps)-1]
		if beside, known := s.use.Place(step.Value); known && s.cursor.OnKey && beside == place {
			return true
		}
	}
	return isHere(place, ok)
}

func (s *fieldSearch) add(path *yaml.Node, part text.Span) {
	if place, ok := cursor.PartPlace(s.use.Build.Session().Table(), path, part); ok {
		s.found = append(s.found, Reference{Place: place})
	}
}
