package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
)

func newEditCommand(std streams) *cobra.Command {
	dir := "."
	command := &cobra.Command{
		Use:   "edit",
		Short: "Change a kustomization file, keeping its comments, order and formatting",
	}
	command.PersistentFlags().StringVarP(&dir, "dir", "C", ".", "the folder of the kustomization")
	add := &cobra.Command{Use: "add", Short: "Add to a kustomization file"}
	add.AddCommand(newBuildMetadataCommand(std, &dir, additions))
	remove := &cobra.Command{Use: "remove", Short: "Remove from a kustomization file"}
	remove.AddCommand(newBuildMetadataCommand(std, &dir, removals))
	for _, e := range editAdditions() {
		add.AddCommand(e.command(std, &dir))
	}
	set := &cobra.Command{Use: "set", Short: "Set a field of a kustomization file"}
	for _, e := range editSettings() {
		set.AddCommand(e.command(std, &dir))
	}
	command.AddCommand(add, set, remove, newFixCommand(std, &dir))
	return command
}

// metadataChange is one of the two things that can be done with options.
type metadataChange struct {
	verb, short, done, idle string
	edits                   func(*edit.File, []string) ([]text.Edit, string)
	adds                    bool
}

var (
	additions = metadataChange{verb: "add", short: "Add buildMetadata options", done: "added to buildMetadata", idle: "is there already",
		edits: (*edit.File).AddBuildMetadata, adds: true}
	removals = metadataChange{verb: "remove", short: "Remove buildMetadata options", done: "removed from buildMetadata", idle: "is not there",
		edits: (*edit.File).RemoveBuildMetadata}
)

func newBuildMetadataCommand(std streams, dir *string, change metadataChange) *cobra.Command {
	return &cobra.Command{
		Use:     "buildMetadata OPTION[,OPTION…]",
		Aliases: []string{"buildmetadata"},
		Short:   change.short,
		Long: change.short + ` of the kustomization. The options are:
  originAnnotations       an annotation that says where each resource comes from
  transformerAnnotations  an annotation that says what changed it
  managedByLabel          a label with the version of kustomize
  '*'                     all of them`,
		Example: "  kls edit " + change.verb + " buildMetadata originAnnotations,transformerAnnotations",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return changeBuildMetadata(std, *dir, change, args)
		},
	}
}

func changeBuildMetadata(std streams, dir string, change metadataChange, args []string) error {
	v, f, err := openForEdit(dir, std)
	if err != nil {
		return err
	}
	have := f.file.BuildMetadata()
	options, err := buildMetadataOptions(args, change.adds, have)
	if err != nil {
		return err
	}
	edits, reason := change.edits(f.file, options)
	if reason != "" {
		return v.refuse(std, f.path, reason)
	}
	for _, option := range options {
		outcome := change.idle
		if slices.Contains(have, option) != change.adds {
			outcome = change.done
		}
		fmt.Fprintf(std.out, "%s: %s %s\n", printable(v.shown(f.path)), printable(option), outcome)
	}
	if len(edits) == 0 {
		return nil
	}
	changed, err := text.Apply(f.file.Text(), edits)
	if err != nil {
		return err
	}
	return writeWhole(f.path, changed)
}

// buildMetadataOptions reads the options of the command line, separated by commas
// or given one by one. What the file has can be removed whatever it is.
func buildMetadataOptions(args []string, adds bool, have []string) ([]string, error) {
	known := edit.BuildMetadataOptions()
	var options []string
	for _, option := range strings.Split(strings.Join(args, ","), ",") {
		switch option = strings.TrimSpace(option); {
		case option == "*" && adds:
			options = append(options, known...)
		case option == "*":
			options = append(append(options, known...), have...)
		case slices.Contains(known, option) || !adds && slices.Contains(have, option):
			options = append(options, option)
		default:
			return nil, fmt.Errorf("%q is not a buildMetadata option; the options are %s, and '*' for all of them", option, strings.Join(known, ", "))
		}
	}
	var unique []string
	for _, option := range options {
		if !slices.Contains(unique, option) {
			unique = append(unique, option)
		}
	}
	return unique, nil
}

// editedFile is the kustomization file of a folder.
type editedFile struct {
	path string
	file *edit.File
}

func openForEdit(dir string, std streams) (*printer, editedFile, error) {
	v, err := newPrinter([]string{folderOf(dir)}, "never", std.out)
	if err != nil {
		return nil, editedFile{}, err
	}
	path, reason := edit.Find(v.files, v.paths[0])
	if reason != "" {
		return nil, editedFile{}, fmt.Errorf("%s: %s", v.shown(v.paths[0]), reason)
	}
	if isForeign(path) {
		return nil, editedFile{}, v.refuse(std, path, leadsAway)
	}
	read, err := v.files.ReadFile(path)
	if err != nil {
		return nil, editedFile{}, err
	}
	f, reason := edit.Open(path, read.Data)
	if reason != "" {
		return nil, editedFile{}, v.refuse(std, path, reason)
	}
	return v, editedFile{path, f}, nil
}

