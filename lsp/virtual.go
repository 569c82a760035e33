package lsp

import (
	"net/url"
	"path"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"go.lsp.dev/uri"
)

// Virtual documents are what roots render to, as read-only documents of a scheme of
// their own:
//
//	kls:/FOLDER/preview.yaml[?resource=KIND/NAME][&against=base|head]
//	kls:/FOLDER/preview.diff?against=base|head[&resource=KIND/NAME]
//
// With deployment=KIND/NAMESPACE/NAME they are what this deployment of the checkout in
// FOLDER gets.
const virtualScheme = "kls"

const (
	previewName = "preview.yaml"
	diffName    = "preview.diff"
)

// Values of against: what comes into the kustomization, and the last commit.
const (
	againstBase = "base"
	againstHead = "head"
)

// virtual names one of these documents.
type virtual struct {
	root     string // the folder's path, as builds name it
	resource string // empty for all
	// against is what is shown instead of what there is now, or what that is
	// compared with; empty for neither.
	against string
	diff    bool
	// deployment is the name of what a deployment of the checkout root gets; empty for
	// what the kustomization in root renders.
	deployment string
}

// rendering is what to ask a view for; what is at the last commit is asked of
// another view.
func (v virtual) rendering() preview.Rendering {
	return preview.Rendering{Root: v.root, Resource: v.resource, Incoming: v.against == againstBase, Deployment: v.deployment}
}

// virtualURI is the way back of virtualOf.
func (s *server) virtualURI(v virtual) uri.URI {
	name := previewName
	if v.diff {
		name = diffName
	}
	var query []string
	if v.resource != "" {
		query = append(query, "resource="+url.PathEscape(v.resource))
	}
	if v.deployment != "" {
		query = append(query, "deployment="+url.PathEscape(v.deployment))
	}
	if v.against != "" {
		query = append(query, "against="+v.against)
	}
	folder := strings.TrimPrefix(string(s.uri(v.root)), "file://")
	u := virtualScheme + ":" + strings.TrimSuffix(folder, "/") + "/" + name
	if len(query) > 0 {
		u += "?" + strings.Join(query, "&")
	}
	if spelled, err := uri.Parse(u); err == nil {
		return spelled // as it will be spelled by the client
	}
	return uri.URI(u)
}

// virtualAt returns the virtual document of a URI, or the one that a temporary file stands
// for; false for any other.
func (s *server) virtualAt(now moment, u uri.URI) (virtual, bool) {
	if path, ok := filePath(u); ok {
		return s.virtuals.writtenTo(path)
	}
	return virtualOf(now, u)
}

// virtualOf reads the URI of a virtual document; false for any other.
func virtualOf(now moment, u uri.URI) (virtual, bool) {
	rest, ok := strings.CutPrefix(string(u), virtualScheme+":")
	if !ok {
		return virtual{}, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	place, query, _ := strings.Cut(rest, "?")
	dir, name := path.Split(place)
	if name != previewName && name != diffName {
		return virtual{}, false
	}
	root, ok := now.path(uri.URI("file:///" + strings.Trim(dir, "/")))
	if !ok {
		return virtual{}, false
	}
	values := queryOf(query)
	v := virtual{root, values["resource"], values["against"], name == diffName, values["deployment"]}
	known := v.against == againstBase || v.against == againstHead || v.against == "" && !v.diff
	return v, known
}

// queryOf takes a query apart. Many clients escape it as a whole, after they read
// what stood between its separators.
func queryOf(query string) map[string]string {
	unescape := func(s string) string {
		if plain, err := url.PathUnescape(s); err == nil {
			return plain
		}
		return s
	}
	inParts := strings.Contains(query, "=")
	if !inParts {
		query = unescape(query)
	}
	values := map[string]string{}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if inParts {
			value = unescape(value)
		}
		values[name] = value
	}
	return values
}
