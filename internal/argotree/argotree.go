// Package argotree makes random checkouts with one Application of Argo CD, whose options are applied to random
// kustomizations. internal/argooracle applies them with the real kustomize.
package argotree

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"

	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/internal/differential"
)

// URL is that of the checkout.
const URL = "https://git.example.com/random"

// ID is that of the Application.
const ID = "Application/argocd/random"

// Refused is the outcome of an Application that Argo CD refuses.
const Refused = "refused"

// Options are those of source.kustomize.
type Options struct {
	NamePrefix, NameSuffix, Namespace                              string            `json:",omitempty"`
	Images, Components                                             []string          `json:",omitempty"`
	Replicas                                                       []Replica         `json:",omitempty"`
	CommonLabels, CommonAnnotations                                map[string]string `json:",omitempty"`
	ForceCommonLabels, LabelWithoutSelector, LabelIncludeTemplates bool              `json:",omitempty"`
	ForceCommonAnnotations, CommonAnnotationsEnvsubst              bool              `json:",omitempty"`
	IgnoreMissingComponents                                        bool              `json:",omitempty"`
	Patches                                                        []Patch           `json:",omitempty"`
}

// Replica is an entry of replicas.
type Replica struct {
	Name  string `json:"name"`
	Count any    `json:"count"`
}

// Patch is an entry of patches, with the names that the kustomization file has for its fields.
type Patch struct {
	Path    string            `json:"path,omitempty"`
	Patch   string            `json:"patch,omitempty"`
	Target  map[string]string `json:"target,omitempty"`
	Options map[string]bool   `json:"options,omitempty"`
}

// Checkout is a random one.
type Checkout struct {
	// Files are relative to its root; the Application stands in one of them.
	Files map[string][]byte
	// Folder is the one that the Application deploys.
	Folder  string
	Options Options
}

type generator struct{ *rand.Rand }

func (g generator) chance(p float64) bool { return g.Float64() < p }

func pick[T any](g generator, values ...T) T { return values[g.IntN(len(values))] }

// Random makes a checkout. Every fourth has a tree of package differential, with all that kustomize has.
func Random(seed uint64) Checkout {
	g := generator{rand.New(rand.NewPCG(seed, 20))}
	c := Checkout{Files: map[string][]byte{}}
	if seed%4 == 3 {
		tree, folder := differential.Random(seed)
		for name, text := range tree {
			c.Files[path.Join("tree", name)] = text
		}
		c.Folder = path.Join("tree", folder)
	} else {
		g.tree(c.Files)
		c.Folder = "app"
	}
	c.Options = g.options()
	encoded, err := json.Marshal(map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
		"metadata": map[string]any{"name": "random", "namespace": "argocd"},
		"spec":     map[string]any{"project": "default", "source": map[string]any{"repoURL": URL, "path": c.Folder, "kustomize": lowered(c.Options)}}})
	if err != nil {
		panic(err)
	}
	c.Files["argocd/application.yaml"] = append(encoded, '\n')
	return c
}

// lowered is the JSON of options with the names that Argo CD has for them.
func lowered(o Options) map[string]any {
	encoded, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	fields, named := map[string]any{}, map[string]any{}
	if err := json.Unmarshal(encoded, &fields); err != nil {
		panic(err)
	}
	for name, value := range fields {
		named[strings.ToLower(name[:1])+name[1:]] = value
	}
	return named
}

// tree is a small kustomization with fields that the options meddle with.
func (g generator) tree(files map[string][]byte) {
	files["app/deployment.yaml"] = []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: 'nginx:1.0'}
      - {name: side, image: 'registry.example.com:5000/team/side@sha256:abc'}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: own}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: own}
