package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/rewrite"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	yaml "go.yaml.in/yaml/v3"
)

// setFlags are the flags of kls set and kls unset.
type setFlags struct {
	buildFlags
	layer, valueFile string
	diff, only       bool
}

func newSetCommand(std streams) *cobra.Command {
	var flags setFlags
	command := &cobra.Command{
		Use:   "set ROOT ADDRESS=VALUE... | --deployment ID [PATH] ADDRESS=VALUE...",
		Short: "Change a rendered value: write the line that it comes from, or the patch that it takes",
		Long: `Change values of what ROOT renders. ADDRESS is RESOURCE:FIELDPATH as in kls explain, and VALUE is YAML; what
was a text stays one. kls writes where a careful person would: in the place where the value is written, if that is in
ROOT's own files, else in the field that is made for it, such as images, replicas or a generator's literals, in a patch
of ROOT for this resource, or in a new one.

The change is rendered before anything is written: in ROOT exactly the values that were asked for may change, and what
follows from them, which is listed, and so is what changes in other kustomizations of the repository. If no way can be
proven, nothing is written, and the exit status is 1.

With --deployment, the value is one of those that a deployment gets: variables and options change where they are
supplied.`,
		Example: `  kls set overlays/prod Deployment/web:spec.replicas=5
  kls set overlays/prod 'Deployment/web:spec.template.spec.containers.[name=web].image=shop/web:1.9' --diff
  kls set overlays/prod 'ConfigMap/settings:data.application\.yaml.server.port=8080' --layer base`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			args, err := flags.withPath(args)
			if err != nil {
				return err
			}
			sets, err := flags.assignments(args[1:])
			if err != nil {
				return err
			}
			return flags.run(command.Context(), std, args[0], sets)
		},
	}
	command.Flags().StringVar(&flags.valueFile, "value-file", "", "read the value of the one ADDRESS from this file: as a text where the field holds one, else as YAML")
	flags.addTo(command)
	return command
}

func newUnsetCommand(std streams) *cobra.Command {
	var flags setFlags
	command := &cobra.Command{
		Use:   "unset ROOT ADDRESS... | --deployment ID [PATH] ADDRESS...",
		Short: "Take a rendered value away, as kls set changes one",
		Long: `Take values away from what ROOT renders: the lines that write them, or by a patch that removes them. What is proven
and what is refused is the same as for kls set.`,
		Example: `  kls unset overlays/prod Deployment/web:spec.template.spec.nodeSelector`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			args, err := flags.withPath(args)
			if err != nil {
				return err
			}
			var sets []rewrite.Set
			for _, address := range args[1:] {
				sets = append(sets, rewrite.Set{Address: address})
			}
			return flags.run(command.Context(), std, args[0], sets)
		},
	}
	flags.addTo(command)
	return command
}

func (flags *setFlags) addTo(command *cobra.Command) {
	f := command.Flags()
	f.StringVar(&flags.layer, "layer", "", "the kustomization or component to write in, one that ROOT includes (default ROOT)")
	f.BoolVar(&flags.diff, "diff", false, "print what would be written, and write nothing")
	f.StringVar(&flags.deployment, "deployment", "", "change what this deployment of the repository of PATH (default .) gets, as kls deployments lists it")
	f.BoolVar(&flags.only, "only", false, "refuse what changes another kustomization of the repository, too")
	flags.add(f)
}

// withPath puts the path of the repository in front of the addresses, where a deployment is named and no path.
func (flags *setFlags) withPath(args []string) ([]string, error) {
	if info, err := os.Stat(args[0]); flags.deployment != "" && (err != nil || !info.IsDir()) {
		args = append([]string{"."}, args...)
	}
	if len(args) < 2 {
		return nil, errors.New("name the folder of a kustomization and the values to change")
	}
	return args, nil
}

// assignments reads the arguments ADDRESS=VALUE, or the one address whose value is in a file.
func (flags *setFlags) assignments(args []string) ([]rewrite.Set, error) {
	if flags.valueFile != "" {
		if len(args) != 1 {
			return nil, fmt.Errorf("--value-file takes one address")
		}
		content, err := os.ReadFile(flags.valueFile)
		if err != nil {
			return nil, err
		}
		value, err := rewrite.ParseValue(string(content))
		if err != nil { // it is a text then, or refused once the field turns out not to hold one
			value = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(content)}
		}
		return []rewrite.Set{{Address: args[0], Value: value, Text: string(content), IsFile: true}}, nil
	}
	var sets []rewrite.Set
	for _, arg := range args {
		address, content, ok := rewrite.SplitAssignment(arg)
		if !ok {
			return nil, fmt.Errorf("%q is not ADDRESS=VALUE", arg)
		}
		value, err := rewrite.ParseValue(content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", address, err)
		}
		sets = append(sets, rewrite.Set{Address: address, Value: value, Text: content})
	}
	return sets, nil
}

