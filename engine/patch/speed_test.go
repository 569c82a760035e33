package patch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/filters/patchstrategicmerge"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// podWith returns a Pod with that many variables, and with as many labels.
func podWith(count int, value string) string {
	var labels, env strings.Builder
	for i := range count {
		fmt.Fprintf(&labels, "    label%d: %s\n", i, value)
		fmt.Fprintf(&env, "    - name: VARIABLE%d\n      value: %s\n", i, value)
	}
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  labels:\n" + labels.String() +
		"spec:\n  containers:\n  - name: web\n    image: nginx:1.27\n    env:\n" + env.String()
}

// Merging 20,000 variables and labels takes a few tenths of a second at most, and some
// seconds on a busy machine; pair by pair, as kyaml does it, it takes minutes.
func TestStrategicMergeIsLinear(t *testing.T) {
	dest, patch := parseNode(t, podWith(20000, "a")), parseNode(t, podWith(20000, "b"))
	start := time.Now()
	if _, _, refusal := StrategicMerge(dest, patch, kubernetes.Schema{}); refusal != nil {
		t.Fatal(refusal.Message())
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func BenchmarkStrategicMerge(b *testing.B) {
	dest, patch := parseNode(b, podWith(20, "a")), parseNode(b, podWith(3, "b"))
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, refusal := StrategicMerge(syntax.Copy(dest), patch, kubernetes.Schema{}); refusal != nil {
				b.Fatal(refusal.Message())
			}
		}
	})
	b.Run("kyaml", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			filter := patchstrategicmerge.Filter{Patch: kyaml.NewRNode(syntax.Copy(patch))}
			if _, err := filter.Filter([]*kyaml.RNode{kyaml.NewRNode(syntax.Copy(dest))}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkJSON6902(b *testing.B) {
	const patch = `[{"op": "replace", "path": "/metadata/labels/label1", "value": "x"}]`
	dest := parseNode(b, podWith(20, "a"))
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		operations, _ := ParseJSON6902(patch, nil, false)
		for b.Loop() {
			if _, _, failure := JSON6902(dest, operations, unlimited); failure != nil {
				b.Fatal(failure.Message())
			}
		}
	})
	b.Run("through YAML", func(b *testing.B) {
		commented := syntax.Copy(dest)
		commented.HeadComment = "# a comment"
		operations, _ := ParseJSON6902(patch, nil, false)
		for b.Loop() {
			if _, _, failure := JSON6902(commented, operations, unlimited); failure != nil {
				b.Fatal(failure.Message())
			}
		}
	})
	b.Run("kustomize", func(b *testing.B) {
		b.ReportAllocs()
		text, _ := yaml.Marshal(dest)
		for b.Loop() {
			if _, err := patchAsKustomize(string(text), patch); err != nil {
				b.Fatal(err)
			}
		}
	})
}
