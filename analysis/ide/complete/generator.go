package complete

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// secretTypes are those that Kubernetes knows.
var secretTypes = []string{"Opaque", "kubernetes.io/tls", "kubernetes.io/dockerconfigjson", "kubernetes.io/dockercfg",
	"kubernetes.io/basic-auth", "kubernetes.io/ssh-auth", "kubernetes.io/service-account-token", "bootstrap.kubernetes.io/token"}

// image suggests parts of the images of the resources.
func (c *completer) image(part string) {
	entry := c.owner()
	name, there := syntax.FieldText(entry, "name"), map[string]bool{}
	if part == "name" {
		for _, other := range c.otherEntries(entry) {
			there[syntax.FieldText(other, "name")] = true
		}
	}
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) {
		for _, image := range loaded.Images() {
			repository, tag, digest := transform.SplitImage(image)
			ch := choice{kind: SuggestValue, detail: image}
			switch {
			case part == "name":
				ch.label = repository
			case repository != name:
				continue
			case part == "newTag":
				ch.label = tag
			case part == "digest":
				ch.label = digest
			case part == "newName":
				ch.label = repository
			}
			if ch.value = ch.label; there[ch.label] {
				ch.rank = 1
			}
			c.add(ch)
		}
	})
}

// otherEntries returns the entries beside one in its list.
func (c *completer) otherEntries(entry *yaml.Node) []*yaml.Node {
	for _, step := range c.slot.Steps {
		if step.Key == nil && step.Value == entry {
			others := slices.Clone(step.Parent.Content)
			return slices.DeleteFunc(others, func(n *yaml.Node) bool { return n == entry })
		}
	}
	return nil
}

// replica suggests what has a number of replicas, and the number that it has.
func (c *completer) replica(part string) {
	entry := c.owner()
	name := syntax.FieldText(entry, "name")
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) {
		found := loaded.Scalable()
		if part == "name" {
			c.identities(found, "name", false)
			return
		}
		for _, r := range found {
			if r.ID().Name != name && r.OriginalID().Name != name {
				continue
			}
			if n := syntax.Lookup(r.Node, "spec", "replicas"); n != nil && n.Kind == yaml.ScalarNode {
				c.add(choice{label: n.Value, value: n.Value, plain: true, kind: SuggestValue, detail: "now, of " + r.ID().String()})
			}
		}
	})
}

func kindOfGenerator(secret bool) string {
	if secret {
		return "Secret"
	}
	return "ConfigMap"
}

// generator suggests names of what a generator can merge with or replace.
func (c *completer) generator(secret bool, part string) {
	switch part {
	case "type":
		for rank, t := range secretTypes {
			c.add(choice{label: t, value: t, kind: SuggestChoice, rank: rank})
		}
	case "name", "namespace":
		if syntax.FieldText(c.owner(), "behavior") == "create" {
			return
		}
		s := cursor.SelectorOf(c.owner(), part)
		s.Kind.Value = kindOfGenerator(secret)
		c.loaded(transform.BeforeGenerators, func(loaded *builder.Loaded) { c.identities(loaded.Sources(s), part, false) })
	}
}

// generatorEntry is the entry of a generator around the slot.
func (c *completer) generatorEntry() *yaml.Node {
	entry := c.entry()
	if entry == nil || entry.Kind != yaml.MappingNode {
		return nil
	}
	return entry
}

// bases shows what the generator around the slot merges with.
func (c *completer) bases(secret bool, look func(*resource.Resource)) {
	entry := c.generatorEntry()
	if syntax.FieldText(entry, "name") == "" {
		return
	}
	s := cursor.SelectorOf(entry, "")
	s.Kind.Value, s.Version.Value = kindOfGenerator(secret), "v1"
	c.loaded(transform.BeforeGenerators, func(loaded *builder.Loaded) {
		for _, r := range loaded.Sources(s) {
			look(r)
		}
	})
}

// eachKey calls f for each key of a ConfigMap's or Secret's data.
func eachKey(r *resource.Resource, f func(key string, value *yaml.Node)) {
	for _, field := range []string{"data", "stringData", "binaryData"} {
		_, data := syntax.Field(r.Node, field)
		if data == nil || data.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(data.Content); i += 2 {
			f(data.Content[i].Value, data.Content[i+1])
		}
	}
}

// generatorKeys suggests, before the =, keys that the base has.
func (c *completer) generatorKeys(secret bool) {
	if strings.Contains(c.slot.Typed, "=") {
		return
	}
	own := ownKeys(c.generatorEntry())
	c.bases(secret, func(r *resource.Resource) {
		eachKey(r, func(key string, value *yaml.Node) {
			ch := choice{label: key + "=", value: key + "=", part: true, kind: SuggestKey, detail: "a key of " + r.ID().String()}
			if slices.Contains(own, key) {
				ch.rank = 1
			}
			c.add(ch)
		})
	})
}

// ownKeys are the keys that the literals and files of a generator give.
func ownKeys(entry *yaml.Node) []string {
	var keys []string
	for _, field := range []string{"literals", "files"} {
		_, list := syntax.Field(entry, field)
		for _, text := range texts(list) {
			key, _, has := strings.Cut(text, "=")
			if !has && field == "files" {
				key, has = path.Base(text), true
			}
			if has {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// mergeKeys suggests the keys that both sides have, then those that one has; and the
// format that a key's ending names.
func (c *completer) mergeKeys(secret bool) {
	own := ownKeys(c.generatorEntry())
	taken := map[string]bool{}
	for _, other := range c.otherEntries(c.owner()) {
		taken[syntax.FieldText(other, "key")] = true
	}
	c.bases(secret, func(r *resource.Resource) {
		eachKey(r, func(key string, _ *yaml.Node) {
			ch := choice{label: key, value: key, kind: SuggestKey, detail: fmt.Sprintf("in %s only", r.ID()), rank: 1}
			if slices.Contains(own, key) {
				ch.detail, ch.rank = "in both", 0
			}
			if taken[key] {
				ch.rank = 2
			}
			c.add(ch)
		})
	})
}
