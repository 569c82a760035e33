package ide

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
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
