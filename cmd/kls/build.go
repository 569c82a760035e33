package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// buildFlags are the flags of kls build: those of kustomize build v5.8.2, and
// permission for what it does unasked.
type buildFlags struct {
	output, loadRestrictor, reorder, color string
	blame, deployment                      string
	managedBy, trust                       bool
	outside                                outsideFlags
}

func newBuildCommand(std streams) *cobra.Command {
	var flags buildFlags
	command := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Print the rendered resources, as kustomize build does",
		Long: `Render the kustomization in DIR (default .) and print it as kustomize build does. DIR can
be the URL of a git repository. A build that fails prints the reasons and nothing else.

Unlike kustomize build, kls loads nothing over the network without --enable-remote.`,
		Example: `  kls build overlays/prod
  kls build overlays/prod -o rendered.yaml
  kls build overlays/prod --blame
  kls build --deployment Kustomization/flux-system/apps`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if !slices.Contains([]string{"", "text", "json"}, flags.blame) {
				return fmt.Errorf("--blame must be text or json, not %q", flags.blame)
			}
			if flags.deployment != "" {
				return buildDeployment(command.Context(), std, flags, flags.deployment, args)
			}
			return buildDir(command.Context(), std, flags, dir)
		},
	}
	f := command.Flags()
	f.StringVarP(&flags.output, "output", "o", "", "write to this file, whole or not at all; to an existing folder, one file for each resource")
	f.StringVar(&flags.blame, "blame", "", "show beside each line where it was written, as text or json")
	f.Lookup("blame").NoOptDefVal = "text"
	f.StringVar(&flags.deployment, "deployment", "", "print what this deployment of the repository of DIR gets; kls deployments lists the IDs")
	flags.add(f)
	return command
}

// add adds the flags that say how to build.
func (flags *buildFlags) add(f *pflag.FlagSet) {
	f.StringVar(&flags.loadRestrictor, "load-restrictor", "", load.RootOnly+" (default), or "+load.NoRestrictions+" to read files from anywhere")
	f.StringVar(&flags.reorder, "reorder", load.ReorderUnstated, "order of the output: legacy or none; sortOptions in the kustomization replaces it")
	f.BoolVar(&flags.managedBy, "enable-managedby-label", false, "add the label app.kubernetes.io/managed-by")
	f.StringVar(&flags.color, "color", "auto", "colour messages: auto, always or never")
	f.BoolVar(&flags.trust, "trust-config", false, trustUsage)
	flags.outside.add(f)
}

// options checks the flags that say how to build.
func (flags *buildFlags) options(std streams) (builder.Options, error) {
	options := builder.Options{LoadRestrictor: orDefault(flags.loadRestrictor), Reorder: flags.reorder, AddManagedByLabel: flags.managedBy,
		Outside: flags.outside.runner(std.err)}
	var err error
	if options.Limits, err = flags.outside.buildLimits(); err != nil {
		return options, err
	}
	if err := checkBuildOptions(options); err != nil {
		return options, err
	}
	if !slices.Contains([]string{load.ReorderLegacy, load.ReorderNone, load.ReorderUnstated}, flags.reorder) {
		return options, fmt.Errorf("--reorder must be legacy or none, not %q", flags.reorder)
	}
	return options, nil
}

// configured makes options out of those of the command line, and of what the
// configurations say.
func (flags *buildFlags) configured(options builder.Options, err io.Writer) *builds {
	options.LoadRestrictor = flags.loadRestrictor
	return &builds{flags: options, outside: flags.outside, trust: flags.trust, err: err}
}

func buildDir(ctx context.Context, std streams, flags buildFlags, dir string) error {
	options, err := flags.options(std)
	if err != nil {
		return err
	}
	if _, ok := gitrepo.Parse(dir); ok {
		if flags.blame != "" {
			return errors.New("--blame takes a folder, not a repository")
		}
		return buildRemote(ctx, std, flags, dir, options)
	}
	v, err := newPrinterOn(flags.outside.disk(), []string{dir}, flags.color, std.err)
	if err != nil {
		return err
	}
	if isDir, err := v.files.IsDir(v.paths[0]); err != nil || !isDir {
		return errors.Join(err, fmt.Errorf("%s is not a folder", dir))
	}
	session := builder.NewSession(v.files)
	builds := flags.configured(options, std.err)
	options = builds.in(v.files)(v.paths[0])
	builds.warn()
	print := renderDir
	switch {
	case flags.blame != "":
		print = v.blameDir(flags.blame)
	case isFolder(flags.output):
		print = intoFolder(flags.output)
		flags.output = ""
	}
	rendered, err := print(ctx, session, v.paths[0], options)
	switch {
	case err != nil:
		return err
	case rendered == nil:
		return v.explain(ctx, std.err, session, options)
	}
	return deliver(std, flags, rendered)
}

