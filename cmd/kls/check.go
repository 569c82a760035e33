package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/schema"
	"github.com/spf13/cobra"
)

// checkFlags are the flags of kls check.
type checkFlags struct {
	formats                                 []string
	failOn, severity, color, loadRestrictor string
	since, baseline, kubernetes             string
	quiet, exitZero, watch                  bool
	writeBaseline, fix, diff, trust         bool
	all, statistics, unsafeFixes, fixOnly   bool
	failOnEmpty, failOnUnknown              bool
	outside                                 outsideFlags
}

func newCheckCommand(std streams) *cobra.Command {
	var flags checkFlags
	command := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check every kustomization at or under PATH",
		Long: `Check every kustomization at or under each PATH (default .): whether it builds, and
what is wrong with it or probably not meant.

A PATH that is a file stands for the kustomizations that read it, anywhere in the git
repository, or else in the working folder. A deleted file does so, too. A PATH of -
reads paths from standard input, one a line.

Comments suppress findings: "# kls:ignore RULE[,RULE] reason" on the line or above it
(above an entry of a list: for the whole entry), "# kls:ignore-file RULE reason" for
the file. .kls.yaml sets severities and excludes folders.

Text output shows errors and warnings, errors first, repeated findings once, and counts
the rest; --all shows everything. Other formats always contain every finding.

A fix is safe if it cannot change what is rendered, or if the build fails without it
and only one thing can be meant. --fix also makes the one fix of an error that building
proves: with it the kustomization builds, which failed before, and nothing new is
reported. All other fixes are guesses: look at what --diff --unsafe-fixes prints before
--fix --unsafe-fixes makes them. A fix that breaks another kustomization is undone.`,
		Example: `  kls check
  kls check overlays/prod --fail-on warning
  kls check base/web.yaml                           # what does this file break?
  kls check --since origin/main... --format github
  kls check --format text --format sarif:kls.sarif
  kls check --fix`,
		RunE: func(command *cobra.Command, paths []string) error {
			if flags.watch {
				return watch(command.Context(), std, flags, paths)
			}
			return check(command.Context(), std, flags, paths)
		},
	}
	f := command.Flags()
	f.StringArrayVar(&flags.formats, "format", nil, strings.Join(formatNames(), ", ")+" (default text); FORMAT:FILE writes to a file, and the flag can be given several times")
	f.StringVar(&flags.failOn, "fail-on", "error", "exit with 1 at a finding of this severity or higher: error, warning, info or hint")
	f.StringVar(&flags.severity, "severity", "", "show findings of this severity or higher: error, warning, info or hint (default warning in text, hint in other formats)")
	f.BoolVar(&flags.watch, "watch", false, "check again whenever a file changes, until interrupted")
	f.BoolVar(&flags.exitZero, "exit-zero", false, "exit with 0 even if there are findings")
	f.BoolVarP(&flags.quiet, "quiet", "q", false, "print the findings only: no summary, no progress")
	f.BoolVar(&flags.all, "all", false, "show every finding in text output, info and hints included, at each place")
	f.BoolVar(&flags.statistics, "statistics", false, "count the findings by rule, in text output")
	f.BoolVar(&flags.failOnEmpty, "fail-on-empty", false, "exit with 1 if nothing was checked")
	f.BoolVar(&flags.failOnUnknown, "fail-on-unknown", false, "exit with 1 if a kustomization could not be checked in full")
	f.StringVar(&flags.color, "color", "auto", "colour the text: auto, always or never")
	f.StringVar(&flags.loadRestrictor, "load-restrictor", "", loadRestrictorUsage)
	f.BoolVar(&flags.fix, "fix", false, "apply the fixes that are safe or proven by building, and report what is left")
	f.BoolVar(&flags.fixOnly, "fix-only", false, "apply the same fixes, and report nothing else")
	f.BoolVar(&flags.unsafeFixes, "unsafe-fixes", false, "with --fix or --diff: include fixes that may not be what was meant")
	f.BoolVar(&flags.diff, "diff", false, "print what --fix would change, and change nothing")
	f.StringVar(&flags.since, "since", "", "check only what is affected by changes since this commit: a branch, a tag, HEAD~2, origin/main... (also --changed-since)")
	alias(f, "changed-since", "since")
	f.StringVar(&flags.baseline, "baseline", "", "a file of known findings, which are not reported")
	f.BoolVar(&flags.writeBaseline, "write-baseline", false, "write the findings to the baseline (default "+defaultBaseline+"), and report nothing")
	f.StringVar(&flags.kubernetes, "kubernetes-version", "", "validate rendered resources against this version of Kubernetes: "+strings.Join(schema.Versions(), ", ")+" (default: the one in .kls.yaml, else the newest)")
	f.BoolVar(&flags.trust, "trust-config", false, trustUsage)
	flags.outside.add(f)
	return command
}

