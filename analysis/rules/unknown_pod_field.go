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

// What a variable can have of a pod, and what a file; either can have one label or
// annotation.
var (
	fieldsForVariables = []string{"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
		"spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"}
	fieldsForFiles = []string{"metadata.name", "metadata.namespace", "metadata.uid", "metadata.labels", "metadata.annotations"}
	oneOfPod       = text.Regexp(`^metadata\.(labels|annotations)\['[^']*'\]$`)
)

func checkUnknownPodField(of pods.Pod) (found []builder.Problem) {
	look := func(in *yaml.Node, path string, offered []string) {
		name, n := syntax.TextAt(in, path)
		if n == nil || slices.Contains(offered, name) || oneOfPod().MatchString(name) || schema.HoldsTemplate(name) {
			return
		}
		problem := builder.Problem{Node: n, Message: fmt.Sprintf("the field %s of a pod is not available here", name)}
		if near, ok := text.Nearest(name, offered); ok {
			problem = problem.Suggest(near)
		}
		found = append(found, problem)
	}
	for _, container := range of.Containers() {
		for _, variable := range syntax.Mappings(syntax.FieldAt(container, "env")) {
			look(variable, "valueFrom/fieldRef/fieldPath", fieldsForVariables)
		}
	}
	for _, volume := range syntax.Mappings(syntax.FieldAt(of.Spec, "volumes")) {
		for _, item := range syntax.Mappings(syntax.FieldAt(volume, "downwardAPI/items")) {
			look(item, "fieldRef/fieldPath", fieldsForFiles)
		}
	}
	return found
}
