package ide

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"

	yaml "go.yaml.in/yaml/v3"
)

// describeKubernetes says what a field of a resource, or of a strategic merge patch,
// is for: the one whose key the cursor is on, also in a patch that stands in a
// kustomization.
func describeKubernetes(v *workspace.View, used *scope, c cursor) string {
	if inner, ok := c.embedded(); ok {
		c.Location = inner
	} else if c.isKustomization() {
		return ""
	}
	if !c.OnKey || len(c.Steps) == 0 {
		return ""
	}
	apiVersion, kind, path := c.kubernetesPath()
	if kind == "" {
		return ""
	}
	field, ok := kubernetesOf(v, used, c.file).Describe(apiVersion, kind, path)
	if !ok {
		return ""
	}
	return describeSchema(field)
}

// embedded returns where the cursor is in a document that is the text of a scalar: a
// mapping.
func (c cursor) embedded() (syntax.Location, bool) {
	root, inner, ok := c.inEmbedded()
	return inner, ok && root.Kind == yaml.MappingNode
}

// inEmbedded returns the root of the document that is the text of a scalar, and where
// the cursor is in it.
func (c cursor) inEmbedded() (root *yaml.Node, inner syntax.Location, ok bool) {
	n := c.scalar()
	if n == nil || !strings.Contains(n.Value, "\n") && !strings.HasPrefix(n.Value, "{") && !strings.HasPrefix(n.Value, "[") {
		return nil, inner, false
	}
	id := c.session.AddEmbedded(n, n.Value)
	offset, ok := c.table.EmbeddedOffset(id, c.offset)
	if !ok {
		return nil, inner, false
	}
	d := syntax.Parse(c.table, id).DocumentAt(offset)
	if d == nil || d.Root == nil {
		return nil, inner, false
	}
	return d.Root, d.Path(c.table, offset), true
}

// innerSpan is span, in a document that is the text of a scalar that of the node there.
func (c cursor) innerSpan() text.Span {
	if _, inner, ok := c.inEmbedded(); ok && inner.Node != nil && !inner.Blank {
		if file, _, span := c.table.Resolve(syntax.NodeSpan(c.table, inner.Node)); file == c.id {
			return span
		}
	}
	return c.span()
}

// kubernetesPath returns the kind of the innermost object around the cursor that
// names one, and the path from there.
func (c cursor) kubernetesPath() (apiVersion, kind string, path []string) {
	from := -1
	for i, step := range c.Steps {
		_, version := syntax.Field(step.Parent, "apiVersion")
		_, name := syntax.Field(step.Parent, "kind")
		if version != nil && name != nil && (i == 0 || c.Steps[i-1].Key == nil) {
			apiVersion, kind, from = version.Value, name.Value, i
		}
	}
	if from < 0 {
		return "", "", nil
	}
	for _, step := range c.Steps[from:] {
		if step.Key == nil {
			path = append(path, "0") // an entry of a list is as any other
			continue
		}
		path = append(path, step.Key.Value)
	}
	return apiVersion, kind, path
}

// kubernetesOf are those of Kubernetes, with the ones that the build renders definitions of.
func kubernetesOf(v *workspace.View, used *scope, file string) *schema.Kubernetes {
	kinds := v.Kubernetes(file)
	if used == nil {
		return kinds
	}
	var definitions []*yaml.Node
	for _, r := range used.Result.Resources {
		if r.ID().Kind == "CustomResourceDefinition" {
			definitions = append(definitions, r.Node)
		}
	}
	if len(definitions) > 0 {
		kinds = kinds.WithCRDs(definitions)
	}
	return kinds
}

// maxDescription is how many characters of a description are shown.
const maxDescription = 1200

func describeSchema(f schema.Field) string {
	title := fmt.Sprintf("**%s**", f.Name)
	if f.Type != "" {
		title += " · " + f.Type
	}
	if f.Required {
		title += " · required"
	}
	description := f.Description
	if runes := []rune(description); len(runes) > maxDescription {
		description = string(runes[:maxDescription]) + "…"
	}
	parts := []string{title, description}
	if len(f.Enum) > 0 {
		parts = append(parts, "One of `"+strings.Join(f.Enum, "`, `")+"`.")
	}
	return strings.Join(nonEmpty(parts), "\n\n")
}
