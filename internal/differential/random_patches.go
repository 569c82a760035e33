package differential

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	yaml "go.yaml.in/yaml/v3"
)

func (g *generator) patches(l *layer) any {
	return some(g, 2, func() map[string]any {
		entry := map[string]any{}
		text := g.mergePatch(l)
		if g.chance(0.45) {
			object := pick(g, l.objects...)
			text = g.operations(object)
			entry["target"] = map[string]any{"kind": scalar(object, "kind"), "name": g.typo(scalar(object, "metadata", "name"))}
			g.maybe(entry, 0.1, "target", g.selector(l))
		} else {
			g.maybe(entry, 0.4, "target", g.selector(l))
		}
		if g.chance(0.6) {
			entry["patch"] = string(text)
		} else {
			entry["path"] = g.file(l, ".yaml", text)
		}
		g.maybe(entry, 0.1, "options", map[string]any{"allowNameChange": g.chance(0.6), "allowKindChange": g.chance(0.3)})
		return entry
	})
}

func (g *generator) mergePatches(l *layer) any {
	return some(g, 2, func() string {
		if g.chance(0.3) {
			return string(g.mergePatch(l))
		}
		return g.file(l, ".yaml", g.mergePatch(l))
	})
}

// selector picks what a patch applies to: regular expressions, anchored by kustomize.
func (g *generator) selector(l *layer) map[string]any {
	object := pick(g, l.objects...)
	kind := scalar(object, "kind")
	selector := map[string]any{"kind": g.typo(pick(g, kind, kind, kind, kind, "Deployment|Widget", ".*"))}
	if g.chance(0.05) {
		delete(selector, "kind")
	}
	g.maybe(selector, 0.5, "name", g.typo(pick(g, scalar(object, "metadata", "name"), "web", "web.*", "a.i", "")))
	g.maybe(selector, 0.1, "namespace", pick(g, "default", "prod", "dev|prod"))
	g.maybe(selector, 0.1, "version", pick(g, "v1", "v1|v2"))
	g.maybe(selector, 0.1, "group", pick(g, "apps", "", "example.com"))
	g.maybe(selector, 0.1, "labelSelector", pick(g, "app", "tier=red", "app in (red, blue)", "!track", "a b"))
	g.maybe(selector, 0.05, "annotationSelector", pick(g, "note", "note!=red"))
	return selector
}

// mergePatch is a strategic merge patch for one of the objects: a part of it, changed.
func (g *generator) mergePatch(l *layer) []byte {
	object := pick(g, l.objects...)
	patch := copyNode(object)
	g.thin(patch, 0)
	set(patch, "apiVersion", encode(scalar(object, "apiVersion")))
	set(patch, "kind", encode(scalar(object, "kind")))
	metadata := map[string]any{"name": g.typo(scalar(object, "metadata", "name"))}
	if namespace := scalar(object, "metadata", "namespace"); namespace != "" && g.chance(0.95) {
		metadata["namespace"] = namespace
	}
	set(patch, "metadata", encode(metadata))
	if g.chance(0.15) {
		g.adorn(patch)
	}
	if g.chance(0.02) {
		return append(append(g.print(patch), "---\n"...), g.print(patch)...)
	}
	return g.print(patch)
}

// thin leaves out and changes parts of a node, so that it becomes a patch for what it was.
func (g *generator) thin(node *yaml.Node, depth int) {
	switch node.Kind {
	case yaml.MappingNode:
		g.thinMapping(node, depth)
	case yaml.SequenceNode:
		var kept []*yaml.Node
		for _, entry := range node.Content {
			if g.chance(0.6) {
				g.thin(entry, depth+1)
				kept = append(kept, entry)
			}
		}
		if g.chance(0.1) && len(kept) > 0 && kept[0].Kind == yaml.MappingNode {
			directive := pick(g, "delete", "replace", "merge")
			kept = append(kept, encode(map[string]any{"name": "extra", "$patch": directive}))
		}
		node.Content = kept
	case yaml.ScalarNode:
		if g.chance(0.4) {
			*node = *encode(pick[any](g, "changed", g.word(), 7, true, 1.5))
		}
		if g.chance(0.06) {
			*node = *encode(nil)
		}
	}
}

// identifying are the keys that lists are merged by: without them a patch of a list seldom says anything.
var identifying = map[string]bool{"name": true, "containerPort": true, "port": true, "mountPath": true, "key": true}

func (g *generator) thinMapping(node *yaml.Node, depth int) {
	var kept []*yaml.Node
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case identifying[key.Value] && g.chance(0.95):
			kept = append(kept, key, value)
		case g.chance(0.04):
			kept = append(kept, key, encode(nil))
		case g.chance(0.55):
			g.thin(value, depth+1)
			kept = append(kept, key, value)
		}
	}
	if g.chance(0.1) {
		kept = append(kept, encode("added"), encode(g.word()))
	}
	if depth > 0 && g.chance(0.03) {
		kept = append(kept, encode("$patch"), encode(pick(g, "delete", "replace", "merge")))
	}
	node.Content = kept
}

// operations is a JSON6902 patch for the object, as YAML or JSON.
func (g *generator) operations(object *yaml.Node) []byte {
	operations := some(g, 3, func() map[string]any {
		operation := map[string]any{"op": pick(g, "add", "add", "replace", "replace", "replace", "remove", "copy", "move"), "path": g.pointer(object)}
		switch operation["op"] {
		case "add", "replace", "test":
			operation["value"] = pick[any](g, g.word(), 3, true, nil, 1.5, []any{"a"}, map[string]any{"name": "new", "n": 1})
		case "copy", "move":
			operation["from"] = g.pointer(object)
		}
		return operation
	})
	node := encode(operations)
	if g.chance(0.03) {
		node.Style = yaml.FlowStyle
	}
	return g.print(node)
}

// pointer is a JSON pointer to a place in the object, or just beside it.
func (g *generator) pointer(object *yaml.Node) string {
	var pointer strings.Builder
	for _, step := range g.walk(object) {
		pointer.WriteString(jsonpointer.Join(step.key))
	}
	if g.chance(0.03) {
		pointer.WriteString(pick(g, "/added", "/-"))
	}
	return pointer.String()
}
