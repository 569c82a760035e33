package ide

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	yaml "go.yaml.in/yaml/v3"
)

// maxFieldRoots is in how many roots a field is looked at.
const maxFieldRoots = 8

// fieldUses tells of a field of a resource, or of a patch, what its value is in the
// end, in each root that uses the file, and where that was written.
func (u *scope) fieldUses(ctx context.Context, c cursor.Cursor) (string, error) {
	if c.IsKustomization() {
		return "", nil
	}
	readers, all, err := u.View.Readers(ctx, c.File, maxFieldRoots)
	if err != nil {
		return "", err
	}
	var told grouped
	for _, r := range readers {
		used, err := scopeIn(ctx, u.View, r)
		if err != nil {
			return "", err
		}
		if used == nil {
			continue
		}
		there, ok := cursor.New(used.Build.Session(), c.File, c.Offset)
		if !ok {
			continue
		}
		for _, f := range cursor.OutputFields(used.Scope, there) {
			told.add(used.describeField(there, f), u.View.NameOf(r.Dir))
		}
	}
	if len(told.said) == 0 {
		return "", nil
	}
	lines := told.lines()
	if more := all - len(readers); more > 0 {
		lines = append(lines, "- and "+markdown.Quantity(more, "more root"))
	}
	return "In the output of\n\n" + strings.Join(lines, "\n"), nil
}

// grouped are sentences, each with those of whom it is said.
type grouped struct {
	said []string
	of   map[string][]string
}

func (g *grouped) add(said, of string) {
	if g.of == nil {
		g.of = map[string][]string{}
	}
	if g.of[said] == nil {
		g.said = append(g.said, said)
	}
	g.of[said] = append(g.of[said], markdown.InlineCode(of))
}

func (g *grouped) lines() []string {
	var lines []string
	for _, said := range g.said {
		lines = append(lines, fmt.Sprintf("- %s: %s", strings.Join(g.of[said], ", "), said))
	}
	return lines
}

// describeField says what a field is in the end and where that was written.
func (u *scope) describeField(c cursor.Cursor, f cursor.OutputField) string {
	said := ""
	switch {
	case f.IsInput && f.Written == nil && !f.IsLine:
		return markdown.InlineCode(f.Resource.ID().String()) + " " + markdown.InlineCode(f.Path)
	case f.IsInput:
		said = markdown.InlineCode(f.Resource.ID().String()) + " " + markdown.InlineCode(f.Path) + ": "
	case f.Named:
		said = markdown.InlineCode(f.Resource.ID().String()) + ": "
	}
	if f.InText || f.IsInput && !f.IsLine {
		return u.describeInText(c, f, cmp.Or(said, markdown.InlineCode(f.Path)+": "))
	}
	outcome := fieldpath.Get(f.Resource.Node, fieldpath.Parse(f.Path), fieldpath.Options{})
	if outcome.Failure != nil || len(outcome.Nodes) == 0 {
		return said + "gone"
	}
	value := outcome.Nodes[0]
	if plain, ok := cursor.DecodedText(value.Value); ok && plain != "" && f.IsSecretValue() {
		said += markdown.InlineCode(markdown.Shortened(plain)) + " (decoded)"
	} else {
		said += describeNode(value)
	}
	place, known := u.Place(value)
	isHere := known && place.File == c.File && (place.Span.Contains(c.Offset) || f.IsLine && c.IsOnLine(place.Span))
	switch {
	case f.Written != nil && sameTree(value, f.Written), f.Written == nil && isHere:
		return said + ", as written here"
	case f.Written != nil && (isHere || value.Kind != yaml.ScalarNode):
		return said + ", changed"
	case !known:
		return said
	}
	return said + ", from " + u.link(c.Dir(), place)
}

// describeInText is describeField for a field of a document in a string, which said
// names.
func (u *scope) describeInText(c cursor.Cursor, f cursor.OutputField, said string) string {
	value, written := explain.Written(u.Build.Session().Table(), u.Result, f.Resource, f.Path)
	if value == nil {
		return said + "gone"
	}
	said += describeNode(value)
	if sameTree(value, f.Written) {
		return said + ", as written here"
	}
	if place, ok := u.explained(written); ok && value.Kind == yaml.ScalarNode {
		return said + ", from " + u.link(c.Dir(), place)
	}
	return said + ", changed"
}

// sameTree tells whether two trees say the same, in the same order.
func sameTree(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameTree(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
