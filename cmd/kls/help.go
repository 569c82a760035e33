package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pagesURL is where the pages of docs/ are.
const pagesURL = "https://github.com/kustomize-lsp/kls/blob/main/docs/"

// commandGroups order the commands of kls --help by what one wants to do.
var commandGroups = []struct {
	title    string
	commands []string
}{
	{"Find mistakes", []string{"check", "explain-rule"}},
	{"See what is rendered, and why", []string{"build", "explain", "graph", "deployments"}},
	{"Review a change", []string{"diff", "affected"}},
	{"Configure kls", []string{"init", "config"}},
	{"Change files", []string{"edit", "set", "unset"}},
	{"Serve editors and agents", []string{"lsp", "mcp"}},
}

// commandPages name the page of docs/ that says more about a command, by the command's
// path below kls.
var commandPages = map[string]string{
	"":             "README.md",
	"affected":     "diff.md",
	"build":        "build.md",
	"check":        "check.md",
	"config":       "configuration.md",
	"init":         "configuration.md",
	"deployments":  "flux.md",
	"diff":         "diff.md",
	"edit":         "edit.md",
	"explain":      "explain.md",
	"explain-rule": "rules/README.md",
	"graph":        "graph.md",
	"lsp":          "editors.md",
	"mcp":          "agents.md",
}

// completeCommands gives every command the same help, and errors with suggestions for
// what it does not know.
func completeCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetUsageFunc(func(c *cobra.Command) error { return printUsage(c.OutOrStderr(), c) })
	root.SetFlagErrorFunc(suggestFlag)
	for i, group := range commandGroups {
		id := fmt.Sprint(i)
		root.AddGroup(&cobra.Group{ID: id, Title: group.title})
		for _, name := range group.commands {
			if c, _, err := root.Find([]string{name}); err == nil && c != root {
				c.GroupID = id
			}
		}
	}
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Run, c.RunE = nil, helpFor
		}
	}
	refuseUnknown(root)
}

// refuseUnknown makes an error of a word that is no command of a command with commands,
// for which cobra prints the help and ends with 0.
func refuseUnknown(c *cobra.Command) {
	for _, child := range c.Commands() {
		refuseUnknown(child)
	}
	if !c.HasSubCommands() || c.Runnable() {
		return
	}
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownCommand(c, args[0])
	}
}

// helpFor is kls help COMMAND.
func helpFor(help *cobra.Command, args []string) error {
	c, rest, err := help.Root().Find(args)
	if err != nil || len(rest) > 0 {
		if c == nil {
			c = help.Root()
		}
		return unknownCommand(c, rest[0])
	}
	c.InitDefaultHelpFlag()
	return c.Help()
}

func unknownCommand(parent *cobra.Command, name string) error {
	message := fmt.Sprintf("unknown command %q for %q", name, parent.CommandPath())
	if parent.SuggestionsMinimumDistance <= 0 {
		parent.SuggestionsMinimumDistance = 2
	}
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("%s; did you mean %s?", message, near[0])
	}
	return fmt.Errorf("%s; %s --help lists its commands", message, parent.CommandPath())
}

// suggestFlag adds the nearest flag to the error about an unknown one.
func suggestFlag(c *cobra.Command, err error) error {
	name, found := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !found {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near, ok := text.Nearest(name, names); ok {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %s --help lists the flags", err, c.CommandPath())
}

// outsideFlag is the annotation of flags that allow what lies beyond the files at hand:
// they are listed apart, since few need them.
const outsideFlag = "outside"

func printUsage(w io.Writer, c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() && !c.HasSubCommands() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	} else {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	printCommands(&b, c)
	own, outside := splitFlags(c.LocalFlags())
	printFlags(&b, "Flags", own)
	printFlags(&b, "Flags for remote bases, helm charts and functions", outside)
	printFlags(&b, "Global flags", c.InheritedFlags())
	if c.Runnable() && !c.HasSubCommands() || !c.HasParent() {
		b.WriteString("\nExit codes: " + exitCodes(c))
	}
	if page := commandPage(c); page != "" {
		b.WriteString("\nMore: " + pagesURL + page + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printCommands(b *strings.Builder, c *cobra.Command) {
	list := func(title string, belongs func(*cobra.Command) bool) {
		header := "\n" + title + ":\n"
		for _, child := range c.Commands() {
			if (child.IsAvailableCommand() || child.Name() == "help") && belongs(child) {
				fmt.Fprintf(b, "%s  %-*s  %s\n", header, child.NamePadding(), child.Name(), child.Short)
				header = ""
			}
		}
	}
	for _, group := range c.Groups() {
		list(group.Title, func(child *cobra.Command) bool { return child.GroupID == group.ID })
	}
	title := "Commands"
	if len(c.Groups()) > 0 {
		title = "Other"
	}
	list(title, func(child *cobra.Command) bool { return child.GroupID == "" })
}

// splitFlags takes the flags for what lies outside apart from the others.
func splitFlags(all *pflag.FlagSet) (own, outside *pflag.FlagSet) {
	own, outside = pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	all.VisitAll(func(f *pflag.Flag) {
		if _, ok := f.Annotations[outsideFlag]; ok {
			outside.AddFlag(f)
		} else {
			own.AddFlag(f)
		}
	})
	return own, outside
}

func printFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(b, "\n%s:\n%s", title, flags.FlagUsages())
	}
}

// exitCodes says what the exit code of a command means. The commands that can find
// something say so themselves.
func exitCodes(c *cobra.Command) string {
	found := "the input has mistakes"
	switch c.Name() {
	case "check":
		found = "a finding reaches --fail-on"
	case "diff":
		found = "a side does not build, or something changes and --exit-code was given"
	case "explain":
		found = "no such resource or field, or several"
	case "fix":
		found = "something would change and --check was given, or a file could not be edited"
	}
	return "0 success; 1 " + found + "; 2 usage, or something could not be read; 130 interrupted"
}

// commandPage returns the page of a command, or that of the one it belongs to.
func commandPage(c *cobra.Command) string {
	for ; c != nil; c = c.Parent() {
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), c.Root().Name()), " ")
		if page, ok := commandPages[path]; ok {
			return page
		}
	}
	return ""
}
