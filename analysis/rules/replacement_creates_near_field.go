package rules

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Fields that every resource can have, at the top and in metadata.
var (
	topFields      = []string{"apiVersion", "kind", "metadata", "spec", "status"}
	metadataFields = []string{"name", "namespace", "labels", "annotations", "finalizers", "ownerReferences", "generateName"}
)

// checkCreatedFields looks at the first two steps of the paths, where the fields
// of all resources are known.
func checkCreatedFields(p *analysis.Pass) {
	for _, l := range p.Layers() {
		for _, fact := range l.Facts.Replacements {
			for i := range fact.Entry.Targets {
				t := &fact.Entry.Targets[i]
				if i < len(fact.Selected) && t.Options != nil && t.Options.Create {
					checkCreatedBy(p, l, t, fact.Selected[i])
				}
			}
		}
	}
}

func checkCreatedBy(p *analysis.Pass, l *builder.Layer, t *kustomization.ReplacementTarget, targets []*resource.Resource) {
	for _, path := range t.FieldPaths {
		if translated, other := fieldpath.Translate(path.Value); other != "" && translated != "" && translated != path.Value {
			p.Report(builder.Problem{Node: path.Node, Layer: l,
				Message: fmt.Sprintf("this creates a field with a name in %s notation", other),
				Help:    "kustomize writes " + translated, Fixes: []builder.Fix{problem.ChangeTo(translated)}})
			continue
		}
		segments := slices.DeleteFunc(fieldpath.Parse(path.Value).Segments, func(s fieldpath.Segment) bool { return s.Kind == fieldpath.Blank })
		if len(segments) == 0 {
			continue
		}
		at, known := segments[0], topFields
		if at.Text == "metadata" && len(segments) > 1 {
			at, known = segments[1], metadataFields
		}
		for _, r := range targets {
			if r.Node == nil || slices.Contains(known, at.Text) {
				continue
			}
			own := slices.Clone(known)
			if at.Text == segments[0].Text {
				own = append(own, keysOf(r, at.Text)...)
			}
			if near, ok := text.Nearest(at.Text, own); ok && text.IsSlip(at.Text, near) {
				p.Report(builder.Problem{Node: path.Node, Part: at.Span, Layer: l,
					Message: fmt.Sprintf("this creates a field %s in %s", at.Text, r.ID())}.Suggest(near))
				break
			}
		}
	}
}

// keysOf returns the keys at the top of a resource, except one.
func keysOf(r *resource.Resource, except string) []string {
	var keys []string
	for i := 0; i+1 < len(r.Node.Content); i += 2 {
		if key := r.Node.Content[i].Value; key != except {
			keys = append(keys, key)
		}
	}
	return keys
}
