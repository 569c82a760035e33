package ide

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/deployed"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// maxDefinitionRoots is in how many of the roots that read a file a name is looked for.
const maxDefinitionRoots = 16

// maxDefinitions bounds the places that a selector leads to.
const maxDefinitions = 200

// Definition is what a position stands for.
type Definition struct {
	// Origin is what was asked about, in the file that was asked for.
	Origin text.Span
	Places []analysis.Place
	// nodes are what a part of a field path or pointer leads to.
	nodes []fieldNode
}

// DefinitionAt leads from a path to the file, from a folder to its kustomization
// file, from a selector and any name to the resources that it means, from the name of
// a key to the key, from an entry of images to the images, and from a segment of a
// field path to the nodes that it leads to. It is nil where there is nothing.
func DefinitionAt(ctx context.Context, v *workspace.View, file string, offset int) (*Definition, error) {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok || c.Node == nil {
		return nil, nil
	}
	if named, err := deployed.DefinitionAt(ctx, v, file, offset); err != nil {
		return nil, err
	} else if named != nil {
		return &Definition{Origin: named.Span, Places: named.Places}, nil
	}
	if d := pathDefinition(v, c); d != nil {
		return d, nil
	}
	used, err := scopeOf(ctx, v, file)
	if err != nil || used == nil {
		return nil, err
	}
	c, _ = cursor.New(used.Build.Session(), file, offset)
	var d *Definition
	if e := cursor.EntryAt(used.Scope, c); e != nil {
		d, err = entriesDefinition(ctx, v, c, used, e)
	}
	if err == nil && (d == nil || len(d.Places) == 0) {
		d = used.specDefinition(c)
	}
	if err == nil && (d == nil || len(d.Places) == 0) {
		d, err = mentionDefinition(ctx, v, c)
	}
	if err == nil && (d == nil || len(d.Places) == 0) {
		d, err = used.patchFieldDefinition(ctx, c)
	}
	if err != nil || d == nil || len(d.Places) == 0 {
		return nil, err
	}
	d.Places = sortedPlaces(d.Places)
	return d, nil
}

// entriesDefinition is what an entry leads to: one of a component in all roots that
// include it.
func entriesDefinition(ctx context.Context, v *workspace.View, c cursor.Cursor, u *scope, e *cursor.Entry) (*Definition, error) {
	if !e.Layer.Component {
		return u.entryDefinition(ctx, c, e)
	}
	uses, err := scopesOf(ctx, v, maxDefinitionRoots, c.File)
	if err != nil {
		return nil, err
	}
	var all *Definition
	for _, u := range uses {
		inUse, _ := cursor.New(u.Build.Session(), c.File, c.Offset)
		e := cursor.EntryAt(u.Scope, inUse)
		if e == nil {
			continue
		}
		d, err := u.entryDefinition(ctx, inUse, e)
		switch {
		case err != nil:
			return nil, err
		case all == nil:
			all = d
		case d != nil:
			all.Places = append(all.Places, d.Places...)
		}
	}
	return all, nil
}

// mentionDefinition leads from a name to where the thing got it, which may be the place
// itself: editors then show what mentions it. From an entry of images it leads to what
// holds the image. Both in all roots that use the file.
func mentionDefinition(ctx context.Context, v *workspace.View, c cursor.Cursor) (*Definition, error) {
	uses, err := scopesOf(ctx, v, maxDefinitionRoots, c.File)
	if err != nil {
		return nil, err
	}
	var d *Definition
	for _, u := range uses {
		table := u.Build.Session().Table()
		symbols := symbolSet{}
		images := false
		for _, x := range u.mentionsAt(c) {
			images = x.symbols[0].kind == imageEntry && x.defines
			if !x.defines && x.symbols[0].kind == imageEntry {
				continue
			}
			origin, _ := cursor.PartPlace(table, x.node, x.part)
			symbols.add(x.symbols...)
			d = cmp.Or(d, &Definition{Origin: origin.Span})
		}
		if len(symbols) == 0 {
			continue
		}
		for _, x := range u.mentions() {
			if x.defines == images || !x.isOneOf(symbols) {
				continue
			}
			if place, ok := cursor.PartPlace(table, x.node, x.part); ok {
				d.Places = append(d.Places, place)
			}
		}
	}
	return d, nil
}

