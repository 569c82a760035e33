package resource

import (
	"testing"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// A change of a resource is seen by no other that has the same nodes, and what is
// not changed stays shared.
func TestOwnershipKeepsChangesApart(t *testing.T) {
	parse := func() *yaml.Node {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte("kind: A\nmetadata: {name: a}\nspec: {x: 1}\nspec: {x: 2}\n"), &document); err != nil {
			t.Fatal(err)
		}
		return document.Content[0]
	}
	name := func(n *yaml.Node) *yaml.Node { return syntax.Lookup(n, "metadata", "name") }

	read := parse()
	r := &Resource{Node: read}
	r.Share()
	r.CopyAhead("metadata")
	name(r.Node).Value = "b"
	if name(read).Value != "a" {
		t.Error("the change of a field that is the resource's own shows in the other")
	}
	if r.Shares() || r.Node.Content[5] != read.Content[5] {
		t.Error("the root is the resource's own, and a field that nobody asked for is not")
	}
	r.CopyAhead("spec")
	if r.Node.Content[5] == read.Content[5] || r.Node.Content[7] == read.Content[7] {
		t.Error("of two fields of one name both must be the resource's own")
	}
	mine := r.Node
	r.CopyAhead("missing")
	if r.CopyAhead("metadata"); r.Node != mine {
		t.Error("what is the resource's own was copied again")
	}
	r.CopyAhead("")
	if r.Node.Content[0] == read.Content[0] {
		t.Error("a key is shared after all is copied")
	}

	tangled := &Resource{Node: parse()}
	tangled.Node.Content = append(tangled.Node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "again"}, name(tangled.Node))
	tangled.Change((*Edit).Tangle)
	tangled.Share()
	before := tangled.Node
	tangled.CopyAhead("metadata")
	name(tangled.Node).Value = "both"
	if syntax.Lookup(tangled.Node, "again").Value != "both" || syntax.Lookup(before, "again").Value != "a" {
		t.Error("a node at two places must be one in the copy, too")
	}
}
