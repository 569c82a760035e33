package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func checkDuplicateName(r *resource.Resource) (found []builder.Problem) {
	if r.ID().Group == "" && r.ID().Kind == "Service" {
		return repeated(r, "port", syntax.Mappings(syntax.FieldAt(r.Node, "spec/ports")), "name")
	}
	of, ok := pods.Of(r)
	if !ok {
		return nil
	}
	found = append(repeated(r, "container", of.Containers(), "name"),
		repeated(r, "volume", syntax.Mappings(syntax.FieldAt(of.Spec, "volumes")), "name")...)
	for _, container := range of.Containers() {
		found = append(found, repeated(r, "port", syntax.Mappings(syntax.FieldAt(container, "ports")), "name")...)
		found = append(found, repeated(r, "mount", syntax.Mappings(syntax.FieldAt(container, "volumeMounts")), "mountPath")...)
	}
	return found
}

// repeated reports the elements whose field says what that of an earlier one says.
func repeated(r *resource.Resource, what string, list []*yaml.Node, field string) (found []builder.Problem) {
	first := map[string]*yaml.Node{}
	for _, element := range list {
		name, node := syntax.TextAt(element, field)
		switch {
		case name == "" || schema.HoldsTemplate(name):
		case first[name] == nil:
			first[name] = node
		case first[name] != node: // an alias is told where it stands a second time
			found = append(found, builder.Problem{Node: node,
				Message: fmt.Sprintf("%s has a %s %q already", r.ID(), what, name),
				Related: []builder.Related{{Node: first[name], Message: "the first one"}}})
		}
	}
	return found
}
