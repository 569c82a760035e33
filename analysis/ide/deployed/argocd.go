package deployed

import (
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// applicationAt says what a text with parameters in an ApplicationSet becomes in each Application, what a pattern of its
// generators finds, and where the path of an Application leads; nil where nothing of that is at the offset.
func applicationAt(ctx context.Context, v *workspace.View, file string, offset int) (*Answer, error) {
	f, err := v.Files().ReadFile(file)
	if err != nil || !strings.Contains(string(f.Data), deployment.ArgoGroup) {
		return nil, nil
	}
	set, err := v.Deployments(ctx, file)
	if err != nil {
		return nil, err
	}
	found := &application{view: v, file: file, offset: offset}
	for _, d := range set.Deployments {
		if len(d.Sources) > 0 {
			found.look(d)
		}
	}
	return found.answer(), nil
}

// application collects what the Applications say of one place.
type application struct {
	view   *workspace.View
	file   string
	offset int

	span    text.Span
	found   int
	isMatch bool // a pattern of a generator
	lines   []string
	places  []analysis.Place
}

// look adds what stands at the offset in the object of a deployment.
func (a *application) look(d *deployment.Deployment) {
	if from := d.Element.From; from != nil {
		if n := syntax.Lookup(from, "path"); n != nil && a.isAt(n) {
			a.isMatch = true
			a.add(d, d.Path.Value)
			return
		}
	}
	n := a.scalarAt(d.Object.Node)
	if n == nil {
		return
	}
	for _, source := range d.Sources {
		if source.Path.Node == n {
			a.add(d, n.Value)
			return
		}
	}
	if d.Set != nil && a.hasParameter() {
		a.add(d, n.Value)
		a.places = nil
	}
}

// hasParameter tells whether the text at the offset is a template.
func (a *application) hasParameter() bool {
	f, err := a.view.Files().ReadFile(a.file)
	return err == nil && a.span.End <= len(f.Data) && strings.Contains(string(f.Data[a.span.Start:a.span.End]), "{{")
}

func (a *application) isAt(n *yaml.Node) bool {
	place, ok := nodePlaceIn(a.view, n)
	if !ok || place.File != a.file || a.offset < place.Span.Start || a.offset > place.Span.End {
		return false
	}
	a.span = place.Span
	return true
}

// scalarAt returns the scalar at the offset.
func (a *application) scalarAt(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.ScalarNode {
		if n.Line != 0 && a.isAt(n) {
			return n
		}
		return nil
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		if found := a.scalarAt(child); found != nil {
			return found
		}
	}
	return nil
}

func (a *application) add(d *deployment.Deployment, value string) {
	a.found++
	if a.found > maxDeployments {
		return
	}
	line := fmt.Sprintf("- %s: %s, %s", markdown.InlineCode(d.ID.Name), markdown.InlineCode(value), d.Verdict)
	if d.Element.Condition != "" {
		line += ", " + d.Element.Condition
	}
	a.lines = append(a.lines, line)
	if d.Dir != "" {
		a.places = append(a.places, (&partOf{view: a.view}).folder(d.Dir)...)
	}
}

func (a *application) answer() *Answer {
	if a.found == 0 {
		return nil
	}
	head := plural(a.found, "Application")
	if a.isMatch {
		head = "makes " + head
	}
	if more := a.found - len(a.lines); more > 0 {
		a.lines = append(a.lines, fmt.Sprintf("- %d more", more))
	}
	return &Answer{Span: a.span, Markdown: head + "\n\n" + strings.Join(a.lines, "\n"), Places: a.places}
}
