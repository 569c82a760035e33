package differential

import (
	"fmt"

	yaml "go.yaml.in/yaml/v3"
)

// identityTree is a few resources and, on top, components and perhaps an overlay whose every field may write into what
// identifies a resource: apiVersion, kind, name or namespace. What comes later looks for the resources by what they are
// called by then, or were called before.
func (g *generator) identityTree() string {
	g.configured = true
	base := &layer{folder: "base", fields: map[string]any{}}
	for _, name := range []string{"web", "api", "db"}[:1+g.IntN(3)] {
		object := parse(pick(g, identityObjects...))
		_, metadata := child(object, "metadata")
		metadata.Content = append(metadata.Content, encode("name"), encode(name))
		g.namespaced(metadata)
		base.objects = append(base.objects, object)
	}
	base.fields["resources"] = []any{g.file(base, ".yaml", g.documents(base.objects))}
	g.identities(base, "Kustomization", 0.06)
	top := &layer{folder: "top", objects: base.objects, fields: map[string]any{"resources": []any{"../base"}}}
	var parts []any
	for i := range g.IntN(4) {
		part := &layer{folder: fmt.Sprint("part", i), objects: base.objects, fields: map[string]any{}}
		g.identities(part, "Component", 0.12)
		parts = append(parts, "../"+part.folder)
	}
	if len(parts) > 0 {
		top.fields["components"] = parts
	}
	g.identities(top, "Kustomization", 0.12)
	return top.folder
}

var identityObjects = []string{
	"{apiVersion: v1, kind: ConfigMap, metadata: {labels: {app: web}}, data: {color: red, size: '3'}}",
	"{apiVersion: example.com/v1, kind: Widget, metadata: {annotations: {note: web}}, spec: {color: red, size: 3, image: nginx, ref: {name: web}}}",
	"{apiVersion: apps/v1, kind: Deployment, metadata: {}, spec: {replicas: 1, template: {spec: {containers: [{name: c, image: nginx, args: [$(COLOR), $(A)]}]}}}}",
	"{apiVersion: v1, kind: Service, metadata: {annotations: {note: $(COLOR)}}, spec: {selector: {app: web}}}",
	"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {}, rules: []}",
	"{apiVersion: v1, kind: Namespace, metadata: {}}",
}

func (g *generator) namespaced(metadata *yaml.Node) {
	if g.chance(0.4) {
		metadata.Content = append(metadata.Content, encode("namespace"), encode(pick(g, "prod", "default", "dev")))
	}
}

