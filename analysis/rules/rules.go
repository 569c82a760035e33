// Package rules holds the rules: each file is one kind of mistake with its
// documentation, and, where the engine does not find it by itself, how it is
// found. A rule's fixture in testdata has its name. To add a rule, add those two
// files.
package rules

import (
	"cmp"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
)

// registered grows only while the package's variables are initialised, by which
// every file adds its rule.
var registered []*analysis.Rule

func register(r analysis.Rule) *analysis.Rule {
	registered = append(registered, &r)
	return &r
}

// All returns every rule, sorted by name. The rules are shared and must not be changed.
func All() []*analysis.Rule {
	return slices.SortedFunc(slices.Values(registered), func(a, b *analysis.Rule) int { return cmp.Compare(a.Name, b.Name) })
}
