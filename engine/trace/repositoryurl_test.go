package trace

import (
	"io"
	"log"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/resource"

	upstream "sigs.k8s.io/kustomize/api/resource"
)

// repositoryURLs are entries of all shapes that kustomize tells apart.
var repositoryURLs = []string{
	"", ".", "../base", "base", "a/b/c", "github.com", "github.com/", "github.com/org", "github.com/org/repo",
	"github.com/org/repo/a/b", "github.com:org/repo", "GitHub.com/org/repo?ref=v1", "github.com/org/repo.git/a",
	"github.com/org/repo//a//b", "github.com//org/repo", "https://github.com/org/repo/a?ref=main&timeout=3s",
	"HTTPS://github.com/org/repo", "http://github.com/org/repo", "ssh://git@github.com/org/repo", "git@github.com:org/repo//a",
	"git@github.com/org/repo", "org-1@github.com:org/repo", "https://user@github.com/org/repo", "https://user:pass@github.com/org/repo",
	"https://gitlab.com/group/sub/repo.git//a/b?ref=v1&ref=v2", "https://gitlab.com/group/repo", "https://gitlab.com/group",
	"https://host.xz:8080/org/repo.git/a", "https://", "https://host", "https://host/", "https://host//a", "https://host/a//",
	"ssh://host.xz/org/repo.git", "ssh://git@ssh.host:7999/org/repo.git//a", "git@host.xz:repo.git", "git@host.xz:/abs/repo.git//a",
	"git@host.xz/org:repo", "git@host", "git@", "@host/a/b", "1git@host:a/b", "git::https://host/org/repo", "GIT::git@host:org/repo",
	"git::git::https://host/org/repo", "file:///tmp/repo", "file:///tmp/repo//a/b", "file:///tmp/repo.git/a", "file://a@b/c", "file://",
	"file://relative/path", "FILE:///tmp/x", "https://dev.azure.com/org/project/_git/repo/a/b?version=GBmain", "https://host/_git/repo", "https://host/_git/",
	"https://git-codecommit.us-east-1.amazonaws.com/v1/repos/repo//a", "https://host/org/repo/../..", "https://host/org/repo//..", "https://host/org/repo//../a",
	"https://host/org/repo//a/../b", "https://host/org/repo//a/../..", "https://host/org/repo?ref=%zz", "https://host/org/repo?version=v1&ref=v2",
	"https://host/org/repo?ref=a%2Fb&submodules=0", "https://host/org/repo/cm.yaml", "https://raw.host/org/repo/v1/cm.yaml", "ftp://host/org/repo",
	"/abs/github.com/org/repo", "s3://bucket/a/b", "host:org/repo", "a@b:c/d/e/f", "a-b@c:d/e", "https://a@b@c/d/e", "https://host/org/repo/", "https://host/.git", "x.git",
}

func TestRepositoryURL(t *testing.T) {
	for _, raw := range repositoryURLs {
		compareRepositoryURL(t, raw)
	}
}

func FuzzRepositoryURL(f *testing.F) {
	for _, raw := range repositoryURLs {
		f.Add(raw)
	}
	f.Fuzz(compareRepositoryURL)
}

// compareRepositoryURL holds the parts, and the origin that they make, against
// what kustomize writes into an origin annotation.
func compareRepositoryURL(t *testing.T, raw string) {
	t.Helper()
	log.SetOutput(io.Discard) // it warns of git::
	want := (&upstream.Origin{Path: "here", Repo: "before", Ref: "old"}).Append(raw)
	got := ChildOrigin(&Layer{Origin: &resource.Origin{Path: "here", Repo: "before", Ref: "old"}}, raw)
	if got.Path != want.Path || got.Repo != want.Repo || got.Ref != want.Ref {
		t.Errorf("%q: repository %q, path %q, ref %q; kustomize: %q, %q, %q", raw, got.Repo, got.Path, got.Ref, want.Repo, want.Path, want.Ref)
	}
	if parsed, ok := gitrepo.Parse(raw); ok != (want.Repo != "before") || ok && parsed.Raw != raw {
		t.Errorf("%q: a repository: %v %+v", raw, ok, parsed)
	}
}

func TestRepositoryURLQuery(t *testing.T) {
	for query, want := range map[string]gitrepo.URL{
		"":                         {Submodules: true},
		"?timeout=61":              {Submodules: true, Timeout: 61 * time.Second},
		"?timeout=1m1s&ref=x":      {Submodules: true, Timeout: 61 * time.Second, Ref: "x"},
		"?timeout=0":               {Submodules: true},
		"?timeout=-3s":             {Submodules: true},
		"?timeout=soon":            {Submodules: true},
		"?submodules=false":        {},
		"?submodules=0&version=v":  {Ref: "v"},
		"?submodules=no":           {Submodules: true},
		"?submodules=%zz&ref=lost": {Submodules: true},
	} {
		got, ok := gitrepo.Parse("https://host/org/repo" + query)
		want.Raw, want.Clone = got.Raw, "https://host/org/repo"
		if !ok || got != want {
			t.Errorf("%s: %v %+v, want %+v", query, ok, got, want)
		}
	}
}

func TestPinned(t *testing.T) {
	for ref, want := range map[string]bool{
		"": false, "main": false, "v1.2.3": false, "0123456": false,
		"0123456789abcdef0123456789abcdef01234567":                         true,
		"0123456789abcdef0123456789abcdef0123456g":                         false,
		"0123456789ABCDEF0123456789abcdef01234567":                         false,
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef": true,
	} {
		if got := (gitrepo.URL{Ref: ref}).Pinned(); got != want {
			t.Errorf("Pinned of %q is %v", ref, got)
		}
	}
}
