package fieldpath

import (
	"sync"

	yaml "go.yaml.in/yaml/v3"
)

// Keys finds the keys of large mappings into which many paths lead, for as long as one
// build runs. What it knows of a mapping may be outdated: it is held against the mapping,
// and where it is wrong the mapping is searched. It is safe for concurrent use, and its
// zero value is empty.
type Keys struct {
	mutex sync.Mutex
	of    map[*yaml.Node]*indexedKeys
}

// indexedKeys are the keys of a mapping, by the index in its content.
type indexedKeys struct {
	searches int            // without the index, since making it takes as long as many
	at       map[string]int // of the first of each key; nil before there were maxSearches
}

const (
	// fewKeys is the length of a mapping's content that is searched as fast.
	fewKeys = 128
	// maxSearches is how often a mapping is searched before it gets an index.
	maxSearches = 8
)

// value returns the value of the first such key of a mapping, or nil.
func (k *Keys) value(n *yaml.Node, key string) *yaml.Node {
	if k == nil || n.Kind != yaml.MappingNode || len(n.Content) < fewKeys {
		return valueOf(n, key)
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	known := k.of[n]
	if known == nil {
		if k.of == nil {
			k.of = map[*yaml.Node]*indexedKeys{}
		}
		known = &indexedKeys{}
		k.of[n] = known
	}
	if known.searches++; known.searches <= maxSearches {
		return valueOf(n, key)
	}
	if known.at == nil {
		known.at = make(map[string]int, len(n.Content)/2)
		for i := (len(n.Content) - 2) &^ 1; i >= 0; i -= 2 {
			known.at[n.Content[i].Value] = i
		}
	}
	if i, ok := known.at[key]; ok && i+1 < len(n.Content) && n.Content[i].Value == key {
		return n.Content[i+1]
	}
	return valueOf(n, key)
}
