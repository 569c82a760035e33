package transform

import (
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// newKeyIndex returns an index for so many keys; nil, which searches, for so few that
// making one would take longer.
func newKeyIndex(keys int) keyIndex {
	if keys < 8 {
		return nil
	}
	return keyIndex{}
}

// keyIndex finds the keys of large mappings to which one after the other is added. Nothing is taken out of them, or put
// in between, while it is in use.
type keyIndex map[*yaml.Node]*keysOfMap

type keysOfMap struct {
	indexed int            // length of the content that is in at
	at      map[string]int // index of the first value with the key
}

// smallMapping is the length of a content that is searched faster without an index.
const smallMapping = 32

// value returns the value of the first entry of a mapping with that key, nil where there is none or n is no mapping.
func (x keyIndex) value(n *yaml.Node, name string) *yaml.Node {
	if n.Kind != yaml.MappingNode || x == nil || len(n.Content) < smallMapping {
		_, value := syntax.Field(n, name)
		return value
	}
	keys := x[n]
	if keys == nil {
		keys = &keysOfMap{at: make(map[string]int, len(n.Content))}
		x[n] = keys
	}
	for i := keys.indexed; i+1 < len(n.Content); i += 2 {
		if _, known := keys.at[n.Content[i].Value]; !known {
			keys.at[n.Content[i].Value] = i + 1
		}
	}
	keys.indexed = len(n.Content)
	if at, ok := keys.at[name]; ok {
		return n.Content[at]
	}
	return nil
}
