package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/spf13/cobra"
)

// explainFlags are the flags of kls explain.
type explainFlags struct {
	buildFlags
	format, of string
}

func newExplainCommand(std streams) *cobra.Command {
	var flags explainFlags
	command := &cobra.Command{
		Use:   "explain DIR [RESOURCE[:FIELDPATH]] | FILE:LINE",
		Short: "Show where a rendered value comes from, and what changed it",
		Long: `Show where a rendered value of DIR was written, and each step that changed it.

RESOURCE is Kind[.group]/[namespace/]name, by rendered or original name. FIELDPATH is
written as in the source of a replacement; [key=value] selects an element of a list, and
the path may go on inside a document that is embedded in a string. Without FIELDPATH the
steps of the whole resource are shown; without RESOURCE, where each resource comes from.
FILE:LINE shows what that line turns into in each kustomization that uses it.

With --deployment, RESOURCE is one that this deployment of the repository of DIR gets, and
the deployment's options and variables are shown as well.`,
		Example: `  kls explain overlays/prod Deployment/web:spec.replicas
  kls explain overlays/prod 'Deployment/web:spec.template.spec.containers.[name=web].image'
  kls explain base/deployment.yaml:12
  kls explain --deployment Kustomization/shop/web . Deployment/web:spec.replicas`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(command *cobra.Command, args []string) error {
			return flags.run(command.Context(), std, args)
		},
	}
	f := command.Flags()
	f.StringVar(&flags.format, "format", "text", "text or json")
	f.StringVar(&flags.of, "deployment", "", "explain what this deployment gets, as kls deployments lists it")
	flags.add(f)
	return command
}

// explainer answers one command line.
type explainer struct {
	*printer
	std     streams
	session *builder.Session
	options func(dir string) builder.Options
	json    bool
}

func (flags *explainFlags) run(ctx context.Context, std streams, args []string) error {
	if flags.format != "text" && flags.format != "json" {
		return fmt.Errorf("--format must be text or json, not %q", flags.format)
	}
	options, err := flags.options(std)
	if err != nil {
		return err
	}
	if flags.of != "" {
		return flags.runDeployment(ctx, std, args)
	}
	path, line := splitLine(args)
	v, err := newPrinterOn(flags.outside.disk(), []string{path}, flags.color, std.out)
	if err != nil {
		return err
	}
	builds := flags.configured(options, std.err)
	defer builds.warn()
	x := &explainer{v, std, builder.NewSession(v.files), builds.in(v.files), flags.format == "json"}
	isDir, err := v.files.IsDir(v.paths[0])
	switch {
	case err != nil:
		return err
	case line > 0 && !isDir:
		return x.line(ctx, line)
	case !isDir:
		return fmt.Errorf("%s is not a folder; write FILE:LINE to ask about a line of a file", path)
	case len(args) == 2:
		return x.address(ctx, args[1])
	}
	return x.table(ctx)
}

var fileLine = text.Regexp(`^(.+?):([1-9][0-9]*)(:[0-9]+)?$`)

// splitLine takes FILE:LINE apart, and leaves alone what exists as it is. A column
// behind it is ignored.
func splitLine(args []string) (path string, line int) {
	match := fileLine().FindStringSubmatch(args[0])
	if _, err := os.Stat(args[0]); err == nil || len(args) > 1 || match == nil {
		return args[0], 0
	}
	line, err := strconv.Atoi(match[2])
	if err != nil {
		return args[0], 0
	}
	return match[1], line
}

func (x *explainer) address(ctx context.Context, address string) error {
	answer, err := explain.Explain(ctx, x.session, x.paths[0], address, x.options(x.paths[0]))
	if err != nil {
		return err
	}
	if err := x.note(ctx, answer.Result); err != nil {
		return err
	}
	return x.answer(answer)
}

// runDeployment explains what a deployment gets.
func (flags *explainFlags) runDeployment(ctx context.Context, std streams, args []string) error {
	if len(args) < 2 {
		return errors.New("with --deployment, name a folder of the repository and a resource: kls explain --deployment ID . Kind/name")
	}
	v, set, session, err := findDeployments(ctx, std, args[:1], flags.color)
	if err != nil {
		return err
	}
	d, err := chooseDeployment(set, flags.of)
	if err != nil {
		return err
	}
	if err := v.noteVerdict(std, session, d); err != nil {
		return err
	}
	answer, err := deployments.Explain(ctx, session, set, d, args[1])
	if err != nil {
		return err
	}
	x := &explainer{printer: v, std: std, session: session, json: flags.format == "json"}
	return x.answer(answer)
}

// answer writes what a build says to a question.
func (x *explainer) answer(answer *explain.Answer) error {
	if answer.Missing != nil {
		x.writeMissing(answer.Missing)
		return errFound
	}
	if x.json {
		return x.writeJSON(x.jsonEncoder().Explanation(answer.Explanation))
	}
	return x.writeText(func(w *explainWriter) { w.explanation(answer.Explanation) })
}

// note tells why a build does not print what is explained. Of one that fails, nothing
// is explained: errFound.
func (x *explainer) note(ctx context.Context, result *builder.Result) error {
	if result.Failed() {
		return x.explain(ctx, x.std.err, x.session, x.options(x.paths[0]))
	}
	if result.Unknown {
		fmt.Fprintf(x.std.err, "%s needs what kls does not load or run: something may be missing here\n", x.shown(x.paths[0]))
	}
	return nil
}

func (x *explainer) table(ctx context.Context) error {
	options := x.options(x.paths[0])
	options.Recorder = explain.Unwatched
	result, err := x.session.Build(ctx, x.paths[0], options)
	if err != nil {
		return err
	}
	if err := x.note(ctx, result); err != nil {
		return err
	}
	origins := explain.Origins(x.session.Table(), result)
	if x.json {
		return x.writeJSON(x.jsonEncoder().Origins(origins))
	}
	return x.writeText(func(w *explainWriter) { w.origins(origins) })
}

func (x *explainer) line(ctx context.Context, line int) error {
	if count := x.lineCount(); line > count {
		fmt.Fprintf(x.std.err, "%s has %d lines\n", x.shown(x.paths[0]), count)
		return errFound
	}
	targets, err := analysis.Discover(ctx, x.files, x.searched())
	if err != nil {
		return err
	}
	var roots []string
	for _, t := range targets {
		if !t.Component {
			roots = append(roots, t.Dir)
		}
	}
	uses, err := explain.ExplainLines(ctx, x.session, roots, x.paths[0], line, x.options)
	if err != nil {
		return err
	}
	if x.json {
		return x.writeJSON(x.jsonEncoder().Uses(uses))
	}
	return x.writeText(func(w *explainWriter) { w.uses(x.paths[0], line, uses) })
}

func (x *explainer) lineCount() int {
	s := x.source(x.paths[0])
	if s.lines == nil {
		return 0
	}
	return s.lines.Count()
}

// searched is the folder in and below which kustomizations may use the file: the git
// root around it, else the working folder, else its own.
func (x *explainer) searched() string {
	own := filepath.Dir(x.paths[0])
	for dir := own; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if rest, err := filepath.Rel(x.folder, own); err == nil && filepath.IsLocal(rest) {
		return x.folder
	}
	return own
}
