package load

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// builtinOpenAPI is the one version of the Kubernetes API that kustomize v5.8.2
// carries.
const builtinOpenAPI = "v1.21.2"

// schemaState is the schema that merges go by. kustomize keeps it for the whole
// process; here it is the build's own. The first layer that names a schema sets
// it for all that is merged afterwards.
type schemaState struct {
	// Schema lies apart: resources keep it, and with it they would keep the whole builder.
	Schema *kubernetes.Schema
	Set    bool
}

func NewSchemaState() schemaState { return schemaState{Schema: &kubernetes.Schema{}} }

// SetSchema takes the schema that a layer's openapi field names, unless one is
// set already (Kustomizer.Run, KustTarget.accumulateDirectory, openapi.SetSchema).
func (b *Loader) SetSchema(l *trace.Layer) {
	var path, version *kustomization.Pair
	for i := range l.Kustomization.OpenAPI {
		switch p := &l.Kustomization.OpenAPI[i]; p.Key.Value {
		case "path":
			path = p
		case "version":
			version = p
		}
	}
	var definitions *kubernetes.Definitions
	if path != nil {
		f := b.Load(l, path.Value.Node, path.Value.Value)
		if f == nil {
			return
		}
		l.Facts.Inputs = append(l.Facts.Inputs, trace.Input{Entry: path.Value.Node, Path: f.Path, File: b.Sources.FileID(f)})
		var err error
		if definitions, err = kubernetes.ParseDefinitions(f.Data); err != nil {
			b.Report(l, problem.Problem{Code: problem.ConflictingFieldSpecs, Fatal: true, Node: path.Value.Node,
				Message: fmt.Sprintf("%s is not an OpenAPI document: %s", path.Value.Value, err)})
			return
		}
	}
	switch {
	case b.Schema.Set:
	case path != nil && version != nil:
		b.Report(l, problem.Problem{Code: problem.ConflictingFieldSpecs, Fatal: true, Node: version.Key.Node,
			Message: "openapi has both path and version", Help: "remove one of them"})
	case path != nil:
		b.Schema.Set = true
		*b.Schema.Schema = kubernetes.NewSchema(definitions, b.schemaOrder())
	case version != nil && version.Value.Value != "":
		b.Schema.Set = true
		if version.Value.Value != builtinOpenAPI {
			b.Report(l, problem.Problem{Code: problem.ConflictingFieldSpecs, Fatal: true, Node: version.Value.Node,
				Message: fmt.Sprintf("the Kubernetes version %s is not built in", version.Value.Value), Help: "the one that is: " + builtinOpenAPI})
		}
	}
}

// schemaOrder is how a custom schema stands to the built-in one, which is decided by
// what was done with the latter before.
func (b *Loader) schemaOrder() kubernetes.Order {
	switch {
	case b.MergedBuiltin || b.Before.MergedBuiltin:
		return kubernetes.CustomFirst
	case b.askedScope || b.Before.askedScope:
		return kubernetes.BuiltinFirst
	}
	return kubernetes.CustomOnly
}

// Scoped makes a resource's identity go by the build's schema where that is not
// the built-in one, and notes that the built-in one was asked.
func (b *Loader) Scoped(r *resource.Resource) {
	r.Schema = b.Schema.Schema
	if !HasKnownScope(r) {
		b.askedScope = true
	}
}

func HasKnownScope(r *resource.Resource) bool {
	id := r.ID()
	return kubernetes.KnownScope(id.APIVersion(), id.Kind)
}
