package rules

import (
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// label is one of the labels of pods in a namespace.
type label struct{ namespace, key, value string }

// labelled are the pods of a build by their labels.
type labelled struct {
	byLabel map[label][]labelledPod
	// byValue are those of a namespace that have a value in any label.
	byValue map[[2]string][]labelledPod
	// values are those that the pods of a namespace have of a key.
	values map[label][]string
	// used is true of those that a selector asks for which selects pods.
	used      map[label]bool
	resources []*resource.Resource
	// known are those of selected, which several rules ask for.
	known map[*resource.Resource][]labelledPod
	// mentioned are the texts in custom resources: pods may come of them. It is nil
	// until somebody asks.
	mentioned map[string]bool
}

// labelledPod is what a resource says of its pods.
type labelledPod struct {
	of *resource.Resource
	*podNote
}

// podNote is what the nodes of a resource say of its pods.
type podNote struct {
	labels *yaml.Node // nil for none
	ports  []string   // their names
}

// labelledPods are those of the kinds that come with Kubernetes, and of custom ones
// that describe pods at the same place, such as a Rollout.
func labelledPods(p *analysis.Pass) *labelled {
	type byLabels struct{}
	return p.Once(byLabels{}, func() any {
		pods := &labelled{byLabel: map[label][]labelledPod{}, byValue: map[[2]string][]labelledPod{}, values: map[label][]string{}, used: map[label]bool{},
			resources: p.Result.Resources, known: map[*resource.Resource][]labelledPod{}}
		type notedPod struct{}
		for _, r := range p.Result.Resources {
			if noted := r.Note(notedPod{}, func() any { return newPodNote(r) }).(*podNote); noted.labels != nil {
				pods.add(labelledPod{r, noted})
			}
		}
		return pods
	}).(*labelled)
}

func newPodNote(r *resource.Resource) *podNote {
	of, ok := pods.Of(r)
	if !ok && isCustom(r.ID()) {
		of = pods.Pod{Resource: r, Metadata: syntax.FieldAt(r.Node, "spec/template/metadata"), Spec: syntax.FieldAt(r.Node, "spec/template/spec")}
	}
	noted := &podNote{}
	if noted.labels = syntax.FieldAt(of.Metadata, "labels"); noted.labels == nil || noted.labels.Kind != yaml.MappingNode {
		return &podNote{}
	}
	for _, container := range of.Containers() {
		noted.ports = append(noted.ports, syntax.TextsAt(syntax.FieldAt(container, "ports"), "name")...)
	}
	return noted
}

func (l *labelled) add(of labelledPod) {
	namespace := of.of.ID().EffectiveNamespace()
	for i := 0; i+1 < len(of.labels.Content); i += 2 {
		one := label{namespace, of.labels.Content[i].Value, of.labels.Content[i+1].Value}
		same := l.byLabel[one]
		if len(same) == 0 {
			key := label{one.namespace, one.key, ""}
			l.values[key] = append(l.values[key], one.value)
		}
		l.byLabel[one] = append(same, of)
		inAny := [2]string{namespace, one.value}
		l.byValue[inAny] = append(l.byValue[inAny], of)
	}
}

// selected returns the pods of the build that have all of the labels that a
// resource asks for. It looks through those that have the rarest of them.
func (l *labelled) selected(r *resource.Resource, wanted *yaml.Node) (found []labelledPod) {
	if known, ok := l.known[r]; ok {
		return known
	}
	defer func() { l.known[r] = found }()
	asked := make([]label, len(wanted.Content)/2)
	for i := range asked {
		asked[i] = label{r.ID().EffectiveNamespace(), wanted.Content[2*i].Value, wanted.Content[2*i+1].Value}
	}
	rarest := slices.MinFunc(asked, func(a, b label) int { return len(l.byLabel[a]) - len(l.byLabel[b]) })
	for _, of := range l.byLabel[rarest] {
		if has(of.labels, wanted, nil) {
			found = append(found, of)
		}
	}
	if len(found) > 0 {
		for _, one := range asked {
			l.used[one] = true
		}
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
