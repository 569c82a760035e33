package main

import (
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/schema"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completer completes a word on the command line.
type completer = func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective)

// oneOf completes to fixed values.
func oneOf(values ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// flagValues complete the values of flags by the flag's name, or by the command and the flag where commands differ.
var flagValues = map[string]completer{
	"affected --format":     oneOf("text", "json"),
	"build --blame":         oneOf("text", "json"),
	"build --reorder":       oneOf(load.ReorderLegacy, load.ReorderNone),
	"explain --reorder":     oneOf(load.ReorderLegacy, load.ReorderNone),
	"show --format":         oneOf("text", "json"),
	"check --format":        oneOf(formatNames()...),
	"deployments --format":  oneOf("text", "json"),
	"diff --format":         oneOf(diffFormats...),
	"explain --format":      oneOf("text", "json"),
	"explain-rule --format": oneOf("text", "markdown"),
	"graph --format":        oneOf("text", "dot", "mermaid", "json", "svg", "html"),
	"--color":               oneOf("auto", "always", "never"),
	"--fail-on":             oneOf("error", "warning", "info", "hint"),
	"--kubernetes-version":  oneOf(schema.Versions()...),
	"--load-restrictor":     oneOf(load.RootOnly, load.NoRestrictions),
	"--severity":            oneOf("error", "warning", "info", "hint"),
	"--since":               completeCommit,
	"--dir":                 completeFolder,
	"--layer":               completeFolder,
}

// argumentValues complete the arguments of commands.
var argumentValues = map[string]completer{
	"build":       completeFolder,
	"deployments": completeFolder,
	"diff":        completeFolder,
	"explain":     completeAddress(""),
	"set":         completeAddress("="),
	"unset":       completeAddress(""),
	"buildMetadata": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return edit.BuildMetadataOptions(), cobra.ShellCompDirectiveNoFileComp
	},
}

// completeArguments has the shell complete the values of flags and arguments.
func completeArguments(c *cobra.Command) {
	for _, child := range c.Commands() {
		completeArguments(child)
	}
	if values, ok := argumentValues[c.Name()]; ok && c.ValidArgsFunction == nil {
		c.ValidArgsFunction = values
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values, ok := flagValues[c.Name()+" --"+f.Name]
		if !ok {
			values, ok = flagValues["--"+f.Name]
		}
		if ok {
			_ = c.RegisterFlagCompletionFunc(f.Name, values) // fails only where one is registered
		}
	})
}

func completeFolder(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeCommit completes to branches and tags, and to the commit where HEAD left one of them.
func completeCommit(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	dir := "."
	if flag := c.Flag("dir"); flag != nil {
		dir = flag.Value.String()
	}
	var refs []string
	real, err := realPath(vfs.NewSnapshot(vfs.Disk()), dir)
	if err == nil {
		refs, err = external.Refs(c.Context(), real)
	}
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	refs = append(refs, "HEAD", "HEAD~1")
	for _, ref := range refs {
		if strings.HasPrefix(ref, begun) && !strings.HasPrefix(ref, "HEAD") {
			refs = append(refs, ref+"...")
		}
	}
	return refs, cobra.ShellCompDirectiveNoFileComp
}

// completeAddress completes the folder, then RESOURCE:FIELDPATH of what the folder renders, one segment at a time.
func completeAddress(end string) completer {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		dir := args[0]
		if flag := c.Flag("dir"); flag != nil && !filepath.IsAbs(dir) {
			dir = filepath.Join(flag.Value.String(), dir)
		}
		var words []string
		for _, r := range renderedFor(c, folderOf(dir)) {
			words = append(words, addressesOf(r, begun, end)...)
		}
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// renderedFor returns what a folder renders; nil where that cannot be had. Nothing is fetched or run for a completion.
func renderedFor(c *cobra.Command, dir string) []*resource.Resource {
	files := vfs.NewSnapshot(vfs.Disk())
	real, err := realPath(files, dir)
	if err != nil {
		return nil
	}
	result, err := builder.NewSession(files).Build(c.Context(), real, builder.Options{LoadRestrictor: load.RootOnly})
	if err != nil {
		return nil
	}
	return result.Resources
}

// addressesOf returns the addresses of a resource or in it that go on from what was begun: the resource itself, then its
// fields down to the next dot.
func addressesOf(r *resource.Resource, begun, end string) []string {
	id := r.ID().String()
	if !strings.HasPrefix(begun, id+":") {
		if strings.HasPrefix(id, begun) {
			return []string{id, id + ":"}
		}
		return nil
	}
	var words []string
	typed := begun[len(id)+1:]
	fields := explain.Fields(r)
	for i, field := range fields {
		if !strings.HasPrefix(field, typed) || strings.Contains(withoutEscapes(field[len(typed):]), ".") {
			continue
		}
		word := id + ":" + field
		if i+1 < len(fields) && strings.HasPrefix(fields[i+1], field+".") {
			words = append(words, word+".")
			continue
		}
		words = append(words, word+end)
	}
	return words
}

// withoutEscapes is a part of a field path without the dots that belong to keys or stand between brackets.
func withoutEscapes(part string) string {
	part = strings.ReplaceAll(part, `\.`, "")
	if open := strings.IndexByte(part, '['); open >= 0 {
		if length := strings.IndexByte(part[open:], ']'); length > 0 {
			part = part[:open] + part[open+length:]
		}
	}
	return part
}
