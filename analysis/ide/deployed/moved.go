package deployed

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// PathEntries returns the paths in the objects of what is deployed from the folders that
// are open: those of folders, and of components.
func PathEntries(ctx context.Context, v *workspace.View) ([]cursor.PathEntry, error) {
	var entries []cursor.PathEntry
	err := eachSet(ctx, v, func(set *deployment.Set) {
		for _, d := range set.Deployments {
			entries = append(entries, entriesOf(v, d)...)
		}
	})
	return entries, err
}

// PathEntryAt returns the path of a deployment's object that an offset of a file is in.
func PathEntryAt(ctx context.Context, v *workspace.View, file string, offset int) (e cursor.PathEntry, ok bool, err error) {
	f, err := v.Files().ReadFile(file)
	if err != nil || !strings.Contains(string(f.Data), deployment.FluxGroup) {
		return e, false, nil
	}
	set, err := v.Deployments(ctx, file)
	if err != nil {
		return e, false, err
	}
	for _, d := range set.Deployments {
		for _, e := range entriesOf(v, d) {
			place, ok := cursor.PathPlace(v, e)
			if ok && place.File == file && place.Span.Start <= offset && offset <= place.Span.End {
				return e, true, nil
			}
		}
	}
	return e, false, nil
}

func eachSet(ctx context.Context, v *workspace.View, use func(*deployment.Set)) error {
	met := map[string]bool{}
	for _, folder := range v.Folders() {
		set, err := v.Deployments(ctx, folder)
		if err != nil {
			return err
		}
		if !met[set.Root] {
			met[set.Root] = true
			use(set)
		}
	}
	return nil
}

// entriesOf returns the paths of an object that are written as they are: what variables of
// a parent are substituted in is not.
func entriesOf(v *workspace.View, d *deployment.Deployment) []cursor.PathEntry {
	if d.Dir == "" {
		return nil
	}
	var entries []cursor.PathEntry
	written := filepath.FromSlash(strings.TrimLeft(d.Path.Value, "/"))
	if base, ok := strings.CutSuffix(d.Dir, string(filepath.Separator)+filepath.Clean(written)); ok {
		start := len(d.Path.Value) - len(strings.TrimLeft(d.Path.Value, "/"))
		if e, ok := entry(v, d.Path.Node, base, d.Dir, start); ok {
			entries = append(entries, e)
		}
	}
	for _, c := range d.Components() {
		if e, ok := entry(v, c, d.Dir, filepath.Join(d.Dir, filepath.FromSlash(c.Value)), 0); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func entry(v *workspace.View, n *yaml.Node, base, target string, start int) (cursor.PathEntry, bool) {
	if n == nil {
		return cursor.PathEntry{}, false
	}
	_, path, _ := v.Session().NodeSpan(n)
	asWritten, ok := v.Session().Table().WrittenText(n)
	if !ok || asWritten != n.Value || path == "" {
		return cursor.PathEntry{}, false
	}
	return cursor.PathEntry{File: path, Node: n, Part: text.Span{Start: start, End: len(n.Value)}, Base: base, Target: target}, true
}

// CheckMoved renders what is deployed with other files, and returns the reason why they
// must not take the place of the present ones: something is deployed that was not, or is
// not any more. The objects that deploy may have other paths.
func CheckMoved(ctx context.Context, v *workspace.View, files *vfs.Snapshot) (reason string, err error) {
	failed := eachSet(ctx, v, func(set *deployment.Set) {
		if len(set.Deployments) == 0 || err != nil || reason != "" {
			return
		}
		var after *deployment.Set
		if after, err = deployments.FindIn(ctx, builder.NewSession(files), set.Root, v.Options().Config, nil); err == nil {
			reason, err = compare(set, after)
		}
	})
	if err == nil {
		err = failed
	}
	return reason, err
}

func compare(before, after *deployment.Set) (reason string, err error) {
	changes, err := deployments.Compare(before, after, diff.Options{})
	if err != nil {
		return "", err
	}
	for _, c := range changes {
		switch {
		case c.Change != diff.Changed:
			return c.ID + " would be " + string(c.Change), nil
		case c.Before.Verdict != c.After.Verdict:
			return c.ID + " would fail: " + c.After.Reason, nil
		case c.Report == nil:
			continue
		}
		for _, r := range c.Report.Resources {
			if !strings.HasPrefix(r.Address(), "Kustomization."+deployment.FluxGroup) || r.Change != diff.Changed {
				return c.ID + ": " + r.Address() + " would be " + string(r.Change), nil
			}
		}
	}
	return "", nil
}
