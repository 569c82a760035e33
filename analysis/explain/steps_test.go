package explain

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// unlisted are the steps that kustomize's transformer annotations do not list.
var unlisted = []string{"ConfigMapGenerator", "SecretGenerator", "HashTransformer", "NameReferenceTransformer", "RefVarTransformer"}

// TestStepsAreThoseOfTheTransformerAnnotations asks of every fixture for kustomize's
// transformer annotations, which the build writes as kustomize does: the steps of a
// resource are among them, in their order, and nothing happens between two steps.
func TestStepsAreThoseOfTheTransformerAnnotations(t *testing.T) {
	compared := 0
	eachTree(t, func(name string, files map[string][]byte) {
		targets, err := analysis.Discover(t.Context(), vfs.NewSnapshot(vfs.Memory(files)), "/")
		if err != nil {
			return
		}
		for _, target := range targets {
			if annotated := annotated(files, target.Dir); annotated != nil && !target.Component {
				compared += checkSteps(t, name, annotated, target.Dir)
			}
		}
	})
	if compared < 100 {
		t.Errorf("only %d steps were compared", compared)
	}
}

// annotated asks for transformer annotations in a kustomization; nil where that has
// buildMetadata of its own.
func annotated(files map[string][]byte, dir string) *vfs.Snapshot {
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if text, ok := files[path]; ok && !strings.Contains(string(text), "buildMetadata") {
			text = append(slices.Clip(text), "\nbuildMetadata: [transformerAnnotations]\n"...)
			return vfs.NewSnapshot(vfs.Memory(files)).With(path, text)
		}
	}
	return nil
}

// checkSteps returns how many steps it found listed.
func checkSteps(t *testing.T, name string, files *vfs.Snapshot, dir string) (compared int) {
	t.Helper()
	w := newWatch(func(*resource.Resource) bool { return true })
	result, err := builder.NewSession(files).Build(t.Context(), dir, builder.Options{Instruments: builder.Instruments{Recorder: w}})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed() || result.Root == nil || result.Root.Origin == nil {
		return 0
	}
	for _, r := range result.Resources {
		if r.Origin.ConfiguredIn != "" && !r.Generated {
			continue // a patch took the annotations away and is now taken for what made the resource
		}
		var listed []string
		for at := r.Transformations; at != nil; at = at.Previous {
			listed = append(listed, at.By.ConfiguredBy.Kind)
		}
		slices.Reverse(listed)
		h := w.histories[r]
		if h == nil {
			continue
		}
		for i, c := range h.steps {
			before, after := Value{withoutEmptyAnnotations(c.before)}, Value{withoutEmptyAnnotations(c.after)}
			if i > 0 && !(Value{withoutEmptyAnnotations(h.steps[i-1].after)}).equal(before) {
				t.Errorf("%s %s: %s changes between %s and %s", name, dir, r.ID(), h.steps[i-1].step.Transformer, c.step.Transformer)
			}
			if before.equal(after) || slices.Contains(unlisted, c.step.Transformer) {
				continue
			}
			at := slices.Index(listed, c.step.Transformer)
			if at < 0 {
				t.Errorf("%s %s: %s of %s is not listed, or out of order", name, dir, c.step.Transformer, r.ID())
				continue
			}
			compared++
			if i+1 < len(h.steps) && h.steps[i+1].step != c.step {
				listed = listed[at:]
			}
		}
	}
	return compared
}
