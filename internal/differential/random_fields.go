package differential

// fieldMakers says how often a kustomization has a field, and what then stands in it; nil is nothing.
var fieldMakers = []struct {
	name   string
	chance float64
	make   func(*generator, *layer) any
}{
	{"namespace", 0.25, func(g *generator, _ *layer) any { return pick(g, "prod", "dev", "default") }},
	{"namePrefix", 0.2, func(g *generator, _ *layer) any { return pick(g, "p-", "my.", "x") }},
	{"nameSuffix", 0.15, func(g *generator, _ *layer) any { return pick(g, "-s", "-v2") }},
	{"commonLabels", 0.1, func(g *generator, _ *layer) any { return g.textMap("app", "owner") }},
	{"labels", 0.2, (*generator).labels},
	{"commonAnnotations", 0.15, func(g *generator, _ *layer) any { return g.textMap("note", "example.com/team") }},
	{"images", 0.3, (*generator).images},
	{"replicas", 0.15, (*generator).replicas},
	{"configMapGenerator", 0.3, (*generator).configMaps},
	{"secretGenerator", 0.15, (*generator).secrets},
	{"generatorOptions", 0.1, func(g *generator, _ *layer) any { return g.generatorOptions() }},
	{"patches", 0.35, (*generator).patches},
	{"patchesStrategicMerge", 0.08, (*generator).mergePatches},
	{"replacements", 0.25, (*generator).replacements},
	{"sortOptions", 0.08, func(g *generator, _ *layer) any { return map[string]any{"order": pick(g, "legacy", "fifo")} }},
	{"buildMetadata", 0.08, (*generator).buildMetadata},
	{"transformers", 0.08, (*generator).transformers},
	{"vars", 0.04, (*generator).vars},
}

func (g *generator) labels(*layer) any {
	return some(g, 2, func() map[string]any {
		entry := map[string]any{"pairs": g.textMap("app", "team", "example.com/x")}
		g.maybe(entry, 0.3, "includeSelectors", g.chance(0.5))
		g.maybe(entry, 0.3, "includeTemplates", g.chance(0.5))
		g.maybe(entry, 0.15, "fields", []any{
			map[string]any{"path": "spec/ref/labels", "kind": "Widget", "create": g.chance(0.7)}})
		return entry
	})
}

// maybe sets a key of the mapping, with that chance.
func (g *generator) maybe(mapping map[string]any, chance float64, key string, value any) {
	if g.chance(chance) {
		mapping[key] = value
	}
}

func (g *generator) images(*layer) any {
	return some(g, 2, func() map[string]any {
		entry := map[string]any{"name": g.typo(pick(g, "nginx", "api", "registry.example.com:5000/team/api", "team/api"))}
		g.maybe(entry, 0.4, "newName", pick(g, "mirror/nginx", "localhost:5000/x"))
		g.maybe(entry, 0.6, "newTag", pick(g, "2.0", "1", "latest"))
		g.maybe(entry, 0.1, "digest", "sha256:bbbb")
		g.maybe(entry, 0.1, "tagSuffix", "-alpine")
		return entry
	})
}

func (g *generator) replicas(l *layer) any {
	name := g.name(l, "Deployment", "StatefulSet")
	if name == "" {
		return nil
	}
	return []any{map[string]any{"name": name, "count": g.IntN(6)}}
}

// name is the name of an object of the layer that is of one of the kinds, now and then misspelt; empty if there is none.
func (g *generator) name(l *layer, kinds ...string) string {
	for _, i := range g.Perm(len(l.objects)) {
		for _, kind := range kinds {
			if scalar(l.objects[i], "kind") == kind {
				return g.typo(scalar(l.objects[i], "metadata", "name"))
			}
		}
	}
	return ""
}

func (g *generator) configMaps(l *layer) any {
	return some(g, 2, func() map[string]any { return g.generated(l, "ConfigMap") })
}

func (g *generator) secrets(l *layer) any {
	entry := g.generated(l, "Secret")
	g.maybe(entry, 0.3, "type", pick(g, "Opaque", "example.com/mine"))
	return []any{entry}
}

