package ide

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
func transformerAt(u *workspace.Scope, l *builder.Layer, c cursor) *entry {
	for i := range l.Facts.Images {
		if f := &l.Facts.Images[i]; c.at(f.Entry.Node) {
			return &entry{layer: l, node: f.Entry.Node, what: "Image", verb: "changes", resources: f.Resources}
		}
	}
	for i := range l.Facts.Replicas {
		if f := &l.Facts.Replicas[i]; c.at(f.Entry.Node) {
			return &entry{layer: l, node: f.Entry.Node, what: "Replicas", verb: "changes", resources: f.Targets}
		}
	}
	for i := range l.Facts.Vars {
		if f := &l.Facts.Vars[i]; c.at(f.Var.Node) {
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
func wideAt(u *workspace.Scope, l *builder.Layer, c cursor) *entry {
	if c.file != l.Path {
		return nil
	}
	for i := range l.Kustomization.Labels {
		if label := &l.Kustomization.Labels[i]; c.at(label.Node) {
			return &entry{layer: l, node: label.Node, what: "Labels", verb: "changes", isWide: true}
		}
	}
	for _, wide := range wideFields {
		if _, value := kustomization.FieldNode(l.Kustomization.Node, wide.field); c.at(value) {
			return &entry{layer: l, node: value, what: wide.what, verb: wide.verb, isWide: true}
		}
	}
	return nil
}

// varTransformer is what replaces vars.
const varTransformer = "RefVarTransformer"

// varEntry is what the build does with one var. Vars are replaced at the end of the
// whole build, all in one step.
func varEntry(l *builder.Layer, f *builder.VarFact) *entry {
	use := "$(" + f.Var.Name.Value + ")"
	e := &entry{layer: l, node: f.Var.Node, what: "Var", verb: "is used in", transformer: varTransformer, isWide: true,
		concerns: func(r *resource.Resource) bool { return mentions(r.Node, use) }, source: f.Source, sourcePath: "metadata.name"}
	if path := f.Var.FieldPath.Value; path != "" {
		e.sourcePath = path
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
