package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
)

var _ = register(analysis.Rule{
	Name:        "definition-name",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A CustomResourceDefinition is not called after its plural and group",
	Why:         "The API server takes a definition only under the name PLURAL.GROUP, and only with a scope that it knows.",
	Remedy:      `Correct the name, the plural or the group, whichever is wrong.`,
	Check: func(p *analysis.Pass) {
		inEach(p, func(r *resource.Resource) (found []builder.Problem) {
			if id := r.ID(); id.Group != "apiextensions.k8s.io" || id.Kind != "CustomResourceDefinition" {
				return nil
			}
			group, _ := textAt(r.Node, "spec/group")
			plural, _ := textAt(r.Node, "spec/names/plural")
			name, node := textAt(r.Metadata(), "name")
			if meant := plural + "." + group; name != "" && group != "" && plural != "" && name != meant {
				found = append(found, builder.Problem{Node: node, Message: fmt.Sprintf("the definition of %s is called %s", meant, name)})
			}
			if scope, node := textAt(r.Node, "spec/scope"); scope != "" && scope != "Namespaced" && scope != "Cluster" {
				found = append(found, builder.Problem{Node: node, Message: fmt.Sprintf("there is no scope %q, but Namespaced and Cluster", scope)})
			}
			return found
		})
	},
})
