package gentree

import (
	"fmt"
	"strings"
)

// Many returns shapes that have many of one thing and little else: what they cost must not grow faster than they do.
// A size is how many there are. Root is the folder to build and to check; Sizes has the smaller size alone, the other
// one being four times that.
func Many() []Shape {
	shapes := append(manyResources(), manyEntries()...)
	shapes = append(shapes, manyChanges()...)
	shapes = append(shapes, manyMistakes()...)
	for i := range shapes {
		if shapes[i].Root == "" {
			shapes[i].Root = "."
		}
	}
	return shapes
}

// manyResources has shapes whose resources, files or parts of one resource are many.
func manyResources() []Shape {
	return []Shape{
		{Name: "documents", Sizes: []int{1000}, About: "documents of one file", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %[1]s}, data: {key: %[1]s}}\n")
		})},
		{Name: "keys", Sizes: []int{2000}, About: "keys of one ConfigMap", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", configMapOf)},
		{Name: "list-entries", Sizes: []int{1000}, About: "containers of one pod, with an image and a port each, and a prefix and a label",
			Files: one("resources: [all.yaml]\nnamePrefix: my-\nlabels:\n- pairs: {team: a}\n", "all.yaml", podOf)},
		{Name: "namespaces", Sizes: []int{500}, About: "Namespaces with a ConfigMap of the same name each", Files: one("resources: [all.yaml]\nnameSuffix: -x\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: Namespace, metadata: {name: %[1]s}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: same, namespace: %[1]s}}\n")
		})},
		{Name: "kinds", Sizes: []int{200}, About: "CustomResourceDefinitions, with a custom resource each", Files: one("resources: [all.yaml]\nnameSuffix: -x\n", "all.yaml", func(n int) string {
			return lines(n, crdTemplate+"---\n{apiVersion: example.com/v1, kind: K%[2]d, metadata: {name: %[1]s}, spec: {size: 1}}\n")
		})},
		{Name: "name-references", Sizes: []int{500}, About: "ConfigMaps that one Deployment reads, under a prefix", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}\n") + "---\n" +
				"apiVersion: v1\nkind: Pod\nmetadata: {name: all}\nspec:\n  containers:\n  - name: main\n    image: main\n    envFrom:\n" + lines(n, "    - configMapRef: {name: %s}\n")
		})},
		{Name: "subjects", Sizes: []int{500}, About: "ServiceAccounts that are subjects of one binding, under a prefix and a namespace",
			Files: one("resources: [all.yaml]\nnamePrefix: my-\nnamespace: here\n", "all.yaml", func(n int) string {
				return lines(n, "---\n{apiVersion: v1, kind: ServiceAccount, metadata: {name: %s}}\n") + "---\n" +
					"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: all}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects:\n" +
					lines(n, "- {kind: ServiceAccount, name: %s, namespace: default}\n")
			})},
		{Name: "role-rules", Sizes: []int{1000}, About: "rules of one ClusterRole", Files: one("resources: [all.yaml]\n", "all.yaml", func(n int) string {
			return "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all}\nrules:\n" + lines(n, "- {apiGroups: [example.com], resources: [%s], verbs: [get]}\n")
		})},
		{Name: "ingress-rules", Sizes: []int{500}, About: "Services that one Ingress leads to", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {ports: [{port: 80, name: http}], selector: {app: a}}}\n") + "---\n" +
				"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: all}\nspec:\n  rules:\n  - http:\n      paths:\n" +
				lines(n, "      - {path: /%[1]s, pathType: Prefix, backend: {service: {name: %[1]s, port: {name: http}}}}\n")
		})},
		{Name: "selectors", Sizes: []int{300}, About: "Deployments with a Service that selects each", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: Service, metadata: {name: %[1]s}, spec: {selector: {app: %[1]s}, ports: [{port: 80}]}}\n"+deploymentTemplate)
		})},
		{Name: "same-labels", Sizes: []int{300}, About: "Deployments, Services and PodDisruptionBudgets that all have one label and select by it", Files: one("resources: [all.yaml]\nnamePrefix: my-\ncommonLabels: {team: a}\n", "all.yaml", func(n int) string {
			return lines(n, "---\n{apiVersion: v1, kind: Service, metadata: {name: %[1]s}, spec: {selector: {tier: web}, ports: [{port: 80}]}}\n"+
				"---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %[1]s}, spec: {maxUnavailable: 1, selector: {matchLabels: {tier: web}}}}\n"+
				strings.ReplaceAll(deploymentTemplate, "app: %[1]s", "tier: web"))
		})},
		{Name: "aliases", Sizes: []int{1000}, About: "aliases of one anchor in one file", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n  first: &a text\n" + lines(n, "  %s: *a\n")
		})},
		{Name: "text-lines", Sizes: []int{10000}, About: "lines of one block scalar", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n  file: |\n" + lines(n, "    line of %s\n")
		})},
		{Name: "comments", Sizes: []int{2000}, About: "comments in one file", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n" + lines(n, "  # about %[1]s\n  %[1]s: text # here\n")
		})},
		{Name: "depth", Sizes: []int{250}, About: "maps in one another", Files: one("resources: [all.yaml]\nnamePrefix: my-\n", "all.yaml", func(n int) string {
			return "apiVersion: example.com/v1\nkind: Deep\nmetadata: {name: all}\nspec: " + strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) + "\n"
		})},
		{Name: "roots", Root: ".", Sizes: []int{100}, About: "overlays of one base; the last of them is built", Files: func(n int) map[string][]byte {
			t := tree{"base/kustomization.yaml": []byte("resources: [all.yaml]\n"), "kustomization.yaml": kustomization("resources: [overlay/" + app(n-1) + "]\n")}
			t["base/all.yaml"] = []byte(lines(20, deploymentTemplate))
			for i := range n {
				t["overlay/"+app(i)+"/kustomization.yaml"] = kustomization("resources: [../../base]\nnamePrefix: my-\n")
			}
			return t
		}},
	}
}

// one makes a tree of a kustomization and one file, whose text depends on the size.
func one(fields, file string, text func(int) string) files {
	return func(n int) map[string][]byte {
		return map[string][]byte{"kustomization.yaml": kustomization(fields), file: []byte(text(n))}
	}
}

// lines repeats a template; %[1]s is the name of an application, %[2]d its number.
func lines(n int, template string) string {
	var text strings.Builder
	for i := range n {
		if strings.Contains(template, "%[2]d") {
			fmt.Fprintf(&text, template, app(i), i)
		} else {
			fmt.Fprintf(&text, template, app(i))
		}
	}
	return text.String()
}

func configMapOf(n int) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: all}\ndata:\n" + lines(n, "  %[1]s: text of %[1]s\n")
}

func podOf(n int) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: all}\nspec:\n  containers:\n" +
		lines(n, "  - name: %[1]s\n    image: %[1]s:1\n    ports:\n    - {containerPort: 80}\n    env:\n    - {name: MODE, value: text}\n")
}

func oneDeployment(int) string { return fmt.Sprintf(deploymentTemplate, "all") }

const deploymentTemplate = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s}
spec:
  replicas: 1
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      containers:
      - {name: main, image: "%[1]s:1"}
`

const crdTemplate = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: k%[2]ds.example.com}
spec:
  group: example.com
  names: {kind: K%[2]d, plural: k%[2]ds}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
`
