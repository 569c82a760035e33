package transform

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// isBuiltin tells whether a plugin is one of kustomize's own.
func isBuiltin(config *resource.Resource) bool {
	id := config.ID()
	return id.Group == "" && id.Version == "builtin"
}

func (b *Transformer) RunGeneratorPlugin(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource) {
	if !isBuiltin(config) {
		b.runFunction(l, acc, config, true)
		return
	}
	p, ok := b.readPlugin(l, config)
	if !ok {
		return
	}
	origin := PluginOrigin(config)
	switch kind := config.ID().Kind; kind {
	case "ConfigMapGenerator", "SecretGenerator":
		b.Generate(l, acc, &p.Generator, kind[:len(kind)-len("Generator")], nil, origin)
	case "IAMPolicyGenerator":
		b.generateIAM(l, acc, config, p.IAM, origin)
	case "HelmChartInflationGenerator":
		p.Helm.Node = cmp.Or(p.Helm.Name.Node, problem.NameNode(config))
		b.inflate(l, acc, p.Helm, p.HelmHome, origin)
	default:
		b.wrongPlugin(l, config, "generator")
	}
}

// readPlugin reads a built-in plugin's configuration.
func (b *Transformer) readPlugin(l *trace.Layer, config *resource.Resource) (*kustomization.Plugin, bool) {
	p, problems := kustomization.ReadPlugin(config.ID().Kind, printed(config.Node))
	if p == nil {
		_, kind := syntax.Field(config.Node, "kind")
		b.Report(l, problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: kind, Message: fmt.Sprintf("there is no built-in %s", config.ID().Kind)})
		return nil, false
	}
	ok := true
	for _, found := range problems {
		if found.Kind == kustomization.UnknownField && slices.Contains([]string{"apiVersion", "kind", "metadata"}, found.Path) {
			continue // of the object, not of the plugin
		}
		// kls alone reads what only it has, and does as it says.
		ok = ok && (!found.Fatal || found.Kind == kustomization.NotInKustomize)
		b.Report(l, problem.FromKustomization(found, l.File))
	}
	return p, ok
}

// printed returns the configuration as it is after kustomize has printed it and
// read it again as YAML 1.1: what was a string stays one.
func printed(n *yaml.Node) *yaml.Node {
	n = syntax.Copy(n)
	quoteStrings(n)
	return n
}

func quoteStrings(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && n.ShortTag() == "!!str" {
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quoteStrings(child)
	}
}

func (b *Transformer) wrongPlugin(l *trace.Layer, config *resource.Resource, wanted string) {
	_, kind := syntax.Field(config.Node, "kind")
	b.Report(l, problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: kind, Message: fmt.Sprintf("%s is no %s", config.ID().Kind, wanted)})
}

// RunTransformerPlugin runs one transformer on all resources.
func (b *Transformer) RunTransformerPlugin(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource) {
	if !isBuiltin(config) {
		b.runFunction(l, acc, config, false)
		return
	}
	p, ok := b.readPlugin(l, config)
	if !ok {
		return
	}
	b.transformWith(l, acc, config, p)
}

// transformWith is what the built-in transformers' Config and Transform methods do.
func (b *Transformer) transformWith(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, p *kustomization.Plugin) {
	step := trace.Step{Layer: l, Transformer: config.ID().Kind, Entry: config.Node}
	switch config.ID().Kind {
	case "NamespaceTransformer":
		b.namespacePlugin(l, acc, p)
	case "PrefixTransformer", "SuffixTransformer", "PrefixSuffixTransformer":
		b.affixPlugin(l, acc, config, p)
	case "LabelTransformer":
		b.addPairs(l, acc, step, p.Labels, p.FieldSpecs)
	case "AnnotationsTransformer":
		b.addPairs(l, acc, step, p.Annotations, p.FieldSpecs)
	case "HashTransformer":
		b.AddHashes(l, acc)
	case "ImageTagTransformer":
		p.ImageTag.Node = config.Node
		b.SetImages(l, acc, []kustomization.Image{p.ImageTag}, p.FieldSpecs)
	case "ReplicaCountTransformer":
		p.Replica.Node = config.Node
		b.SetReplicas(l, acc, []kustomization.Replica{p.Replica}, p.FieldSpecs)
	case "ReplacementTransformer":
		b.Replace(l, acc, b.ReadReplacements(l, p.Replacements))
	case "PatchTransformer":
		p.Patch.Node = config.Node
		for _, e := range b.ReadPatches(l, []kustomization.Patch{p.Patch}) {
			b.applyPatch(l, acc, e)
		}
	case "PatchStrategicMergeTransformer":
		b.strategicMergePlugin(l, acc, config, p)
	case "PatchJson6902Transformer":
		p.Patch.Node, p.Patch.Patch = config.Node, p.JSONOp
		for _, e := range b.ReadJSONPatches(l, []kustomization.Patch{p.Patch}) {
			b.applyJSONPatch(l, acc, e)
		}
	case "ValueAddTransformer":
		b.addValues(l, acc, config, p)
	default:
		b.wrongPlugin(l, config, "transformer")
	}
}

