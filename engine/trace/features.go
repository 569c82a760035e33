package trace

import (
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	yaml "go.yaml.in/yaml/v3"
)

// Feature is something that older releases of kustomize do not do, and that no
// field of its own shows.
type Feature int

const (
	_ Feature = iota
	// TargetDrillDown: a replacement's target path goes on inside a string.
	TargetDrillDown
	// TargetDrillDownOptions: the same with a delimiter.
	TargetDrillDownOptions
	// SeveralPatches: one entry of patches holds several strategic merge patches.
	SeveralPatches
	// CreateWithWildcard: a replacement creates fields under a *.
	CreateWithWildcard
)

// FeatureUse is one use of a feature.
type FeatureUse struct {
	Feature Feature
	Node    *yaml.Node
}

// Use records the use of a feature, once for each place.
func (l *Layer) Use(feature Feature, n *yaml.Node) {
	u := FeatureUse{feature, n}
	if l.Facts.Used[u] {
		return
	}
	if l.Facts.Used == nil {
		l.Facts.Used = map[FeatureUse]bool{}
	}
	l.Facts.Used[u] = true
	l.Facts.Features = append(l.Facts.Features, u)
}

// NoteTargetFeatures records what writing one path of a target needs.
func (l *Layer) NoteTargetFeatures(path TargetPath, t *kustomization.ReplacementTarget, outcome fieldpath.Outcome) {
	if outcome.DrillDown {
		l.Use(TargetDrillDown, path.Text.Node)
		if t.Options != nil && t.Options.Delimiter.Value != "" {
			l.Use(TargetDrillDownOptions, t.Options.Delimiter.Node)
		}
	}
	if t.Options != nil && t.Options.Create {
		for _, s := range path.Segments {
			if s.Text == "*" {
				l.Use(CreateWithWildcard, path.Text.Node)
			}
		}
	}
}

// TargetPath is a path of a target and the text that it was read from.
type TargetPath struct {
	fieldpath.Path
	Text kustomization.Text
}
