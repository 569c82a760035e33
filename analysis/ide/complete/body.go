package complete

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// present suggests the value that is there now.
func (c *completer) present(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "\n") {
		c.add(choice{label: n.Value, value: n.Value, plain: n.ShortTag() != "!!str", kind: SuggestValue, detail: "now"})
	}
}

// body completes in a resource, or in a strategic merge patch for the targets.
func (c *completer) body(loaded *builder.Loaded, targets []*resource.Resource, isPatch bool) {
	root := c.slot.Root
	apiVersion, kind := syntax.FieldText(root, "apiVersion"), syntax.FieldText(root, "kind")
	way, value := c.way()
	if isPatch && value && c.patchIdentity(loaded, way) {
		return
	}
	if !isPatch && value && len(way) == 1 && (way[0] == "kind" || way[0] == "apiVersion") {
		c.kindOrVersion(loaded, way[0])
		return
	}
	if len(targets) > 0 && (kind == "" || apiVersion == "") {
		apiVersion, kind = targets[0].ID().APIVersion(), targets[0].ID().Kind
	}
	if value {
		c.bodyValue(loaded, targets, apiVersion, kind, way)
		if !c.alone() {
			return
		}
	}
	if !c.slot.OnKey {
		return
	}
	item := c.isItemBelow(apiVersion, kind, way, loaded)
	for _, r := range first(targets) {
		c.bodyKeys(c.nodesAt(r.Node, c.before()), apiVersion, kind, loaded, way, item)
	}
	c.schemaKeys(loaded, apiVersion, kind, way, item)
	if isPatch && len(way) > 0 && !item && (!c.alone() || len(c.choices) > 0) {
		c.directive()
	}
	if len(way) == 0 && apiVersion == "" {
		c.headerKeys()
	}
}

// way returns the keys to the collection that the slot is in, or to the value that
// it is; an item is "0".
func (c *completer) way() (way []string, value bool) {
	steps := c.before()
	value = !c.slot.OnKey || c.alone() && len(steps) > 0
	if !c.slot.OnKey {
		steps = c.slot.Steps
	}
	for _, step := range steps {
		if step.Key == nil {
			way = append(way, "0")
		} else {
			way = append(way, step.Key.Value)
		}
	}
	return way, value
}

// isItemBelow tells whether the slot stands below a key whose value has to be a
// list, so that a dash is wanted.
func (c *completer) isItemBelow(apiVersion, kind string, way []string, loaded *builder.Loaded) bool {
	if !c.alone() || len(way) == 0 || way[len(way)-1] == "0" {
		return false
	}
	f, ok := c.schema(loaded).Describe(apiVersion, kind, way)
	return ok && strings.HasPrefix(f.Type, "list of ")
}

// patchIdentity suggests what identifies the resource that a patch is for.
func (c *completer) patchIdentity(loaded *builder.Loaded, way []string) bool {
	root := withoutStandIn(c.slot.Root)
	part := strings.Join(way, ".")
	s := &kustomization.Selector{}
	s.Kind.Value = syntax.FieldText(root, "kind")
	s.Group.Value, s.Version.Value = resource.SplitAPIVersion(syntax.FieldText(root, "apiVersion"))
	_, metadata := syntax.Field(root, "metadata")
	s.Name.Value, s.Namespace.Value = syntax.FieldText(metadata, "name"), syntax.FieldText(metadata, "namespace")
	switch part {
	case "kind":
		s.Kind.Value = ""
	case "apiVersion":
		s.Group.Value, s.Version.Value = "", ""
	case "metadata.name":
		s.Name.Value = ""
	case "metadata.namespace":
		s.Namespace.Value = ""
	default:
		return false
	}
	c.identities(loaded.Sources(s), strings.TrimPrefix(part, "metadata."), false)
	if part == "kind" || part == "apiVersion" {
		return len(c.choices) > 0
	}
	return true
}

// kindOrVersion suggests kinds, and the versions that a kind has.
func (c *completer) kindOrVersion(loaded *builder.Loaded, name string) {
	if c.schemaElsewhere {
		return
	}
	kind, apiVersion := c.sibling("kind"), c.sibling("apiVersion")
	values := newTally()
	for _, k := range c.schema(loaded).Kinds() {
		switch {
		case name == "kind" && (apiVersion == "" || apiVersion == k.APIVersion):
			values.add(k.Name, k.APIVersion, 0)
		case name == "apiVersion" && (kind == "" || kind == k.Name):
			values.add(k.APIVersion, k.Name, 0)
		}
	}
	for _, v := range values.list {
		ch := choice{label: v.text, value: v.text, kind: SuggestResource}
		if !v.mixed {
			ch.detail = v.about
		}
		c.add(ch)
	}
}

// nodesAt follows steps into a resource: an element of a list of a patch is found by
// the field that tells it from others, where it has one.
func (c *completer) nodesAt(root *yaml.Node, steps []syntax.Step) []*yaml.Node {
	nodes := []*yaml.Node{root}
	for _, step := range steps {
		var next []*yaml.Node
		for _, n := range nodes {
			switch {
			case step.Key != nil:
				if _, value := syntax.Field(n, step.Key.Value); value != nil {
					next = append(next, value)
				}
			case n.Kind == yaml.SequenceNode:
				next = append(next, elementsLike(n, step.Value)...)
			}
		}
		nodes = next
	}
	return nodes
}

