package main

import (
	"fmt"
	"io"

	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/docs"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/spf13/cobra"
)

func newExplainRuleCommand(std streams) *cobra.Command {
	var format, color string
	command := &cobra.Command{
		Use:   "explain-rule [RULE]",
		Short: "Print the page of a rule, or the list of all rules",
		Example: `  kls explain-rule
  kls explain-rule image-no-match`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listRules(std)
			}
			return explainRule(std, args[0], format, color)
		},
	}
	command.Flags().StringVar(&format, "format", "text", "text or markdown")
	command.Flags().StringVar(&color, "color", "auto", "colour the text: auto, always or never")
	return command
}

func ruleNames() []string {
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.Name)
	}
	return names
}

func listRules(std streams) error {
	for _, r := range rules.All() {
		if _, err := fmt.Fprintf(std.out, "%-36s %-8s %s\n", r.Name, r.Severity, r.Title); err != nil {
			return err
		}
	}
	return nil
}

func explainRule(std streams, name, format, color string) error {
	if format != "text" && format != "markdown" {
		return fmt.Errorf("--format must be text or markdown, not %q", format)
	}
	page, ok := docs.RulePage(name)
	if ok && name != "README" {
		shown := string(page)
		if format == "text" {
			colored, err := wantsColor(color, std.out)
			if err != nil {
				return err
			}
			shown = terminalPage(&printer{color: colored}, shown)
		}
		_, err := io.WriteString(std.out, shown)
		return err
	}
	if near, ok := text.Nearest(name, ruleNames()); ok {
		return fmt.Errorf("no rule is called %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("no rule is called %q; kls explain-rule lists them", name)
}