func deliver(std streams, flags buildFlags, rendered []byte) error {
	if flags.output != "" {
		return writeWhole(flags.output, rendered)
	}
	_, err := std.out.Write(rendered)
	return err
}

// buildRemote builds what a repository's URL names. What is wrong with it is told
// without places, since nobody has the files open.
func buildRemote(ctx context.Context, std streams, flags buildFlags, url string, options builder.Options) error {
	result, err := builder.NewSession(vfs.NewSnapshot(flags.outside.disk())).Build(ctx, url, options)
	if err != nil {
		return err
	}
	unprintable, err := result.Unprintable(ctx)
	if err != nil {
		return err
	}
	if !result.Failed() && !result.Unknown && len(unprintable) == 0 {
		if isFolder(flags.output) {
			return writeIndividually(flags.output, result.Resources)
		}
		rendered, err := result.YAML(ctx)
		if err != nil {
			return err
		}
		return deliver(std, flags, rendered)
	}
	for _, p := range append(result.Problems, unprintable...) {
		if p.Fatal || p.Code == problem.RemoteNotLoaded || p.Code == problem.ExternalNotRun || p.Code == problem.OutsideRoot {
			help := p.Help
			if _, remedy, ok := strings.Cut(help, "; "); ok && isNotRun(string(p.Code)) {
				help = remedy
			}
			fmt.Fprintf(std.err, "%s: error: %s [%s]\n  = %s\n", printable(url), printable(p.Message), p.Code, printable(help))
		}
	}
	return errFound
}

// renderDir returns what kustomize prints, or nil where it cannot be had.
func renderDir(ctx context.Context, session *builder.Session, dir string, options builder.Options) ([]byte, error) {
	result, err := session.Build(ctx, dir, options)
	if err != nil || result.Failed() || result.Unknown {
		return nil, err
	}
	return printed(ctx, result)
}

// printed returns what kustomize prints of a build; nil where it refuses to.
func printed(ctx context.Context, result *builder.Result) ([]byte, error) {
	rendered, err := result.YAML(ctx)
	var refusal *render.Refusal
	if errors.As(err, &refusal) {
		return nil, nil
	}
	if rendered == nil {
		rendered = []byte{}
	}
	return rendered, err
}

// explain builds once more, for diagnostics, and prints why there is nothing to
// print.
func (v *printer) explain(ctx context.Context, out io.Writer, session *builder.Session, options builder.Options) error {
	target := analysis.Target{Dir: v.paths[0]}
	report, err := analysis.Check(ctx, session, []analysis.Target{target}, analysis.Options{Rules: rules.All(), Build: options, Log: out})
	if err != nil {
		return err
	}
	var kept []analysis.Diagnostic
	var flags []string
	for _, d := range report.Diagnostics {
		switch {
		case isNotRun(d.Rule):
			d, flags = asObstacle(d, flags)
			kept = append(kept, d)
		case d.Severity >= analysis.Error || d.Rule == string(problem.OutsideRoot):
			kept = append(kept, d)
		}
	}
	var b bytes.Buffer
	v.oneRoot = true
	v.writeDiagnostics(&b, kept)
	if report.Roots[0].Verdict == analysis.Unknown {
		fmt.Fprintf(&b, "cannot build %s: kls loads nothing over the network and runs no program unless it is allowed to%s\n",
			printable(v.shown(v.paths[0])), allowedBy(flags))
	}
	if _, err := out.Write(b.Bytes()); err != nil {
		return err
	}
	return errFound
}

// isNotRun tells whether a rule is about what is switched off.
func isNotRun(rule string) bool {
	return rule == string(problem.RemoteNotLoaded) || rule == string(problem.ExternalNotRun)
}

// asObstacle is a finding about what is switched off, as the reason for which there is nothing to print, and the flags
// with the one that switches it on.
func asObstacle(d analysis.Diagnostic, flags []string) (analysis.Diagnostic, []string) {
	d.Severity = analysis.Error
	if _, remedy, ok := strings.Cut(d.Help, "; "); ok {
		d.Help = remedy
	}
	for word := range strings.FieldsSeq(d.Help) {
		if strings.HasPrefix(word, "--") && !slices.Contains(flags, word) {
			flags = append(flags, word)
		}
	}
	return d, flags
}

func allowedBy(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	return "; add " + strings.Join(flags, " ")
}
