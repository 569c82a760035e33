package lsp_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// BenchmarkEditToDiagnostics types in the overlay of trees of 4,001 and 12,001
// resources, and waits until what is shown is what the edit makes of it, the debounce
// included: the misspelt name of an image comes and goes, and a prefix changes every
// resource. It reports the median and the 95th percentile, and the memory.
func BenchmarkEditToDiagnostics(b *testing.B) {
	for _, apps := range []int{1000, 3000} {
		b.Run(fmt.Sprintf("%d resources", gentree.Resources(apps)), func(b *testing.B) { measureEdits(b, apps) })
	}
}

func measureEdits(b *testing.B, apps int) {
	tree := map[string]string{}
	for name, content := range gentree.Files(apps) {
		tree[name] = string(content)
	}
	e := open(b, setup{tree: tree, debounce: adaptive, options: withSchemas})
	name := filepath.Join(gentree.Overlay, "kustomization.yaml")
	e.open(name)
	e.settle(name)
	const image, wrong = "registry.example.com/app\n", "registry.example.com/apq\n"
	measure := func(what string, edit func(i int), settled func(i int) bool) {
		var took []time.Duration
		for i := range b.N {
			start := time.Now()
			edit(i)
			if !e.wait(func() bool { return settled(i) }) {
				b.Fatalf("shown: %v", e.shown())
			}
			took = append(took, time.Since(start))
			time.Sleep(300 * time.Millisecond) // nobody types faster for long
		}
		report(b, what, took)
	}
	b.ResetTimer()
	measure("edit", func(i int) {
		if i%2 == 0 {
			e.replace(name, image, wrong)
		} else {
			e.replace(name, wrong, image)
		}
	}, func(i int) bool {
		return slices.ContainsFunc(e.shown(), func(s string) bool { return strings.Contains(s, "image-no-match") }) == (i%2 == 0)
	})
	measure("prefix", func(i int) { e.replace(name, "namePrefix: ", fmt.Sprintf("namePrefix: %c", 'a'+i%26)) },
		func(int) bool { return e.versions[e.path(name)] == e.sentVersion[e.path(name)] })
	b.StopTimer()
	var took []time.Duration
	for range min(b.N, 20) {
		start := time.Now()
		if got := e.hover(name, "kind: Deployment"); !strings.Contains(got, fmt.Sprintf("%d resources", apps)) {
			b.Fatal(got)
		}
		took = append(took, time.Since(start))
	}
	report(b, "hover", took)
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapInuse)/(1<<20), "MiB")
	b.ReportMetric(0, "ns/op")
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

// BenchmarkHover asks for hovers, lenses, hints and the preview in a tree of 4,001
// resources, each right after the overlay was edited and checked.
func BenchmarkHover(b *testing.B) {
	tree := map[string]string{}
	for name, content := range gentree.Files(1000) {
		tree[name] = string(content)
	}
	overlay, base := filepath.Join(gentree.Overlay, "kustomization.yaml"), "base/app-0500/deployment.yaml"
	e := open(b, setup{tree: tree, debounce: 10 * time.Millisecond, initial: map[string]any{"virtualDocuments": true}})
	e.open(overlay)
	e.settle(overlay)
	for _, at := range []struct {
		what string
		ask  func() bool
	}{
		{"prefix", func() bool { return strings.Contains(e.hover(overlay, "namePrefix"), "renames 4000 resources") }},
		{"base", func() bool { return strings.Contains(e.hover(overlay, "../base"), "4001 resources") }},
		{"patch", func() bool { return strings.Contains(e.hover(overlay, "kind: Deployment"), "1000 resources") }},
		{"segment", func() bool { return strings.Contains(e.hover(overlay, "clus‸ter.region"), "leads to") }},
		{"image", func() bool { return strings.Contains(e.hover(overlay, "newTag"), "1000 resources") }},
		{"field", func() bool { return strings.Contains(e.hover(base, "replicas"), "overlay") }},
		{"lens", func() bool { return len(e.lenses(base)) == 1 }},
		{"hints", func() bool { return e.hints(overlay) > 0 }},
		{"preview", func() bool { return len(e.preview(map[string]any{"uri": e.uri(overlay)}).Lines) > 50_000 }},
	} {
		var took []time.Duration
		for i := range b.N {
			e.replace(overlay, "namePrefix: ", fmt.Sprintf("namePrefix: %c", 'a'+i%26))
			e.settle(overlay)
			start := time.Now()
			if !at.ask() {
				b.Fatalf("%s: not what was expected", at.what)
			}
			took = append(took, time.Since(start))
		}
		report(b, at.what, took)
	}
}
