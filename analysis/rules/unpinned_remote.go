package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
)

// movingRefs are names that only branches have.
var movingRefs = []string{"main", "master", "HEAD", "develop", "trunk"}

func checkUnpinnedRemotes(p *analysis.Pass) {
	for _, l := range p.Layers() {
		k := l.Kustomization
		local := l.Facts.Included // in the order of the entries
		for i := range len(k.Resources) + len(k.Components) {
			var entry *kustomization.Text
			if i < len(k.Resources) {
				entry = &k.Resources[i]
			} else {
				entry = &k.Components[i-len(k.Resources)]
			}
			if len(local) > 0 && local[0].Entry.Node == entry.Node {
				is := &local[0]
				if local = local[1:]; is.Layer == nil && is.Path != "" && !strings.Contains(is.Path, "://") || is.Layer != nil && is.Layer.Repository == nil {
					continue // as most are; to read a URL takes longer
				}
			}
			moving := movingRef(entry.Value)
			if entry.Node == nil || moving == "" {
				continue
			}
			p.Report(builder.Problem{Node: entry.Node, Layer: l,
				Message: fmt.Sprintf("this is %s, whatever is there when it is built", moving),
				Help:    "name a tag or a commit"})
		}
	}
}

// movingRef says what an entry names that someone may move; empty for anything
// else. The URL of a single file is no repository.
func movingRef(entry string) string {
	if strings.HasPrefix(entry, "https://") && fileName().MatchString(entry) {
		if branch := rawBranch(entry); branch != "" {
			return "the branch " + branch
		}
		return ""
	}
	repository, ok := gitrepo.Parse(entry)
	ref := strings.TrimPrefix(repository.Ref, "refs/heads/")
	switch {
	case ok && ref == "":
		return "the default branch of the repository"
	case ok && slices.Contains(movingRefs, ref):
		return "the branch " + ref
	}
	return ""
}

var fileName = text.Regexp(`\.(ya?ml|json)$`)

// rawBranch returns the branch that a URL of a single file on GitHub names.
func rawBranch(url string) string {
	url = strings.Replace(url, "refs/heads/", "", 1)
	for _, form := range rawForms {
		if match := form().FindStringSubmatch(url); match != nil && slices.Contains(movingRefs, match[1]) {
			return match[1]
		}
	}
	return ""
}

// rawForms are the URLs of single files on GitHub, up to the branch.
var rawForms = []func() *regexp.Regexp{
	text.Regexp(`^https://raw\.githubusercontent\.com/[^/]+/[^/]+/([^/]+)/`),
	text.Regexp(`^https://github\.com/[^/]+/[^/]+/(?:raw|blob)/([^/]+)/`),
}
