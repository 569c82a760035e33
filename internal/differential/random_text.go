package differential

import (
	"fmt"
	"strings"
)

// textTree is a small tree of which the files are written as text and not printed from nodes, since a printer knows one
// way to write a thing and people know many: every form of scalar, key, block and separator that YAML has, in resources,
// patches and the kustomization file, below a few fields that make kustomize rewrite them.
func (g *generator) textTree() string {
	g.odd = pick(g, 0.02, 0.05, 0.1, 0.25)
	g.folder = "base"
	var resources strings.Builder
	for i := range 1 + g.IntN(2) {
		if i > 0 || g.chance(0.15) {
			resources.WriteString(g.textSeparator())
		}
		resources.WriteString(g.textObject())
	}
	if g.chance(0.05) {
		resources.WriteString(g.textSeparator())
	}
	g.write("r.yaml", resources.String())
	g.write("kustomization.yaml", "resources:\n- r.yaml\n"+g.textFields())
	if g.chance(0.4) {
		g.folder = "top"
		g.write("kustomization.yaml", "resources:\n- ../base\n"+g.textFields())
	}
	return g.folder
}

// write writes a file of the folder, sometimes with other ends of lines or something odd around it.
func (g *generator) write(name, text string) {
	if g.chance(0.1) {
		switch g.IntN(7) {
		case 0:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 1:
			text = strings.TrimRight(text, "\n")
		case 2:
			text = "\ufeff" + text
		case 3:
			text = "# first\n\n" + text
		case 4:
			text += "\n\n# last\n"
		case 5:
			text = "---\n" + text + "---\n"
		default:
			text += "...\n"
		}
	}
	g.tree[g.folder+"/"+name] = []byte(text)
}

func (g *generator) textSeparator() string {
	if !g.chance(g.odd) {
		return "---\n"
	}
	return pick(g, oddSeparators...)
}

func (g *generator) textObject() string {
	metadata := g.textMetadata(pick(g, "a", "b", "web", "x-1"))
	switch g.IntN(4) {
	case 0:
		return "apiVersion: v1\nkind: ConfigMap\n" + metadata + "data:" + g.textMapping(2, 0)
	case 1:
		return "apiVersion: example.com/v1\nkind: Widget\n" + metadata + "spec:" + g.textMapping(2, 2)
	case 2:
		return "apiVersion: apps/v1\nkind: Deployment\n" + metadata + g.textDeployment()
	default:
		return "apiVersion: v1\nkind: Service\n" + metadata + "spec:\n  selector:" + g.textMapping(4, 0) +
			"  ports:\n  - port: " + g.textNumber() + "\n    name: " + g.textScalar(6) + "\n"
	}
}

func (g *generator) textDeployment() string {
	image := pick(g, "nginx", "nginx:1.0", "\"nginx\"", "'nginx:1'", "nginx@sha256:abc", g.textScalar(10))
	return "spec:\n  replicas: " + g.textNumber() +
		"\n  template:\n    metadata:\n      labels:" + g.textMapping(8, 0) +
		"    spec:\n      containers:\n      - name: main\n        image: " + image +
		"\n        args:" + g.textList(pick(g, 8, 10), 0) +
		"        env:\n        - name: A\n          value: " + g.textScalar(12) + "\n"
}

func (g *generator) textMetadata(name string) string {
	text := "metadata:\n  name: " + name + pick(g, "\n", "\n", "\n", " # name\n", "  \n")
	if g.chance(0.2) {
		text += "  labels:" + g.textMapping(4, 0)
	}
	if g.chance(0.2) {
		text += "  annotations:" + g.textMapping(4, 0)
	}
	if g.chance(0.1) {
		text += "  namespace: " + pick(g, "ns", "default", "\"\"", "~", g.textScalar(4)) + "\n"
	}
	return text
}

// textMapping is a mapping from behind the colon, with its members at the column.
func (g *generator) textMapping(column, depth int) string {
	if g.chance(0.04) {
		if !g.chance(g.odd) {
			return " {a: b, 'c': \"d\"}\n"
		}
		return " " + g.flow(2) + "\n"
	}
	pad := strings.Repeat(" ", column)
	text := "\n"
	switch {
	case g.chance(0.15):
		text = pick(g, " # note\n", " !!map\n", "  \n")
	case column == 4 && depth == 0 && g.chance(0.05):
		text = " &m\n"
	}
	seen := map[string]bool{}
	for range 1 + g.IntN(3) {
		if g.chance(g.odd / 4) {
			text += pick(g, "\n", pad+"# note\n", "# far left\n", pad+"  # far right\n", pad+"\n", "\t\n", " \n")
		}
		key := g.textKey()
		if seen[key] && g.chance(0.98) {
			continue
		}
		seen[key] = true
		text += pad + key + g.textValue(column, depth)
	}
	if strings.HasPrefix(text, " &m") {
		text = strings.ReplaceAll(text, "*m", "m") // kustomize does not survive an alias inside of its anchor
	}
	return text
}

