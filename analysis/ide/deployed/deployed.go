// Package deployed answers what deployments make of a position: what supplies a variable in
// a file that they deploy, and what the parts of their own objects name.
package deployed

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Answer is what there is to say of a position: a text, or places that it leads to.
type Answer struct {
	// Span is what it is about, in the file that was asked for.
	Span     text.Span
	Markdown string
	Places   []analysis.Place
}

// maxDeployments is how many deployments are named one by one.
const maxDeployments = 5

// variable is what a deployment supplies for an expression.
type variable struct {
	of       *deployment.Deployment
	supplied *deployment.Variable // nil for nothing that is known
}

// variableAt returns the expression ${…} at an offset and what the deployments supply for
// it that read the file; ok is false where there is none.
func variableAt(ctx context.Context, v *workspace.View, file string, offset int) (e deployment.Expression, found []variable, ok bool, err error) {
	f, err := v.Files().ReadFile(file)
	if err != nil || !strings.Contains(string(f.Data), "${") {
		return e, nil, false, nil
	}
	for _, candidate := range expressionsOn(string(f.Data), offset) {
		if candidate.Span.Start <= offset && offset < candidate.Span.End {
			e, ok = candidate, true // the innermost comes last
		}
	}
	if !ok {
		return e, nil, false, nil
	}
	set, err := v.Deployments(ctx, file)
	if err != nil {
		return e, nil, false, err
	}
	for _, d := range set.Deployments {
		if d.Build == nil || !slices.Contains(d.Build.Reads.Files(), file) {
			continue
		}
		x := variable{of: d}
		if i := slices.IndexFunc(d.Variables, func(s *deployment.Variable) bool { return s.Name == e.Name }); i >= 0 {
			x.supplied = d.Variables[i]
		}
		if len(d.Variables) > 0 {
			found = append(found, x)
		}
	}
	return e, found, len(found) > 0, nil
}

// expressionsOn returns the expressions on the line of an offset, in bytes of the text.
func expressionsOn(content string, offset int) []deployment.Expression {
	start := strings.LastIndexByte(content[:min(offset, len(content))], '\n') + 1
	line, _, _ := strings.Cut(content[start:], "\n")
	found := deployment.Expressions(line)
	for i := range found {
		for _, span := range []*text.Span{&found[i].Span, &found[i].NameSpan} {
			span.Start, span.End = span.Start+start, span.End+start
		}
	}
	return found
}

// HoverAt tells what a variable is in each deployment, and what a part of a deployment's
// own object names; nil where there is neither.
func HoverAt(ctx context.Context, v *workspace.View, file string, offset int) (*Answer, error) {
	e, found, ok, err := variableAt(ctx, v, file, offset)
	if err != nil {
		return nil, err
	}
	if !ok {
		part, err := partAt(ctx, v, file, offset)
		if part == nil || part.Markdown == "" {
			return nil, err
		}
		return part, err
	}
	var b strings.Builder
	for _, x := range found[:min(len(found), maxDeployments)] {
		fmt.Fprintf(&b, "- %s\n", describeVariable(v, x, e))
	}
	if more := len(found) - maxDeployments; more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	return &Answer{Span: e.Span, Markdown: b.String()}, nil
}

func describeVariable(v *workspace.View, x variable, e deployment.Expression) string {
	of := " in " + x.of.ID.String()
	s := x.supplied
	switch {
	case s == nil && e.HasDefault:
		return "its default" + of
	case s == nil && x.of.Verdict == deployment.Partial:
		return "not known" + of + ": " + x.of.Reason
	case s == nil:
		return "**nothing supplies it**" + of
	}
	shown := markdown.InlineCode(s.Value)
	switch {
	case !s.Known:
		shown = "encrypted"
	case s.Hidden:
		shown = "hidden, since it is a secret"
	}
	if place, ok := variablePlace(v, s); ok {
		return shown + of + ", from " + v.ShowPlace(place)
	}
	return shown + of + ", from " + s.From
}

// variablePlace returns where the value of a variable stands.
func variablePlace(v *workspace.View, s *deployment.Variable) (analysis.Place, bool) {
	if s.Node == nil {
		if source := v.Session().Table().Source(s.File); source != nil {
			return analysis.Place{File: source.Path(), Span: s.Span}, true
		}
		return analysis.Place{}, false
	}
	return nodePlaceIn(v, s.Node)
}

func nodePlaceIn(v *workspace.View, n *yaml.Node) (analysis.Place, bool) {
	if n == nil {
		return analysis.Place{}, false
	}
	_, path, span := v.Session().NodeSpan(n)
	return analysis.Place{File: path, Span: span}, path != ""
}

// DefinitionAt leads from a variable to where it is supplied, and from what a
// Kustomization names to that: the folder, a component, another deployment.
func DefinitionAt(ctx context.Context, v *workspace.View, file string, offset int) (*Answer, error) {
	e, found, ok, err := variableAt(ctx, v, file, offset)
	if err != nil {
		return nil, err
	}
	if ok {
		d := &Answer{Span: e.Span}
		for _, x := range found {
			if x.supplied == nil {
				continue
			}
			if place, ok := variablePlace(v, x.supplied); ok && !slices.Contains(d.Places, place) {
				d.Places = append(d.Places, place)
			}
		}
		return d, nil
	}
	return partAt(ctx, v, file, offset)
}
