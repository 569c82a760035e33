package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

var _ = register(analysis.Rule{
	Name:        "selector-mismatch",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "The selector of a workload does not select its own pods",
	Why: "What makes pods finds them again by their labels, so the API server refuses a Deployment, ReplicaSet,\n" +
		"StatefulSet or DaemonSet whose template lacks a label that its selector asks for. A typing mistake\n" +
		"does that, or a patch that changes one of the two alone.",
	Remedy: `Write the same label in selector and template; labels with includeSelectors sets it in both.`,
	Check:  checkSelectorMismatch,
})

func checkSelectorMismatch(p *analysis.Pass) {
	if !isComplete(p) {
		return
	}
	inEachPod(p, func(pod pod) (found []builder.Problem) {
		wanted := fieldAt(pod.of.Node, "spec/selector/matchLabels")
		if pod.of.ID().Group != "apps" || wanted == nil || wanted.Kind != yaml.MappingNode {
			return nil
		}
		for i := 0; i+1 < len(wanted.Content); i += 2 {
			key, value := wanted.Content[i], wanted.Content[i+1]
			var label *yaml.Node
			if labels := fieldAt(pod.metadata, "labels"); labels != nil {
				_, label = syntax.Field(labels, key.Value)
			}
			replaced := schema.HoldsTemplate(value.Value) || label != nil && schema.HoldsTemplate(label.Value)
			if value.Kind == yaml.ScalarNode && (label == nil || label.Value != value.Value) && !replaced {
				found = append(found, selectorMismatch(pod, key, value, label))
			}
		}
		return found
	})
}

// selectorMismatch is at the selector, or at the label where that alone was written
// outside of the workload's own file.
func selectorMismatch(of pod, key, value, label *yaml.Node) builder.Problem {
	problem := builder.Problem{Node: value,
		Message: fmt.Sprintf("the pods of %s have no label %s: %s", of.of.ID(), key.Value, value.Value)}
	if label == nil {
		return problem
	}
	problem.Message += fmt.Sprintf("; theirs is %s", label.Value)
	problem.Related = []builder.Related{{Node: label, Message: "the label of the pods"}}
	_, kind := syntax.Field(of.of.Node, "kind")
	if own := fileOf(kind); fileOf(value) == own && fileOf(label) != own {
		problem.Node, problem.Related = label, []builder.Related{{Node: value, Message: "what the selector asks for"}}
	}
	return problem
}

func fileOf(n *yaml.Node) text.FileID {
	file, _, _ := syntax.Place(n)
	return file
}
