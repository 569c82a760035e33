package schema

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"github.com/kustomize-lsp/kls/internal/gentree"
	yaml "go.yaml.in/yaml/v3"
)

// BenchmarkValidate validates the resources of a tree of 4,001, schemas
// compiled.
func BenchmarkValidate(b *testing.B) {
	k, resources := newest(b), generated(b, 1000)
	for b.Loop() {
		validateAll(b, k, resources)
	}
}

// BenchmarkFirst validates the first Deployment: opening the data, compiling.
func BenchmarkFirst(b *testing.B) {
	resource := parse(b, deployment)
	for b.Loop() {
		newest(b).Validate(resource)
	}
}

// BenchmarkDescribe describes the first field.
func BenchmarkDescribe(b *testing.B) {
	for b.Loop() {
		newest(b).Describe("apps/v1", "Deployment", []string{"spec", "template", "spec"})
	}
}

// Four times the resources take four times what the others took, and no schema is
// compiled again for them. It is counted in bytes, which a busy machine does not change.
func TestValidationIsLinear(t *testing.T) {
	k, few, many := newest(t), generated(t, 60), generated(t, 240)
	allocated := func(resources []*yaml.Node) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		validateAll(t, k, resources)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	first := allocated(few[:1])
	allocated(few) // compiles the others
	small, large := allocated(few), allocated(many)
	const others = 64 << 10 // what goes on beside
	if large > 5*small+others {
		t.Errorf("%d resources take %d bytes, %d take %d", len(few), small, len(many), large)
	}
	if each := (small - min(small, others)) / uint64(len(few)); each > first/10 {
		t.Errorf("each resource takes %d bytes, the first one %d", each, first)
	}
}

func TestConcurrentUse(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	widget := parse(t, "apiVersion: example.com/v1\nkind: Widget\nspec: {size: small}\n")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, resource := range []string{deployment, statefulSet, widgets} {
				if got := k.Validate(parse(t, resource)); got != nil {
					t.Error(got)
				}
			}
			k.Validate(widget)
			k.Describe("batch/v1", "CronJob", []string{"spec"})
		})
	}
	group.Wait()
}

func validateAll(t testing.TB, k *Kubernetes, resources []*yaml.Node) {
	for _, resource := range resources {
		if got := k.Validate(resource); got != nil {
			t.Fatal(got)
		}
	}
}

func generated(t testing.TB, apps int) []*yaml.Node {
	var resources []*yaml.Node
	for path, content := range gentree.Files(apps) {
		if bytes.Contains(content, []byte("metadata:")) && path[:4] == "base" {
			resources = append(resources, parse(t, string(content)))
		}
	}
	if len(resources) != gentree.Resources(apps) {
		t.Fatalf("%d resources", len(resources))
	}
	return resources
}
