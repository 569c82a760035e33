package rules

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

const rbacGroup = "rbac.authorization.k8s.io"

func invalidBinding(r *resource.Resource) (found []builder.Problem) {
	id := r.ID()
	kinds := map[string][]string{"RoleBinding": {"Role", "ClusterRole"}, "ClusterRoleBinding": {"ClusterRole"}}[id.Kind]
	if id.Group != rbacGroup || kinds == nil {
		return nil
	}
	check := func(n *yaml.Node, field string, allowed []string, message string) {
		value, node := syntax.TextAt(n, field)
		if value == "" || slices.Contains(allowed, value) || schema.HoldsTemplate(value) {
			return
		}
		problem := builder.Problem{Node: node, Message: fmt.Sprintf(message, value)}
		if near, ok := text.Nearest(value, allowed); ok || len(allowed) == 1 {
			near = allowed[max(0, slices.Index(allowed, near))]
			problem = problem.Suggest(near)
		}
		found = append(found, problem)
	}
	role := syntax.FieldAt(r.Node, "roleRef")
	check(role, "apiGroup", []string{rbacGroup}, "roles are not of the group %q")
	check(role, "kind", kinds, "a "+id.Kind+" cannot bind a %s")
	for _, subject := range syntax.Mappings(syntax.FieldAt(r.Node, "subjects")) {
		check(subject, "kind", []string{"ServiceAccount", "User", "Group"}, "there are no subjects of the kind %s")
	}
	return found
}
