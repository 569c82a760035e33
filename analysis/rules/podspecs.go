package rules

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// pod is what a resource of a kind that comes with Kubernetes says of its pods.
type pod struct {
	of *resource.Resource
	// metadata and spec are those of the pods; metadata may be nil.
	metadata, spec *yaml.Node
}

// podsPath is the path to the pod in a kind of a group.
var podsPath = map[[2]string]string{
	{"", "Pod"}: "", {"", "PodTemplate"}: "template", {"", "ReplicationController"}: "spec/template",
	{"apps", "Deployment"}: "spec/template", {"apps", "ReplicaSet"}: "spec/template", {"apps", "StatefulSet"}: "spec/template",
	{"apps", "DaemonSet"}: "spec/template", {"batch", "Job"}: "spec/template", {"batch", "CronJob"}: "spec/jobTemplate/spec/template",
}

// podOf returns the pod that a resource describes.
func podOf(r *resource.Resource) (of pod, ok bool) {
	path, ok := podsPath[[2]string{r.ID().Group, r.ID().Kind}]
	if !ok {
		return pod{}, false
	}
	of = pod{of: r, metadata: fieldAt(r.Node, path+"/metadata"), spec: fieldAt(r.Node, path+"/spec")}
	return of, of.spec != nil
}

// inEach reports what is found in each resource by itself. It is not looked for again in
// one that is as it was when the rule looked at it last.
func inEach(p *analysis.Pass, find func(*resource.Resource) []builder.Problem) {
	type foundBy struct{ *analysis.Rule }
	type quietOnes struct{}
	number := slices.Index(registered, p.Rule())
	for _, r := range p.Result.Resources {
		quiet := r.Note(quietOnes{}, func() any { return &ruleSet{} }).(*ruleSet)
		if quiet.has(number) {
			continue // as most are, and with few notes those are found fast
		}
		known, ok := r.Noted(foundBy{p.Rule()})
		if !ok {
			found := find(r)
			if len(found) == 0 && number >= 0 {
				quiet.add(number)
				continue
			}
			known = r.Note(foundBy{p.Rule()}, func() any { return found })
		}
		for _, problem := range known.([]builder.Problem) {
			problem.Layer = p.Result.Root
			p.Report(problem)
		}
	}
}

// ruleSet is a set of rules by their numbers, which are below 256; others are not in
// it. It is safe for concurrent use.
type ruleSet [4]atomic.Uint64

func (s *ruleSet) has(number int) bool {
	return number >= 0 && number < 256 && s[number/64].Load()&(1<<(number%64)) != 0
}

func (s *ruleSet) add(number int) {
	if number >= 0 && number < 256 {
		s[number/64].Or(1 << (number % 64))
	}
}

// inEachPod is inEach for the pods that resources describe.
func inEachPod(p *analysis.Pass, find func(pod) []builder.Problem) {
	inEach(p, func(r *resource.Resource) []builder.Problem {
		if of, ok := podOf(r); ok {
			return find(of)
		}
		return nil
	})
}

// fieldAt returns the value at a path of keys, nil where there is none.
func fieldAt(n *yaml.Node, path string) *yaml.Node {
	for _, key := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if n == nil {
			return nil
		}
		_, n = syntax.Field(n, key)
	}
	return n
}

// containers returns the containers of a pod, those that begin it first.
func (p pod) containers() []*yaml.Node {
	return slices.Concat(elements(fieldAt(p.spec, "initContainers")), elements(fieldAt(p.spec, "containers")))
}

// elements returns the mappings in a list; none where there is no list.
func elements(list *yaml.Node) []*yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list.Content), func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode })
}

// text returns the text of a scalar at a path, and its node; "" where there is none.
func textAt(n *yaml.Node, path string) (string, *yaml.Node) {
	value := fieldAt(n, path)
	if value == nil || value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
		return "", nil
	}
	return value.Value, value
}

// textsAt returns the texts at a path of each element of a list.
func textsAt(list *yaml.Node, path string) []string {
	var all []string
	for _, element := range elements(list) {
		if text, _ := textAt(element, path); text != "" {
			all = append(all, text)
		}
	}
	return all
}
