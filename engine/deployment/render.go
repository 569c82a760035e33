package deployment

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// render builds the folder with the options of the object, without load restrictions but
// confined to the checkout and in the order in which resources were accumulated, and
// substitutes variables.
func (f flux) render(s *search, d *Deployment) (ready bool, err error) {
	d.Problems, d.Outputs, d.Build, d.Reason, d.Verdict = nil, nil, nil, "", Exact
	if !isFolder(s.session.Files(), d.Dir) {
		p := builder.Problem{Code: MissingFolder, Node: orNode(d.Path.Node, nameOf(d)),
			Message: fmt.Sprintf("the folder %s does not exist", orRoot(d.Path.Value)),
			Help:    "spec.path is relative to the root of the repository"}
		if near := nearestFolder(s.session.Files(), s.origins.root, d.Path.Value); near != "" {
			p.Help, p.Fixes = "did you mean "+near+"?", []builder.Fix{{Title: "Change to " + near, New: near}}
		}
		d.fail(p)
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

// nearestFolder returns the path with the nearest name in the place of the first that is
// not there, if that leads to a folder.
func nearestFolder(files *vfs.Snapshot, root, path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if part == "" || part == "." || isFolder(files, filepath.Join(root, filepath.Join(parts[:i+1]...))) {
			continue
		}
		above := filepath.Join(root, filepath.Join(parts[:i]...))
		entries, err := files.ReadDir(above)
		if err != nil {
			return ""
		}
		var names []string
		for _, e := range entries {
			rest := filepath.Join(append([]string{above, e.Name()}, parts[i+1:]...)...)
			if e.IsDir() && isFolder(files, rest) {
				names = append(names, e.Name())
			}
		}
		near, ok := text.Nearest(part, names)
		if !ok {
			return ""
		}
		return strings.Join(append(append(slices.Clone(parts[:i]), near), parts[i+1:]...), "/")
	}
	return ""
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
