// Package transform does what kustomize's generators and transformers do, one file each, to be read beside kustomize's own
// code. What order they run in is not decided here.
package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Transformer does to resources what the fields of a kustomization and its plugins say.
type Transformer struct{ memo.Runner }

// fieldSpec is a field spec made ready to be applied many times.
type fieldSpec struct {
	kustomization.FieldSpec
	steps []step
}

// step is a part of a field spec's path. sequence is true where it ends in "[]":
// the field is then never created, and a null becomes an empty list.
type step struct {
	name     string
	sequence bool
	// element is true for a number, "-", "*" and "[name=x]", which kustomize's lookup
	// takes for elements of a list.
	element bool
}

func compile(specs []kustomization.FieldSpec) []fieldSpec {
	out := make([]fieldSpec, len(specs))
	for i, s := range specs {
		out[i] = compileOne(s)
	}
	return out
}

func compileOne(s kustomization.FieldSpec) fieldSpec {
	spec := fieldSpec{FieldSpec: s}
	for _, part := range splitPath(s.Path) {
		name := strings.TrimSuffix(part, "[]")
		at := step{name: strings.TrimSpace(name), sequence: name != part}
		_, err := strconv.Atoi(at.name)
		at.element = err == nil || at.name == "-" || at.name == "*" || isElementStep(at.name)
		spec.steps = append(spec.steps, at)
	}
	return spec
}

