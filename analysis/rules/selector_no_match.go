package rules

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// maxLabelSearches is for how many selectors a near label is looked for: the search
// looks at all that there are.
const maxLabelSearches = 200

// selectorsPath is the path to the labels by which a kind of a group selects pods.
var selectorsPath = map[[2]string]string{
	{"", "Service"}: "spec/selector", {"policy", "PodDisruptionBudget"}: "spec/selector/matchLabels",
	{"networking.k8s.io", "NetworkPolicy"}: "spec/podSelector/matchLabels",
}

func checkSelectorNoMatch(p *analysis.Pass) {
	pods := labelledPods(p)
	var without []*resource.Resource
	for _, r := range p.Result.Resources {
		if wanted := selectorOf(r); wanted != nil && len(pods.selected(r, wanted)) == 0 {
			without = append(without, r)
		}
	}
	for _, r := range without[:min(len(without), maxLabelSearches)] {
		if problem, ok := pods.slipIn(r, selectorOf(r)); ok {
			problem.Layer = p.Result.Root
			p.Report(problem)
		}
	}
}

// selectorOf returns the labels by which a resource selects pods; nil where it does not.
func selectorOf(r *resource.Resource) *yaml.Node {
	type selector struct{}
	return r.Note(selector{}, func() any {
		path, ok := selectorsPath[[2]string{r.ID().Group, r.ID().Kind}]
		if !ok {
			return (*yaml.Node)(nil)
		}
		if wanted := syntax.FieldAt(r.Node, path); wanted != nil && wanted.Kind == yaml.MappingNode && len(wanted.Content) > 0 {
			return wanted
		}
		return (*yaml.Node)(nil)
	}).(*yaml.Node)
}

// slipIn finds the one label of a selector that keeps it from pods of the build,
// and is nearly what they have. One that is called like the resource is meant so.
func (l *labelled) slipIn(r *resource.Resource, wanted *yaml.Node) (builder.Problem, bool) {
	namespace := r.ID().EffectiveNamespace()
	for i := 0; i+1 < len(wanted.Content); i += 2 {
		key, value := wanted.Content[i], wanted.Content[i+1]
		if value.Value == r.OriginalID().Name || schema.HoldsTemplate(value.Value) || len(l.byLabel[label{namespace, key.Value, value.Value}]) > 0 {
			continue
		}
		near, ok := text.Nearest(value.Value, l.values[label{namespace, key.Value, ""}])
		if !ok || differOnlyInDigits(value.Value, near) || !text.IsLikelySlip(value.Value, near) {
			continue
		}
		meant := l.byLabel[label{namespace, key.Value, near}]
		at := slices.IndexFunc(meant, func(of labelledPod) bool { return has(of.labels, wanted, value) })
		if at >= 0 && !l.isMentioned(value.Value) {
			_, own := syntax.Field(meant[at].labels, key.Value)
			return builder.Problem{Node: value, Guess: problem.GuessedMistake,
				Message: fmt.Sprintf("%s selects no pods: none here has %s: %s", r.ID(), key.Value, value.Value),
				Related: []builder.Related{{Node: own, Message: "the label of pods"}}}.Suggest(near), true
		}
	}
	return l.slipInKey(r, wanted)
}

// slipInKey finds the one key of a selector that pods of the build have nearly, with
// the same value.
func (l *labelled) slipInKey(r *resource.Resource, wanted *yaml.Node) (builder.Problem, bool) {
	namespace := r.ID().EffectiveNamespace()
	for i := 0; i+1 < len(wanted.Content); i += 2 {
		key, value := wanted.Content[i], wanted.Content[i+1]
		if len(l.values[label{namespace, key.Value, ""}]) > 0 {
			continue
		}
		for _, of := range l.byValue[[2]string{namespace, value.Value}] {
			for at := 0; at+1 < len(of.labels.Content); at += 2 {
				near := of.labels.Content[at]
				isNear := text.IsSlip(key.Value, near.Value) || len(near.Value) == 3 && text.IsSlip(key.Value+" ", near.Value+" ")
				if of.labels.Content[at+1].Value != value.Value || !isNear || !has(of.labels, wanted, value) {
					continue
				}
				return builder.Problem{Node: key, Guess: problem.GuessedMistake,
					Message: fmt.Sprintf("%s selects no pods: none here has a label %s", r.ID(), key.Value),
					Related: []builder.Related{{Node: near, Message: "the label of pods"}}}.Suggest(near.Value), true
			}
		}
	}
	return builder.Problem{}, false
}

func (l *labelled) isMentioned(value string) bool {
	if l.mentioned == nil {
		l.mentioned = map[string]bool{}
		for _, r := range l.resources {
			if isCustom(r.ID()) {
				mentioned(r.Node, l.mentioned)
			}
		}
	}
	return l.mentioned[value]
}

func mentioned(n *yaml.Node, known map[string]bool) {
	if n.Kind == yaml.ScalarNode {
		known[n.Value] = true
	}
	for _, child := range n.Content {
		mentioned(child, known)
	}
}
