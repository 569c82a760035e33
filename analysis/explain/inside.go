package explain

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// inside finds the places of what stands in the documents embedded in one scalar
// that a build changed: kustomize writes such a text anew as a whole, so that only
// its structure leads back to the text that was written.
type inside struct {
	table  *syntax.Table
	result *builder.Result
	of     *resource.Resource
	// host is the scalar, originals are the same as they were written, none where it
	// was not changed or never written.
	host      *yaml.Node
	originals []*yaml.Node
}

func newInside(table *syntax.Table, result *builder.Result, r *resource.Resource, host *yaml.Node) *inside {
	in := &inside{table: table, result: result, of: r, host: host}
	in.addOriginal(host)
	in.addMerged()
	return in
}

// addMerged adds the texts that a generator merged the scalar with.
func (in *inside) addMerged() {
	if in.result == nil || in.result.Root == nil {
		return
	}
	base := baseOf(in.result.Root, in.of)
	if base == nil {
		return
	}
	path, ok := pathTo(in.of.Node, in.host, nil)
	if !ok {
		return
	}
	for ; base != nil; base = baseOf(in.result.Root, base) {
		outcome := fieldpath.Get(base.Node, fieldpath.Parse(strings.Join(path, ".")), fieldpath.Options{})
		if outcome.Failure == nil && len(outcome.Nodes) == 1 {
			in.addOriginal(outcome.Nodes[0])
		}
	}
}

// addOriginal adds the text that the place of a node leads to, where that is not the
// node's any more.
func (in *inside) addOriginal(host *yaml.Node) {
	text, ok := in.table.WrittenText(host)
	if text = in.literalValue(text); !ok || text == in.host.Value {
		return
	}
	for _, known := range in.originals {
		if samePlace(known, host) {
			return
		}
	}
	original := *host
	original.Value = text
	in.originals = append(in.originals, &original)
}

// literalValue returns the value in the text of a generator's literal: what follows the key, which is the
// host's, without quotes around it. Other text it returns as it is.
func (in *inside) literalValue(text string) string {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return text
	}
	path, ok := pathTo(in.of.Node, in.host, nil)
	if !ok || len(path) == 0 || path[len(path)-1] != fieldpath.Escape(key) {
		return text
	}
	if n := len(value); n > 1 && strings.ContainsRune(`"'`, rune(value[0])) && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

// place returns where the value was written that a path leads to from the root of
// the embedded document.
func (in *inside) place(path string, value *yaml.Node) Place {
	if len(in.originals) == 0 {
		return PlaceOf(in.table, value)
	}
	for _, original := range in.originals {
		if old := in.lookup(original, path); old != nil && (Value{old}).equal(Value{value}) {
			return PlaceOf(in.table, old)
		}
	}
	if replaced := in.replacement(value); replaced != nil {
		return PlaceOf(in.table, replaced)
	}
	return PlaceOf(in.table, in.host)
}

// lookup returns what the path led to in a text as it was written.
func (in *inside) lookup(original *yaml.Node, path string) *yaml.Node {
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "v"}
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, original}}
	outcome := fieldpath.Get(root, fieldpath.Parse("v."+path), fieldpath.Options{Embedded: in.table.AddEmbedded})
	if outcome.Failure != nil {
		return nil
	}
	return outcome.Nodes[0]
}

// replacement returns the value of the last replacement that wrote it into the
// resource.
func (in *inside) replacement(value *yaml.Node) *yaml.Node {
	if in.result == nil || in.result.Root == nil || value.Value == "" {
		return nil
	}
	var last *yaml.Node
	in.replacements(in.result.Root, func(n *yaml.Node) {
		if strings.Contains(value.Value, n.Value) {
			last = n
		}
	})
	return last
}

// replacements calls yield for the values that were written into the resource, in
// order: a layer's come after those of what it includes.
func (in *inside) replacements(l *builder.Layer, yield func(*yaml.Node)) {
	for _, included := range l.Facts.Included {
		if included.Layer != nil {
			in.replacements(included.Layer, yield)
		}
	}
	for _, fact := range l.Facts.Replacements {
		if fact.Value == nil || fact.Value.Value == "" {
			continue
		}
		for _, target := range fact.Targets {
			if target == in.of {
				yield(fact.Value)
				break
			}
		}
	}
}

// eachPlace calls yield for the values in the document of the host's text, with the place that each was written at; false where
// it holds no document or was not changed.
func (in *inside) eachPlace(yield func(n *yaml.Node, p Place)) bool {
	var doc yaml.Node
	if len(in.originals) == 0 || yaml.Unmarshal([]byte(in.host.Value), &doc) != nil || len(doc.Content) == 0 {
		return false
	}
	if root := doc.Content[0]; root.Kind == yaml.ScalarNode {
		return false
	}
	eachScalar(doc.Content[0], func(path string, n *yaml.Node) { yield(n, in.place(path, n)) })
	return true
}

// lines returns the place of each line of the host's text, in order; nil where it
// holds no document or was not changed.
func (in *inside) lines() []Place {
	places := make([]Place, strings.Count(in.host.Value, "\n")+1)
	if !in.eachPlace(func(n *yaml.Node, p Place) {
		if at := n.Line - 1; at < len(places) {
			places[at] = p
		}
	}) {
		return nil
	}
	last := PlaceOf(in.table, in.host)
	for i, p := range places {
		if !p.Known() {
			places[i] = last
		}
		last = places[i]
	}
	return places
}
