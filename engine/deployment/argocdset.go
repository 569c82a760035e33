package deployment

import (
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/applicationset"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// argoConfigMap is the ConfigMap with Argo CD's settings.
const argoConfigMap = "argocd-cm"

// setDeployments returns the Applications that an ApplicationSet makes. What cannot be known of it, or is wrong with it,
// is one deployment of its own, of which nothing is rendered.
func (a argoCD) setDeployments(c *checkout, set *resource.Resource) []*Deployment {
	id := set.ID()
	if id.Name == "" {
		return nil
	}
	made, ok := c.sets[set]
	if !ok {
		made = applicationset.Generate(set.Node, gitView{c}, c.settings.Clusters)
		c.sets[set] = made
	}
	var all []*Deployment
	for _, e := range made.Elements {
		d := a.application(&resource.Resource{Node: e.Application, Entry: set.Entry, Named: set.Named, Origin: set.Origin, Schema: set.Schema})
		if d == nil {
			continue
		}
		d.Set, d.Element = set, e
		all = append(all, d)
	}
	if len(made.Unknown) == 0 && len(made.Problems) == 0 {
		return all
	}
	d := &Deployment{ID: ID{"ApplicationSet", id.Namespace, id.Name}, Object: set, tool: argoCD{}, Set: set, Verdict: Unknown}
	if d.ID.Namespace == "" {
		d.ID.Namespace = argoNamespace
	}
	d.Sources = []ApplicationSource{{IsReference: true}}
	return append(all, d)
}

// renderSet says of what is not known of a set, or wrong with it, that it is so.
func (a argoCD) renderSet(s *search, d *Deployment) {
	made := s.checkout.sets[d.Set]
	d.Verdict, d.Problems = Unknown, nil
	for _, reason := range made.Unknown {
		d.Reason = reason
	}
	for _, p := range made.Problems {
		d.fail(problemOf(p, d))
	}
}

func problemOf(p applicationset.Problem, d *Deployment) builder.Problem {
	return builder.Problem{Code: MalformedSet, Node: orNode(p.Node, nameOf(d)), Message: p.Message + "; Argo CD makes no Application of the set"}
}

// gitView is the checkout as git generators see it.
type gitView struct{ *checkout }

func (v gitView) Is(url string) bool {
	is, _ := v.origins.isCheckout(url)
	return is
}

func (v gitView) Folders() []string { return v.list().folders }

func (v gitView) Files() []string { return v.list().files }

func (v gitView) Read(path string) ([]byte, error) {
	f, err := v.session.Files().ReadFile(filepath.Join(v.root, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	return f.Data, nil
}

// listing is all folders but hidden ones, and all files, relative and with slashes.
type listing struct{ folders, files []string }

func (c *checkout) list() *listing {
	if c.listing == nil {
		c.listing = &listing{}
		c.listing.walk(c.session.Files(), c.root, "", false)
	}
	return c.listing
}

func (l *listing) walk(files *vfs.Snapshot, dir, relative string, hidden bool) {
	entries, err := files.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := relative + e.Name()
		if !e.IsDir() {
			l.files = append(l.files, path)
			continue
		}
		if vfs.IsToolFolder(e.Name()) {
			continue
		}
		hidden := hidden || strings.HasPrefix(e.Name(), ".")
		if !hidden {
			l.folders = append(l.folders, path)
		}
		l.walk(files, filepath.Join(dir, e.Name()), path+"/", hidden)
	}
}

// namedURL is a path that an object names in a repository; of a template the part that is known.
type namedURL struct{ url, path string }

func (argoCD) namedURLs(n *yaml.Node) []namedURL {
	var found []namedURL
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if url := syntax.FieldText(n, "repoURL"); url != "" && !strings.Contains(url, "{{") {
			paths := []string{syntax.FieldText(n, "path")}
			for _, field := range []string{"directories", "files"} {
				if _, list := syntax.Field(n, field); list != nil {
					for _, entry := range list.Content {
						paths = append(paths, syntax.FieldText(entry, "path"))
					}
				}
			}
			for _, path := range paths {
				if end := strings.IndexAny(path, "{*?["); end >= 0 {
					path = path[:end]
					path = path[:strings.LastIndexByte(path, '/')+1]
				}
				if path = strings.Trim(path, "/"); path != "" && path != "." {
					found = append(found, namedURL{url, path})
				}
			}
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(n)
	return found
}
