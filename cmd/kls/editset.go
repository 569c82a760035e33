package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	yaml "go.yaml.in/yaml/v3"
)

// changeFlags are those of the commands that change a kustomization file and try the change by rendering.
type changeFlags struct {
	diff, noVerify, trust bool
	loadRestrictor        string
	outside               outsideFlags
}

func (flags *changeFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&flags.diff, "diff", false, "print what would change, and change nothing")
	f.BoolVar(&flags.noVerify, "no-verify", false, "write the change without rendering it first")
	f.StringVar(&flags.loadRestrictor, "load-restrictor", "", loadRestrictorUsage)
	f.BoolVar(&flags.trust, "trust-config", false, trustUsage)
	flags.outside.add(f)
}

// editChange makes the edits of one change in a file, and says in a phrase what it is.
type editChange struct {
	what  string
	edits func(*edit.File) ([]text.Edit, string)
}

// editCommand is one of the commands kls edit add and kls edit set.
type editCommand struct {
	use, short, long, example string
	aliases                   []string
	arguments                 cobra.PositionalArgs
	// changes reads the arguments; folder is that of the kustomization.
	changes func(folder string, args []string) ([]editChange, error)
	// flags adds flags of the command's own; it may be nil.
	flags func(*pflag.FlagSet)
}

const triedByRendering = `Comments, order and formatting stay. The kustomization and all that include it are rendered before and after
the change; nothing is written if one of them would fail to build because of it.`

func (e editCommand) command(std streams, dir *string) *cobra.Command {
	var flags changeFlags
	command := &cobra.Command{
		Use: e.use, Short: e.short, Long: e.long + "\n\n" + triedByRendering, Example: e.example, Aliases: e.aliases, Args: e.arguments,
		RunE: func(command *cobra.Command, args []string) error {
			changes, err := e.changes(folderOf(*dir), args)
			if err != nil {
				return err
			}
			return flags.make(command.Context(), std, *dir, changes)
		},
	}
	if e.flags != nil {
		e.flags(command.Flags())
	}
	flags.add(command.Flags())
	return command
}

// make makes the changes one after the other, tries the result, and writes it.
func (flags *changeFlags) make(ctx context.Context, std streams, dir string, changes []editChange) error {
	builds, err := newBuilds(flags.loadRestrictor, flags.outside, flags.trust, std.err)
	if err != nil {
		return err
	}
	defer builds.warn()
	v, opened, err := openForEdit(dir, std)
	if err != nil {
		return err
	}
	f, name := opened.file, printable(v.shown(opened.path))
	var done []string
	for _, c := range changes {
		edits, reason := c.edits(f)
		if reason != "" {
			return v.refuse(std, opened.path, reason)
		}
		if len(edits) == 0 {
			done = append(done, c.what+" is there already")
			continue
		}
		changed, err := text.Apply(f.Text(), edits)
		if err != nil {
			return err
		}
		if f, reason = edit.Open(opened.path, changed); reason != "" {
			return v.refuse(std, opened.path, reason)
		}
		done = append(done, c.what)
	}
	if string(f.Text()) != string(opened.file.Text()) && !flags.noVerify {
		if err := v.try(ctx, std, builds, opened.path, f.Text()); err != nil {
			return err
		}
	}
	say := std.out
	if flags.diff {
		say = std.err
	}
	for _, what := range done {
		fmt.Fprintf(say, "%s: %s\n", name, printable(what))
	}
	switch {
	case string(f.Text()) == string(opened.file.Text()):
		return nil
	case flags.diff:
		shown := v.shown(opened.path)
		_, err := std.out.Write(diff.Diff("a/"+shown, opened.file.Text(), "b/"+shown, f.Text()))
		return err
	}
	return writeWhole(opened.path, f.Text())
}

// try renders all that a change concerns, and refuses the change if something does not build because of it. One that
// changes nothing in what is rendered is made, with a note.
func (v *printer) try(ctx context.Context, std streams, builds *builds, path string, after []byte) error {
	fixer, err := edit.NewFixer(ctx, v.files, v.scope(v.paths[0]), builds.in(v.files))
	if err != nil {
		return err
	}
	trial, err := fixer.Try(ctx, v.paths[0], path, after)
	switch {
	case err != nil:
		return err
	case trial.Broken != "":
		return v.refuse(std, path, v.shown(trial.Broken)+" would fail to build with the change")
	case !trial.Changed:
		fmt.Fprintln(std.err, "note: the change has no effect on what is rendered")
	}
	return nil
}