func (g *generator) textValue(column, depth int) string {
	if depth > 0 && g.chance(0.4) {
		if g.chance(0.5) {
			return g.textList(column+pick(g, 0, 2), depth-1)
		}
		return g.textMapping(column+pick(g, 2, 2, 2, 4, 1), depth-1)
	}
	return " " + g.textScalar(column+2) + "\n"
}

func (g *generator) textList(column, depth int) string {
	pad := strings.Repeat(" ", column)
	if g.chance(0.04) {
		return " " + pick(g, "[]", "[a]", "[ a, b ]", "[a, b,]", "[\n "+pad+"a, # note\n "+pad+"b]") + "\n"
	}
	text := "\n"
	for range 1 + g.IntN(3) {
		if depth > 0 && g.chance(0.4) {
			text += pad + "- a:" + g.textValue(column+2, depth-1) + pad + "  b: " + g.textScalar(column+4) + "\n"
		} else {
			text += pad + pick(g, "- ", "- ", "- ", "-   ", "- # note\n"+pad+"  ") + g.textScalar(column+2) + "\n"
		}
	}
	return text
}

func (g *generator) textKey() string {
	if !g.chance(g.odd / 2) {
		return pick(g, "a", "b", "c", "name", "value", "app", "key.x", "x-y/z") + ":"
	}
	return pick(g, oddKeys...) + ":"
}

// textScalar is a scalar; the lines of one that has several are indented by the column.
func (g *generator) textScalar(column int) string {
	if !g.chance(g.odd) {
		return pick(g, "red", "one two", "x", "\"1\"", "'q'", "blue")
	}
	switch {
	case g.chance(0.2):
		return g.blockScalar(column)
	case g.chance(0.12):
		return g.escaped()
	case g.chance(0.15):
		return g.flow(2)
	}
	return pick(g, oddScalars...)
}

func (g *generator) textNumber() string {
	if g.chance(g.odd) {
		return g.textScalar(10)
	}
	return "3"
}

func (g *generator) blockScalar(column int) string {
	pad := strings.Repeat(" ", column)
	text := pick(g, "|", "|-", "|+", ">", ">-", ">+", "|2", ">2", "|2-", ">-2", "| # note", "|+2", "!!str |", "&b |", "|1")
	for range g.IntN(4) {
		line := pick(g, oddLines...)
		text += "\n"
		if line != "" || g.chance(0.2) {
			text += pad
		}
		text += line
	}
	return text
}

// escaped is a text of any characters in double quotes.
func (g *generator) escaped() string {
	var text strings.Builder
	for range 1 + g.IntN(40) {
		text.WriteString(pick(g, "a", "word", " ", " ", "  ", "\n", "\n", "\t", "\r", ": ", " #", "- ", "'", "\"", "\\", "é", "😀", "\u0085",
			"\u2028", "\u00a0", "\ufeff", "\x00", "\x1b", "\x7f", "---", "{", "]", ",", "&", "*", "!", "|", ">", "%", "@", "`", "0", "1", "~", "=",
			"long words and ", "$(A)", "<b>"))
	}
	return mustJSON(text.String())
}

func (g *generator) flow(depth int) string {
	value := func() string {
		if depth > 0 && g.chance(0.25) {
			return g.flow(depth - 1)
		}
		return pick(g, "a", "1", "'x'", "\"y\"", "null", "~", "true", "1.50", "a b", "", "0x1", "x#y", "http://x", "[]", "{}", "\"a\\tb\"",
			"*u", "&f v", "no", "2001-01-01")
	}
	if g.chance(0.5) {
		return "[" + value() + pick(g, ", ", ",", " , ") + value() + pick(g, "]", "]", ",]", " ]")
	}
	return "{" + pick(g, "a: ", "\"a\":", "'a': ", "a : ", "? a : ", "1: ", "<<: ", "a b: ") + value() + pick(g, ", ", ",") +
		pick(g, "b: ", "c: ", "\"b\": ") + value() + pick(g, "}", "}", ",}", " }")
}

// textFields is up to three fields of a kustomization, most with a place for an odd scalar.
func (g *generator) textFields() string {
	var text strings.Builder
	if g.chance(g.odd / 4) {
		text.WriteString("x-anchors: &m {a: b}\n")
	}
	seen := map[string]bool{}
	for range g.IntN(4) {
		field := pick(g, textFieldMakers...)(g)
		key, _, _ := strings.Cut(field, ":")
		if seen[key] && g.chance(0.99) {
			continue
		}
		seen[key] = true
		text.WriteString(field)
	}
	return text.String()
}

