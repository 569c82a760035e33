package load

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// IsURL tells whether kustomize would load a file entry over http(s).
func IsURL(path string) bool {
	u, err := url.Parse(path)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// RemoteFile returns the file at an http(s) URL.
func (b *Loader) RemoteFile(url string) (*vfs.File, error) {
	data, err := b.Outside().File(b.Ctx, url)
	if err != nil {
		return nil, err
	}
	return b.Sources.remoteFile(url, data), nil
}

// RemoteProblem is the problem of something that could not be had. Where that is
// because it is switched off, what it holds is not known.
func (b *Loader) RemoteProblem(entry kustomization.Text, err error) problem.Problem {
	if !errors.Is(err, ErrSwitchedOff) {
		return problem.Problem{Code: problem.RemoteFails, Fatal: true, Node: entry.Node,
			Message: fmt.Sprintf("%s could not be loaded: %s", entry.Value, err)}
	}
	b.Lacking = true
	p := problem.Problem{Code: problem.RemoteNotLoaded, Node: entry.Node, Message: entry.Value + " is remote and was not loaded",
		Help: "what depends on it is not checked; load it with --enable-remote"}
	if err != ErrSwitchedOff { //nolint:errorlint // the bare one has nothing to add
		p.Message, p.Help = fmt.Sprintf("%s is remote and was not loaded: %s", entry.Value, err), "what depends on it is not checked"
	}
	return p
}

// TryRepository opens the kustomization in a git repository
// (newLoaderAtGitClone in api/internal/loader). Without a layer the problem says
// why.
func (b *Loader) TryRepository(l *trace.Layer, entry kustomization.Text, repository gitrepo.URL) (*trace.Layer, problem.Problem) {
	fail := func(code problem.Code, message string) (*trace.Layer, problem.Problem) {
		return nil, problem.Problem{Code: code, Fatal: true, Node: entry.Node, Message: message}
	}
	for up := l; up != nil; up = up.Parent {
		// kustomize compares the texts, and only their beginnings.
		if up.Repository != nil && strings.HasPrefix(up.Repository.Raw, repository.Raw) {
			return fail(problem.IncludeCycle, entry.Value+" leads back to a repository that includes this one")
		}
	}
	clone, err := b.Outside().Repository(b.Ctx, repository)
	if err != nil {
		return nil, b.RemoteProblem(entry, err)
	}
	root, _, err := b.resolve(clone)
	if err != nil {
		return fail(problem.RemoteFails, fmt.Sprintf("the clone of %s cannot be read: %s", repository.Clone, err))
	}
	dir, file, err := b.resolve(filepath.Join(root, repository.Path))
	switch {
	case err != nil:
		return fail(problem.MissingPath, fmt.Sprintf("the repository %s has no folder %s", repository.Clone, repository.Path))
	case file != "":
		return fail(problem.WrongPathType, fmt.Sprintf("%s in the repository %s is a file, not a folder", repository.Path, repository.Clone))
	case !vfs.Below(root, dir):
		return fail(problem.OutsideRoot, fmt.Sprintf("%s leads out of the repository %s", repository.Path, repository.Clone))
	}
	child := &trace.Layer{Dir: dir, Parent: l, Entry: entry.Node, Repository: &repository, Clone: root}
	if l != nil {
		child.Origin = trace.ChildOrigin(l, entry.Value)
	}
	p, ok := b.readKustomization(child)
	if !ok {
		p.Fatal, p.Node = true, entry.Node
		return nil, p
	}
	return child, problem.Problem{}
}