// editAdditions are the commands below kls edit add, in the words of kustomize edit.
func editAdditions() []editCommand {
	var patch patchFlags
	return []editCommand{
		{use: "resource PATH…", short: "Add resources", arguments: cobra.MinimumNArgs(1),
			long: "Add files, folders or URLs to resources. A PATH is relative to the folder of the kustomization and\nmay be a pattern, such as *.yaml.",
			example: `  kls edit add resource service.yaml ../base
  kls edit add resource '*.yaml' -C overlays/prod`,
			changes: func(folder string, args []string) ([]editChange, error) { return addPaths("resources", folder, args) }},
		{use: "component PATH…", short: "Add components", arguments: cobra.MinimumNArgs(1),
			long:    "Add folders to components. A PATH is relative to the folder of the kustomization and may be a pattern.",
			example: `  kls edit add component ../../components/monitoring`,
			changes: func(folder string, args []string) ([]editChange, error) { return addPaths("components", folder, args) }},
		{use: "patch (--path PATH | --patch PATCH)", short: "Add a patch", arguments: cobra.NoArgs, flags: patch.add,
			long: "Add an entry to patches: a file or a text, and which resources it is for.",
			example: `  kls edit add patch --path patch.yaml
  kls edit add patch --path patch.yaml --kind Deployment --name web
  kls edit add patch --kind Deployment --patch '[{"op": "remove", "path": "/spec/replicas"}]'`,
			changes: func(folder string, _ []string) ([]editChange, error) { return patch.changes(folder) }},
	}
}

// editSettings are the commands below kls edit set, in the words of kustomize edit.
func editSettings() []editCommand {
	return []editCommand{
		{use: "image IMAGE[=NEWNAME][:NEWTAG][@DIGEST]…", short: "Set the name, tag or digest of images", arguments: cobra.MinimumNArgs(1),
			long: "Set what images are replaced with. What is not named is removed from the entry; * keeps it.",
			example: `  kls edit set image web:1.9
  kls edit set image web=registry.example.com/web:1.9 'api=*:2.0'
  kls edit set image web@sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3`,
			changes: eachArgument(setImage)},
		{use: "namespace NAMESPACE", short: "Set the namespace", arguments: cobra.ExactArgs(1),
			long: "Set the namespace of all resources.", example: "  kls edit set namespace staging", changes: eachArgument(setText("namespace"))},
		{use: "nameprefix PREFIX", aliases: []string{"namePrefix"}, short: "Set the prefix of names", arguments: cobra.ExactArgs(1),
			long: "Set what the names of all resources begin with.", example: "  kls edit set nameprefix acme-", changes: eachArgument(setText("namePrefix"))},
		{use: "namesuffix SUFFIX", aliases: []string{"nameSuffix"}, short: "Set the suffix of names", arguments: cobra.ExactArgs(1),
			long: "Set what the names of all resources end with.", example: "  kls edit set namesuffix -- -v2", changes: eachArgument(setText("nameSuffix"))},
		{use: "replicas NAME=COUNT…", short: "Set replica counts", arguments: cobra.MinimumNArgs(1),
			long: "Set how many replicas the resources of a name have.", example: "  kls edit set replicas web=3 worker=1", changes: eachArgument(setReplicas)},
	}
}

func eachArgument(read func(argument string) (editChange, error)) func(string, []string) ([]editChange, error) {
	return func(_ string, args []string) ([]editChange, error) {
		var changes []editChange
		for _, argument := range args {
			c, err := read(argument)
			if err != nil {
				return nil, err
			}
			changes = append(changes, c)
		}
		return changes, nil
	}
}

func setText(field string) func(string) (editChange, error) {
	return func(value string) (editChange, error) {
		if value == "" {
			return editChange{}, fmt.Errorf("%s needs a value", field)
		}
		return editChange{field + " " + value, func(f *edit.File) ([]text.Edit, string) { return f.SetField(field, value) }}, nil
	}
}

func setReplicas(argument string) (editChange, error) {
	name, count, ok := strings.Cut(argument, "=")
	if n, err := strconv.Atoi(count); !ok || name == "" || err != nil || n < 0 {
		return editChange{}, fmt.Errorf("%q must be NAME=COUNT, as in web=3", argument)
	}
	return editChange{"replicas " + argument, func(f *edit.File) ([]text.Edit, string) {
		return f.SetEntry("replicas", []edit.Pair{{Key: "name", Value: name}, {Key: "count", Value: count, Number: true}})
	}}, nil
}

