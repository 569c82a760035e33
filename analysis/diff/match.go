package diff

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/resource"
)

// match pairs the resources of the two sides: those of one identity, then those
// whose names differ in a hash only and, where it is asked for, those that were
// the same in the files.
func match(before, after []*resource.Resource, byOrigin bool) []pair {
	m := matcher{before: before, after: after, taken: map[*resource.Resource]bool{}}
	m.pass(versioned)
	m.pass(current)
	m.pass(unhashed)
	if byOrigin {
		m.pass(original)
	}
	for _, r := range before {
		if !m.taken[r] {
			m.pairs = append(m.pairs, pair{before: r})
		}
	}
	for _, r := range after {
		if !m.taken[r] {
			m.pairs = append(m.pairs, pair{after: r})
		}
	}
	return m.pairs
}

type matcher struct {
	before, after []*resource.Resource
	taken         map[*resource.Resource]bool
	pairs         []pair
}

// key is what two resources must have in common.
type key struct{ group, version, kind, namespace, name string }

// pass pairs those that are left and alone have their key on each side.
func (m *matcher) pass(keyOf func(*resource.Resource) key) {
	old, now := m.left(m.before, keyOf), m.left(m.after, keyOf)
	for _, r := range m.after {
		k := keyOf(r)
		if m.taken[r] || len(old[k]) != 1 || len(now[k]) != 1 {
			continue
		}
		m.taken[r], m.taken[old[k][0]] = true, true
		m.pairs = append(m.pairs, pair{old[k][0], r})
	}
}

func (m *matcher) left(list []*resource.Resource, keyOf func(*resource.Resource) key) map[key][]*resource.Resource {
	byKey := map[key][]*resource.Resource{}
	for _, r := range list {
		if !m.taken[r] {
			byKey[keyOf(r)] = append(byKey[keyOf(r)], r)
		}
	}
	return byKey
}

func versioned(r *resource.Resource) key {
	k := current(r)
	k.version = r.ID().Version
	return k
}

// current leaves the version out: the API server keeps one object for all versions.
func current(r *resource.Resource) key {
	id := r.ID()
	return key{group: id.Group, kind: id.Kind, namespace: id.EffectiveNamespace(), name: id.Name}
}

// unhashed is the identity without the hash that the build put behind the name.
func unhashed(r *resource.Resource) key {
	k := current(r)
	if n := len(r.Previous); r.NeedsHash && n > 0 && strings.HasPrefix(k.name, r.Previous[n-1].Name+"-") {
		k.name = r.Previous[n-1].Name
	}
	return k
}

// original is the identity in the files, where the namespace is an overlay's to choose.
func original(r *resource.Resource) key {
	id := r.OriginalID()
	return key{group: id.Group, kind: id.Kind, name: id.Name}
}
