package transform

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// MergeVars notes which resource each var of the layer reads from, while names
// are still those that the layer knows, and adds the vars
// (ResAccumulator.MergeVars).
func (b *Transformer) MergeVars(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, v := range l.Kustomization.Vars {
		id := resource.ID{Group: v.ObjRef.Group.Value, Version: v.ObjRef.Version.Value, Kind: v.ObjRef.Kind.Value,
			Name: v.ObjRef.Name.Value, Namespace: v.ObjRef.Namespace.Value}
		var matched []*resource.Resource
		if id.Namespace != "" {
			matched = acc.Set.WithAny(id)
		} else {
			matched = acc.Set.WithAnyName(id)
		}
		switch len(matched) {
		case 0:
		case 1:
			matched[0].RefVars = append(matched[0].RefVars, v.Name.Value)
			l.Facts.Vars = append(l.Facts.Vars, trace.VarFact{Var: v, Source: matched[0]})
		default:
			p := problem.Problem{Code: problem.VarConflict, Fatal: true, Node: v.Node,
				Message: fmt.Sprintf("%d resources match the objref of var %s", len(matched), v.Name.Value)}
			for _, r := range matched[:min(len(matched), advice.MaxCandidates)] {
				p.Related = append(p.Related, problem.Related{Node: problem.NameNode(r), Message: r.ID().String()})
			}
			b.Report(l, p)
		}
		b.AddVar(l, acc, accumulator.VarEntry{Var: v, Layer: l})
	}
}

// AddVar adds a var; two of one name are refused even if they are equal
// (VarSet.Merge).
func (b *Transformer) AddVar(l *trace.Layer, acc *accumulator.Accumulator, v accumulator.VarEntry) {
	for _, other := range acc.Vars {
		if other.Name.Value == v.Name.Value {
			b.Report(l, problem.Problem{Code: problem.VarConflict, Fatal: true, Node: v.Name.Node,
				Message: fmt.Sprintf("the var %s is there already", v.Name.Value),
				Related: []problem.Related{{Node: other.Name.Node, Message: "the other one"}}})
			return
		}
	}
	acc.Vars = append(acc.Vars, v)
}

// ResolveVars replaces $(NAME) in the fields that the configuration lists
// (ResAccumulator.ResolveVars, api/filters/refvar).
func (b *Transformer) ResolveVars(l *trace.Layer, acc *accumulator.Accumulator) {
	if len(acc.Vars) == 0 {
		return
	}
	values := b.varValues(l, acc)
	used := map[string]bool{}
	tooMuch := false
	expand := func(name string) (varValue, bool) {
		v, ok := values[name]
		if ok {
			used[name] = true
		}
		if ok && !b.Budget.Charge(0, len(v.text)) {
			tooMuch = true
			return varValue{}, false
		}
		return v, ok
	}
	specs := newSpecs(acc.Config.VarReference)
	for _, r := range acc.Set.List() {
		if tooMuch || b.Stopped() {
			break
		}
		b.Change(trace.Step{Layer: l, Transformer: "RefVarTransformer"}, r, func(e *resource.Edit) {
			specs.each(e, func(spec fieldSpec) {
				spec.Create = false
				if err := spec.applyTo(e, creation{}, func(n *yaml.Node) *walkError { return expandNode(n, expand) }); err != nil {
					b.reportWalk(l, acc.Vars[0].Node, r, spec, err)
				}
			})
		})
	}
	if tooMuch {
		b.OverBudget(l, acc, acc.Vars[0].Node)
	}
	for _, v := range acc.Vars {
		if _, ok := values[v.Name.Value]; ok && !used[v.Name.Value] && !acc.Unknown {
			b.Report(v.Layer, problem.Problem{Code: problem.VarUnused, Node: v.Name.Node,
				Message: fmt.Sprintf("$(%s) is in no field that vars are replaced in", v.Name.Value)})
		}
	}
}

// varValue is the value of a var: text, and the tag that its type has.
type varValue struct {
	text, tag string
	node      *yaml.Node
	entry     *yaml.Node // of the var
}