func check(ctx context.Context, std streams, flags checkFlags, paths []string) error {
	flags.fix = flags.fix || flags.fixOnly
	failOn, show, err := flags.severities()
	if err != nil {
		return err
	}
	outputs, err := flags.outputs()
	if err != nil {
		return err
	}
	builds, err := newBuilds(flags.loadRestrictor, flags.outside, flags.trust, std.err)
	if err != nil {
		return err
	}
	c := &checkRun{std: std, flags: flags, builds: builds}
	if err := c.find(ctx, paths); err != nil {
		return err
	}
	report, err := c.run(ctx)
	if err != nil || report == nil || flags.fixOnly {
		return err
	}
	c.builds.warn()
	sum := summary{report: report, suppressed: report.Suppressed, show: show, failOn: failOn, all: flags.all, statistics: flags.statistics, quiet: flags.quiet}
	if flags.baseline != "" || flags.writeBaseline {
		if done, err := c.applyBaseline(&sum, show); done || err != nil {
			return err
		}
	}
	bad := report.Worst() >= failOn || flags.failOnUnknown && isUnknown(report) || flags.failOnEmpty && len(report.Roots) == 0
	if len(report.Roots) == 0 {
		fmt.Fprintf(std.err, "kls: warning: nothing was checked: %s\n", c.whyNothing(ctx, paths))
	}
	if flags.diff {
		return c.found(bad)
	}
	if err := c.printer.writeAll(std.out, outputs, sum, flags.severity); err != nil {
		return err
	}
	return c.found(bad)
}

func isUnknown(report *analysis.Report) bool {
	return slices.ContainsFunc(report.Roots, func(r analysis.Root) bool { return r.Verdict == analysis.Unknown })
}

// whyNothing says why there is nothing to check.
func (c *checkRun) whyNothing(ctx context.Context, paths []string) string {
	switch {
	case c.excluded > 0:
		return fmt.Sprintf("%s excludes everything here: %s", config.FileName, plural(c.excluded, "kustomization"))
	case c.flags.since != "":
		return "no kustomization is affected by the changes"
	case len(c.whole) == 0:
		return "no kustomization reads " + strings.Join(paths, ", ")
	}
	for _, dir := range c.whole {
		entries, _ := c.printer.files.ReadDir(dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			real, err := c.printer.files.EvalSymlinks(path)
			isDir, _ := c.printer.files.IsDir(path)
			if err != nil || real == path || !isDir {
				continue
			}
			if found, err := analysis.Discover(ctx, c.printer.files, real); err == nil && len(found) > 0 {
				return fmt.Sprintf("%s is a symbolic link, and links are not followed; check %s itself", c.printer.shown(path), c.printer.shown(real))
			}
		}
	}
	return "there is no kustomization.yaml at or below " + strings.Join(orCurrent(paths), ", ")
}

func orCurrent(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	return paths
}

func (c *checkRun) found(bad bool) error {
	if bad && !c.flags.exitZero {
		return errFound
	}
	return nil
}

func orDefault(loadRestrictor string) string {
	if loadRestrictor == "" {
		return load.RootOnly
	}
	return loadRestrictor
}

func (f checkFlags) severities() (failOn, show analysis.Severity, err error) {
	failOn, ok := analysis.ParseSeverity(f.failOn)
	if !ok {
		return 0, 0, fmt.Errorf("--fail-on must be error, warning, info or hint, not %q", f.failOn)
	}
	show, ok = analysis.ParseSeverity(f.severity)
	switch {
	case f.severity == "" && (f.all || f.statistics):
		show, ok = analysis.Hint, true
	case f.severity == "":
		show, ok = min(analysis.Warning, failOn), true
	}
	if !ok {
		return 0, 0, fmt.Errorf("--severity must be error, warning, info or hint, not %q", f.severity)
	}
	if f.unsafeFixes && !f.fix && !f.diff {
		return 0, 0, errors.New("--unsafe-fixes needs --fix or --diff")
	}
	if f.fixOnly && f.diff {
		return 0, 0, errors.New("--fix-only cannot be combined with --diff")
	}
	if f.writeBaseline && (f.fix || f.diff || f.since != "") {
		return 0, 0, errors.New("--write-baseline cannot be combined with --fix, --diff or --since")
	}
	return failOn, show, nil
}

