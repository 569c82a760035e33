package rewrite

import (
	"encoding/base64"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// generators changes what a generator of the layer takes a key from, or gives it the key; of what another layer
// generates, a generator with behavior merge does.
func (w *work) generators() []candidate {
	t := w.target
	key, content, ok := w.generatedKey()
	if !ok {
		return nil
	}
	made, fact := w.generatorOf()
	if fact == nil {
		return nil
	}
	field := "configMapGenerator"
	entries := w.layers[0].Kustomization.ConfigMapGenerator
	if t.r.ID().Kind == "Secret" {
		field, entries = "secretGenerator", w.layers[0].Kustomization.SecretGenerator
	}
	var all []candidate
	for i := range entries {
		entry := &entries[i]
		if !slices.Contains(w.names(), entry.Name.Value) {
			continue
		}
		if merges := slices.ContainsFunc(entry.MergeValues, func(m kustomization.MergeValue) bool { return m.Key.Value == key }); merges && len(t.inside) > 0 {
			all = append(all, w.mergedPart(field, i, entry, key)...)
			continue
		}
		all = append(all, w.generatorInputs(entry, key, content)...)
		if content == nil {
			all = append(all, w.dropLiteral(field, i, entry, key)...)
			continue
		}
		literal := word(key + "=" + *content)
		if at := slices.IndexFunc(entry.Literals, func(l kustomization.Text) bool { return strings.HasPrefix(l.Value, key+"=") }); at >= 0 {
			all = append(all, w.inKustomization("the literal "+key, setLiteral(field, i, at, literal))...)
			continue
		}
		all = append(all, w.inKustomization("a literal "+key+" of "+entry.Name.Value, func(d *document) ([]text.Edit, bool) {
			way := entryAt(field, i)(d)
			if way == nil {
				return nil, false
			}
			n := way[len(way)-1].node
			if j := fieldIndex(n, "literals"); j >= 0 {
				return d.add(append(way, slot{n, j, n.Content[j]}), literal)
			}
			return d.insert(way, "literals", list(literal))
		})...)
	}
	if len(all) == 0 && content != nil && made != nil && made.Dir != w.layer {
		all = append(all, w.mergeGenerator(field, fact, key, *content)...)
	}
	return all
}

// mergedPart changes the part of a document that a generator merges into that of another layer.
func (w *work) mergedPart(field string, i int, entry *kustomization.Generator, key string) []candidate {
	change := func(d *document) ([]text.Edit, bool) { return d.change(w.target.inside, w.value) }
	for _, f := range entry.Files {
		name, path, named := strings.Cut(f.Value, "=")
		if !named {
			name, path = filepath.Base(f.Value), f.Value
		}
		path = filepath.Join(w.layers[0].Dir, filepath.FromSlash(path))
		if name != key {
			continue
		}
		if after, ok := edited(w.read(path), 0, change); ok {
			return []candidate{{how: "the part that is merged", files: map[string][]byte{path: after}, main: path}}
		}
	}
	for j, l := range entry.Literals {
		name, part, _ := strings.Cut(l.Value, "=")
		if name != key {
			continue
		}
		if after, ok := edited([]byte(part), 0, change); ok {
			return w.inKustomization("the part that is merged", setLiteral(field, i, j, word(key+"="+string(after))))
		}
	}
	return nil
}

// setLiteral makes the change that gives a generator another literal in the place of one.
func setLiteral(field string, i, j int, literal *yaml.Node) func(d *document) ([]text.Edit, bool) {
	return func(d *document) ([]text.Edit, bool) {
		way := entryAt(field, i)(d)
		if way == nil {
			return nil, false
		}
		n := way[len(way)-1].node
		at := fieldIndex(n, "literals")
		if at < 0 || j >= len(n.Content[at].Content) {
			return nil, false
		}
		literals := n.Content[at]
		return d.replace(append(way, slot{n, at, literals}, slot{literals, j, literals.Content[j]}), literal)
	}
}

// mergeGenerator adds a generator that is merged with what another layer generates. What has several lines gets a file.
func (w *work) mergeGenerator(field string, fact *builder.GeneratorFact, key, content string) []candidate {
	entry := mapping("name", word(fact.Entry.Name.Value))
	if fact.Entry.Namespace.Value != "" {
		entry.Content = append(entry.Content, word("namespace"), word(fact.Entry.Namespace.Value))
	}
	entry.Content = append(entry.Content, word("behavior"), word("merge"))
	asFile := strings.Contains(content, "\n") && !w.exists(key)
	if asFile {
		entry.Content = append(entry.Content, word("files"), list(word(key)))
	} else {
		entry.Content = append(entry.Content, word("literals"), list(word(key+"="+content)))
	}
	if fact.Entry.Type.Value != "" {
		entry.Content = append(entry.Content, word("type"), word(fact.Entry.Type.Value))
	}
	all := w.inKustomization("a generator with behavior merge for "+fact.Entry.Name.Value, addEntry(field, entry))
	for i := range all {
		if asFile {
			all[i].files[filepath.Join(w.layers[0].Dir, key)] = []byte(content)
		}
	}
	return all
}

// generatedKey returns the key of a ConfigMap or Secret that the value is, and the text that a generator should give it;
// nil where it is to be taken away. Of a document in a text it is the whole text.
func (w *work) generatedKey() (key string, content *string, ok bool) {
	t := w.target
	kind := t.r.ID().Kind
	if len(t.steps) != 2 || t.steps[0].key != "data" && t.steps[0].key != "binaryData" || kind != "ConfigMap" && kind != "Secret" {
		return "", nil, false
	}
	whole := w.wholeText()
	if whole == nil {
		return t.steps[1].key, nil, w.value == nil && len(t.inside) == 0
	}
	if whole.Kind != yaml.ScalarNode {
		return "", nil, false
	}
	value := whole.Value
	if kind == "Secret" || t.steps[0].key == "binaryData" {
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(value), ""))
		if err != nil {
			return "", nil, false
		}
		value = string(decoded)
	}
	return t.steps[1].key, &value, true
}

