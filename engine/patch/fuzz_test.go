package patch

import (
	"math/rand"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// fuzzable tells whether a text is a resource as it comes out of syntax: one
// mapping without anchors and aliases. Comments are left out, since kyaml
// takes some of them for schemas.
func fuzzable(text string) bool {
	var document yaml.Node
	if yaml.Unmarshal([]byte(text), &document) != nil || document.Kind != yaml.DocumentNode {
		return false
	}
	return document.Content[0].Kind == yaml.MappingNode && plainTree(&document)
}

func plainTree(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.HeadComment+n.LineComment+n.FootComment != "" || n.Tag == "!!merge" {
		return false
	}
	for _, child := range n.Content {
		if !plainTree(child) {
			return false
		}
	}
	return true
}

func FuzzStrategicMerge(f *testing.F) {
	for _, c := range strategicCases {
		f.Add(c.dest, c.patch)
	}
	for seed := range int64(50) {
		d := &drawer{Rand: rand.New(rand.NewSource(seed)), odd: 5}
		f.Add(d.document(drawnHeads[seed%7], false), d.document(drawnHeads[seed%7], true))
	}
	f.Fuzz(func(t *testing.T, dest, patch string) {
		if len(dest)+len(patch) > 5000 || !fuzzable(dest) || !fuzzable(patch) {
			return
		}
		compareStrategicMerge(t, dest, patch)
	})
}

func FuzzJSON6902(f *testing.F) {
	for _, patch := range jsonPatches {
		f.Add(jsonResource, patch)
	}
	for seed := range int64(50) {
		d := &drawer{Rand: rand.New(rand.NewSource(seed)), odd: 5}
		doc := d.document(drawnHeads[seed%7], false) + strings.ReplaceAll(d.oddText(), "# a comment\n", "")
		f.Add(doc, d.operations(parseNode(f, doc)))
	}
	f.Fuzz(func(t *testing.T, doc, patch string) {
		if patch == "" || len(doc)+len(patch) > 5000 || !fuzzable(doc) {
			return
		}
		compareJSON6902(t, doc, patch)
	})
}
