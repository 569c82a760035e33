package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
)

// diffFlags are the flags of kls diff.
type diffFlags struct {
	sideFlags
	format, color         string
	width                 int
	showSecrets, exitCode bool
	deployment            string
	deployments           bool
}

// diffFormats are the values of --format.
var diffFormats = []string{"unified", "side-by-side", "summary", "markdown", "json"}

func newDiffCommand(std streams) *cobra.Command {
	var flags diffFlags
	command := &cobra.Command{
		Use:   "diff [DIR [DIR2]]",
		Short: "Show what changes in the rendered resources",
		Long: `Render a kustomization before and after a change, and show what changes in the resources.

With one folder, "before" is a commit (--since, default HEAD) and "after" is the work
tree. A commit that ends in "..." stands for the commit where HEAD left it. With two
folders, the first is "before" and the second "after"; resources that have the same name
in the files are matched even if prefixes or namespaces differ.

Resources are matched by group, kind, namespace and name, without the hash in a name. JSON
and YAML inside strings is compared by content. Values of Secrets are hidden unless
--show-secrets is given.

With --deployments, and for a folder that has deployments but no kustomization: what
changes in what each deployment of the repository of DIR (default .) gets, parents,
options and variables included, and what that deletes from the cluster. If nothing is
deployed from the repository, the kustomizations that a change affects are compared. In
markdown, deployments with the same changes share a row, with the images that change, in
at most 60,000 bytes.`,
		Example: `  kls diff overlays/prod
  kls diff overlays/prod --since origin/main... --format markdown
  kls diff overlays/staging overlays/prod --format summary`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(command *cobra.Command, dirs []string) error {
			if len(dirs) == 0 {
				dirs = []string{"."}
			}
			return showDiff(command.Context(), std, flags, dirs)
		},
	}
	flags.add(command, "compare with this commit: a branch, a tag, HEAD~2, origin/main...")
	f := command.Flags()
	f.StringVar(&flags.format, "format", "unified", strings.Join(diffFormats, ", "))
	f.StringVar(&flags.color, "color", "auto", "colour the text: auto, always or never")
	f.BoolVar(&flags.deployments, "deployments", false, "compare what the deployments of the repository get")
	f.StringVar(&flags.deployment, "deployment", "", "compare what this deployment gets, as kls deployments lists it")
	f.IntVar(&flags.width, "width", 160, "columns of a side-by-side diff")
	f.BoolVar(&flags.showSecrets, "show-secrets", false, "show the values of Secrets, decoded")
	f.BoolVar(&flags.exitCode, "exit-code", false, "exit with 1 if something changes")
	return command
}

func (f diffFlags) check(dirs []string) error {
	switch {
	case !slices.Contains(diffFormats, f.format):
		return fmt.Errorf("--format must be one of %s, not %q", strings.Join(diffFormats, ", "), f.format)
	case f.since != "" && len(dirs) == 2:
		return errors.New("--since needs exactly one folder")
	case (f.deployments || f.deployment != "") && len(dirs) == 2:
		return errors.New("--deployments and --deployment take one folder")
	case f.width < minWidth:
		return fmt.Errorf("--width must be at least %d", minWidth)
	}
	return nil
}

func showDiff(ctx context.Context, std streams, flags diffFlags, dirs []string) error {
	if err := flags.check(dirs); err != nil {
		return err
	}
	builds, err := flags.builds(std.err)
	if err != nil {
		return err
	}
	defer builds.warn()
	if done, err := flags.showDeployments(ctx, std, dirs, builds); done || err != nil {
		return err
	}
	compared, err := flags.compare(ctx, std, dirs, builds)
	if err != nil {
		return err
	}
	v, err := newPrinterOn(flags.outside.disk(), nil, flags.color, std.out)
	if err != nil {
		return err
	}
	if err := v.writeDiff(std.out, flags, compared); err != nil {
		return err
	}
	if flags.exitCode && len(compared.report.Resources) > 0 {
		return errFound
	}
	return nil
}

// comparison is what a diff shows.
type comparison struct {
	before, after string // what is compared, for people
	report        *diff.Report
}

