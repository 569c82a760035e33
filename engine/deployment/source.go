package deployment

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// origins says which repositories are this checkout.
type origins struct {
	root     string
	settings Settings
	urls     []string // of this repository, normalized
	// assumed is a URL that is taken for this repository's since most paths are here.
	assumed string
	objects []sourceObject
	// nested says that no path is here, and that paths are relative to a folder further down:
	// the checkout holds others, as examples.
	nested bool
	bases  map[string]bool // the folders where that is so
	// used are the sources of which a path was found here.
	used map[ID]bool
}

type sourceObject struct {
	id  ID
	url string
}

// newOrigins looks at the remotes of the checkout, and at the source objects in it.
func newOrigins(c *checkout, settings Settings) *origins {
	o := &origins{root: c.root, settings: settings, used: map[ID]bool{}, bases: map[string]bool{}}
	for _, url := range slices.Concat(settings.Repositories, Remotes(c.session.Files(), c.root)) {
		o.urls = append(o.urls, normalURL(url))
	}
	for _, object := range c.sources {
		id := object.ID()
		o.objects = append(o.objects, sourceObject{ID{id.Kind, id.Namespace, id.Name}, value(object.Node, "spec", "url").Value})
	}
	return o
}

// urlOf returns the URL of a source object in the checkout.
func (o *origins) urlOf(id ID) (url string, known bool) {
	for _, object := range o.objects {
		if object.id == id || object.id.Kind == id.Kind && object.id.Name == id.Name && object.id.Namespace == "" {
			return object.url, true
		}
	}
	return "", false
}

// assume notes the sources of which a path is here and, in a checkout without remotes,
// takes the URL under which most paths are here for this repository's.
func (o *origins) assume(session *builder.Session, candidates []*candidate) {
	files := session.Files()
	count, bases := map[string]int{}, map[string]int{}
	isFlux := func(x *candidate) bool { return x.tool == flux{} }
	o.nested = slices.ContainsFunc(candidates, isFlux) && !slices.ContainsFunc(candidates, func(x *candidate) bool {
		return isFlux(x) && slices.ContainsFunc(x.tool.deployments(nil, x.object), func(d *Deployment) bool { return isFolder(files, o.join(o.root, d.Path.Value)) })
	})
	for _, x := range candidates {
		if a, ok := x.tool.(argoCD); ok {
			o.countURLs(count, files, a.namedURLs(x.object.Node))
			continue
		}
		for _, d := range x.tool.deployments(nil, x.object) {
			if base := o.nestedRoot(session, d); base != "" {
				bases[base]++
				o.used[d.Source.ID] = true
			}
			if isFolder(files, o.join(o.root, d.Path.Value)) && strings.Trim(d.Path.Value, "./") != "" {
				o.used[d.Source.ID] = true
			}
			if url, ok := o.urlOf(d.Source.ID); len(o.urls) == 0 && ok && d.Source.ID.Kind == "GitRepository" && isFolder(files, o.join(o.root, d.Path.Value)) {
				count[url]++
			}
		}
	}
	// Of two folders one of which is in the other, that counts which has more.
	for base, n := range bases {
		o.bases[base] = true
		for other, more := range bases {
			if more > n && (vfs.Below(base, other) || vfs.Below(other, base)) {
				o.bases[base] = false
			}
		}
	}
	for url, n := range count {
		if best := count[o.assumed]; n > best || n == best && url < o.assumed {
			o.assumed = url
		}
	}
}

func (o *origins) join(root, path string) string {
	return filepath.Join(root, filepath.Join(string(filepath.Separator), path))
}

// countURLs counts, by URL, the paths that an Application or ApplicationSet names and that are here.
func (o *origins) countURLs(count map[string]int, files *vfs.Snapshot, named []namedURL) {
	for _, n := range named {
		if len(o.urls) == 0 && isFolder(files, o.join(o.root, n.path)) {
			count[n.url]++
		}
	}
}

// isCheckout tells whether a URL is that of this repository; assumption says what had to be taken for true.
func (o *origins) isCheckout(url string) (is bool, assumption string) {
	switch {
	case slices.Contains(o.urls, normalURL(url)):
		return true, ""
	case len(o.urls) == 0 && o.assumed != "" && normalURL(url) == normalURL(o.assumed):
		return true, fmt.Sprintf("%s is taken for the URL of this repository, since the checkout has no remotes and most paths are here", url)
	}
	return false, ""
}

// resolveURL returns the folder of the repository with a URL; reason says why that cannot be known.
func (o *origins) resolveURL(url, path string) (root, reason, assumption string) {
	if is, assumption := o.isCheckout(url); is {
		return o.root, "", assumption
	}
	return "", fmt.Sprintf("%s is another repository: %s", orRoot(path), url), ""
}

