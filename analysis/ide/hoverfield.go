package ide

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
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
		for _, f := range used.fieldsAt(there) {
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

// outputField is a field of a rendered resource that the cursor stands for.
type outputField struct {
	resource *resource.Resource
	path     string
	// written is the value under the cursor; nil for one that is not this field's.
	written *yaml.Node
	// named is true where the resource is not the one that the file holds, isInput
	// where a generator made it of the file, isLine of a line of it, inText where it is a
	// field of a document in a string.
	named, isInput, isLine, inText bool
}

// inText returns the field of the document that the cursor is in, where the field's
// value is the text of one.
func inText(c cursor.Cursor, f outputField) outputField {
	inner, ok := c.Embedded()
	if !ok || len(inner.Steps) == 0 {
		return f
	}
	target := inner.Node
	if inner.OnKey {
		target = inner.Steps[len(inner.Steps)-1].Value
	}
	if path, ok := explain.FieldOf(inner.Steps[0].Parent, target); ok {
		f.path, f.written, f.inText = f.path+"."+path, target, true
	}
	return f
}

// fieldsAt returns the fields of rendered resources that the cursor is in: of the
// resource that is written there, or of those that a patch is applied to.
func (u *scope) fieldsAt(c cursor.Cursor) []outputField {
	target := c.Node
	if len(c.Steps) == 0 {
		return u.inputFields(c, target)
	}
	if last := c.Steps[len(c.Steps)-1]; c.OnKey {
		target = last.Value
	}
	for depth := range c.Steps {
		parent := c.Steps[depth].Parent
		if parent.Kind != yaml.MappingNode {
			continue
		}
		for _, r := range u.Result.Resources {
			if !r.Generated && workspace.SameNode(r.Node, parent) {
				if path, ok := explain.FieldOf(parent, target); ok {
					return []outputField{inText(c, outputField{resource: r, path: path, written: target})}
				}
				return nil
			}
		}
	}
	if fields := u.patchedFields(c, target); len(fields) > 0 {
		return fields
	}
	return u.inputFields(c, target)
}

// patchedFields returns the fields that the part of a patch under the cursor is
// about.
func (u *scope) patchedFields(c cursor.Cursor, target *yaml.Node) []outputField {
	root := c.Steps[0].Parent
	var fields []outputField
	rendered := map[*resource.Resource]bool{}
	for _, r := range u.Result.Resources {
		rendered[r] = true
	}
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Patches {
			if !workspace.SameNode(f.Patch, root) && !c.At(f.Patch) {
				continue
			}
			path, ok := patchedPath(c, f, target)
			for _, r := range f.Targets {
				if ok && rendered[r] && len(fields) < maxTargets {
					fields = append(fields, outputField{resource: r, path: path, named: true})
				}
			}
		}
	}
	return fields
}

// patchedPath returns the field path of what the cursor is in: the path of a JSON6902
// operation, or the field's own in a strategic merge patch.
func patchedPath(c cursor.Cursor, f builder.PatchFact, target *yaml.Node) (string, bool) {
	if f.Patch.Kind == yaml.SequenceNode {
		for _, step := range c.Steps {
			if _, path := syntax.Field(step.Value, "path"); step.Key == nil && path != nil {
				_, op := syntax.Field(step.Value, "op")
				return fromPointer(path.Value), path.Value != "" && (op == nil || op.Value != "remove")
			}
		}
		return "", false
	}
	path, ok := explain.FieldOf(c.Steps[0].Parent, target)
	switch path {
	case "apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace":
		return "", false // they say what is patched
	}
	return path, ok && !strings.Contains(path, "$patch")
}

// fromPointer makes a JSON pointer a field path.
func fromPointer(pointer string) string {
	var segments []string
	for _, part := range jsonpointer.Keys(pointer) {
		if _, err := strconv.Atoi(part); err != nil && part != "-" {
			part = fieldpath.Escape(part)
		}
		segments = append(segments, part)
	}
	return strings.Join(segments, ".")
}

// describeField says what a field is in the end and where that was written.
func (u *scope) describeField(c cursor.Cursor, f outputField) string {
	said := ""
	switch {
	case f.isInput && f.written == nil && !f.isLine:
		return markdown.InlineCode(f.resource.ID().String()) + " " + markdown.InlineCode(f.path)
	case f.isInput:
		said = markdown.InlineCode(f.resource.ID().String()) + " " + markdown.InlineCode(f.path) + ": "
	case f.named:
		said = markdown.InlineCode(f.resource.ID().String()) + ": "
	}
	if f.inText || f.isInput && !f.isLine {
		return u.describeInText(c, f, cmp.Or(said, markdown.InlineCode(f.path)+": "))
	}
	outcome := fieldpath.Get(f.resource.Node, fieldpath.Parse(f.path), fieldpath.Options{})
	if outcome.Failure != nil || len(outcome.Nodes) == 0 {
		return said + "gone"
	}
	value := outcome.Nodes[0]
	if plain, ok := cursor.DecodedText(value.Value); ok && plain != "" && f.isSecretValue() {
		said += markdown.InlineCode(markdown.Shortened(plain)) + " (decoded)"
	} else {
		said += describeNode(value)
	}
	place, known := u.Place(value)
	isHere := known && place.File == c.File && (place.Span.Contains(c.Offset) || f.isLine && c.IsOnLine(place.Span))
	switch {
	case f.written != nil && sameTree(value, f.written), f.written == nil && isHere:
		return said + ", as written here"
	case f.written != nil && (isHere || value.Kind != yaml.ScalarNode):
		return said + ", changed"
	case !known:
		return said
	}
	return said + ", from " + u.link(c.Dir(), place)
}

// describeInText is describeField for a field of a document in a string, which said
// names.
func (u *scope) describeInText(c cursor.Cursor, f outputField, said string) string {
	value, written := explain.Written(u.Build.Session().Table(), u.Result, f.resource, f.path)
	if value == nil {
		return said + "gone"
	}
	said += describeNode(value)
	if sameTree(value, f.written) {
		return said + ", as written here"
	}
	if place, ok := u.explained(written); ok && value.Kind == yaml.ScalarNode {
		return said + ", from " + u.link(c.Dir(), place)
	}
	return said + ", changed"
}

// isSecretValue tells of base64.
func (f outputField) isSecretValue() bool {
	return f.resource.ID().Kind == "Secret" && len(fieldpath.Parse(f.path).Segments) == 2 && strings.HasPrefix(f.path, "data.")
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
