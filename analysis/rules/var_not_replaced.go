package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

var varReference = text.Regexp(`(?:^|[^$])\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)`)

func checkVarsNotReplaced(p *analysis.Pass) {
	var vars []string
	for _, l := range p.Layers() {
		for _, v := range l.Kustomization.Vars {
			vars = append(vars, v.Name.Value)
		}
	}
	c := &varChecker{pass: p, vars: vars}
	for _, r := range p.Result.Resources {
		type hasReferences struct{}
		if r.Note(hasReferences{}, func() any { return resourceHasVarReference(r) }).(bool) {
			c.walk(r.Node, nil)
		}
	}
}

// resourceHasVarReference is hasVarReference of all that a resource has.
func resourceHasVarReference(r *resource.Resource) bool {
	type partHasReferences struct{}
	return r.Node != nil && slices.ContainsFunc(r.Node.Content, func(n *yaml.Node) bool {
		return r.KnownOfPart(n, partHasReferences{}, func() bool { return hasVarReference(n) })
	})
}

// hasVarReference tells whether a text may have one: the expression looks at every
// byte, and most resources have none.
func hasVarReference(n *yaml.Node) bool {
	return n != nil && (strings.Contains(n.Value, "$(") || slices.ContainsFunc(n.Content, hasVarReference))
}

type varChecker struct {
	pass *analysis.Pass
	vars []string
}

// walk looks at every text; environment are the variables of the container that
// it is in.
func (c *varChecker) walk(n *yaml.Node, environment []string) {
	if n == nil {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		c.check(n, environment)
		return
	case yaml.MappingNode:
		if _, image := syntax.Field(n, "image"); image != nil {
			environment = append(environmentOf(n), environment...)
		}
	}
	for _, child := range n.Content {
		c.walk(child, environment)
	}
}

func environmentOf(container *yaml.Node) []string {
	var names []string
	_, list := syntax.Field(container, "env")
	if list == nil {
		return nil
	}
	for _, variable := range list.Content {
		if _, name := syntax.Field(variable, "name"); name != nil {
			names = append(names, name.Value)
		}
	}
	return names
}

// isEscaped tells whether a reference was written with two dollars: where there
// are vars, kustomize makes them one.
func (c *varChecker) isEscaped(n *yaml.Node, name string) bool {
	written, ok := c.pass.Session.Table().WrittenText(n)
	return ok && strings.Contains(written, "$$("+name+")")
}

func (c *varChecker) check(n *yaml.Node, environment []string) {
	if !hasVarReference(n) {
		return
	}
	for _, match := range varReference().FindAllStringSubmatchIndex(n.Value, -1) {
		name := n.Value[match[2]:match[3]]
		problem := builder.Problem{Node: n, Part: text.Span{Start: match[2], End: match[3]}, Layer: c.pass.Result.Root}
		near, isNear := text.Nearest(name, slices.Concat(environment, c.vars))
		switch {
		case slices.Contains(environment, name) || c.isEscaped(n, name):
			continue
		case slices.Contains(c.vars, name):
			problem.Message = fmt.Sprintf("the var %s is not replaced in this field", name)
			problem.Help = "list the field under varReference in a file of configurations, or use a replacement"
		case isNear && text.IsSlip(name, near) && !differOnlyInDigits(name, near):
			problem.Message = fmt.Sprintf("nothing replaces $(%s)", name)
			problem = problem.Suggest(near)
		default:
			continue
		}
		c.pass.Report(problem)
	}
}
