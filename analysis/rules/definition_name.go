package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

func checkDefinitionName(r *resource.Resource) (found []builder.Problem) {
	if id := r.ID(); id.Group != "apiextensions.k8s.io" || id.Kind != "CustomResourceDefinition" {
		return nil
	}
	group, _ := syntax.TextAt(r.Node, "spec/group")
	plural, _ := syntax.TextAt(r.Node, "spec/names/plural")
	name, node := syntax.TextAt(r.Metadata(), "name")
	if meant := plural + "." + group; name != "" && group != "" && plural != "" && name != meant {
		found = append(found, builder.Problem{Node: node, Message: fmt.Sprintf("the definition of %s is called %s", meant, name)})
	}
	if scope, node := syntax.TextAt(r.Node, "spec/scope"); scope != "" && scope != "Namespaced" && scope != "Cluster" {
		found = append(found, builder.Problem{Node: node, Message: fmt.Sprintf("there is no scope %q, but Namespaced and Cluster", scope)})
	}
	return found
}
