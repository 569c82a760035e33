package transform

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// DropEmpty takes out the resources that a transformer emptied
// (ResMap.DropEmpties).
func DropEmpty(acc *accumulator.Accumulator) {
	if !acc.Emptied {
		return
	}
	acc.Emptied = false
	acc.Set.Retain(func(r *resource.Resource) bool { return !r.Empty() })
}

// NamespaceChange is what the NamespaceTransformer is to do.
type NamespaceChange struct {
	Value  kustomization.Text
	Fields []kustomization.FieldSpec
	// unsetOnly leaves namespaces that are there.
	unsetOnly bool
	// subjects says which subjects of role bindings get the namespace: those
	// named "default" where it is empty.
	subjects string
}

// Values of namespaceChange.subjects (namespace.RoleBindingSubjectMode).
const (
	defaultSubjects = "defaultOnly"
	serviceAccounts = "allServiceAccounts"
	noSubjects      = "none"
)

// SetNamespace is kustomize's NamespaceTransformer.
func (b *Transformer) SetNamespace(l *trace.Layer, acc *accumulator.Accumulator, change NamespaceChange) {
	step := trace.Step{Layer: l, Transformer: "NamespaceTransformer", Entry: change.Value.Node}
	specs := newSpecs(namespaceSpecs(change.Fields))
	run := b.Each(acc.Set.List(), memo.Work{Step: step, Copies: "metadata",
		Key:     memo.StepKey{Transformer: step.Transformer, Details: change.subjects + fmt.Sprint(change.unsetOnly), Content: []*yaml.Node{step.Entry}, Cause: nil},
		ComesTo: func(r *resource.Resource) bool { return !r.Empty() && !r.Helm },
		Change: b.Edit(step, func(e *resource.Edit) {
			e.StorePrevious()
			b.setNamespaceOf(l, e, change, specs)
		}),
	})
	run.AreDistinct(acc.Set.List(), func() bool {
		distinct := true
		for first, r := range acc.Set.Repeated {
			distinct = false
			b.Report(l, problem.Problem{Code: problem.DuplicateResource, Fatal: true, Node: change.Value.Node,
				Message: "in one namespace there would be two " + r.ID().String(),
				Related: []problem.Related{{Node: problem.NameNode(first), Message: "one"}, {Node: problem.NameNode(r), Message: "the other"}}})
		}
		return distinct
	})
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

// setNamespaceOf sets the namespace of one resource (api/filters/namespace).
func (b *Transformer) setNamespaceOf(l *trace.Layer, r *resource.Edit, change NamespaceChange, specs *specsByKind) {
	id := r.ID()
	set := func(n *yaml.Node) *walkError {
		if change.unsetOnly && n.Kind == yaml.ScalarNode && n.Tag != "!!null" && n.Value != "" {
			return nil
		}
		return setScalar(n, change.Value.Value, "!!str", change.Value.Node)
	}
	if !id.ClusterScoped {
		if err := namespaceField.applyTo(r, creation{kind: yaml.ScalarNode}, set); err != nil {
			b.reportWalk(l, change.Value.Node, r.Resource, namespaceField, err)
		}
	}
	if id.Kind == "RoleBinding" || id.Kind == "ClusterRoleBinding" {
		b.setSubjects(l, r, change, set)
	}
	specs.each(r, func(spec fieldSpec) {
		if spec.Path == "metadata/name" && id.APIVersion() != "v1" {
			return
		}
		if err := spec.applyTo(r, creation{yaml.ScalarNode, "!!str"}, set); err != nil {
			b.reportWalk(l, change.Value.Node, r.Resource, spec, err)
		}
	})
}

// setSubjects sets the namespace of a role binding's subjects (roleBindingHack in
// api/filters/namespace).
func (b *Transformer) setSubjects(l *trace.Layer, r *resource.Edit, change NamespaceChange, set func(*yaml.Node) *walkError) {
	if change.subjects == noSubjects {
		return
	}
	key, wanted := "name", "default"
	if change.subjects == serviceAccounts {
		key, wanted = "kind", "ServiceAccount"
	}
	subjects := compileOne(kustomization.FieldSpec{Path: "subjects"})
	err := subjects.applyTo(r, creation{}, func(list *yaml.Node) *walkError {
		if list.Tag == "!!null" {
			return nil
		}
		if list.Kind != yaml.SequenceNode {
			return &walkError{list, "a list was expected here"}
		}
		for _, subject := range list.Content {
			if err := setSubject(subject, key, wanted, set); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.reportWalk(l, change.Value.Node, r.Resource, subjects, err)
	}
}

func setSubject(subject *yaml.Node, key, wanted string, set func(*yaml.Node) *walkError) *walkError {
	if subject.Tag == "!!null" {
		return nil
	}
	if subject.Kind != yaml.MappingNode {
		return &walkError{subject, "a mapping was expected here, to find " + key + " in it"}
	}
	_, name := field(subject, key)
	if name == nil || name.Tag == "!!null" {
		return nil
	}
	if name.Kind != yaml.ScalarNode {
		return &walkError{name, "a single value was expected here"}
	}
	if name.Value != wanted {
		return nil
	}
	_, at := field(subject, "namespace")
	if at == nil {
		at = &yaml.Node{Kind: yaml.ScalarNode}
		subject.Content = append(subject.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "namespace"}, at)
	}
	return set(at)
}
