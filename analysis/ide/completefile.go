package ide

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	yaml "go.yaml.in/yaml/v3"
)

// role is what a kustomization uses a file for.
type role int

const (
	noRole role = iota
	resourceRole
	patchRole
	replacementRole
	configurationRole
	pluginRole // configures generators, transformers or validators
	inputRole  // text whose form is not known
)

// fileUse is a file that a kustomization names, and what for; of a patch, with the
// target of its entry, nil for none.
type fileUse struct {
	path   string
	role   role
	target *kustomization.Selector
}

// fileUses returns the files that a layer names for what they hold; of those that are
// the input of generators only what was read.
func fileUses(l *builder.Layer) []fileUse {
	uses := configurationUses(l)
	for _, t := range l.Kustomization.Resources {
		uses = addUse(uses, l, t, resourceRole, nil)
	}
	for _, input := range l.Facts.Inputs {
		uses = append(uses, fileUse{path: input.Path, role: inputRole})
	}
	return uses
}

func addUse(uses []fileUse, l *builder.Layer, t kustomization.Text, as role, target *kustomization.Selector) []fileUse {
	if t.Value == "" || strings.Contains(t.Value, "\n") {
		return uses
	}
	path := filepath.FromSlash(t.Value)
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.Dir, path)
	}
	return append(uses, fileUse{path, as, target})
}

// configurationUses are those of files that are neither resources nor the input of
// generators.
func configurationUses(l *builder.Layer) []fileUse {
	var uses []fileUse
	add := func(t kustomization.Text, as role, target *kustomization.Selector) {
		uses = addUse(uses, l, t, as, target)
	}
	k := l.Kustomization
	for _, p := range slices.Concat(k.Patches, k.PatchesJSON6902) {
		add(p.Path, patchRole, p.Target)
	}
	for _, r := range k.Replacements {
		add(r.Path, replacementRole, nil)
	}
	for _, list := range []struct {
		as    role
		texts []kustomization.Text
	}{{patchRole, k.PatchesStrategicMerge}, {configurationRole, k.Configurations},
		{pluginRole, k.Generators}, {pluginRole, k.Transformers}, {pluginRole, k.Validators}} {
		for _, t := range list.texts {
			add(t, list.as, nil)
		}
	}
	return uses
}

// roleIn returns what a layer uses a file for; of a patch, with the target of its
// entry, nil for none.
func roleIn(l *builder.Layer, file string) (role, *kustomization.Selector) {
	for _, used := range fileUses(l) {
		if used.path == file {
			return used.role, used.target
		}
	}
	return noRole, nil
}

// completeOther completes in a file by what kustomizations use it for; a file that
// none uses is taken for one with resources.
func (c *completer) completeOther() {
	var found role
	var target *kustomization.Selector
	if !isYAML(c.file) {
		return
	}
	c.schemaElsewhere = analysis.Review{Config: c.view.options.Config, Files: c.view.files}.LeavesSchemas(c.file)
	c.wanted = func(l *builder.Layer) bool { r, _ := roleIn(l, c.file); return r != noRole }
	c.loaded(builder.BeforeTransformers, func(loaded *builder.Loaded) {
		found, target = roleIn(loaded.Layer, c.file)
		switch found {
		case patchRole:
			c.patchWith(loaded, target)
		case resourceRole:
			c.body(loaded, nil, false)
		}
	})
	switch found {
	case replacementRole:
		c.completeFields(c.replacements())
	case configurationRole:
		c.completeFields(place{object: kustomization.TransformerConfigFields()})
	case pluginRole:
		c.plugin()
	case noRole:
		if c.err == nil && len(c.slot.Steps) > 0 {
			c.body(nil, nil, false)
		}
	}
}

// pluginPaths are where in a kustomization the fields of plugins would stand.
var pluginPaths = map[string]string{
	"PatchTransformer": "patches.-", "PatchJson6902Transformer": "patches.-",
	"ConfigMapGenerator": "configMapGenerator.-", "SecretGenerator": "secretGenerator.-",
}

// plugin completes in the configuration of one of kustomize's own plugins.
func (c *completer) plugin() {
	kind := textAt(c.slot.Root, "kind")
	if way, value := c.way(); value && len(way) == 1 && way[0] == "kind" {
		for _, known := range kustomization.PluginKinds() {
			c.add(choice{label: known, value: known, kind: SuggestChoice})
		}
		return
	}
	if len(c.before()) == 0 && c.slot.OnKey && (kind == "" || !c.has("apiVersion")) {
		c.headerKeys()
	}
	if fields := kustomization.PluginFields(kind); fields != nil {
		c.completeFields(place{path: pluginPaths[kind], object: fields})
	}
}

// replacements is where the root of a file with replacements would stand in a
// kustomization.
func (c *completer) replacements() place {
	f, _ := kustomization.Fields().Field("replacements")
	at := place{path: f.Name, field: f, object: f.Struct}
	if c.slot.Root.Kind == yaml.MappingNode && !c.slot.Dashed {
		at.path, at.item = joined(at.path, "-"), true
	}
	return at
}

func isYAML(file string) bool {
	switch filepath.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
