package deployment

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// beginnings finds the candidates that nothing else renders, by what kustomizations and
// the objects themselves list. Which objects a patch moves elsewhere is seen only later.
type beginnings struct {
	checkout *checkout
	// byDir are the candidates that deploy a folder.
	byDir map[string][]*candidate
	// renderers are those whose folders lead to a file or folder, once that is known.
	renderers map[string][]*candidate
}

func newBeginnings(c *checkout, dirsOf func(*candidate) []string) *beginnings {
	b := &beginnings{checkout: c, byDir: map[string][]*candidate{}, renderers: map[string][]*candidate{}}
	for _, x := range c.candidates {
		for _, dir := range dirsOf(x) {
			b.byDir[dir] = append(b.byDir[dir], x)
		}
	}
	return b
}

// first returns the candidates that no other one renders, in order.
func (b *beginnings) first() []*candidate {
	var first []*candidate
	for _, x := range b.checkout.candidates {
		others := slices.ContainsFunc(b.renderersOf(x.path), func(by *candidate) bool { return by.object != x.object })
		if !others {
			first = append(first, x)
		}
	}
	slices.SortStableFunc(first, func(a, b *candidate) int { return cmp.Compare(a.path, b.path) })
	return first
}

// renderersOf returns the candidates that deploy the path, or a folder that leads to it.
func (b *beginnings) renderersOf(path string) []*candidate {
	if known, ok := b.renderers[path]; ok {
		return known
	}
	b.renderers[path] = nil // a cycle leads nowhere
	found := slices.Clone(b.byDir[path])
	for _, up := range b.above(path) {
		for _, x := range b.renderersOf(up) {
			if !slices.Contains(found, x) {
				found = append(found, x)
			}
		}
	}
	b.renderers[path] = found
	return found
}

// above returns the folders that list the path: those whose kustomizations do, and those
// without one that are deployed and so take all that is below them.
func (b *beginnings) above(path string) []string {
	above := slices.Clone(b.checkout.listedIn[path])
	for dir := filepath.Dir(path); vfs.Below(b.checkout.root, dir); dir = filepath.Dir(dir) {
		if b.checkout.folders[dir] != nil {
			break
		}
		if len(b.byDir[dir]) > 0 {
			above = append(above, dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return above
}

// depth counts the folders around a path that candidates deploy.
func (b *beginnings) depth(path string) int {
	depth := 0
	for dir := filepath.Dir(path); vfs.Below(b.checkout.root, dir); dir = filepath.Dir(dir) {
		if len(b.byDir[dir]) > 0 {
			depth++
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return depth
}

// outermost returns the folders, and no components, that lead to a path and that no other
// kustomization lists; none where no kustomization leads to it.
func (b *beginnings) outermost(path string) []string {
	seen := map[string]bool{}
	var found []string
	var climb func(path string)
	climb = func(path string) {
		for _, dir := range b.checkout.listedIn[path] {
			if seen[dir] {
				continue
			}
			seen[dir] = true
			if len(b.checkout.listedIn[dir]) > 0 {
				climb(dir)
			} else if b.checkout.folders[dir].Kind.Value != kustomization.KindComponent {
				found = append(found, dir)
			}
		}
	}
	climb(path)
	slices.Sort(found)
	return found
}
