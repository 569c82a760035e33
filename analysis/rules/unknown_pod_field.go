package rules

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

var _ = register(analysis.Rule{
	Name:        "unknown-pod-field",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A container takes a field of its pod that is not offered",
	Why: "Of its pod a container can have some fields in variables and in files: its name, its labels, its address.\n" +
		"The API server refuses any other `fieldPath`.",
	Remedy: `Correct the path.`,
	Check:  checkUnknownPodField,
})

// What a variable can have of a pod, and what a file; either can have one label or
// annotation.
var (
	fieldsForVariables = []string{"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
		"spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"}
	fieldsForFiles = []string{"metadata.name", "metadata.namespace", "metadata.uid", "metadata.labels", "metadata.annotations"}
	oneOfPod       = text.Regexp(`^metadata\.(labels|annotations)\['[^']*'\]$`)
)

func checkUnknownPodField(p *analysis.Pass) {
	inEachPod(p, func(of pod) (found []builder.Problem) {
		look := func(in *yaml.Node, path string, offered []string) {
			name, n := textAt(in, path)
			if n == nil || slices.Contains(offered, name) || oneOfPod().MatchString(name) || schema.HoldsTemplate(name) {
				return
			}
			problem := builder.Problem{Node: n, Message: fmt.Sprintf("a pod does not offer its field %s here", name)}
			if near, ok := text.Nearest(name, offered); ok {
				problem.Help = fmt.Sprintf("did you mean %s?", near)
				problem.Fixes = []builder.Fix{{Title: "Change to " + near, New: near}}
			}
			found = append(found, problem)
		}
		for _, container := range of.containers() {
			for _, variable := range elements(fieldAt(container, "env")) {
				look(variable, "valueFrom/fieldRef/fieldPath", fieldsForVariables)
			}
		}
		for _, volume := range elements(fieldAt(of.spec, "volumes")) {
			for _, item := range elements(fieldAt(volume, "downwardAPI/items")) {
				look(item, "fieldRef/fieldPath", fieldsForFiles)
			}
		}
		return found
	})
}
