package gentree

import "strings"

// manyChanges has shapes in which patches, replacements and what they select are many.
func manyChanges() []Shape {
	const merge = "- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: all, annotations: {%s: here}}}'\n"
	const operations = "- target: {kind: Deployment, name: all}\n  patch: '- {op: add, path: /spec/template/metadata/labels/%s, value: here}'\n"
	return []Shape{
		{Name: "patches-of-one", Sizes: []int{250}, About: "strategic merge patches of one Deployment", Files: fields(oneDeployment, "patches:\n", merge)},
		{Name: "json-patches-of-one", Sizes: []int{250}, About: "JSON 6902 patches of one Deployment", Files: fields(oneDeployment, "patches:\n", operations)},
		{Name: "json-patches-of-one-large", Sizes: []int{100}, About: "JSON 6902 patches of one ConfigMap with as many keys",
			Files: fields(configMapOf, "patches:\n", "- target: {kind: ConfigMap, name: all}\n  patch: '- {op: replace, path: /data/%s, value: other}'\n")},
		{Name: "patches-of-one-large", Sizes: []int{100}, About: "strategic merge patches of one ConfigMap with as many keys",
			Files: fields(configMapOf, "patches:\n", "- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: all}, data: {%s: other}}'\n")},
		{Name: "operations", Sizes: []int{500}, About: "operations of one JSON 6902 patch", Files: fields(oneDeployment, "patches:\n- target: {kind: Deployment, name: all}\n  patch: |-\n",
			"    - {op: add, path: /spec/template/metadata/labels/%[1]s, value: here}\n")},
		{Name: "operations-on-list", Sizes: []int{250}, About: "operations on a list of one JSON 6902 patch", Files: fields(oneDeployment, "patches:\n- target: {kind: Deployment, name: all}\n  patch: |-\n"+
			"    - {op: add, path: /spec/template/spec/containers/0/args, value: []}\n", "    - {op: add, path: /spec/template/spec/containers/0/args/-, value: %s}\n")},
		{Name: "patched-keys", Sizes: []int{1000}, About: "keys of one ConfigMap that a patch writes", Files: one("resources: [all.yaml]\npatches:\n- path: patch.yaml\n", "all.yaml", configMapOf).
			and("patch.yaml", func(n int) string { return strings.ReplaceAll(configMapOf(n), "text of", "other") })},
		{Name: "patched-containers", Sizes: []int{250}, About: "containers of one pod that a patch writes", Files: one("resources: [all.yaml]\npatches:\n- path: patch.yaml\n", "all.yaml", podOf).
			and("patch.yaml", func(n int) string {
				return "apiVersion: v1\nkind: Pod\nmetadata: {name: all}\nspec:\n  containers:\n" + lines(n, "  - name: %[1]s\n    image: %[1]s:2\n")
			})},
		{Name: "added-containers", Sizes: []int{250}, About: "containers that a patch adds to one pod", Files: one("resources: [all.yaml]\npatches:\n- path: patch.yaml\n", "all.yaml", podOf).
			and("patch.yaml", func(n int) string {
				return "apiVersion: v1\nkind: Pod\nmetadata: {name: all}\nspec:\n  containers:\n" + lines(n, "  - name: new-%[1]s\n    image: %[1]s:2\n")
			})},
		{Name: "removed-keys", Sizes: []int{500}, About: "keys of one ConfigMap that a patch removes", Files: one("resources: [all.yaml]\npatches:\n- path: patch.yaml\n", "all.yaml", configMapOf).
			and("patch.yaml", func(n int) string {
				return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n" + lines(n, "  %[1]s: null\n")
			})},
		{Name: "patch-documents", Sizes: []int{250}, About: "patches in one file, for a Deployment each", Files: one("resources: [all.yaml]\npatches:\n- path: patch.yaml\n", "all.yaml", func(n int) string {
			return lines(n, deploymentTemplate)
		}).and("patch.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {replicas: 3}}\n")
		})},
		{Name: "patched-by-label", Sizes: []int{250}, About: "patches that find a ConfigMap each by its label", Files: fields(func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s, labels: {app: %[1]s}}}\n")
		}, "patches:\n", "- target: {labelSelector: app=%s}\n  patch: '- {op: add, path: /data, value: {a: b}}'\n")},
		{Name: "patched-by-expression", Sizes: []int{250}, About: "patches that find a ConfigMap each by a regular expression", Files: fields(func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}}\n")
		}, "patches:\n", "- target: {kind: ConfigMap, name: %s.*}\n  patch: '- {op: add, path: /data, value: {a: b}}'\n")},
		{Name: "renamed-by-patch", Sizes: []int{250}, About: "patches that rename a ConfigMap each", Files: fields(func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}}\n")
		}, "patches:\n", "- target: {kind: ConfigMap, name: %[1]s}\n  options: {allowNameChange: true}\n  patch: '- {op: replace, path: /metadata/name, value: new-%[1]s}'\n")},
		{Name: "renames-of-one", Sizes: []int{200}, About: "patches that rename one ConfigMap", Files: fields(func(n int) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\n"
		}, "patches:\n", "- target: {kind: ConfigMap}\n  options: {allowNameChange: true}\n  patch: '- {op: replace, path: /metadata/name, value: %[1]s}'\n")},
		{Name: "transformations-of-one", Sizes: []int{200}, About: "patches of one Deployment that all go into its annotation of transformations",
			Files: fields(oneDeployment, "buildMetadata: [originAnnotations, transformerAnnotations]\npatches:\n", merge)},
		{Name: "replacements-in-one", Sizes: []int{250}, About: "replacements within one ConfigMap", Files: fields(configMapOf, "replacements:\n",
			"- source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap, name: all}\n    fieldPaths: [data.%s]\n")},
		{Name: "replacement-targets", Sizes: []int{500}, About: "targets of one replacement", Files: fields(configMapOf, "replacements:\n- source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\n  targets:\n",
			"  - select: {kind: ConfigMap, name: all}\n    fieldPaths: [data.%s]\n")},
		{Name: "replacement-paths", Sizes: []int{500}, About: "field paths of one target", Files: fields(configMapOf, "replacements:\n- source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\n  targets:\n"+
			"  - select: {kind: ConfigMap, name: all}\n    fieldPaths:\n", "    - data.%s\n")},
		{Name: "replacement-rejects", Sizes: []int{250}, About: "rejects of one target, over as many ConfigMaps", Files: fields(func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}, data: {a: b}}\n") + onePod
		}, "replacements:\n- source: {kind: Pod, name: source, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: [data.a]\n    reject:\n", "    - {name: %s}\n")},
		{Name: "replaced-resources", Sizes: []int{500}, About: "ConfigMaps that one target selects", Files: one(
			"resources: [all.yaml]\nreplacements:\n- source: {kind: Pod, name: source, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap}\n    fieldPaths: [data.a]\n", "all.yaml", func(n int) string {
				return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}, data: {a: b}}\n") + onePod
			})},
		{Name: "replaced-entries", Sizes: []int{500}, About: "containers of one pod that one field path writes", Files: one(
			"resources: [all.yaml]\nreplacements:\n- source: {kind: Pod, name: all, fieldPath: metadata.name}\n  targets:\n  - select: {kind: Pod}\n    fieldPaths: ['spec.containers.*.env.[name=MODE].value']\n", "all.yaml", podOf)},
		{Name: "replacements-into-list", Sizes: []int{100}, About: "replacements into one container each of one pod", Files: fields(podOf, "replacements:\n",
			"- source: {kind: Pod, name: all, fieldPath: metadata.name}\n  targets:\n  - select: {kind: Pod, name: all}\n    fieldPaths: ['spec.containers.[name=%s].image']\n")},
		{Name: "replacements-from-one", Sizes: []int{250}, About: "replacements from a key each of one ConfigMap into a ConfigMap each", Files: fields(func(n int) string {
			return configMapOf(n) + lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}, data: {a: b}}\n")
		}, "replacements:\n", "- source: {kind: ConfigMap, name: all, fieldPath: data.%[1]s}\n  targets:\n  - select: {kind: ConfigMap, name: %[1]s}\n    fieldPaths: [data.a]\n")},
		{Name: "replacements-into-json", Sizes: []int{50}, About: "replacements into one JSON document of one ConfigMap", Files: fields(func(n int) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n  config.json: |\n    {\n" + lines(n, "      \"%s\": \"text\",\n") + "      \"last\": \"text\"\n    }\n"
		}, "replacements:\n", "- source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap, name: all}\n    fieldPaths: ['data.config\\.json.%s']\n")},
		{Name: "delimited-replacements", Sizes: []int{100}, About: "replacements of one part each of one text", Files: fields(func(n int) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n  list: \"" + strings.TrimSuffix(strings.Repeat("part,", n), ",") + "\"\n"
		}, "replacements:\n", "- source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap, name: all}\n    fieldPaths: [data.list]\n    options: {delimiter: ',', index: %[2]d}\n")},
		{Name: "replacement-files", Sizes: []int{100}, About: "files of replacements", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\nreplacements:\n" + lines(n, "- path: %s.yaml\n")), "all.yaml": []byte(configMapOf(n))}
			for i := range n {
				t.add(app(i)+".yaml", "source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\ntargets:\n- select: {kind: ConfigMap, name: all}\n  fieldPaths: [data.APP]\n", app(i))
			}
			return t
		}},
	}
}

const onePod = "---\n{apiVersion: v1, kind: Pod, metadata: {name: source}, spec: {containers: [{name: main, image: main}]}}\n"

// files are those of a tree of a size.
type files func(int) map[string][]byte

// and returns the tree with another file.
func (f files) and(file string, text func(int) string) files {
	return func(n int) map[string][]byte {
		t := f(n)
		t[file] = []byte(text(n))
		return t
	}
}