// splitPath splits at slashes; `\/` is a slash within a part (utils.PathSplitter).
func splitPath(path string) []string {
	raw := strings.Split(path, "/")
	if len(raw) > 1 && raw[0] == "" {
		raw = raw[1:]
	}
	parts := raw[:1:1]
	for _, part := range raw[1:] {
		last := &parts[len(parts)-1]
		if strings.HasSuffix(*last, `\`) {
			*last = strings.TrimSuffix(*last, `\`) + "/" + part
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// forKind returns those specs that are for a resource's group, version and kind.
func forKind(specs []fieldSpec, id resource.ID) []fieldSpec {
	var out []fieldSpec
	for _, s := range specs {
		if id.IsSelected(s.Group, s.Version, s.Kind) {
			out = append(out, s)
		}
	}
	return out
}

// specsByKind keeps forKind's answers: a layer has few kinds and many resources.
type specsByKind struct {
	specs []fieldSpec
	known map[[3]string][]fieldSpec
	// changesKind is true where a spec may write into the group, version or kind.
	changesKind bool
}

func newSpecs(specs []kustomization.FieldSpec) *specsByKind {
	s := &specsByKind{specs: compile(specs), known: map[[3]string][]fieldSpec{}}
	s.changesKind = slices.ContainsFunc(s.specs, func(spec fieldSpec) bool {
		return spec.steps[0].name == "apiVersion" || spec.steps[0].name == "kind"
	})
	return s
}

func (s *specsByKind) of(id resource.ID) []fieldSpec {
	specs, ok := s.known[kindOf(id)]
	if !ok {
		specs = forKind(s.specs, id)
		s.known[kindOf(id)] = specs
	}
	return specs
}

// each calls f with each spec that is for the resource by the time its turn comes: one
// may write into the kind that the next is chosen by.
func (s *specsByKind) each(r *resource.Edit, f func(fieldSpec)) {
	specs := s.specs
	if !s.changesKind {
		specs = s.of(r.ID())
	}
	for _, spec := range specs {
		if !s.changesKind || r.ID().IsSelected(spec.Group, spec.Version, spec.Kind) {
			f(spec)
		}
	}
}

func kindOf(id resource.ID) [3]string { return [3]string{id.Group, id.Version, id.Kind} }

// creation says what a field spec with create makes where the field is missing:
// nothing if kind is 0.
type creation struct {
	kind yaml.Kind
	tag  string
}

// walkError is a value on a field spec's path that does not fit.
type walkError struct {
	node    *yaml.Node
	message string
}

func (e *walkError) Error() string { return e.message }

// apply calls set for each node that the path leads to, through all elements of
// lists on the way (api/filters/fieldspec).
func (s fieldSpec) apply(n *yaml.Node, create creation, set func(*yaml.Node) *walkError) *walkError {
	if !s.Create {
		create.kind = 0
	}
	return walk(n, s.steps, create, set)
}

// applyTo is apply to a resource, of which it makes its own what it may change.
func (s fieldSpec) applyTo(r *resource.Edit, create creation, set func(*yaml.Node) *walkError) *walkError {
	if !s.Create {
		create.kind = 0
	}
	if !s.Create && s.isAnnotations() && load.HasInternal(r.Resource) {
		r.OwnField("metadata")
		ensureAnnotations(r)
		defer dropEmptyAnnotations(r)
	}
	if !r.OwnsField(s.steps[0].name) && leads(r.Node, s.steps, create.kind != 0, nil) {
		r.OwnField(s.steps[0].name)
	}
	return walk(r.Node, s.steps, create, set)
}

// isAnnotations tells whether the path is that of the annotations, a field that is
// there as soon as kustomize keeps state in it.
func (s fieldSpec) isAnnotations() bool {
	return len(s.steps) == 2 && s.steps[0].name == "metadata" && s.steps[1].name == "annotations"
}

// leads tells whether a walk can change anything: whether it comes to a node that
// is wanted (nil: any), creates one, or makes a list of a null.
func leads(n *yaml.Node, steps []step, create bool, wanted func(*yaml.Node) bool) bool {
	if len(steps) == 0 {
		return wanted == nil || wanted(n)
	}
	if n.Tag == "!!null" {
		return false
	}
	switch n.Kind {
	case yaml.MappingNode:
		_, field := syntax.Field(n, steps[0].name)
		if field == nil {
			return create && !steps[0].sequence
		}
		return field.Tag == "!!null" && (create || steps[0].sequence) || leads(field, steps[1:], create, wanted)
	case yaml.SequenceNode:
		return slices.ContainsFunc(n.Content, func(element *yaml.Node) bool { return leads(element, steps, create, wanted) })
	}
	return false
}

// meets tells whether a walk that creates nothing comes to any node, or fails.
func meets(n *yaml.Node, steps []step) bool {
	if len(steps) == 0 {
		return true
	}
	if n.Tag == "!!null" {
		return false
	}
	switch n.Kind {
	case yaml.MappingNode:
		_, field := syntax.Field(n, steps[0].name)
		if steps[0].element || steps[0].name == "" {
			return true
		}
		if field == nil {
			return false
		}
		return field.Tag == "!!null" && steps[0].sequence || meets(field, steps[1:])
	case yaml.SequenceNode:
		return slices.ContainsFunc(n.Content, func(element *yaml.Node) bool { return meets(element, steps) })
	}
	return true
}

func walk(n *yaml.Node, steps []step, create creation, set func(*yaml.Node) *walkError) *walkError {
	if len(steps) == 0 {
		return set(n)
	}
	if n.Tag == "!!null" {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		return walkMap(n, steps, create, set)
	case yaml.SequenceNode:
		for _, element := range n.Content {
			if err := walk(element, steps, create, set); err != nil {
				return err
			}
		}
		return nil
	}
	return &walkError{n, fmt.Sprintf("a mapping or list was expected here, to find %s in it", steps[0].name)}
}

func walkMap(n *yaml.Node, steps []step, create creation, set func(*yaml.Node) *walkError) *walkError {
	at := steps[0]
	if at.name == "" {
		return &walkError{n, "a field path has an empty field name"}
	}
	if at.element {
		return &walkError{n, fmt.Sprintf("a list was expected here, to find element %s in it", at.name)}
	}
	_, field := syntax.Field(n, at.name)
	var kind yaml.Kind
	tag := ""
	switch {
	case create.kind == 0 || at.sequence:
		if at.sequence {
			kind = yaml.SequenceNode
		}
	case len(steps) == 1:
		kind, tag = create.kind, create.tag
	default:
		kind, tag = yaml.MappingNode, "!!map"
	}
	if field == nil {
		if create.kind == 0 || at.sequence {
			return nil
		}
		field = &yaml.Node{Kind: kind}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: at.name}, field)
	}
	if field.Tag == "!!null" && kind != 0 {
		field.Kind, field.Tag = kind, tag
	}
	return walk(field, steps[1:], create, set)
}

// setScalar gives a scalar another text and tag, keeping its style, as
// kustomize's FieldSetter without a name does. The place becomes that of cause,
// the entry that configured the change, unless the value is equal.
func setScalar(n *yaml.Node, value, tag string, cause *yaml.Node) *walkError {
	if n.Kind != yaml.ScalarNode && n.Kind != 0 && n.Tag != "!!null" {
		return &walkError{n, "a single value was expected here"}
	}
	same := n.Kind == yaml.ScalarNode && n.Value == value && n.Line != 0
	style, line, column := n.Style, n.Line, n.Column
	*n = yaml.Node{Kind: yaml.ScalarNode, Value: value, Tag: tag, Style: style, Line: line, Column: column}
	if !same && cause != nil {
		syntax.CopyPlace(n, cause)
	}
	return nil
}

// putEntry sets a key of a mapping, under which it has the value old, nil for none. A new
// key gets the very node value, so that several places can share it, as they do in
// kustomize: there a later change of one of them shows in all. An empty key stands for the
// mapping's own place, which then holds the value itself.
func putEntry(m *yaml.Node, name string, old, value *yaml.Node) *walkError {
	if name == "" {
		return setScalar(m, value.Value, value.Tag, value)
	}
	if m.Kind != yaml.MappingNode {
		if m.Tag == "!!null" {
			return nil
		}
		return &walkError{m, fmt.Sprintf("a mapping was expected here, to set %s in it", name)}
	}
	if old == nil {
		key := &yaml.Node{Kind: yaml.ScalarNode, Value: name}
		syntax.CopyPlace(key, value)
		m.Content = append(m.Content, key, value)
		return nil
	}
	line, column := old.Line, old.Column
	same := old.Kind == yaml.ScalarNode && old.Value == value.Value
	value.Style = old.Style
	*old = *value
	if same && line != 0 {
		old.Line, old.Column = line, column
	}
	return nil
}

// reportWalk reports a value that a transformer cannot work on.
func (b *Transformer) reportWalk(l *trace.Layer, entry *yaml.Node, r *resource.Resource, spec fieldSpec, err *walkError) {
	node := err.node
	if node.Line == 0 {
		node = problem.NameNode(r)
	}
	b.Report(l, problem.Problem{Code: problem.UnexpectedValueType, Fatal: true, Node: node,
		Message: fmt.Sprintf("%s (field %s of %s)", err.message, spec.Path, r.ID()),
		Related: []problem.Related{{Node: entry, Message: "needed for this"}}})
}
