package builder

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/resource"
)

// few is up to how many small things are done one after the other.
const few = 256

// onAllCores calls f for each index below n, in any order and several at a time. f
// may change what belongs to its index alone, and must not use the builder.
func onAllCores(n int, f func(i int)) {
	const chunk = 32
	if n < few {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	var panicked atomic.Pointer[any]
	for range min(runtime.GOMAXPROCS(0), n/chunk) {
		workers.Go(func() {
			defer func() {
				if reason := recover(); reason != nil {
					panicked.Store(&reason)
				}
			}()
			for panicked.Load() == nil {
				first := int(next.Add(chunk)) - chunk
				for i := first; i < min(first+chunk, n); i++ {
					f(i)
				}
				if first+chunk >= n {
					return
				}
			}
		})
	}
	workers.Wait()
	if reason := panicked.Load(); reason != nil {
		panic(*reason) // where the caller of the build looks for it
	}
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
