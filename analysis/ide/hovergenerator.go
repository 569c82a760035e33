package ide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// generated tells of an entry of a generator what it makes, and of an entry of its
// mergeValues what comes of the merge.
func (u *scope) generated(ctx context.Context, c cursor.Cursor) (string, error) {
	for _, l := range u.Layers(c.File) {
		for i := range l.Facts.Generators {
			f := &l.Facts.Generators[i]
			if !c.At(f.Entry.Node) && !c.IsWhole(f.Entry.Node) {
				continue
			}
			for j := range f.Entry.MergeValues {
				if m := &f.Entry.MergeValues[j]; c.At(m.Node) {
					return u.mergedValue(ctx, c, l, f, m)
				}
			}
			return u.generator(ctx, c, l, f)
		}
	}
	return "", nil
}

// maxGenerated is how many lines of a generated resource are shown.
const maxGenerated = 16

func (u *scope) generator(ctx context.Context, c cursor.Cursor, l *builder.Layer, f *builder.GeneratorFact) (string, error) {
	e := &cursor.Entry{Layer: l, Node: f.Entry.Node}
	title := fmt.Sprintf("**%s** · %s", f.Made.ID().Kind, markdown.InlineCode(f.Made.ID().Name))
	if f.Base == nil {
		shown, decoded := cursor.Readable(f.Made)
		parts := []string{title, markdown.CodeBlock("yaml", bounded(string(shown), maxGenerated))}
		if decoded {
			parts = append(parts, cursor.DecodedNote)
		}
		parts = append(parts, u.problems(e)...)
		return strings.Join(markdown.NonEmpty(append(parts, u.where(c))), "\n\n"), nil
	}
	verb := "merged with"
	if f.Made.Behavior == resource.Replace || strings.EqualFold(f.Entry.Behavior.Value, "replace") {
		verb = "put in the place of"
	}
	title += fmt.Sprintf(" · %s the one", verb)
	if place, ok := u.Place(f.Base.Entry); ok {
		title += " of " + u.link(l.Dir, place)
	}
	found, err := cursor.EffectOf(ctx, u.Scope, mergeEntry(l, f), 1)
	if err != nil {
		return "", err
	}
	parts := []string{title}
	for _, change := range found.Changes {
		parts = append(parts, diffBlock(change, false))
	}
	if found.Applied && len(found.Changes) == 0 {
		parts = append(parts, "Nothing changes: the values are there already.")
	}
	parts = append(parts, u.problems(e)...)
	return strings.Join(markdown.NonEmpty(append(parts, u.where(c))), "\n\n"), nil
}

// mergedValue shows the value of a key before and after the merge.
func (u *scope) mergedValue(ctx context.Context, c cursor.Cursor, l *builder.Layer, f *builder.GeneratorFact, m *kustomization.MergeValue) (string, error) {
	parts := []string{fmt.Sprintf("**mergeValues** · %s in %s", markdown.InlineCode(m.Key.Value), markdown.InlineCode(f.Made.ID().String()))}
	if f.Base != nil {
		var before, after string
		var isBefore, isAfter bool
		e := mergeEntry(l, f)
		err := cursor.ReplayOn(ctx, u.Scope, e, cursor.Sample(u.Scope, e), func(r *resource.Resource) {
			before, isBefore = valueOf(r, m.Key.Value)
		}, func(r *resource.Resource) bool {
			after, isAfter = valueOf(r, m.Key.Value)
			return false
		})
		switch {
		case err != nil:
			return "", err
		case !isBefore || !isAfter:
		case before == after:
			parts = append(parts, "Nothing changes: the values are there already.")
		default:
			parts = append(parts, markdown.CodeBlock("diff", markdown.DiffLines(before, after, maxDiffLines)))
		}
	}
	parts = append(parts, u.problems(&cursor.Entry{Node: m.Node})...)
	return strings.Join(markdown.NonEmpty(append(parts, u.where(c))), "\n\n"), nil
}

// mergeEntry is the entry of a generator that is merged with what is there.
func mergeEntry(l *builder.Layer, f *builder.GeneratorFact) *cursor.Entry {
	return &cursor.Entry{Layer: l, Node: f.Entry.Node, Transformer: f.Made.ID().Kind + "Generator", Resources: []*resource.Resource{f.Base}}
}

// valueOf returns the text of a key of a ConfigMap or Secret.
func valueOf(r *resource.Resource, key string) (string, bool) {
	for _, field := range []string{"stringData", "data"} {
		_, data := syntax.Field(r.Node, field)
		_, value := syntax.Field(data, key)
		if value == nil || value.Kind != yaml.ScalarNode {
			continue
		}
		if r.ID().Kind != "Secret" || field == "stringData" {
			return value.Value, true
		}
		return cursor.DecodedText(value.Value)
	}
	return "", false
}

// bounded returns the lines of a text, at most limit of them.
func bounded(text string, limit int) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > limit {
		rest := len(lines) - limit + 1
		lines = append(slices.Clone(lines[:limit-1]), fmt.Sprintf("# … %d more lines", rest))
	}
	for i, line := range lines {
		lines[i] = markdown.CutLine(line)
	}
	return lines
}
