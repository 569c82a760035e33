package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/spf13/cobra"
)

// checkFlags are the flags of kls check.
type checkFlags struct {
	format, failOn, severity, color, loadRestrictor string
	outside                                         outsideFlags
}

func newCheckCommand(std streams) *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check every kustomization at or under PATH",
		Long: `Check every kustomization at or under each PATH (default .): whether it builds,
and what in it is wrong or probably not meant.

Exit status is 0, or 1 when a diagnostic is as bad as --fail-on, or 2 when
something could not be read.`,
		RunE: func(command *cobra.Command, paths []string) error {
			return check(command.Context(), std, flags, paths)
		},
	}
	f := command.Flags()
	f.StringVar(&flags.format, "format", "text", "text or json")
	f.StringVar(&flags.failOn, "fail-on", "error", "exit with 1 at a diagnostic of this severity or worse: error, warning or info")
	f.StringVar(&flags.severity, "severity", "hint", "show diagnostics of this severity or worse: error, warning, info or hint")
	f.StringVar(&flags.color, "color", "auto", "colour the text: auto, always or never")
	f.StringVar(&flags.loadRestrictor, "load-restrictor", build.RootOnly, "as kustomize build --load-restrictor: "+build.RootOnly+" or "+build.NoRestrictions)
	flags.outside.add(f)
	return command
}

func check(ctx context.Context, std streams, flags checkFlags, paths []string) error {
	failOn, show, err := flags.severities()
	if err != nil {
		return err
	}
	options := build.Options{LoadRestrictor: flags.loadRestrictor, Outside: flags.outside.runner(std.err)}
	if err := checkBuildOptions(options); err != nil {
		return err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	v, err := newView(paths, flags.color, std.out)
	if err != nil {
		return err
	}
	report, err := v.check(ctx, options, std.err)
	if err != nil {
		return err
	}
	worst := report.Worst()
	report.Diagnostics = slices.DeleteFunc(report.Diagnostics, func(d analysis.Diagnostic) bool { return d.Severity < show })
	if flags.format == "json" {
		err = v.writeJSON(std.out, report)
	} else {
		err = v.writeText(std.out, report)
	}
	if err == nil && worst >= failOn {
		err = errFound
	}
	return err
}

func (f checkFlags) severities() (failOn, show analysis.Severity, err error) {
	if f.format != "text" && f.format != "json" {
		return 0, 0, fmt.Errorf("--format is text or json, not %q", f.format)
	}
	failOn, ok := analysis.ParseSeverity(f.failOn)
	if !ok || failOn == analysis.Hint {
		return 0, 0, fmt.Errorf("--fail-on is error, warning or info, not %q", f.failOn)
	}
	show, ok = analysis.ParseSeverity(f.severity)
	if !ok {
		return 0, 0, fmt.Errorf("--severity is error, warning, info or hint, not %q", f.severity)
	}
	return failOn, show, nil
}

func checkBuildOptions(o build.Options) error {
	switch o.LoadRestrictor {
	case build.RootOnly, build.NoRestrictions:
		return nil
	}
	return fmt.Errorf("--load-restrictor is %s or %s, not %q", build.RootOnly, build.NoRestrictions, o.LoadRestrictor)
}

// check checks all that is at or under the paths of the view.
func (v *view) check(ctx context.Context, options build.Options, log io.Writer) (*analysis.Report, error) {
	known := map[string]bool{}
	var targets []analysis.Target
	for _, path := range v.paths {
		found, err := analysis.Discover(ctx, v.files, path)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if !known[t.Dir] {
				known[t.Dir] = true
				targets = append(targets, t)
			}
		}
	}
	return analysis.Check(ctx, build.NewSession(v.files), targets,
		analysis.Options{Rules: rules.All(), Build: options, Log: log})
}

// realPath makes a path of the command line absolute, without symbolic links.
func realPath(files *vfs.Snapshot, path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return files.EvalSymlinks(path)
}
