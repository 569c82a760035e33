package gentree

import (
	"fmt"
	"strings"
)

// Shape is a family of trees that grow in one way.
type Shape struct {
	Name string
	// About says in a sentence what is in a tree.
	About string
	// Root is the folder to build, below the tree's root and with forward slashes.
	Root string
	// Sizes are the sizes at which the shape is measured, ascending.
	Sizes []int
	// Resources returns how many resources a tree of a size renders.
	Resources func(size int) int
	// Files returns the tree of a size, by path with forward slashes. The same size gives the same bytes.
	Files func(size int) map[string][]byte
	// Fails is true where no tree of the shape builds, Mistaken where what is in it is not meant.
	Fails, Mistaken bool
}

// Shapes returns all shapes; the first is that of Files.
func Shapes() []Shape {
	return []Shape{
		{Name: "applications", Root: Overlay, Sizes: []int{1, 100, 300, 1000, 3000}, Resources: Resources, Files: Files,
			About: "a base of applications, a Deployment, a Service, a ServiceAccount and a ConfigMap each, and an overlay with a " +
				"namespace, a prefix, an image, a patch on every Deployment and a replacement into a JSON document in every ConfigMap"},
		{Name: "vars", Root: ".", Sizes: []int{100, 200, 400, 800}, Resources: twice, Files: varsFiles,
			About: "a var for each Service, and a Deployment that uses it"},
		{Name: "patches", Root: ".", Sizes: []int{250, 500, 1000, 2000}, Resources: once, Files: patchFiles,
			About: "a patch for each Deployment, by its name: half of them strategic merge, half JSON 6902"},
		{Name: "replacements", Root: ".", Sizes: []int{250, 500, 1000, 2000}, Resources: twice, Files: replacementFiles,
			About: "a replacement for each Deployment, from a ConfigMap of its own"},
		{Name: "generators", Root: ".", Sizes: []int{250, 500, 1000, 2000}, Resources: twice, Files: generatorFiles,
			About: "a generated ConfigMap with a hash in its name for each Deployment, which refers to it"},
		{Name: "deep", Root: "layer-29", Sizes: []int{10, 20, 40, 80}, Resources: func(size int) int { return size * layers }, Files: deepFiles,
			About: "30 layers on top of each other, each with Deployments of its own, a label and a prefix"},
		{Name: "wide", Root: ".", Sizes: []int{60, 125, 250, 500}, Resources: once, Files: wideFiles,
			About: "up to 500 components, each with a Deployment and a patch for it"},
	}
}

// Write puts a tree of a size into a folder of the disk.
func (s Shape) Write(folder string, size int) error { return WriteFiles(folder, s.Files(size)) }

func once(size int) int  { return size }
func twice(size int) int { return 2 * size }

// layers is how many kustomizations stand on top of each other in a deep tree.
const layers = 30

// tree is a tree while it is made.
type tree map[string][]byte

// add writes a template, in which APP stands for the name.
func (t tree) add(path, template, name string) {
	t[path] = []byte(strings.ReplaceAll(template, "APP", name))
}

func app(number int) string { return fmt.Sprintf("app-%04d", number) }

// kustomization makes a kustomization of its fields, each with its lines.
func kustomization(fields ...string) []byte {
	return []byte("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n" + strings.Join(fields, ""))
}

// each returns a field whose entries are made of a template.
func each(field string, size int, template string) string {
	var text strings.Builder
	text.WriteString(field + ":\n")
	for number := range size {
		text.WriteString(strings.ReplaceAll(template, "APP", app(number)))
	}
	return text.String()
}

func varsFiles(size int) map[string][]byte {
	t := tree{"kustomization.yaml": kustomization(
		each("resources", size, "- APP-deployment.yaml\n- APP-service.yaml\n"),
		each("vars", size, "- name: HOST_APP\n  objref: {apiVersion: v1, kind: Service, name: APP}\n  fieldref: {fieldpath: metadata.name}\n"))}
	for number := range size {
		t.add(app(number)+"-deployment.yaml", strings.Replace(deployment, "value: production", "value: http://$(HOST_APP)/", 1), app(number))
		t.add(app(number)+"-service.yaml", service, app(number))
	}
	return t
}

func patchFiles(size int) map[string][]byte {
	const merge = "- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: APP\n    spec:\n      replicas: 3\n"
	const operations = "- target: {kind: Deployment, name: APP}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 4}\n"
	var patches strings.Builder
	patches.WriteString("patches:\n")
	t := tree{}
	for number := range size {
		template := merge
		if number%2 == 1 {
			template = operations
		}
		patches.WriteString(strings.ReplaceAll(template, "APP", app(number)))
		t.add(app(number)+".yaml", deployment, app(number))
	}
	t["kustomization.yaml"] = kustomization(each("resources", size, "- APP.yaml\n"), patches.String())
	return t
}

func replacementFiles(size int) map[string][]byte {
	t := tree{"kustomization.yaml": kustomization(
		each("resources", size, "- APP-deployment.yaml\n- APP-configmap.yaml\n"),
		each("replacements", size, "- source: {kind: ConfigMap, name: APP, fieldPath: metadata.labels.app}\n  targets:\n"+
			"  - select: {kind: Deployment, name: APP}\n    fieldPaths: ['spec.template.spec.containers.[name=app].env.[name=MODE].value']\n"))}
	for number := range size {
		t.add(app(number)+"-deployment.yaml", deployment, app(number))
		t.add(app(number)+"-configmap.yaml", configMap, app(number))
	}
	return t
}

func generatorFiles(size int) map[string][]byte {
	t := tree{"kustomization.yaml": kustomization(
		each("resources", size, "- APP.yaml\n"),
		each("configMapGenerator", size, "- name: APP\n  literals: [name=APP, level=info]\n  files: [APP.json]\n"))}
	for number := range size {
		t.add(app(number)+".yaml", deployment, app(number))
		t.add(app(number)+".json", "{\"name\": \"APP\"}\n", app(number))
	}
	return t
}

func deepFiles(size int) map[string][]byte {
	t := tree{}
	for layer := range layers {
		dir := fmt.Sprintf("layer-%02d", layer)
		resources := each("resources", size, "- APP.yaml\n")
		if layer > 0 {
			resources += fmt.Sprintf("- ../layer-%02d\n", layer-1)
		}
		t[dir+"/kustomization.yaml"] = kustomization(resources, "namePrefix: l-\n",
			fmt.Sprintf("labels:\n- pairs: {layer-%02d: here}\n", layer))
		for number := range size {
			t.add(dir+"/"+app(number)+".yaml", deployment, fmt.Sprintf("%s-%02d", app(number), layer))
		}
	}
	return t
}

func wideFiles(size int) map[string][]byte {
	t := tree{"kustomization.yaml": kustomization(each("components", size, "- components/APP\n"))}
	for number := range size {
		dir := "components/" + app(number) + "/"
		t.add(dir+"kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources:\n- deployment.yaml\n"+
			"patches:\n- target: {kind: Deployment, name: APP}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 4}\n", app(number))
		t.add(dir+"deployment.yaml", deployment, app(number))
	}
	return t
}
