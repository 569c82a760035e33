package rewrite

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// schema says how the lists of the resource merge.
func (w *work) schema() kubernetes.Type {
	id := w.target.r.ID()
	if w.target.r.Schema != nil {
		return w.target.r.Schema.ForResource(id.APIVersion(), id.Kind)
	}
	return kubernetes.Schema{}.ForResource(id.APIVersion(), id.Kind)
}

// patched returns what a patch has to say at the field of the resource, and whether it says anything.
func (w *work) patched() (value *yaml.Node, ok bool) {
	value = w.wholeText()
	return value, value != nil || w.value == nil && len(w.target.inside) == 0
}

// merging makes what a strategic merge patch says below the steps; false where the lists on the way do not merge, or the
// value cannot be said so.
func merging(steps []step, value *yaml.Node, schema kubernetes.Type) (*yaml.Node, bool) {
	if len(steps) == 0 {
		if value == nil {
			value = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
		}
		return value, true
	}
	s := steps[0]
	if !s.isIndex {
		inner, ok := merging(steps[1:], value, schema.Field(s.key))
		return mapping(s.key, inner), ok
	}
	key := mergeKey(s, schema)
	switch {
	case s.element == nil && len(steps) == 1 && value != nil:
		_, merges := schema.MergeKeys()
		return list(value), merges && value.Kind == yaml.MappingNode
	case key == nil:
		return nil, false
	case len(steps) == 1 && value == nil:
		gone := mapping("$patch", word("delete"))
		gone.Content = append(key.Content, gone.Content...)
		return list(gone), true
	case len(steps) == 1:
		return list(value), value.Kind == yaml.MappingNode
	}
	inner, ok := merging(steps[1:], value, schema.Elements())
	if !ok {
		return nil, false
	}
	key.Content = append(key.Content, inner.Content...)
	return list(key), true
}

// mergeKey returns what identifies an element of a list that merges; nil where nothing does.
func mergeKey(s step, schema kubernetes.Type) *yaml.Node {
	names, merges := schema.MergeKeys()
	if !merges || s.element == nil {
		return nil
	}
	key := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, name := range names {
		if _, value := syntax.Field(s.element, name); value != nil && value.Kind == yaml.ScalarNode {
			key.Content = append(key.Content, word(name), bare(value))
		}
	}
	if len(key.Content) == 0 {
		return nil
	}
	return key
}

// extendPatch changes a patch of the layer that is for this resource.
func (w *work) extendPatch() []candidate {
	value, ok := w.patched()
	if !ok {
		return nil
	}
	var all []candidate
	for _, l := range w.layers {
		for _, f := range slices.Backward(l.Facts.Patches) {
			if len(f.Targets) == 1 && w.isSame(f.Targets[0]) {
				all = append(all, w.extend(f, value)...)
			}
		}
	}
	return all
}

// isSame tells whether a resource of the build is the one that is changed.
func (w *work) isSame(r *resource.Resource) bool {
	return r == w.target.r || r.OriginalID() == w.target.r.OriginalID()
}

func (w *work) extend(f builder.PatchFact, value *yaml.Node) []candidate {
	file, content, offset, ok := w.offsetOf(explain.PlaceOf(w.session.Table(), f.Patch))
	if !ok {
		return nil
	}
	d, way, _ := locate(content, offset)
	if d == nil {
		return nil
	}
	for len(way) > 1 && way[len(way)-1].node.Kind == yaml.ScalarNode {
		way = way[:len(way)-1]
	}
	if n := way[len(way)-1].node; n.Kind == yaml.ScalarNode {
		return nil
	}
	var all []candidate
	offer := func(change func(d *document) ([]text.Edit, bool)) {
		if edits, ok := change(d); ok {
			if after, ok := applied(content, d, edits); ok {
				all = append(all, candidate{how: "the patch of " + w.target.r.ID().Kind + " " + w.target.r.OriginalID().Name, files: map[string][]byte{file: after}, main: file})
			}
		}
	}
	if d.root.Kind == yaml.SequenceNode {
		for _, operations := range w.operations(value) {
			offer(func(d *document) ([]text.Edit, bool) { return d.addAll(d.follow(), operations) })
		}
		return all
	}
	offer(func(d *document) ([]text.Edit, bool) { return d.merge(d.follow(), w.target.steps, value, w.schema()) })
	return all
}

