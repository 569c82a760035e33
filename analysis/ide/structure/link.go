package structure

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Link is a part of a file that leads elsewhere: to a file by its absolute path, or
// to a page by its URL.
type Link struct {
	Span      text.Span
	File, URL string
	Tooltip   string
}

// maxLinks bounds an answer.
const maxLinks = 5000

// Links returns the links of a file: paths to what they name, remote entries to a page
// that shows them, with the ref that they are pinned to, and the kinds of resources and
// the schemas that comments name to their descriptions.
func Links(v *workspace.View, file string) []Link {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil
	}
	w := &linking{view: v, file: file, table: v.Session().Table(), content: f.Data}
	if workspace.IsKustomization(file) {
		for _, e := range cursor.PathEntriesIn(v, file) {
			w.path(e)
		}
	}
	for _, d := range v.Session().Tree(f).Documents {
		w.kind(d.Root)
		if workspace.IsKustomization(file) {
			w.remotes(d.Root)
			break
		}
	}
	w.schemas()
	return w.links[:min(len(w.links), maxLinks)]
}

type linking struct {
	view    *workspace.View
	file    string
	table   *syntax.Table
	content []byte
	links   []Link
}

func (w *linking) path(e cursor.PathEntry) {
	named, ok := w.view.FileAt(e.Target)
	if !ok {
		return
	}
	if place, ok := cursor.PathPlace(w.view, e); ok {
		w.links = append(w.links, Link{Span: place.Span, File: named})
	}
}

// remotes links the entries that are loaded from elsewhere.
func (w *linking) remotes(root *yaml.Node) {
	if root == nil || root.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		field, _ := kustomization.Fields().Field(root.Content[i].Value)
		if field == nil || !field.Path || root.Content[i+1].Kind != yaml.SequenceNode {
			continue
		}
		for _, n := range root.Content[i+1].Content {
			page, ok := pageOf(n.Value)
			if n.Kind != yaml.ScalarNode || !ok {
				continue
			}
			if place, ok := cursor.PartPlace(w.table, n, cursor.Whole(n)); ok {
				w.links = append(w.links, Link{Span: place.Span, URL: page, Tooltip: "on the web"})
			}
		}
	}
}

// pageOf returns the web page that shows a remote entry, at the ref that it names.
func pageOf(entry string) (page string, ok bool) {
	repository, isRepository := gitrepo.Parse(entry)
	if isFile := slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(entry)); !isRepository || isFile {
		return entry, isWebURL(entry)
	}
	base, ok := webAddress(repository.Clone)
	if !ok {
		return "", false
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", false
	}
	ref := repository.Ref
	if ref == "" && repository.Path != "" {
		ref = "HEAD"
	}
	if ref == "" {
		return u.String(), true
	}
	tree := "/tree/"
	switch host := u.Hostname(); {
	case strings.Contains(host, "gitlab"):
		tree = "/-/tree/"
	case strings.Contains(host, "bitbucket"):
		tree = "/src/"
	}
	return strings.TrimSuffix(u.JoinPath(tree, ref, repository.Path).String(), "/"), true
}

func isWebURL(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// webAddress returns the page of a repository, by what git is given to fetch it.
func webAddress(clone string) (string, bool) {
	clone = strings.TrimSuffix(clone, ".git")
	rest := strings.TrimPrefix(clone, "ssh://")
	if user, host, ok := strings.Cut(rest, "@"); ok && !strings.Contains(user, "/") {
		if !strings.HasPrefix(clone, "ssh://") {
			host = strings.Replace(host, ":", "/", 1)
		}
		return "https://" + host, true
	}
	return clone, isWebURL(clone)
}

// kind links the kind of a resource that Kubernetes has by itself.
func (w *linking) kind(root *yaml.Node) {
	_, apiVersion := syntax.Field(root, "apiVersion")
	_, kind := syntax.Field(root, "kind")
	if apiVersion == nil || kind == nil || kind.Kind != yaml.ScalarNode || !kubernetes.KnownScope(apiVersion.Value, kind.Value) {
		return
	}
	group, version := resource.SplitAPIVersion(apiVersion.Value)
	if group == "" {
		group = "core"
	}
	anchor := strings.ToLower(fmt.Sprintf("%s-%s-%s", kind.Value, version, strings.ReplaceAll(group, ".", "-")))
	if place, ok := cursor.PartPlace(w.table, kind, cursor.Whole(kind)); ok {
		w.links = append(w.links, Link{Span: place.Span, URL: apiReference + url.PathEscape(anchor), Tooltip: "Kubernetes API reference"})
	}
}

// apiReference is the page with all kinds of Kubernetes.
const apiReference = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/#"

// schemaComment names the schema of a file, for yaml-language-server and others.
var schemaComment = text.Regexp(`(?m)^#\s*(?:yaml-language-server:\s*\$schema=|\$schema:\s*)(\S+)`)

func (w *linking) schemas() {
	for _, match := range schemaComment().FindAllSubmatchIndex(w.content, maxLinks) {
		link := Link{Span: text.Span{Start: match[2], End: match[3]}, Tooltip: "the schema"}
		named := string(w.content[match[2]:match[3]])
		if isWebURL(named) {
			link.URL = named
		} else {
			path := filepath.FromSlash(named)
			if !filepath.IsAbs(path) {
				path = filepath.Join(filepath.Dir(w.file), path)
			}
			var ok bool
			if link.File, ok = w.view.FileAt(path); !ok {
				continue
			}
		}
		w.links = append(w.links, link)
	}
}
