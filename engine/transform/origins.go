package transform

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Options of buildMetadata.
const (
	originOption       = "originAnnotations"
	transformersOption = "transformerAnnotations"
	managedByOption    = "managedByLabel"
)

// StartOrigins gives the root an origin if its buildMetadata asks for anything:
// the layers below inherit it (KustTarget.makeCustomizedResMap). That of a base
// counts for nothing.
func (b *Transformer) StartOrigins(root *trace.Layer) {
	if len(root.Kustomization.BuildMetadata) > 0 {
		root.Origin = &resource.Origin{}
	}
}

// FieldOrigin is the origin of what a field of the layer's kustomization makes.
func (b *Transformer) FieldOrigin(l *trace.Layer, plugin string) *resource.Origin {
	if l.Origin == nil {
		return nil
	}
	return &resource.Origin{
		Repo: l.Origin.Repo, Ref: l.Origin.Ref,
		ConfiguredIn: filepath.Join(l.Origin.Path, filepath.Base(l.Path)),
		ConfiguredBy: resource.Object{APIVersion: "builtin", Kind: plugin},
	}
}

// PluginOrigin is the origin of what a generator or transformer in a file makes
// (resource.OriginFromCustomPlugin).
func PluginOrigin(config *resource.Resource) *resource.Origin {
	if config.Origin == nil {
		return nil
	}
	id := config.ID()
	return &resource.Origin{
		Repo: config.Origin.Repo, Ref: config.Origin.Ref, ConfiguredIn: config.Origin.Path,
		ConfiguredBy: resource.Object{APIVersion: id.APIVersion(), Kind: id.Kind, Name: id.Name, Namespace: id.Namespace},
	}
}

// NoteTransformer adds a transformer of a field to what the transformer
// annotation lists, on every resource, changed or not.
func (b *Transformer) NoteTransformer(l *trace.Layer, acc *accumulator.Accumulator, transformer string) {
	if l.Origin != nil {
		Note(acc, b.FieldOrigin(l, transformer))
	}
}

// NoteEach is noteTransformer for a field with several entries, each a transformer.
func (b *Transformer) NoteEach(l *trace.Layer, acc *accumulator.Accumulator, transformer string, entries int) {
	for range entries {
		b.NoteTransformer(l, acc, transformer)
	}
}

// Note is ResMap.AddTransformerAnnotation: a resource without an origin is taken
// for made by the transformer.
func Note(acc *accumulator.Accumulator, by *resource.Origin) {
	if by == nil {
		return
	}
	next := map[*resource.Transformation]*resource.Transformation{}
	for _, r := range acc.Set.List() {
		if r.Origin == nil {
			r.Origin = by
			continue
		}
		t, ok := next[r.Transformations]
		if !ok {
			t = &resource.Transformation{By: by, Previous: r.Transformations}
			next[r.Transformations] = t
		}
		r.Transformations = t
	}
}

// WriteOrigins writes the annotations that the root's buildMetadata asks for.
func (b *Transformer) WriteOrigins(root *trace.Layer, acc *accumulator.Accumulator) {
	var origins, transformers *kustomization.Text
	for i, option := range root.Kustomization.BuildMetadata {
		switch option.Value {
		case originOption:
			origins = &root.Kustomization.BuildMetadata[i]
		case transformersOption:
			transformers = &root.Kustomization.BuildMetadata[i]
		}
	}
	if origins == nil && transformers == nil {
		return
	}
	texts := newOriginTexts()
	for _, r := range acc.Set.List() {
		if origins != nil && r.Origin != nil {
			r.Change(func(e *resource.Edit) { annotate(e, originAnnotation, texts.origin(r.Origin), origins.Node) })
		}
		if transformers != nil && r.Transformations != nil {
			r.Change(func(e *resource.Edit) {
				annotate(e, transformationsAnnotation, texts.list(r.Transformations), transformers.Node)
			})
		}
	}
}

// annotate adds an annotation that the node asks for.
func annotate(r *resource.Edit, key, value string, cause *yaml.Node) {
	r.OwnField("metadata")
	metadata := ensureMap(r.Node, "metadata")
	if metadata == nil {
		return
	}
	_, old := syntax.Field(metadata, "annotations")
	if old == nil || old.Kind != yaml.MappingNode {
		ClearField(metadata, "annotations")
		add(metadata, "annotations", &yaml.Node{Kind: yaml.MappingNode})
		_, old = syntax.Field(metadata, "annotations")
	}
	n := &yaml.Node{Kind: yaml.ScalarNode}
	n.SetString(value)
	addPlaced(old, key, placed(n, cause), cause)
}

// originTexts keeps the text of each origin and list: many resources share them.
type originTexts struct {
	origins map[*resource.Origin]string
	lists   map[*resource.Transformation]string
}

func newOriginTexts() originTexts {
	return originTexts{map[*resource.Origin]string{}, map[*resource.Transformation]string{}}
}

func (t originTexts) origin(o *resource.Origin) string {
	text, ok := t.origins[o]
	if !ok {
		text = encodeOrigin(newOriginYAML(o))
		t.origins[o] = text
	}
	return text
}

func (t originTexts) list(last *resource.Transformation) string {
	text, ok := t.lists[last]
	if !ok {
		var list []originYAML
		for at := last; at != nil; at = at.Previous {
			list = append(list, newOriginYAML(at.By))
		}
		slices.Reverse(list)
		text = encodeOrigin(list)
		t.lists[last] = text
	}
	return text
}

// write puts a resource's origin and transformations into its annotations, where
// they are while functions and some patches see them.
func (t originTexts) write(r *resource.Edit) {
	if r.Origin != nil {
		setAnnotation(r, originAnnotation, t.origin(r.Origin))
	}
	if r.Transformations != nil {
		setAnnotation(r, transformationsAnnotation, t.list(r.Transformations))
	}
}

// originYAML has the fields and their order of resource.Origin in api v0.21.2.
type originYAML struct {
	Path         string      `yaml:"path,omitempty"`
	Repo         string      `yaml:"repo,omitempty"`
	Ref          string      `yaml:"ref,omitempty"`
	ConfiguredIn string      `yaml:"configuredIn,omitempty"`
	ConfiguredBy *objectYAML `yaml:"configuredBy,omitempty"`
}

type objectYAML struct {
	APIVersion string `yaml:"apiVersion,omitempty"`
	Kind       string `yaml:"kind,omitempty"`
	Name       string `yaml:"name,omitempty"`
	Namespace  string `yaml:"namespace,omitempty"`
}

func newOriginYAML(o *resource.Origin) originYAML {
	y := originYAML{Path: o.Path, Repo: o.Repo, Ref: o.Ref, ConfiguredIn: o.ConfiguredIn}
	if o.ConfiguredBy != (resource.Object{}) {
		by := objectYAML(o.ConfiguredBy)
		y.ConfiguredBy = &by
	}
	return y
}

// encodeOrigin is kyaml's Marshal: indented by two, lists not indented.
func encodeOrigin(v any) string {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	e.CompactSeqIndent()
	if err := e.Encode(v); err != nil {
		return "" // a struct of strings encodes
	}
	return out.String()
}