`)
	files["base/kustomization.yaml"] = []byte("resources: [cm.yaml]\nnameSuffix: -base\n")
	files["base/cm.yaml"] = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n")
	files["parts/label/kustomization.yaml"] = []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels: [{pairs: {part: label}}]\n")
	files["parts/config/kustomization.yaml"] = []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigMapGenerator: [{name: part, literals: [a=b]}]\n")
	files["app/patch.yaml"] = []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {paused: true}\n")
	var b strings.Builder
	add := func(p float64, lines ...string) {
		if g.chance(p) {
			b.WriteString(pick(g, lines...) + "\n")
		}
	}
	switch {
	case g.chance(0.03): // nothing
	case g.chance(0.3):
		b.WriteString("bases: [../base]\nresources: [deployment.yaml]\n")
	default:
		b.WriteString("resources: [deployment.yaml, ../base]\n")
	}
	add(0.3, "namePrefix: file-", "namePrefix: ''")
	add(0.2, "nameSuffix: -file")
	add(0.3, "namespace: from-file")
	add(0.4, "images: [{name: nginx, newName: mirror/nginx, newTag: '1.1'}]", "images: [{name: nginx, digest: 'sha256:def'}]",
		"images: [{name: zz, newTag: z}, {name: nginx, newTag: '1.2'}, {name: nginx, newName: second}]",
		"images: [{name: registry.example.com:5000/team/side, newTag: v2}]", "imageTags: [{name: nginx, newTag: '1.3'}]",
		"images: [{name: nginx, newName: '*', newTag: x}]", "images: [{name: nginx, tagSuffix: -s}]")
	add(0.3, "replicas: [{name: web, count: 2}]")
	add(0.3, "commonLabels: {team: file}", "commonLabels: {}", "commonLabels: {tier: file, zone: file}")
	add(0.4, "labels: [{pairs: {team: pair}}]", "labels: [{pairs: {team: pair}, includeSelectors: true}]", "labels: [{pairs: {tier: pair}, includeTemplates: true}]",
		"labels: [{pairs: {one: '1'}, fields: [{path: spec/x, create: true}]}, {pairs: {team: two}}]")
	add(0.3, "commonAnnotations: {note: file}", "commonAnnotations: {other: file}")
	add(0.2, "components: [../parts/label]", "components: [../parts/label, ../parts/config]")
	add(0.3, "patches: [{path: patch.yaml}]", "patches: []", "patches:\n- patch: |-\n    - op: remove\n      path: /spec/replicas\n  target: {kind: Deployment}",
		"patchesStrategicMerge: [patch.yaml]")
	add(0.2, "configMapGenerator: [{name: made, literals: [k=v]}]\ngeneratorOptions: {labels: {made: 'yes'}}")
	add(0.1, "buildMetadata: [originAnnotations]", "sortOptions: {order: fifo}", "unknown: field", "vars: [{name: V, objref: {apiVersion: v1, kind: Service, name: web}}]")
	name := "kustomization.yaml"
	if g.chance(0.1) {
		name = pick(g, "kustomization.yml", "Kustomization")
	}
	files["app/"+name] = []byte(b.String())
	if g.chance(0.01) {
		files["app/Kustomization"] = []byte("resources: [deployment.yaml]\n")
	}
}

func (g generator) options() Options {
	var o Options
	if g.chance(0.4) {
		o.NamePrefix = pick(g, "app-", "x", "--")
	}
	if g.chance(0.3) {
		o.NameSuffix = pick(g, "-app", "-1")
	}
	if g.chance(0.4) {
		o.Namespace = pick(g, "shop", "own", "default")
	}
	images := []string{"nginx:2", "nginx=mirror/x:3", "nginx@sha256:123", "nginx=*:4", "nginx=other:*", "nginx=other@*", "nginx:*", "*:x", "registry.example.com:5000/team/side:v9", "nginx=a:1@sha256:5",
		"side=x", "nginx", "=x:1", "nginx=registry:5000/n", "nginx:${ARGOCD_APP_NAME}", "nginx:$ARGOCD_APP_NAMESPACE-1", "a=b=c:1", ""}
	for g.chance(0.4) && len(o.Images) < 3 {
		o.Images = append(o.Images, pick(g, images...))
	}
	if g.chance(0.3) {
		o.Replicas = append(o.Replicas, pick(g, Replica{"web", 3}, Replica{"web", "4"}, Replica{"web", 0}, Replica{"nobody", 1}, Replica{"web", "many"}))
	}
	texts := func() map[string]string {
		m := map[string]string{}
		for len(m) < 1+g.IntN(2) {
			m[pick(g, "team", "tier", "new", "note", "other")] = pick(g, "x", "", `"quoted"`, "a:b", "${ARGOCD_APP_NAME}", "$$HOME", "$ARGOCD_APP_SOURCE_PATH", "$NONE", "true", "1")
		}
		return m
	}
	if g.chance(0.5) {
		o.CommonLabels = texts()
		o.ForceCommonLabels, o.LabelWithoutSelector, o.LabelIncludeTemplates = g.chance(0.4), g.chance(0.5), g.chance(0.2)
	}
	if g.chance(0.4) {
		o.CommonAnnotations = texts()
		o.ForceCommonAnnotations, o.CommonAnnotationsEnvsubst = g.chance(0.5), g.chance(0.5)
	}
	for g.chance(0.3) && len(o.Patches) < 2 {
		o.Patches = append(o.Patches, pick(g,
			Patch{Patch: "- op: replace\n  path: /metadata/name\n  value: renamed\n", Target: map[string]string{"kind": "Deployment"}},
			Patch{Patch: "- op: replace\n  path: /metadata/name\n  value: renamed\n", Target: map[string]string{"kind": "Deployment"}, Options: map[string]bool{"allowNameChange": true}},
			Patch{Patch: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  more: '1'\n"},
			Patch{Patch: "apiVersion: v1\nkind: StatefulSet\nmetadata:\n  name: any\n", Target: map[string]string{"kind": "Service"}, Options: map[string]bool{"allowKindChange": true}},
			Patch{Path: "patch.yaml"}, Patch{Path: "missing.yaml"},
			Patch{Patch: "kind: X\nmetadata:\n  name: y\n  annotations:\n    z: z\n", Target: map[string]string{"labelSelector": "app=web"}}))
	}
	if g.chance(0.3) {
		o.Components = append(o.Components, pick(g, "../parts/label", "../parts/config", "../parts/missing", "../base"))
		o.IgnoreMissingComponents = g.chance(0.5)
	}
	return o
}

// Outcome returns a hash of what kls renders, or Refused.
func Outcome(set *deployment.Set) string {
	found := set.Find(ID)
	if len(found) != 1 {
		return fmt.Sprintf("%d Applications", len(found))
	}
	switch d := found[0]; d.Verdict {
	case deployment.Fails:
		return Refused
	case deployment.Unknown:
		return "unknown: " + d.Reason
	default:
		printed, err := set.YAML(d)
		if err != nil {
			return Refused
		}
		return Hash(printed)
	}
}

// Hash is that of a rendered text.
func Hash(printed []byte) string {
	sum := sha256.Sum256(printed)
	return hex.EncodeToString(sum[:8])
}
