package deployment

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// FluxGroup is the API group of Flux's Kustomizations.
const FluxGroup = "kustomize.toolkit.fluxcd.io"

// flux renders Flux Kustomizations as kustomize-controller does
// (github.com/fluxcd/pkg/kustomize: Generator.GenerateManifest, SecureBuild,
// SubstituteVariables).
type flux struct{}

func (flux) markers() []string { return []string{FluxGroup, sourceGroup} }

func (flux) isObject(id resource.ID) bool {
	return id.Group == FluxGroup && id.Kind == "Kustomization"
}

func (f flux) deployments(_ *checkout, object *resource.Resource) []*Deployment {
	_, in := syntax.Field(object.Node, "spec")
	if _, source := syntax.Field(in, "sourceRef"); source == nil {
		return nil
	}
	id := object.ID()
	d := &Deployment{ID: ID{"Kustomization", id.Namespace, id.Name}, Object: object, tool: f}
	d.Path = value(in, "path")
	d.Prune = isTrue(in, "prune")
	d.TargetNamespace = value(in, "targetNamespace")
	d.RemoteCluster = value(in, "kubeConfig", "secretRef", "name").Value
	source := value(in, "sourceRef", "name")
	d.Source = Source{ID{value(in, "sourceRef", "kind").Value, namespaceOr(value(in, "sourceRef", "namespace"), d), source.Value}, source.Node}
	s := &spec{node: in}
	for _, on := range s.objects(in, "dependsOn") {
		name := value(on, "name")
		d.DependsOn = append(d.DependsOn, Reference{ID{"Kustomization", namespaceOr(value(on, "namespace"), d), name.Value}, name.Node, value(on, "namespace").Node})
	}
	for _, check := range s.objects(in, "healthChecks") {
		name := value(check, "name")
		d.HealthChecks = append(d.HealthChecks, Reference{ID{value(check, "kind").Value, value(check, "namespace").Value, name.Value}, name.Node, value(check, "namespace").Node})
	}
	return []*Deployment{d}
}

func namespaceOr(t kustomization.Text, d *Deployment) string {
	if t.Value == "" {
		return d.ID.Namespace
	}
	return t.Value
}

// overlay merges the fields of the object into the kustomization that it deploys.
func (flux) overlay(d *Deployment) *builder.Overlay {
	_, in := syntax.Field(d.Object.Node, "spec")
	edit := func(root builder.Root) []builder.Problem {
		s := &spec{node: in}
		s.dropped(root)
		s.names(root.Kustomization)
		s.patches(root.Kustomization)
		s.components(root)
		s.oldPatches(root.Kustomization)
		s.images(root.Kustomization)
		if options := s.texts(in, "buildMetadata"); len(options) > 0 {
			root.Kustomization.BuildMetadata = options
		}
		return s.problems
	}
	generate := func(root builder.Root) []builder.Problem { return generate(root, d.Path.Node) }
	return &builder.Overlay{Edit: edit, Generate: generate, Lenient: true, Library: true}
}

// dropped takes out what does not survive that the controller reads the file into
// kustomize's types and writes it anew, and what it adds to a file without resources.
func (s *spec) dropped(root builder.Root) {
	k := root.Kustomization
	k.ConfigMapGenerator, k.SecretGenerator = withoutMergeValues(k.ConfigMapGenerator), withoutMergeValues(k.SecretGenerator)
	if !root.Generated && k.FirstBase == 0 {
		k.BuildMetadata = []kustomization.Text{{Value: "originAnnotations"}}
	}
}

func withoutMergeValues(generators []kustomization.Generator) []kustomization.Generator {
	generators = slices.Clone(generators)
	for i := range generators {
		generators[i].MergeValues = nil
	}
	return generators
}

func (s *spec) names(k *kustomization.Kustomization) {
	for field, at := range map[string]*kustomization.Text{"targetNamespace": &k.Namespace, "namePrefix": &k.NamePrefix, "nameSuffix": &k.NameSuffix} {
		if t, ok := s.text(s.node, field); ok {
			*at = t
		}
	}
}

func (s *spec) patches(k *kustomization.Kustomization) {
	k.Patches = slices.Clip(k.Patches)
	for _, entry := range s.objects(s.node, "patches") {
		p := kustomization.Patch{Node: entry, Target: s.selector(entry)}
		p.Patch, _ = s.text(entry, "patch")
		k.Patches = append(k.Patches, p)
	}
}

