package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/spf13/cobra"
)

func newDeploymentsCommand(std streams) *cobra.Command {
	var format string
	var orphans bool
	command := &cobra.Command{
		Use:   "deployments [PATH]",
		Short: "List what Flux and Argo CD deploy from a repository",
		Long: `List the Flux Kustomizations and Argo CD Applications of the repository that contains PATH
(default .), as their parents and ApplicationSets create them, and how much is known about
what each of them deploys:

  exact     kls build --deployment prints what the cluster gets
  partial   the same, except for values that are not in git
  unknown   what it deploys is not in this repository
  fails     Flux or Argo CD refuses it`,
		Example: `  kls deployments
  kls deployments --orphans
  kls deployments --format json clusters/prod`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format must be text or json, not %q", format)
			}
			v, set, session, err := findDeployments(command.Context(), std, args, "never")
			if err != nil {
				return err
			}
			if orphans {
				return v.writeOrphans(command.Context(), std, set, session, format)
			}
			if format == "json" {
				return v.writeDeploymentsJSON(std, set, session)
			}
			return v.writeDeployments(std, set)
		},
	}
	command.Flags().StringVar(&format, "format", "text", "text or json")
	command.Flags().BoolVar(&orphans, "orphans", false, "list the roots that nothing deploys")
	return command
}

// findDeployments finds what is deployed from the repository of a path.
func findDeployments(ctx context.Context, std streams, args []string, color string) (*printer, *deployment.Set, *builder.Session, error) {
	path := "."
	if len(args) > 0 {
		path = args[0]
	}
	v, err := newPrinter([]string{path}, color, std.err)
	if err != nil {
		return nil, nil, nil, err
	}
	session := builder.NewSession(v.files).Remember(maxRemembered)
	set, err := deployments.Find(ctx, session, v.paths[0], config.New(v.files), nil)
	return v, set, session, err
}

