package patch

import (
	"fmt"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// Refusal says why a strategic merge patch cannot be applied to a resource,
// where kustomize fails too.
type Refusal struct {
	Reason Reason
	// Path leads from the root to the value: field names, and list elements
	// as `[key=value,…]`.
	Path []string
	// Dest and Patch are the values of both sides, nil where a side has none.
	// Patch is a copy that carries the places of the patch.
	Dest, Patch *yaml.Node
}

// Reason is why a patch is refused.
type Reason int

const (
	// KindMismatch: one side has a mapping, list or scalar where the other
	// has something else ("wrong node kind").
	KindMismatch Reason = iota
	// UnknownDirective: `$patch:` says something other than delete, replace
	// or merge.
	UnknownDirective
	// EmptyKey: a field whose name is the empty string, or is no scalar.
	EmptyKey
)

// Message says the reason in one sentence, without the place.
func (r *Refusal) Message() string {
	path := strings.Join(r.Path, ".")
	switch r.Reason {
	case UnknownDirective:
		return fmt.Sprintf("$patch at %q must be delete, replace or merge", path)
	case EmptyKey:
		return fmt.Sprintf("field %q has an empty name, which cannot be merged", path)
	}
	if r.Dest != nil && r.Patch != nil {
		return fmt.Sprintf("%q is a %s in the resource and a %s in the patch", path, kindName(r.Dest), kindName(r.Patch))
	}
	return fmt.Sprintf("an element of %q is of another kind than the rest", path)
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "mapping"
	case yaml.SequenceNode:
		return "list"
	}
	return "scalar"
}

func (m *merger) refuse(r Refusal) *Refusal {
	r.Path = append([]string(nil), m.path...)
	return &r
}