// compare renders both sides. The error is errFound where one of them does not
// build, which is told on standard error.
func (f diffFlags) compare(ctx context.Context, std streams, dirs []string, b *builds) (c comparison, err error) {
	now, err := newDiffSide(std, f, dirs[len(dirs)-1], b)
	if err != nil {
		return c, err
	}
	before := now
	if len(dirs) == 2 {
		if before, err = newDiffSide(std, f, dirs[0], b); err != nil {
			return c, err
		}
	} else {
		since := f.since
		if since == "" {
			since = "HEAD"
		}
		commit, err := openCommit(ctx, nearestFolder(now.printer.files, now.dir), since, b)
		if err != nil {
			return c, err
		}
		defer func() { err = commit.close(err) }()
		before = now.at(commit, since)
	}
	c.before, c.after = before.name, now.name
	old, current, err := renderSides(ctx, std, before, now, len(dirs) == 1)
	if err != nil {
		return c, err
	}
	c.report, err = diff.Compare(old, current, diff.Options{ShowSecrets: f.showSecrets, ByOrigin: len(dirs) == 2})
	return c, err
}

// renderSides renders both sides. Of a commit and the work tree, one may not have
// the kustomization.
func renderSides(ctx context.Context, std streams, before, now diffSide, mayLack bool) (old, current []*resource.Resource, err error) {
	if mayLack && before.isMissing() && now.isMissing() {
		return nil, nil, fmt.Errorf("%s has no kustomization file, now or before", now.name)
	}
	for _, side := range []struct {
		diffSide
		resources *[]*resource.Resource
	}{{before, &old}, {now, &current}} {
		if mayLack && side.isMissing() {
			continue
		}
		if *side.resources, err = side.render(ctx, std); err != nil {
			return nil, nil, err
		}
	}
	return old, current, nil
}

// diffSide is one side of a diff.
type diffSide struct {
	name    string // for people
	dir     string // absolute
	printer *printer
	session *builder.Session
	options builder.Options
}

func newDiffSide(std streams, flags diffFlags, dir string, b *builds) (diffSide, error) {
	v, err := newPrinterOn(flags.outside.disk(), nil, flags.color, std.err)
	if err != nil {
		return diffSide{}, err
	}
	real, err := realPath(v.files, dir)
	if err != nil { // it may have been there before
		if real, err = realPlace(v.files, dir); err != nil {
			return diffSide{}, err
		}
	}
	v.paths = []string{real}
	return diffSide{name: filepath.ToSlash(filepath.Clean(dir)), dir: real, printer: v, session: builder.NewSession(v.files), options: b.in(v.files)(real)}, nil
}

// at is the same folder in a commit.
func (s diffSide) at(e *earlier, ref string) diffSide {
	v := *s.printer
	v.files, v.lines = e.session.Files(), map[string]*source{}
	return diffSide{name: s.name + " at " + ref, dir: s.dir, printer: &v, session: e.session, options: e.options(s.dir)}
}

// nearestFolder is the folder or, where it is not there, the nearest above it.
func nearestFolder(files *vfs.Snapshot, dir string) string {
	for dir != filepath.Dir(dir) {
		if isDir, err := files.IsDir(dir); err == nil && isDir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// isMissing tells whether there is no kustomization.
func (s diffSide) isMissing() bool {
	for _, name := range kustomization.FileNames() {
		if isDir, err := s.printer.files.IsDir(filepath.Join(s.dir, name)); err == nil && !isDir {
			return false
		}
	}
	return true
}

// render returns the resources. Where kustomize would refuse them, it tells why.
func (s diffSide) render(ctx context.Context, std streams) ([]*resource.Resource, error) {
	result, err := s.session.Build(ctx, s.dir, s.options)
	if err != nil {
		return nil, err
	}
	if !result.Failed() {
		_, err = result.YAML(ctx)
	}
	refusal := new(render.Refusal)
	switch {
	case result.Failed() || errors.As(err, &refusal):
		fmt.Fprintf(std.err, "%s does not build\n", printable(s.name))
		return nil, s.printer.explain(ctx, std.err, s.session, s.options)
	case result.Unknown:
		fmt.Fprintf(std.err, "%s needs what kls does not load or run: what that would change is not compared\n", printable(s.name))
	}
	return result.Resources, err
}
