package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
)

// sideFlags are the flags of commands that compare the files with a commit.
type sideFlags struct {
	since, loadRestrictor string
	trust                 bool
	outside               outsideFlags
}

func (f *sideFlags) add(command *cobra.Command, since string) {
	flags := command.Flags()
	flags.StringVar(&f.since, "since", "", since)
	flags.StringVar(&f.loadRestrictor, "load-restrictor", "", loadRestrictorUsage)
	flags.BoolVar(&f.trust, "trust-config", false, trustUsage)
	f.outside.add(flags)
}

// builds makes the options of the builds of either side.
func (f *sideFlags) builds(err io.Writer) (*builds, error) {
	return newBuilds(f.loadRestrictor, f.outside, f.trust, err)
}

// earlier is the state of a commit.
type earlier struct {
	commit  *external.Commit
	session *builder.Session
	builds  func(dir string) builder.Options

	mutex   sync.Mutex
	outside map[builder.Outside]*external.AtCommit
}

// openCommit opens the commit that a ref names in the repository of a folder.
// Charts and functions of it see the commit's files, not those of the work tree, and
// the commit's configuration counts.
func openCommit(ctx context.Context, dir, ref string, b *builds) (*earlier, error) {
	warnEmbedded(b.err, dir)
	commit, err := external.OpenCommit(ctx, dir, ref)
	if err != nil {
		return nil, err
	}
	e := &earlier{commit: commit, session: builder.NewSession(vfs.NewSnapshot(commit)), outside: map[builder.Outside]*external.AtCommit{}}
	e.builds = b.in(e.session.Files())
	return e, nil
}

// changedSince returns the files of the repository of a folder that differ from a commit.
func changedSince(ctx context.Context, err io.Writer, dir, ref string) ([]affected.File, error) {
	warnEmbedded(err, dir)
	changed, failed := external.ChangedSince(ctx, dir, ref)
	var files []affected.File
	for _, c := range changed {
		files = append(files, affected.File(c))
	}
	return files, failed
}

// warnEmbedded says that a folder lies in what somebody else's git might take for a
// repository, whose configuration could make git run programs.
func warnEmbedded(err io.Writer, dir string) {
	if embedded := external.EmbeddedRepository(dir); embedded != "" {
		fmt.Fprintf(err, "%s looks like a git repository of its own; kls does not enter it\n", printable(filepath.ToSlash(embedded)))
	}
}

// options are those of the build of a root in the commit.
func (e *earlier) options(dir string) builder.Options {
	options := e.builds(dir)
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.outside[options.Outside] == nil {
		e.outside[options.Outside] = external.NewAtCommit(options.Outside, e.commit)
	}
	options.Outside = e.outside[options.Outside]
	return options
}

// close ends what was opened; err is what happened before.
func (e *earlier) close(err error) error {
	if e == nil {
		return err
	}
	for _, outside := range e.outside {
		if closed := outside.Close(); err == nil {
			err = closed
		}
	}
	return err
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
