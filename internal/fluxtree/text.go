package fluxtree

import (
	"fmt"
	"path"
	"strings"
)

var names = []string{"PORT", "NAME", "A", "HOST", "_x1", "EMPTY", "FROM_MAP", "FROM_SECRET", "BOTH", "TEAM"}

// value is one of a variable: YAML reads many of them as something else than text.
func (g *generator) value() string {
	return pick(g, "80", "web", "example.com", "", "yes", "true", "null", "~", "1e3", "0x1F", "010", "1.10", "12345678901234567890",
		"a: b", "- x", "{a: b}", "[1, 2]", "# no", "'quoted'", `"double"`, "'9'", "two\nlines\n", "  spaced  ", "a/b/c", "grüße",
		"${A}", "$$", "*alias", "&anchor", "!tag", "%percent", "@at", "`tick", "|", ">", "a\tb", "2001-01-01", "1_000", "-1", "+1", ".5", "\\", "a\\nb")
}

// expression is one that a text can hold.
func (g *generator) expression() string {
	name := pick(g, names...)
	other := pick(g, names...)
	return strings.NewReplacer("%[1]s", name, "%[2]s", other, "%%", "%").Replace(pick(g, "${%[1]s}", "${%[1]s}", "${%[1]s}", "${%[1]s}", "${%[1]s:=def}", "${%[1]s:-def}", "${%[1]s:+def}", "${%[1]s=def}", "${%[1]s:?def}",
		"${%[1]s:=${%[2]s}}", "${%[1]s:=a${%[2]s:=b}c}", "${#%[1]s}", "${%[1]s^}", "${%[1]s^^}", "${%[1]s,}", "${%[1]s,,}", "${%[1]s:1}", "${%[1]s:0:2}",
		"${%[1]s/a/b}", "${%[1]s//a/b}", "${%[1]s/#a/b}", "${%[1]s/%%a/b}", "${%[1]s#a*}", "${%[1]s##a*}", "${%[1]s%%a*}", "${%[1]s%%%%a*}",
		"$%[1]s", "$${%[1]s}", "$$%[1]s", "${%[1]s:=}", "${missing:=fall back}", "${missing:=80}", "a-${%[1]s}-b", "${%[1]s}${%[2]s}", "${%[1]s}:${%[2]s}"))
}

// odd is one that Flux refuses, or a name that nothing supplies.
func (g *generator) odd() string {
	return pick(g, "${MISSING}", "${A-y}", "${a[@]}", "${A.B}", "${-x}", "${", "${A", "${}", "${A:}", "${A:x}", "$", "$$$", "$${", "${A:=", "{{ .A }}")
}

// scalar is a value as it stands in a file: plain, quoted or a block.
func (g *generator) scalar() string {
	text := "text"
	switch {
	case g.chance(0.006):
		text = g.odd()
	case g.chance(0.5):
		text = g.expression()
	}
	switch g.IntN(5) {
	case 0:
		return `"` + text + `"`
	case 1:
		return "'" + text + "'"
	case 2:
		return "|\n      first\n      " + text + "\n"
	}
	if strings.ContainsAny(text, "#:{}[]%@") && !strings.HasPrefix(text, "$") {
		return `"` + text + `"`
	}
	if strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.HasSuffix(text, ":") {
		return `"` + text + `"`
	}
	return text
}

// folder writes a folder that can be deployed, with a kustomization or without.
func (g *generator) folder(folder string, depth int) {
	for i := range 1 + g.IntN(2) {
		g.tree[fmt.Sprintf("%s/object%d.%s", folder, i, pick(g, "yaml", "yaml", "yml"))] = []byte(g.objects(depth*10 + i))
	}
	switch {
	case g.chance(0.04):
		g.tree[folder+"/odd.yaml"] = []byte(pick(g, "not: an object\n", "", "# nothing\n", "a: [", "apiVersion: v1\nkind: ConfigMap\n", "- list\n"))
	case g.chance(0.03):
		for name := range g.tree {
			if path.Dir(name) == folder {
				delete(g.tree, name)
			}
		}
		g.tree[folder+"/README.md"] = []byte("empty\n")
	}
	if depth == 0 && g.chance(0.5) {
		g.folder(folder+"/"+pick(g, "inner", "_inner", ".hidden"), 1)
	}
	if g.chance(0.6) {
		fields := map[string]any{}
		g.fields(fields)
		name := pick(g, "kustomization.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization")
		if g.chance(0.06) {
			g.tree[folder+"/"+name] = document(fields) // lists nothing
		} else {
			g.tree[folder+"/"+name] = g.listing(folder, fields)
		}
	}
}

