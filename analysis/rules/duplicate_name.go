package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

var _ = register(analysis.Rule{
	Name:        "duplicate-name",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "Two containers, volumes, ports or mounts of one name",
	Why: "The containers of a pod have different names, so have its volumes, the ports of a container and those of\n" +
		"a Service, and no two volumes are mounted at one path. kustomize renders them all the same, and the\n" +
		"API server refuses the resource.",
	Remedy: `Rename or remove one of them.`,
	Check: func(p *analysis.Pass) {
		inEach(p, func(r *resource.Resource) (found []builder.Problem) {
			if r.ID().Group == "" && r.ID().Kind == "Service" {
				return repeated(r, "port", elements(fieldAt(r.Node, "spec/ports")), "name")
			}
			of, ok := podOf(r)
			if !ok {
				return nil
			}
			found = append(repeated(r, "container", of.containers(), "name"),
				repeated(r, "volume", elements(fieldAt(of.spec, "volumes")), "name")...)
			for _, container := range of.containers() {
				found = append(found, repeated(r, "port", elements(fieldAt(container, "ports")), "name")...)
				found = append(found, repeated(r, "mount", elements(fieldAt(container, "volumeMounts")), "mountPath")...)
			}
			return found
		})
	},
})

// repeated reports the elements whose field says what that of an earlier one says.
func repeated(r *resource.Resource, what string, list []*yaml.Node, field string) (found []builder.Problem) {
	first := map[string]*yaml.Node{}
	for _, element := range list {
		name, node := textAt(element, field)
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
