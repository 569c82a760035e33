package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestEveryCommandHasAPage holds the links of the help: a command without a page, or one
// whose page is not there, leads nowhere.
func TestEveryCommandHasAPage(t *testing.T) {
	root := newRootCommand(streams{})
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, child := range c.Commands() {
			visit(child)
		}
		page := commandPage(c)
		if page == "" {
			t.Errorf("%s has no page", c.CommandPath())
		} else if _, err := os.Stat(filepath.Join("..", "..", "docs", filepath.FromSlash(page))); err != nil {
			t.Errorf("%s: %v", c.CommandPath(), err)
		}
	}
	visit(root)
}

// TestEveryFlagIsOnAPage: docs/commands.md has the help of every command, which make docs runs.
func TestEveryFlagIsOnAPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "commands.md"))
	if err != nil {
		t.Fatal(err)
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, child := range c.Commands() {
			visit(child)
		}
		if !c.Runnable() || c.HasSubCommands() || c.Hidden || c.Name() == "help" || c.Parent().Name() == "completion" {
			return
		}
		_, help, found := strings.Cut(string(page), "<!-- recorded: "+c.CommandPath()+" --help -->")
		if !found {
			t.Errorf("%s is not on docs/commands.md", c.CommandPath())
			return
		}
		help, _, _ = strings.Cut(help, "<!-- end -->")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(help, "--"+f.Name) {
				t.Errorf("docs/commands.md does not have --%s of %s: make docs", f.Name, c.CommandPath())
			}
		})
	}
	visit(newRootCommand(streams{}))
}

// TestEveryCommandHasExamples: cobra's own commands show theirs in their text.
func TestEveryCommandHasExamples(t *testing.T) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, child := range c.Commands() {
			visit(child)
		}
		if c.Runnable() && !c.HasSubCommands() && c.Example == "" && c.Name() != "help" && c.Parent().Name() != "completion" {
			t.Errorf("%s has no example", c.CommandPath())
		}
	}
	visit(newRootCommand(streams{}))
}

// Whoever presses ^C reads that the command was interrupted, not that a context was
// cancelled, and the exit code is the one of shells.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, messages bytes.Buffer
	status := run(ctx, []string{"check", filepath.Join("..", "..", "examples")}, streams{nil, &out, &messages})
	if status != exitInterrupted || messages.String() != "kls: interrupted\n" {
		t.Errorf("exit %d, %q", status, messages.String())
	}
}

// An error that is no interruption keeps its exit code.
func TestNotInterrupted(t *testing.T) {
	var out, messages bytes.Buffer
	if status := run(context.Background(), []string{"check", "nowhere"}, streams{nil, &out, &messages}); status != exitBroken {
		t.Errorf("exit %d, %q", status, messages.String())
	}
}
