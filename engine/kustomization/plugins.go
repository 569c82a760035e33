package kustomization

import (
	"maps"
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// Plugin is the configuration of one of kustomize's own generators or
// transformers, written as a resource of apiVersion builtin. Which fields are
// filled depends on the kind.
type Plugin struct {
	Node     *yaml.Node
	Metadata Metadata

	FieldSpecs []FieldSpec
	// UnsetOnly and SetRoleBindingSubjects are of the NamespaceTransformer.
	UnsetOnly              bool
	SetRoleBindingSubjects Text
	Prefix, Suffix         Text
	Labels, Annotations    []Pair
	ImageTag               Image
	Replica                Replica
	Replacements           []Replacement

	// Paths and Patches are of the PatchStrategicMergeTransformer.
	Paths   []Text
	Patches Text
	// Patch is of the patch transformers, JSONOp of the one for JSON6902.
	Patch  Patch
	JSONOp Text

	// Value, Targets and TargetFilePath are of the ValueAddTransformer.
	Value, TargetFilePath Text
	Targets               []ValueTarget

	Generator Generator
	IAM       IAMPolicy
	Helm      HelmChart
	HelmHome  HelmGlobals
}

// ValueTarget says where the ValueAddTransformer adds its value.
type ValueTarget struct {
	Node             *yaml.Node
	Selector         *Selector
	FieldPath        Text
	FilePathPosition int64
}

// IAMPolicy is the configuration of the IAMPolicyGenerator.
type IAMPolicy struct {
	Cloud                               Text
	KubernetesName, KubernetesNamespace Text
	ServiceAccount, ProjectID           Text
}

func (p *Plugin) setNode(n *yaml.Node)      { p.Node = n }
func (t *ValueTarget) setNode(n *yaml.Node) { t.Node = n }

// ReadPlugin reads the configuration of a built-in plugin of that kind, as its
// Config method does: unknown fields are ignored, and numbers and booleans are
// taken as text where text is needed. It returns nil for an unknown kind.
func ReadPlugin(kind string, doc *yaml.Node) (*Plugin, []Problem) {
	s := pluginStructs[kind]
	if s == nil {
		return nil, nil
	}
	p, r := &Plugin{}, &report{}
	if v, ok := newConverter(r).document(rootOf(doc)); ok {
		d := &decoder{report: r, coerce: true, lenient: true}
		d.structure(p, s, v)
	}
	if g := &p.Generator; kind == "ConfigMapGenerator" || kind == "SecretGenerator" {
		g.Node = p.Node
		if g.Name.Value == "" {
			g.Name = p.Metadata.Name
		}
		if g.Namespace.Value == "" {
			g.Namespace = p.Metadata.Namespace
		}
		if g.env.Value != "" {
			g.Envs = append(g.Envs, g.env)
		}
	}
	return p, r.inOrder()
}

// PluginFields returns the struct of the configuration of a built-in plugin; nil for
// an unknown kind.
func PluginFields(kind string) *Struct { return pluginStructs[kind] }

// PluginKinds returns the kinds of the built-in plugins, sorted.
func PluginKinds() []string { return slices.Sorted(maps.Keys(pluginStructs)) }

// ReadValueTargets reads the file that a ValueAddTransformer's targetFilePath names.
func ReadValueTargets(doc *yaml.Node) ([]ValueTarget, []Problem) {
	p, r := &Plugin{}, &report{}
	if v, ok := newConverter(r).document(rootOf(doc)); ok && v.kind != TypeNull {
		d := &decoder{report: r, coerce: true, lenient: true}
		d.structure(p, newStruct("Targets", "", []Field{valueTargetsField}), v)
	}
	return p.Targets, r.inOrder()
}

var (
	pluginFieldSpecs = listField("fieldSpecs", fieldSpecStruct, dropEntry, func(p *Plugin) *[]FieldSpec { return &p.FieldSpecs })
	pluginMetadata   = objectField("metadata", metadataStruct, func(p *Plugin) *Metadata { return &p.Metadata })
	pluginPrefix     = textField("prefix", func(p *Plugin) *Text { return &p.Prefix })
	pluginSuffix     = textField("suffix", func(p *Plugin) *Text { return &p.Suffix })
	pluginPath       = textField("path", func(p *Plugin) *Text { return &p.Patch.Path })
	pluginTarget     = pointerField("target", selectorStruct, func(p *Plugin) **Selector { return &p.Patch.Target })

	valueTargetsField = listField("targets", valueTargetStruct, dropEntry, func(p *Plugin) *[]ValueTarget { return &p.Targets })
	valueTargetStruct = newStruct("Target", "Where a value is added.", []Field{
		pointerField("selector", selectorStruct, func(t *ValueTarget) **Selector { return &t.Selector }),
		textField("fieldPath", func(t *ValueTarget) *Text { return &t.FieldPath }),
		{Name: "filePathPosition", Type: TypeInteger, decode: func(d *decoder, target any, v value) {
			var at *yaml.Node
			d.integer(&target.(*ValueTarget).FilePathPosition, &at, v)
		}},
	})
)

// pluginStructs describe the configurations, by kind (api/internal/builtins).
var pluginStructs = map[string]*Struct{
	"NamespaceTransformer": newStruct("NamespaceTransformer", "", []Field{pluginMetadata, pluginFieldSpecs,
		boolField("unsetOnly", func(p *Plugin) *bool { return &p.UnsetOnly }),
		textField("setRoleBindingSubjects", func(p *Plugin) *Text { return &p.SetRoleBindingSubjects })}),
	"PrefixTransformer":       newStruct("PrefixTransformer", "", []Field{pluginPrefix, pluginFieldSpecs}),
	"SuffixTransformer":       newStruct("SuffixTransformer", "", []Field{pluginSuffix, pluginFieldSpecs}),
	"PrefixSuffixTransformer": newStruct("PrefixSuffixTransformer", "", []Field{pluginPrefix, pluginSuffix, pluginFieldSpecs}),
	"LabelTransformer": newStruct("LabelTransformer", "", []Field{pluginFieldSpecs,
		textMapField("labels", func(p *Plugin) *[]Pair { return &p.Labels })}),
	"AnnotationsTransformer": newStruct("AnnotationsTransformer", "", []Field{pluginFieldSpecs,
		textMapField("annotations", func(p *Plugin) *[]Pair { return &p.Annotations })}),
	"HashTransformer": newStruct("HashTransformer", "", nil),
	"ImageTagTransformer": newStruct("ImageTagTransformer", "", []Field{pluginFieldSpecs,
		objectField("imageTag", imageStruct, func(p *Plugin) *Image { return &p.ImageTag })}),
	"ReplicaCountTransformer": newStruct("ReplicaCountTransformer", "", []Field{pluginFieldSpecs,
		objectField("replica", replicaStruct, func(p *Plugin) *Replica { return &p.Replica })}),
	"ReplacementTransformer": newStruct("ReplacementTransformer", "", []Field{
		listField("replacements", replacementStruct, dropEntry, func(p *Plugin) *[]Replacement { return &p.Replacements })}),
	"PatchStrategicMergeTransformer": newStruct("PatchStrategicMergeTransformer", "", []Field{
		textsField("paths", func(p *Plugin) *[]Text { return &p.Paths }),
		textField("patches", func(p *Plugin) *Text { return &p.Patches })}),
	"PatchTransformer": newStruct("PatchTransformer", "", []Field{pluginPath, pluginTarget,
		textField("patch", func(p *Plugin) *Text { return &p.Patch.Patch }),
		objectField("options", patchOptionsStruct, func(p *Plugin) *PatchOptions { return &p.Patch.Options })}),
	"PatchJson6902Transformer": newStruct("PatchJson6902Transformer", "", []Field{pluginPath, pluginTarget,
		textField("jsonOp", func(p *Plugin) *Text { return &p.JSONOp })}),
	"ValueAddTransformer": newStruct("ValueAddTransformer", "", []Field{valueTargetsField,
		textField("value", func(p *Plugin) *Text { return &p.Value }),
		textField("targetFilePath", func(p *Plugin) *Text { return &p.TargetFilePath })}),
	"ConfigMapGenerator": newStruct("ConfigMapGenerator", "", []Field{pluginMetadata},
		promote(configMapStruct.Fields, func(p *Plugin) *Generator { return &p.Generator })),
	"SecretGenerator": newStruct("SecretGenerator", "", []Field{pluginMetadata},
		promote(secretStruct.Fields, func(p *Plugin) *Generator { return &p.Generator })),
	"IAMPolicyGenerator": newStruct("IAMPolicyGenerator", "", []Field{
		textField("cloud", func(p *Plugin) *Text { return &p.IAM.Cloud }),
		objectField("kubernetesService", newStruct("KubernetesService", "", []Field{
			textField("name", func(i *IAMPolicy) *Text { return &i.KubernetesName }),
			textField("namespace", func(i *IAMPolicy) *Text { return &i.KubernetesNamespace })}),
			func(p *Plugin) *IAMPolicy { return &p.IAM }),
		objectField("serviceAccount", newStruct("ServiceAccount", "", []Field{
			textField("name", func(i *IAMPolicy) *Text { return &i.ServiceAccount }),
			textField("projectId", func(i *IAMPolicy) *Text { return &i.ProjectID })}),
			func(p *Plugin) *IAMPolicy { return &p.IAM })}),
	"HelmChartInflationGenerator": newStruct("HelmChartInflationGenerator", "",
		promote(helmChartStruct.Fields, func(p *Plugin) *HelmChart { return &p.Helm }),
		promote(helmGlobalsStruct.Fields, func(p *Plugin) *HelmGlobals { return &p.HelmHome })),
}
