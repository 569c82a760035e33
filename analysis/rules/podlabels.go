package rules

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// label is one of the labels of pods in a namespace.
type label struct{ namespace, key, value string }

// labelled are the pods of a build by their labels.
type labelled struct {
	byLabel map[label][]pod
	// values are those that the pods of a namespace have of a key.
	values map[label][]string
	// used is true of those that a selector asks for which selects pods.
	used      map[label]bool
	resources []*resource.Resource
	// mentioned are the texts in custom resources: pods may come of them. It is nil
	// until somebody asks.
	mentioned map[string]bool
}

// labelledPods are those of the kinds that come with Kubernetes, and of custom ones
// that describe pods at the same place, such as a Rollout.
func labelledPods(resources []*resource.Resource) *labelled {
	pods := &labelled{map[label][]pod{}, map[label][]string{}, map[label]bool{}, resources, nil}
	for _, r := range resources {
		of, ok := podOf(r)
		if !ok && isCustom(r.ID()) {
			of = pod{r, fieldAt(r.Node, "spec/template/metadata"), fieldAt(r.Node, "spec/template/spec")}
		}
		if labels := of.labels(); labels != nil {
			pods.add(of, labels)
		}
	}
	return pods
}

// labels returns the labels of a pod, nil where it has none.
func (p pod) labels() *yaml.Node {
	if labels := fieldAt(p.metadata, "labels"); labels != nil && labels.Kind == yaml.MappingNode {
		return labels
	}
	return nil
}

func (l *labelled) add(of pod, labels *yaml.Node) {
	namespace := of.of.ID().EffectiveNamespace()
	for i := 0; i+1 < len(labels.Content); i += 2 {
		one := label{namespace, labels.Content[i].Value, labels.Content[i+1].Value}
		if len(l.byLabel[one]) == 0 {
			key := label{one.namespace, one.key, ""}
			l.values[key] = append(l.values[key], one.value)
		}
		l.byLabel[one] = append(l.byLabel[one], of)
	}
}

// selected returns the pods of the build that have all of the labels that a
// resource asks for. It looks through those that have the rarest of them.
func (l *labelled) selected(r *resource.Resource, wanted *yaml.Node) (found []pod) {
	asked := make([]label, len(wanted.Content)/2)
	for i := range asked {
		asked[i] = label{r.ID().EffectiveNamespace(), wanted.Content[2*i].Value, wanted.Content[2*i+1].Value}
	}
	rarest := slices.MinFunc(asked, func(a, b label) int { return len(l.byLabel[a]) - len(l.byLabel[b]) })
	for _, of := range l.byLabel[rarest] {
		if has(of.labels(), wanted, nil) {
			found = append(found, of)
		}
	}
	for _, one := range asked {
		l.used[one] = l.used[one] || len(found) > 0
	}
	return found
}

// has tells whether the wanted labels are among others, but for one.
func has(labels, wanted, except *yaml.Node) bool {
	for i := 0; i+1 < len(wanted.Content); i += 2 {
		_, own := syntax.Field(labels, wanted.Content[i].Value)
		if value := wanted.Content[i+1]; value != except && (own == nil || own.Value != value.Value) {
			return false
		}
	}
	return true
}
