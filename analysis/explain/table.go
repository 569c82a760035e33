package explain

import (
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// Origin is where a rendered resource comes from.
type Origin struct {
	Resource string
	// Read is where the resource begins that was read or generated, and Included
	// the entry of a kustomization that brought it in.
	Read, Included Place
}

// Origins returns the resources of a build in their order.
func Origins(table *syntax.Table, result *builder.Result) []Origin {
	origins := make([]Origin, len(result.Resources))
	for i, r := range result.Resources {
		origins[i] = Origin{r.ID().String(), PlaceOf(table, r.Node), PlaceOf(table, r.Entry)}
	}
	return origins
}
