package ide

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

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
	kind := syntax.FieldText(c.slot.Root, "kind")
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
