package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/filters/patchstrategicmerge"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// compareStrategicMerge merges with kustomize's filter and with ours, and
// reports any difference in refusal, tree or text.
func compareStrategicMerge(t testing.TB, dest, patch string) {
	t.Helper()
	want, wantErr := mergeAsKustomize(dest, patch)
	ours, patchNode := parseNode(t, dest), parseNode(t, patch)
	before := dump(patchNode)
	got, _, refusal := StrategicMerge(ours, patchNode, kubernetes.Schema{})
	if dump(patchNode) != before {
		t.Errorf("the patch was changed")
	}
	if (wantErr != nil) != (refusal != nil) {
		t.Fatalf("refusal %v, kustomize says %v\n%s\n---\n%s", refusal, wantErr, dest, patch)
	}
	if refusal != nil {
		if diff := cmp.Diff(dump(parseNode(t, dest)), dump(ours)); diff != "" {
			t.Errorf("the resource was changed by a refused patch:\n%s", diff)
		}
		return
	}
	if diff := cmp.Diff(dump(want), dump(got)); diff != "" {
		t.Fatalf("tree is not kustomize's (-want +got):\n%s\n%s\n---\n%s", diff, dest, patch)
	}
	if diff := cmp.Diff(render(t, want), render(t, got)); diff != "" {
		t.Fatalf("text is not kustomize's (-want +got):\n%s", diff)
	}
}

func mergeAsKustomize(dest, patch string) (*yaml.Node, error) {
	destNode, patchNode := kyaml.NewRNode(mustParse(dest)), kyaml.NewRNode(mustParse(patch))
	result, err := patchstrategicmerge.Filter{Patch: patchNode}.Filter([]*kyaml.RNode{destNode})
	if err != nil || len(result) == 0 {
		return nil, err
	}
	return result[0].YNode(), nil
}

func parseNode(t testing.TB, text string) *yaml.Node {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return document.Content[0]
}

func mustParse(text string) *yaml.Node {
	return kyaml.MustParse(text).YNode()
}

func render(t testing.TB, n *yaml.Node) string {
	t.Helper()
	if n == nil {
		return ""
	}
	text, err := kyaml.NewRNode(n).String()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// dump writes everything of a tree that later steps can see: not comments and
// places.
func dump(n *yaml.Node) string {
	var out strings.Builder
	dumpInto(&out, n, "")
	return out.String()
}

func dumpInto(out *strings.Builder, n *yaml.Node, indent string) {
	if n == nil {
		out.WriteString("nothing\n")
		return
	}
	fmt.Fprintf(out, "%skind %d tag %q style %d value %q\n", indent, n.Kind, n.Tag, n.Style, n.Value)
	for _, child := range n.Content {
		dumpInto(out, child, indent+"  ")
	}
}
