package transform

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// addValues is kustomize's ValueAddTransformer: it writes one value into a field
// of many resources, or inserts it into a path that stands there.
func (b *Transformer) addValues(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, p *kustomization.Plugin) {
	value := placedText(p.Value, config)
	if value.Value = strings.TrimSpace(value.Value); value.Value == "" {
		value.Value = filepath.Base(l.Dir)
	}
	targets, ok := b.valueTargets(l, config, p)
	for i := range targets {
		ok = b.checkValueTarget(l, config, &targets[i]) && ok
	}
	if !ok {
		return
	}
	for _, t := range targets {
		resources := acc.Set.List()
		if t.Selector != nil {
			m, problems := selector.NewMatcher(t.Selector)
			for _, p := range problems {
				b.Report(l, p)
			}
			if len(problems) > 0 {
				continue // there is no matcher then
			}
			resources = acc.Selected(m)
			if b.reportMalformed(l, m) {
				continue
			}
		}
		for _, r := range resources {
			b.Change(trace.Step{Layer: l, Transformer: "ValueAddTransformer", Entry: value.Node}, r, func(e *resource.Edit) { b.addValue(l, e, t, value) })
		}
	}
}

func (b *Transformer) valueTargets(l *trace.Layer, config *resource.Resource, p *kustomization.Plugin) ([]kustomization.ValueTarget, bool) {
	targets := p.Targets
	if path := p.TargetFilePath; path.Value != "" {
		root, id, ok := b.LoadConfig(l, path)
		if !ok {
			return nil, false
		}
		more, problems := kustomization.ReadValueTargets(root)
		for _, found := range problems {
			b.Report(l, problem.FromKustomization(found, id))
		}
		targets = append(targets, more...)
	}
	if len(targets) == 0 {
		b.Report(l, problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: problem.NameNode(config), Message: "the transformer has no targets"})
		return nil, false
	}
	return targets, true
}

func (b *Transformer) checkValueTarget(l *trace.Layer, config *resource.Resource, t *kustomization.ValueTarget) bool {
	p := problem.Problem{Code: problem.MalformedPlugin, Fatal: true, Node: t.Node}
	switch {
	case t.FieldPath.Value == "":
		p.Message = "the target has no fieldPath"
	case t.FilePathPosition < 0:
		p.Message = "filePathPosition cannot be negative"
	default:
		return true
	}
	b.Report(l, p)
	return false
}

func (b *Transformer) addValue(l *trace.Layer, r *resource.Edit, t kustomization.ValueTarget, value kustomization.Text) {
	if t.FieldPath.Value == "metadata/namespace" {
		b.setNamespaceOf(l, r, NamespaceChange{Value: value}, newSpecs(nil))
		return
	}
	n, err := lookupCreate(r, t.FieldPath.Value)
	if err == nil {
		text := value.Value
		if t.FilePathPosition > 0 {
			text = insertPart(n.Value, int(t.FilePathPosition)-1, text)
		}
		err = setScalar(n, text, "", value.Node)
	}
	if err != nil {
		b.reportWalk(l, value.Node, r.Resource, compileOne(kustomization.FieldSpec{Path: t.FieldPath.Value}), err)
	}
}

// lookupCreate returns the scalar at a path, made where it is missing (kyaml's
// LookupCreate): unlike the path of a field spec this one goes through lists by
// number or by "[name=x]" alone, and "[]" is part of a name.
func lookupCreate(r *resource.Edit, path string) (*yaml.Node, *walkError) {
	var parts []string
	for _, part := range splitPath(path) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) > 0 {
		r.OwnField(parts[0])
	}
	n := r.Node
	for i, part := range parts {
		kind := yaml.ScalarNode
		if i+1 < len(parts) {
			kind = yaml.MappingNode
			if _, err := strconv.Atoi(parts[i+1]); err == nil || isElementStep(parts[i+1]) {
				kind = yaml.SequenceNode
			}
		}
		var err *walkError
		if n, err = stepInto(n, part, kind); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// isElementStep tells a step of the form "[name=x]" or "[=x]".
func isElementStep(part string) bool {
	return strings.HasPrefix(part, "[") && strings.HasSuffix(part, "]")
}

// stepInto takes one step of lookupCreate; kind is that of a field to be made.
func stepInto(n *yaml.Node, part string, kind yaml.Kind) (*yaml.Node, *walkError) {
	index, err := strconv.Atoi(part)
	if err != nil && part != "-" && part != "*" && !isElementStep(part) {
		if n.Kind != yaml.MappingNode {
			return nil, &walkError{n, fmt.Sprintf("a mapping was expected here, to find %s in it", part)}
		}
		_, value := syntax.Field(n, part)
		if value == nil {
			value = &yaml.Node{Kind: kind}
			add(n, part, value)
		}
		return value, nil
	}
	if n.Kind != yaml.SequenceNode {
		return nil, &walkError{n, fmt.Sprintf("a list was expected here, to find element %s in it", part)}
	}
	if part == "-" {
		index = len(n.Content) - 1
	}
	if isElementStep(part) {
		return elementWith(n, part)
	}
	if part == "*" || index < 0 || index >= len(n.Content) {
		return nil, &walkError{n, fmt.Sprintf("the list has no element %s", part)}
	}
	return n.Content[index], nil
}

// elementWith returns the first element that "[name=x]" or "[=x]" says, which is
// made behind the others where there is none.
func elementWith(n *yaml.Node, part string) (*yaml.Node, *walkError) {
	name, value, ok := strings.Cut(part[1:len(part)-1], "=")
	if !ok {
		return nil, &walkError{n, fmt.Sprintf("%s is not of the form [name=value]", part)}
	}
	for _, element := range n.Content {
		held := element
		if name != "" {
			_, held = syntax.Field(element, name)
		}
		if held != nil && held.Value == value {
			return element, nil
		}
	}
	element := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
	if name != "" {
		element = mapping(name, element)
	}
	n.Content = append(n.Content, element)
	return element, nil
}

// insertPart inserts a name into a file path before the part of that 0-based
// number, behind the last where there are fewer (filesys.InsertPathPart). An
// absolute path stays absolute.
func insertPart(path string, at int, name string) string {
	if path == "" {
		return name
	}
	root := ""
	if strings.HasPrefix(path, "/") {
		root, path = "/", strings.TrimPrefix(path, "/")
	}
	var parts []string
	if path != "" {
		parts = strings.Split(filepath.Clean(path), "/")
	}
	at = min(max(at, 0), len(parts))
	return root + strings.Join(slices.Insert(parts, at, name), "/")
}
