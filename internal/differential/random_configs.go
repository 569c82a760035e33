package differential

import (
	"encoding/json"
	"fmt"

	yaml "go.yaml.in/yaml/v3"
)

// configMakers are the fields that change what the other fields do, and the built-in transformers and generators as
// configured ones. They come on top of fieldMakers in a tree that asks for them.
var configMakers = []struct {
	name   string
	chance float64
	make   func(*generator, *layer) any
}{
	{"configurations", 0.21, (*generator).configurations},
	{"crds", 0.06, (*generator).crds},
	{"openapi", 0.06, (*generator).openAPI},
	{"transformers", 0.3, (*generator).builtinTransformers},
	{"generators", 0.15, (*generator).builtinGenerators},
	{"vars", 0.09, (*generator).manyVars},
	{"patchesJson6902", 0.06, (*generator).oldJSONPatches},
	{"imageTags", 0.03, (*generator).images},
	{"sortOptions", 0.09, (*generator).customOrder},
	{"replacements", 0.24, (*generator).oddReplacements},
	{"namespace", 0.18, func(g *generator, _ *layer) any { return pick(g, "prod", "dev", "other") }},
	{"metadata", 0.03, func(g *generator, _ *layer) any {
		return pick(g, map[string]any{"name": "k"}, map[string]any{"annotations": map[string]any{"a": "b"}})
	}},
}

func (g *generator) gvk(object *yaml.Node, spec map[string]any) map[string]any {
	group, version := "", scalar(object, "apiVersion")
	for i, r := range version {
		if r == '/' {
			group, version = version[:i], version[i+1:]
			break
		}
	}
	g.maybe(spec, 0.6, "kind", g.typo(scalar(object, "kind")))
	g.maybe(spec, 0.15, "version", g.typo(version))
	g.maybe(spec, 0.15, "group", pick(g, group, group, "apps"))
	return spec
}

// specPath is the path of a field spec into the object.
func (g *generator) specPath(object *yaml.Node, leaf bool) string {
	path := ""
	steps := g.walk(object)
	if first := steps[0].key; first == "apiVersion" || first == "kind" {
		return "spec/size"
	}
	if !leaf && len(steps) > 1 {
		steps = steps[:1+g.IntN(len(steps)-1)]
	}
	for i, s := range steps {
		if s.inList {
			if i > 0 && path != "" && g.chance(0.6) {
				path += pick(g, "[]", "[]", "[]", "")
			} else if g.chance(0.3) {
				path += "/" + pick(g, s.key, "*")
			}
			continue
		}
		key := s.key
		for j := 0; j < len(key); j++ {
			if key[j] == '/' {
				key = key[:j] + "\\" + key[j:]
				j++
			}
		}
		if path != "" {
			path += "/"
		}
		path += key
	}
	if g.chance(0.2) {
		path += pick(g, "/new", "/labels", "/new/deep", "[]", "/", "")
	}
	if g.chance(0.03) {
		path = "/" + path
	}
	return path
}

func (g *generator) fieldSpecs(l *layer, leaf bool, usual ...string) []any {
	return toAny(some(g, 2, func() map[string]any {
		object := pick(g, l.objects...)
		spec := g.gvk(object, map[string]any{"path": g.specPath(object, leaf)})
		if len(usual) > 0 && g.chance(0.4) {
			spec["path"] = pick(g, usual...)
		}
		g.maybe(spec, 0.5, "create", true)
		return spec
	}))
}

func toAny[T any](values []T) []any {
	var list []any
	for _, value := range values {
		list = append(list, value)
	}
	return list
}

