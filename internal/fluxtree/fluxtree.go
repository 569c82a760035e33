// Package fluxtree makes random checkouts with Flux Kustomizations, and holds what kls
// renders of them against what Flux's own code rendered: internal/fluxoracle, a module of
// its own, writes that down, so that nobody who works on kls has to download Flux.
package fluxtree

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kustomize-lsp/kls/internal/differential"
)

// Parent is the file with the Kustomization that renders all others of a random checkout.
const Parent = "clusters/parent.yaml"

// Random returns a checkout. The same seed gives the same bytes, but for those with an
// odd seed, which deploy trees of package differential.
func Random(seed uint64) differential.Tree {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 19)), tree: differential.Tree{}}
	g.components()
	for i := range 1 + g.IntN(3) {
		name := fmt.Sprintf("app%d", i)
		folder := "apps/" + name
		if seed%2 == 1 && i == 0 {
			folder = g.differential(seed)
		} else {
			g.folder(folder, 0)
		}
		g.tree["deploy/"+name+".yaml"] = document(g.kustomization(name, folder))
	}
	if g.chance(0.3) {
		g.tree["deploy/settings.yaml"] = g.settings()
	}
	if g.chance(0.5) {
		g.tree["deploy/kustomization.yaml"] = g.listing("deploy", map[string]any{})
	}
	parent := g.object("Kustomization", "parent")
	parent["apiVersion"] = "kustomize.toolkit.fluxcd.io/v1"
	parent["spec"] = g.parentSpec()
	g.tree[Parent] = document(parent)
	return g.tree
}

type generator struct {
	*rand.Rand
	tree differential.Tree
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func document(content any) []byte {
	text, err := yaml.Marshal(content)
	if err != nil {
		panic(err)
	}
	return text
}

// differential puts a tree of package differential below apps and returns its folder.
func (g *generator) differential(seed uint64) string {
	tree, folder := differential.Random(seed)
	for name, text := range tree {
		if g.chance(0.3) {
			text = []byte(strings.Replace(string(text), ": web", ": "+g.expression(), 1))
		}
		g.tree["apps/random/"+name] = text
	}
	return path.Join("apps/random", folder)
}

// listing writes a kustomization that lists the files of a folder.
func (g *generator) listing(folder string, fields map[string]any) []byte {
	var resources []any
	for _, name := range slices.Sorted(maps.Keys(g.tree)) {
		if path.Dir(name) == folder {
			resources = append(resources, path.Base(name))
		}
	}
	if len(resources) > 0 {
		fields["resources"] = resources
	}
	return document(fields)
}

// settings are the objects that substituteFrom names.
func (g *generator) settings() []byte {
	return []byte(`apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: flux-system}
data:
  FROM_MAP: ` + quoted(g.value()) + `
  BOTH: map
---
apiVersion: v1
kind: Secret
metadata: {name: secrets, namespace: flux-system}
data:
  BOTH: c2VjcmV0Cg==
  FROM_SECRET: aHVudGVyMg==
`)
}

func quoted(value string) string {
	text := strings.TrimSuffix(string(document([]string{value})), "\n")
	return strings.TrimPrefix(text, "- ")
}

func (g *generator) object(kind, name string) map[string]any {
	return map[string]any{"kind": kind, "metadata": map[string]any{"name": name, "namespace": "flux-system"}}
}

func (g *generator) source() map[string]any {
	return map[string]any{"kind": "GitRepository", "name": "flux-system"}
}

// parentSpec is what the Kustomization says that renders the others.
func (g *generator) parentSpec() map[string]any {
	spec := map[string]any{"path": pick(g, "./deploy", "deploy", "deploy/"), "sourceRef": g.source(), "prune": true}
	if g.chance(0.5) {
		var patches []any
		for range 1 + g.IntN(2) {
			patches = append(patches, g.parentPatch())
		}
		spec["patches"] = patches
	}
	if g.chance(0.15) {
		spec["postBuild"] = map[string]any{"substitute": map[string]any{"TEAM": "red", "COUNT": "3"}}
	}
	return spec
}

func (g *generator) parentPatch() map[string]any {
	target := map[string]any{"kind": "Kustomization"}
	if g.chance(0.3) {
		target["name"] = pick(g, "app0", "app.*", "none")
	}
	return map[string]any{"target": target, "patch": pick(g,
		"- op: add\n  path: /spec/namePrefix\n  value: patched-\n",
		"- op: add\n  path: /spec/targetNamespace\n  value: patched\n",
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: _\nspec:\n  patches:\n  - patch: |\n      apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: _\n      data:\n        patched: \"yes\"\n    target:\n      kind: ConfigMap\n",
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: _\nspec:\n  postBuild:\n    substitute:\n      PORT: \"9090\"\n")}
}

// kustomization is a Flux Kustomization that deploys a folder.
func (g *generator) kustomization(name, folder string) map[string]any {
	spec := map[string]any{"path": pick(g, "./", "", "/") + folder, "sourceRef": g.source()}
	if g.chance(0.02) {
		spec["path"] = "./nowhere"
	}
	for _, f := range []struct {
		name   string
		chance float64
		make   func() any
	}{
		{"targetNamespace", 0.4, func() any { return pick(g, "shop", "default") }},
		{"namePrefix", 0.2, func() any { return pick(g, "dev-", "") }},
		{"nameSuffix", 0.15, func() any { return "-v1" }},
		{"patches", 0.4, func() any { return g.list(2, g.patch) }},
		{"components", 0.35, func() any { return g.list(2, func() any { return g.componentPath(folder) }) }},
		{"ignoreMissingComponents", 0.15, func() any { return g.chance(0.8) }},
		{"images", 0.3, func() any { return g.list(2, g.image) }},
		{"buildMetadata", 0.1, func() any { return []any{pick(g, "originAnnotations", "transformerAnnotations")} }},
		{"patchesStrategicMerge", 0.06, func() any {
			return []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "config"}, "data": map[string]any{"old": "true"}}}
		}},
		{"patchesJson6902", 0.06, func() any {
			return []any{map[string]any{"target": map[string]any{"version": "v1", "kind": "ConfigMap", "name": "config"},
				"patch": []any{map[string]any{"op": "add", "path": "/data/json", "value": "6902"}}}}
		}},
		{"postBuild", 0.75, g.postBuild},
	} {
		if g.chance(f.chance) {
			spec[f.name] = f.make()
		}
	}
	o := g.object("Kustomization", name)
	o["apiVersion"], o["spec"] = "kustomize.toolkit.fluxcd.io/v1", spec
	return o
}

