package ide

import (
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// references adds the names that stand in fields of resources, and the keys beside
// them.
func (m *mentioning) references(root *builder.Layer) {
	if root == nil {
		return
	}
	var referrer *resource.Resource
	var parents map[*yaml.Node]*yaml.Node
	for _, f := range root.Facts.References {
		if written, ok := m.table.WrittenText(f.Written); !ok || written != f.Written.Value {
			continue // another step made it
		}
		m.name(f.Written, asText, f.Target)
		if kind := f.Target.OriginalID().Kind; kind != "ConfigMap" && kind != "Secret" {
			continue
		}
		if f.Referrer != referrer {
			referrer, parents = f.Referrer, map[*yaml.Node]*yaml.Node{}
			noteParents(f.Referrer.Node, parents)
		}
		for _, key := range keysBeside(parents[f.Node]) {
			m.add(mention{symbols: m.keysOf(key.Value, f.Target), node: key, part: cursor.Whole(key)})
		}
		for _, n := range subPaths(f.Referrer.Node, parents[f.Node], parents) {
			key, _, _ := strings.Cut(n.Value, "/")
			m.add(mention{symbols: m.keysOf(key, f.Target), node: n, part: text.Span{End: len(key)}})
		}
	}
}

// subPaths returns the files that containers mount of a volume: where the volume takes
// a ConfigMap or Secret as it is, they are named after its keys.
func subPaths(root, source *yaml.Node, parents map[*yaml.Node]*yaml.Node) []*yaml.Node {
	_, volume := syntax.Field(parents[source], "name")
	if _, items := syntax.Field(source, "items"); items != nil || volume == nil {
		return nil
	}
	var found []*yaml.Node
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		_, mount := syntax.Field(n, "mountPath")
		_, name := syntax.Field(n, "name")
		if _, path := syntax.Field(n, "subPath"); mount != nil && path != nil && name != nil && name.Value == volume.Value {
			found = append(found, path)
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(root)
	return found
}

// noteParents notes the mapping that each value in the tree stands in.
func noteParents(n *yaml.Node, parents map[*yaml.Node]*yaml.Node) {
	if n == nil {
		return
	}
	for _, child := range n.Content {
		if n.Kind == yaml.MappingNode {
			parents[child] = n
		}
		noteParents(child, parents)
	}
}

// keysBeside returns the keys of a ConfigMap or Secret that a mapping names which
// also has its name: that of a variable, or those of a volume.
func keysBeside(m *yaml.Node) []*yaml.Node {
	var keys []*yaml.Node
	if _, key := syntax.Field(m, "key"); key != nil {
		keys = append(keys, key)
	}
	if _, items := syntax.Field(m, "items"); items != nil && items.Kind == yaml.SequenceNode {
		for _, item := range items.Content {
			if _, key := syntax.Field(item, "key"); key != nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// namespaces adds where resources, and the field namespace of kustomizations, say the
// name of a Namespace that is in the build.
func (m *mentioning) namespaces(layers []*builder.Layer) {
	named := map[string]*resource.Resource{}
	for _, r := range m.use.Result.Resources {
		if id := r.ID(); id.Kind == "Namespace" && id.Group == "" && r.Named != nil {
			named[id.Name] = r
		}
	}
	if len(named) == 0 {
		return
	}
	seen := map[[3]int]bool{} // places: a step writes the same one into many resources
	add := func(n *yaml.Node) {
		if n == nil || n.Kind != yaml.ScalarNode || named[n.Value] == nil || named[n.Value].Named.Value != n.Value {
			return
		}
		file, line, column := m.table.Place(n)
		place := [3]int{int(file), line, column}
		if seen[place] {
			return
		}
		seen[place] = true
		if written, ok := m.table.WrittenText(n); ok && written == n.Value {
			m.name(n, asText, named[n.Value])
		}
	}
	for _, l := range layers {
		add(l.Kustomization.Namespace.Node)
		for _, n := range selectedNamespaces(l) {
			add(n)
		}
	}
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.MappingNode {
			_, namespace := syntax.Field(n, "namespace")
			add(namespace)
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	for _, r := range m.use.Result.Resources {
		walk(r.Node)
	}
}

// selectedNamespaces returns where the patches, replacements and vars of a layer say in
// which namespace a resource is: nil for those that do not.
func selectedNamespaces(l *builder.Layer) []*yaml.Node {
	var found []*yaml.Node
	add := func(selectors ...*kustomization.Selector) {
		for _, s := range selectors {
			if s != nil {
				found = append(found, s.Namespace.Node)
			}
		}
	}
	for _, f := range l.Facts.Patches {
		add(f.Selector)
		if f.Patch != nil && f.Patch.Kind == yaml.MappingNode {
			found = append(found, syntax.Lookup(f.Patch, "metadata", "namespace"))
		}
	}
	for _, f := range l.Facts.Replacements {
		if f.Entry.Source != nil {
			add(&f.Entry.Source.Selector)
		}
		for _, target := range f.Entry.Targets {
			add(target.Select)
			add(target.Reject...)
		}
	}
	for _, f := range l.Facts.Vars {
		found = append(found, f.Var.ObjRef.Namespace.Node)
	}
	return found
}