func (flags *setFlags) run(ctx context.Context, std streams, root string, sets []rewrite.Set) error {
	options, err := flags.options(std)
	if err != nil {
		return err
	}
	paths := []string{root}
	if flags.layer != "" {
		paths = append(paths, flags.layer)
	}
	v, err := newPrinterOn(flags.outside.disk(), paths, flags.color, std.out)
	if err != nil {
		return err
	}
	for i, path := range v.paths {
		if isDir, err := v.files.IsDir(path); err != nil || !isDir {
			return fmt.Errorf("%s is not a folder", paths[i])
		}
	}
	builds := flags.configured(options, std.err)
	defer builds.warn()
	planner := rewrite.New(v.files, builds.in(v.files))
	planner.Scope, planner.Name = v.scope(v.paths[0]), v.shown
	request := rewrite.Request{Root: v.paths[0], Sets: sets, Only: flags.only}
	if flags.layer != "" {
		request.Layer = v.paths[1]
	}
	plan := func() (*rewrite.Change, *rewrite.Refusal, error) { return planner.Plan(ctx, request) }
	if flags.deployment != "" {
		choose := func(set *deployment.Set) (*deployment.Deployment, error) {
			return chooseDeployment(set, flags.deployment)
		}
		plan = func() (*rewrite.Change, *rewrite.Refusal, error) {
			return planner.PlanDeployed(ctx, v.paths[0], choose, request)
		}
	}
	change, refusal, err := plan()
	if err != nil {
		return err
	}
	if refusal == nil {
		refusal = v.refusesForeign(change)
	}
	if refusal != nil {
		writeRefusal(std, refusal)
		return errFound
	}
	return v.finishSet(std, flags.diff, change)
}

// refusesForeign refuses to write a file that a link leads out of the repository to.
func (v *printer) refusesForeign(change *rewrite.Change) *rewrite.Refusal {
	for _, f := range change.Files {
		if isForeign(f.Path) {
			return &rewrite.Refusal{Address: v.shown(f.Path), Reason: leadsAway}
		}
	}
	return nil
}

func writeRefusal(std streams, r *rewrite.Refusal) {
	fmt.Fprintf(std.err, "%s: %s\n", printable(r.Address), printable(r.Reason))
	if r.Nearest != "" {
		fmt.Fprintf(std.err, "  nearest: %s\n", printable(r.Nearest))
	}
	switch len(r.Candidates) {
	case 0:
	case 1:
		fmt.Fprintf(std.err, "  did you mean %s?\n", printable(r.Candidates[0]))
	default:
		for _, c := range r.Candidates {
			fmt.Fprintf(std.err, "  there is %s\n", printable(c))
		}
	}
	fmt.Fprintln(std.err, "nothing is written")
}

// finishSet shows or writes a change, and says what comes of it.
func (v *printer) finishSet(std streams, onlyShow bool, change *rewrite.Change) error {
	say := &bytes.Buffer{}
	for _, d := range change.Done {
		if d.How == "" {
			fmt.Fprintf(say, "%s has that value already\n", printable(d.Address))
			continue
		}
		fmt.Fprintf(say, "%s: %s, %s\n", printable(v.shown(d.File)), printable(d.Address), printable(d.How))
	}
	for _, d := range change.Follows {
		fmt.Fprintf(say, "  follows: %s\n", printable(shownDifference(d)))
	}
	for _, r := range change.Others {
		name := r.ID
		if name == "" {
			name = v.shown(r.Dir)
		}
		if r.Unknown != "" {
			fmt.Fprintf(say, "%s may change, too: %s\n", printable(name), printable(r.Unknown))
			continue
		}
		fmt.Fprintf(say, "%s changes, too:\n", printable(name))
		for i, d := range r.Changes {
			if i == maxShownChanges {
				fmt.Fprintf(say, "  and %d more\n", len(r.Changes)-i)
				break
			}
			fmt.Fprintf(say, "  %s\n", printable(shownDifference(d)))
		}
	}
	if onlyShow {
		for _, f := range change.Files {
			name := v.shown(f.Path)
			if _, err := std.out.Write(diff.Diff("a/"+name, f.Before, "b/"+name, f.After)); err != nil {
				return err
			}
		}
		_, err := std.err.Write(say.Bytes())
		return err
	}
	// New files first: one that nothing names yet does no harm if the rest cannot be written.
	for _, isNew := range []bool{true, false} {
		for _, f := range change.Files {
			if isNew != (f.Before == nil) {
				continue
			}
			if err := writeWhole(f.Path, f.After); err != nil {
				return err
			}
		}
	}
	_, err := std.out.Write(say.Bytes())
	return err
}

// maxShownChanges is how many changes of another root are shown.
const maxShownChanges = 10

func shownDifference(d rewrite.Difference) string {
	return strings.Join([]string{d.Address, d.Shown()}, "  ")
}
