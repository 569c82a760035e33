package external

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Repository fetches what a repository's ref stands for, with kustomize's git
// commands (git.ClonerUsingGitExec in api/internal/git): a commit's full name
// once and for all, anything else once in the life of the runner. The folder has
// no .git.
func (r *Runner) Repository(ctx context.Context, repository gitrepo.URL) (root string, err error) {
	if !r.config.EnableRemote {
		return "", load.ErrSwitchedOff
	}
	if root, ok := r.Stored(repository); ok {
		return root, nil
	}
	clones, _ := r.memos()
	key := hashed(repository.Clone, repository.Ref, fmt.Sprint(repository.Submodules))
	return clones.get(ctx, key, func() (string, error) { return r.clone(ctx, repository) })
}

// Stored returns the folder of a commit that is in the cache.
func (r *Runner) Stored(repository gitrepo.URL) (root string, ok bool) {
	if !r.config.EnableRemote || !repository.Pinned() {
		return "", false
	}
	cache, err := r.cacheDir()
	if err != nil {
		return "", false
	}
	root, err = storedRef(cache, repository)
	return root, err == nil && root != ""
}

func (r *Runner) clone(ctx context.Context, repository gitrepo.URL) (root string, err error) {
	cache, err := r.cacheDir()
	if err != nil {
		return "", err
	}
	if r.config.Offline {
		if root, err = storedRef(cache, repository); root == "" && err == nil {
			err = notCached()
		}
		return root, err
	}
	if strings.HasPrefix(repository.Ref, "-") {
		// git would take it for an option, and there are options that run programs.
		return "", fmt.Errorf("the ref %q begins with a dash", repository.Ref)
	}
	r.progress("fetching %s", shown(repository))
	dir, err := temporary(cache)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	g := git{dir: dir, repository: repository, runner: r}
	commit, err := g.fetch(ctx)
	if err != nil {
		return "", err
	}
	root = commitFolder(cache, repository, commit)
	if err := keepFolder(dir, root); err != nil {
		return "", err
	}
	return root, keepFile(cache, refFile(cache, repository), []byte(commit+"\n"))
}

// storedRef returns the folder of the commit that a ref stood for when it was
// fetched; empty if it never was.
func storedRef(cache string, repository gitrepo.URL) (root string, err error) {
	commit, err := readName(refFile(cache, repository))
	if err != nil || commit == "" || !filepath.IsLocal(commit) {
		return "", err
	}
	if root = commitFolder(cache, repository, commit); !isFolder(root) {
		return "", nil
	}
	return root, nil
}

func repositoryFolder(cache string, repository gitrepo.URL) string {
	return filepath.Join(cache, "git", hashed(repository.Clone))
}

func commitFolder(cache string, repository gitrepo.URL, commit string) string {
	if !repository.Submodules {
		commit += "-without-submodules"
	}
	return filepath.Join(repositoryFolder(cache, repository), commit)
}

func refFile(cache string, repository gitrepo.URL) string {
	return filepath.Join(repositoryFolder(cache, repository), "refs", hashed(repository.Ref, fmt.Sprint(repository.Submodules)))
}

// git runs git in a folder of its own.
type git struct {
	dir        string
	repository gitrepo.URL
	runner     *Runner
	// filters are those of the user's own configuration. They run on the contents of
	// the repository, and some follow settings that are in it.
	filters []string
}

// fetch makes the folder hold the files and returns the commit's name.
func (g git) fetch(ctx context.Context) (commit string, err error) {
	ref := g.repository.Ref
	if ref == "" {
		ref = "HEAD"
	}
	clone, err := g.runner.finalAddress(ctx, g.repository.Clone)
	if err != nil {
		return "", err
	}
	if g.filters, err = configuredPrograms(ctx, g.dir, isFilter); err != nil {
		return "", err
	}
	steps := [][]string{
		{"init", "--quiet", "--template="},
		// Relative submodules need an origin.
		{"remote", "add", "--end-of-options", "origin", g.repository.Clone},
		{"fetch", "--depth=1", "--end-of-options", clone, ref},
		{"checkout", "--quiet", "FETCH_HEAD"},
	}
	if g.repository.Submodules {
		steps = append(steps, []string{"submodule", "update", "--init", "--recursive"})
	}
	for _, step := range steps {
		if _, err := g.run(ctx, step...); err != nil {
			return "", err
		}
	}
	out, err := g.run(ctx, "rev-parse", "--verify", "FETCH_HEAD^{commit}")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out)), os.RemoveAll(filepath.Join(g.dir, ".git"))
}

func (g git) run(ctx context.Context, arguments ...string) ([]byte, error) {
	timeout := orDefault(g.repository.Timeout, orDefault(g.runner.config.Timeout, fetchTimeout))
	p := gitProcess(g.dir, g.filters, gitEnvironment(), arguments...)
	p.timeout = timeout
	out, _, err := p.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", arguments[0], g.redacted(err))
	}
	return out, nil
}

// redacted takes a password out of an error's text.
func (g git) redacted(err error) error {
	if safe := redact(g.repository.Clone); safe != g.repository.Clone {
		return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), g.repository.Clone, safe))
	}
	return err
}

// shown is a repository as a person may see it.
func shown(repository gitrepo.URL) string {
	address := redact(repository.Clone)
	if repository.Ref != "" {
		address += " at " + repository.Ref
	}
	return address
}

// redact hides the credentials in a URL.
func redact(address string) string {
	return text.WithoutCredentials(address)
}