// generated is an entry of a generator; its behavior mostly fits whether there is something to change.
func (g *generator) generated(l *layer, kind string) map[string]any {
	entry := map[string]any{"name": pick(g, "web", "api", "db", "extra")}
	object := parse("apiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + entry["name"].(string) + "}\ndata: {color: red}\n")
	if exists(l.objects, object) {
		entry["behavior"] = pick(g, "merge", "merge", "merge", "replace", "replace", "merge", "merge", "merge", "create")
	} else {
		g.maybe(entry, 0.1, "behavior", pick(g, "create", "create", "create", "merge"))
		l.objects = append(l.objects, object)
	}
	g.maybe(entry, 0.7, "literals", g.keyed([]string{"color", "count", "k.x", "URL"}, func(key string) string {
		return key + "=" + pick(g, "red", "", "'quoted'", "a=b", "12", "x\ny", "é")
	}))
	g.maybe(entry, 0.3, "files", g.keyed([]string{"", "config.json=", "key="}, func(key string) string {
		return key + g.file(l, ".txt", g.dataFile())
	}))
	g.maybe(entry, 0.2, "envs", []string{g.file(l, ".env", []byte(pick(g, "A=1\nB=two\n", "# note\n\nA = 1\n  B=2", "\ufeffA=1\n", "A\n")))})
	g.maybe(entry, 0.2, "options", g.generatorOptions())
	return entry
}

// keyed makes one or two entries with different keys, since a repeated key is refused.
func (g *generator) keyed(keys []string, make func(key string) string) []string {
	var entries []string
	for _, i := range g.Perm(len(keys))[:1+g.IntN(2)] {
		entries = append(entries, make(keys[i]))
	}
	return entries
}

func (g *generator) dataFile() []byte {
	return []byte(pick(g, "one\ntwo\n", `{"color": "red", "list": [1, 2]}`, "tabs\there \n", "no newline", "", "a\r\nb\r\n",
		"\xff\xfe\x00binary", "trailing space \nline\n", "color: red\nlist:\n- a\n"))
}

func (g *generator) generatorOptions() map[string]any {
	options := map[string]any{}
	g.maybe(options, 0.5, "disableNameSuffixHash", g.chance(0.7))
	g.maybe(options, 0.2, "immutable", g.chance(0.7))
	g.maybe(options, 0.4, "labels", g.textMap("app", "generated"))
	g.maybe(options, 0.3, "annotations", g.textMap("note", "generated"))
	return options
}

func (g *generator) buildMetadata(*layer) any {
	return some(g, 2, func() string { return pick(g, "originAnnotations", "transformerAnnotations", "managedByLabel") })
}

// transformers configures a built-in one, which is how a field's table of places is changed.
func (g *generator) transformers(l *layer) any {
	name := map[string]any{"name": "any"}
	object := pick(g,
		map[string]any{"kind": "PrefixTransformer", "prefix": "t-",
			"fieldSpecs": []any{map[string]any{"path": "metadata/name", "kind": pick(g, "Deployment", "ConfigMap", "")}}},
		map[string]any{"kind": "LabelTransformer", "labels": g.textMap("app", "t"),
			"fieldSpecs": []any{map[string]any{"path": "metadata/labels", "create": g.chance(0.7)}}},
		map[string]any{"kind": "NamespaceTransformer", "metadata": map[string]any{"name": "any", "namespace": "moved"},
			"unsetOnly": g.chance(0.5), "setRoleBindingSubjects": pick(g, "none", "allServiceAccounts", "defaultOnly")},
	)
	object["apiVersion"] = "builtin"
	if object["metadata"] == nil {
		object["metadata"] = name
	}
	if g.chance(0.3) {
		return []any{string(g.print(encode(object)))}
	}
	return []any{g.file(l, ".yaml", g.print(encode(object)))}
}

func (g *generator) vars(l *layer) any {
	target := pick(g, l.objects...)
	entry := map[string]any{
		"name": "COLOR",
		"objref": map[string]any{
			"kind": scalar(target, "kind"), "name": g.typo(scalar(target, "metadata", "name")),
			"apiVersion": scalar(target, "apiVersion"),
		},
	}
	g.maybe(entry, 0.4, "fieldref", map[string]any{"fieldpath": pick(g, "metadata.name", "metadata.namespace", "spec.color")})
	return []any{entry}
}