// leadsAway is why a file is not changed that is outside of the repository.
const leadsAway = "it is a link that leads out of the repository"

// refuse says why a file is left as it is.
func (v *printer) refuse(std streams, path, reason string) error {
	if _, err := fmt.Fprintf(std.err, "%s is left as it is: %s\n", printable(v.shown(path)), printable(reason)); err != nil {
		return err
	}
	return errFound
}

// fixFlags are the flags of kls edit fix.
type fixFlags struct {
	recursive, diff, check bool
	trust                  bool
	loadRestrictor         string
	outside                outsideFlags
}

func newFixCommand(std streams, dir *string) *cobra.Command {
	var flags fixFlags
	command := &cobra.Command{
		Use:   "fix",
		Short: "Replace deprecated fields with their successors",
		Long: `Replace deprecated fields of the kustomization with their successors: bases, imageTags, env,
helmChartInflationGenerator, patchesStrategicMerge, patchesJson6902, commonLabels and vars.

Everything in the git repository, or else in the working folder, that includes the
kustomization is rendered before and after each step. If a byte would change, or if that
cannot be determined, the field stays as it is and the reason is printed.`,
		Example: `  kls edit fix
  kls edit fix --recursive --diff
  kls edit fix --check -C overlays/prod`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return fix(command.Context(), std, flags, *dir)
		},
	}
	f := command.Flags()
	f.BoolVarP(&flags.recursive, "recursive", "r", false, "fix every kustomization at or below the folder")
	f.BoolVar(&flags.diff, "diff", false, "print what would change, and change nothing")
	f.BoolVar(&flags.check, "check", false, "change nothing, and exit with 1 if something would change")
	f.StringVar(&flags.loadRestrictor, "load-restrictor", "", loadRestrictorUsage)
	f.BoolVar(&flags.trust, "trust-config", false, trustUsage)
	flags.outside.add(f)
	return command
}

func fix(ctx context.Context, std streams, flags fixFlags, dir string) error {
	builds, err := newBuilds(flags.loadRestrictor, flags.outside, flags.trust, std.err)
	if err != nil {
		return err
	}
	defer builds.warn()
	v, err := newPrinterOn(flags.outside.disk(), []string{folderOf(dir)}, "never", std.out)
	if err != nil {
		return err
	}
	dirs, err := v.foldersToFix(ctx, flags.recursive)
	if err != nil {
		return err
	}
	fixer, err := edit.NewFixer(ctx, v.files, v.scope(v.paths[0]), builds.in(v.files))
	if err != nil {
		return err
	}
	fixer.Name = func(dir string) string { return v.shown(dir) }
	changed, refused := false, false
	for _, dir := range dirs {
		if path, _ := edit.Find(v.files, dir); path != "" && isForeign(path) {
			refused = true
			_ = v.refuse(std, path, leadsAway)
			continue
		}
		fixed, reason, err := fixer.Fix(ctx, dir)
		switch {
		case err != nil:
			return err
		case fixed == nil:
			return fmt.Errorf("%s: %s", v.shown(dir), reason)
		case reason != "":
			refused = true
			_ = v.refuse(std, fixed.Path, reason)
			continue
		}
		changed = changed || string(fixed.Before) != string(fixed.After)
		if err := v.finishFix(std, flags, fixed); err != nil {
			return err
		}
	}
	if refused || flags.check && changed {
		return errFound
	}
	return nil
}

// foldersToFix are the folder of the command line, or all with kustomizations at or
// below it.
func (v *printer) foldersToFix(ctx context.Context, recursive bool) ([]string, error) {
	if !recursive {
		return v.paths[:1], nil
	}
	targets, err := analysis.Discover(ctx, v.files, v.paths[0])
	var dirs []string
	for _, t := range targets {
		dirs = append(dirs, t.Dir)
	}
	return dirs, err
}

// scope returns the folder in which builds are looked for that include what lies in
// dir: that of the git repository, else the working folder, else dir.
func (v *printer) scope(dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, ".git")); err == nil {
			return up
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	if vfs.Below(v.folder, dir) {
		return v.folder
	}
	return dir
}

// finishFix says what was done, and writes or shows it.
func (v *printer) finishFix(std streams, flags fixFlags, fixed *edit.Fixed) error {
	name := v.shown(fixed.Path)
	say := std.out
	if flags.diff {
		say = std.err
	}
	for _, step := range fixed.Steps {
		what := step.Field
		if step.Entry != "" {
			what += " " + step.Entry
		}
		if step.Skipped != "" {
			fmt.Fprintf(say, "%s: %s is left as it is: %s\n", printable(name), printable(what), printable(step.Skipped))
		} else {
			fmt.Fprintf(say, "%s: %s -> %s\n", printable(name), printable(what), step.By)
		}
	}
	switch {
	case string(fixed.Before) == string(fixed.After):
		return nil
	case flags.diff:
		_, err := std.out.Write(diff.Diff("a/"+name, fixed.Before, "b/"+name, fixed.After))
		return err
	case flags.check:
		return nil
	}
	return writeWhole(fixed.Path, fixed.After)
}
