package rewrite

import (
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// strategies are the ways to write a value, in the order in which they are tried.
func (w *work) strategies() []func(*work) []candidate {
	return []func(*work) []candidate{
		(*work).whereWritten,
		(*work).images,
		(*work).replicas,
		(*work).generators,
		(*work).wholeLayer,
		(*work).extendPatch,
		(*work).newPatch,
		(*work).replacement,
		(*work).transformer,
	}
}

// lastWords is the index of the first of the strategies that write after all that the layer says otherwise.
const lastWords = 7

// edited returns the text of a file after a change of the document at an index.
func edited(content []byte, index int, change func(d *document) ([]text.Edit, bool)) ([]byte, bool) {
	all := documents(content)
	if index >= len(all) {
		return nil, false
	}
	edits, ok := change(all[index])
	if !ok {
		return nil, false
	}
	return applied(content, all[index], edits)
}

func applied(content []byte, d *document, edits []text.Edit) ([]byte, bool) {
	edits, ok := d.outwards(edits)
	if !ok {
		return nil, false
	}
	after, err := text.Apply(content, edits)
	return after, err == nil
}

// offsetOf returns the file and byte offset of a place; false where it is in no file that the layer reads.
func (w *work) offsetOf(place explain.Place) (path string, content []byte, offset int, ok bool) {
	if !place.Known() || !w.reads(place.File) {
		return "", nil, 0, false
	}
	content = w.read(place.File)
	return place.File, content, text.NewLines(content).LineColumnToOffset(place.Line, place.Column), content != nil
}

// whereWritten changes the text that the value was read from.
func (w *work) whereWritten() []candidate {
	t := w.target
	if t.node == nil {
		return w.beside()
	}
	_, place := explain.Written(w.session.Table(), w.before.result, t.r, t.field)
	path, content, offset, ok := w.offsetOf(place)
	if !ok {
		return nil
	}
	d, way, inner := locate(content, offset)
	if d == nil {
		return nil
	}
	var all []candidate
	offer := func(edits []text.Edit, ok bool) {
		if !ok {
			return
		}
		if after, ok := applied(content, d, edits); ok {
			all = append(all, candidate{how: "where it is written", files: map[string][]byte{path: after}, main: path})
		}
	}
	n := way[len(way)-1].node
	switch start := d.valueSpan(n).Start; {
	case w.value == nil:
		if up := len(way) - 2; up > 0 && len(way[up].node.Content) == 2 && w.isLabels() {
			offer(d.remove(way[:up+1]))
		}
		offer(d.remove(way))
	case inner > start && n.Kind == yaml.ScalarNode:
		if key, _, isLiteral := strings.Cut(n.Value, "="); isLiteral && w.value.Kind == yaml.ScalarNode {
			offer(d.replace(way, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key + "=" + w.value.Value, Style: n.Style}))
		}
	default:
		offer(d.replace(way, w.value))
	}
	return all
}

// isLabels tells whether the value is a label or an annotation.
func (w *work) isLabels() bool {
	steps := w.target.steps
	if len(steps) < 2 || len(w.target.inside) > 0 {
		return false
	}
	parent := steps[len(steps)-2].key
	return parent == "labels" || parent == "annotations"
}

// beside puts a value that is missing into the mapping or list in which it belongs, where the layer wrote that.
func (w *work) beside() []candidate {
	t := w.target
	steps := append(append([]step(nil), t.steps...), t.inside...)
	for known := len(steps) - 1; known >= 0; known-- {
		if w.isMissing(known) {
			continue
		}
		value, ok := nested(steps[known+1:], w.value)
		if !ok {
			return nil
		}
		place := explain.PlaceOf(w.session.Table(), t.r.Node)
		if known > 0 {
			_, place = explain.Written(w.session.Table(), w.before.result, t.r, strings.Join(pathOf(steps[:known]), "."))
		}
		path, content, offset, ok := w.offsetOf(place)
		if !ok {
			return nil
		}
		d, way, _ := locate(content, offset)
		if d == nil {
			return nil
		}
		if n := way[len(way)-1].node; known >= len(t.steps) && n.Kind == yaml.ScalarNode {
			if d = d.embedded(n); d == nil {
				return nil
			}
			way = d.follow()
		}
		var edits []text.Edit
		if steps[known].isIndex {
			edits, ok = d.add(way, value)
		} else {
			edits, ok = d.insert(way, steps[known].key, value)
		}
		if !ok {
			return nil
		}
		after, ok := applied(content, d, edits)
		if !ok {
			return nil
		}
		return []candidate{{how: "beside what is written", files: map[string][]byte{path: after}, main: path}}
	}
	return nil
}