// addAll puts elements behind those of a list.
func (d *document) addAll(way []slot, elements []*yaml.Node) ([]text.Edit, bool) {
	var edits []text.Edit
	for _, element := range elements {
		more, ok := d.add(way, element)
		if !ok {
			return nil, false
		}
		edits = append(edits, more...)
	}
	return edits, true
}

// merge makes a strategic merge patch say a value, where it says what is on the way, and else below that.
func (d *document) merge(way []slot, steps []step, value *yaml.Node, schema kubernetes.Type) ([]text.Edit, bool) {
	n := way[len(way)-1].node
	if len(steps) == 0 {
		said, ok := merging(nil, value, schema)
		if !ok {
			return nil, false
		}
		return d.replace(way, said)
	}
	s := steps[0]
	if s.isIndex {
		key := mergeKey(s, schema)
		if n.Kind != yaml.SequenceNode {
			return nil, false
		}
		for i, element := range n.Content {
			if key != nil && sameKey(element, key) {
				if len(steps) == 1 && value == nil {
					return d.insert(append(way, slot{n, i, element}), "$patch", word("delete"))
				}
				return d.merge(append(way, slot{n, i, element}), steps[1:], value, schema.Elements())
			}
		}
		said, ok := merging(steps, value, schema)
		if !ok {
			return nil, false
		}
		return d.add(way, said.Content[0])
	}
	if i := fieldIndex(n, s.key); i >= 0 && (!isNull(n.Content[i]) || len(steps) == 1) {
		return d.merge(append(way, slot{n, i, n.Content[i]}), steps[1:], value, schema.Field(s.key))
	}
	said, ok := merging(steps[1:], value, schema.Field(s.key))
	if !ok {
		return nil, false
	}
	return d.insert(way, s.key, said)
}

func sameKey(element, key *yaml.Node) bool {
	for i := 0; i+1 < len(key.Content); i += 2 {
		if !equal.Values(valueOf(element, key.Content[i].Value), key.Content[i+1]) {
			return false
		}
	}
	return true
}

// operations are the JSON6902 operations that write the value, in the ways to do so.
func (w *work) operations(value *yaml.Node) [][]*yaml.Node {
	steps := w.target.steps
	known := len(steps)
	for known > 0 && at(w.target.r.Node, steps[:known]) == nil {
		known--
	}
	if known < len(steps) {
		rest, ok := nested(steps[known+1:], value)
		if !ok || value == nil {
			return nil
		}
		value = rest
		steps = steps[:known+1]
	}
	pointer := ""
	for _, s := range steps {
		pointer += pointerStep(s)
	}
	var operations []*yaml.Node
	if test := w.test(steps); test != nil {
		operations = append(operations, test)
	}
	switch {
	case value == nil:
		operations = append(operations, mapping("op", word("remove"), "path", word(pointer)))
	case known < len(w.target.steps):
		if last := steps[len(steps)-1]; last.isIndex {
			pointer = pointer[:strings.LastIndexByte(pointer, '/')] + "/-"
		}
		operations = append(operations, mapping("op", word("add"), "path", word(pointer), "value", value))
	default:
		operations = append(operations, mapping("op", word("replace"), "path", word(pointer), "value", value))
	}
	return [][]*yaml.Node{operations}
}

func pointerStep(s step) string {
	if s.isIndex {
		return "/" + strconv.Itoa(s.index)
	}
	return jsonpointer.Join(s.key)
}

