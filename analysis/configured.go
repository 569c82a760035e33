package analysis

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// InvalidConfiguration is the rule of a mistake in kls's own configuration.
const InvalidConfiguration = "invalid-configuration"

// maxMistakes is how many mistakes in a configuration are reported: each of the roots
// that it counts for has them.
const maxMistakes = 100

// configure returns the mistakes in the configuration that counts for a root. The
// root's result depends on the configuration as on what its build read.
func (c *checker) configure(dir string, result *builder.Result) []builder.Problem {
	if c.options.Config == nil {
		return nil
	}
	var problems []builder.Problem
	report := func(p config.Problem) {
		problem := builder.Problem{Code: InvalidConfiguration, File: p.File, Span: p.Span, Message: p.Message, Help: p.Help}
		if p.New != "" {
			problem.Fixes = []builder.Fix{{Title: "Change to " + p.New, File: p.File, Span: p.Span, New: p.New}}
		}
		problems = append(problems, problem)
	}
	found, err := c.configs.Find(vfs.Record(c.session.Files(), result.Reads), dir)
	if err != nil {
		report(config.Problem{Message: config.FileName + " cannot be read: " + err.Error()})
	}
	for _, p := range found.Problems[:min(len(found.Problems), maxMistakes)] {
		report(p)
	}
	known := make([]string, 0, len(c.options.Rules))
	for _, r := range c.options.Rules {
		known = append(known, r.Name)
	}
	for _, name := range found.Rules {
		if len(problems) >= maxMistakes {
			break
		}
		if slices.Contains(known, name.Text) {
			continue
		}
		p := config.Problem{File: name.File, Span: name.Span, Message: fmt.Sprintf("no rule is called %q", name.Text)}
		if near, ok := text.Nearest(name.Text, known); ok {
			p.Help, p.New = "did you mean "+near+"?", near
		}
		report(p)
	}
	return problems
}
