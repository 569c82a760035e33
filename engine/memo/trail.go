package memo

import (
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// Trail is what the names that a resource refers to were held against, and what came
// of it. Where a later build has the same resource, and of each name the same
// candidates, it comes to the same.
type Trail struct {
	Lookups    []Lookup
	Namespaces []NamespaceLookup
	Notes      []ReferenceNote
	// After is the resource then; nil where there were none.
	After  *resource.Resource
	Broken bool // where it hangs on what was not noted
	// Names and generation are those with which that held last.
	Names      *NameIndex
	Generation int
}

// Lookup is a question for the candidates of a name.
type Lookup struct {
	Current bool // those with the name in the end, and not those that had it before
	Kind    [3]string
	Name    string
	Found   []*Identity
}

type NamespaceLookup struct {
	Name string
	Had  bool
}

// ReferenceNote is a name that was found to be that of a resource.
type ReferenceNote struct {
	Lookup, Candidate int   // its index among the found
	Target            int32 // and among the resources of the last build
	Node, Written     *yaml.Node
}