func checkBuildOptions(o builder.Options) error {
	switch o.LoadRestrictor {
	case load.RootOnly, load.NoRestrictions:
		return nil
	}
	return fmt.Errorf("--load-restrictor must be %s or %s, not %q", load.RootOnly, load.NoRestrictions, o.LoadRestrictor)
}

// checkRun is one run of kls check.
type checkRun struct {
	std     streams
	flags   checkFlags
	builds  *builds
	printer *printer
	// targets are what is checked; whole are the folders in which all was found that
	// there is.
	targets []analysis.Target
	whole   []string
	seen    map[string]bool // folders of targets
	// excluded counts the kustomizations that the configuration excludes.
	excluded int
	// anyway are folders that are excluded and that the command line names.
	anyway []string
}

// run checks, and fixes where that is wanted. The report is of the files as the
// printer then has them.
func (c *checkRun) run(ctx context.Context) (*analysis.Report, error) {
	if c.flags.fix || c.flags.diff {
		return c.mend(ctx)
	}
	return c.once(ctx, c.printer.files)
}

// maxRemembered is about how many resources of included kustomizations a check keeps
// for those that include them.
const maxRemembered = 50_000

// once checks the targets in a snapshot.
func (c *checkRun) once(ctx context.Context, files *vfs.Snapshot) (*analysis.Report, error) {
	configs, readings, inclusion := config.New(files), &analysis.Readings{}, &analysis.Inclusion{Strays: &analysis.Strays{}}
	kubernetes, err := analysis.Kubernetes(c.flags.kubernetes, configs)
	if err != nil {
		return nil, fmt.Errorf("--kubernetes-version: %w", err)
	}
	messages := c.std.err
	if c.flags.quiet {
		messages = io.Discard
	}
	progress := newProgress(messages, len(c.targets))
	defer progress.stop()
	all := rules.All()
	review := analysis.Review{Files: files, Rules: all, Config: configs, Anyway: c.anyway, Whole: c.whole,
		Readings: readings, Inclusion: inclusion, Complete: c.isComplete}
	c.printer.oneRoot = len(c.targets) == 1
	session := builder.NewSession(files).Remember(maxRemembered)
	set, err := deployments.Find(ctx, session, c.anyPath(), configs, nil)
	if err != nil {
		return nil, err
	}
	options := analysis.Options{
		Rules: all, Log: c.std.err, Config: configs, BuildOf: c.builds.of, Kubernetes: kubernetes,
		Built: func(dir string, result *builder.Result) {
			readings.Add(dir, result)
			inclusion.Add(dir, result)
			progress.add()
		},
	}
	report, err := analysis.Check(ctx, session, c.targets, options)
	if err != nil {
		return nil, err
	}
	if report, err = c.withIncluders(ctx, session, options, report); err != nil {
		return nil, err
	}
	deployments.Apply(report, session, set, options, c.isChecked)
	return review.Apply(report), nil
}

// anyPath is in the checkout that is checked.
func (c *checkRun) anyPath() string {
	switch {
	case len(c.printer.paths) > 0:
		return c.printer.paths[0]
	case len(c.targets) > 0:
		return c.targets[0].Dir
	}
	return c.printer.folder
}

// isChecked tells whether what is wrong in a file is to be reported: it lies in what the
// command line names.
func (c *checkRun) isChecked(path string) bool {
	return c.isComplete(path) || slices.ContainsFunc(c.targets, func(t analysis.Target) bool { return t.Dir == filepath.Dir(path) })
}

// isComplete tells whether all was checked that lies in the folder of a file.
func (c *checkRun) isComplete(path string) bool {
	return slices.ContainsFunc(c.whole, func(dir string) bool { return vfs.Below(dir, path) })
}

// realPath makes a path of the command line absolute, without symbolic links.
func realPath(files *vfs.Snapshot, path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return files.EvalSymlinks(path)
}
