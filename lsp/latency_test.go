package lsp_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// BenchmarkEditToDiagnostics types in the overlay of a tree of 4,001 resources and
// waits for the diagnostics of that version, the debounce of 50 ms included. It
// reports the median and the 95th percentile.
func BenchmarkEditToDiagnostics(b *testing.B) {
	tree := map[string]string{}
	for name, content := range gentree.Files(1000) {
		tree[name] = string(content)
	}
	e := open(b, setup{tree: tree, debounce: 50 * time.Millisecond})
	name := filepath.Join(gentree.Overlay, "kustomization.yaml")
	e.open(name)
	e.settle(name)
	var took []time.Duration
	b.ResetTimer()
	for i := range b.N {
		start := time.Now()
		e.replace(name, "namePrefix: ", fmt.Sprintf("namePrefix: %c", 'a'+i%26))
		e.settle(name)
		took = append(took, time.Since(start))
	}
	b.StopTimer()
	report(b, "edit", took)
	took = nil
	for range min(b.N, 20) {
		start := time.Now()
		if got := e.hover(name, "kind: Deployment"); !strings.Contains(got, "1000 resources") {
			b.Fatal(got)
		}
		took = append(took, time.Since(start))
	}
	report(b, "hover", took)
}

func report(b *testing.B, what string, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, what+"-ms/median")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, what+"-ms/p95")
}

// BenchmarkCompletion asks, in the overlay of a tree of 4,001 resources, for names, for
// segments of a field path and for fields of a patch, each right after a key was typed.
func BenchmarkCompletion(b *testing.B) {
	tree := map[string]string{}
	for name, content := range gentree.Files(1000) {
		tree[name] = string(content)
	}
	name := filepath.Join(gentree.Overlay, "kustomization.yaml")
	e := open(b, setup{tree: tree, debounce: 50 * time.Millisecond})
	e.open(name)
	e.settle(name)
	patch := filepath.Join(gentree.Overlay, "resources.yaml")
	e.open(patch)
	for _, at := range []struct{ what, file, typed, needle string }{
		{"name", name, "    kind: Deployment\n    name: %c", "    name: %c‸"},
		{"path", name, "    - data.config\\.json.%c", "config\\.json.%c‸"},
		{"field", patch, "        %c", "        %c‸"},
	} {
		old := map[string]string{"name": "    kind: Deployment", "path": "    - data.config\\.json.cluster.region", "field": "        resources:"}[at.what]
		var took []time.Duration
		for i := range b.N {
			letter := "ap0"[i%3]
			typed := strings.ReplaceAll(at.typed, "%c", string(letter))
			e.replace(at.file, old, typed)
			old = typed
			start := time.Now()
			if list := e.completions(at.file, strings.ReplaceAll(at.needle, "%c", string(letter))); len(list.Items) == 0 && at.what != "field" {
				b.Fatalf("%s: no suggestions", at.what)
			}
			took = append(took, time.Since(start))
			e.settle(at.file)
		}
		report(b, at.what, took)
	}
}
