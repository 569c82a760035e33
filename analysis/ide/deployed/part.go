package deployed

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// partAt says what the part of a deployment's object at an offset names; nil where it
// names nothing. What a parent writes into many is said of the first.
func partAt(ctx context.Context, v *workspace.View, file string, offset int) (*Answer, error) {
	if found, err := applicationAt(ctx, v, file, offset); found != nil || err != nil {
		return found, err
	}
	f, err := v.Files().ReadFile(file)
	if err != nil || !strings.Contains(string(f.Data), deployment.FluxGroup) {
		return nil, nil
	}
	set, err := v.Deployments(ctx, file)
	if err != nil {
		return nil, err
	}
	for _, d := range set.Deployments {
		p := partOf{view: v, set: set, of: d, file: file, offset: offset}
		if found := p.find(); found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// partOf looks for what is at an offset in the object of one deployment.
type partOf struct {
	view   *workspace.View
	set    *deployment.Set
	of     *deployment.Deployment
	file   string
	offset int
}

func (p *partOf) find() *Answer {
	for _, look := range []func() *Answer{p.path, p.components, p.dependencies, p.source, p.targets, p.variables, p.suppliers, p.healthChecks} {
		if found := look(); found != nil {
			return found
		}
	}
	return nil
}

// at tells whether the offset is in a node as it stands in the file.
func (p *partOf) at(n *yaml.Node) (text.Span, bool) {
	place, ok := nodePlaceIn(p.view, n)
	return place.Span, ok && place.File == p.file && place.Span.Start <= p.offset && p.offset <= place.Span.End
}

func (p *partOf) path() *Answer {
	span, ok := p.at(p.of.Path.Node)
	if !ok {
		return nil
	}
	said := fmt.Sprintf("deploys %s: %s", plural(len(p.of.Outputs), "resource"), p.of.Verdict)
	if p.of.Reason != "" {
		said += ", " + p.of.Reason
	}
	for _, a := range p.of.Assumptions {
		said += "\n\n" + a
	}
	return &Answer{Span: span, Markdown: said, Places: p.folder(p.of.Dir)}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p *partOf) components() *Answer {
	for _, c := range p.of.Components() {
		if span, ok := p.at(c); ok && p.of.Dir != "" {
			dir := filepath.Join(p.of.Dir, c.Value)
			said := "the component " + markdown.InlineCode(p.view.ShortPath(dir))
			places := p.folder(dir)
			if len(places) == 0 {
				said = "there is no component in " + markdown.InlineCode(p.view.ShortPath(dir))
			}
			return &Answer{Span: span, Markdown: said, Places: places}
		}
	}
	return nil
}

// folder leads to the kustomization of a folder.
func (p *partOf) folder(dir string) []analysis.Place {
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if isDir, err := p.view.Files().IsDir(path); dir != "" && err == nil && !isDir {
			return []analysis.Place{{File: path}}
		}
	}
	return nil
}

func (p *partOf) dependencies() *Answer {
	for _, on := range p.of.DependsOn {
		span, ok := p.at(on.Node)
		if !ok {
			continue
		}
		found := &Answer{Span: span, Markdown: "there is no " + on.ID.String() + " in this repository"}
		for _, other := range p.set.Find(on.ID.String()) {
			found.Markdown = fmt.Sprintf("%s deploys %s: %s, %s", other.ID, markdown.InlineCode(other.Path.Value), plural(len(other.Outputs), "resource"), other.Verdict)
			found.Places = p.named(found.Places, other.Object)
		}
		return found
	}
	return nil
}

// named adds where resources have their names.
func (p *partOf) named(places []analysis.Place, list ...*resource.Resource) []analysis.Place {
	for _, r := range list {
		if place, ok := nodePlaceIn(p.view, syntax.Lookup(r.Node, "metadata", "name")); ok && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

func (p *partOf) source() *Answer {
	span, ok := p.at(p.of.Source.Node)
	if !ok {
		return nil
	}
	found := &Answer{Span: span, Markdown: p.of.Source.ID.String() + " is this repository"}
	switch {
	case p.of.Dir == "":
		found.Markdown = p.of.Reason
	case len(p.of.Assumptions) > 0:
		found.Markdown = p.of.Assumptions[0]
	}
	for _, object := range p.set.Sources {
		if id := object.ID(); id.Kind == p.of.Source.ID.Kind && id.Name == p.of.Source.ID.Name {
			found.Places = p.named(found.Places, object)
		}
	}
	return found
}

// targets leads from the target of a patch to the resources that the patch is applied to.
func (p *partOf) targets() *Answer {
	list := syntax.Lookup(p.of.Object.Node, "spec", "patches")
	if list == nil {
		return nil
	}
	for _, entry := range list.Content {
		for _, field := range []string{"kind", "name", "group", "version", "namespace", "labelSelector", "annotationSelector"} {
			span, ok := p.at(syntax.Lookup(entry, "target", field))
			if !ok {
				continue
			}
			patched := p.patched(entry)
			found := &Answer{Span: span, Markdown: "the patch is applied to " + plural(len(patched), "resource"), Places: p.named(nil, patched...)}
			for _, r := range patched[:min(len(patched), maxDeployments)] {
				found.Markdown += "\n- " + markdown.InlineCode(r.ID().String())
			}
			return found
		}
	}
	return nil
}

func (p *partOf) patched(entry *yaml.Node) []*resource.Resource {
	if p.of.Build == nil || p.of.Build.Root == nil {
		return nil
	}
	var patched []*resource.Resource
	for _, f := range p.of.Build.Root.Facts.Patches {
		if f.Entry == entry {
			patched = append(patched, f.Targets...)
		}
	}
	return patched
}

// variables leads from a variable that the object supplies to where it is used.
func (p *partOf) variables() *Answer {
	for _, x := range p.of.Variables {
		span, ok := p.at(x.Key)
		if !ok {
			continue
		}
		found := &Answer{Span: span}
		uses := 0
		for _, out := range p.of.Outputs {
			for _, u := range out.Uses {
				if u.Variable != x {
					continue
				}
				uses++
				file, path, part := p.view.Session().Table().InValue(u.Node)(u.Span)
				if place := (analysis.Place{File: path, Span: part}); file != 0 && !slices.Contains(found.Places, place) {
					found.Places = append(found.Places, place)
				}
			}
		}
		found.Markdown = fmt.Sprintf("used %s in what %s deploys", times(uses), p.of.ID)
		return found
	}
	return nil
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// suppliers leads from an object that supplies variables to where it is written.
func (p *partOf) suppliers() *Answer {
	list := syntax.Lookup(p.of.Object.Node, "spec", "postBuild", "substituteFrom")
	if list == nil {
		return nil
	}
	for _, entry := range list.Content {
		name, kind := syntax.Lookup(entry, "name"), syntax.Lookup(entry, "kind")
		span, ok := p.at(name)
		if !ok || kind == nil {
			continue
		}
		id := deployment.ID{Kind: kind.Value, Namespace: p.of.ID.Namespace, Name: name.Value}
		if slices.Contains(p.of.Missing(), id.String()) {
			return &Answer{Span: span, Markdown: id.String() + " is not in git: what it supplies is not known"}
		}
		found := &Answer{Span: span}
		supplied := 0
		for _, x := range p.of.Variables {
			if x.From == id.String() {
				supplied++
				if place, ok := variablePlace(p.view, x); ok {
					found.Places = append(found.Places, place)
				}
			}
		}
		found.Markdown = fmt.Sprintf("%s supplies %s", id, plural(supplied, "variable"))
		return found
	}
	return nil
}

func (p *partOf) healthChecks() *Answer {
	for _, check := range p.of.HealthChecks {
		span, ok := p.at(check.Node)
		if !ok {
			continue
		}
		found := &Answer{Span: span}
		for _, out := range p.of.Outputs {
			if id := out.ID(); id.Kind == check.ID.Kind && id.Name == check.ID.Name {
				found.Places = p.named(found.Places, out.Resource)
			}
		}
		return found
	}
	return nil
}
