package fieldpath_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	yaml "go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// FuzzWrite holds Write and Get against kustomize on any YAML. Anchors are
// left out, which kustomize resolves when it reads a resource.
func FuzzWrite(f *testing.F) {
	for _, data := range append(append([]string{"{a: {b: c}}", "[{name: nginx, v: 1}]"}, jsonDocuments...), yamlDocuments...) {
		f.Add(data, "a.b", "NEW", "", 0, false)
		f.Add(data, "[name=nginx].a", "7", ":", 1, true)
		f.Add(data, "*.a.0", "", "-", -1, true)
	}
	f.Fuzz(func(t *testing.T, data, path, value, delimiter string, index int, create bool) {
		var document yaml.Node
		if yaml.Unmarshal([]byte(data), &document) != nil || len(document.Content) == 0 || hasAnchors(&document) {
			t.Skip("no YAML document, or one with anchors, which paths are not held against")
		}
		root := resource(t, "text: x")
		root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "data"}, document.Content[0])
		root.Content[len(root.Content)-3].Value = data
		options := fieldpath.Options{Delimiter: delimiter, Index: index, Create: create}
		for _, full := range []string{path, "data." + path, "text." + path} {
			compareGet(t, root, full)
			compareWrite(t, root, word(value), full, options)
			if !kyaml.NewRNode(document.Content[0]).IsNilOrEmpty() { // which no source gives
				compareWrite(t, root, document.Content[0], full, options)
			}
		}
	})
}

func hasAnchors(n *yaml.Node) bool {
	if n.Anchor != "" || n.Kind == yaml.AliasNode || n.Tag == "!!merge" {
		return true
	}
	for _, child := range n.Content {
		if hasAnchors(child) {
			return true
		}
	}
	return false
}

func BenchmarkWrite(b *testing.B) {
	for name, test := range map[string]struct{ data, path string }{
		"plain":   {"data: {a: [{name: web, image: x}, {name: nginx, image: y}]}", "data.a.[name=nginx].image"},
		"json":    {compactJSON, "data.c.a"},
		"missing": {"data: {a: b}", "data.c.a"},
	} {
		b.Run(name, func(b *testing.B) {
			root, path := resource(b, test.data), fieldpath.Parse(test.path)
			values := []*yaml.Node{word("one"), word("two")}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				fieldpath.Write(root, path, values[i%2], fieldpath.Options{})
			}
		})
	}
}