// isMissing tells whether there is nothing at the end of so many of the steps.
func (w *work) isMissing(known int) bool {
	t := w.target
	if known <= len(t.steps) {
		return known > 0 && at(t.r.Node, t.steps[:known]) == nil
	}
	all := documents([]byte(at(t.r.Node, t.steps).Value))
	return len(all) != 1 || at(all[0].root, t.inside[:known-len(t.steps)]) == nil
}

// inKustomization makes a candidate of a change of the layer's kustomization file. The changes are made one after the
// other.
func (w *work) inKustomization(how string, changes ...func(d *document) ([]text.Edit, bool)) []candidate {
	path := w.layers[0].Path
	content := w.read(path)
	for _, change := range changes {
		var ok bool
		if content, ok = edited(content, 0, change); !ok {
			return nil
		}
	}
	return []candidate{{how: how, files: map[string][]byte{path: content}, main: filepath.Clean(path)}}
}

// setField makes the change that gives an entry of a mapping a value; nil takes it away, where it is.
func setField(find func(d *document) []slot, key string, value *yaml.Node) func(d *document) ([]text.Edit, bool) {
	return func(d *document) ([]text.Edit, bool) {
		way := find(d)
		if way == nil {
			return nil, false
		}
		m := way[len(way)-1].node
		i := fieldIndex(m, key)
		switch {
		case i < 0 && value == nil:
			return nil, true
		case i < 0:
			return d.insert(way, key, value)
		}
		way = append(way, slot{m, i, m.Content[i]})
		if value == nil {
			return d.remove(way)
		}
		return d.replace(way, value)
	}
}

// setBehind is setField, where a new field stands behind another one of the entry.
func setBehind(find func(d *document) []slot, other, key string, value *yaml.Node) func(d *document) ([]text.Edit, bool) {
	return func(d *document) ([]text.Edit, bool) {
		way := find(d)
		if way == nil {
			return nil, false
		}
		m := way[len(way)-1].node
		i := fieldIndex(m, other)
		if value == nil || i < 0 || isFlow(m) || fieldIndex(m, key) >= 0 {
			return setField(find, key, value)(d)
		}
		return []text.Edit{d.insertLines(d.contentEnd(m.Content[i]), d.block(mapping(key, value), d.column(m.Content[0])))}, true
	}
}

// addEntry makes the change that puts an entry into a list of the kustomization, which is made where it is missing.
func addEntry(field string, entry *yaml.Node) func(d *document) ([]text.Edit, bool) {
	return func(d *document) ([]text.Edit, bool) {
		way := d.follow(field)
		if len(way) == 2 {
			return d.add(way, entry)
		}
		return d.addField(field, list(entry))
	}
}

// addField puts a field behind those of the document, with a blank line in front where the others have one.
func (d *document) addField(field string, value *yaml.Node) ([]text.Edit, bool) {
	edits, ok := d.insert(d.follow(), field, value)
	if ok && len(edits) == 1 && d.spaced() {
		edits[0].New = d.newline + edits[0].New
	}
	return edits, ok
}

// spaced tells whether blank lines stand in front of all fields that take more than a line.
func (d *document) spaced() bool {
	if d.root == nil || d.root.Kind != yaml.MappingNode || isFlow(d.root) || len(d.root.Content) < 4 {
		return false
	}
	gaps, large := 0, 0
	for i := 2; i+1 < len(d.root.Content); i += 2 {
		if d.lineAt(d.span(d.root.Content[i+1]).Start) == d.lineAt(d.span(d.root.Content[i]).Start) {
			continue
		}
		large++
		line := d.lineAt(d.span(d.root.Content[i]).Start) - 1
		for line > 0 && strings.HasPrefix(strings.TrimSpace(d.lineText(line)), "#") {
			line--
		}
		if line >= 0 && strings.TrimSpace(d.lineText(line)) == "" {
			gaps++
		}
	}
	return large > 1 && gaps == large
}

func (d *document) lineText(line int) string {
	span := d.lines.LineSpan(line)
	return string(d.text[span.Start:span.End])
}
