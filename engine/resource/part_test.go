package resource

import (
	"fmt"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// What is found out about a large value is asked once for all copies that have its nodes, and anew for one that changed it.
func TestPartsAreKnownToCopies(t *testing.T) {
	var document yaml.Node
	text := "metadata: {name: a}\nspec:\n"
	for i := range smallestPart {
		text += fmt.Sprintf("  key-%d: value\n", i)
	}
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	base := &Resource{Node: document.Content[0]}
	base.Share()
	base.RememberParts()
	var one, other Resource
	base.CopyShared(&one)
	base.CopyShared(&other)
	one.Change(func(e *Edit) {
		e.OwnField("metadata")
		e.Node.Content[1].Content[1].Value = "b"
	})
	other.Change(func(e *Edit) {
		e.OwnField("spec")
		e.Node.Content[3].Content[1].Value = "$(VAR)"
	})
	asked := 0
	type references struct{}
	hasReference := func(r *Resource, field int) bool {
		value := r.Node.Content[field]
		return r.KnownOfPart(value, references{}, func() bool {
			asked++
			var printed strings.Builder
			for _, n := range value.Content {
				printed.WriteString(n.Value)
			}
			return strings.Contains(printed.String(), "$(")
		})
	}
	for range 2 {
		if hasReference(base, 3) || hasReference(&one, 3) || !hasReference(&other, 3) || hasReference(&one, 1) {
			t.Error("an answer is that of other nodes")
		}
	}
	if asked != 1+2+2 { // once for what is shared; what was changed, or is small, is not remembered
		t.Errorf("%d values were looked at, want 5", asked)
	}
}
