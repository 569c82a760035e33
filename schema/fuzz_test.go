package schema

import (
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// FuzzValidate holds any text against any definition: nothing may panic, and
// every violation has to point into the resource.
func FuzzValidate(f *testing.F) {
	f.Add(deployment, widgets)
	f.Add(statefulSet, strings.Replace(widgets, "type: object", "type: [object]", 3))
	f.Add("apiVersion: example.com/v1\nkind: Widget\nspec: {list: [{a: x}, null], 'a~/b%': 1, either: {}}\n", widgets)
	f.Add(widgets, widgets)
	k, err := New("")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content, definition string) {
		var resource, definitions yaml.Node
		if yaml.Unmarshal([]byte(content), &resource) != nil || hasAlias(&resource) {
			return
		}
		extended := k
		if yaml.Unmarshal([]byte(definition), &definitions) == nil && !hasAlias(&definitions) {
			extended = k.WithCRDs([]*yaml.Node{&definitions})
		}
		for _, v := range extended.Validate(&resource) {
			if v.Node == nil || v.Message == "" || !contains(&resource, v.Node) {
				t.Errorf("%v of\n%s", v, content)
			}
		}
		name := kindName{}
		if len(resource.Content) > 0 {
			name = nameOf(resource.Content[0])
		}
		extended.UnknownPatchFields(name.apiVersion, name.kind, &resource)
		extended.Describe(name.apiVersion, name.kind, []string{"spec", "list"})
		extended.Fields(name.apiVersion, name.kind, []string{"spec"})
	})
}

// Builds hand over resources without aliases.
func hasAlias(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	for _, child := range n.Content {
		if hasAlias(child) {
			return true
		}
	}
	return false
}

func contains(n, wanted *yaml.Node) bool {
	if n == wanted {
		return true
	}
	for _, child := range n.Content {
		if contains(child, wanted) {
			return true
		}
	}
	return false
}
