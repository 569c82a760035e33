package builder

import (
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// trail is what the names that a resource refers to were held against, and what came
// of it. Where a later build has the same resource, and of each name the same
// candidates, it comes to the same.
type trail struct {
	lookups    []lookup
	namespaces []namespaceLookup
	notes      []referenceNote
	// after is the resource then; nil where there were none.
	after  *resource.Resource
	broken bool // where it hangs on what was not noted
	// names and generation are those with which that held last.
	names      *nameIndex
	generation int
}

// lookup is a question for the candidates of a name.
type lookup struct {
	current bool // those with the name in the end, and not those that had it before
	kind    [3]string
	name    string
	found   []*identity
}

type namespaceLookup struct {
	name string
	had  bool
}

// referenceNote is a name that was found to be that of a resource.
type referenceNote struct {
	lookup, candidate int   // its index among the found
	target            int32 // and among the resources of the last build
	node, written     *yaml.Node
}
