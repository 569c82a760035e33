package external

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNoCommit is returned for a ref that names no commit of the repository.
var ErrNoCommit = errors.New("no such commit")

// noCommit says why a ref leads to no commit: name is the ref without "...", and found whether that one is there.
func (r *localRepository) noCommit(ctx context.Context, ref, name string, found bool) error {
	switch {
	case found:
		return fmt.Errorf("%w: %s: HEAD and %s have no common ancestor%s", ErrNoCommit, ref, name, r.shallowHint(ctx))
	case !r.resolves(ctx, "HEAD"):
		return fmt.Errorf("%w: %s: the repository has no commits yet", ErrNoCommit, ref)
	}
	if remote := r.remoteBranch(ctx, name); remote != "" {
		return fmt.Errorf("%w: %s: there is no branch %s here, only %s; use %s", ErrNoCommit, ref, name, remote, strings.Replace(ref, name, remote, 1))
	}
	if hint := r.shallowHint(ctx); hint != "" {
		return fmt.Errorf("%w: %s%s", ErrNoCommit, ref, hint)
	}
	return fmt.Errorf("%w: %s (not a branch, tag or commit of this repository)", ErrNoCommit, ref)
}

func (r *localRepository) resolves(ctx context.Context, name string) bool {
	_, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	return err == nil
}

// remoteBranch returns the remote-tracking branch that has the name of a local one that is not there, such as
// origin/main; empty for none. CI checks out a commit, and rarely has branches of its own.
func (r *localRepository) remoteBranch(ctx context.Context, name string) string {
	listed, err := r.git(ctx, "for-each-ref", "--format=%(refname:short)", "refs/remotes")
	if err != nil {
		return ""
	}
	for remote := range strings.Lines(string(listed)) {
		remote = strings.TrimRight(remote, "\r\n")
		if _, branch, ok := strings.Cut(remote, "/"); ok && branch == name {
			return remote
		}
	}
	return ""
}

// shallowHint says that history is missing, where it is.
func (r *localRepository) shallowHint(ctx context.Context) string {
	if out, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err != nil || strings.TrimSpace(string(out)) != "true" {
		return ""
	}
	return "; this clone is shallow: fetch the history first (git fetch --unshallow, fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)"
}

// notOpened puts the reasons into words for which git refuses a folder that has a .git.
func notOpened(dir string, err error) error {
	switch text := err.Error(); {
	case strings.Contains(text, "dubious ownership"):
		return fmt.Errorf("git does not read the repository of %s since another user owns it; to allow it: git config --global --add safe.directory %s", dir, dir)
	case strings.Contains(text, "not a git repository"):
		return fmt.Errorf("the .git of %s is damaged: git does not take it for a repository", dir)
	}
	return fmt.Errorf("%s is not in a git repository with a work tree: %w", dir, err)
}

// Refs returns the branches, remote-tracking branches and tags of the repository that a folder lies in, as one writes them.
func Refs(ctx context.Context, dir string) ([]string, error) {
	r, err := openRepository(ctx, dir)
	if err != nil {
		return nil, err
	}
	listed, err := r.git(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	return strings.Fields(string(listed)), err
}
