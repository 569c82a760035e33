package rewrite

import (
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// replacement adds a replacement with a value of its own: it comes after all other fields of a kustomization, and so
// changes what these write.
func (w *work) replacement() []candidate {
	value, ok := w.patched()
	if !ok || value == nil || value.Kind != yaml.ScalarNode || w.target.node == nil && len(w.target.inside) == 0 || len(w.layers[0].Kustomization.OpenAPI) > 0 {
		return nil
	}
	path := strings.Join(namedPath(w.target.steps), ".")
	var all []candidate
	for _, id := range w.identities() {
		selected := mapping("kind", word(id.Kind), "name", word(id.Name))
		if id.Namespace != "" && id.Namespace != resource.NoNamespace {
			selected.Content = append(selected.Content, word("namespace"), word(id.Namespace))
		}
		entry := mapping("sourceValue", word(value.Value), "targets", list(mapping("select", selected, "fieldPaths", list(word(path)))))
		all = append(all, w.inKustomization("a replacement for "+id.Kind+" "+id.Name, addEntry("replacements", entry))...)
	}
	return all
}

// namedPath writes steps as a path that names elements of lists, where they have names, as names last longer than
// positions.
func namedPath(steps []step) []string {
	path := pathOf(steps)
	for i, s := range steps {
		if _, name := syntax.Field(s.element, "name"); s.isIndex && name != nil && plainName().MatchString(name.Value) {
			path[i] = "[name=" + name.Value + "]"
		}
	}
	return path
}

// plainName is a name that stands for itself in a field path.
var plainName = text.Regexp(`^[A-Za-z0-9_-]+$`)

// transformer adds a transformer with a patch: it comes after all fields of a kustomization, and so also takes away what
// these write.
func (w *work) transformer() []candidate {
	value, ok := w.patched()
	if !ok || len(w.layers[0].Kustomization.OpenAPI) > 0 {
		return nil
	}
	kustomizations := documents(w.read(w.layers[0].Path))
	if len(kustomizations) == 0 {
		return nil
	}
	d := kustomizations[0]
	var all []candidate
	for _, operations := range w.operations(value) {
		for _, id := range w.identities() {
			patch := strings.Join(d.block(list(operations...), 0), "\n")
			short := resource.ID{Kind: id.Kind, Name: id.Name, Namespace: id.Namespace}
			config := mapping("apiVersion", word("builtin"), "kind", word("PatchTransformer"), "metadata", mapping("name", word(w.transformerName(id))),
				"target", selector(short), "patch", word(patch))
			entry := word(strings.Join(d.block(config, 0), "\n"))
			all = append(all, w.inKustomization("a transformer for "+id.Kind+" "+id.Name, addEntry("transformers", entry))...)
		}
	}
	return all
}

// transformerName is a name that no other transformer of the layer has.
func (w *work) transformerName(id resource.ID) string {
	stem := strings.ToLower(id.Kind) + "-" + strings.Map(fileRune, id.Name) + "-patch"
	name := stem
	for i := 2; ; i++ {
		taken := false
		for _, t := range w.layers[0].Kustomization.Transformers {
			taken = taken || strings.Contains(t.Value, "name: "+name+"\n")
		}
		if !taken {
			return name
		}
		name = stem + "-" + strconv.Itoa(i)
	}
}
