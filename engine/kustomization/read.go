package kustomization

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Names of the two versions of the format.
const (
	versionKustomization = "kustomize.config.k8s.io/v1beta1"
	versionComponent     = "kustomize.config.k8s.io/v1alpha1"
)

// Read reads a kustomization from its first document, which may be the document
// node or the node in it, or nil for an empty file. Mistakes become problems:
// the value with the mistake is left out, and with it the list entry around it
// (but for generators, which others refer to); the rest is there. The result
// is never nil.
//
// kustomize refuses the file (types.Kustomization.Unmarshal and
// KustTarget.Load) if and only if a problem is fatal, where yaml.v2, with which
// kustomize reads it, parses the same tree. It does but for two oddities: an
// empty flow collection as a key ends the document for yaml.v2, and the tag !
// makes it read quoted text as plain and an empty plain scalar as text. yaml.v2
// looks at nothing behind the first document, so what is wrong there is no
// reason for kustomize to refuse the file.
func Read(doc *yaml.Node) (*Kustomization, []Problem) {
	r := &report{}
	k := &draft{}
	root := rootOf(doc)
	if v, ok := newConverter(r).document(root); ok {
		d := &decoder{report: r}
		if v.kind == TypeObject {
			d.structure(k, rootStruct, v)
		} else if v.kind != TypeNull {
			d.fail(Problem{Kind: NotAMapping, Node: v.node, Want: TypeObject, Got: v.kind})
		}
	}
	k.fix()
	k.check(r)
	k.checkRepeated(r)
	return &k.Kustomization, r.inOrder()
}

// rootOf returns the node in a document, nil where there is none.
func rootOf(doc *yaml.Node) *yaml.Node {
	for doc != nil && doc.Kind == yaml.DocumentNode {
		if len(doc.Content) == 0 {
			return nil
		}
		doc = doc.Content[0]
	}
	return doc
}

func newConverter(r *report) *converter {
	return &converter{report: r, open: map[*yaml.Node]bool{}}
}

// fix fills in defaults and moves deprecated fields, as FixKustomization does.
func (k *draft) fix() {
	if k.Kind.Value == "" {
		k.Kind.Value = KindKustomization
	}
	if k.APIVersion.Value == "" {
		k.APIVersion.Value = k.requiredVersion()
	}
	k.FirstBase = len(k.Resources)
	k.Resources = append(k.Resources, k.bases...)
	k.Images = append(k.Images, k.imageTags...)
	fixGenerators(k.ConfigMapGenerator)
	fixGenerators(k.SecretGenerator)
	k.fixHelm()
	for i := range k.Vars {
		k.Vars[i].fix()
	}
}

func (k *draft) requiredVersion() string {
	if k.Kind.Value == KindComponent {
		return versionComponent
	}
	return versionKustomization
}

func fixGenerators(generators []Generator) {
	for i := range generators {
		if g := &generators[i]; g.env.Value != "" {
			g.Envs = append(g.Envs, g.env)
		}
	}
}

// fixHelm converts the older form of charts (types.SplitHelmParameters).
func (k *draft) fixHelm() {
	globals := HelmGlobals{}
	for _, old := range k.inflations {
		k.HelmCharts = append(k.HelmCharts, HelmChart{
			Node: old.node, Name: old.name, Version: old.version, Repo: old.repoURL,
			ValuesFile: old.values, ValuesInline: old.valuesLocal, ValuesMerge: old.valuesMerge,
			ReleaseName: old.releaseName,
		})
		if old.helmHome.Value != "" {
			globals.Node, globals.ConfigHome = old.node, old.helmHome
		}
		if old.chartHome.Value != "" {
			globals.Node, globals.ChartHome = old.node, old.chartHome
		}
	}
	if k.HelmGlobals == nil && globals.Node != nil {
		k.HelmGlobals = &globals
	}
}

// fix takes group and version from the apiVersion (types.Target.GVK).
func (v *Var) fix() {
	if v.apiVersion.Value == "" {
		return
	}
	parts := strings.Split(v.apiVersion.Value, "/")
	if len(parts) <= 2 {
		v.ObjRef.Version = Text{Value: parts[len(parts)-1], Node: v.apiVersion.Node}
	}
	if len(parts) == 2 {
		v.ObjRef.Group = Text{Value: parts[0], Node: v.apiVersion.Node}
	}
}

// check does what CheckEmpty and EnforceFields do.
func (k *draft) check(r *report) {
	if !r.fatal() && k.isEmpty() {
		r.add(Problem{Kind: EmptyFile, Node: k.Node, Fatal: true})
	}
	k.checkKind(r)
}

// isEmpty tells whether nothing was set but kind and apiVersion. An empty list
// counts as set, as for kustomize.
func (k *draft) isEmpty() bool {
	k.bases, k.imageTags, k.inflations = nil, nil, nil
	for _, f := range rootStruct.Fields {
		if f.Name != "kind" && f.Name != "apiVersion" && !f.isZero(k) {
			return false
		}
	}
	return true
}

// checkKind reports one problem where kind and apiVersion do not fit: a kind
// that is almost right excuses the apiVersion that goes with what was meant.
func (k *draft) checkKind(r *report) {
	required, meant := k.requiredVersion(), ""
	if kinds := []string{KindKustomization, KindComponent}; !slices.Contains(kinds, k.Kind.Value) {
		nearest, _ := text.Nearest(k.Kind.Value, kinds)
		r.addAt(Problem{Kind: WrongKind, Node: k.Kind.Node, Name: k.Kind.Value, Candidate: nearest, Fatal: true}, "kind")
		if nearest == KindComponent {
			meant = versionComponent
		}
	}
	if v := k.APIVersion; v.Value != required && v.Value != meant {
		r.addAt(Problem{Kind: WrongAPIVersion, Node: v.Node, Name: v.Value, Candidate: required, Fatal: true}, "apiVersion")
	}
}

// checkRepeated reports what lists have twice to no effect.
func (k *draft) checkRepeated(r *report) {
	r.repeated(k.BuildMetadata)
	for _, generators := range [][]Generator{k.ConfigMapGenerator, k.SecretGenerator} {
		for _, g := range generators {
			var keys []Text
			for _, m := range g.MergeValues {
				if format := strings.ToLower(m.Format.Value); format == "json" || format == "yaml" {
					keys = append(keys, m.Key) // any other is a mistake of its own
				}
			}
			r.repeated(keys)
		}
	}
}

// repeated reports the texts that come again.
func (r *report) repeated(list []Text) {
	first := map[string]*yaml.Node{}
	for _, t := range list {
		switch {
		case t.Value == "" || t.Node == nil:
		case first[t.Value] != nil:
			r.add(Problem{Kind: RepeatedValue, Node: t.Node, Other: first[t.Value], Name: t.Value})
		default:
			first[t.Value] = t.Node
		}
	}
}

// addAt is add for a field of the root.
func (r *report) addAt(p Problem, field string) {
	r.enterKey(field)
	r.add(p)
	r.leave()
}