func (b *Transformer) varValues(l *trace.Layer, acc *accumulator.Accumulator) map[string]varValue {
	sources := map[string]*resource.Resource{}
	for _, r := range acc.Set.List() {
		for _, name := range r.RefVars {
			if sources[name] == nil {
				sources[name] = r
			}
		}
	}
	values := map[string]varValue{}
	for _, v := range acc.Vars {
		path := v.FieldPath.Value
		if path == "" {
			path = load.DefaultFieldPath
		}
		p := problem.Problem{Code: problem.VarUnresolved, Fatal: true, Node: advice.SelectorNode(&v.ObjRef, v.Node)}
		source := sources[v.Name.Value]
		if source == nil {
			if acc.Unknown {
				continue
			}
			b.ExplainSelector(&p, acc, advice.LiteralMatcher(&v.ObjRef), "the objref of var "+v.Name.Value)
			b.Report(v.Layer, p)
			continue
		}
		value, ok := readVar(source, path)
		if !ok && b.Unfinished {
			continue
		}
		if !ok {
			p.Message = fmt.Sprintf("%s has no field %s", source.ID(), path)
			if v.FieldPath.Node != nil {
				p.Node = v.FieldPath.Node
			}
			b.Report(v.Layer, p)
			continue
		}
		value.entry = v.Node
		values[v.Name.Value] = value
	}
	return values
}

// readVar is RNode.GetFieldValue.
func readVar(r *resource.Resource, path string) (varValue, bool) {
	outcome := fieldpath.Get(r.Node, fieldpath.Parse(indexed(path)), fieldpath.Options{})
	if outcome.Failure != nil || outcome.DrillDown {
		return varValue{}, false
	}
	n := outcome.Nodes[0]
	if n.Kind != yaml.ScalarNode {
		return varValue{node: n}, true
	}
	v := varValue{text: n.Value, tag: "!!str", node: n}
	switch n.Tag {
	case "!!int":
		i, err := strconv.Atoi(n.Value)
		if err != nil {
			return v, false
		}
		v.text, v.tag = strconv.Itoa(i), n.Tag
	case "!!float":
		x, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return v, false
		}
		v.text, v.tag = strconv.FormatFloat(x, 'f', -1, 64), n.Tag
	case "!!bool":
		x, err := strconv.ParseBool(n.Value)
		if err != nil {
			return v, false
		}
		v.text, v.tag = strconv.FormatBool(x), n.Tag
	}
	return v, true
}

// indexed turns ports[0] into ports.0 (convertSliceIndex).
func indexed(path string) string {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		name, index, ok := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		if !ok || !strings.HasSuffix(part, "]") {
			continue
		}
		if _, err := strconv.Atoi(index); err != nil {
			continue
		}
		parts[i] = strings.TrimPrefix(name+"."+index, ".")
	}
	return strings.Join(parts, ".")
}

func expandNode(n *yaml.Node, expand func(string) (varValue, bool)) *walkError {
	if n.Tag == "!!null" {
		return nil
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if isString(n) {
			expandScalar(n, expand)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !isString(n.Content[i]) {
				return &walkError{n.Content[i], "a key here is not a string"}
			}
			if isString(n.Content[i+1]) {
				expandScalar(n.Content[i+1], expand)
			}
		}
	case yaml.SequenceNode:
		for _, element := range n.Content {
			if !isString(element) {
				return &walkError{element, "an element here is not a string"}
			}
			expandScalar(element, expand)
		}
	}
	return nil
}

func isString(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.Tag == "!!str" || n.Tag == "")
}

// expandScalar replaces the vars in a string. A string that is one var alone
// takes the var's type. The style goes even where nothing is replaced.
func expandScalar(n *yaml.Node, expand func(string) (varValue, bool)) {
	text, only, first := expandText(n.Value, expand)
	if only != nil {
		line, column := only.node.Line, only.node.Column
		*n = yaml.Node{Kind: yaml.ScalarNode, Value: only.text, Tag: only.tag, Line: line, Column: column}
		return
	}
	if text != n.Value && first != nil {
		syntax.CopyPlace(n, first)
	}
	n.SetString(text)
	n.Tag, n.Style = "!!str", 0
}

// expandText is refvar.DoReplacements: $$ is a dollar, an unknown var stays.
// only is the var's value where the whole text is that var, else first the entry
// of the first var that was replaced.
func expandText(text string, expand func(string) (varValue, bool)) (expanded string, only *varValue, first *yaml.Node) {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case '$':
			out.WriteByte('$')
		case '(':
			end := strings.IndexByte(text[i:], ')')
			if end < 0 {
				out.WriteString("$(")
				continue
			}
			name := text[i+1 : i+end]
			i += end
			v, ok := expand(name)
			if !ok || v.tag == "" {
				out.WriteString("$(" + name + ")")
				continue
			}
			if text == "$("+name+")" {
				return "", &v, nil
			}
			if first == nil {
				first = v.entry
			}
			out.WriteString(v.text)
		default:
			out.WriteByte('$')
			out.WriteByte(text[i])
		}
	}
	return out.String(), nil, first
}
