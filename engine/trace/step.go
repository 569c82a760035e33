package trace

import (
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// Recorder is told of the steps of a build.
type Recorder interface {
	// Before is called before the step changes the resource; the function that
	// it returns, if any, is called after.
	Before(step Step, r *resource.Resource) (after func())
}

// Successor is a Recorder that is also told when, within a step, a resource takes
// the place of another and goes through the following steps in its stead.
type Successor interface {
	Succeeds(old, r *resource.Resource)
}

// Step is one application of one entry of a kustomization to resources.
type Step struct {
	Layer *Layer
	// Transformer is kustomize's name: PatchTransformer, ReplacementTransformer…
	Transformer string
	// Entry is the node that configures the step: the list entry or the field.
	Entry *yaml.Node
}
