package ide

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// describeKubernetes says what a field of a resource, or of a strategic merge patch,
// is for: the one whose key the cursor is on, also in a patch that stands in a
// kustomization.
func describeKubernetes(v *workspace.View, used *scope, c cursor.Cursor) string {
	if inner, ok := c.Embedded(); ok {
		c.Location = inner
	} else if c.IsKustomization() {
		return ""
	}
	if !c.OnKey || len(c.Steps) == 0 {
		return ""
	}
	apiVersion, kind, path := c.KubernetesPath()
	if kind == "" {
		return ""
	}
	field, ok := kubernetesOf(v, used, c.File).Describe(apiVersion, kind, path)
	if !ok {
		return ""
	}
	return describeSchema(field)
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
	title := fmt.Sprintf("**%s**", text.EscapeMarkdown(f.Name))
	if f.Type != "" {
		title += " · " + text.EscapeMarkdown(f.Type)
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
		parts = append(parts, "One of "+strings.Join(inlineCodes(f.Enum), ", ")+".")
	}
	return strings.Join(markdown.NonEmpty(parts), "\n\n")
}

func inlineCodes(texts []string) []string {
	codes := make([]string, len(texts))
	for i, t := range texts {
		codes[i] = markdown.InlineCode(t)
	}
	return codes
}
