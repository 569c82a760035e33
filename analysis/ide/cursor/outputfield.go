package cursor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// maxPatched bounds the resources that a patch is said to change.
const maxPatched = 3

// OutputField is a field of a rendered resource that the cursor stands for.
type OutputField struct {
	Resource *resource.Resource
	Path     string
	// Written is the value under the cursor; nil for one that is not this field's.
	Written *yaml.Node
	// Named is true where the resource is not the one that the file holds, IsInput
	// where a generator made it of the file, IsLine of a line of it, InText where it is a
	// field of a document in a string.
	Named, IsInput, IsLine, InText bool
}

// OutputFields returns the fields of rendered resources that the cursor is in: of the
// resource that is written there, or of those that a patch is applied to.
func OutputFields(u *workspace.Scope, c Cursor) []OutputField {
	target := c.Node
	if len(c.Steps) == 0 {
		return inputFields(u, c, target)
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
					return []OutputField{inText(c, OutputField{Resource: r, Path: path, Written: target})}
				}
				return nil
			}
		}
	}
	if fields := patchedFields(u, c, target); len(fields) > 0 {
		return fields
	}
	return inputFields(u, c, target)
}

// IsSecretValue tells whether the value is base64.
func (f OutputField) IsSecretValue() bool {
	return f.Resource.ID().Kind == "Secret" && len(fieldpath.Parse(f.Path).Segments) == 2 && strings.HasPrefix(f.Path, "data.")
}

// patchedFields returns the fields that the part of a patch under the cursor is
// about.
func patchedFields(u *workspace.Scope, c Cursor, target *yaml.Node) []OutputField {
	root := c.Steps[0].Parent
	var fields []OutputField
	rendered := map[*resource.Resource]bool{}
	for _, r := range u.Result.Resources {
		rendered[r] = true
	}
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Patches {
			if !workspace.SameNode(f.Patch, root) && !c.At(f.Patch) {
				continue
			}
			path, ok := PatchedPath(c, f, target)
			for _, r := range f.Targets {
				if ok && rendered[r] && len(fields) < maxPatched {
					fields = append(fields, OutputField{Resource: r, Path: path, Named: true})
				}
			}
		}
	}
	return fields
}

// PatchedPath returns the field path of what the cursor is in: the path of a JSON6902
// operation, or the field's own in a strategic merge patch.
func PatchedPath(c Cursor, f builder.PatchFact, target *yaml.Node) (string, bool) {
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

// inText returns the field of the document that the cursor is in, where the field's
// value is the text of one.
func inText(c Cursor, f OutputField) OutputField {
	inner, ok := c.Embedded()
	if !ok || len(inner.Steps) == 0 {
		return f
	}
	target := inner.Node
	if inner.OnKey {
		target = inner.Steps[len(inner.Steps)-1].Value
	}
	if path, ok := explain.FieldOf(inner.Steps[0].Parent, target); ok {
		f.Path, f.Written, f.InText = f.Path+"."+path, target, true
	}
	return f
}

// inputFields returns where the part of a generator's file under the cursor is in the
// output: the key that has the file, or a field of the document that it holds, and
// the key of a line of an env file.
func inputFields(u *workspace.Scope, c Cursor, target *yaml.Node) []OutputField {
	var fields []OutputField
	for _, l := range workspace.Layers(u.Result) {
		for i := range l.Facts.Generators {
			f := &l.Facts.Generators[i]
			made := final(u, f.Made)
			if made == nil {
				continue
			}
			for _, key := range f.Keys {
				path := "data." + fieldpath.Escape(key.Name)
				switch {
				case IsLineOf(u, c, key):
					fields = append(fields, OutputField{Resource: made, Path: path, Named: true, IsInput: true, IsLine: true})
				case readsFile(l, key, c.File):
					fields = append(fields, inDocument(u, c, made, path, target))
				}
			}
		}
	}
	return fields
}

// readsFile tells whether a key has its value from a file.
func readsFile(l *builder.Layer, key builder.KeyFact, file string) bool {
	return slices.ContainsFunc(l.Facts.Inputs, func(in builder.Input) bool {
		return in.Path == file && workspace.SameNode(in.Entry, key.Node)
	})
}

// IsLineOf tells whether the cursor is on the line of an env file that gives a key.
func IsLineOf(u *workspace.Scope, c Cursor, key builder.KeyFact) bool {
	place, ok := u.Place(key.Node)
	return ok && place.File == c.File && c.IsOnLine(place.Span)
}

// inDocument returns the field that the cursor is in of a document that became the
// value at a path; the value itself where the file holds no such document.
func inDocument(u *workspace.Scope, c Cursor, made *resource.Resource, path string, target *yaml.Node) OutputField {
	whole := OutputField{Resource: made, Path: path, Named: true, IsInput: true}
	if len(c.Steps) == 0 {
		return whole
	}
	field, ok := explain.FieldOf(c.Steps[0].Parent, target)
	if !ok {
		return whole
	}
	within := whole
	within.Path, within.Written = path+"."+field, target
	outcome := fieldpath.Get(made.Node, fieldpath.Parse(within.Path), fieldpath.Options{})
	if outcome.Failure != nil && made.ID().Kind == "Secret" {
		return whole // it is encoded
	}
	return within
}

// final returns what a generated resource is in the end: what generators of other
// layers merged it into. It is nil where it is not in the output.
func final(u *workspace.Scope, r *resource.Resource) *resource.Resource {
	for range workspace.Layers(u.Result) {
		if slices.Contains(u.Result.Resources, r) {
			return r
		}
		next := (*resource.Resource)(nil)
		for _, l := range workspace.Layers(u.Result) {
			for i := range l.Facts.Generators {
				if f := &l.Facts.Generators[i]; f.Base == r {
					next = f.Made
				}
			}
		}
		if next == nil {
			return nil
		}
		r = next
	}
	return nil
}
