package main

import (
	"context"
	"io"
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
)

// sideFlags are the flags of commands that compare the files with a commit.
type sideFlags struct {
	since, loadRestrictor string
	outside               outsideFlags
}

func (f *sideFlags) add(command *cobra.Command, since string) {
	flags := command.Flags()
	flags.StringVar(&f.since, "since", "", since)
	flags.StringVar(&f.loadRestrictor, "load-restrictor", build.RootOnly, "as kustomize build --load-restrictor: "+build.RootOnly+" or "+build.NoRestrictions)
	f.outside.add(flags)
}

// options are those of a build of the files as they are.
func (f *sideFlags) options(err io.Writer) (build.Options, error) {
	options := build.Options{LoadRestrictor: f.loadRestrictor, Outside: f.outside.runner(err)}
	return options, checkBuildOptions(options)
}

// earlier is the state of a commit.
type earlier struct {
	commit  *external.Commit
	session *build.Session
	options build.Options
	outside *external.AtCommit
}

// openCommit opens the commit that a ref names in the repository of a folder.
// Charts and functions of it see the commit's files, not those of the work tree.
func openCommit(ctx context.Context, dir, ref string, options build.Options) (*earlier, error) {
	commit, err := external.OpenCommit(ctx, dir, ref)
	if err != nil {
		return nil, err
	}
	e := &earlier{commit: commit, session: build.NewSession(vfs.NewSnapshot(commit)), options: options}
	e.outside = external.NewAtCommit(options.Outside, commit)
	e.options.Outside = e.outside
	return e, nil
}

// realPlace makes a path of the command line absolute, without symbolic links in
// the folders above it. Nothing has to be there.
func realPlace(files *vfs.Snapshot, path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for dir, rest := filepath.Dir(path), filepath.Base(path); ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if real, err := files.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), nil
		}
		if dir == filepath.Dir(dir) {
			return path, nil
		}
	}
}
