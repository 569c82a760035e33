package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func checkSelectorMismatch(pod pods.Pod) (found []builder.Problem) {
	wanted := syntax.FieldAt(pod.Resource.Node, "spec/selector/matchLabels")
	if pod.Resource.ID().Group != "apps" || wanted == nil || wanted.Kind != yaml.MappingNode {
		return nil
	}
	labels := map[string]*yaml.Node{}
	if has := syntax.FieldAt(pod.Metadata, "labels"); has != nil && has.Kind == yaml.MappingNode {
		for i := len(has.Content) - 2; i >= 0; i -= 2 {
			labels[has.Content[i].Value] = has.Content[i+1] // the first of each key
		}
	}
	for i := 0; i+1 < len(wanted.Content); i += 2 {
		key, value := wanted.Content[i], wanted.Content[i+1]
		label := labels[key.Value]
		replaced := schema.HoldsTemplate(value.Value) || label != nil && schema.HoldsTemplate(label.Value)
		if value.Kind == yaml.ScalarNode && (label == nil || label.Value != value.Value) && !replaced {
			found = append(found, selectorMismatch(pod, key, value, label))
		}
	}
	return found
}

// selectorMismatch is at the selector, or at the label where that alone was written
// outside of the workload's own file.
func selectorMismatch(of pods.Pod, key, value, label *yaml.Node) builder.Problem {
	problem := builder.Problem{Node: value,
		Message: fmt.Sprintf("the pods of %s have no label %s: %s", of.Resource.ID(), key.Value, value.Value)}
	if label == nil {
		return problem
	}
	problem.Message += fmt.Sprintf("; theirs is %s", label.Value)
	problem.Related = []builder.Related{{Node: label, Message: "the label of the pods"}}
	_, kind := syntax.Field(of.Resource.Node, "kind")
	if own := fileOf(kind); fileOf(value) == own && fileOf(label) != own {
		problem.Node, problem.Related = label, []builder.Related{{Node: value, Message: "what the selector asks for"}}
	}
	return problem
}

func fileOf(n *yaml.Node) text.FileID {
	file, _, _ := syntax.Place(n)
	return file
}
