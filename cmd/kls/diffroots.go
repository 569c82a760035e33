package main

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// rootChanges renders the kustomizations at or below a folder that a change concerns, in a repository from which nothing
// is deployed: what changes is said of them as of deployments.
func (f diffFlags) rootChanges(ctx context.Context, std streams, v *printer, dir, since string, s *sets, b *builds) (changes []deployments.Change, err error) {
	now := affected.Side{Session: builder.NewSession(vfs.NewSnapshot(vfs.Disk())).Remember(maxRemembered), Options: b.in(v.files)}
	before := affected.Side{Session: s.commit.session, Options: s.commit.options}
	request := affected.Request{Dir: dir, Now: now, Before: func() (affected.Side, error) { return before, nil }}
	if request.Files, err = changedSince(ctx, std.err, dir, since); err != nil {
		return nil, err
	}
	roots, err := affected.Find(ctx, request)
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		change, err := f.rootChange(ctx, root, before, now)
		if err != nil {
			return nil, err
		}
		if change != nil {
			change.ID = v.shown(root.Dir)
			changes = append(changes, *change)
		}
	}
	return changes, nil
}

// rootChange returns nil for a root that renders as before.
func (f diffFlags) rootChange(ctx context.Context, root affected.Root, before, now affected.Side) (*deployments.Change, error) {
	change := &deployments.Change{Change: diff.Changed}
	var sides [2][]*resource.Resource
	for i, side := range []struct {
		affected.Side
		lacks affected.Change
		name  string
	}{{before, affected.Added, "before"}, {now, affected.Removed, "now"}} {
		if root.Change == side.lacks || !isRoot(side.Session.Files(), root.Dir) {
			change.Change = []diff.Change{diff.Added, diff.Removed}[i]
			continue
		}
		result, err := side.Session.Build(ctx, root.Dir, side.Options(root.Dir))
		if err != nil {
			return nil, err
		}
		switch at := slices.IndexFunc(result.Problems, func(p builder.Problem) bool { return p.Fatal }); {
		case at >= 0:
			change.Notes = append(change.Notes, "it does not build "+side.name+": "+result.Problems[at].Message)
		case result.Unknown:
			change.Notes = append(change.Notes, "it needs what kls does not load or run, so what that would change is not shown")
		}
		sides[i] = result.Resources
		if result.Failed() {
			return change, nil
		}
	}
	var err error
	if change.Report, err = diff.Compare(sides[0], sides[1], diff.Options{ShowSecrets: f.showSecrets}); err != nil {
		return nil, err
	}
	if change.Change == diff.Changed && len(change.Report.Resources) == 0 {
		return nil, nil
	}
	change.Notes = slices.Compact(change.Notes)
	return change, nil
}

func isRoot(files *vfs.Snapshot, dir string) bool {
	return !(diffSide{dir: dir, printer: &printer{files: files}}).isMissing()
}
