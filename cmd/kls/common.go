package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pathCommand says which arguments of a command are paths.
type pathCommand struct {
	// paths is how many arguments from the first on are paths; -1 for all.
	paths int
	// folders is true where a kustomization file stands for its folder.
	folders bool
	// list is true where - stands for paths on standard input, one a line.
	list bool
}

// pathCommands are the commands whose arguments are paths, by their names.
var pathCommands = map[string]pathCommand{
	"affected":    {list: true},
	"build":       {paths: 1, folders: true},
	"check":       {paths: -1, list: true},
	"deployments": {paths: 1, folders: true},
	"diff":        {paths: 2, folders: true},
	"explain":     {paths: 1, folders: true},
	"graph":       {paths: -1, folders: true},
	"set":         {paths: 1, folders: true},
	"unset":       {paths: 1, folders: true},
}

// printingCommands have --output, besides those that have one of their own.
var printingCommands = []string{"affected", "check", "config show", "deployments", "diff", "explain", "explain-rule"}

// addCommonFlags gives commands the flags that all of their kind have: -C, which their paths are seen from, and -o,
// which takes what they print.
func addCommonFlags(root *cobra.Command, std streams, out *outlet) {
	for name, paths := range pathCommands {
		if c, _, err := root.Find([]string{name}); err == nil && c != root {
			paths.addTo(c, std)
		}
	}
	for _, name := range printingCommands {
		if c, _, err := root.Find(strings.Fields(name)); err == nil && c != root {
			addOutputFlag(c, out)
		}
	}
}

func (p pathCommand) addTo(c *cobra.Command, std streams) {
	dir := "."
	if c.Flags().Lookup("dir") == nil {
		c.Flags().StringVarP(&dir, "dir", "C", ".", "take paths relative to this folder, which is also the default PATH")
	}
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		args, err := p.arguments(std.in, dir, args)
		if err != nil {
			return err
		}
		return run(c, args)
	}
}

// arguments returns the arguments with paths as the command takes them.
func (p pathCommand) arguments(in io.Reader, dir string, args []string) ([]string, error) {
	if p.list && len(args) == 1 && args[0] == "-" {
		var err error
		if args, err = lines(in); err != nil {
			return nil, err
		}
		if len(args) == 0 {
			return nil, errors.New("standard input names no path")
		}
	}
	if len(args) == 0 && dir != "." {
		return []string{dir}, nil
	}
	changed := append([]string(nil), args...)
	for i, path := range changed {
		if p.paths >= 0 && i >= p.paths {
			break
		}
		if _, isURL := gitrepo.Parse(path); isURL && !exists(path) {
			continue
		}
		if dir != "." && !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if p.folders {
			path = folderOf(path)
		}
		changed[i] = path
	}
	return changed, nil
}

// folderOf is the folder of a kustomization file, and any other path as it is.
func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && workspace.IsKustomization(path) {
		return filepath.Dir(path)
	}
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// lines returns the lines that are not empty.
func lines(in io.Reader) ([]string, error) {
	var all []string
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		if line := strings.TrimSuffix(scanner.Text(), "\r"); line != "" {
			all = append(all, line)
		}
	}
	return all, scanner.Err()
}

// outlet is standard output, until a command is told to write to a file.
type outlet struct{ io.Writer }

// addOutputFlag adds -o to a command, which writes the file whole or, where the command cannot do its work, not at all.
func addOutputFlag(c *cobra.Command, out *outlet) {
	var path string
	c.Flags().StringVarP(&path, "output", "o", "", "write to this file, whole or not at all")
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if path == "" {
			return run(c, args)
		}
		var printed bytes.Buffer
		out.Writer = &printed
		err := run(c, args)
		if err == nil || errors.Is(err, errFound) {
			if failed := writeWhole(path, printed.Bytes()); failed != nil {
				return fmt.Errorf("--output: %w", failed)
			}
		}
		return err
	}
}

// alias makes another name of a flag, which the help does not list.
func alias(flags *pflag.FlagSet, old, name string) {
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == old {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}