// fields are those of a kustomization file that meet those of the object that deploys it.
func (g *generator) fields(fields map[string]any) {
	if g.chance(0.5) {
		fields["apiVersion"], fields["kind"] = "kustomize.config.k8s.io/v1beta1", "Kustomization"
	}
	if g.chance(0.3) {
		fields["namespace"] = "own"
	}
	if g.chance(0.2) {
		fields["namePrefix"] = "own-"
	}
	if g.chance(0.3) {
		fields["images"] = g.list(2, g.image)
	}
	if g.chance(0.05) {
		fields["imageTags"] = []any{map[string]any{"name": "nginx", "newTag": "old"}}
	}
	if g.chance(0.2) {
		fields["patches"] = g.list(1, func() any {
			return map[string]any{"patch": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\ndata:\n  c: own\n"}
		})
	}
	if g.chance(0.3) {
		fields["configMapGenerator"] = []any{map[string]any{"name": "made", "literals": []any{"a=" + g.expression(), "port=${PORT:=1}"}}}
	}
	if g.chance(0.1) {
		fields["buildMetadata"] = []any{"originAnnotations"}
	}
	if g.chance(0.05) {
		fields["unknownField"] = "gone"
	}
	if g.chance(0.1) {
		fields["components"] = []any{"../../components/labels"}
	}
	if g.chance(0.1) {
		fields["commonLabels"] = map[string]any{"own": "label"}
	}
	if g.chance(0.08) {
		fields["sortOptions"] = map[string]any{"order": pick(g, "legacy", "fifo")}
	}
	if g.chance(0.1) {
		fields["replicas"] = []any{map[string]any{"name": "web", "count": 5}}
	}
}

// objects are a file of resources.
func (g *generator) objects(number int) string {
	var b strings.Builder
	name := "config"
	if number > 0 {
		name = fmt.Sprintf("config%d", number)
	}
	fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n", name)
	if g.chance(0.2) {
		fmt.Fprintf(&b, "  namespace: %s\n", pick(g, "written", "${NAME:=other}"))
	}
	if g.chance(0.3) {
		fmt.Fprintf(&b, "  labels:\n    app: %s\n", pick(g, "web", "${A:=web}", `"${A}"`))
	}
	switch {
	case g.chance(0.1):
		b.WriteString("  annotations:\n    kustomize.toolkit.fluxcd.io/substitute: disabled\n")
	case g.chance(0.2):
		fmt.Fprintf(&b, "  annotations:\n    note: %s\n", g.scalarInAnnotation())
	}
	fmt.Fprintf(&b, "data:\n  a: %s\n", strings.TrimSuffix(g.scalar(), "\n"))
	if g.chance(0.5) {
		fmt.Fprintf(&b, "  b: %s\n", strings.TrimSuffix(g.scalar(), "\n"))
	}
	if g.chance(0.15) {
		fmt.Fprintf(&b, "  ${%s:=key}: value\n", pick(g, names...))
	}
	if g.chance(0.5) {
		fmt.Fprintf(&b, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web%s\nspec:\n  replicas: %s\n  template:\n    spec:\n      containers:\n      - name: app\n        image: %s\n        args: [%s, \"a\"]\n        ports:\n        - containerPort: %s\n",
			strings.TrimPrefix(name, "config"), pick(g, "1", "${PORT}", "9007199254740993", "1e2"), pick(g, "nginx", "registry.example.com/app:${A:=1}", "nginx@${A}"),
			`"`+g.expression()+`"`, pick(g, "80", "${PORT}", `"${PORT}"`))
	}
	if g.chance(0.2) {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: space%d\n", number)
	}
	if g.chance(0.2) {
		fmt.Fprintf(&b, "---\napiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: thing%d\nspec:\n  number: %s\n  list:\n  - %s\n  nested: {float: 1.50, big: 123456789012345678, yes: %s}\n", number,
			pick(g, "1.0", "100000000000000000000", "0.1", "1e21", "-0"), `"`+g.expression()+`"`, pick(g, "yes", `"no"`, `"${A}"`))
	}
	return b.String()
}

func (g *generator) scalarInAnnotation() string {
	return pick(g, `"${PORT}"`, `"a ${A:=b}"`, "text", `"80"`)
}