// setImage reads IMAGE[=NEWNAME][:NEWTAG][@DIGEST], where * keeps what the entry has.
func setImage(argument string) (editChange, error) {
	name, rest, renamed := strings.Cut(argument, "=")
	if !renamed {
		name, rest = "", argument
	}
	rest, digest, _ := strings.Cut(rest, "@")
	tag := ""
	if colon := strings.LastIndexByte(rest, ':'); colon > strings.LastIndexByte(rest, '/') {
		rest, tag = rest[:colon], rest[colon+1:]
	}
	newName := rest
	if !renamed {
		name, newName = rest, ""
	}
	if name == "" || newName+tag+digest == "" {
		return editChange{}, fmt.Errorf("%q must be IMAGE[=NEWNAME][:NEWTAG][@DIGEST], as in web:1.9 or web=registry.example.com/web:1.9", argument)
	}
	pairs := []edit.Pair{{Key: "name", Value: name}}
	for _, p := range []edit.Pair{{Key: "newName", Value: newName}, {Key: "newTag", Value: tag}, {Key: "digest", Value: digest}} {
		if p.Value != "*" {
			pairs = append(pairs, p)
		}
	}
	return editChange{"image " + argument, func(f *edit.File) ([]text.Edit, string) { return f.SetEntry("images", pairs) }}, nil
}

// addPaths reads paths and patterns, seen from the folder of the kustomization.
func addPaths(field, folder string, args []string) ([]editChange, error) {
	var changes []editChange
	for _, argument := range args {
		paths, err := matching(folder, argument)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			changes = append(changes, editChange{field + " " + path, func(f *edit.File) ([]text.Edit, string) { return f.AddEntry(field, path) }})
		}
	}
	return changes, nil
}

func matching(folder, path string) ([]string, error) {
	if _, isURL := gitrepo.Parse(path); isURL && !exists(filepath.Join(folder, path)) || strings.Contains(path, "://") {
		return []string{path}, nil
	}
	if exists(filepath.Join(folder, path)) {
		return []string{filepath.ToSlash(path)}, nil
	}
	found, err := filepath.Glob(filepath.Join(folder, path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var paths []string
	for _, match := range found {
		if short, err := filepath.Rel(folder, match); err == nil && !isKustomizationFile(match) {
			paths = append(paths, filepath.ToSlash(short))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s does not exist in %s", path, filepath.ToSlash(folder))
	}
	slices.Sort(paths)
	return paths, nil
}

// isKustomizationFile tells whether a path is that of a kustomization file, which no pattern means.
func isKustomizationFile(path string) bool { return folderOf(path) != path }

// patchFlags are the flags of kls edit add patch.
type patchFlags struct{ path, patch, group, version, kind, name, namespace, labels, annotations string }

func (p *patchFlags) add(f *pflag.FlagSet) {
	f.StringVar(&p.path, "path", "", "the file of the patch, relative to the folder of the kustomization")
	f.StringVar(&p.patch, "patch", "", "the patch itself")
	f.StringVar(&p.group, "group", "", "API group of the target")
	f.StringVar(&p.version, "version", "", "API version of the target")
	f.StringVar(&p.kind, "kind", "", "kind of the target")
	f.StringVar(&p.name, "name", "", "name of the target, a regular expression")
	f.StringVar(&p.namespace, "namespace", "", "namespace of the target, a regular expression")
	f.StringVar(&p.labels, "label-selector", "", "labels of the target")
	f.StringVar(&p.annotations, "annotation-selector", "", "annotations of the target")
}

func (p *patchFlags) changes(folder string) ([]editChange, error) {
	switch {
	case (p.path == "") == (p.patch == ""):
		return nil, errors.New("name either --path or --patch")
	case p.path != "" && !exists(filepath.Join(folder, p.path)):
		return nil, fmt.Errorf("%s does not exist in %s", p.path, filepath.ToSlash(folder))
	}
	entry := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	add := func(to *yaml.Node, key, value string) {
		if value == "" {
			return
		}
		node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
		if strings.Contains(value, "\n") {
			node.Style = yaml.LiteralStyle
		}
		to.Content = append(to.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, node)
	}
	add(entry, "path", filepath.ToSlash(p.path))
	add(entry, "patch", p.patch)
	target := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, pair := range [][2]string{{"group", p.group}, {"version", p.version}, {"kind", p.kind}, {"name", p.name}, {"namespace", p.namespace},
		{"labelSelector", p.labels}, {"annotationSelector", p.annotations}} {
		add(target, pair[0], pair[1])
	}
	if len(target.Content) > 0 {
		entry.Content = append(entry.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "target"}, target)
	}
	what := "patch " + p.path
	if p.path == "" {
		what = "inline patch"
	}
	return []editChange{{what, func(f *edit.File) ([]text.Edit, string) { return f.AddMapping("patches", entry) }}}, nil
}
