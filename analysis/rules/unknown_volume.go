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
	Name:        "unknown-volume",
	Class:       analysis.References,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A container mounts a volume that its pod does not have",
	Why: "kustomize does not look into volumes. The API server refuses a pod whose container mounts a volume\n" +
		"that is neither in `volumes` nor, in a StatefulSet, in `volumeClaimTemplates`.",
	Remedy: `Correct the name, or add the volume.`,
	Check:  checkUnknownVolume,
})

func checkUnknownVolume(p *analysis.Pass) {
	if !isComplete(p) {
		return
	}
	inEachPod(p, func(pod pod) (found []builder.Problem) {
		volumes := textsAt(fieldAt(pod.spec, "volumes"), "name")
		if pod.of.ID().Kind == "StatefulSet" {
			volumes = append(volumes, textsAt(fieldAt(pod.of.Node, "spec/volumeClaimTemplates"), "metadata/name")...)
		}
		for _, container := range pod.containers() {
			for _, field := range []string{"volumeMounts", "volumeDevices"} {
				for _, mount := range elements(fieldAt(container, field)) {
					if name, node := textAt(mount, "name"); node != nil && !slices.Contains(volumes, name) && !schema.HoldsTemplate(name) {
						found = append(found, unknownVolume(pod, node, volumes))
					}
				}
			}
		}
		return found
	})
}

func unknownVolume(of pod, name *yaml.Node, volumes []string) builder.Problem {
	problem := builder.Problem{Node: name,
		Message: fmt.Sprintf("%s has no volume %q", of.of.ID(), name.Value)}
	if near, ok := text.Nearest(name.Value, volumes); ok {
		problem.Help = fmt.Sprintf("did you mean %s?", near)
		problem.Fixes = []builder.Fix{{Title: "Change to " + near, New: near}}
	}
	return problem
}