func child(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

// renamers are the fields that change identities, and those that look for what they changed.
var renamers = []struct {
	name string
	make func(*generator, *layer) any
}{
	{"namePrefix", func(g *generator, _ *layer) any { return pick(g, "p-", "My", "x") }},
	{"nameSuffix", func(g *generator, _ *layer) any { return pick(g, "-s", "Two") }},
	{"namespace", func(g *generator, _ *layer) any { return pick(g, "prod", "dev", "Moved") }},
	{"images", func(g *generator, _ *layer) any {
		return []any{map[string]any{"name": pick(g, "web", "api", "Widget", "nginx"), "newName": pick(g, "web", "other", "ConfigMap")}}
	}},
	{"commonLabels", func(g *generator, _ *layer) any { return g.identityPairs() }},
	{"commonAnnotations", func(g *generator, _ *layer) any { return g.identityPairs() }},
	{"labels", func(g *generator, _ *layer) any {
		return []any{map[string]any{"pairs": g.identityPairs(), "fields": g.metadataSpecs()}}
	}},
	{"configurations", (*generator).identityConfigurations},
	{"patches", (*generator).identityPatches},
	{"patches", (*generator).identityPatches},
	{"replacements", (*generator).identityReplacements},
	{"replacements", (*generator).identityReplacements},
	{"vars", (*generator).identityVars},
	{"transformers", (*generator).identityTransformers},
	{"sortOptions", func(g *generator, _ *layer) any { return map[string]any{"order": pick(g, "legacy", "fifo")} }},
}

func (g *generator) identities(l *layer, kind string, chance float64) {
	if g.chance(chance / 2) { // kustomize refuses a name that has no replicas
		l.fields["replicas"] = []any{map[string]any{"name": "web", "count": g.IntN(3)}}
		config := map[string]any{"replicas": []any{map[string]any{"path": g.identityPath()}}}
		l.fields["configurations"] = []any{g.file(l, ".yaml", g.print(encode(config)))}
	}
	for range 3 { // a component without any field is refused
		for _, field := range renamers {
			if l.fields[field.name] == nil && g.chance(chance) {
				l.fields[field.name] = field.make(g, l)
			}
		}
		if len(l.fields) > 0 {
			break
		}
	}
	l.fields["kind"] = kind
	l.fields["apiVersion"] = "kustomize.config.k8s.io/v1beta1"
	if kind == "Component" {
		l.fields["apiVersion"] = "kustomize.config.k8s.io/v1alpha1"
	}
	g.tree[l.folder+"/kustomization.yaml"] = g.print(g.shuffled(encode(l.fields)))
}

func (g *generator) identityPairs() map[string]any {
	return map[string]any{pick(g, "name", "namespace", "app", "kind", "apiVersion", "color"): pick(g, "web", "other", "Widget", "v1", "prod")}
}

// anyName is one that a resource may have by now.
func (g *generator) anyName() string {
	if g.chance(0.7) {
		return pick(g, "web", "web", "web", "api") // the first objects of a tree
	}
	return pick(g, "web", "api", "db", "web", "api", "other", "renamed", "p-web", "web-s", "xapi", "p-web-s", "web", "Myweb", "0", "1", "2")
}

func (g *generator) anyKind() string {
	return pick(g, "ConfigMap", "Widget", "Deployment", "Service", "Widget", "MyWidget", "WidgetTwo", "Moved", "other", "Namespace", "ClusterRole", "Other")
}

func (g *generator) identityPath() string {
	return pick(g, "kind", "apiVersion", "metadata/name", "metadata/name", "metadata/namespace", "/kind", "metadata/labels/kind")
}

func (g *generator) identitySpecs(usual ...string) []any {
	return toAny(some(g, 3, func() map[string]any {
		spec := map[string]any{"path": g.identityPath()}
		if g.chance(0.3) {
			spec["path"] = pick(g, append(usual, "metadata/name", "metadata/name")...)
		}
		g.maybe(spec, 0.5, "kind", g.anyKind())
		g.maybe(spec, 0.1, "version", "v1")
		g.maybe(spec, 0.1, "group", pick(g, "example.com", "apps"))
		if spec["path"] == "metadata/namespace" { // as in kustomize's own, which another would contradict
			spec["create"] = true
		}
		return spec
	}))
}

// metadataSpecs lead to the mapping with name and namespace, for what sets a key in one.
func (g *generator) metadataSpecs() []any {
	return toAny(some(g, 2, func() map[string]any {
		spec := map[string]any{"path": pick(g, "metadata", "metadata", "spec")}
		g.maybe(spec, 0.5, "kind", g.anyKind())
		return spec
	}))
}

func (g *generator) identityConfigurations(l *layer) any {
	config := map[string]any{}
	for _, field := range [][2]string{{"namePrefix", "metadata/name"}, {"nameSuffix", "metadata/name"}, {"namespace", "metadata/namespace"},
		{"varReference", "spec/color"}, {"images", "spec/image"}, {"replicas", "spec/size"}} {
		g.maybe(config, 0.3, field[0], g.identitySpecs(field[1]))
	}
	for _, field := range []string{"commonLabels", "labels", "commonAnnotations"} {
		g.maybe(config, 0.2, field, g.metadataSpecs())
	}
	g.maybe(config, 0.2, "nameReference", []any{map[string]any{"kind": g.anyKind(), "fieldSpecs": g.identitySpecs("spec/ref/name", "spec/color")}})
	return []any{g.file(l, ".yaml", g.print(encode(config)))}
}

func (g *generator) identityPatches(*layer) any {
	return some(g, 2, func() map[string]any {
		path := pick(g, "/metadata/name", "/metadata/name", "/kind", "/apiVersion", "/metadata/namespace", "/spec")
		var value any = pick(g, "renamed", "other", "web", "Widget", "example.com/v1", "prod")
		if path == "/spec" {
			value = map[string]any{"color": "red", "size": 1}
		}
		operation := []any{map[string]any{"op": pick(g, "replace", "add"), "path": path, "value": value}}
		entry := map[string]any{"patch": mustJSON(operation)}
		if g.chance(0.3) {
			merge := map[string]any{"apiVersion": "v1", "kind": g.anyKind(), "metadata": map[string]any{"name": pick(g, "renamed", "other", "web")}, "spec": map[string]any{"color": "blue"}}
			entry["patch"] = string(g.print(encode(merge)))
			g.maybe(entry, 0.6, "options", map[string]any{"allowNameChange": g.chance(0.7), "allowKindChange": g.chance(0.5)})
		}
		entry["target"] = g.identitySelector()
		return entry
	})
}

func (g *generator) identitySelector() map[string]any {
	selector := map[string]any{}
	g.maybe(selector, 0.5, "kind", g.anyKind())
	g.maybe(selector, 0.6, "name", pick(g, g.anyName(), g.anyName(), ".*", "web|api"))
	g.maybe(selector, 0.1, "namespace", pick(g, "prod", "dev", "default"))
	if len(selector) == 0 {
		selector["kind"] = g.anyKind()
	}
	return selector
}

func (g *generator) identityReplacements(*layer) any {
	return some(g, 2, func() map[string]any {
		targets := some(g, 2, func() map[string]any {
			target := map[string]any{"select": g.identitySelector(), "fieldPaths": some(g, 2, func() string {
				return pick(g, "metadata.name", "kind", "apiVersion", "metadata.namespace", "spec.color", "spec.size", "metadata.labels.app", "data.color")
			})}
			g.maybe(target, 0.9, "options", map[string]any{"create": true})
			g.maybe(target, 0.2, "reject", []any{g.identitySelector()})
			return target
		})
		if g.chance(0.6) {
			return map[string]any{"sourceValue": pick(g, "renamed", "web", "Widget", "v1", "prod"), "targets": targets}
		}
		source := map[string]any{"name": g.anyName()}
		g.maybe(source, 0.4, "kind", g.anyKind())
		g.maybe(source, 0.5, "fieldPath", pick(g, "metadata.name", "kind", "apiVersion", "spec.color"))
		return map[string]any{"source": source, "targets": targets}
	})
}

func (g *generator) identityVars(l *layer) any {
	reference := map[string]any{"apiVersion": pick(g, "v1", "example.com/v1", "apps/v1"), "kind": g.anyKind(), "name": g.anyName()}
	if object := pick(g, l.objects...); g.chance(0.8) {
		reference = map[string]any{"apiVersion": scalar(object, "apiVersion"), "kind": scalar(object, "kind"), "name": scalar(object, "metadata", "name")}
	}
	g.maybe(reference, 0.2, "namespace", pick(g, "prod", "dev", "default"))
	return []any{map[string]any{"name": pick(g, "COLOR", "A", "SOME_VAR"), "objref": reference}}
}

func (g *generator) identityTransformers(l *layer) any {
	object := pick(g,
		map[string]any{"kind": "PrefixTransformer", "prefix": "My", "fieldSpecs": g.identitySpecs()},
		map[string]any{"kind": "SuffixTransformer", "suffix": "Two", "fieldSpecs": g.identitySpecs()},
		map[string]any{"kind": "PrefixSuffixTransformer", "prefix": "p-", "suffix": "-s", "fieldSpecs": g.identitySpecs()},
		map[string]any{"kind": "LabelTransformer", "labels": g.identityPairs(), "fieldSpecs": g.metadataSpecs()},
		map[string]any{"kind": "AnnotationsTransformer", "annotations": g.identityPairs(), "fieldSpecs": g.metadataSpecs()},
		map[string]any{"kind": "NamespaceTransformer", "metadata": map[string]any{"name": "any", "namespace": "prod"}, "fieldSpecs": g.identitySpecs()},
		map[string]any{"kind": "ImageTagTransformer", "imageTag": map[string]any{"name": g.anyName(), "newName": "other"}, "fieldSpecs": g.identitySpecs()},
		map[string]any{"kind": "ReplicaCountTransformer", "replica": map[string]any{"name": g.anyName(), "count": g.IntN(3)}, "fieldSpecs": g.identitySpecs()},
		map[string]any{"kind": "ReplacementTransformer", "replacements": g.identityReplacements(l)},
		map[string]any{"kind": "ValueAddTransformer", "value": "other", "targets": []any{map[string]any{"fieldPath": pick(g, "kind", "apiVersion", "metadata/name", "metadata/namespace"), "selector": g.identitySelector()}}},
	)
	object["apiVersion"] = "builtin"
	if object["metadata"] == nil {
		object["metadata"] = map[string]any{"name": fmt.Sprint("t", g.IntN(1000))}
	}
	text := g.print(encode(object))
	if g.chance(0.3) {
		return []any{string(text)}
	}
	return []any{g.file(l, ".yaml", text)}
}