func (g *generator) configurations(l *layer) any {
	config := map[string]any{}
	g.maybe(config, 0.3, "namePrefix", g.fieldSpecs(l, true, "metadata/name", "spec/ref/name"))
	g.maybe(config, 0.2, "nameSuffix", g.fieldSpecs(l, true, "metadata/name"))
	g.maybe(config, 0.3, "namespace", g.fieldSpecs(l, true, "metadata/namespace", "spec/namespace", "subjects/namespace", "subjects"))
	g.maybe(config, 0.3, "commonLabels",
		g.fieldSpecs(l, false, "metadata/labels", "spec/selector", "spec/ref/labels"))
	g.maybe(config, 0.2, "labels", g.fieldSpecs(l, false, "metadata/labels", "spec/ref/labels"))
	g.maybe(config, 0.1, "templateLabels", g.fieldSpecs(l, false, "spec/ref/labels"))
	g.maybe(config, 0.3, "commonAnnotations", g.fieldSpecs(l, false, "metadata/annotations", "spec/ref"))
	g.maybe(config, 0.4, "nameReference", g.nameReferences(l))
	g.maybe(config, 0.3, "varReference", g.fieldSpecs(l, true, "spec/color", "data/color", "metadata/annotations"))
	g.maybe(config, 0.3, "images",
		g.fieldSpecs(l, true, "spec/image", "spec/list[]/value", "spec/template/spec/containers[]/image"))
	g.maybe(config, 0.3, "replicas", g.fieldSpecs(l, true, "spec/size", "spec/replicas", "spec/minReplicas"))
	return []any{g.file(l, ".yaml", g.print(encode(config)))}
}

func (g *generator) nameReferences(l *layer) []any {
	return toAny(some(g, 2, func() map[string]any {
		specs := g.fieldSpecs(l, true, "spec/ref/name", "spec/ref", "spec/color", "data/color", "spec/list/value",
			"metadata/annotations/note", "rules/resourceNames", "spec/template/spec/serviceAccountName")
		return g.gvk(pick(g, l.objects...), map[string]any{"fieldSpecs": specs})
	}))
}

func (g *generator) crds(l *layer) any {
	key := func() string { return pick(g, "example.com/v1.Widget", "Widget", "com.example.v1.Widget", "other.Ref") }
	definitions := map[string]any{}
	for range 1 + g.IntN(2) {
		properties := map[string]any{}
		for _, name := range []string{"ref", "color", "list", "spec"} {
			property := map[string]any{"type": pick(g, "string", "object", "array")}
			g.maybe(property, 0.3, "x-kubernetes-annotation", "")
			g.maybe(property, 0.3, "x-kubernetes-label-selector", "")
			g.maybe(property, 0.3, "x-kubernetes-identity", "")
			g.maybe(property, 0.3, "x-kubernetes-object-ref-api-version", pick(g, "v1", "apps/v1"))
			g.maybe(property, 0.3, "x-kubernetes-object-ref-kind", pick(g, "ConfigMap", "Deployment", "Secret"))
			g.maybe(property, 0.2, "x-kubernetes-object-ref-name-key", "name")
			g.maybe(property, 0.3, "$ref", "#/definitions/"+key())
			g.maybe(properties, 0.5, name, property)
		}
		spec := map[string]any{"type": "object", "properties": properties, "$ref": "#/definitions/" + key()}
		definitions[key()] = map[string]any{"Schema": map[string]any{"properties": map[string]any{
			"apiVersion": map[string]any{"type": "string"}, "kind": map[string]any{"type": "string"},
			"metadata": map[string]any{"type": "object"}, "spec": spec}}}
	}
	return []any{g.file(l, pick(g, ".yaml", ".json"), g.document(encode(definitions)))}
}

func (g *generator) openAPI(l *layer) any {
	if g.chance(0.2) {
		return map[string]any{"version": pick(g, "v1.21.2", "v1.21.2", "v1.21.2", "v1.20.4")}
	}
	list := map[string]any{"type": "array",
		"x-kubernetes-patch-merge-key": pick(g, "name", "value"),
		"x-kubernetes-patch-strategy":  pick(g, "merge", "replace", "merge,retainKeys"),
		"items":                        map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}}
	definition := map[string]any{
		"x-kubernetes-group-version-kind": []any{map[string]any{"group": "example.com", "version": "v1", "kind": "Widget"}},
		"properties":                      map[string]any{"spec": map[string]any{"type": "object", "properties": map[string]any{"list": list}}}}
	schema := map[string]any{"definitions": map[string]any{"com.example.v1.Widget": definition}}
	return map[string]any{"path": g.file(l, ".json", []byte(mustJSON(schema)))}
}

