package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
)

// affectedFlags are the flags of kls affected.
type affectedFlags struct {
	sideFlags
	dir, format string
	exact       bool
	deployments bool
}

func newAffectedCommand(std streams) *cobra.Command {
	var flags affectedFlags
	command := &cobra.Command{
		Use:   "affected [FILE…]",
		Short: "List the roots that render differently because of a change",
		Long: `List the kustomizations that render differently because of a change, one folder a line.

The change is the difference between a commit (--since, default HEAD) and the work tree,
untracked files included; or the FILEs; or, with both, the FILEs that differ. A commit
that ends in "..." stands for the commit where HEAD left it. A FILE of - reads files
from standard input, one a line.

The files that each kustomization names decide. No affected root is left out, but a root
that renders the same may be listed. --exact renders both sides, from git's objects and
from the work tree, and leaves such roots out; a root that does not build on both sides,
or that needs what is switched off, is still listed.

--deployments lists the deployments that get something else, one ID a line: both sides are
rendered. Without a commit, it lists the deployments that read a FILE, or whose parents do.

Folders that are no longer roots are listed on standard error, and with --format json.`,
		Example: `  kls affected --since origin/main...
  kls affected base/web.yaml
  git diff --name-only HEAD~1 | kls affected -
  kls affected --since origin/main... | xargs -r -n1 kls build`,
		RunE: func(command *cobra.Command, files []string) error {
			return showAffected(command.Context(), std, flags, files)
		},
	}
	flags.add(command, "compare with this commit: a branch, a tag, HEAD~2, origin/main...")
	f := command.Flags()
	f.StringVarP(&flags.dir, "dir", "C", ".", "look for roots at or below this folder")
	f.StringVar(&flags.format, "format", "text", "text or json")
	f.BoolVar(&flags.deployments, "deployments", false, "list deployments instead of roots")
	f.BoolVar(&flags.exact, "exact", false, "render both sides and compare")
	return command
}

func showAffected(ctx context.Context, std streams, flags affectedFlags, files []string) (err error) {
	if flags.format != "text" && flags.format != "json" {
		return fmt.Errorf("--format is text or json, not %q", flags.format)
	}
	if flags.since == "" && (len(files) == 0 || flags.exact) {
		flags.since = "HEAD"
	}
	builds, err := flags.builds(std.err)
	if err != nil {
		return err
	}
	v, err := newPrinterOn(flags.outside.disk(), []string{flags.dir}, "never", std.out)
	if err != nil {
		return err
	}
	v.files = vfs.NewSnapshot(affected.Listing(flags.outside.disk()))
	defer builds.warn()
	request := affected.Request{Dir: v.paths[0], Exact: flags.exact,
		Now: affected.Side{Session: builder.NewSession(v.files), Options: builds.in(v.files)}}
	if request.Files, err = flags.changes(ctx, std.err, v, files); err != nil {
		return err
	}
	var before *earlier
	defer func() { err = before.close(err) }()
	if flags.since != "" {
		request.Before = func() (affected.Side, error) {
			if before, err = openCommit(ctx, v.paths[0], flags.since, builds); err != nil {
				return affected.Side{}, err
			}
			return affected.Side{Session: before.session, Options: before.options}, nil
		}
	}
	changed, err := flags.deployed(ctx, v, request, builds)
	if err != nil {
		return err
	}
	if flags.deployments && flags.format == "text" {
		return v.writeAffectedDeployments(std, changed)
	}
	roots, err := affected.Find(ctx, request)
	if err != nil {
		return err
	}
	if flags.format == "json" {
		return v.writeAffectedJSON(std.out, roots, changed)
	}
	if len(changed) > 0 {
		fmt.Fprintf(std.err, "%s with it; --deployments names them\n", changing(len(changed)))
	}
	return v.writeAffected(std, roots)
}

func changing(n int) string {
	if n == 1 {
		return "1 deployment changes"
	}
	return fmt.Sprintf("%d deployments change", n)
}