// wholeText is the value that the field of the resource should have: of a document in a text that text, changed where
// the value stands and nowhere else. It is nil where there should be none, or where the text cannot be changed so.
func (w *work) wholeText() *yaml.Node {
	t := w.target
	if len(t.inside) == 0 {
		return w.value
	}
	host := at(t.r.Node, t.steps)
	after, ok := edited([]byte(host.Value), 0, func(d *document) ([]text.Edit, bool) { return d.change(t.inside, w.value) })
	if !ok {
		return nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(after)}
}

// change makes the edits that give the value at the end of the steps another value, or take it away.
func (d *document) change(steps []step, value *yaml.Node) ([]text.Edit, bool) {
	way := []slot{{node: d.root}}
	for i, s := range steps {
		n := way[len(way)-1].node
		index := s.index
		if !s.isIndex {
			index = fieldIndex(n, s.key)
		}
		if index < 0 || index >= len(n.Content) || s.isIndex != (n.Kind == yaml.SequenceNode) {
			rest, ok := nested(steps[i+1:], value)
			switch {
			case value == nil || !ok:
				return nil, false
			case s.isIndex:
				return d.add(way, rest)
			}
			return d.insert(way, s.key, rest)
		}
		way = append(way, slot{n, index, n.Content[index]})
	}
	if value == nil {
		return d.remove(way)
	}
	return d.replace(way, value)
}

// generatorInputs changes the file that an entry takes a key from, or the line of one with lines.
func (w *work) generatorInputs(entry *kustomization.Generator, key string, content *string) []candidate {
	var all []candidate
	if content == nil {
		return nil
	}
	dir := w.layers[0].Dir
	for _, f := range entry.Files {
		name, path, named := strings.Cut(f.Value, "=")
		if !named {
			name, path = filepath.Base(f.Value), f.Value
		}
		if name == key {
			path = filepath.Join(dir, filepath.FromSlash(path))
			all = append(all, candidate{how: "the file of the key", files: map[string][]byte{path: []byte(*content)}, main: path})
		}
	}
	for _, env := range entry.Envs {
		path := filepath.Join(dir, filepath.FromSlash(env.Value))
		lines := strings.SplitAfter(string(w.read(path)), "\n")
		for i, line := range lines {
			if name, _, ok := strings.Cut(strings.TrimLeft(line, " \t"), "="); ok && name == key && !strings.Contains(*content, "\n") {
				changed := slices.Clone(lines)
				changed[i] = key + "=" + *content + line[len(strings.TrimRight(line, "\r\n")):]
				all = append(all, candidate{how: "the line of the key", files: map[string][]byte{path: []byte(strings.Join(changed, ""))}, main: path})
			}
		}
	}
	return all
}

// dropLiteral takes a key away from a generator.
func (w *work) dropLiteral(field string, i int, entry *kustomization.Generator, key string) []candidate {
	var all []candidate
	for _, source := range []struct {
		field string
		texts []kustomization.Text
	}{{"literals", entry.Literals}, {"files", entry.Files}} {
		for j, t := range source.texts {
			name, _, named := strings.Cut(t.Value, "=")
			if !named {
				name = filepath.Base(t.Value)
			}
			if name != key {
				continue
			}
			all = append(all, w.inKustomization("the entry of "+source.field, func(d *document) ([]text.Edit, bool) {
				way := entryAt(field, i)(d)
				if way == nil {
					return nil, false
				}
				n := way[len(way)-1].node
				at := fieldIndex(n, source.field)
				if at < 0 || j >= len(n.Content[at].Content) {
					return nil, false
				}
				if len(n.Content[at].Content) == 1 {
					return d.remove(append(way, slot{n, at, n.Content[at]}))
				}
				return d.remove(append(way, slot{n, at, n.Content[at]}, slot{n.Content[at], j, n.Content[at].Content[j]}))
			})...)
		}
	}
	return all
}
