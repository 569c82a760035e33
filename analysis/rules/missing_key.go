package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func checkMissingKey(p *analysis.Pass) {
	var holders map[[2]string][]*resource.Resource // made for the first that uses a key
	type keysUsed struct{}
	for _, user := range p.Result.Resources {
		for _, use := range user.Note(keysUsed{}, func() any { return keyUses(user) }).([]keyUse) {
			if holders == nil {
				holders = keyHolders(p.Result.Resources)
			}
			for _, r := range holders[[2]string{use.kind, use.name}] {
				if r.ID().EffectiveNamespace() == user.ID().EffectiveNamespace() {
					reportMissingKey(p, use, r)
				}
			}
		}
	}
}

// keyHolders are the ConfigMaps and Secrets, by kind and name.
func keyHolders(resources []*resource.Resource) map[[2]string][]*resource.Resource {
	holders := map[[2]string][]*resource.Resource{}
	for _, r := range resources {
		if id := r.ID(); id.Group == "" && (id.Kind == "ConfigMap" || id.Kind == "Secret") {
			holders[[2]string{id.Kind, id.Name}] = append(holders[[2]string{id.Kind, id.Name}], r)
		}
	}
	return holders
}

func reportMissingKey(p *analysis.Pass, use keyUse, holder *resource.Resource) {
	keys := dataKeys(holder.Node)
	if len(keys) == 0 || slices.Contains(keys, use.key.Value) || schema.HoldsTemplate(use.key.Value) {
		return
	}
	near, ok := text.Nearest(use.key.Value, keys)
	if !ok && !holder.Generated {
		return
	}
	problem := builder.Problem{Node: use.key, Layer: p.Result.Root,
		Message: fmt.Sprintf("%s %q has no key %q", use.kind, holder.OriginalID().Name, use.key.Value),
		Related: []builder.Related{{Node: namePlace(holder), Message: holder.OriginalID().String()}}}
	if ok {
		problem = problem.Suggest(near)
	}
	p.Report(problem)
}

func dataKeys(holder *yaml.Node) []string {
	var keys []string
	for _, field := range []string{"data", "stringData", "binaryData"} {
		if data := syntax.FieldAt(holder, field); data != nil && data.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(data.Content); i += 2 {
				keys = append(keys, data.Content[i].Value)
			}
		}
	}
	return keys
}

// keyUse is a key that a pod takes from a ConfigMap or Secret.
type keyUse struct {
	kind, name string
	key        *yaml.Node
}

func keyUses(r *resource.Resource) []keyUse {
	of, ok := pods.Of(r)
	if !ok {
		return nil
	}
	var uses []keyUse
	add := func(kind, nameField string, from, item *yaml.Node, field string) {
		name, _ := syntax.TextAt(from, nameField)
		key, node := syntax.TextAt(item, field)
		if optional, _ := syntax.TextAt(from, "optional"); name != "" && key != "" && optional != "true" {
			uses = append(uses, keyUse{kind, name, node})
		}
	}
	for _, container := range of.Containers() {
		for _, variable := range syntax.Mappings(syntax.FieldAt(container, "env")) {
			config, secret := syntax.FieldAt(variable, "valueFrom/configMapKeyRef"), syntax.FieldAt(variable, "valueFrom/secretKeyRef")
			add("ConfigMap", "name", config, config, "key")
			add("Secret", "name", secret, secret, "key")
		}
	}
	mounts := subPaths(of)
	mounted := func(volume *yaml.Node, secretName string) {
		for _, item := range syntax.Mappings(syntax.FieldAt(volume, "configMap/items")) {
			add("ConfigMap", "name", syntax.FieldAt(volume, "configMap"), item, "key")
		}
		for _, item := range syntax.Mappings(syntax.FieldAt(volume, "secret/items")) {
			add("Secret", secretName, syntax.FieldAt(volume, "secret"), item, "key")
		}
	}
	for _, volume := range syntax.Mappings(syntax.FieldAt(of.Spec, "volumes")) {
		mounted(volume, "secretName")
		name, _ := syntax.TextAt(volume, "name")
		for _, mount := range mounts[name] {
			config, secret := syntax.FieldAt(volume, "configMap"), syntax.FieldAt(volume, "secret")
			if syntax.FieldAt(config, "items") == nil && syntax.FieldAt(secret, "items") == nil { // else these say what the files are called
				add("ConfigMap", "name", config, mount, "subPath")
				add("Secret", "secretName", secret, mount, "subPath")
			}
		}
		for _, source := range syntax.Mappings(syntax.FieldAt(volume, "projected/sources")) {
			mounted(source, "name")
		}
	}
	return uses
}

// subPaths are the mounts of single files, by volume.
func subPaths(of pods.Pod) map[string][]*yaml.Node {
	mounts := map[string][]*yaml.Node{}
	for _, container := range of.Containers() {
		for _, mount := range syntax.Mappings(syntax.FieldAt(container, "volumeMounts")) {
			name, _ := syntax.TextAt(mount, "name")
			if path, _ := syntax.TextAt(mount, "subPath"); path != "" && !strings.Contains(path, "/") {
				mounts[name] = append(mounts[name], mount)
			}
		}
	}
	return mounts
}
