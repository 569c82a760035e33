package external

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/parallel"
)

// AtCommit is a builder.Outside for builds of a commit: charts and functions get
// the commit's files, in a temporary folder that is made when the first of them
// is asked for, and not those of the work tree.
type AtCommit struct {
	builder.Outside
	commit *Commit

	once   parallel.Once
	folder string
	err    error
}

// NewAtCommit returns what another Outside gives, for a commit.
func NewAtCommit(outside builder.Outside, commit *Commit) *AtCommit {
	return &AtCommit{Outside: outside, commit: commit}
}

// Chart is builder.Outside's.
func (a *AtCommit) Chart(ctx context.Context, request builder.ChartRequest) ([]byte, error) {
	if r, ok := a.Outside.(*Runner); ok && !r.config.Helm.Enabled {
		return a.Outside.Chart(ctx, request) // it says no
	}
	var err error
	if request.Dir, err = a.exported(request.Dir); err != nil {
		return nil, err
	}
	return a.Outside.Chart(ctx, request)
}

// Function is builder.Outside's.
func (a *AtCommit) Function(ctx context.Context, request builder.FunctionRequest) (builder.FunctionResult, error) {
	if r, ok := a.Outside.(*Runner); ok && !r.config.Functions.EnableAlphaPlugins {
		return a.Outside.Function(ctx, request) // it says no
	}
	var err error
	if request.Dir, err = a.exported(request.Dir); err != nil {
		return builder.FunctionResult{}, err
	}
	return a.Outside.Function(ctx, request)
}

// exported returns where a folder of the repository is in the temporary folder.
func (a *AtCommit) exported(dir string) (string, error) {
	below, err := filepath.Rel(a.commit.Root, dir)
	if err != nil || !filepath.IsLocal(below) {
		return dir, nil
	}
	a.once.Do(func() {
		if a.folder, a.err = os.MkdirTemp("", "kls-commit-*"); a.err == nil {
			a.err = a.commit.Export(a.folder)
		}
	})
	return filepath.Join(a.folder, below), a.err
}

// Close removes the temporary folder and closes the commit.
func (a *AtCommit) Close() error {
	err := a.commit.Close()
	if a.folder != "" {
		err = errors.Join(err, os.RemoveAll(a.folder))
	}
	return err
}
