package builder

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// pluginConfigs reads the entries of generators, transformers or validators: each
// is a configuration itself, or names a file or folder of them. Those that stand
// in the kustomization come first.
func (b *builder) pluginConfigs(l *trace.Layer, acc *accumulator.Accumulator, entries []kustomization.Text) []*resource.Resource {
	if len(entries) == 0 {
		return nil
	}
	configs := accumulator.NewAccumulator()
	var paths []kustomization.Text
	for _, e := range entries {
		docs := b.Sources.DocumentsIn(e.Node, e.Value)
		if docs.Refused() {
			paths = append(paths, e)
			continue
		}
		b.ReportSyntax(l, docs, nil)
		for _, n := range docs.Nodes {
			r := load.NewResource(syntax.Copy(n), e.Node)
			r.Origin = trace.ChildOrigin(l, filepath.Base(l.Path))
			b.AppendResource(l, configs, r)
		}
	}
	for _, e := range paths {
		b.addResource(l, configs, e)
	}
	acc.Unknown = acc.Unknown || configs.Unknown
	return configs.Set.List()
}

// runExternalGenerators runs the generators that the generators field names
// (KustTarget.configureExternalGenerators).
func (b *builder) runExternalGenerators(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, config := range b.pluginConfigs(l, acc, l.Kustomization.Generators) {
		b.RunGeneratorPlugin(l, acc, config)
	}
}

// runExternal runs the transformers that the transformers field names.
func (b *builder) runExternal(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, config := range b.pluginConfigs(l, acc, l.Kustomization.Transformers) {
		b.RunTransformerPlugin(l, acc, config)
		transform.Note(acc, transform.PluginOrigin(config))
		transform.DropEmpty(acc)
	}
}

// runValidators runs the validators, which are transformers that must change
// nothing but a label that says so (KustTarget.runValidators).
func (b *builder) runValidators(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, config := range b.pluginConfigs(l, acc, l.Kustomization.Validators) {
		before, nodes := map[*resource.Resource]*yaml.Node{}, map[*resource.Resource]*yaml.Node{}
		for _, r := range acc.Set.List() {
			r.CopyAhead("") // a validator may add a label
			before[r], nodes[r] = syntax.Copy(r.Node), r.Node
		}
		b.RunTransformerPlugin(l, acc, config)
		if !sameResources(acc, before) {
			b.Report(l, problem.Problem{Code: problem.ValidatorChanges, Fatal: true, Node: problem.NameNode(config),
				Message: fmt.Sprintf("the validator %s changes resources", config.ID()),
				Help:    "list it under transformers"})
		} else if readAgain(acc, nodes) {
			b.Report(l, problem.Problem{Code: problem.ValidatorChanges, Fatal: true, Node: problem.NameNode(config),
				Message: fmt.Sprintf("kustomize considers what the validator %s returns as changed", config.ID()),
				Help:    "kustomize compares lines and columns, which differ in whatever a program returns; only built-in validators pass"})
		}
	}
}

// readAgain tells whether a program returned a resource. Of such a one kustomize
// finds that it changed even where it says the same: reflect.DeepEqual, in
// resWrangler.ErrorIfNotEqualSets, also compares where the nodes stood in a text,
// and the annotation for the identity moved them.
func readAgain(acc *accumulator.Accumulator, nodes map[*resource.Resource]*yaml.Node) bool {
	return slices.ContainsFunc(acc.Set.List(), func(r *resource.Resource) bool { return nodes[r] != r.Node })
}

// validatedBy is the label that a validator may add.
const validatedBy = "validated-by"

func sameResources(acc *accumulator.Accumulator, before map[*resource.Resource]*yaml.Node) bool {
	if acc.Set.Len() != len(before) {
		return false
	}
	for _, r := range acc.Set.List() {
		old, ok := before[r]
		if !ok || !equal.Trees(old, withoutValidatedBy(r)) {
			return false
		}
	}
	return true
}

func withoutValidatedBy(r *resource.Resource) *yaml.Node {
	if _, labels := syntax.Field(r.Metadata(), "labels"); labels != nil {
		if _, label := syntax.Field(labels, validatedBy); label != nil {
			n := syntax.Copy(r.Node)
			_, metadata := syntax.Field(n, "metadata")
			_, labels := syntax.Field(metadata, "labels")
			transform.ClearField(labels, validatedBy)
			if len(labels.Content) == 0 {
				transform.ClearField(metadata, "labels")
			}
			return n
		}
	}
	return r.Node
}
