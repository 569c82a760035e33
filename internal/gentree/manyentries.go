package gentree

import (
	"fmt"
	"strings"
)

// manyEntries has shapes in which the entries of one field are many.
func manyEntries() []Shape {
	return []Shape{
		{Name: "images", Sizes: []int{250}, About: "images over as many Deployments",
			Files: fields(func(n int) string { return lines(n, deploymentTemplate) }, "images:\n", "- {name: %s, newTag: \"2\"}\n")},
		{Name: "images-in-one", Sizes: []int{250}, About: "images over the containers of one pod",
			Files: fields(podOf, "images:\n", "- {name: %s, newTag: \"2\"}\n")},
		{Name: "replicas", Sizes: []int{250}, About: "replicas of as many Deployments",
			Files: fields(func(n int) string { return lines(n, deploymentTemplate) }, "replicas:\n", "- {name: %s, count: 2}\n")},
		{Name: "common-annotations", Sizes: []int{1000}, About: "commonAnnotations of one Deployment",
			Files: fields(oneDeployment, "commonAnnotations:\n", "  %s: text\n")},
		{Name: "common-labels", Sizes: []int{1000}, About: "commonLabels of one Deployment",
			Files: fields(oneDeployment, "commonLabels:\n", "  %s: text\n")},
		{Name: "label-pairs", Sizes: []int{1000}, About: "pairs of one entry of labels",
			Files: fields(oneDeployment, "labels:\n- includeSelectors: true\n  includeTemplates: true\n  pairs:\n", "    %s: text\n")},
		{Name: "label-entries", Sizes: []int{500}, About: "entries of labels with a pair each",
			Files: fields(oneDeployment, "labels:\n", "- pairs: {%s: text}\n")},
		{Name: "vars-in-one", Sizes: []int{250}, About: "vars of as many Services that one pod uses", Files: fields(func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: Service, metadata: {name: %[1]s}, spec: {ports: [{port: 80}]}}\n") + "---\n" +
				"apiVersion: v1\nkind: Pod\nmetadata: {name: all}\nspec:\n  containers:\n  - name: main\n    image: main\n    env:\n" + lines(n, "    - {name: %[1]s, value: $(%[1]s)}\n")
		}, "vars:\n", "- name: %[1]s\n  objref: {apiVersion: v1, kind: Service, name: %[1]s}\n  fieldref: {fieldpath: metadata.name}\n")},
		{Name: "crds", Sizes: []int{200}, About: "files of crds", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\nnamePrefix: my-\ncrds:\n" + lines(n, "- %s.json\n")), "all.yaml": []byte(oneDeployment(n))}
			for i := range n {
				t[app(i)+".json"] = fmt.Appendf(nil, crdSchema, i)
			}
			return t
		}},
		{Name: "configurations", Sizes: []int{100}, About: "files of configurations, with a name reference each", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\nnamePrefix: my-\nconfigurations:\n" + lines(n, "- %s.yaml\n")), "all.yaml": []byte(oneDeployment(n))}
			for i := range n {
				t[app(i)+".yaml"] = fmt.Appendf(nil, "nameReference:\n- kind: K%[1]d\n  fieldSpecs:\n  - {kind: Other%[1]d, path: spec/ref}\n", i)
			}
			return t
		}},
		{Name: "field-specs", Sizes: []int{250}, About: "field specs of one file of configurations", Files: func(n int) map[string][]byte {
			return map[string][]byte{
				"kustomization.yaml": kustomization("resources: [all.yaml]\nnamePrefix: my-\nconfigurations: [config.yaml]\ncommonAnnotations: {a: b}\nimages:\n- {name: x, newTag: \"2\"}\n"),
				"all.yaml":           []byte(oneDeployment(n)),
				"config.yaml": []byte("commonAnnotations:\n" + lines(n, "- {path: spec/%s/annotations, kind: Deployment}\n") +
					"images:\n" + lines(n, "- {path: spec/%s/image, kind: Deployment}\n") + "namePrefix:\n" + lines(n, "- {path: spec/%s/name, kind: Deployment}\n")),
			}
		}},
		{Name: "literals", Sizes: []int{2000}, About: "literals of one generator",
			Files: fields(nil, "configMapGenerator:\n- name: all\n  literals:\n", "  - %[1]s=text of %[1]s\n")},
		{Name: "generated-files", Sizes: []int{250}, About: "files of one generator", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("secretGenerator:\n- name: all\n  files:\n" + lines(n, "  - %s.txt\n"))}
			for i := range n {
				t.add(app(i)+".txt", "text of APP\n", app(i))
			}
			return t
		}},
		{Name: "env-lines", Sizes: []int{2000}, About: "lines of an env file", Files: one("configMapGenerator:\n- name: all\n  envs: [all.env]\n", "all.env", func(n int) string { return lines(n, "%[1]s=text of %[1]s\n") })},
		{Name: "generator-entries", Sizes: []int{250}, About: "generators",
			Files: fields(nil, "configMapGenerator:\n", "- name: %[1]s\n  literals: [key=%[1]s]\n")},
		{Name: "merged-secret", Sizes: []int{1000}, About: "keys of a Secret that are merged with those of a base", Root: "overlay", Files: mergedKeys("secretGenerator")},
		{Name: "merged-config-map", Sizes: []int{1000}, About: "keys of a ConfigMap that are merged with those of a base", Root: "overlay", Files: mergedKeys("configMapGenerator")},
		{Name: "merges", Sizes: []int{250}, About: "generators that merge into one of a base", Root: "overlay", Files: func(n int) map[string][]byte {
			return map[string][]byte{
				"base/kustomization.yaml":    kustomization("configMapGenerator:\n" + lines(n, "- name: %[1]s\n  literals: [key=%[1]s]\n")),
				"overlay/kustomization.yaml": kustomization("resources: [../base]\nconfigMapGenerator:\n" + lines(n, "- name: %[1]s\n  behavior: merge\n  literals: [other=%[1]s]\n")),
			}
		}},
		{Name: "resource-files", Sizes: []int{500}, About: "entries of resources", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources:\n" + lines(n, "- %s.yaml\n"))}
			for i := range n {
				t.add(app(i)+".yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: APP}\n", app(i))
			}
			return t
		}},
		{Name: "bases", Sizes: []int{200}, About: "bases with a prefix each", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources:\n" + lines(n, "- %s\n"))}
			for i := range n {
				t[app(i)+"/kustomization.yaml"] = kustomization("resources: [all.yaml]\nnamePrefix: " + app(i) + "-\n")
				t[app(i)+"/all.yaml"] = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: same}\n")
			}
			return t
		}},
		{Name: "components", Sizes: []int{200}, About: "components that change one Deployment", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\ncomponents:\n" + lines(n, "- %s\n")), "all.yaml": []byte(oneDeployment(n))}
			for i := range n {
				t.add(app(i)+"/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n"+
					"- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: all, annotations: {APP: here}}}'\n", app(i))
			}
			return t
		}},
		{Name: "layers", Sizes: []int{100}, Root: "last", About: "kustomizations that include one another, in a chain", Files: chain("")},
		{Name: "layers-with-labels", Sizes: []int{100}, Root: "last", About: "kustomizations that include one another, in a chain, and add a label each", Files: chain("labels:\n- pairs: {%s: here}\n")},
		{Name: "layers-with-prefix", Sizes: []int{50}, Root: "last", About: "kustomizations that include one another, in a chain, with a prefix each", Files: chain("namePrefix: a\n")},
		{Name: "plugin-files", Sizes: []int{200}, About: "transformers, a file each", Files: func(n int) map[string][]byte {
			t := tree{"kustomization.yaml": kustomization("resources: [all.yaml]\ntransformers:\n" + lines(n, "- %s.yaml\n")), "all.yaml": []byte(oneDeployment(n))}
			for i := range n {
				t.add(app(i)+".yaml", "apiVersion: builtin\nkind: AnnotationsTransformer\nmetadata: {name: APP}\nannotations: {APP: here}\nfieldSpecs:\n- {path: metadata/annotations, create: true}\n", app(i))
			}
			return t
		}},
		{Name: "sort-order", Sizes: []int{500}, About: "kinds that sortOptions names", Files: fields(oneDeployment, "sortOptions:\n  order: legacy\n  legacySortOptions:\n    orderFirst:\n", "    - %s\n")},
	}
}

