package complete

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// reference suggests, for a field of a resource that holds the name of another one, the
// names that are loaded; for one that holds a key of a ConfigMap or Secret, the keys of
// that. Which fields these are, and of which kinds, kustomize's configuration says.
func (c *completer) reference(loaded *builder.Loaded, apiVersion, kind string, way []string) {
	if loaded == nil || len(way) == 0 {
		return
	}
	keys := slices.DeleteFunc(slices.Clone(way), func(key string) bool { return key == "0" }) // an item
	path := strings.Join(keys, "/")
	name, isKey := path, false
	for _, ending := range []string{"/items/key", "/key"} {
		if before, ok := strings.CutSuffix(path, ending); ok {
			name, isKey = before+"/name", true
			break
		}
	}
	group, version := resource.SplitAPIVersion(apiVersion)
	for _, r := range c.nameReferences(loaded.Layer) {
		for i := range r.FieldSpecs {
			spec := &r.FieldSpecs[i]
			if spec.Selects(group, version, kind) && strings.ReplaceAll(spec.Path, "[]", "") == name {
				c.referent(loaded, r, isKey)
				break
			}
		}
	}
}

// referent suggests the names of what a reference can mean, or the keys of what it means.
func (c *completer) referent(loaded *builder.Loaded, r kustomization.NameReference, isKey bool) {
	s := &kustomization.Selector{}
	s.Kind.Value, s.Group.Value = r.Kind, r.Group
	if !isKey {
		if kind := c.sibling("kind"); kind == "" || kind == r.Kind {
			c.identities(loaded.Sources(s), "name", false)
		}
		return
	}
	if named := c.ancestorWith("name"); named != nil {
		s.Name.Value = syntax.FieldText(named, "name")
	}
	for _, found := range loaded.Sources(s) {
		if s.Name.Value != "" {
			c.keysOf(found)
		}
	}
}

func (c *completer) keysOf(r *resource.Resource) {
	eachKey(r, func(key string, _ *yaml.Node) {
		c.add(choice{label: key, value: key, kind: SuggestKey, detail: "a key of " + r.ID().String()})
	})
}

// nameReferences are those that kustomize knows, and those of the configurations that a
// layer names.
func (c *completer) nameReferences(l *builder.Layer) []kustomization.NameReference {
	list := kustomization.DefaultTransformerConfig().NameReference
	for _, t := range l.Kustomization.Configurations {
		f, err := c.view.Files().ReadFile(filepath.Join(l.Dir, filepath.FromSlash(t.Value)))
		if err != nil {
			continue // the check reports it
		}
		table := syntax.NewTable()
		for _, d := range syntax.Parse(table, table.Add(f.Path, f.Data)).Documents {
			if config, _ := kustomization.ReadTransformerConfig(d.Root); config != nil {
				list = append(list[:len(list):len(list)], config.NameReference...)
			}
		}
	}
	return list
}