func (g *generator) builtinTransformers(l *layer) any {
	var entries []any
	for range 1 + g.IntN(2) {
		object := g.builtinTransformer(l)
		object["apiVersion"] = "builtin"
		if object["metadata"] == nil {
			object["metadata"] = map[string]any{"name": fmt.Sprint("t", g.IntN(1000))}
		}
		text := g.print(encode(object))
		if g.chance(0.3) {
			entries = append(entries, string(text))
		} else {
			entries = append(entries, g.file(l, ".yaml", text))
		}
	}
	return entries
}

func (g *generator) builtinTransformer(l *layer) map[string]any {
	return pick(g, transformerMakers...)(g, l)
}

var transformerMakers = []func(*generator, *layer) map[string]any{
	func(g *generator, l *layer) map[string]any {
		return g.withSpecs(l, true, map[string]any{"kind": "PrefixTransformer", "prefix": pick(g, "t-", "")}, "metadata/name", "spec/ref/name")
	},
	func(g *generator, l *layer) map[string]any {
		return g.withSpecs(l, true, map[string]any{"kind": "SuffixTransformer", "suffix": pick(g, "-t", "")}, "metadata/name")
	},
	func(g *generator, l *layer) map[string]any {
		return g.withSpecs(l, false, map[string]any{"kind": "LabelTransformer", "labels": g.textMap("app", "t")},
			"metadata/labels", "spec/selector/matchLabels", "spec/selector")
	},
	func(g *generator, l *layer) map[string]any {
		return g.withSpecs(l, false, map[string]any{"kind": "AnnotationsTransformer", "annotations": g.textMap("note", "t")},
			"metadata/annotations", "spec/template/metadata/annotations")
	},
	(*generator).namespaceTransformer,
	func(g *generator, l *layer) map[string]any {
		image := g.images(l).([]map[string]any)[0]
		return g.withSpecs(l, true, map[string]any{"kind": "ImageTagTransformer", "imageTag": image},
			"spec/image", "spec/template/spec/containers[]/image", "spec/list[]/value")
	},
	func(g *generator, l *layer) map[string]any {
		replica := map[string]any{"name": pick(g, "web", "api", "db"), "count": g.IntN(5)}
		return g.withSpecs(l, true, map[string]any{"kind": "ReplicaCountTransformer", "replica": replica},
			"spec/replicas", "spec/size", "spec/minReplicas")
	},
	func(g *generator, l *layer) map[string]any {
		return map[string]any{"kind": "ReplacementTransformer", "replacements": g.oddReplacements(l)}
	},
	(*generator).patchTransformer,
	func(g *generator, l *layer) map[string]any {
		transformer := map[string]any{"kind": "PatchStrategicMergeTransformer"}
		g.maybe(transformer, 0.7, "paths", g.mergePatches(l))
		g.maybe(transformer, 0.5, "patches", string(g.mergePatch(l)))
		return transformer
	},
	func(g *generator, l *layer) map[string]any {
		object := pick(g, l.objects...)
		transformer := map[string]any{"kind": "PatchJson6902Transformer",
			"target": map[string]any{"kind": scalar(object, "kind"), "name": scalar(object, "metadata", "name")}}
		if text := g.operations(object); g.chance(0.5) {
			transformer["jsonOp"] = string(text)
		} else {
			transformer["path"] = g.file(l, ".yaml", text)
		}
		return transformer
	},
	(*generator).valueAddTransformer,
	func(g *generator, _ *layer) map[string]any {
		return map[string]any{"kind": pick(g, "HashTransformer", "HashTransformer", "NoSuchTransformer")}
	},
}

