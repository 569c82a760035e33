package analysis

import (
	"cmp"
	"slices"
)

// Merge puts reports on different roots together, as Check would have made one of
// them all: what several roots share is one diagnostic. The reports are not changed.
func Merge(reports ...*Report) *Report {
	merged := &Report{}
	all := merger{}
	for _, r := range reports {
		merged.Roots = append(merged.Roots, r.Roots...)
		all.add(detached(r.Diagnostics))
	}
	slices.SortFunc(merged.Roots, func(a, b Root) int { return cmp.Compare(a.Dir, b.Dir) })
	merged.Diagnostics = all.sorted()
	return merged
}

// detached copies what add and sorted change in place.
func detached(diagnostics []Diagnostic) []Diagnostic {
	copies := slices.Clone(diagnostics)
	for i := range copies {
		copies[i].Roots = slices.Clone(copies[i].Roots)
	}
	return copies
}
