package builder

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// builtinOpenAPI is the one version of the Kubernetes API that kustomize v5.8.2
// carries.
const builtinOpenAPI = "v1.21.2"

// schemaState is the schema that merges go by. kustomize keeps it for the whole
// process; here it is the build's own. The first layer that names a schema sets
// it for all that is merged afterwards.
type schemaState struct {
	// schema lies apart: resources keep it, and with it they would keep the whole builder.
	schema *kubernetes.Schema
	set    bool
}

func newSchemaState() schemaState { return schemaState{schema: &kubernetes.Schema{}} }

// setSchema takes the schema that a layer's openapi field names, unless one is
// set already (Kustomizer.Run, KustTarget.accumulateDirectory, openapi.SetSchema).
func (b *loader) setSchema(l *Layer) {
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
		f := b.load(l, path.Value.Node, path.Value.Value)
		if f == nil {
			return
		}
		l.Facts.Inputs = append(l.Facts.Inputs, Input{Entry: path.Value.Node, Path: f.Path, File: b.sources.FileID(f)})
		var err error
		if definitions, err = kubernetes.ParseDefinitions(f.Data); err != nil {
			b.report(l, Problem{Code: ConflictingFieldSpecs, Fatal: true, Node: path.Value.Node,
				Message: fmt.Sprintf("%s is no OpenAPI document: %s", path.Value.Value, err)})
			return
		}
	}
	switch {
	case b.schema.set:
	case path != nil && version != nil:
		b.report(l, Problem{Code: ConflictingFieldSpecs, Fatal: true, Node: version.Key.Node,
			Message: "openapi has both path and version", Help: "leave one of them out"})
	case path != nil:
		b.schema.set = true
		*b.schema.schema = kubernetes.NewSchema(definitions, b.schemaOrder())
	case version != nil && version.Value.Value != "":
		b.schema.set = true
		if version.Value.Value != builtinOpenAPI {
			b.report(l, Problem{Code: ConflictingFieldSpecs, Fatal: true, Node: version.Value.Node,
				Message: fmt.Sprintf("the Kubernetes version %s is not built in", version.Value.Value), Help: "the one that is: " + builtinOpenAPI})
		}
	}
}

// schemaOrder is how a custom schema stands to the built-in one, which is decided by
// what was done with the latter before.
func (b *loader) schemaOrder() kubernetes.Order {
	switch {
	case b.mergedBuiltin || b.before.mergedBuiltin:
		return kubernetes.CustomFirst
	case b.askedScope || b.before.askedScope:
		return kubernetes.BuiltinFirst
	}
	return kubernetes.CustomOnly
}

// scoped makes a resource's identity go by the build's schema where that is not
// the built-in one, and notes that the built-in one was asked.
func (b *loader) scoped(r *resource.Resource) {
	r.Schema = b.schema.schema
	if !hasKnownScope(r) {
		b.askedScope = true
	}
}

func hasKnownScope(r *resource.Resource) bool {
	id := r.ID()
	return kubernetes.KnownScope(id.APIVersion(), id.Kind)
}
