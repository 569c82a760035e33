package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Role is what a kustomization uses a file for.
type Role int

const (
	NoRole Role = iota
	ResourceRole
	PatchRole
	ReplacementRole
	ConfigurationRole
	PluginRole // configures generators, transformers or validators
	inputRole  // text whose form is not known
)

// fileUse is a file that a kustomization names, and what for; of a patch, with the
// target of its entry, nil for none.
type fileUse struct {
	path   string
	role   Role
	target *kustomization.Selector
}

// fileUses returns the files that a layer names for what they hold; of those that are
// the input of generators only what was read.
func fileUses(l *builder.Layer) []fileUse {
	uses := configurationUses(l)
	for _, t := range l.Kustomization.Resources {
		uses = addUse(uses, l, t, ResourceRole, nil)
	}
	for _, input := range l.Facts.Inputs {
		uses = append(uses, fileUse{path: input.Path, role: inputRole})
	}
	return uses
}

func addUse(uses []fileUse, l *builder.Layer, t kustomization.Text, as Role, target *kustomization.Selector) []fileUse {
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
	add := func(t kustomization.Text, as Role, target *kustomization.Selector) {
		uses = addUse(uses, l, t, as, target)
	}
	k := l.Kustomization
	for _, p := range slices.Concat(k.Patches, k.PatchesJSON6902) {
		add(p.Path, PatchRole, p.Target)
	}
	for _, r := range k.Replacements {
		add(r.Path, ReplacementRole, nil)
	}
	for _, list := range []struct {
		as    Role
		texts []kustomization.Text
	}{{PatchRole, k.PatchesStrategicMerge}, {ConfigurationRole, k.Configurations},
		{PluginRole, k.Generators}, {PluginRole, k.Transformers}, {PluginRole, k.Validators}} {
		for _, t := range list.texts {
			add(t, list.as, nil)
		}
	}
	return uses
}

// RoleIn returns what a layer uses a file for; of a patch, with the target of its
// entry, nil for none.
func RoleIn(l *builder.Layer, file string) (Role, *kustomization.Selector) {
	for _, used := range fileUses(l) {
		if used.path == file {
			return used.role, used.target
		}
	}
	return NoRole, nil
}

// ReadsLines tells whether a generator reads a file as one of envs.
func ReadsLines(l *builder.Layer, f *builder.GeneratorFact, file string) bool {
	return slices.ContainsFunc(l.Facts.Inputs, func(in builder.Input) bool {
		return in.Path == file && slices.ContainsFunc(f.Entry.Envs, func(env kustomization.Text) bool { return SameNode(env.Node, in.Entry) })
	})
}
