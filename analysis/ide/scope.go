package ide

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// scope is a file in a build: what the questions about a position are asked of.
type scope struct{ *workspace.Scope }

// scopeOf returns the build that shows best what a file does; nil where no root uses it.
func scopeOf(ctx context.Context, v *workspace.View, file string) (*scope, error) {
	return wrap(v.Scope(ctx, file))
}

// scopeIn returns the file in the build of one root; nil where the build broke down.
func scopeIn(ctx context.Context, v *workspace.View, r *workspace.Root) (*scope, error) {
	return wrap(v.ScopeIn(ctx, r, 0))
}

// scopesOf returns the builds that read one of the files, the nearest so many.
func scopesOf(ctx context.Context, v *workspace.View, limit int, files ...string) ([]*scope, error) {
	list, err := v.ScopesOf(ctx, limit, files...)
	scopes := make([]*scope, len(list))
	for i, s := range list {
		scopes[i] = &scope{s}
	}
	return scopes, err
}

func wrap(s *workspace.Scope, err error) (*scope, error) {
	if s == nil {
		return nil, err
	}
	return &scope{s}, err
}