func (s *spec) selector(entry *yaml.Node) *kustomization.Selector {
	_, n := syntax.Field(entry, "target")
	switch {
	case isNull(n):
		return nil
	case n.Kind != yaml.MappingNode:
		s.wrong(n, "target", "a mapping")
		return nil
	}
	target := &kustomization.Selector{Node: n}
	for field, at := range map[string]*kustomization.Text{"group": &target.Group, "version": &target.Version, "kind": &target.Kind,
		"name": &target.Name, "namespace": &target.Namespace,
		"labelSelector": &target.LabelSelector, "annotationSelector": &target.AnnotationSelector} {
		*at, _ = s.text(n, field)
	}
	return target
}

func (s *spec) components(root builder.Root) {
	k := root.Kustomization
	k.Components = slices.Clip(k.Components)
	ignoreMissing := isTrue(s.node, "ignoreMissingComponents")
	for _, c := range s.texts(s.node, "components") {
		if !isLocal(c.Value) {
			s.problems = append(s.problems, builder.Problem{Code: MissingComponent, Fatal: true, Node: c.Node,
				Message: fmt.Sprintf("%s is not a relative path", c.Value),
				Help:    "Flux includes only components of the same source; write the path relative to spec.path"})
			continue
		}
		if ignoreMissing {
			if _, err := root.Files.EvalSymlinks(filepath.Join(root.Dir, c.Value)); err != nil {
				continue
			}
		}
		k.Components = append(k.Components, c)
	}
}

// isLocal tells whether Flux takes the path of a component for local and relative
// (kustomize.IsLocalRelativePath).
func isLocal(path string) bool {
	lower := strings.ToLower(path)
	for _, p := range []string{"git::", "gh:", "ssh://", "https://", "http://", "git@", "github.com:", "github.com/"} {
		if len(p) < len(path) && strings.HasPrefix(lower, p) {
			return false
		}
	}
	return !filepath.IsAbs(path) && !filepath.IsAbs(strings.TrimPrefix(lower, "file://"))
}

// oldPatches appends the patches of the fields that v1 of the API does not have any more:
// they are objects, which reach kustomize as JSON.
func (s *spec) oldPatches(k *kustomization.Kustomization) {
	k.PatchesStrategicMerge, k.PatchesJSON6902 = slices.Clip(k.PatchesStrategicMerge), slices.Clip(k.PatchesJSON6902)
	for _, entry := range s.objects(s.node, "patchesStrategicMerge") {
		k.PatchesStrategicMerge = append(k.PatchesStrategicMerge, asJSON(entry))
	}
	for _, entry := range s.objects(s.node, "patchesJson6902") {
		p := kustomization.Patch{Node: entry, Target: s.selector(entry)}
		if p.Target == nil {
			p.Target = &kustomization.Selector{Node: entry}
		}
		if _, list := syntax.Field(entry, "patch"); list != nil {
			p.Patch = asJSON(list)
		} else {
			p.Patch = kustomization.Text{Value: "null", Node: entry}
		}
		k.PatchesJSON6902 = append(k.PatchesJSON6902, p)
	}
}

// asJSON is an object as the text of a patch, which says only of the whole where it was
// written.
func asJSON(n *yaml.Node) kustomization.Text {
	host := &yaml.Node{Kind: yaml.ScalarNode}
	syntax.CopyPlace(host, n)
	var content any
	if err := n.Decode(&content); err == nil {
		if printed, err := json.Marshal(content); err == nil {
			host.Value = string(printed)
		}
	}
	return kustomization.Text{Value: host.Value, Node: host}
}

// images merges by name: name and version are two things, each of which one of the object
// replaces.
func (s *spec) images(k *kustomization.Kustomization) {
	entries := s.objects(s.node, "images")
	if len(entries) == 0 {
		return
	}
	// Those of the deprecated field stay behind all others.
	var old []kustomization.Image
	if tags := syntax.Lookup(k.Node, "imageTags"); tags != nil {
		first := max(0, len(k.Images)-len(tags.Content))
		k.Images, old = k.Images[:first], k.Images[first:]
	}
	k.Images = slices.Clone(k.Images)
	defer func() { k.Images = append(k.Images, old...) }()
	for _, entry := range entries {
		image := kustomization.Image{Node: entry}
		image.Name, _ = s.text(entry, "name")
		image.NewName, _ = s.text(entry, "newName")
		image.NewTag, _ = s.text(entry, "newTag")
		image.Digest, _ = s.text(entry, "digest")
		i := slices.IndexFunc(k.Images, func(known kustomization.Image) bool { return known.Name.Value == image.Name.Value })
		if i < 0 {
			k.Images = append(k.Images, image)
			continue
		}
		known := &k.Images[i]
		known.Node = entry
		if image.NewName.Value != "" {
			known.NewName = image.NewName
		}
		if image.NewTag.Value != "" || image.Digest.Value != "" {
			known.NewTag, known.Digest = image.NewTag, image.Digest
		}
	}
}
