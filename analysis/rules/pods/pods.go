// Package pods knows where resources describe pods, and which pods have which labels.
// Several rules look there.
package pods

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"go.yaml.in/yaml/v3"
)

// Pod is what a resource of a kind that comes with Kubernetes says of its pods.
type Pod struct {
	Resource *resource.Resource
	// Metadata and Spec are those of the pods; Metadata may be nil.
	Metadata, Spec *yaml.Node
}

// paths is the path to the pod in a kind of a group.
var paths = map[[2]string]string{
	{"", "Pod"}: "", {"", "PodTemplate"}: "template", {"", "ReplicationController"}: "spec/template",
	{"apps", "Deployment"}: "spec/template", {"apps", "ReplicaSet"}: "spec/template", {"apps", "StatefulSet"}: "spec/template",
	{"apps", "DaemonSet"}: "spec/template", {"batch", "Job"}: "spec/template", {"batch", "CronJob"}: "spec/jobTemplate/spec/template",
}

// Of returns the pod that a resource describes.
func Of(r *resource.Resource) (of Pod, ok bool) {
	path, ok := paths[[2]string{r.ID().Group, r.ID().Kind}]
	if !ok {
		return Pod{}, false
	}
	of = Pod{Resource: r, Metadata: syntax.FieldAt(r.Node, path+"/metadata"), Spec: syntax.FieldAt(r.Node, path+"/spec")}
	return of, of.Spec != nil
}

// Check makes a check of resources out of one of their pods.
func Check(find func(Pod) []builder.Problem) func(*resource.Resource) []builder.Problem {
	return func(r *resource.Resource) []builder.Problem {
		if of, ok := Of(r); ok {
			return find(of)
		}
		return nil
	}
}

// Containers returns the containers of a pod, those that begin it first.
func (p Pod) Containers() []*yaml.Node {
	return slices.Concat(syntax.Mappings(syntax.FieldAt(p.Spec, "initContainers")), syntax.Mappings(syntax.FieldAt(p.Spec, "containers")))
}
