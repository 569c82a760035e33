package build

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// runTransformers applies the fields of a layer that change resources, in
// kustomize's order (KustTarget.configureBuiltinTransformers): first all patch
// files are read, since a mistake in one is met before anything is changed.
func (b *builder) runTransformers(l *Layer, acc *accumulator) {
	k := l.Kustomization
	strategic := b.readStrategicMerges(l)
	patches := b.readPatches(l)
	jsonPatches := b.readJSONPatches(l)
	replacements := b.readReplacements(l)

	b.applyStrategicMerges(l, acc, strategic)
	b.applyPatches(l, acc, patches)
	b.setNamespace(l, acc, k.Namespace)
	b.addPrefix(l, acc, k.NamePrefix)
	b.addSuffix(l, acc, k.NameSuffix)
	b.addLabels(l, acc)
	b.addAnnotations(l, acc)
	b.applyJSONPatches(l, acc, jsonPatches)
	b.setReplicas(l, acc)
	b.setImages(l, acc)
	b.replace(l, acc, replacements)
	b.runExternal(l, acc)
}

// dropEmpty takes out the resources that a transformer emptied
// (ResMap.DropEmpties).
func dropEmpty(acc *accumulator) {
	if !acc.emptied {
		return
	}
	acc.emptied = false
	acc.set.Retain(func(r *resource.Resource) bool { return !r.Empty() })
}

// setNamespace is kustomize's NamespaceTransformer (api/filters/namespace).
func (b *builder) setNamespace(l *Layer, acc *accumulator, namespace kustomization.Text) {
	if namespace.Value == "" {
		return
	}
	step := Step{Layer: l, Transformer: "NamespaceTransformer", Entry: namespace.Node}
	specs := newSpecs(namespaceSpecs(acc.config.Namespace))
	for _, r := range acc.set.List() {
		if r.Empty() || r.Helm {
			continue
		}
		after := b.record(step, r)
		r.StorePrevious()
		b.setNamespaceOf(l, r, namespace, specs)
		r.Changed()
		after()
	}
	acc.set.Invalidate()
	for _, r := range acc.set.List() {
		if same := acc.set.WithCurrent(r.ID()); len(same) > 1 && same[0] != r {
			b.report(l, Problem{Code: IDConflict, Fatal: true, Node: namespace.Node,
				Message: "in one namespace there would be two " + r.ID().String(),
				Related: []Related{{Node: nameNode(same[0]), Message: "one"}, {Node: nameNode(r), Message: "the other"}}})
		}
	}
}

// namespaceSpecs leaves out what setNamespaceOf does by itself.
func namespaceSpecs(specs []kustomization.FieldSpec) []kustomization.FieldSpec {
	var out []kustomization.FieldSpec
	for _, s := range specs {
		binding := s.Kind == "RoleBinding" || s.Kind == "ClusterRoleBinding"
		if s.Path != "metadata/namespace" && !(binding && s.Path == "subjects/namespace") {
			out = append(out, s)
		}
	}
	return out
}

var namespaceField = compileOne(kustomization.FieldSpec{Path: "metadata/namespace", Create: true})

func (b *builder) setNamespaceOf(l *Layer, r *resource.Resource, namespace kustomization.Text, specs *specsByKind) {
	id := r.ID()
	set := func(n *yaml.Node) *walkError { return setScalar(n, namespace.Value, "!!str", namespace.Node) }
	if !id.ClusterScoped {
		if err := namespaceField.apply(r.Node, creation{kind: yaml.ScalarNode}, set); err != nil {
			b.reportWalk(l, namespace.Node, r, namespaceField, err)
		}
	}
	if id.Kind == "RoleBinding" || id.Kind == "ClusterRoleBinding" {
		b.setSubjects(l, r, namespace, set)
	}
	for _, spec := range specs.of(id) {
		if spec.Path == "metadata/name" && id.APIVersion() != "v1" {
			continue
		}
		if err := spec.apply(r.Node, creation{yaml.ScalarNode, "!!str"}, set); err != nil {
			b.reportWalk(l, namespace.Node, r, spec, err)
		}
	}
}

// setSubjects sets the namespace of a role binding's subjects named "default"
// (roleBindingHack in api/filters/namespace).
func (b *builder) setSubjects(l *Layer, r *resource.Resource, namespace kustomization.Text, set func(*yaml.Node) *walkError) {
	subjects := compileOne(kustomization.FieldSpec{Path: "subjects"})
	err := subjects.apply(r.Node, creation{}, func(list *yaml.Node) *walkError {
		if list.Tag == "!!null" {
			return nil
		}
		if list.Kind != yaml.SequenceNode {
			return &walkError{list, "a list was expected here"}
		}
		for _, subject := range list.Content {
			if err := setSubject(subject, set); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.reportWalk(l, namespace.Node, r, subjects, err)
	}
}

func setSubject(subject *yaml.Node, set func(*yaml.Node) *walkError) *walkError {
	if subject.Tag == "!!null" {
		return nil
	}
	if subject.Kind != yaml.MappingNode {
		return &walkError{subject, "a mapping was expected here, to find name in it"}
	}
	_, name := field(subject, "name")
	if name == nil || nullableText(name) != "default" {
		return nil
	}
	if name.Kind != yaml.ScalarNode {
		return &walkError{name, "a single value was expected here"}
	}
	_, at := field(subject, "namespace")
	if at == nil {
		at = &yaml.Node{Kind: yaml.ScalarNode}
		subject.Content = append(subject.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "namespace"}, at)
	}
	return set(at)
}
