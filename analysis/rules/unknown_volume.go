package rules

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func checkUnknownVolume(pod pods.Pod) (found []builder.Problem) {
	volumes := syntax.TextsAt(syntax.FieldAt(pod.Spec, "volumes"), "name")
	if pod.Resource.ID().Kind == "StatefulSet" {
		volumes = append(volumes, syntax.TextsAt(syntax.FieldAt(pod.Resource.Node, "spec/volumeClaimTemplates"), "metadata/name")...)
	}
	for _, container := range pod.Containers() {
		for _, field := range []string{"volumeMounts", "volumeDevices"} {
			for _, mount := range syntax.Mappings(syntax.FieldAt(container, field)) {
				if name, node := syntax.TextAt(mount, "name"); node != nil && !slices.Contains(volumes, name) && !schema.HoldsTemplate(name) {
					found = append(found, unknownVolume(pod, node, volumes))
				}
			}
		}
	}
	return found
}

func unknownVolume(of pods.Pod, name *yaml.Node, volumes []string) builder.Problem {
	problem := builder.Problem{Node: name,
		Message: fmt.Sprintf("%s has no volume %q", of.Resource.ID(), name.Value)}
	if near, ok := text.Nearest(name.Value, volumes); ok {
		problem = problem.Suggest(near)
	}
	return problem
}
