package builder

import (
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// few is up to how many small things are done one after the other.
const few = 256

// onAllCores calls f for each index below n, in any order and several at a time. f
// may change what belongs to its index alone, and must not use the builder.
func onAllCores(n int, f func(i int)) {
	batch := 32
	if n < few {
		batch = few
	}
	parallel.Each(n, batch, func(first, end int) {
		for i := first; i < end; i++ {
			f(i)
		}
	})
}

// nothingOwned is no name of a field.
const nothingOwned = "\x00"

// ownAll makes a field of all resources their own, the whole of them where the name
// is empty: one after the other it takes most of the time of a step. Of a few it does
// not: a step makes them its own where it changes them, and whoever watches it needs no
// copy of what was shared up to then.
func ownAll(resources []*resource.Resource, name string) {
	if name == nothingOwned || len(resources) < few {
		return
	}
	onAllCores(len(resources), func(i int) {
		resources[i].CopyAhead(name)
	})
}