func (g *generator) namespaceTransformer(l *layer) map[string]any {
	namespace := pick(g, "moved", "prod", "default")
	transformer := map[string]any{"kind": "NamespaceTransformer", "metadata": map[string]any{"name": "any", "namespace": namespace}}
	g.maybe(transformer, 0.3, "unsetOnly", g.chance(0.7))
	g.maybe(transformer, 0.4, "setRoleBindingSubjects", pick(g, "none", "allServiceAccounts", "defaultOnly"))
	return g.withSpecs(l, true, transformer, "metadata/namespace", "metadata/name", "subjects", "spec/ref/namespace")
}

func (g *generator) patchTransformer(l *layer) map[string]any {
	transformer := map[string]any{"kind": "PatchTransformer"}
	text := g.mergePatch(l)
	if g.chance(0.5) {
		object := pick(g, l.objects...)
		text = g.operations(object)
		transformer["target"] = map[string]any{"kind": scalar(object, "kind"), "name": scalar(object, "metadata", "name")}
	}
	if g.chance(0.6) {
		transformer["patch"] = string(text)
	} else {
		transformer["path"] = g.file(l, ".yaml", text)
	}
	g.maybe(transformer, 0.2, "target", g.selector(l))
	g.maybe(transformer, 0.1, "options", map[string]any{"allowNameChange": g.chance(0.6), "allowKindChange": g.chance(0.3)})
	return transformer
}

func (g *generator) valueAddTransformer(l *layer) map[string]any {
	transformer := map[string]any{"kind": "ValueAddTransformer"}
	g.maybe(transformer, 0.8, "value", g.word())
	targets := some(g, 2, func() map[string]any {
		path := g.specPath(pick(g, l.objects...), true)
		target := map[string]any{"fieldPath": pick(g, path, "metadata/labels/x", "spec/ref/name", "metadata/name")}
		g.maybe(target, 0.3, "selector", g.selector(l))
		g.maybe(target, 0.3, "filePathPosition", g.IntN(4))
		return target
	})
	if g.chance(0.9) {
		transformer["targets"] = targets
	}
	g.maybe(transformer, 0.2, "targetFilePath", g.file(l, ".yaml", g.print(encode(targets))))
	return transformer
}

func (g *generator) withSpecs(l *layer, leaf bool, transformer map[string]any, usual ...string) map[string]any {
	g.maybe(transformer, 0.97, "fieldSpecs", g.fieldSpecs(l, leaf, usual...))
	return transformer
}

func (g *generator) builtinGenerators(l *layer) any {
	kind := pick(g, "ConfigMap", "Secret")
	object := g.generated(l, kind)
	name := object["name"]
	metadata := map[string]any{"name": name}
	g.maybe(metadata, 0.3, "namespace", pick(g, "prod", "default"))
	g.maybe(metadata, 0.2, "labels", g.textMap("app"))
	g.maybe(metadata, 0.2, "annotations", g.textMap("note"))
	if g.chance(0.7) {
		delete(object, "name")
	}
	object["apiVersion"], object["kind"], object["metadata"] = "builtin", kind+"Generator", metadata
	if g.chance(0.15) {
		object = map[string]any{"apiVersion": "builtin", "kind": "IAMPolicyGenerator", "metadata": metadata,
			"cloud": "gke", "kubernetesService": map[string]any{"name": "ksa"},
			"serviceAccount": map[string]any{"name": "gsa", "projectId": "p"}}
	}
	text := g.print(encode(object))
	if g.chance(0.3) {
		return []any{string(text)}
	}
	return []any{g.file(l, ".yaml", text)}
}

