package rules

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// takenFor are the kinds that are written in the place of each other.
var takenFor = map[string][]string{
	"Role": {"ClusterRole"}, "ClusterRole": {"Role"},
	"Deployment": {"StatefulSet", "DaemonSet"}, "StatefulSet": {"Deployment", "DaemonSet"}, "ReplicaSet": {"Deployment", "StatefulSet"},
}

// builtinRoles are the ClusterRoles that every cluster has for people.
var builtinRoles = []string{"cluster-admin", "admin", "edit", "view"}

// reportMisplaced reports a reference to something that is there by its name, but of
// another kind, or in a namespace that is misspelt.
func (n *names) reportMisplaced(p *analysis.Pass, ref reference) bool {
	others := takenFor[ref.kind]
	if others == nil && ref.kind != "ServiceAccount" {
		return false
	}
	_, kind := syntax.Field(ref.around, "kind")
	if kind == nil || kind.Kind != yaml.ScalarNode {
		return false
	}
	if ref.kind == "ServiceAccount" {
		return n.reportNamespace(p, ref)
	}
	if n.named(ref.kind, ref.node.Value) != nil {
		return false
	}
	for _, other := range others {
		r := n.named(other, ref.node.Value)
		builtin := other == "ClusterRole" && slices.Contains(builtinRoles, ref.node.Value)
		if r == nil && !builtin {
			continue
		}
		name := ref.node.Value
		if r != nil {
			name = r.OriginalID().Name
		}
		problem := builder.Problem{Node: kind, Layer: p.Result.Root,
			Message: fmt.Sprintf("there is no %s %q, but a %s", ref.kind, name, other),
			Fixes:   []builder.Fix{problem.ChangeTo(other)}}
		if r != nil {
			problem.Related = []builder.Related{{Node: namePlace(r), Message: r.OriginalID().String()}}
		}
		p.Report(problem)
		return true
	}
	return false
}

// named returns the resource of a kind that has a name, or had it.
func (n *names) named(kind, name string) *resource.Resource {
	if n.byName == nil {
		n.byName = map[[2]string]*resource.Resource{}
		for _, r := range n.result.Resources {
			for _, id := range r.AllIDs() {
				n.byName[[2]string{id.Kind, id.Name}] = r
			}
		}
	}
	return n.byName[[2]string{kind, name}]
}

// reportNamespace reports that the only ServiceAccount of that name is in a namespace
// that is called nearly as the reference says.
func (n *names) reportNamespace(p *analysis.Pass, ref reference) bool {
	said, node := syntax.TextAt(ref.around, "namespace")
	account := n.named("ServiceAccount", ref.node.Value)
	if said == "" || account == nil {
		return false
	}
	for _, id := range account.AllIDs() {
		if !isSlipOfHand(said, id.Namespace) {
			continue
		}
		if made := n.named("Namespace", id.Namespace); made != nil && made.ID().Name == id.Namespace {
			return false // it is told that there is no such Namespace
		}
		if inUse := func(r *resource.Resource) bool { return r.ID().Namespace == said }; slices.ContainsFunc(p.Result.Resources, inUse) {
			return false
		}
		p.Report(builder.Problem{Node: node, Guess: problem.GuessedMistake, Layer: p.Result.Root,
			Message: fmt.Sprintf("there is no ServiceAccount %q in the namespace %q", ref.node.Value, said),
			Related: []builder.Related{{Node: namePlace(account), Message: account.OriginalID().String()}}}.Suggest(id.Namespace))
		return true
	}
	return false
}