func sortedPlaces(places []analysis.Place) []analysis.Place {
	slices.SortFunc(places, func(a, b analysis.Place) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	places = slices.Compact(places)
	return places[:min(len(places), maxDefinitions)]
}

// pathDefinition leads from a value that names a file or folder to it.
func pathDefinition(v *workspace.View, c cursor.Cursor) *Definition {
	e, ok := cursor.PathEntryAt(v, c)
	if !ok {
		return nil
	}
	target, ok := v.FileAt(e.Target)
	if !ok {
		return nil
	}
	return &Definition{Origin: c.Span(), Places: []analysis.Place{{File: target}}}
}

func (u *scope) entryDefinition(ctx context.Context, c cursor.Cursor, e *cursor.Entry) (*Definition, error) {
	part, target := e.PartAt(c)
	switch {
	case part == cursor.PatchTarget, part == cursor.PatchHead:
		return u.resources(c, e.Targets()), nil
	case e.Replacement == nil:
		return u.pointerDefinition(ctx, c, e)
	case e.Fact == nil, target >= len(e.Fact.Selected) && (part == cursor.Select || part == cursor.TargetPath),
		e.Fact.Source == nil && (part == cursor.Source || part == cursor.SourcePath):
		return nil, nil
	}
	switch part {
	case cursor.Source:
		return u.resources(c, []*resource.Resource{e.Fact.Source}), nil
	case cursor.SourcePath:
		return u.sourcePath(c, e), nil
	case cursor.Select:
		return u.resources(c, e.Fact.Selected[target]), nil
	case cursor.TargetPath:
		return u.targetPath(ctx, c, e, target)
	}
	return nil, nil
}

// patchFieldDefinition leads from a field of a strategic merge patch to the field that it
// changes, in the state in which the patch meets the resources.
func (u *scope) patchFieldDefinition(ctx context.Context, c cursor.Cursor) (*Definition, error) {
	e := cursor.EntryAt(u.Scope, c)
	if e == nil || len(e.Patches) == 0 || c.Node == nil {
		return nil, nil
	}
	d := &Definition{Origin: c.InnerSpan()}
	if _, inner, ok := c.InEmbedded(); ok && c.IsKustomization() {
		c.Location = inner
	} else if c.IsKustomization() {
		return nil, nil
	}
	if len(c.Steps) == 0 || c.Steps[0].Parent.Kind != yaml.MappingNode {
		return nil, nil
	}
	target := c.Node
	if c.OnKey {
		target = c.Steps[len(c.Steps)-1].Value
	}
	written, ok := cursor.PatchedPath(c, e.Patches[0], target)
	path := fieldpath.Parse(written)
	isIndex := func(s fieldpath.Segment) bool { return s.Kind == fieldpath.Index }
	if !ok || slices.ContainsFunc(path.Segments, isIndex) {
		return nil, nil // an element without a name is not the one of the same number
	}
	err := cursor.ReplayOn(ctx, u.Scope, e, e.FirstTargets(maxDefinitions), func(r *resource.Resource) {
		u.addNodes(d, path, fieldpath.Get(r.Node, path, fieldpath.Options{Explain: true}), len(path.Segments)-1, u.Place)
	}, nil)
	return d, err
}

// resources leads to where resources were written.
func (u *scope) resources(c cursor.Cursor, list []*resource.Resource) *Definition {
	d := &Definition{Origin: c.Span()}
	for _, r := range list {
		if place, ok := u.resourcePlace(r); ok {
			d.Places = append(d.Places, place)
		}
	}
	return d
}

// resourcePlace returns where the resource got its own name: a build may have put
// another in its place. What has none is where its entry is.
func (u *scope) resourcePlace(r *resource.Resource) (analysis.Place, bool) {
	if place, ok := u.Place(r.Named); ok && !r.Generated {
		return place, true
	}
	place, ok := u.Place(r.Node)
	if !ok || workspace.SameNode(r.Node, r.Entry) {
		place, ok = u.Place(r.Entry)
	}
	return u.firstLine(place), ok
}

// firstLine cuts a place at the end of the line that it begins in.
func (u *scope) firstLine(place analysis.Place) analysis.Place {
	f, err := u.Build.Session().Files().ReadFile(place.File)
	if err != nil || place.Span.End > len(f.Data) {
		return place
	}
	shown := f.Data[place.Span.Start:place.Span.End]
	if end := bytes.IndexAny(shown, "\r\n"); end >= 0 {
		place.Span.End = place.Span.Start + len(bytes.TrimRight(shown[:end], " \t"))
	}
	return place
}

// sourcePath leads from a segment of a source's field path to the node.
func (u *scope) sourcePath(c cursor.Cursor, e *cursor.Entry) *Definition {
	path := fieldpath.Parse(c.Node.Value)
	segment, origin, ok := segment(c, path)
	if !ok {
		return nil
	}
	d := &Definition{Origin: origin}
	outcome := fieldpath.Get(e.Fact.Source.Node, path, u.explaining())
	u.addNodes(d, path, outcome, segment, u.placesIn(e.Fact, path.String()[:path.Segments[segment].Span.End]))
	return d
}

// placesIn returns a function that returns where the field of a replacement's source was
// written that a way leads to: of what a build changed in the text of a document, that is
// found by comparing texts, where the value still is the one that was copied.
func (u *scope) placesIn(f *builder.ReplacementFact, way string) func(*yaml.Node) (analysis.Place, bool) {
	return func(n *yaml.Node) (analysis.Place, bool) {
		place, exact := u.exactPlace(n)
		if exact || f.Value == nil || n.Value != f.Value.Value {
			return u.Place(n)
		}
		value, written := explain.Written(u.Build.Session().Table(), u.Result, f.Source, way)
		if at, ok := u.explained(written); ok && value != nil {
			place = at
		}
		if c, ok := cursor.New(u.Build.Session(), place.File, place.Span.Start); ok && c.Scalar() != nil {
			place.Span = c.InnerSpan()
		}
		return place, place.File != ""
	}
}

// exactPlace is place, and false where the node stands in the text of a document of which
// no more is known than where the whole was written.
func (u *scope) exactPlace(n *yaml.Node) (analysis.Place, bool) {
	place, ok := u.Place(n)
	if host := u.hostOf(n); ok && host != nil {
		whole, _ := u.Place(host)
		return place, place != whole
	}
	return place, ok
}

// targetPath leads from a segment of a target's field path to the nodes, in the
// state in which the replacement meets them. It comes to the resources in the same
// order as when the fact was recorded; their names may have changed since.
func (u *scope) targetPath(ctx context.Context, c cursor.Cursor, e *cursor.Entry, target int) (*Definition, error) {
	if c.Scalar() == nil {
		return nil, nil
	}
	path := fieldpath.Parse(c.Node.Value)
	segment, origin, ok := segment(c, path)
	if !ok {
		return nil, nil
	}
	first := 0
	for _, selected := range e.Fact.Selected[:target] {
		first += len(selected)
	}
	last := first + len(e.Fact.Selected[target])
	d := &Definition{Origin: origin}
	at := 0
	err := cursor.Replay(ctx, u.Scope, e, func(r *resource.Resource) {
		if at >= first && at < last && len(d.Places) < maxDefinitions {
			u.addNodes(d, path, fieldpath.Match(r.Node, path, 0, u.explaining()), segment, u.Place)
		}
		at++
	}, nil)
	return d, err
}

func (u *scope) explaining() fieldpath.Options {
	return fieldpath.Options{Explain: true, Embedded: u.Build.Session().AddEmbedded}
}

// segment finds the segment of a field path that the cursor is in, and where it
// was written.
func segment(c cursor.Cursor, path fieldpath.Path) (index int, origin text.Span, ok bool) {
	id := c.Session.AddEmbedded(c.Node, c.Node.Value)
	offset, ok := c.Table.EmbeddedOffset(id, c.Offset)
	if !ok {
		return 0, text.Span{}, false
	}
	for i, s := range path.Segments {
		if s.Span.Contains(offset) {
			_, _, origin = c.Table.Resolve(id, s.Span)
			return i, origin, true
		}
	}
	return 0, text.Span{}, false
}

// addNodes adds the places of what a segment met: of a value in a mapping that
// takes several lines, or is a collection, the key.
func (u *scope) addNodes(d *Definition, path fieldpath.Path, outcome fieldpath.Outcome, segment int, placeOf func(*yaml.Node) (analysis.Place, bool)) {
	if segment >= len(outcome.Steps) {
		return
	}
	step := outcome.Steps[segment]
	for _, n := range step.Matched {
		d.nodes = append(d.nodes, u.fieldNodes(keyOf(step.From, n), path.String()[:path.Segments[segment].Span.End])...)
		shown := n
		if n.Kind != yaml.ScalarNode || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			shown = keyOf(step.From, n)
		}
		if place, ok := placeOf(shown); ok {
			d.Places = append(d.Places, u.firstLine(place))
		}
	}
}

// keyOf returns the key of a value in one of the mappings, or the value.
func keyOf(mappings []*yaml.Node, value *yaml.Node) *yaml.Node {
	for _, m := range mappings {
		if m.Kind != yaml.MappingNode {
			continue
		}
		for i := 1; i < len(m.Content); i += 2 {
			if m.Content[i] == value {
				return m.Content[i-1]
			}
		}
	}
	return value
}
