package affected

import (
	"bytes"
	"context"
	"errors"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/render"
)

// render renders the roots on both sides and returns those that differ.
func (f *finder) render(ctx context.Context, roots []Root) ([]Root, error) {
	if len(roots) == 0 {
		return nil, nil
	}
	before, err := f.openBefore()
	if err != nil {
		return nil, err
	}
	earlier := newReader(before.Session.Files())
	for i, root := range roots {
		if root.Change != Removed && !earlier.isRoot(root.Dir) {
			roots[i].Change = Added
		}
	}
	differs := make([]bool, len(roots))
	err = parallel.Do(ctx, len(roots), func(ctx context.Context, i int) (err error) {
		differs[i], err = compare(ctx, before, f.request.Now, &roots[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	var kept []Root
	for i, root := range roots {
		if differs[i] {
			kept = append(kept, root)
		}
	}
	return kept, nil
}

// compare tells whether a root renders differently. Where that cannot be known it
// may, and the change says so.
func compare(ctx context.Context, before, now Side, root *Root) (bool, error) {
	if root.Change == Added || root.Change == Removed {
		return true, nil
	}
	old, err := before.render(ctx, root.Dir)
	if err != nil {
		return false, err
	}
	current, err := now.render(ctx, root.Dir)
	if err != nil {
		return false, err
	}
	root.Change = Changed
	switch {
	case old.state == renders && current.state == renders:
		return !bytes.Equal(old.text, current.text), nil
	case old.state == current.state || old.state == unknown || current.state == unknown:
		root.Change = Possible
	}
	return true, nil
}

// state says what came of a build.
type state int

const (
	renders state = iota
	fails
	unknown // it needs what is switched off
)

type rendering struct {
	state state
	text  []byte
}

// render returns what kustomize prints of a root.
func (s Side) render(ctx context.Context, dir string) (rendering, error) {
	result, err := s.Session.Build(ctx, dir, s.options(dir))
	switch {
	case err != nil:
		return rendering{}, err
	case result.Failed():
		return rendering{state: fails}, nil
	case result.Unknown:
		return rendering{state: unknown}, nil
	}
	text, err := result.YAML(ctx)
	if refusal := new(render.Refusal); errors.As(err, &refusal) {
		return rendering{state: fails}, nil
	}
	return rendering{text: text}, err
}
