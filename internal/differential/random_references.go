package differential

import (
	"fmt"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// referenceTree is about names and who refers to them: every field of kustomize's table of references, resources of one
// name in several namespaces, and a base that is included twice under different prefixes.
func (g *generator) referenceTree() string {
	base := g.referenceLayer("base")
	layers := []*layer{base}
	if g.chance(0.5) {
		layers = []*layer{g.referenceLayer("left", base), g.referenceLayer("right", base)}
	}
	if g.chance(0.3) {
		layers = append(layers, g.referenceLayer("beside"))
	}
	top := g.referenceLayer("top", layers...)
	if g.chance(0.3) {
		top = g.referenceLayer("outer", top)
	}
	return top.folder
}

// referenceLayer has some resources of its own and the fields that rename and move what is below.
func (g *generator) referenceLayer(folder string, below ...*layer) *layer {
	var resources []any
	l := &layer{folder: folder, fields: map[string]any{}}
	for _, b := range below {
		resources = append(resources, "../"+b.folder)
		l.objects = append(l.objects, b.objects...)
	}
	if len(below) == 0 || g.chance(0.4) {
		objects := distinct(append(some(g, 6, g.referrer), some(g, 4, g.referred)...))
		l.objects = append(l.objects, objects...)
		resources = append(resources, g.file(l, ".yaml", g.plainDocuments(objects)))
	}
	l.fields["resources"] = resources
	prefixed := 0.4
	if folder == "left" || folder == "right" {
		prefixed = 0.95 // else the two have the same resources
	}
	g.maybe(l.fields, prefixed, "namePrefix", folder+"-")
	g.maybe(l.fields, 0.2, "nameSuffix", pick(g, "-s", "-"+folder))
	g.maybe(l.fields, 0.3, "namespace", pick(g, "prod", "dev", folder))
	if g.chance(0.3) {
		l.fields["configMapGenerator"] = []any{g.namedGenerator("ConfigMap", l)}
	}
	if g.chance(0.2) {
		l.fields["secretGenerator"] = []any{g.namedGenerator("Secret", l)}
	}
	if g.chance(0.2) {
		l.fields["patches"] = []any{g.renaming(pick(g, l.objects...))}
	}
	g.tree[folder+"/kustomization.yaml"] = g.document(encode(l.fields))
	return l
}

// renaming is a patch that gives the object another name or namespace.
func (g *generator) renaming(object *yaml.Node) map[string]any {
	patch := fmt.Sprintf("[{\"op\": \"replace\", \"path\": \"/metadata/%s\", \"value\": %q}]",
		pick(g, "name", "name", "namespace"), pick(g, "one", "two", "renamed"))
	target := map[string]any{"kind": scalar(object, "kind"), "name": scalar(object, "metadata", "name")}
	return map[string]any{"target": target, "patch": patch}
}

func (g *generator) namedGenerator(kind string, l *layer) map[string]any {
	entry := map[string]any{"name": pick(g, "one", "two"), "literals": []any{"a=" + g.plainWord()}}
	g.maybe(entry, 0.2, "namespace", pick(g, "prod", "dev"))
	object := parse("apiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + entry["name"].(string) + "}\n")
	if exists(l.objects, object) {
		entry["behavior"] = "merge"
	} else {
		l.objects = append(l.objects, object)
	}
	g.maybe(entry, 0.2, "options", map[string]any{"disableNameSuffixHash": true})
	return entry
}

// distinct leaves out what is there already.
func distinct(objects []*yaml.Node) []*yaml.Node {
	seen := map[string]bool{}
	return slices.DeleteFunc(objects, func(object *yaml.Node) bool {
		id := scalar(object, "kind") + "/" + scalar(object, "metadata", "namespace") + "/" + scalar(object, "metadata", "name")
		again := seen[id]
		seen[id] = true
		return again
	})
}

func (g *generator) plainDocuments(objects []*yaml.Node) []byte {
	var text []byte
	for i, object := range objects {
		if i > 0 {
			text = append(text, "---\n"...)
		}
		text = append(text, g.document(object)...)
	}
	return text
}

// referred is a resource of a kind that others name.
func (g *generator) referred() *yaml.Node {
	rule := pick(g, kustomization.DefaultTransformerConfig().NameReference...)
	return encode(g.identified(rule.Group, rule.Version, rule.Kind))
}

func (g *generator) identified(group, version, kind string) map[string]any {
	if version == "" {
		version = "v1"
	}
	if group == "" {
		group = groups[kind]
	}
	if group != "" {
		version = group + "/" + version
	}
	metadata := map[string]any{"name": pick(g, "one", "two", "three")}
	g.maybe(metadata, 0.35, "namespace", pick(g, "prod", "dev", "default"))
	return map[string]any{"apiVersion": version, "kind": kind, "metadata": metadata}
}

// groups are those of kinds that the table of references names without one, as far as it matters.
var groups = map[string]string{
	"Deployment": "apps", "StatefulSet": "apps", "ReplicaSet": "apps", "DaemonSet": "apps", "Job": "batch", "CronJob": "batch",
	"HorizontalPodAutoscaler": "autoscaling", "Ingress": "networking.k8s.io", "StorageClass": "storage.k8s.io",
	"RoleBinding": "rbac.authorization.k8s.io", "ClusterRoleBinding": "rbac.authorization.k8s.io",
	"Role": "rbac.authorization.k8s.io", "ClusterRole": "rbac.authorization.k8s.io",
	"ValidatingWebhookConfiguration": "admissionregistration.k8s.io", "MutatingWebhookConfiguration": "admissionregistration.k8s.io",
	"APIService": "apiregistration.k8s.io", "CustomResourceDefinition": "apiextensions.k8s.io",
}

// referrer has one to three of the fields that hold names, of one kind.
func (g *generator) referrer() *yaml.Node {
	rules := kustomization.DefaultTransformerConfig().NameReference
	rule := pick(g, rules...)
	spec := pick(g, rule.FieldSpecs...)
	kind := spec.Kind
	if kind == "" {
		kind = pick(g, "Deployment", "Pod", "Widget")
	}
	object := g.identified(spec.Group, spec.Version, kind)
	g.putReference(object, rule, strings.Split(spec.Path, "/"))
	for range 2 {
		other := pick(g, rules...)
		for _, spec := range other.FieldSpecs {
			if spec.Kind == kind && g.chance(0.5) {
				g.putReference(object, other, strings.Split(spec.Path, "/"))
				break
			}
		}
	}
	return encode(object)
}

// putReference writes a name at the path, through mappings and through lists.
func (g *generator) putReference(at map[string]any, rule kustomization.NameReference, path []string) {
	name := pick(g, "one", "two", "three")
	for i, key := range path {
		if i == len(path)-1 {
			g.putName(at, key, name, rule)
			return
		}
		next, ok := at[key].(map[string]any)
		if list, isList := at[key].([]any); isList {
			next, ok = list[0].(map[string]any)
		}
		if !ok {
			next = map[string]any{}
			at[key] = next
			if listKeys[key] {
				at[key] = []any{next}
			}
		}
		at = next
	}
}

func (g *generator) putName(at map[string]any, key, name string, rule kustomization.NameReference) {
	switch key {
	case "subjects":
		subject := map[string]any{"kind": "ServiceAccount", "name": pick(g, name, "default")}
		g.maybe(subject, 0.7, "namespace", pick(g, "prod", "dev", "default"))
		at[key] = []any{subject}
	case "resourceNames":
		at[key] = []any{name, pick(g, "two", "other")}
	case "roleRef", "service", "spec":
		at[key] = map[string]any{"name": name, "namespace": pick(g, "prod", "default")}
	default:
		at[key] = name
		g.maybe(at, 0.2, "namespace", pick(g, "prod", "dev"))
		g.maybe(at, 0.3, "kind", rule.Kind)
	}
}

// listKeys are the fields on the way to a name that hold lists.
var listKeys = map[string]bool{"containers": true, "initContainers": true, "volumes": true, "env": true, "envFrom": true,
	"sources": true, "rules": true, "paths": true, "tls": true, "imagePullSecrets": true, "secrets": true, "webhooks": true,
	"volumeClaimTemplates": true}
