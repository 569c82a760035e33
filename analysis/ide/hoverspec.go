package ide

import (
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// specPart is a part of the path of a field spec under the cursor.
type specPart struct {
	name string
	span text.Span // in the file
	spec kustomization.FieldSpec
	way  []string // the keys up to the part
}

// specPart finds the part of a field spec's path that the cursor is in: in labels, in a
// plugin, or in a configuration of transformers.
func (u *scope) specPart(c cursor.Cursor) (specPart, bool) {
	n := c.Scalar()
	if n == nil || len(c.Steps) < 2 {
		return specPart{}, false
	}
	own := c.Steps[len(c.Steps)-1]
	outer := c
	outer.Steps = c.Steps[:len(c.Steps)-1]
	f := outer.Field(fields(c, u))
	if own.Key == nil || own.Key.Value != "path" || f == nil || f.Struct == nil || f.Struct.Name != kustomization.FieldSpecName {
		return specPart{}, false
	}
	s := cursor.SelectorOf(own.Parent, "")
	p := specPart{spec: kustomization.FieldSpec{Group: s.Group.Value, Version: s.Version.Value, Kind: s.Kind.Value}}
	for _, part := range cursor.SpecParts(n.Value) {
		p.way = append(p.way, cursor.SpecKey(n.Value[part.Start:part.End]))
		if place, ok := cursor.PartPlace(c.Table, n, part); ok && place.Span.Contains(c.Offset) {
			p.name, p.span = n.Value[part.Start:part.End], place.Span
			return p, part.Len() > 0
		}
	}
	return specPart{}, false
}

// specNodes returns what the part leads to in a resource, with the keys.
func (p *specPart) specNodes(r *resource.Resource) []keyed {
	id := r.ID()
	if r.Node == nil || !p.spec.Selects(id.Group, id.Version, id.Kind) {
		return nil
	}
	var found []keyed
	last := len(p.way) - 1
	for _, m := range cursor.UnderSpec([]*yaml.Node{r.Node}, p.way[:last]) {
		if key, value := syntax.Field(m, p.way[last]); value != nil {
			found = append(found, keyed{key, value})
		}
	}
	return found
}

type keyed struct{ key, value *yaml.Node }

// spec tells of a part of a field spec's path where it leads to, in the resources as they
// are in the end.
func (u *scope) spec(_ context.Context, c cursor.Cursor) (string, error) {
	p, ok := u.specPart(c)
	if !ok {
		return "", nil
	}
	found := &segmentNodes{}
	for _, r := range u.Result.Resources {
		if id := r.ID(); p.spec.Selects(id.Group, id.Version, id.Kind) {
			found.resources++
		}
		for _, n := range p.specNodes(r) {
			found.addNode(r, n.value)
		}
	}
	said := found.describePart(p.name)
	if said == "" {
		return "", nil
	}
	return strings.Join(markdown.NonEmpty([]string{said, u.where(c)}), "\n\n"), nil
}

// specDefinition leads from a part of a field spec's path to the fields.
func (u *scope) specDefinition(c cursor.Cursor) *Definition {
	p, ok := u.specPart(c)
	if !ok {
		return nil
	}
	d := &Definition{Origin: p.span}
	for _, r := range u.Result.Resources {
		for _, n := range p.specNodes(r) {
			shown := n.key
			if n.value.Kind == yaml.ScalarNode {
				shown = n.value
			}
			if place, ok := u.Place(shown); ok {
				d.Places = append(d.Places, place)
			}
		}
	}
	return d
}

// configured tells of an entry of configurations or crds which fields it makes known to
// the transformers.
func (u *scope) configured(_ context.Context, c cursor.Cursor) (string, error) {
	at, known := c.Place(kustomization.Fields())
	if !known || !at.Item || !at.Named("configurations", "crds") {
		return "", nil
	}
	for _, l := range u.Layers(c.File) {
		for _, in := range l.Facts.Inputs {
			if workspace.SameNode(in.Entry, c.Node) {
				return u.describeConfiguration(in, at.Named("crds")), nil
			}
		}
	}
	return "", nil
}

func (u *scope) describeConfiguration(in builder.Input, isCRDs bool) string {
	source := u.Build.Session().Table().Source(in.File)
	if source == nil {
		return ""
	}
	title, read := "**Configuration**", kustomization.ReadTransformerConfig
	if isCRDs {
		title, read = "**Definitions of custom resources**", kustomization.ReadCRDs
	}
	var lines []string
	count := 0
	add := func(field string, spec kustomization.FieldSpec) {
		if count++; count > 2*maxListed {
			return
		}
		line := fmt.Sprintf("- %s: %s", field, markdown.InlineCode(spec.Path))
		if spec.Kind != "" {
			line += " of " + markdown.InlineCode(spec.Kind)
		}
		lines = append(lines, line)
	}
	for _, d := range syntax.Parse(u.Build.Session().Table(), in.File).Documents {
		if d.Root == nil {
			continue
		}
		config, _ := read(d.Root) // its problems are diagnostics
		for _, reference := range config.NameReference {
			for _, spec := range reference.FieldSpecs {
				add("nameReference to "+markdown.InlineCode(reference.Kind), spec)
			}
		}
		for field, spec := range config.All() {
			add(field, spec)
		}
	}
	if more := count - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", more))
	}
	return title + " · " + markdown.Quantity(count, "field") + "\n\n" + strings.Join(lines, "\n")
}
