package schema

import (
	"cmp"
	"slices"
)

// Kind names a kind of resource.
type Kind struct{ APIVersion, Name string }

// Kinds returns all kinds that are known, sorted by name and version.
func (k *Kubernetes) Kinds() []Kind {
	var kinds []Kind
	for name := range k.builtin.kinds {
		if _, redefined := k.custom[name]; !redefined {
			kinds = append(kinds, Kind{name.apiVersion, name.kind})
		}
	}
	for name := range k.custom {
		kinds = append(kinds, Kind{name.apiVersion, name.kind})
	}
	slices.SortFunc(kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.APIVersion, b.APIVersion))
	})
	return kinds
}