func (v *printer) writeDeployments(std streams, set *deployment.Set) error {
	if len(set.Deployments) == 0 {
		fmt.Fprintln(std.err, "no Flux Kustomization and no Argo CD Application was found")
		return nil
	}
	table := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tPATH\tVERDICT\tRESOURCES\tREASON")
	for _, d := range set.Deployments {
		fmt.Fprintln(table, strings.TrimRight(fmt.Sprintf("%s\t%s\t%s\t%d\t%s", printable(d.ID.String()), printable(d.Path.Value), d.Verdict,
			len(d.Outputs), printable(cmp.Or(d.Reason, d.Element.Condition))), "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, assumption := range set.Assumptions {
		fmt.Fprintln(std.err, "assumed:", printable(assumption))
	}
	return nil
}

// writeOrphans lists the roots in the checkout that nothing deploys.
func (v *printer) writeOrphans(ctx context.Context, std streams, set *deployment.Set, session *builder.Session, format string) error {
	for _, object := range set.LeftOut {
		_, path, _ := session.NodeSpan(object.Node)
		fmt.Fprintf(std.err, "nothing deploys %s in %s either: no kustomization lists it\n", printable(object.ID().String()), printable(v.shown(path)))
	}
	targets, err := analysis.Discover(ctx, v.files, set.Root)
	if err != nil {
		return err
	}
	report, err := analysis.Check(ctx, builder.NewSession(v.files), targets, analysis.Options{})
	if err != nil {
		return err
	}
	orphans := []string{}
	for _, dir := range deployments.Orphans(set, report) {
		orphans = append(orphans, relative(v.folder, dir))
	}
	if format == "json" {
		printed, err := encodeJSON(map[string]any{"orphans": orphans})
		if err == nil {
			_, err = std.out.Write(printed)
		}
		return err
	}
	for _, dir := range orphans {
		fmt.Fprintln(std.out, printable(dir))
	}
	return nil
}

// jsonDeployment is a deployment in kls deployments --format json.
type jsonDeployment struct {
	ID          string   `json:"id"`
	File        string   `json:"file,omitempty"`
	Line        int      `json:"line,omitempty"`
	Path        string   `json:"path"`
	Dir         string   `json:"dir,omitempty"`
	Parent      string   `json:"parent,omitempty"`
	Source      string   `json:"source"`
	Verdict     string   `json:"verdict"`
	Reason      string   `json:"reason,omitempty"`
	Assumptions []string `json:"assumptions,omitempty"`
	Resources   int      `json:"resources"`
	Cluster     string   `json:"cluster"`
	// Condition says when an Application of an ApplicationSet exists; empty: it does.
	Condition string `json:"condition,omitempty"`
	Set       string `json:"applicationSet,omitempty"`
}

func (v *printer) writeDeploymentsJSON(std streams, set *deployment.Set, session *builder.Session) error {
	list := make([]jsonDeployment, 0, len(set.Deployments))
	for _, d := range set.Deployments {
		shown := jsonDeployment{ID: d.ID.String(), Path: d.Path.Value, Source: d.Source.String(), Verdict: string(d.Verdict),
			Reason: d.Reason, Assumptions: d.Assumptions, Resources: len(d.Outputs), Cluster: relative(v.folder, d.Cluster)}
		if path, line := d.PathOf(session); path != "" {
			shown.File, shown.Line = relative(v.folder, path), line
		}
		if d.Dir != "" {
			shown.Dir = relative(v.folder, d.Dir)
		}
		shown.Condition = d.Element.Condition
		if d.Set != nil {
			shown.Set = d.Set.ID().Name
		}
		if d.Parent != nil {
			shown.Parent = d.Parent.ID.String()
		}
		list = append(list, shown)
	}
	printed, err := encodeJSON(map[string]any{"deployments": list})
	if err != nil {
		return err
	}
	_, err = std.out.Write(printed)
	return err
}

// buildDeployment prints what a deployment gets.
func buildDeployment(ctx context.Context, std streams, flags buildFlags, id string, args []string) error {
	v, set, session, err := findDeployments(ctx, std, args, flags.color)
	if err != nil {
		return err
	}
	d, err := chooseDeployment(set, id)
	if err != nil {
		return err
	}
	if err := v.noteVerdict(std, session, d); err != nil {
		return err
	}
	var printed []byte
	if flags.blame != "" {
		printed, err = v.blameDeployment(ctx, session, set, d, flags.blame)
	} else {
		printed, err = set.YAML(d)
	}
	if err != nil {
		return err
	}
	return deliver(std, flags, printed)
}

// noteVerdict says what is not known of a deployment. The error is errFound where nothing
// is.
func (v *printer) noteVerdict(std streams, session *builder.Session, d *deployment.Deployment) error {
	switch d.Verdict {
	case deployment.Unknown, deployment.Fails:
		v.explainDeployment(std, session, d)
		return errFound
	case deployment.Partial:
		fmt.Fprintf(std.err, "%s is not known completely: %s\n", printable(d.ID.String()), printable(d.Reason))
	}
	return nil
}

func (v *printer) blameDeployment(ctx context.Context, session *builder.Session, set *deployment.Set, d *deployment.Deployment, format string) ([]byte, error) {
	lines, _, err := deployments.Blame(ctx, session, set, d)
	if err != nil {
		return nil, err
	}
	if format == "text" {
		return v.blameText(lines), nil
	}
	return v.blameJSON(lines, func(i int) string { return d.Outputs[i].ID().String() })
}

// chooseDeployment returns the deployment that ID names, or ID@CLUSTER where several
// clusters have one of that name.
func chooseDeployment(set *deployment.Set, id string) (*deployment.Deployment, error) {
	name, cluster, _ := strings.Cut(id, "@")
	var found []*deployment.Deployment
	for _, d := range set.Find(name) {
		if cluster == "" || relative(set.Root, d.Cluster) == cluster {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no deployment is named %s; kls deployments lists them", id)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, d := range found {
		names = append(names, name+"@"+relative(set.Root, d.Cluster))
	}
	return nil, fmt.Errorf("%s is deployed on several clusters: name one of %s", name, strings.Join(names, ", "))
}

// explainDeployment says why there is nothing to print.
func (v *printer) explainDeployment(std streams, session *builder.Session, d *deployment.Deployment) {
	var b bytes.Buffer
	problems := d.Problems
	if d.Build != nil {
		problems = append(problems[:len(problems):len(problems)], d.Build.Problems...)
	}
	told := false
	for _, p := range problems {
		if !p.Fatal {
			continue
		}
		told = true
		if p.Node != nil {
			if file, path, span := session.NodeSpan(p.Node); path != "" {
				line, column := session.Table().Source(file).Lines().OffsetToLineColumn(span.Start)
				fmt.Fprintf(&b, "%s:%d:%d: ", printable(v.shown(path)), line, column)
			}
		}
		fmt.Fprintf(&b, "%s [%s]\n", printable(p.Message), p.Code)
	}
	if !told {
		fmt.Fprintf(&b, "%s\n", printable(d.Reason))
	}
	fmt.Fprintf(&b, "%s: nothing is printed\n", printable(d.ID.String()))
	_, _ = std.err.Write(b.Bytes())
}
