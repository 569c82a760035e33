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
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/graph"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/spf13/cobra"
)

// graphFlags are the flags of kls graph.
type graphFlags struct {
	format, output, loadRestrictor string
	files, trust, deployments      bool
	outside                        outsideFlags
}

// graphFormats write a graph.
var graphFormats = map[string]func(*graph.Graph, io.Writer) error{
	"text":    func(g *graph.Graph, out io.Writer) error { return g.WriteTree(out, printable) },
	"dot":     (*graph.Graph).WriteDOT,
	"mermaid": (*graph.Graph).WriteMermaid,
	"json":    (*graph.Graph).WriteJSON,
	"svg":     (*graph.Graph).WriteSVG,
	"html":    (*graph.Graph).WriteHTML,
}

func newGraphCommand(std streams) *cobra.Command {
	var flags graphFlags
	command := &cobra.Command{
		Use:   "graph [PATH…]",
		Short: "Show what includes what",
		Long: `Show what the kustomizations at or under each PATH (default .) include: other
kustomizations, components, resource files, patches, files that generators read,
configurations, and remote entries.

The html page is one file that needs no network: search, click a file to see what it
contains and what is wrong with it, and fold folders.`,
		Example: `  kls graph
  kls graph overlays/prod --files=false
  kls graph --format html -o graph.html
  kls graph --format mermaid overlays`,
		RunE: func(command *cobra.Command, paths []string) error {
			return showGraph(command.Context(), std, flags, paths)
		},
	}
	f := command.Flags()
	f.StringVar(&flags.format, "format", "text", "text, dot, mermaid, json, svg or html")
	f.StringVarP(&flags.output, "output", "o", "", "write to this file, whole or not at all")
	f.BoolVar(&flags.files, "files", true, "show files; --files=false shows kustomizations and remote entries only")
	f.BoolVar(&flags.deployments, "deployments", false, "show what Flux deploys, and which roots nothing does")
	f.StringVar(&flags.loadRestrictor, "load-restrictor", "", loadRestrictorUsage)
	f.BoolVar(&flags.trust, "trust-config", false, trustUsage)
	flags.outside.add(f)
	return command
}

func showGraph(ctx context.Context, std streams, flags graphFlags, paths []string) error {
	write, ok := graphFormats[flags.format]
	if !ok {
		return fmt.Errorf("--format must be text, dot, mermaid, json, svg or html, not %q", flags.format)
	}
	builds, err := newBuilds(flags.loadRestrictor, flags.outside, flags.trust, std.err)
	if err != nil {
		return err
	}
	defer builds.warn()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	v, err := newPrinterOn(flags.outside.disk(), paths, "never", std.out)
	if err != nil {
		return err
	}
	targets, err := v.targets(ctx)
	if err != nil {
		return err
	}
	session := builder.NewSession(v.files)
	made, err := graph.Make(ctx, session, targets, graph.Options{Base: v.folder,
		Check: analysis.Options{Rules: rules.All(), Config: config.New(v.files), BuildOf: builds.of, Log: std.err}})
	if err != nil {
		return err
	}
	if flags.deployments {
		set, err := deployments.Find(ctx, session, v.paths[0], config.New(v.files), nil)
		if err != nil {
			return err
		}
		made.AddDeployments(session, set, v.folder)
	}
	if !flags.files {
		made = made.WithoutFiles()
	}
	var b bytes.Buffer
	if err := write(made, &b); err != nil {
		return err
	}
	if flags.output != "" {
		return writeWhole(flags.output, b.Bytes())
	}
	_, err = std.out.Write(b.Bytes())
	return err
}

// targets returns the kustomizations at or under the paths of the command line.
func (v *printer) targets(ctx context.Context) ([]analysis.Target, error) {
	var targets []analysis.Target
	for _, path := range v.paths {
		found, err := analysis.Discover(ctx, v.files, path)
		if err != nil {
			return nil, err
		}
		targets = append(targets, found...)
	}
	slices.SortFunc(targets, func(a, b analysis.Target) int { return strings.Compare(a.Dir, b.Dir) })
	targets = slices.CompactFunc(targets, func(a, b analysis.Target) bool { return a.Dir == b.Dir })
	if len(targets) == 0 {
		return nil, errors.New("there is no kustomization file")
	}
	return targets, nil
}
