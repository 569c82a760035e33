package deployment

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Again renders a deployment that was rendered before once more, with a recorder that
// watches the build. Its outputs are in the same order.
func (d *Deployment) Again(ctx context.Context, session *builder.Session, recorder builder.Recorder) (*Deployment, error) {
	again := *d
	again.Problems, again.Outputs = nil, nil
	again.Options.Recorder = recorder
	var err error
	if again.Build, err = session.Build(ctx, d.Dir, again.Options); err != nil {
		return nil, err
	}
	for _, r := range again.Build.Resources {
		again.Outputs = append(again.Outputs, &Output{Resource: r, Before: r})
	}
	if d.substitutes {
		x := substitution{variables: d.supplied, deployment: &again, session: session}
		x.outputs()
	}
	return &again, nil
}

// WithoutOptions renders the folder of a deployment without what its object says: no
// options, and no variables.
func (d *Deployment) WithoutOptions(ctx context.Context, session *builder.Session) (*Deployment, error) {
	plain := *d
	plain.substitutes = false
	if d.Options.Overlay != nil {
		overlay := *d.Options.Overlay
		overlay.Edit = nil
		plain.Options.Overlay = &overlay
	}
	return plain.Again(ctx, session, nil)
}

// Variable returns what the deployment supplies for a name; nil for nothing.
func (d *Deployment) Variable(name string) *Variable { return d.supplied.known[name] }

// Wanted are the names in all expressions of resources, sorted.
func Wanted(resources []*resource.Resource) []string {
	names := map[string]bool{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "${") {
			for _, e := range Expressions(n.Value) {
				names[e.Name] = validName().MatchString(e.Name)
			}
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	for _, r := range resources {
		walk(r.Node)
	}
	maps.DeleteFunc(names, func(_ string, valid bool) bool { return !valid })
	return slices.Sorted(maps.Keys(names))
}

// Missing are the objects that supply variables and of which nothing is known.
func (d *Deployment) Missing() []string { return d.supplied.missing }

// Components are the entries of the components that the object adds.
func (d *Deployment) Components() []*yaml.Node {
	list := syntax.Lookup(d.Object.Node, "spec", "components")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return list.Content
}

// Original returns the scalar that a scalar of an output was before variables were
// substituted in it: the same one where none were.
func (o *Output) Original(n *yaml.Node) *yaml.Node {
	for _, u := range o.Uses {
		if u.After == n {
			return u.Node
		}
	}
	return n
}

// Writer returns the deployment whose object, as it stands in a file, a line of that file
// is in; nil for none. Lines are counted from 1.
func (s *Set) Writer(session *builder.Session, path string, line int) *Deployment {
	for _, object := range s.written {
		first, last, file := linesOf(session, object.Node)
		if file != path || line < first || line > last {
			continue
		}
		name := syntax.Lookup(object.Node, "metadata", "name")
		for _, d := range s.Deployments {
			if n := nameOf(d); n != nil && name != nil && n.Line != 0 && writtenAt(n) == writtenAt(name) {
				return d
			}
		}
	}
	return nil
}

// linesOf returns the first and the last line of a node, and the file that it stands in.
func linesOf(session *builder.Session, n *yaml.Node) (first, last int, path string) {
	file, path, span := session.NodeSpan(n)
	source := session.Table().Source(file)
	if source == nil {
		return 0, 0, ""
	}
	first, _ = source.Lines().OffsetToLineColumn(span.Start)
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	_, _, span = session.NodeSpan(n)
	last, _ = source.Lines().OffsetToLineColumn(max(span.Start, span.End-1))
	return first, last, path
}