// deployed returns which deployments get something else.
func (f affectedFlags) deployed(ctx context.Context, v *printer, request affected.Request, b *builds) (changed []jsonAffectedDeployment, err error) {
	files := vfs.NewSnapshot(vfs.Disk())
	if f.since == "" {
		set, err := deployments.Find(ctx, builder.NewSession(files).Remember(maxRemembered), v.paths[0], config.New(files), nil)
		if err != nil {
			return nil, err
		}
		var paths []string
		for _, file := range request.Files {
			paths = append(paths, file.Path)
		}
		for _, d := range deployments.Touched(set, paths) {
			changed = append(changed, jsonAffectedDeployment{d.ID.String(), string(affected.Possible)})
		}
		return changed, nil
	}
	if len(request.Files) == 0 {
		return nil, nil
	}
	s, err := openSets(ctx, files, v.paths[0], f.since, b)
	if err != nil {
		return nil, err
	}
	defer func() { err = s.commit.close(err) }()
	changes, err := deployments.Compare(s.before, s.now, diff.Options{})
	for _, c := range changes {
		shown := jsonAffectedDeployment{c.ID, string(c.Change)}
		if c.Report == nil {
			shown.Change = string(affected.Possible)
		}
		changed = append(changed, shown)
	}
	return changed, err
}

func (v *printer) writeAffectedDeployments(std streams, changed []jsonAffectedDeployment) error {
	for _, c := range changed {
		out, line := std.out, printable(c.ID)
		if c.Change == string(affected.Removed) {
			out, line = std.err, line+" is no longer deployed"
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// changes are the changed files: those since a commit, those that were given, or
// those of both.
func (f affectedFlags) changes(ctx context.Context, complaints io.Writer, v *printer, given []string) ([]affected.File, error) {
	var named []affected.File
	for _, path := range given {
		real, err := realPlace(v.files, path)
		if err != nil {
			return nil, err
		}
		named = append(named, affected.File{Path: real})
	}
	if f.since == "" {
		return named, nil
	}
	changed, err := changedSince(ctx, complaints, v.paths[0], f.since)
	if err != nil {
		return nil, err
	}
	var files []affected.File
	for _, c := range changed {
		isNamed := func(n affected.File) bool { return vfs.Below(n.Path, c.Path) }
		if len(given) == 0 || slices.ContainsFunc(named, isNamed) {
			files = append(files, c)
		}
	}
	return files, nil
}

func (v *printer) writeAffected(std streams, roots []affected.Root) error {
	for _, r := range roots {
		shown := printable(relative(v.folder, r.Dir))
		out, line := std.out, shown
		if r.Change == affected.Removed {
			out, line = std.err, shown+" is no longer a root"
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// The JSON output, version 1. Paths are relative to the working folder, with
// forward slashes.
type (
	jsonAffected struct {
		Version int                `json:"version"`
		Roots   []jsonAffectedRoot `json:"roots"`
		// Deployments are those that get something else.
		Deployments []jsonAffectedDeployment `json:"deployments,omitempty"`
	}
	jsonAffectedDeployment struct {
		ID     string `json:"id"`
		Change string `json:"change"`
	}
	jsonAffectedRoot struct {
		Dir string `json:"dir"`
		// Change is added, changed, removed or, where --exact could not render both
		// sides, possible.
		Change affected.Change `json:"change"`
		// Files are the changed files that the root depends on.
		Files []string `json:"files"`
	}
)

func (v *printer) writeAffectedJSON(out io.Writer, roots []affected.Root, changed []jsonAffectedDeployment) error {
	shown := jsonAffected{Version: 1, Roots: []jsonAffectedRoot{}, Deployments: changed}
	for _, r := range roots {
		root := jsonAffectedRoot{Dir: relative(v.folder, r.Dir), Change: r.Change, Files: []string{}}
		for _, path := range r.Files {
			root.Files = append(root.Files, relative(v.folder, path))
		}
		shown.Roots = append(shown.Roots, root)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(shown)
}
