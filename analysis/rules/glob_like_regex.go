package rules

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
)

// globLike is a name with stars where a glob has them: after a letter, digit or
// dash, and with nothing else that only a regular expression has.
var globLike = text.Regexp(`^[\w-]*[\w-]\*[\w-]*$`)

func checkGlobLikeRegex(p *analysis.Pass) {
	for _, l := range p.Layers() {
		for _, s := range regexSelectors(l.Kustomization) {
			for _, t := range []kustomization.Text{s.Name, s.Kind, s.Namespace, s.Group, s.Version} {
				if !globLike().MatchString(t.Value) {
					continue
				}
				fixed := strings.ReplaceAll(t.Value, "*", ".*")
				p.Report(builder.Problem{Node: t.Node, Layer: l,
					Message: fmt.Sprintf("%s is a regular expression, in which * repeats the letter before it", t.Value)}.Suggest(fixed))
			}
		}
	}
}

// regexSelectors returns the selectors of a kustomization whose fields are
// regular expressions.
func regexSelectors(k *kustomization.Kustomization) []*kustomization.Selector {
	var all []*kustomization.Selector
	for _, patches := range [][]kustomization.Patch{k.Patches, k.PatchesJSON6902} {
		for _, patch := range patches {
			if patch.Target != nil {
				all = append(all, patch.Target)
			}
		}
	}
	for _, r := range k.Replacements {
		for _, t := range r.Targets {
			if t.Select != nil {
				all = append(all, t.Select)
			}
			all = append(all, t.Reject...)
		}
	}
	return all
}
