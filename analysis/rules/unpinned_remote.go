package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

var _ = register(analysis.Rule{
	Name:     "unpinned-remote",
	Severity: analysis.Info,
	Title:    "A remote base is whatever its branch is today",
	Why: "Without `?ref=`, or with a branch as ref, the same kustomization renders something else as soon as\n" +
		"someone pushes there.",
	Remedy: "Name a tag or, better, a commit: `?ref=v1.2.3`.",
	Check:  checkUnpinnedRemotes,
})

// movingRefs are names that only branches have.
var movingRefs = []string{"main", "master", "HEAD", "develop", "trunk"}

func checkUnpinnedRemotes(p *analysis.Pass) {
	for _, l := range p.Layers() {
		k := l.Kustomization
		for _, entry := range slices.Concat(k.Resources, k.Components) {
			repository, ok := build.ParseRepositoryURL(entry.Value)
			switch {
			case entry.Node == nil:
			case rawBranch(entry) != "":
				p.Report(build.Problem{Node: entry.Node, Layer: l,
					Message: fmt.Sprintf("%s is a branch, whatever is there when it is built", rawBranch(entry)), Help: "name a tag or a commit in the URL"})
			case ok && repository.Ref == "":
				p.Report(build.Problem{Node: entry.Node, Layer: l,
					Message: "this is the default branch of the repository, whatever is there when it is built", Help: "add ?ref= with a tag or a commit"})
			case ok && slices.Contains(movingRefs, strings.TrimPrefix(repository.Ref, "refs/heads/")):
				p.Report(build.Problem{Node: entry.Node, Layer: l,
					Message: fmt.Sprintf("%s is a branch, whatever is there when it is built", repository.Ref), Help: "name a tag or a commit as ref"})
			}
		}
	}
}

// rawBranch returns the branch that a URL of a single file on GitHub names.
func rawBranch(entry kustomization.Text) string {
	rest, ok := strings.CutPrefix(entry.Value, "https://raw.githubusercontent.com/")
	parts := strings.Split(strings.Replace(rest, "refs/heads/", "", 1), "/")
	if !ok || len(parts) < 4 || !slices.Contains(movingRefs, parts[2]) {
		return ""
	}
	return parts[2]
}
