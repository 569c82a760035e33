package ide

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Implementation leads from the name or head of a resource, and from what names it,
// to the entries that change it, in the nearest roots that use it; from a field to those
// that change the fields of its line. It is nil where there is nothing.
func Implementation(ctx context.Context, v *workspace.View, file string, offset int) (*Definition, error) {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok || c.Node == nil {
		return nil, nil
	}
	d := &Definition{Origin: c.Span()}
	uses, err := scopesOf(ctx, v, maxDefinitionRoots, file)
	if err != nil {
		return nil, err
	}
	symbols := symbolsAt(uses, c)
	if s, ok := headOf(c); ok && len(symbols) == 0 {
		symbols.add(s)
	}
	if len(symbols) > 0 {
		d.Places, err = changesOf(ctx, v, symbols)
	} else {
		d.Places, err = changesOfLine(ctx, uses, c)
	}
	d.Places = slices.DeleteFunc(d.Places, func(p analysis.Place) bool { return p.File == file && p.Span.Contains(offset) })
	if err != nil || len(d.Places) == 0 {
		return nil, err
	}
	d.Places = sortedPlaces(d.Places)
	return d, nil
}

// changesOf returns the entries that change the resources, or that have the keys.
func changesOf(ctx context.Context, v *workspace.View, symbols symbolSet) ([]analysis.Place, error) {
	uses, err := scopesOf(ctx, v, maxDefinitionRoots, filesOf(symbols)...)
	if err != nil {
		return nil, err
	}
	var places []analysis.Place
	for _, u := range uses {
		w := &changeWatch{mentioning: &mentioning{table: u.Build.Session().Table(), defined: symbolSet{}}, symbols: symbols}
		for _, l := range workspace.Layers(u.Result) {
			w.facts(l)
		}
		options := u.View.Options().Of(u.Build.Root.Dir)
		options.Recorder = w
		if _, err := u.Build.Session().Build(ctx, u.Build.Root.Dir, options); err != nil {
			return nil, err
		}
		for _, entry := range w.entries {
			if place, ok := u.Place(entry); ok {
				places = append(places, u.firstLine(place))
			}
		}
	}
	return places, nil
}

// changeWatch is a builder.Recorder that notes the entries that change resources.
type changeWatch struct {
	*mentioning
	symbols symbolSet
	entries []*yaml.Node
}

// isOne tells whether the resource is one of those that are asked about.
func (w *changeWatch) isOne(r *resource.Resource) bool {
	at, ok := w.spotOf(r.Named)
	return ok && w.symbols[symbol{kind: resourceName, spot: at}]
}

// facts notes the entries that were applied, whether they changed anything or not.
func (w *changeWatch) facts(l *builder.Layer) {
	note := func(entry *yaml.Node, list ...*resource.Resource) {
		if slices.ContainsFunc(list, w.isOne) {
			w.entries = append(w.entries, entry)
		}
	}
	for _, f := range l.Facts.Patches {
		note(f.Entry, f.Targets...)
	}
	for _, f := range l.Facts.Replacements {
		note(f.Entry.Node, f.Targets...)
	}
	for _, f := range l.Facts.Replicas {
		note(f.Entry.Node, f.Targets...)
	}
	for _, f := range l.Facts.Images {
		note(f.Entry.Node, f.Resources...)
		if at, ok := w.spotOf(f.Entry.Name.Node); ok && w.symbols[symbol{kind: imageEntry, spot: at}] {
			w.entries = append(w.entries, f.Entry.Node)
		}
	}
	for _, f := range l.Facts.Generators {
		if f.Base != nil {
			note(f.Entry.Node, f.Base)
		}
		for _, key := range f.Keys {
			if at, ok := w.spotOf(f.Made.Named); ok && w.symbols[symbol{dataKey, at, key.Name}] {
				w.entries = append(w.entries, key.Node)
			}
		}
	}
}

// Before implements builder.Recorder.
func (w *changeWatch) Before(step builder.Step, r *resource.Resource) func() {
	if step.Entry == nil || step.Transformer == "HashTransformer" || !w.isOne(r) {
		return nil
	}
	before := cursor.Printed(r)
	return func() {
		if string(cursor.Printed(r)) != string(before) {
			w.entries = append(w.entries, step.Entry)
		}
	}
}

// changesOfLine returns the entries that change the fields that have their value from
// the line of the cursor.
func changesOfLine(ctx context.Context, uses []*scope, c cursor.Cursor) ([]analysis.Place, error) {
	source := c.Table.Source(c.ID)
	line, _ := source.Lines().OffsetToLineColumn(c.Offset)
	var places []analysis.Place
	for _, u := range uses {
		dir := u.Build.Root.Dir
		found, err := explain.ExplainLine(ctx, u.Build.Session(), dir, c.File, line, u.View.Options().Of(dir))
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		for _, field := range found.Fields {
			for _, step := range field.Steps {
				if place, ok := u.explained(step.Place); ok {
					places = append(places, place)
				}
			}
		}
	}
	return places, nil
}

// explained returns the place, to the end of its line, that an explanation names.
func (u *scope) explained(p explain.Place) (analysis.Place, bool) {
	f, err := u.Build.Session().Files().ReadFile(p.File)
	if err != nil || p.Line < 1 {
		return analysis.Place{}, false
	}
	lines := text.NewLines(f.Data)
	start := lines.LineColumnToOffset(p.Line, p.Column)
	return u.firstLine(analysis.Place{File: p.File, Span: text.Span{Start: start, End: len(f.Data)}}), true
}
