package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/text"
)

// ExplainSelector fills in what keeps a selector from matching: the one field without
// which it would match, with the nearest value for it, or else the two. What names the
// selector in the message.
func (b *Adviser) ExplainSelector(p *problem.Problem, acc *accumulator.Accumulator, m *selector.Matcher, what string) {
	p.Message = fmt.Sprintf("no resource matches %s (%s)", what, selector.Describe(m.Selector))
	if !b.MayHaveMeant() {
		return
	}
	fields := selectorFields(m)
	for i := range fields {
		if others := selectedWithout(acc, m, fields[i]); len(others) > 0 {
			explainField(p, m.Selector, &fields[i], others)
			return
		}
	}
	for i := range fields {
		for j := range fields[:i] {
			if others := selectedWithout(acc, m, fields[i], fields[j]); len(others) > 0 {
				explainTwoFields(p, m.Selector, &fields[j], &fields[i], others[0])
				return
			}
		}
	}
}

// selectorField is a field of a selector that has a value.
type selectorField struct {
	name string
	text kustomization.Text
	// clear takes the field out of the matcher, and returns what puts it back.
	clear func() (restore func())
	// of are the values that a resource has there.
	of func(*resource.Resource) []string
}

// selectorFields are the fields of a selector that have values, the one first that is
// the first to doubt.
func selectorFields(m *selector.Matcher) (fields []selectorField) {
	s := m.Selector
	id := func(name string, value kustomization.Text, pattern **selector.Pattern, part func(resource.ID) string) {
		if value.Value == "" {
			return
		}
		clear := func() func() {
			kept := *pattern
			*pattern = &selector.Pattern{}
			return func() { *pattern = kept }
		}
		fields = append(fields, selectorField{name, value, clear, func(r *resource.Resource) []string {
			return []string{part(r.OriginalID())}
		}})
	}
	labels := func() {
		if s.LabelSelector.Value != "" && s.LabelSelector.Node != nil {
			clear := func() func() {
				kept := m.Labels
				m.Labels = nil
				return func() { m.Labels = kept }
			}
			fields = append(fields, selectorField{"labels", s.LabelSelector, clear, labelPairs})
		}
	}
	if s.Name.Value == "" { // the kind is there, and what has the labels may be of any
		labels()
	}
	// What has the name in another namespace is nearer than what has another name.
	id("namespace", s.Namespace, &m.Namespace, func(id resource.ID) string { return id.Namespace })
	id("name", s.Name, &m.Name, func(id resource.ID) string { return id.Name })
	id("kind", s.Kind, &m.Kind, func(id resource.ID) string { return id.Kind })
	id("version", s.Version, &m.Version, func(id resource.ID) string { return id.Version })
	id("group", s.Group, &m.Group, func(id resource.ID) string { return id.Group })
	if s.Name.Value != "" {
		labels()
	}
	return fields
}

func labelPairs(r *resource.Resource) (pairs []string) {
	for key, value := range r.Labels() {
		pairs = append(pairs, key+"="+value)
	}
	return pairs
}

// selectedWithout returns what a matcher selects without some of its fields.
func selectedWithout(acc *accumulator.Accumulator, m *selector.Matcher, fields ...selectorField) []*resource.Resource {
	for _, f := range fields {
		defer f.clear()()
	}
	return acc.Selected(m)
}

// explainField reports the one field without which a selector would match others.
func explainField(p *problem.Problem, s *kustomization.Selector, f *selectorField, others []*resource.Resource) {
	p.Message = noneSuch(f.name, f.text.Value, s)
	if f.text.Node != nil {
		p.Node = f.text.Node
	}
	var values []string
	for _, r := range others {
		if f.name != "kind" || !isMisspelt(r.OriginalID(), s.Kind.Value) {
			values = append(values, f.of(r)...)
		}
	}
	near, found := nearestValue(f, values, s)
	switch {
	case found:
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []problem.Fix{{Title: "Change to " + near, Node: f.text.Node, New: near}}
	case f.name == "version" || f.name == "group":
		if there := valuesOf(values); len(there) > 0 {
			p.Help = "there is " + strings.Join(there, ", ")
		}
	}
}

func nearestValue(f *selectorField, values []string, s *kustomization.Selector) (string, bool) {
	switch f.name {
	case "labels":
		return nearLabel(f.text.Value, values)
	case "kind":
		near, ok := nearestPart(f.text.Value, values, s.Name.Value != "")
		return near, ok && !isPrefixed(near, f.text.Value)
	}
	return nearestPart(f.text.Value, values, f.name == "version")
}

// explainTwoFields reports the two fields without which a selector would match. Since it
// matches nothing without one of them, no resource that has the rest has either.
func explainTwoFields(p *problem.Problem, s *kustomization.Selector, a, b *selectorField, other *resource.Resource) {
	subject := "resource"
	if s.Kind.Value != "" && a.name != "kind" && b.name != "kind" {
		subject = s.Kind.Value
	}
	p.Message = fmt.Sprintf("no such %s has %s %q or %s %q", subject, a.name, a.text.Value, b.name, b.text.Value)
	p.Help = fmt.Sprintf("without these two it would match %s", other.ID())
	if a.text.Node != nil {
		p.Node = a.text.Node
	}
}

// valuesOf returns the values, each once and sorted, without the empty one.
func valuesOf(values []string) []string {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	return slices.DeleteFunc(values, func(v string) bool { return v == "" })
}

// nearLabel returns the label that one of the form key=value was probably meant to be.
func nearLabel(wanted string, labels []string) (string, bool) {
	key, value, _ := strings.Cut(wanted, "=")
	slices.Sort(labels)
	for _, label := range labels {
		k, v, _ := strings.Cut(label, "=")
		if k == key && text.IsLikelySlip(value, v) || v == value && text.IsLikelySlip(key, k) {
			return label, true
		}
	}
	return "", false
}

// isPrefixed tells of two kinds that the name of one begins with that of the other, as
// Application and ApplicationSet: these are two kinds.
func isPrefixed(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// nearestPart is the nearest value, or, where that is asked for, the only one.
func nearestPart(value string, values []string, only bool) (string, bool) {
	values = valuesOf(values)
	if near, ok := text.Nearest(value, values); ok {
		return near, true
	}
	if only && len(values) == 1 {
		return values[0], true
	}
	return "", false
}

func noneSuch(part, value string, s *kustomization.Selector) string {
	what := "resource"
	if s.Kind.Value != "" && part != "kind" {
		what = s.Kind.Value
	}
	switch part {
	case "name":
		return fmt.Sprintf("no %s is named %q", what, value)
	case "kind":
		if s.Name.Value != "" {
			return fmt.Sprintf("no %s is named %q", value, s.Name.Value)
		}
		return fmt.Sprintf("there is no %s", value)
	case "namespace":
		return fmt.Sprintf("no such %s is in namespace %q", what, value)
	}
	return fmt.Sprintf("no such %s has %s %q", what, part, value)
}

// LiteralMatcher is a source's selector, whose fields are literal, as a matcher.
func LiteralMatcher(s *kustomization.Selector) *selector.Matcher {
	literal := func(t kustomization.Text) *selector.Pattern {
		return &selector.Pattern{Text: t.Value, Literal: t.Value != ""}
	}
	return &selector.Matcher{Selector: s, Group: literal(s.Group), Version: literal(s.Version), Kind: literal(s.Kind),
		Name: literal(s.Name), Namespace: literal(s.Namespace)}
}