// test is the operation that makes sure that the element of a list is the one that is meant; nil where the steps go
// through no list.
func (w *work) test(steps []step) *yaml.Node {
	last := -1
	for i, s := range steps {
		if s.isIndex && s.element != nil {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	pointer := ""
	for _, s := range steps[:last+1] {
		pointer += pointerStep(s)
	}
	element := steps[last].element
	if element.Kind == yaml.ScalarNode {
		return mapping("op", word("test"), "path", word(pointer), "value", bare(element))
	}
	for _, name := range []string{"name", "key", "host", "path", "containerPort", "port", "kind", "type", "apiGroup", "ip", "mountPath"} {
		if _, value := syntax.Field(element, name); value != nil && value.Kind == yaml.ScalarNode && !(last == len(steps)-2 && steps[last+1].key == name) {
			return mapping("op", word("test"), "path", word(pointer+jsonpointer.Join(name)), "value", bare(value))
		}
	}
	if old := at(w.target.r.Node, steps); old != nil && old.Kind == yaml.ScalarNode {
		for _, s := range steps[last+1:] {
			pointer += pointerStep(s)
		}
		return mapping("op", word("test"), "path", word(pointer), "value", bare(old))
	}
	return nil
}

// habits are the ways in which a layer writes its patches.
type habits struct {
	files, operations bool
	// targetFirst is true where entries begin with their target.
	targetFirst bool
	// named are files of patches, with what they are for.
	named []namedPatch
}

type namedPatch struct{ path, kind, name string }

func (w *work) habits() habits {
	var h habits
	l := w.layers[0]
	inline, files, operations, merges := 0, 0, 0, 0
	count := func(path string) {
		if path != "" {
			files++
		} else {
			inline++
		}
	}
	for _, p := range slices.Concat(l.Kustomization.Patches, l.Kustomization.PatchesJSON6902) {
		count(p.Path.Value)
		h.targetFirst = h.targetFirst || p.Node != nil && len(p.Node.Content) > 2 && p.Node.Content[0].Value == "target"
	}
	for _, t := range l.Kustomization.PatchesStrategicMerge {
		if strings.Contains(t.Value, "\n") {
			inline++
			continue
		}
		files++
	}
	for _, f := range l.Facts.Patches {
		if f.Patch == nil {
			continue
		}
		if f.Patch.Kind == yaml.SequenceNode {
			operations++
		} else {
			merges++
		}
		if place := explain.PlaceOf(w.session.Table(), f.Patch); place.Known() && place.File != l.Path && len(f.Targets) > 0 {
			if local, err := filepath.Rel(l.Dir, place.File); err == nil {
				id := f.Targets[0].OriginalID()
				h.named = append(h.named, namedPatch{filepath.ToSlash(local), id.Kind, id.Name})
			}
		}
	}
	h.files, h.operations = files > inline, operations > 0 && merges == 0
	return h
}

// newPatch adds a patch to the layer.
func (w *work) newPatch() []candidate {
	value, ok := w.patched()
	if !ok {
		return nil
	}
	h := w.habits()
	var merges, operations []candidate
	if body, ok := merging(w.target.steps, value, w.schema()); ok {
		for _, id := range w.identities() {
			merges = append(merges, w.patchEntry(h, mergePatch(id, body), nil)...)
		}
	}
	for _, list := range w.operations(value) {
		for _, id := range w.identities() {
			patch := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: list}
			short := resource.ID{Kind: id.Kind, Name: id.Name, Namespace: id.Namespace}
			operations = append(operations, w.patchEntry(h, patch, selector(short))...)
			operations = append(operations, w.patchEntry(h, patch, selector(id))...)
		}
	}
	if h.operations {
		return slices.Concat(operations, merges)
	}
	return slices.Concat(merges, operations)
}

// identities are those by which a patch of the layer may name the resource: the original one, and others that it had.
func (w *work) identities() []resource.ID {
	var ids []resource.ID
	for _, id := range w.target.r.AllIDs() {
		if id.Namespace == resource.DefaultNamespace {
			id.Namespace = "" // which is the same to a build, and what was hardly written
		}
		same := func(other resource.ID) bool {
			return other.Name == id.Name && other.Namespace == id.Namespace && other.Kind == id.Kind
		}
		if !slices.ContainsFunc(ids, same) {
			ids = append(ids, id)
		}
	}
	return ids
}

// mergePatch makes a strategic merge patch of what it says of a resource.
func mergePatch(id resource.ID, body *yaml.Node) *yaml.Node {
	metadata := mapping("name", word(id.Name))
	if id.Namespace != "" && id.Namespace != resource.NoNamespace {
		metadata.Content = append(metadata.Content, word("namespace"), word(id.Namespace))
	}
	patch := mapping("apiVersion", word(id.APIVersion()), "kind", word(id.Kind), "metadata", metadata)
	for i := 0; i+1 < len(body.Content); i += 2 {
		if body.Content[i].Value == "metadata" {
			metadata.Content = append(metadata.Content, body.Content[i+1].Content...)
			continue
		}
		patch.Content = append(patch.Content, body.Content[i], body.Content[i+1])
	}
	return patch
}

// selector makes the target of a patch.
func selector(id resource.ID) *yaml.Node {
	target := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, field := range []struct{ key, value string }{{"group", id.Group}, {"version", id.Version}, {"kind", id.Kind}, {"name", id.Name}, {"namespace", id.Namespace}} {
		if field.value != "" && field.value != resource.NoNamespace {
			target.Content = append(target.Content, word(field.key), word(field.value))
		}
	}
	return target
}

// patchEntry makes the candidate that adds a patch, inline or in a file as the layer has its others.
func (w *work) patchEntry(h habits, patch, target *yaml.Node) []candidate {
	path := w.layers[0].Path
	kustomizations := documents(w.read(path))
	if len(kustomizations) == 0 {
		return nil
	}
	written := strings.Join(kustomizations[0].block(patch, 0), "\n")
	entry := mapping("patch", word(written))
	var file string
	if h.files {
		file = w.patchFile(h)
		entry = mapping("path", word(file))
	}
	switch {
	case target != nil && h.targetFirst:
		entry.Content = append([]*yaml.Node{word("target"), target}, entry.Content...)
	case target != nil:
		entry.Content = append(entry.Content, word("target"), target)
	}
	all := w.inKustomization("a patch for "+w.target.r.ID().Kind+" "+w.target.r.OriginalID().Name, addEntry("patches", entry))
	for i := range all {
		if file != "" {
			newline := kustomizations[0].newline
			all[i].files[filepath.Join(w.layers[0].Dir, filepath.FromSlash(file))] = []byte(strings.ReplaceAll(written+"\n", "\n", newline))
		}
	}
	return all
}

// patchFile names a file for a patch as the others of the layer are named, relative to the kustomization.
func (w *work) patchFile(h habits) string {
	id := w.target.r.OriginalID()
	kind, name := strings.ToLower(id.Kind), strings.Map(fileRune, id.Name)
	named, folder, before, after := "", "", "", "-patch"
	for _, p := range h.named {
		if !filepath.IsLocal(filepath.FromSlash(p.path)) {
			continue
		}
		folder = path.Dir(p.path)
		stem := path.Base(p.path)
		has := false
		switch bare := strings.TrimSuffix(stem, path.Ext(stem)); {
		case strings.HasPrefix(stem, "patch-") || strings.HasPrefix(stem, "patch_"):
			before, after = stem[:len("patch-")], ""
		case strings.HasSuffix(bare, "_patch"):
			before, after = "", "_patch"
		}
		if !isPatchName(stem, p.name, strings.ToLower(p.kind)) {
			continue
		}
		if p.name != "" && strings.Contains(stem, p.name) {
			stem, has = strings.Replace(stem, p.name, name, 1), true
		}
		if other := strings.ToLower(p.kind); strings.Contains(stem, other) && other != "" {
			stem, has = strings.Replace(stem, other, kind, 1), true
		}
		if has {
			named = path.Join(folder, stem)
			break
		}
	}
	if named == "" || path.Ext(named) != ".yaml" && path.Ext(named) != ".yml" {
		named = path.Join(folder, before+name+after+".yaml")
	}
	ending := path.Ext(named)
	for i := 2; w.exists(named); i++ {
		named = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(strings.TrimSuffix(named, ending), "-"+strconv.Itoa(i-1)), i, ending)
	}
	return named
}

// isPatchName tells whether a file is named after the resource that it patches alone, and not after what it changes there.
func isPatchName(stem, name, kind string) bool {
	rest := strings.TrimSuffix(stem, path.Ext(stem))
	for _, part := range []string{name, kind} {
		if part != "" {
			rest = strings.Replace(rest, part, "", 1)
		}
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(patchWords, word) })
}

// patchWords are the words in the names of files that say no more than that they are patches.
var patchWords = []string{"patch", "patches", "overlay", "override", "overrides", "kustomize", "merge", "json", "json6902", "strategic", "deploy", "cm", "svc", "sts"}

func (w *work) exists(local string) bool {
	_, err := w.files.IsDir(filepath.Join(w.layers[0].Dir, filepath.FromSlash(local)))
	return err == nil
}

// fileRune keeps what a file's name may have everywhere.
func fileRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
		return r
	}
	return '-'
}