// dirsOf returns the folders that a deployment deploys, as far as they are known.
func (o *origins) dirsOf(session *builder.Session, d *Deployment) []string {
	if len(d.Sources) == 0 {
		if dir, _, _ := o.resolve(session, d); dir != "" {
			return []string{dir}
		}
		return nil
	}
	var dirs []string
	for _, source := range d.Sources {
		if root, _, _ := o.resolveURL(source.URL, source.Path.Value); root != "" && !source.IsReference && source.Chart == "" {
			dirs = append(dirs, o.join(root, source.Path.Value))
		}
	}
	return dirs
}

// resolve returns the folder that a deployment deploys; reason says why that cannot be
// known, assumption what had to be taken for true.
func (o *origins) resolve(session *builder.Session, d *Deployment) (dir, reason, assumption string) {
	files, source := session.Files(), d.Source.ID
	if root := o.nestedRoot(session, d); root != "" {
		short, _ := filepath.Rel(o.root, root)
		return o.join(root, d.Path.Value), "", fmt.Sprintf("paths are taken to be relative to %s, since they are there", filepath.ToSlash(short))
	}
	if root, ok := o.settings.Sources[source.String()]; ok {
		return o.join(root, d.Path.Value), "", ""
	}
	dir = o.join(o.root, d.Path.Value)
	url, known := o.urlOf(source)
	switch {
	case known && slices.Contains(o.urls, normalURL(url)):
		return dir, "", ""
	case known && url != "" && url == o.assumed && len(o.urls) == 0:
		return dir, "", fmt.Sprintf("%s is taken for the URL of this repository, since the checkout has no remotes and most paths are here", url)
	case known:
		return "", fmt.Sprintf("%s is another repository: %s", source, url), ""
	case isFolder(files, dir) && (source.Kind == "GitRepository" || dir != filepath.Clean(o.root)):
		return dir, "", fmt.Sprintf("%s is not in this repository; it is taken for this checkout, since the path is here", source)
	case o.used[source]:
		return dir, "", fmt.Sprintf("%s is not in this repository; it is taken for this checkout, since the path is here", source)
	}
	return "", fmt.Sprintf("%s is not in this repository, and neither is %s", source, orRoot(d.Path.Value)), ""
}

// nestedRoot returns the nearest folder above the object in which its path is, in a
// checkout that holds others; empty for none.
func (o *origins) nestedRoot(session *builder.Session, d *Deployment) string {
	if !o.nested || strings.Trim(d.Path.Value, "./") == "" {
		return ""
	}
	path, _ := d.PathOf(session)
	for dir := filepath.Dir(path); path != "" && vfs.Below(o.root, dir) && dir != o.root; dir = filepath.Dir(dir) {
		if o.bases[dir] || len(o.bases) == 0 && isFolder(session.Files(), o.join(dir, d.Path.Value)) {
			return dir
		}
	}
	return ""
}

func orRoot(path string) string {
	if path == "" {
		return "its path"
	}
	return path
}

// normalURL leaves out what does not tell repositories apart: scheme, user, port and
// the ending .git.
func normalURL(url string) string {
	url = strings.TrimSpace(url)
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	} else if host, path, ok := strings.Cut(url, ":"); ok && !strings.Contains(host, "/") {
		url = host + "/" + strings.TrimPrefix(path, "/")
	}
	if at := strings.IndexByte(url, '@'); at >= 0 && !strings.Contains(url[:at], "/") {
		url = url[at+1:]
	}
	if host, path, ok := strings.Cut(url, "/"); ok {
		host, _, _ = strings.Cut(host, ":")
		url = host + "/" + path
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git"))
}

var remoteURL = text.Regexp(`^\s*(?:push)?url\s*=\s*"?([^"]+?)"?\s*$`)

// Remotes returns the URLs of git's remotes of a checkout.
func Remotes(files *vfs.Snapshot, root string) []string {
	f, err := files.ReadFile(filepath.Join(root, ".git", "config"))
	if err != nil {
		return nil
	}
	var urls []string
	inRemote := false
	for line := range bytes.Lines(f.Data) {
		if section := bytes.TrimSpace(line); bytes.HasPrefix(section, []byte("[")) {
			inRemote = bytes.HasPrefix(section, []byte("[remote "))
		} else if m := remoteURL().FindSubmatch(bytes.TrimRight(line, "\r\n")); inRemote && m != nil {
			urls = append(urls, string(m[1]))
		}
	}
	return urls
}