// manyVars are the vars that variable speaks of.
func (g *generator) manyVars(l *layer) any {
	var vars []any
	for _, name := range []string{"COLOR", "A", "SOME_VAR"}[:1+g.IntN(3)] {
		target := pick(g, l.objects...)
		reference := map[string]any{"kind": scalar(target, "kind"), "name": g.typo(scalar(target, "metadata", "name")),
			"apiVersion": scalar(target, "apiVersion")}
		entry := map[string]any{"name": name, "objref": reference}
		if namespace := scalar(target, "metadata", "namespace"); namespace != "" && g.chance(0.5) {
			reference["namespace"] = namespace
		}
		path := ""
		for _, s := range g.walk(target) {
			if s.inList {
				path += "[" + s.key + "]"
			} else if path == "" {
				path = s.key
			} else {
				path += "." + s.key
			}
		}
		g.maybe(entry, 0.6, "fieldref", map[string]any{"fieldpath": pick(g, "metadata.name", path, path, path)})
		vars = append(vars, entry)
	}
	return vars
}

func (g *generator) oldJSONPatches(l *layer) any {
	object := pick(g, l.objects...)
	target := map[string]any{"version": "v1", "kind": scalar(object, "kind"), "name": g.typo(scalar(object, "metadata", "name"))}
	g.maybe(target, 0.3, "group", "apps")
	entry := map[string]any{"target": target}
	if text := g.operations(object); g.chance(0.5) {
		entry["patch"] = string(text)
	} else {
		entry["path"] = g.file(l, pick(g, ".yaml", ".json"), text)
	}
	return []any{entry}
}

func (g *generator) customOrder(*layer) any {
	options := map[string]any{"order": pick(g, "legacy", "legacy", "legacy", "fifo", "fifo", "legacy", "legacy", "")}
	kinds := func() []string {
		return some(g, 3, func() string { return pick(g, "Service", "Deployment", "Namespace", "ConfigMap", "Widget", "Secret") })
	}
	if options["order"] == "legacy" || g.chance(0.1) {
		legacy := map[string]any{}
		g.maybe(legacy, 0.6, "orderFirst", kinds())
		g.maybe(legacy, 0.6, "orderLast", kinds())
		g.maybe(options, 0.5, "legacySortOptions", legacy)
	}
	return options
}

// oddReplacements have every option, and paths that go a step too far or into documents.
func (g *generator) oddReplacements(l *layer) any {
	return some(g, 2, func() map[string]any {
		object := pick(g, l.objects...)
		source := g.gvk(object, map[string]any{"name": scalar(object, "metadata", "name")})
		g.maybe(source, 0.8, "fieldPath", g.fieldPath(object, false))
		g.maybe(source, 0.3, "options", g.pathOptions())
		g.maybe(source, 0.1, "namespace", pick(g, "prod", "default", ""))
		targets := some(g, 2, func() map[string]any {
			other := pick(g, l.objects...)
			target := map[string]any{}
			selector := g.gvk(other, map[string]any{})
			g.maybe(selector, 0.6, "name", pick(g, scalar(other, "metadata", "name"), ".*", "web|api", "^web$"))
			g.maybe(selector, 0.1, "namespace", pick(g, "prod", "default"))
			g.maybe(selector, 0.1, "annotationSelector", "note")
			target["select"] = selector
			paths := some(g, 2, func() string {
				path := g.fieldPath(other, true)
				if g.chance(0.2) {
					path += pick(g, ".new", ".0", ".-", ".[name=x]", ".[name=x].y", ".*", ".new.[k=v].z", ".metadata.annotations.a\\.b/c")
				}
				return path
			})
			g.maybe(target, 0.95, "fieldPaths", paths)
			g.maybe(target, 0.5, "options", g.pathOptions())
			return target
		})
		entry := map[string]any{"source": source, "targets": targets}
		if g.chance(0.1) {
			entry = map[string]any{"sourceValue": g.word(), "targets": targets}
		}
		return entry
	})
}

func mustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// configuredTree is a base with the fields that configure others, and perhaps a layer on top that has them too.
func (g *generator) configuredTree() string {
	g.configured = true
	top := g.base("base")
	if g.chance(0.4) {
		top = g.overlay("top", top)
	}
	return top.folder
}
