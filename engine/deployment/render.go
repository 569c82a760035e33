package deployment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// render builds the folder with the options of the object, without load restrictions but
// confined to the checkout and in the order in which resources were accumulated, and
// substitutes variables.
func (f flux) render(s *search, d *Deployment) (ready bool, err error) {
	d.Problems, d.Outputs, d.Build, d.Reason, d.Verdict = nil, nil, nil, "", Exact
	if !isFolder(s.session.Files(), d.Dir) {
		d.fail(builder.Problem{Code: MissingPath, Node: orNode(d.Path.Node, nameOf(d)),
			Message: fmt.Sprintf("the folder %s does not exist", orRoot(d.Path.Value)),
			Help:    "spec.path is relative to the root of the repository"})
		return true, nil
	}
	d.Options = builder.Options{LoadRestrictor: load.NoRestrictions, Reorder: load.ReorderNone, Analyze: s.settings.Analyze,
		Within: s.set.Root, Overlay: f.overlay(d)}
	if d.Build, err = s.session.Build(s.ctx, d.Dir, d.Options); err != nil {
		return true, err
	}
	if !d.judge() {
		return true, nil
	}
	for _, r := range d.Build.Resources {
		d.Outputs = append(d.Outputs, &Output{Resource: r, Before: r})
	}
	return s.substitute(d)
}

// judge tells whether the build came to something.
func (d *Deployment) judge() bool {
	for i, p := range d.Build.Problems {
		switch {
		case p.Code == problem.MissingPath && d.isComponent(p.Node):
			d.Build.Problems[i].Code = MissingComponent
			fallthrough
		case p.Fatal:
			if d.Verdict != Fails {
				d.Verdict, d.Reason = Fails, p.Message
			}
		case p.Code == problem.ExternalNotRun && d.Verdict != Fails:
			d.Verdict, d.Reason = Fails, "Flux renders neither helm charts nor plugins of a kustomization"
		}
	}
	switch {
	case d.Verdict == Fails:
		return false
	case d.Build.Unknown:
		d.Verdict, d.Reason = Unknown, "it includes what is not in this repository and was not loaded"
		return false
	}
	for _, r := range d.Build.Resources {
		if _, version := syntax.Field(r.Node, "apiVersion"); version == nil || version.Value == "" {
			d.fail(builder.Problem{Code: Unreadable, Node: r.Node, Message: fmt.Sprintf("%s has no apiVersion: Flux refuses it", r.ID())})
			return false
		}
	}
	return true
}

func (d *Deployment) isComponent(n *yaml.Node) bool {
	components := syntax.Lookup(d.Object.Node, "spec", "components")
	return n != nil && components != nil && slices.ContainsFunc(components.Content, func(c *yaml.Node) bool {
		return c.Line == n.Line && c.Column == n.Column && c.Value == n.Value
	})
}

// fail notes a mistake because of which the deployment cannot be rendered.
func (d *Deployment) fail(p builder.Problem) {
	p.Fatal = true
	d.Problems = append(d.Problems, p)
	if d.Verdict != Fails {
		d.Verdict, d.Reason = Fails, p.Message
	}
}

// YAML returns what is deployed as the tool prints it.
func (s *Set) YAML(d *Deployment) ([]byte, error) {
	var printed []byte
	for i, out := range d.Outputs {
		if i > 0 {
			printed = append(printed, "---\n"...)
		}
		var err error
		if printed, err = render.Document(printed, out.Node); err != nil {
			var refusal *render.Refusal
			if errors.As(err, &refusal) {
				return nil, fmt.Errorf("%s: %w", out.ID(), err)
			}
			return nil, err
		}
	}
	return printed, nil
}

func nameOf(d *Deployment) *yaml.Node { return syntax.Lookup(d.Object.Node, "metadata", "name") }

func orNode(n, other *yaml.Node) *yaml.Node {
	if n == nil || n.Line == 0 {
		return other
	}
	return n
}
