package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

var _ = register(analysis.Rule{
	Name:        "container-without-image",
	Class:       analysis.Patches,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A container has no image",
	Why: "A patch finds a container by its name. With a typing mistake in it kustomize adds another container,\n" +
		"which has only what the patch says: what was to be changed stays as it was, and the API server\n" +
		"refuses a container without an image.",
	Remedy: `Correct the name, or give the container its image.`,
	Check:  checkContainerWithoutImage,
})

func checkContainerWithoutImage(p *analysis.Pass) {
	if !isComplete(p) {
		return
	}
	inEachPod(p, func(pod pod) (found []builder.Problem) {
		var names []string
		var without []*yaml.Node
		for _, container := range pod.containers() {
			name, node := textAt(container, "name")
			if image, _ := textAt(container, "image"); image != "" {
				names = append(names, name)
			} else if node != nil {
				without = append(without, node)
			}
		}
		for _, name := range without {
			problem := builder.Problem{Node: name,
				Message: fmt.Sprintf("container %q of %s has no image", name.Value, pod.of.ID())}
			if near, ok := text.Nearest(name.Value, names); ok {
				problem.Help = fmt.Sprintf("did you mean %s?", near)
				problem.Fixes = []builder.Fix{{Title: "Change to " + near, New: near}}
			}
			found = append(found, problem)
		}
		return found
	})
}