func elementsLike(list, element *yaml.Node) []*yaml.Node {
	for _, key := range elementKeys {
		value := syntax.FieldText(element, key)
		if value == "" {
			continue
		}
		var same []*yaml.Node
		for _, n := range list.Content {
			if syntax.FieldText(n, key) == value {
				same = append(same, n)
			}
		}
		if len(same) > 0 {
			return same
		}
	}
	return list.Content
}

// bodyKeys suggests the keys that the target has.
func (c *completer) bodyKeys(nodes []*yaml.Node, apiVersion, kind string, loaded *builder.Loaded, way []string, item bool) {
	for _, n := range nodes {
		if item && n.Kind == yaml.SequenceNode {
			c.bodyKeys(n.Content, apiVersion, kind, loaded, way, item)
			continue
		}
		if n.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i].Value, n.Content[i+1]
			if c.has(key) && !item {
				continue
			}
			documentation := ""
			if f, ok := c.schema(loaded).Describe(apiVersion, kind, append(way[:len(way):len(way)], key)); ok {
				documentation = f.Description
			}
			c.add(choice{label: key, kind: SuggestKey, key: true, item: item, shape: shapeOfNode(value), detail: summary(value), documentation: documentation, rank: 10})
		}
	}
}

func shapeOfNode(n *yaml.Node) shape {
	switch n.Kind {
	case yaml.MappingNode:
		return objectShape
	case yaml.SequenceNode:
		return listShape
	}
	return scalarShape
}

// has tells whether the mapping of the slot has a key.
func (c *completer) has(key string) bool {
	_, value := syntax.Field(c.last().Parent, key)
	return value != nil
}

// schemaKeys suggests the fields that the schema has.
func (c *completer) schemaKeys(loaded *builder.Loaded, apiVersion, kind string, way []string, item bool) {
	if c.schemaElsewhere {
		return
	}
	for _, f := range c.schema(loaded).Fields(apiVersion, kind, way) {
		if c.has(f.Name) && !item {
			continue
		}
		ch := choice{label: f.Name, kind: SuggestField, key: true, item: item, detail: f.Type, documentation: f.Description, rank: 20}
		ch.shape = shapeOfType(f.Type)
		if f.Required {
			ch.detail, ch.rank = strings.TrimPrefix(f.Type+", required", ", "), 5
		}
		if f.Name == "status" && len(way) == 0 {
			ch.rank = 90
		}
		if len(f.Enum) > 0 && ch.shape == scalarShape {
			ch.body = choiceOf(f.Enum)
		}
		c.add(ch)
	}
}

// shapeOfType returns what follows a key by its type in the schema: names in upper case
// are those of objects.
func shapeOfType(t string) shape {
	switch {
	case strings.HasPrefix(t, "list of "):
		return listShape
	case strings.HasPrefix(t, "map of "), t == "object", t != "" && t[0] >= 'A' && t[0] <= 'Z' && t != "IntOrString":
		return objectShape
	}
	return scalarShape
}

// directive suggests $patch.
func (c *completer) directive() {
	if !c.has("$patch") {
		c.add(choice{label: "$patch", kind: SuggestField, key: true, detail: "what becomes of this mapping", rank: 95, body: "${1|delete,replace,merge|}",
			documentation: "`delete` takes the mapping out of the target, `replace` puts the patch's in its place, `merge` merges."})
	}
}

// headerKeys suggests what every resource has, while its kind is not known.
func (c *completer) headerKeys() {
	if c.schemaElsewhere {
		return
	}
	for rank, name := range []string{"apiVersion", "kind", "metadata"} {
		if c.has(name) {
			continue
		}
		ch := choice{label: name, kind: SuggestField, key: true, rank: rank}
		if name == "metadata" {
			ch.shape, ch.body = objectShape, "name: ${1}"
		}
		c.add(ch)
	}
}

// bodyValue suggests the present value, and those that the schema allows.
func (c *completer) bodyValue(loaded *builder.Loaded, targets []*resource.Resource, apiVersion, kind string, way []string) {
	steps := c.before()
	if !c.slot.OnKey {
		steps = c.slot.Steps
	}
	if len(way) > 0 && way[len(way)-1] == "$patch" {
		for rank, value := range []string{"delete", "replace", "merge"} {
			c.add(choice{label: value, value: value, kind: SuggestChoice, rank: rank})
		}
		return
	}
	seen := 0
	for _, r := range first(targets) {
		for _, n := range c.valueNodes(r.Node, steps) {
			if seen < maxLookedAt {
				seen++
				c.present(n)
			}
		}
	}
	c.reference(loaded, apiVersion, kind, way)
	f, ok := c.schema(loaded).Describe(apiVersion, kind, way)
	if !ok || c.schemaElsewhere {
		return
	}
	for rank, value := range f.Enum {
		c.add(choice{label: value, value: value, kind: SuggestChoice, rank: 10 + rank})
	}
	if f.Type == "boolean" {
		c.booleans()
	}
}

// valueNodes are the present values: for the item of a list, its elements.
func (c *completer) valueNodes(root *yaml.Node, steps []syntax.Step) []*yaml.Node {
	nodes := c.nodesAt(root, steps)
	return slices.DeleteFunc(slices.Clone(nodes), func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode })
}
