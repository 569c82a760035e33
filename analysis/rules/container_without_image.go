package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

func checkContainerWithoutImage(pod pods.Pod) (found []builder.Problem) {
	var names []string
	var without []*yaml.Node
	for _, container := range pod.Containers() {
		name, node := syntax.TextAt(container, "name")
		if image, _ := syntax.TextAt(container, "image"); image != "" {
			names = append(names, name)
		} else if node != nil {
			without = append(without, node)
		}
	}
	for _, name := range without {
		problem := builder.Problem{Node: name,
			Message: fmt.Sprintf("container %q of %s has no image", name.Value, pod.Resource.ID())}
		if near, ok := text.Nearest(name.Value, names); ok {
			problem = problem.Suggest(near)
		}
		found = append(found, problem)
	}
	return found
}