// fields makes a tree of a file of resources, if there is one, and a field with an entry for each number.
func fields(resources func(int) string, head, entry string) files {
	return func(n int) map[string][]byte {
		t := tree{"kustomization.yaml": kustomization(head + lines(n, entry))}
		if resources != nil {
			t["all.yaml"] = []byte(resources(n))
			t["kustomization.yaml"] = append(t["kustomization.yaml"], "resources: [all.yaml]\n"...)
		}
		return t
	}
}

func mergedKeys(generator string) files {
	return func(n int) map[string][]byte {
		return map[string][]byte{
			"base/kustomization.yaml":    kustomization(generator + ":\n- name: all\n  literals:\n" + lines(n, "  - %[1]s=text of %[1]s\n")),
			"overlay/kustomization.yaml": kustomization("resources: [../base]\n" + generator + ":\n- name: all\n  behavior: merge\n  literals:\n" + lines(n, "  - %[1]s=other text\n")),
		}
	}
}

// chain makes kustomizations of which each includes the one before; the last one is named so.
func chain(also string) files {
	return func(n int) map[string][]byte {
		t := tree{}
		for i := range n {
			dir, resources := app(i), "resources: [all.yaml]\n"
			if i > 0 {
				resources = "resources: [../" + app(i-1) + "]\n"
			}
			if i == n-1 {
				dir = "last"
			}
			text := also
			if strings.Contains(also, "%s") {
				text = fmt.Sprintf(also, app(i))
			}
			t[dir+"/kustomization.yaml"] = kustomization(resources, text)
		}
		t[app(0)+"/all.yaml"] = []byte(oneDeployment(n))
		return t
	}
}

const crdSchema = `{"example.com/v1.K%[1]d": {"Schema": {"properties": {
  "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
  "spec": {"$ref": "example.com/v1.Spec%[1]d"}},
  "x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "K%[1]d", "version": "v1"}]}},
 "example.com/v1.Spec%[1]d": {"Schema": {"properties": {"secret": {
  "x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "Secret", "type": "object"}}}}}
`