var textFieldMakers = []func(*generator) string{
	func(g *generator) string {
		return "namespace: " + pick(g, "ns", "prod", "\"q\"", g.textScalar(2)) + "\n"
	},
	func(g *generator) string { return "namePrefix: " + pick(g, "p-", "'1'", g.textScalar(2)) + "\n" },
	func(g *generator) string { return "nameSuffix: " + pick(g, "-s", "\"0\"", g.textScalar(2)) + "\n" },
	func(g *generator) string { return "commonLabels:" + g.textMapping(2, 0) },
	func(g *generator) string { return "commonAnnotations:" + g.textMapping(2, 0) },
	func(g *generator) string {
		return "labels:\n- pairs:" + g.textMapping(4, 0) + pick(g, "", "  includeSelectors: true\n", "  includeTemplates: true\n")
	},
	func(g *generator) string {
		return "images:\n- name: " + pick(g, "nginx", g.textScalar(4)) + "\n  newTag: " + g.textScalar(4) + "\n"
	},
	func(g *generator) string {
		return "replicas:\n- name: " + pick(g, "web", "a") + "\n  count: " + g.textNumber() + "\n"
	},
	(*generator).textLiterals,
	(*generator).textEnvs,
	(*generator).textFiles,
	(*generator).textPatchFile,
	(*generator).textOperation,
	(*generator).textReplacement,
	func(g *generator) string {
		return "replacements:\n- sourceValue: " + g.textScalar(4) + "\n  targets:\n  - select: {kind: Widget}\n" +
			"    fieldPaths: [spec.z]\n    options: {create: true}\n"
	},
	func(*generator) string { return "sortOptions: {order: fifo}\n" },
	func(*generator) string { return "buildMetadata: [originAnnotations]\n" },
}

func (g *generator) textLiterals() string {
	literal := pick(g, "b=2", "\"b=1\"", "'b=it''s'", "b=\"q\"", "b='q'", "b=", g.textScalar(4))
	return "configMapGenerator:\n- name: gen\n  literals:\n  - a=" + pick(g, "1", "x", "''", g.textScalar(4)) + "\n  - " + literal + "\n" +
		pick(g, "", "  options:\n    labels:"+g.textMapping(6, 0))
}

func (g *generator) textEnvs() string {
	var text strings.Builder
	for i := range g.IntN(4) {
		text.WriteString(pick(g, "", "", " ", "\t", "\ufeff", "# "))
		text.WriteString(pick(g, fmt.Sprint("A", i), "b.c", "export X", "x-y", "=", "é", "A B", "HOME"))
		text.WriteString(pick(g, "=", "=", "=", " = ", ""))
		text.WriteString(pick(g, "1", "two words", "\"q\"", "'q'", " pad ", "", "a=b", "#x", "é", "$HOME", "\\n"))
		text.WriteString(pick(g, "\n", "\n", "\r\n", "\n\n", ""))
	}
	g.tree[g.folder+"/p-env"] = []byte(text.String())
	return "secretGenerator:\n- name: gen\n  envs:\n  - p-env\n"
}

func (g *generator) textFiles() string {
	g.tree[g.folder+"/p-file"] = []byte(pick(g, oddFiles...))
	return "configMapGenerator:\n- name: gen\n  files:\n  - p-file\n"
}

func (g *generator) textPatchFile() string {
	object := pick(g, [3]string{"ConfigMap", "v1", "data"}, [3]string{"Widget", "example.com/v1", "spec"}, [3]string{"Service", "v1", "spec"},
		[3]string{"Deployment", "apps/v1", "spec"})
	g.write("p-patch.yaml", "apiVersion: "+object[1]+"\nkind: "+object[0]+"\n"+g.textMetadata(pick(g, "a", "b", "web", "x-1"))+
		object[2]+":"+g.textMapping(2, 2))
	field := "patches:\n- path: p-patch.yaml\n"
	if g.chance(0.5) {
		field += "  target:\n    kind: " + pick(g, object[0], object[0], ".*") + "\n"
	}
	return field
}

func (g *generator) textOperation() string {
	path := pick(g, "data", "spec", "metadata/annotations", "data/new", "spec/new", "metadata/labels")
	return "patches:\n- target: {kind: \"ConfigMap|Widget|Service|Deployment\"}\n  patch: |-\n    - op: " +
		pick(g, "add", "add", "add", "replace", "test") + "\n      path: /" + path +
		"\n      value:" + pick(g, g.textMapping(8, 1), " "+g.textScalar(8)+"\n")
}

func (g *generator) textReplacement() string {
	from := pick(g, "ConfigMap, fieldPath: data.a", "ConfigMap, fieldPath: data.b", "Widget, fieldPath: spec.a", "Widget, fieldPath: spec.b",
		"Service, fieldPath: spec.selector.a", "Widget, fieldPath: metadata.name", "ConfigMap, fieldPath: metadata.labels.a")
	to := pick(g, "spec.z", "data.z", "metadata.annotations.z", "spec.a", "data.a", "metadata.labels.a", "spec.replicas")
	return "replacements:\n- source: {kind: " + from + "}\n  targets:\n  - select: {kind: " +
		pick(g, "Widget", "ConfigMap", "Service", "Deployment") + "}\n    fieldPaths: [" + to + "]\n    options: {create: true}\n"
}
