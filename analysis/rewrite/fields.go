package rewrite

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	yaml "go.yaml.in/yaml/v3"
)

// entryAt finds an entry of a list of the kustomization by its index.
func entryAt(field string, index int) func(d *document) []slot {
	return func(d *document) []slot {
		way := d.follow(field)
		if len(way) < 2 || way[1].node.Kind != yaml.SequenceNode || index >= len(way[1].node.Content) {
			return nil
		}
		entries := way[1].node
		return append(way, slot{entries, index, entries.Content[index]})
	}
}

// splitImage takes an image apart as kustomize does: a tag stands behind a colon in the last part of the name.
func splitImage(image string) (name, tag, digest string) {
	name, digest, _ = strings.Cut(image, "@")
	if colon := strings.LastIndexByte(name, ':'); colon > strings.LastIndexByte(name, '/') {
		name, tag = name[:colon], name[colon+1:]
	}
	return name, tag, digest
}

// images changes the entry of images that makes the image, or adds one.
func (w *work) images() []candidate {
	t := w.target
	if w.value == nil || t.node == nil || len(t.inside) > 0 || w.value.ShortTag() != "!!str" || t.node.ShortTag() != "!!str" || len(t.steps) == 0 {
		return nil
	}
	name, tag, digest := splitImage(w.value.Value)
	current, _, _ := splitImage(t.node.Value)
	if t.steps[len(t.steps)-1].key != "image" && !w.isImage() || name == "" {
		return nil
	}
	text := func(value string) *yaml.Node {
		if value == "" {
			return nil
		}
		return word(value)
	}
	var all []candidate
	for i, entry := range w.layers[0].Kustomization.Images {
		made := entry.NewName.Value
		if made == "" {
			made = entry.Name.Value
		}
		if made != current {
			continue
		}
		find, newName := entryAt("images", i), text(name)
		if name == entry.Name.Value {
			newName = nil
		}
		all = append(all, w.inKustomization("the entry of images for "+entry.Name.Value,
			setBehind(find, "name", "newName", newName), setField(find, "newTag", text(tag)), setField(find, "digest", text(digest)))...)
	}
	entry := mapping("name", word(current))
	for _, field := range []struct{ key, value string }{{"newName", name}, {"newTag", tag}, {"digest", digest}} {
		if field.value != "" && (field.key != "newName" || name != current) {
			entry.Content = append(entry.Content, word(field.key), word(field.value))
		}
	}
	if len(entry.Content) > 2 {
		all = append(all, w.inKustomization("an entry of images for "+current, addEntry("images", entry))...)
	}
	return all
}

// isImage tells whether an entry of images changed the value.
func (w *work) isImage() bool {
	for _, l := range layersOf(w.before.result.Root) {
		for _, f := range l.Facts.Images {
			if slices.Contains(f.Nodes, w.target.node) {
				return true
			}
		}
	}
	return false
}

// replicas adds an entry of replicas; one that is there is where the value is written.
func (w *work) replicas() []candidate {
	t := w.target
	if w.value == nil || len(t.steps) != 2 || t.steps[0].key != "spec" || t.steps[1].key != "replicas" || w.value.ShortTag() != "!!int" {
		return nil
	}
	var all []candidate
	for _, name := range w.names() {
		entry := mapping("name", word(name), "count", w.value)
		all = append(all, w.inKustomization("an entry of replicas for "+name, addEntry("replicas", entry))...)
	}
	return all
}

// names are those that the resource may be called by in the layer, the original one first.
func (w *work) names() []string {
	var names []string
	for _, id := range w.target.r.AllIDs() {
		if !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	return names
}

// wholeLayer sets the fields that concern all resources of the layer: right where there is only one of them.
func (w *work) wholeLayer() []candidate {
	t := w.target
	if w.value == nil || w.value.Kind != yaml.ScalarNode || len(t.inside) > 0 || len(t.steps) < 2 || t.steps[0].key != "metadata" {
		return nil
	}
	root := func(d *document) []slot { return d.follow() }
	switch k := w.layers[0].Kustomization; {
	case len(t.steps) == 2 && t.steps[1].key == "namespace":
		return w.inKustomization("namespace", setField(root, "namespace", w.value))
	case len(t.steps) == 2 && t.steps[1].key == "name":
		return w.affixes(k)
	}
	return nil
}

// affixes gives a resource another name by what stands in front of it or behind it.
func (w *work) affixes(k *kustomization.Kustomization) []candidate {
	root := func(d *document) []slot { return d.follow() }
	current := w.target.r.ID().Name
	bare := strings.TrimSuffix(strings.TrimPrefix(current, k.NamePrefix.Value), k.NameSuffix.Value)
	var all []candidate
	if prefix, ok := strings.CutSuffix(w.value.Value, bare+k.NameSuffix.Value); ok && prefix != "" {
		all = append(all, w.inKustomization("namePrefix", setField(root, "namePrefix", word(prefix)))...)
	}
	if suffix, ok := strings.CutPrefix(w.value.Value, k.NamePrefix.Value+bare); ok && suffix != "" {
		all = append(all, w.inKustomization("nameSuffix", setField(root, "nameSuffix", word(suffix)))...)
	}
	return all
}

// generatorOf returns the layer and the entry that generates the resource; of what is merged the one that made it first.
func (w *work) generatorOf() (*builder.Layer, *builder.GeneratorFact) {
	var layer *builder.Layer
	var found *builder.GeneratorFact
	for _, l := range layersOf(w.before.result.Root) {
		for i := range l.Facts.Generators {
			f := &l.Facts.Generators[i]
			if f.Made != nil && f.Made.ID().Kind == w.target.r.ID().Kind && slices.Contains(w.names(), f.Entry.Name.Value) {
				if f.Made == w.target.r || found == nil || f.Base == nil {
					layer, found = l, f
				}
			}
		}
	}
	return layer, found
}
