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

// checkNamespaces reports a namespace that one resource alone is in, or one subject
// of a role binding alone, and that is by a typing mistake not the one of a Namespace
// of the build.
func checkNamespaces(p *analysis.Pass) {
	var made []*resource.Resource
	names, uses := map[string]bool{}, map[string]int{}
	for _, r := range p.Result.Resources {
		if id := r.ID(); id.Group == "" && id.Kind == "Namespace" {
			made, names[id.Name] = append(made, r), true
		}
	}
	if len(made) == 0 {
		return
	}
	var alone []*yaml.Node
	for _, r := range p.Result.Resources {
		type namespaces struct{}
		for _, n := range r.Note(namespaces{}, func() any { return namespacesIn(r) }).([]*yaml.Node) {
			if uses[n.Value]++; uses[n.Value] == 1 && !names[n.Value] {
				alone = append(alone, n)
			}
		}
	}
	for _, n := range alone[:min(len(alone), maxLabelSearches)] {
		at := slices.IndexFunc(made, func(r *resource.Resource) bool { return isSlipOfHand(n.Value, r.ID().Name) })
		if at < 0 || uses[n.Value] > 1 {
			continue
		}
		name := made[at].ID().Name
		p.Report(builder.Problem{Node: n, Guess: problem.GuessedMistake, Layer: p.Result.Root,
			Message: fmt.Sprintf("there is no Namespace %q", n.Value),
			Related: []builder.Related{{Node: namePlace(made[at]), Message: made[at].ID().String()}}}.Suggest(name))
	}
}

// namespacesIn returns the namespace of a resource and those of its subjects.
func namespacesIn(r *resource.Resource) []*yaml.Node {
	all := []*yaml.Node{syntax.FieldAt(r.Metadata(), "namespace")}
	if r.ID().Group == "rbac.authorization.k8s.io" {
		for _, subject := range syntax.Mappings(syntax.FieldAt(r.Node, "subjects")) {
			all = append(all, syntax.FieldAt(subject, "namespace"))
		}
	}
	return slices.DeleteFunc(all, func(n *yaml.Node) bool {
		return n == nil || n.Kind != yaml.ScalarNode || n.Value == "" || schema.HoldsTemplate(n.Value)
	})
}

// isSlipOfHand tells words of which one has two letters of the other swapped, or one
// too many or too few: another letter may be meant, as in team-a and team-b.
func isSlipOfHand(a, b string) bool {
	if !text.IsSlip(a, b) || differOnlyInDigits(a, b) {
		return false
	}
	return len(a) != len(b) || slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b))))
}
