//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// attack is a tree that tries to use up the machine that checks it.
type attack struct {
	name string // what follows "a repository with"
	tree func(w *writer)
	// want is how the verdict of kls begins, as its last line has it.
	want string
	// root is what kustomize is given to build; empty for what it does not read.
	root string
	// slow is true for what takes more than a few seconds.
	slow bool
}

// writer writes the files of a tree. Its first error stays.
type writer struct {
	dir string
	err error
}

func (w *writer) file(path string, text ...string) {
	path = filepath.Join(w.dir, filepath.FromSlash(path))
	if w.err == nil {
		w.err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if w.err == nil {
		w.err = os.WriteFile(path, []byte(strings.Join(text, "")), 0o644)
	}
}

func (w *writer) link(path, target string) {
	path = filepath.Join(w.dir, filepath.FromSlash(path))
	if w.err == nil {
		w.err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if w.err == nil {
		w.err = os.Symlink(target, path)
	}
}

func configMap(name string, rest ...string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n" + strings.Join(rest, "")
}

// lines is a text for each number below count.
func lines(count int, line func(i int) string) string {
	var b strings.Builder
	for i := range count {
		b.WriteString(line(i))
	}
	return b.String()
}

func same(line string) func(int) string { return func(int) string { return line } }

func numbered(format string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(format, "%d", fmt.Sprint(i)) }
}

// after is numbered from 1, with the number before at %p.
func after(format string) func(int) string {
	return func(i int) string {
		return strings.NewReplacer("%d", fmt.Sprint(i+1), "%p", fmt.Sprint(i)).Replace(format)
	}
}

const plain = "resources: [a.yaml]\n"

var attacks = []attack{
	{name: "copies in a JSON patch", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "patches: [{path: p.yaml, target: {kind: ConfigMap}}]\n")
			w.file("a.yaml", configMap("a", "data: {a: b}\n"))
			w.file("p.yaml", lines(40, numbered("- {op: copy, from: /data, path: /data/x%d}\n")))
		}},
	{name: "copies of a string in a JSON patch", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "patches: [{path: p.yaml, target: {kind: ConfigMap}}]\n")
			w.file("a.yaml", configMap("a", "data: {a: ", strings.Repeat("x", 1<<20), "}\n"))
			w.file("p.yaml", lines(4000, numbered("- {op: copy, from: /data/a, path: /data/x%d}\n")))
		}},
	{name: "replacements that double a mapping", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "replacements:\n", lines(40, numbered(
				"- {source: {kind: ConfigMap, fieldPath: data}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.x%d], options: {create: true}}]}\n")))
			w.file("a.yaml", configMap("a", "data: {a: b}\n"))
		}},
	{name: "replacements that double a string", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "replacements:\n", lines(40, same(
				"- {source: {kind: ConfigMap, fieldPath: data.a}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.b], options: {delimiter: ',', index: -1}}]}\n"+
					"- {source: {kind: ConfigMap, fieldPath: data.b}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]}\n")))
			w.file("a.yaml", configMap("a", "data: {a: b, b: c}\n"))
		}},
	{name: "vars that double a string", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "vars:\n", lines(40, numbered("- {name: V%d, objref: {kind: ConfigMap, apiVersion: v1, name: c%d}, fieldref: {fieldpath: data.a}}\n")),
				"configurations: [c.yaml]\n")
			w.file("c.yaml", "varReference: [{path: data/a}]\n")
			w.file("a.yaml", configMap("c0", "data: {a: ", strings.Repeat("x", 1000), "}\n"), lines(39, after("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\ndata: {a: $(V%p)$(V%p)}\n")))
		}},
	{name: "nested aliases", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data:\n  x0: &x0 [a, a]\n", lines(30, after("  x%d: &x%d [*x%p, *x%p]\n"))))
		}},
	{name: "nested aliases in the kustomization", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "x0: &x0 [a, a]\n", lines(30, after("x%d: &x%d [*x%p, *x%p]\n")))
			w.file("a.yaml", configMap("a"))
		}},
	{name: "nested aliases in .kls.yaml", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file(".kls.yaml", "x0: &x0 [a, a]\n", lines(30, after("x%d: &x%d [*x%p, *x%p]\n")))
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a"))
		}},
	{name: "nested aliases in definitions", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "crds: [c.yaml]\nopenapi: {path: c.yaml}\n")
			w.file("c.yaml", "x0: &x0 [a, a]\n", lines(30, after("x%d: &x%d [*x%p, *x%p]\n")))
			w.file("a.yaml", configMap("a"))
		}},
	{name: "merge keys", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "x0: &x0 {a: {b: c}}\n", lines(30, after("x%d: &x%d {<<: *x%p, y%d: *x%p}\n"))))
		}},
	{name: "a mapping of 300,000 keys merged 100 times", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "x: &x\n", lines(300_000, numbered("  k%d: v\n")), lines(100, numbered("y%d: {<<: *x}\n"))))
		}},
	{name: "a flow list of 10 million entries", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data: [", strings.Repeat("1,", 10_000_000), "1]\n"))
		}},
	{name: "a list of 10 million empty entries", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data:\n", strings.Repeat("-\n", 10_000_000)))
		}},
	{name: "a kustomization with a list of 10 million entries", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "resources: [", strings.Repeat("a,", 10_000_000), "a]\n")
		}},
	{name: "32 MB of zero bytes", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", strings.Repeat("\x00", 32<<20))
		}},
	{name: "a kustomization of 32 MB of zero bytes", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", strings.Repeat("\x00", 32<<20))
		}},
	{name: "32 MB of control characters", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data:\n", strings.Repeat("  a: \x01\n", 32<<17)))
		}},
	{name: "32 MB of bytes that are not UTF-8", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", strings.Repeat("\xff\xfa\n", 32<<20/3))
		}},
	{name: "a million lines that are not YAML", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a"), strings.Repeat("\"a: b\n}: [\n", 500_000))
		}},
	{name: "a million lines that begin with tabs", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data:\n"), strings.Repeat("\ta: b\n", 1_000_000))
		}},
	{name: "a kustomization of a million lines that are not YAML", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "resources:\n", strings.Repeat("- \"a: b\n}: [\n", 500_000))
		}},
	{name: "ten million open brackets", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", strings.Repeat("[", 10_000_000))
		}},
	{name: "ten million open braces in the kustomization", root: ".", want: "1 failed",
		tree: func(w *writer) { w.file("kustomization.yaml", strings.Repeat("{", 10_000_000)) }},
	{name: "five million question marks", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", strings.Repeat("? ", 5_000_000))
		}},
	{name: "9,000 nested lists", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "namePrefix: a-\nlabels: [{pairs: {a: b}}]\n")
			w.file("a.yaml", configMap("a", "data: ", strings.Repeat("[", 9000), strings.Repeat("]", 9000), "\n"))
		}},
	{name: "a line of a million dashes", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", strings.Repeat("- ", 1_000_000))
		}},
	{name: "a mapping 5,000 levels deep", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data:\n"), lines(5000, func(i int) string { return strings.Repeat(" ", i+1) + "a:\n" }))
		}},
	{name: "a million documents", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", strings.Repeat("a: b\n---\n", 1_000_000))
		}},
	{name: "300,000 resources", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "namePrefix: a-\n")
			w.file("a.yaml", lines(300_000, numbered("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n---\n")))
		}},
	{name: "a million keys twice", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data:\n", lines(500_000, numbered("  k%d: v\n")), lines(500_000, numbered("  k%d: v\n"))))
		}},
	{name: "one line of 60 MB", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data: {a: ", strings.Repeat("x", 60<<20), "}\n"))
		}},
	{name: "one quoted line of 60 MB", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "data: {a: \"", strings.Repeat("x ", 30<<20), "\"}\n"))
		}},
	{name: "a comment of 60 MB", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a", "# ", strings.Repeat("x", 60<<20), "\n"))
		}},
	{name: "10 million comment lines", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, strings.Repeat("#\n", 10_000_000))
			w.file("a.yaml", configMap("a"), strings.Repeat("#a\n", 10_000_000))
		}},
	{name: "10 million blank lines", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, strings.Repeat("\n", 10_000_000))
			w.file("a.yaml", configMap("a"), strings.Repeat("\n", 60<<20))
		}},
	{name: "a million suppressing comments", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, strings.Repeat("# kls:ignore missing-path because\n", 1_000_000))
			w.file("a.yaml", configMap("a"))
		}},
	{name: "an include chain of 1,000 folders", root: "0", want: "1001 built",
		tree: func(w *writer) {
			for i := range 1000 {
				w.file(fmt.Sprintf("%d/kustomization.yaml", i), fmt.Sprintf("namePrefix: p-\nresources: [../%d]\n", i+1))
			}
			w.file("1000/kustomization.yaml", plain)
			w.file("1000/a.yaml", configMap("a"))
		}},
	{name: "folders included twice by each other, 30 deep", root: "0", want: "4 built, 58 failed",
		tree: func(w *writer) {
			for i := range 30 {
				w.file(fmt.Sprintf("%d/kustomization.yaml", i), fmt.Sprintf("resources: [../%d, ../%dx]\n", i+1, i+1))
				w.file(fmt.Sprintf("%dx/kustomization.yaml", i), fmt.Sprintf("nameSuffix: -x\nresources: [../%d, ../%dx]\n", i+1, i+1))
			}
			w.file("30/kustomization.yaml", plain)
			w.file("30/a.yaml", configMap("a"))
			w.file("30x/kustomization.yaml", "nameSuffix: -x\n", plain)
			w.file("30x/a.yaml", configMap("a"))
		}},
	{name: "components included twice by each other, 30 deep", root: "0", want: "1 failed, 62 components",
		tree: func(w *writer) {
			const kind = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
			w.file("kustomization.yaml", "components: [0]\n")
			for i := range 30 {
				w.file(fmt.Sprintf("%d/kustomization.yaml", i), kind, fmt.Sprintf("components: [../%d, ../%dx]\n", i+1, i+1))
				w.file(fmt.Sprintf("%dx/kustomization.yaml", i), kind, fmt.Sprintf("nameSuffix: -x\ncomponents: [../%d, ../%dx]\n", i+1, i+1))
			}
			w.file("30/kustomization.yaml", kind, plain)
			w.file("30/a.yaml", configMap("a"))
			w.file("30x/kustomization.yaml", kind, "nameSuffix: -x\n", plain)
			w.file("30x/a.yaml", configMap("a"))
		}},
	{name: "a component listed 5,000 times in each of 3 layers", root: "0", want: "1 unknown, 3 components",
		tree: func(w *writer) {
			const kind = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
			w.file("kustomization.yaml", plain, "components:\n", strings.Repeat("- x\n", 5000))
			w.file("a.yaml", configMap("a"))
			w.file("x/kustomization.yaml", kind, "components:\n", strings.Repeat("- ../y\n", 5000))
			w.file("y/kustomization.yaml", kind, "components:\n", strings.Repeat("- ../z\n", 5000))
			w.file("z/kustomization.yaml", kind, "labels: [{pairs: {a: b}}]\n")
		}},
	{name: "20,000 patterns in exclude", root: "0", want: "2000 built",
		tree: func(w *writer) {
			w.file(".kls.yaml", "exclude:\n", lines(20_000, numbered("- \"x%d/**/y*\"\n")))
			for i := range 2000 {
				w.file(fmt.Sprintf("%d/kustomization.yaml", i), plain)
				w.file(fmt.Sprintf("%d/a.yaml", i), configMap("a"))
			}
		}},
	{name: "patterns of many stars in exclude", root: "0", want: "497 built",
		tree: func(w *writer) {
			w.file(".kls.yaml", "exclude:\n", lines(2000, func(i int) string { return "- \"" + strings.Repeat("**/*a", 100) + fmt.Sprint(i) + "\"\n" }))
			for i := range 500 {
				name := strings.Repeat("a", 100) + "/" + strings.Repeat("a", 100) + fmt.Sprint(i)
				w.file(name+"/kustomization.yaml", plain)
				w.file(name+"/a.yaml", configMap("a"))
			}
		}},
	{name: "definitions that refer to the next one twice, 40 deep", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "crds: [c.json]\n")
			w.file("a.yaml", configMap("a"))
			w.file("c.json", "{", lines(40, func(i int) string {
				return fmt.Sprintf(`"d%d": {"Schema": {"properties": {"a": {"$ref": "d%d"}, "b": {"$ref": "d%d"}, "c": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "Secret"}}}},`, i, i+1, i+1)
			}), `"d40": {"Schema": {"properties": {"kind": {}, "x": {"x-kubernetes-object-ref-api-version": "v1", "x-kubernetes-object-ref-kind": "Secret"}}}}}`)
		}},
	{name: "an OpenAPI schema that refers to the next one twice, 40 deep", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "openapi: {path: c.json}\npatches: [{patch: '{apiVersion: a.b/v1, kind: A, metadata: {name: a}, spec: {x: y}}'}]\n")
			w.file("a.yaml", "apiVersion: a.b/v1\nkind: A\nmetadata: {name: a}\nspec: {a: {a: {b: {a: x}}}}\n")
			w.file("c.json", `{"definitions": {`, lines(40, func(i int) string {
				gvk := ""
				if i == 0 {
					gvk = `"x-kubernetes-group-version-kind": [{"group": "a.b", "kind": "A", "version": "v1"}], `
				}
				return fmt.Sprintf(`"d%d": {%s"type": "object", "properties": {"a": {"$ref": "#/definitions/d%d"}, "b": {"$ref": "#/definitions/d%d"}}},`, i, gvk, i+1, i+1)
			}), `"d40": {"type": "string"}}}`)
		}},
	{name: "3,000 images for 3,000 resources", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "images:\n", lines(3000, numbered("- {name: i%d, newTag: x}\n")))
			w.file("a.yaml", lines(3000, numbered("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: c%d}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: i%d}]}}}\n---\n")))
		}},
	{name: "3,000 patterns of images for 3,000 resources", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "images:\n", lines(3000, numbered("- {name: \"(i+|j*)*%d\", newTag: x}\n")))
			w.file("a.yaml", lines(3000, numbered("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: c%d}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: iiiiiiiiiiiiiiiiiiiii}]}}}\n---\n")))
		}},
	{name: "3,000 patches for all of 3,000 resources", root: ".", want: "1 unknown", slow: true,
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "patches:\n", lines(3000, numbered("- {patch: '[{\"op\": \"add\", \"path\": \"/data/x%d\", \"value\": \"y\"}]', target: {kind: ConfigMap}}\n")))
			w.file("a.yaml", lines(3000, numbered("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\ndata: {a: b}\n---\n")))
		}},
	{name: "3,000 strategic merge patches for all of 3,000 resources", root: ".", want: "1 unknown", slow: true,
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "patches:\n", lines(3000, numbered("- {patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x%d: y}}', target: {kind: ConfigMap}}\n")))
			w.file("a.yaml", lines(3000, numbered("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\ndata: {a: b}\n---\n")))
		}},
	{name: "3,000 replacements into all of 3,000 resources", root: ".", want: "1 unknown", slow: true,
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "replacements:\n", lines(3000, numbered("- {source: {kind: ConfigMap, name: c%d, fieldPath: data.a}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.x%d], options: {create: true}}]}\n")))
			w.file("a.yaml", lines(3000, numbered("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\ndata: {a: b}\n---\n")))
		}},
	{name: "replacements with wildcards at each of 7 levels", root: ".", want: "1 unknown", slow: true,
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "replacements:\n", lines(100, same("- {source: {kind: ConfigMap, name: a, fieldPath: metadata.name}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.*.*.*.*.*.*.*.x]}]}\n")))
			level := "{x: y}"
			for range 7 {
				level = "[" + strings.Repeat(level+", ", 5) + level + "]"
			}
			w.file("a.yaml", configMap("a", "data: ", level, "\n"))
		}},
	{name: "10,000 patches whose targets match nothing among 10,000 resources", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "patches:\n", lines(10_000, numbered("- {patch: '[{\"op\": \"add\", \"path\": \"/data/x\", \"value\": \"y\"}]', target: {kind: ConfigMap, name: a-name-that-is-long-%dx}}\n")))
			w.file("a.yaml", lines(10_000, numbered("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-name-that-is-long-%d}\n---\n")))
		}},
	{name: "3,000 selectors of nested repetitions", root: ".", want: "1 unknown", slow: true,
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "patches:\n", lines(3000, numbered("- {patch: '[{\"op\": \"add\", \"path\": \"/metadata/x\", \"value\": \"y\"}]', target: {name: '((a{1,30}){1,30})*%d'}}\n")))
			w.file("a.yaml", lines(300, func(i int) string {
				return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + strings.Repeat("a", 200) + fmt.Sprint(i) + "}\n---\n"
			}))
		}},
	{name: "10,000 missing files beside 10,000 names", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "resources:\n", lines(10_000, numbered("- a-name-that-is-long-%dx.yaml\n")))
			for i := range 10_000 {
				w.file(fmt.Sprintf("a-name-that-is-long-%d.yaml", i), "")
			}
		}},
	{name: "100,000 unknown fields", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, lines(100_000, numbered("resource%d: a\n")))
			w.file("a.yaml", configMap("a"))
		}},
	{name: "10,000 field specs for 3,000 resources", root: ".", want: "1 unknown", slow: true,
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "namePrefix: a-\ncommonLabels: {a: b}\nconfigurations: [c.yaml]\n")
			w.file("c.yaml", "commonLabels:\n", lines(10_000, numbered("- {path: spec/a%d/b, create: true}\n")), "namePrefix:\n", lines(10_000, numbered("- {path: spec/n%d}\n")),
				"nameReference:\n- kind: ConfigMap\n  fieldSpecs:\n", lines(10_000, numbered("  - {path: spec/r%d}\n")))
			w.file("a.yaml", lines(3000, numbered("apiVersion: a.b/v1\nkind: A\nmetadata: {name: c%d}\nspec: {r1: a, r2: b}\n---\n")))
		}},
	{name: "a text of 32 MB in 100 generators", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "configMapGenerator:\n", lines(100, numbered("- {name: c%d, files: [a.txt]}\n")))
			w.file("a.txt", strings.Repeat("x\n", 16<<20))
		}},
	{name: "an env file of a million lines", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "configMapGenerator:\n- {name: c, envs: [a.env]}\n")
			w.file("a.env", lines(1_000_000, numbered("K%d=v\n")))
		}},
	{name: "an env file of a million mistakes", root: ".", want: "1 unknown",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "configMapGenerator:\n- {name: c, envs: [a.env]}\n")
			w.file("a.env", strings.Repeat("1!=\n", 1_000_000))
		}},
	{name: "a .kls.yaml of 50 MB", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file(".kls.yaml", "rules:\n", lines(2_000_000, numbered("  rule-%d: off\n")))
			w.file("kustomization.yaml", plain)
			w.file("a.yaml", configMap("a"))
		}},
	{name: "overrides of 20,000 paths", root: "0", want: "500 failed",
		tree: func(w *writer) {
			w.file(".kls.yaml", "overrides:\n", lines(20_000, numbered("- {paths: [\"x%d/**\"], rules: {missing-path: off}}\n")))
			for i := range 500 {
				w.file(fmt.Sprintf("%d/kustomization.yaml", i), plain)
			}
		}},
	{name: "links that lead to each other", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "resources: [l0, d/d/d/d/d/d/d/d/d/d]\n")
			w.link("l0", "l1")
			w.link("l1", "l0")
			for i := range 10 {
				w.link(fmt.Sprintf("d%d", i), ".")
			}
			w.link("d", ".")
		}},
	{name: "a folder of 100,000 files", root: ".", want: "1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "resources: [b.yaml]\n")
			for i := range 100_000 {
				w.file(fmt.Sprintf("f%d.yaml", i), "")
			}
		}},
	{name: "folders 1,900 deep", root: ".", want: "1 built, 1 failed",
		tree: func(w *writer) {
			w.file("kustomization.yaml", "resources: [a.yaml]\n")
			w.file("a.yaml", configMap("a"))
			w.file(strings.Repeat("a/", 1900)+"kustomization.yaml", plain)
		}},
	{name: "JSON in JSON in JSON, 20 times", root: ".", want: "1 built",
		tree: func(w *writer) {
			w.file("kustomization.yaml", plain, "replacements:\n- {source: {kind: ConfigMap, name: a, fieldPath: metadata.name}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a.a.a.a.a.a.a.a.a.a.a]}]}\n")
			text := "x"
			for range 20 {
				text = fmt.Sprintf("{\"a\": %q}", text)
				if len(text) > 30<<20 {
					break
				}
			}
			w.file("a.yaml", configMap("a", "data: {a: '", strings.ReplaceAll(text, "'", "''"), "'}\n"))
		}},
}
