package rewrite

import (
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
