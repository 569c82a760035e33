package differential

import (
	"path"
	"testing"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// TestManyOfOneThing holds the shapes that measure growth against kustomize: what they cost means nothing unless they
// build what kustomize builds, and fail where it does.
func TestManyOfOneThing(t *testing.T) {
	seen := map[string]bool{}
	for _, shape := range append(gentree.Shapes(), gentree.Many()...) {
		t.Run(shape.Name, func(t *testing.T) {
			if seen[shape.Name] {
				t.Error("the name is there twice")
			}
			seen[shape.Name] = true
			tree := Tree{}
			for name, text := range shape.Files(4) {
				tree[path.Join("tree", name)] = text
			}
			c := tree.Compare(t.Context(), path.Join("tree", shape.Root))
			if c.Kind != Same {
				t.Fatalf("%s: kls %v, kustomize %v", c.Kind, c.Kls.Refusal, c.Kustomize.Refusal)
			}
			if failed := c.Kustomize.Refusal != nil; failed != shape.Fails {
				t.Errorf("fails: %v, want %v: %v", failed, shape.Fails, c.Kustomize.Refusal)
			}
		})
	}
}
