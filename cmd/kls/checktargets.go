package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// find makes the printer and finds out what there is to check.
func (c *checkRun) find(ctx context.Context, paths []string) (err error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	c.seen = map[string]bool{}
	var folders, files []string
	if folders, files, err = c.sortPaths(paths); err != nil {
		return err
	}
	if c.printer.configs = config.New(c.printer.files); c.flags.since != "" {
		return c.findChanged(ctx, folders, files)
	}
	for _, folder := range folders {
		found, err := analysis.Discover(ctx, c.printer.files, folder)
		if err != nil {
			return err
		}
		c.add(found, folder)
		c.whole = append(c.whole, folder)
	}
	return c.findReaders(ctx, files)
}

// sortPaths makes the printer, and tells folders from files and from what is gone.
func (c *checkRun) sortPaths(paths []string) (folders, files []string, err error) {
	there := vfs.NewSnapshot(vfs.Disk())
	var known []string
	for _, path := range paths {
		if _, err := realPath(there, path); err == nil {
			known = append(known, path)
		}
	}
	if c.printer, err = newPrinterOn(c.flags.outside.disk(), known, c.flags.color, c.std.out); err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		real, err := realPlace(c.printer.files, path)
		if err != nil {
			return nil, nil, err
		}
		if resolved, err := c.printer.files.EvalSymlinks(real); err == nil {
			if isDir, err := c.printer.files.IsDir(resolved); err == nil && isDir {
				folders = append(folders, resolved)
				continue
			}
		}
		files = append(files, real)
	}
	return folders, files, nil
}

// findReaders finds the kustomizations that read the files, and complains about
// what neither is there nor has been.
func (c *checkRun) findReaders(ctx context.Context, files []string) error {
	byScope := map[string][]affected.File{}
	var scopes []string
	for _, path := range files {
		scope := c.printer.scope(filepath.Dir(path))
		if byScope[scope] == nil {
			scopes = append(scopes, scope)
		}
		_, err := c.printer.files.IsDir(path)
		byScope[scope] = append(byScope[scope], affected.File{Path: path, Removed: err != nil})
	}
	for _, scope := range scopes {
		if err := c.mustHaveBeen(ctx, scope, byScope[scope]); err != nil {
			return err
		}
		if err := c.addReaders(ctx, scope, byScope[scope]); err != nil {
			return err
		}
	}
	return nil
}

// mustHaveBeen returns an error for a file that does not exist, unless git knows
// that it was removed or a kustomization names it.
func (c *checkRun) mustHaveBeen(ctx context.Context, scope string, files []affected.File) error {
	var changed []external.ChangedFile
	for _, f := range files {
		if !f.Removed {
			continue
		}
		if changed == nil {
			changed, _ = external.ChangedSince(ctx, scope, "HEAD") // outside of git nothing is known
		}
		if slices.ContainsFunc(changed, func(c external.ChangedFile) bool { return vfs.Below(f.Path, c.Path) }) {
			continue
		}
		roots, err := affected.Find(ctx, c.request(scope, []affected.File{f}))
		if err != nil {
			return err
		}
		if len(roots) == 0 {
			return &fs.PathError{Op: "check", Path: f.Path, Err: fs.ErrNotExist}
		}
	}
	return nil
}

// findChanged finds what is affected by changes since a commit: at or under the
// folders, and by those of the files, if there are any.
func (c *checkRun) findChanged(ctx context.Context, folders, files []string) error {
	changesIn := func(dir string) ([]affected.File, error) { return changedSince(ctx, c.std.err, dir, c.flags.since) }
	for _, folder := range folders {
		changed, err := changesIn(folder)
		if err != nil {
			return err
		}
		if err := c.addReaders(ctx, folder, changed); err != nil {
			return err
		}
	}
	for _, path := range files {
		scope := c.printer.scope(filepath.Dir(path))
		changed, err := changesIn(scope)
		if err != nil {
			return err
		}
		changed = slices.DeleteFunc(changed, func(f affected.File) bool { return f.Path != path })
		if err := c.addReaders(ctx, scope, changed); err != nil {
			return err
		}
	}
	return nil
}

// offline are the options of builds that only find out what is read.
func (c *checkRun) offline(files *vfs.Snapshot) func(dir string) builder.Options {
	configured := c.builds.in(files)
	return func(dir string) builder.Options {
		return builder.Options{LoadRestrictor: configured(dir).LoadRestrictor}
	}
}

// request asks for what concerns files at or below a folder.
func (c *checkRun) request(scope string, files []affected.File) affected.Request {
	snapshot := vfs.NewSnapshot(affected.Listing(c.flags.outside.disk()))
	return affected.Request{Dir: scope, Files: files, Now: affected.Side{Session: builder.NewSession(snapshot), Options: c.offline(snapshot)}}
}

// addReaders adds what is to be checked because of files, at or below a folder.
func (c *checkRun) addReaders(ctx context.Context, scope string, files []affected.File) error {
	if len(files) == 0 {
		return nil
	}
	slices.SortFunc(files, func(a, b affected.File) int { return cmp.Compare(a.Path, b.Path) })
	found, err := affected.Targets(ctx, c.printer.files, c.request(scope, files))
	if err != nil {
		return errors.Join(err, fmt.Errorf("looking for what reads %s", c.printer.shown(files[0].Path)))
	}
	c.add(found, scope)
	return nil
}

// add takes in targets that were found in a folder, but not what the configuration
// excludes, unless it excludes that folder, too.
func (c *checkRun) add(found []analysis.Target, folder string) {
	anyway := c.printer.configs.Excluded(folder)
	if anyway {
		c.anyway = append(c.anyway, folder)
	}
	for _, t := range found {
		switch {
		case c.seen[t.Dir]:
		case !anyway && c.printer.configs.Excluded(t.Dir):
			c.excluded++
		default:
			c.seen[t.Dir] = true
			c.targets = append(c.targets, t)
		}
	}
}
