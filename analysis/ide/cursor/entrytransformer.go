package cursor

import (
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// transformerAt finds the entry of a transformer other than patches and
// replacements: images, replicas, labels, names, the namespace, vars.
func transformerAt(u *workspace.Scope, l *builder.Layer, c Cursor) *Entry {
	for i := range l.Facts.Images {
		if f := &l.Facts.Images[i]; c.At(f.Entry.Node) {
			return &Entry{Layer: l, Node: f.Entry.Node, What: "Image", Verb: "changes", Resources: f.Resources}
		}
	}
	for i := range l.Facts.Replicas {
		if f := &l.Facts.Replicas[i]; c.At(f.Entry.Node) {
			return &Entry{Layer: l, Node: f.Entry.Node, What: "Replicas", Verb: "changes", Resources: f.Targets}
		}
	}
	for i := range l.Facts.Vars {
		if f := &l.Facts.Vars[i]; c.At(f.Var.Node) {
			return varEntry(l, f)
		}
	}
	return wideAt(u, l, c)
}

// wideFields are the fields that change every resource, with what they are for
// people and what they do.
var wideFields = []struct{ field, what, verb string }{
	{"namespace", "Namespace", "changes"},
	{"namePrefix", "Name prefix", "renames"},
	{"nameSuffix", "Name suffix", "renames"},
	{"commonLabels", "Labels", "changes"},
	{"commonAnnotations", "Annotations", "changes"},
}

// wideAt finds what is written to every resource.
func wideAt(u *workspace.Scope, l *builder.Layer, c Cursor) *Entry {
	if c.File != l.Path {
		return nil
	}
	for i := range l.Kustomization.Labels {
		if label := &l.Kustomization.Labels[i]; c.At(label.Node) {
			return &Entry{Layer: l, Node: label.Node, What: "Labels", Verb: "changes", IsWide: true}
		}
	}
	for _, wide := range wideFields {
		if _, value := kustomization.FieldNode(l.Kustomization.Node, wide.field); c.At(value) {
			return &Entry{Layer: l, Node: value, What: wide.what, Verb: wide.verb, IsWide: true}
		}
	}
	return nil
}

// varTransformer is what replaces vars.
const varTransformer = "RefVarTransformer"

// varEntry is what the build does with one var. Vars are replaced at the end of the
// whole build, all in one step.
func varEntry(l *builder.Layer, f *builder.VarFact) *Entry {
	use := "$(" + f.Var.Name.Value + ")"
	e := &Entry{Layer: l, Node: f.Var.Node, What: "Var", Verb: "is used in", Transformer: varTransformer, IsWide: true,
		concerns: func(r *resource.Resource) bool { return mentions(r.Node, use) }, Source: f.Source, SourcePath: "metadata.name"}
	if path := f.Var.FieldPath.Value; path != "" {
		e.SourcePath = path
	}
	return e
}

// mentions tells whether a text is in a scalar of a tree.
func mentions(n *yaml.Node, text string) bool {
	if n == nil {
		return false
	}
	if n.Kind == yaml.ScalarNode {
		return strings.Contains(n.Value, text)
	}
	for _, child := range n.Content {
		if mentions(child, text) {
			return true
		}
	}
	return false
}
