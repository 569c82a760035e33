package complete

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// completeOther completes in a file by what kustomizations use it for; a file that
// none uses is taken for one with resources.
func (c *completer) completeOther() {
	var found workspace.Role
	var target *kustomization.Selector
	if !isYAML(c.file) || c.completeDeployment() {
		return
	}
	c.schemaElsewhere = analysis.Review{Config: c.view.Options().Config, Files: c.view.Files()}.LeavesSchemas(c.file)
	c.wanted = func(l *builder.Layer) bool { r, _ := workspace.RoleIn(l, c.file); return r != workspace.NoRole }
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) {
		found, target = workspace.RoleIn(loaded.Layer, c.file)
		switch found {
		case workspace.PatchRole:
			c.patchWith(loaded, target)
		case workspace.ResourceRole:
			c.body(loaded, nil, false)
		}
	})
	switch found {
	case workspace.ReplacementRole:
		c.completeFields(c.replacements())
	case workspace.ConfigurationRole:
		c.completeFields(cursor.Place{Object: kustomization.TransformerConfigFields()})
	case workspace.PluginRole:
		c.plugin()
	case workspace.NoRole:
		if c.err == nil && len(c.slot.Steps) > 0 {
			c.body(nil, nil, false)
		}
	}
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
		c.completeFields(cursor.Place{Object: fields})
	}
}

// replacements is where the root of a file with replacements would stand in a
// kustomization.
func (c *completer) replacements() cursor.Place {
	root := cursor.Place{Object: kustomization.Fields()}
	f, _ := root.Object.Field("replacements")
	return cursor.Place{Field: f, Object: f.Struct, Owner: &root, Item: c.slot.Root.Kind == yaml.MappingNode && !c.slot.Dashed}
}

func isYAML(file string) bool {
	switch filepath.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}
