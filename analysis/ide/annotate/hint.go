package annotate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Hint is a word of the build between the words of a file.
type Hint struct {
	// Offset is where it stands, in bytes.
	Offset int
	Label  string
	// Tooltip says in Markdown what it is.
	Tooltip string
}

const (
	maxHints = 300
	maxLabel = 60 // in characters
)

// Hints returns what builds make of the words in a span of a file: the values that
// replacements copy, the names of generated resources, and the images that are
// deployed.
func Hints(ctx context.Context, v *workspace.View, file string, within text.Span) ([]Hint, error) {
	used, err := v.Scope(ctx, file)
	if err != nil || used == nil {
		return nil, err
	}
	h := &hinter{Scope: used, file: file, within: within, seen: map[Hint]bool{}, failing: cursor.FailuresOf(used)}
	for _, l := range used.Layers(file) {
		h.replacements(l)
		if workspace.IsKustomization(file) {
			h.generators(l)
			h.images(l)
		} else {
			h.deployed(l)
		}
	}
	slices.SortStableFunc(h.hints, func(a, b Hint) int { return cmp.Compare(a.Offset, b.Offset) })
	return h.hints, nil
}

// hinter collects hints.
type hinter struct {
	*workspace.Scope
	file   string
	within text.Span
	hints  []Hint
	seen   map[Hint]bool
	// failing are the failures of the build: what an entry makes that fails is a guess.
	failing cursor.Failures
}

// add puts a hint behind a node.
func (h *hinter) add(n *yaml.Node, label, tooltip string) {
	place, ok := h.Place(n)
	if !ok || place.File != h.file || place.Span.End < h.within.Start || place.Span.End > h.within.End || len(h.hints) == maxHints {
		return
	}
	label = strings.ReplaceAll(label, "\n", "⏎")
	if runes := []rune(label); len(runes) > maxLabel {
		label = string(runes[:maxLabel]) + "…"
	}
	hint := Hint{place.Span.End, label, tooltip}
	if !h.seen[hint] {
		h.seen[hint] = true
		h.hints = append(h.hints, hint)
	}
}

// replacements shows what each copies.
func (h *hinter) replacements(l *builder.Layer) {
	for _, f := range l.Facts.Replacements {
		if f.Value == nil || f.Value.Kind != yaml.ScalarNode || f.Entry.Source == nil || f.Source == nil || h.failing.Among(f.Entry.Source.Node) {
			continue
		}
		at := f.Entry.Source.FieldPath.Node
		if at == nil {
			at = f.Entry.Source.Name.Node
		}
		h.add(at, "= "+f.Value.Value, "The value in "+markdown.InlineCode(f.Source.ID().String())+".")
	}
}

// generators shows the names that are deployed.
func (h *hinter) generators(l *builder.Layer) {
	for _, f := range l.Facts.Generators {
		if name := f.Made.ID().Name; name != f.Entry.Name.Value && !h.failing.Among(f.Entry.Node) {
			h.add(f.Entry.Name.Node, "→ "+name, "The name of the "+f.Made.ID().Kind+" in the output.")
		}
	}
}

// images shows what the entries of images make.
func (h *hinter) images(l *builder.Layer) {
	for _, f := range l.Facts.Images {
		var made []string
		for _, n := range f.Nodes {
			if !slices.Contains(made, n.Value) {
				made = append(made, n.Value)
			}
		}
		if len(made) == 0 || h.failing.Among(f.Entry.Node) {
			continue
		}
		h.add(f.Entry.Name.Node, "→ "+strings.Join(made, ", "), "What becomes of "+markdown.Quantity(len(f.Nodes), "image")+".")
	}
}

// deployed shows at an image of a resource what it is in the output.
func (h *hinter) deployed(l *builder.Layer) {
	for _, f := range l.Facts.Images {
		for _, written := range f.Written {
			place, ok := h.Place(written)
			if !ok || place.File != h.file || place.Span.Start < h.within.Start || place.Span.End > h.within.End {
				continue
			}
			c, ok := cursor.New(h.Build.Session(), h.file, place.Span.Start)
			if !ok || len(c.Steps) == 0 {
				continue
			}
			for _, field := range cursor.OutputFields(h.Scope, c) {
				outcome := fieldpath.Get(field.Resource.Node, fieldpath.Parse(field.Path), fieldpath.Options{})
				if outcome.Failure == nil && outcome.Nodes[0].Value != written.Value {
					h.add(written, "→ "+outcome.Nodes[0].Value, "The image in the output of "+markdown.InlineCode(h.View.NameOf(h.Build.Root.Dir))+".")
				}
			}
		}
	}
}
