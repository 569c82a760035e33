package differential

import (
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// step is one step of a walk into an object: a key or, in a list, an index.
type step struct {
	key    string
	inList bool
	value  *yaml.Node // what it leads to
}

// walk goes into the object at random, mostly to a leaf.
func (g *generator) walk(node *yaml.Node) []step {
	var steps []step
	for len(node.Content) > 0 && (len(steps) == 0 || !g.chance(0.08)) {
		if node.Kind == yaml.SequenceNode {
			i := g.IntN(len(node.Content))
			node = node.Content[i]
			steps = append(steps, step{key: strconv.Itoa(i), inList: true, value: node})
			continue
		}
		i := g.IntN(len(node.Content) / 2)
		if len(steps) == 0 && !g.chance(0.02) {
			i = g.beyondIdentity(node, i)
		}
		key := node.Content[2*i].Value
		node = node.Content[2*i+1]
		steps = append(steps, step{key: key, value: node})
	}
	return steps
}

// beyondIdentity goes on from the i-th pair of an object to one that is no part of what identifies the object, if any:
// to change that leads into corners that would crowd out everything else.
func (g *generator) beyondIdentity(object *yaml.Node, i int) int {
	pairs := len(object.Content) / 2
	for range pairs {
		switch object.Content[2*i].Value {
		case "apiVersion", "kind", "metadata":
			i = (i + 1) % pairs
		}
	}
	return i
}

// walkToText mostly ends at a text: what is not one fits few other places.
func (g *generator) walkToText(object *yaml.Node) []step {
	steps := g.walk(object)
	for range 10 {
		if steps[len(steps)-1].value.ShortTag() == "!!str" || g.chance(0.02) {
			break
		}
		steps = g.walk(object)
	}
	return steps
}

// fieldPath is a path as replacements spell it, with the document in a string as part of the way now and then.
func (g *generator) fieldPath(object *yaml.Node, target bool) string {
	var segments []string
	steps := g.walkToText(object)
	for _, s := range steps {
		segments = append(segments, g.segment(s, target))
	}
	last := steps[len(steps)-1].key
	if target && (last == "config.json" || last == "config.yaml") || g.chance(0.01) {
		segments = append(segments, pick(g, "color", "list.[name=a].n", "list.0.name", "deep.x\\.y", "color", "list.*.name"))
	}
	if g.chance(0.01) {
		segments = append(segments, g.plainWord())
	}
	return strings.Join(segments, ".")
}

func (g *generator) segment(s step, target bool) string {
	if s.inList {
		return g.listSegment(s, target)
	}
	if !strings.Contains(s.key, ".") || g.chance(0.02) {
		return g.typo(s.key)
	}
	if g.chance(0.4) {
		return "[" + s.key + "]"
	}
	return strings.ReplaceAll(s.key, ".", "\\.")
}

func (g *generator) listSegment(s step, target bool) string {
	if name := scalar(s.value, "name"); name != "" && g.chance(0.6) {
		return "[name=" + g.typo(name) + "]"
	}
	if target && g.chance(0.15) {
		return "*"
	}
	return pick(g, s.key, s.key, s.key, s.key, s.key, s.key, s.key, "-")
}

func (g *generator) replacements(l *layer) any {
	entries := some(g, 2, func() map[string]any { return g.replacement(l) })
	if g.chance(0.8) {
		return entries
	}
	if len(entries) == 1 && g.chance(0.5) {
		return []any{map[string]any{"path": g.file(l, ".yaml", g.print(encode(entries[0])))}}
	}
	return []any{map[string]any{"path": g.file(l, ".yaml", g.print(encode(entries)))}}
}

func (g *generator) replacement(l *layer) map[string]any {
	object := pick(g, l.objects...)
	source := map[string]any{"kind": scalar(object, "kind"), "name": g.typo(scalar(object, "metadata", "name"))}
	g.maybe(source, 0.85, "fieldPath", g.fieldPath(object, false))
	g.maybe(source, 0.15, "options", g.pathOptions())
	entry := map[string]any{"targets": some(g, 2, func() map[string]any { return g.replacementTarget(l) })}
	if g.chance(0.1) {
		entry["sourceValue"] = g.word()
	} else {
		entry["source"] = source
	}
	return entry
}

func (g *generator) replacementTarget(l *layer) map[string]any {
	object := pick(g, l.objects...)
	selector := map[string]any{"kind": g.typo(scalar(object, "kind"))}
	g.maybe(selector, 0.9, "name", g.typo(scalar(object, "metadata", "name")))
	g.maybe(selector, 0.05, "labelSelector", "app")
	target := map[string]any{"select": selector}
	g.maybe(target, 0.95, "fieldPaths", some(g, 2, func() string { return g.fieldPath(object, true) }))
	g.maybe(target, 0.15, "reject", some(g, 2, func() map[string]any {
		return map[string]any{pick(g, "name", "kind"): pick(g, "web", "api.*", "Service", "Deploy")}
	}))
	g.maybe(target, 0.35, "options", g.pathOptions())
	return target
}

func (g *generator) pathOptions() map[string]any {
	options := map[string]any{}
	g.maybe(options, 0.4, "create", g.chance(0.9))
	if g.chance(0.3) {
		options["delimiter"] = pick(g, "-", ".", ":", "/", "")
		g.maybe(options, 0.7, "index", g.IntN(4)-1)
	}
	g.maybe(options, 0.05, "encoding", pick(g, "base64", "rot13"))
	return options
}