func (b *Transformer) namespacePlugin(l *trace.Layer, acc *accumulator.Accumulator, p *kustomization.Plugin) {
	switch mode := p.SetRoleBindingSubjects.Value; mode {
	case "", defaultSubjects, serviceAccounts, noSubjects:
	default:
		b.Report(l, problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: p.SetRoleBindingSubjects.Node,
			Message: fmt.Sprintf("%q is not a mode for the subjects of role bindings", mode),
			Help:    "it is defaultOnly, allServiceAccounts or none"})
		return
	}
	if p.Metadata.Namespace.Value == "" {
		return
	}
	b.SetNamespace(l, acc, NamespaceChange{Value: p.Metadata.Namespace, Fields: p.FieldSpecs,
		unsetOnly: p.UnsetOnly, subjects: p.SetRoleBindingSubjects.Value})
}

func (b *Transformer) affixPlugin(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, p *kustomization.Plugin) {
	if p.FieldSpecs == nil {
		b.Report(l, problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: problem.NameNode(config),
			Message: fmt.Sprintf("%s needs fieldSpecs", config.ID().Kind)})
		return
	}
	kind := config.ID().Kind
	if kind != "SuffixTransformer" {
		b.AddPrefix(l, acc, kind, placedText(p.Prefix, config), p.FieldSpecs)
	}
	if kind != "PrefixTransformer" {
		b.AddSuffix(l, acc, kind, placedText(p.Suffix, config), p.FieldSpecs)
	}
}

func placedText(t kustomization.Text, config *resource.Resource) kustomization.Text {
	if t.Node == nil {
		t.Node = config.Node
	}
	return t
}

func (b *Transformer) strategicMergePlugin(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, p *kustomization.Plugin) {
	entries := b.ReadStrategicMerges(l, p.Paths)
	if p.Patches.Value != "" {
		docs := b.Sources.DocumentsIn(p.Patches.Node, p.Patches.Value)
		b.ReportSyntax(l, docs, nil)
		entries = append(entries, patchEntry{node: p.Patches.Node, merges: docs.Nodes})
	} else if len(p.Paths) == 0 {
		b.Report(l, problem.Problem{Code: problem.MalformedPatchEntry, Fatal: true, Node: problem.NameNode(config), Message: "the transformer has neither paths nor patches"})
	}
	b.ApplyStrategicMerges(l, acc, entries)
}

// generateIAM makes a service account that is bound to one of Google's
// (api/filters/iampolicygenerator).
func (b *Transformer) generateIAM(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, iam kustomization.IAMPolicy, origin *resource.Origin) {
	if iam.Cloud.Value != "gke" {
		b.Report(l, problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: problem.NameNode(config),
			Message: fmt.Sprintf("the cloud provider %q is not supported", iam.Cloud.Value), Help: "cloud is gke"})
		return
	}
	metadata := mapping("annotations", mapping("iam.gke.io/gcp-service-account",
		plain(fmt.Sprintf("%s@%s.iam.gserviceaccount.com", iam.ServiceAccount.Value, iam.ProjectID.Value))))
	add(metadata, "name", placed(plain(iam.KubernetesName.Value), iam.KubernetesName.Node))
	if iam.KubernetesNamespace.Value != "" {
		add(metadata, "namespace", placed(plain(iam.KubernetesNamespace.Value), iam.KubernetesNamespace.Node))
	}
	n := mapping("apiVersion", textNode("v1"))
	add(n, "kind", textNode("ServiceAccount"))
	add(n, "metadata", metadata)
	syntax.CopyPlace(n, config.Node)
	r := load.NewResource(n, config.Node)
	r.Origin = origin
	b.addGenerated(l, acc, nil, r)
}

// runFunction runs a plugin that is not built in, if that is allowed.
func (b *Transformer) runFunction(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, generator bool) {
	err := b.callFunction(l, acc, config, generator)
	switch {
	case errors.Is(err, load.ErrSwitchedOff):
		acc.Unknown, b.Lacking = true, true
		b.Report(l, problem.Problem{Code: problem.ExternalNotRun, Node: problem.NameNode(config),
			Message: fmt.Sprintf("%s is not built in and was not run", config.ID()),
			Help:    "what depends on it is not checked; run it with --enable-alpha-plugins"})
	case err != nil:
		acc.Unknown = true
		b.Report(l, problem.Problem{Code: problem.PluginFails, Fatal: true, Node: problem.NameNode(config),
			Message: fmt.Sprintf("%s fails: %s", config.ID(), err)})
	}
}
