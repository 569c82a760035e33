package action

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
)

// comparison is what an edit makes of the roots that read the files it changes.
type comparison struct {
	// reason says which root comes out differently; empty for none.
	reason string
	// read tells whether a root still reads a file.
	read func(file string) bool
}

// sameRender builds every root that reads a changed file, with the edit and without.
// Where partly is true, a root that does not build, or not without what is switched
// off, may come out equally incomplete; else it is a reason.
func sameRender(ctx context.Context, v *workspace.View, e *workspace.Edit, partly bool) (comparison, error) {
	roots, err := v.RootsFor(ctx, filesOf(e)...)
	if err != nil {
		return comparison{}, err
	}
	changed, err := e.With(v)
	if err != nil {
		return comparison{}, err
	}
	session := v.Session().Derive(changed.Files())
	var after []*builder.Result
	c := comparison{read: func(file string) bool {
		return slices.ContainsFunc(after, func(r *builder.Result) bool { return r.Reads.Has(file) })
	}}
	for _, r := range workspace.SortedRoots(roots) {
		if r.Component {
			continue
		}
		b, err := v.Build(ctx, r)
		if err != nil {
			return c, err
		}
		if !slices.ContainsFunc(files(e), b.Reads.Has) {
			continue
		}
		options := v.Options().Of(r.Dir)
		was, err := b.Session().Build(ctx, r.Dir, options)
		if err != nil {
			return c, err
		}
		is, err := session.Build(ctx, r.Dir, options)
		if err != nil {
			return c, err
		}
		after = append(after, is)
		if reason, err := differs(ctx, was, is, partly); reason != "" || err != nil {
			c.reason = v.PathFromFolder(r.Dir) + " " + reason
			return c, err
		}
	}
	if len(after) == 0 {
		c.reason = "no kustomization that was looked at builds this"
	}
	return c, nil
}

// files are those whose text the edit changes.
func files(e *workspace.Edit) []string {
	var files []string
	for _, one := range e.Edits {
		if !slices.Contains(files, one.File) {
			files = append(files, one.File)
		}
	}
	return files
}

// differs tells how a build comes out otherwise.
func differs(ctx context.Context, was, is *builder.Result, partly bool) (reason string, err error) {
	switch {
	case !partly && was.Failed():
		return "does not build, so that the result cannot be compared", nil
	case !partly && was.Unknown:
		return "needs what kls does not load or run, so that the result cannot be compared", nil
	case was.Unknown != is.Unknown || was.Failed() != is.Failed() || fatal(was) != fatal(is):
		return "would no longer build", nil
	}
	before, err := yamlOf(ctx, was)
	if err != nil {
		return "", err
	}
	after, err := yamlOf(ctx, is)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(before, after) {
		return "would render differently", nil
	}
	return "", nil
}

func fatal(r *builder.Result) int {
	n := 0
	for _, p := range r.Problems {
		if p.Fatal {
			n++
		}
	}
	return n
}

// yamlOf returns what is rendered, and the refusal where that is all there is.
func yamlOf(ctx context.Context, r *builder.Result) ([]byte, error) {
	text, err := r.YAML(ctx)
	if refusal := (*render.Refusal)(nil); errors.As(err, &refusal) {
		return fmt.Append(nil, refusal.Error()), nil
	}
	return text, err
}

func filesOf(e *workspace.Edit) []string {
	files := slices.Clone(e.Delete)
	for _, f := range e.Create {
		files = append(files, f.Path)
	}
	for _, edit := range e.Edits {
		files = append(files, edit.File)
	}
	return files
}
