package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
)

// affectedFlags are the flags of kls affected.
type affectedFlags struct {
	sideFlags
	dir, format string
	exact       bool
}

func newAffectedCommand(std streams) *cobra.Command {
	var flags affectedFlags
	command := &cobra.Command{
		Use:   "affected [FILE…]",
		Short: "Tell which roots render differently because of a change",
		Long: `Tell which kustomizations render differently because of a change, one folder a line.

The change is what differs between a commit and the work tree, files that git does
not track included (--since, default HEAD), or else the FILEs, or those FILEs of
the former. A REF that ends in "..." stands for the commit where HEAD left it.

The files that the kustomizations name decide: no root is left out, but one whose
rendering stays the same may be named. --exact renders both sides, from git's
objects and from the work tree, and leaves out what comes out the same. A root that
does not build on both sides, or needs what is switched off, is named then as well.

Folders that are no roots any more are told on standard error and with --format json.`,
		RunE: func(command *cobra.Command, files []string) error {
			return showAffected(command.Context(), std, flags, files)
		},
	}
	flags.add(command, "compare with this commit: a branch, a tag, HEAD~2, main...")
	f := command.Flags()
	f.StringVarP(&flags.dir, "dir", "C", ".", "look for roots at or below this folder")
	f.StringVar(&flags.format, "format", "text", "text or json")
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
	v, err := newPrinter([]string{flags.dir}, "never", std.out)
	if err != nil {
		return err
	}
	v.files = vfs.NewSnapshot(affected.Listing(vfs.Disk()))
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
	roots, err := affected.Find(ctx, request)
	if err != nil {
		return err
	}
	if flags.format == "json" {
		return v.writeAffectedJSON(std.out, roots)
	}
	return v.writeAffected(std, roots)
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
			out, line = std.err, shown+" is no root any more"
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

func (v *printer) writeAffectedJSON(out io.Writer, roots []affected.Root) error {
	shown := jsonAffected{Version: 1, Roots: []jsonAffectedRoot{}}
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