func (g *generator) list(most int, make func() any) []any {
	var items []any
	for range 1 + g.IntN(most) {
		items = append(items, make())
	}
	return items
}

func (g *generator) componentPath(folder string) any {
	up := strings.Repeat("../", strings.Count(folder, "/")+1)
	return pick(g, up+"components/labels", up+"components/extra", up+"components/extra", up+"components/none")
}

func (g *generator) components() {
	g.tree["components/labels/kustomization.yaml"] = []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels:\n- pairs:\n    team: " + pick(g, "blue", `"${TEAM:=none}"`) + "\n")
	g.tree["components/extra/kustomization.yaml"] = []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources:\n- extra.yaml\n")
	g.tree["components/extra/extra.yaml"] = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra-${NAME:=x}\ndata:\n  a: " + g.scalar() + "\n")
}

func (g *generator) patch() any {
	p := map[string]any{"patch": pick(g,
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\ndata:\n  b: patched\n",
		"- op: add\n  path: /metadata/annotations\n  value: {patched: \"${PORT}\"}\n",
		"- op: replace\n  path: /data/a\n  value: replaced\n",
		"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n      - name: app\n        env:\n        - name: A\n          value: ${A:=b}\n",
		"$patch: delete\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\n")}
	if g.chance(0.7) {
		p["target"] = pick(g, map[string]any{"kind": "ConfigMap"}, map[string]any{"kind": "ConfigMap", "name": "conf.*"},
			map[string]any{"labelSelector": "app=web"}, map[string]any{"kind": "Deployment", "group": "apps", "version": "v1"})
	}
	if g.chance(0.1) {
		p["path"] = "ignored.yaml"
	}
	return p
}

func (g *generator) image() any {
	i := map[string]any{"name": pick(g, "nginx", "registry.example.com/app", "none")}
	if g.chance(0.5) {
		i["newName"] = pick(g, "mirror/nginx", "")
	}
	if g.chance(0.6) {
		i["newTag"] = pick(g, "1.2.3", "v2")
	}
	if g.chance(0.2) {
		i["digest"] = "sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3"
	}
	return i
}

func (g *generator) postBuild() any {
	p := map[string]any{}
	if g.chance(0.9) {
		values := map[string]any{}
		for range g.IntN(6) {
			values[pick(g, names...)] = g.value()
		}
		if g.chance(0.95) {
			for _, name := range names {
				if values[name] == nil && g.chance(0.97) {
					values[name] = "plain"
				}
			}
		}
		if g.chance(0.02) {
			values[pick(g, "a-b", "1a", "a.b", "")] = "x"
		}
		if g.chance(0.02) {
			values["NUMBER"] = 5
		}
		p["substitute"] = values
	}
	if g.tree["deploy/settings.yaml"] != nil || g.chance(0.1) {
		p["substituteFrom"] = []any{map[string]any{"kind": "ConfigMap", "name": "settings"}, map[string]any{"kind": "Secret", "name": "secrets"}}
	}
	if g.chance(0.2) {
		p["substituteStrategy"] = pick(g, "Always", "WithVariables")
	}
	return p
}
