package gentree

// manyMistakes has shapes in which the mistakes are many. kustomize stops at the first one, or builds and says nothing.
func manyMistakes() []Shape {
	configMaps := func(n int) string {
		return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}, data: {a: b}}\n")
	}
	return []Shape{
		{Name: "patches-of-nothing", Sizes: []int{250}, Mistaken: true, About: "patches whose target has a slip in its name",
			Files: fields(configMaps, "patches:\n", "- target: {kind: ConfigMap, name: x%s}\n  patch: '- {op: add, path: /data, value: {a: b}}'\n")},
		{Name: "merges-with-nothing", Sizes: []int{250}, Fails: true, About: "strategic merge patches for what is not there",
			Files: fields(configMaps, "patches:\n", "- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: x%s}}'\n")},
		{Name: "images-of-nothing", Sizes: []int{250}, Mistaken: true, About: "images that nothing runs",
			Files: fields(func(n int) string { return lines(n, deploymentTemplate) }, "images:\n", "- {name: x%s, newTag: \"2\"}\n")},
		{Name: "replicas-of-nothing", Sizes: []int{250}, Fails: true, About: "replicas of what is not there",
			Files: fields(func(n int) string { return lines(n, deploymentTemplate) }, "replicas:\n", "- {name: x%s, count: 2}\n")},
		{Name: "replacements-of-nothing", Sizes: []int{250}, Fails: true, About: "replacements without a source",
			Files: fields(configMaps, "replacements:\n", "- source: {kind: ConfigMap, name: x%[1]s, fieldPath: data.a}\n  targets:\n  - select: {kind: ConfigMap, name: %[1]s}\n    fieldPaths: [data.a]\n")},
		{Name: "replacements-into-nothing", Sizes: []int{250}, Mistaken: true, About: "replacements whose target has a slip in its name",
			Files: fields(configMaps, "replacements:\n", "- source: {kind: ConfigMap, name: %[1]s, fieldPath: data.a}\n  targets:\n  - select: {kind: ConfigMap, name: x%[1]s}\n    fieldPaths: [data.a]\n")},
		{Name: "missing-fields", Sizes: []int{100}, Fails: true, About: "replacements into a key that is not there of one ConfigMap",
			Files: fields(configMapOf, "replacements:\n", "- source: {kind: ConfigMap, name: all, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap, name: all}\n    fieldPaths: [data.x%[1]s.y]\n")},
		{Name: "missing-vars", Sizes: []int{250}, Fails: true, About: "vars of what is not there",
			Files: fields(configMaps, "vars:\n", "- name: %[1]s\n  objref: {apiVersion: v1, kind: ConfigMap, name: x%[1]s}\n")},
		{Name: "missing-files", Sizes: []int{250}, Fails: true, About: "resources that are not there", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources:\n" + lines(n, "- x%s.yaml\n"))}
			for i := range n {
				t.add(app(i)+".yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: APP}\n", app(i))
			}
			return t
		}},
		{Name: "unknown-fields", Sizes: []int{250}, Fails: true, About: "fields that a kustomization does not have", Files: fields(configMaps, "namePrefix: a\n", "x%s: text\n")},
		{Name: "unknown-keys", Sizes: []int{250}, Mistaken: true, About: "fields that a Deployment does not have", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return oneDeployment(n) + lines(n, "  x%s: text\n")
		})},
		{Name: "dangling-references", Sizes: []int{250}, Mistaken: true, About: "references to ConfigMaps that are not there", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return configMaps(n) + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: all}\nspec:\n  containers:\n  - name: main\n    image: main\n    envFrom:\n" + lines(n, "    - configMapRef: {name: x%s}\n")
		})},
		{Name: "same-names", Sizes: []int{250}, Fails: true, About: "resources of one name", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: all}, data: {key: %s}}\n")
		})},
		{Name: "same-keys", Sizes: []int{250}, Fails: true, About: "keys of one ConfigMap that are there twice", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return configMapOf(n) + lines(n, "  %s: again\n")
		})},
		{Name: "same-literals", Sizes: []int{250}, Fails: true, About: "literals that are there twice", Files: fields(nil, "configMapGenerator:\n- name: all\n  literals:\n", "  - %[1]s=a\n  - %[1]s=b\n")},
		{Name: "same-entries", Sizes: []int{250}, Fails: true, About: "entries that all name one file", Files: fields(oneDeployment, "", "# %s\n").instead(
			func(n int) string { return "resources:\n- all.yaml\n" + lines(n, "- ./all.yaml # %s\n") })},
		{Name: "syntax-errors", Sizes: []int{100}, Fails: true, About: "lines that are not YAML", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return lines(n, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: %[1]s}\ndata:\n  a: [b\n  c: d\n")
		})},
		{Name: "syntax-errors-in-one", Sizes: []int{100}, Fails: true, About: "lines of one document that are not YAML", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return configMapOf(1) + lines(n, "  x%[1]s: a: b\n")
		})},
		{Name: "suppressed", Sizes: []int{250}, Mistaken: true, About: "mistakes that a comment suppresses", Files: fields(configMaps, "patches:\n",
			"# kls:ignore patch-no-target not yet\n- target: {kind: ConfigMap, name: x%s}\n  patch: '- {op: add, path: /data, value: {a: b}}'\n")},
		{Name: "unused-components", Sizes: []int{100}, About: "components that nothing includes", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\n"), "all.yaml": []byte(oneDeployment(n))}
			for i := range n {
				t.add(app(i)+"/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- target: {kind: Deployment}\n  patch: '- {op: add, path: /metadata/labels, value: {a: b}}'\n", app(i))
			}
			return t
		}},
		{Name: "unused-files", Sizes: []int{250}, About: "files that nothing includes", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\n"), "all.yaml": []byte(oneDeployment(n))}
			for i := range n {
				t.add(app(i)+".yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: APP}\n", app(i))
			}
			return t
		}},
	}
}

// instead returns the tree with other fields in its kustomization.
func (f files) instead(fields func(int) string) files {
	return func(n int) map[string][]byte {
		t := f(n)
		t["kustomization.yaml"] = kustomization(fields(n))
		return t
	}
}
