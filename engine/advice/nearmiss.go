package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// MaxCandidates is how many near resources a problem lists.
const MaxCandidates = 5

// NoMatch says how the nearest resources differ from the one that a patch names,
// and returns the one that was probably meant.
func (b *Adviser) NoMatch(acc *accumulator.Accumulator, named *resource.Resource, id resource.ID) (problem.Problem, *resource.Resource) {
	p := problem.Problem{Code: problem.PatchNoMatch, Fatal: true, Node: problem.NameNode(named),
		Message: fmt.Sprintf("there is no %s to patch", id)}
	if !b.MayHaveMeant() {
		return p, nil
	}
	misses := nearMisses(acc, id)
	if len(misses) == 0 {
		return p, nil
	}
	best := misses[0]
	p.Help = fmt.Sprintf("%s differs in %s", best.id, strings.Join(best.differences, " and "))
	for i, m := range misses {
		message := "this one"
		if i > 0 {
			message = fmt.Sprintf("%s differs in %s", m.id, strings.Join(m.differences, " and "))
		}
		p.Related = append(p.Related, problem.Related{Node: problem.NameNode(m.resource), Message: message})
	}
	if len(best.differences) > 1 {
		return p, nil
	}
	p.Node, p.Fixes = b.mendPatch(named, best)
	if isMisspelt(best.id, id.Kind) {
		p.Fixes = nil
	}
	if len(p.Fixes) > 0 && p.Fixes[0].Node != nil {
		p.Help = fmt.Sprintf("did you mean %s? %s", p.Fixes[0].New, p.Help)
	}
	if best.id.Kind != id.Kind {
		return p, nil
	}
	return p, best.resource
}

// mendPatch returns the node of a patch that differs from what it should be, and
// the fix.
func (b *Adviser) mendPatch(named *resource.Resource, m nearMiss) (*yaml.Node, []problem.Fix) {
	field, value := "", ""
	from := named.Metadata()
	switch m.differences[0] {
	case "name":
		field, value = "name", m.id.Name
	case "namespace":
		field, value = "namespace", m.id.Namespace
	case "kind":
		from, field, value = named.Node, "kind", m.id.Kind
	default:
		from, field, value = named.Node, "apiVersion", m.id.APIVersion()
	}
	_, node := syntax.Field(from, field)
	if node == nil {
		return problem.NameNode(named), b.AddField(from, problem.NameNode(named), field+": "+value)
	}
	if value == "" {
		return node, nil // it has a namespace and should have none
	}
	return node, []problem.Fix{{Title: fmt.Sprintf("Change %s to %s", field, value), Node: node, New: value}}
}

// isMisspelt tells whether it is the resource whose kind is wrong: its API has the
// kind that was asked for, and not the one that it has.
func isMisspelt(id resource.ID, wanted string) bool {
	return kubernetes.KnownScope(id.APIVersion(), wanted) && !kubernetes.KnownScope(id.APIVersion(), id.Kind)
}

// nearMiss is a resource that almost has an identity.
type nearMiss struct {
	resource    *resource.Resource
	id          resource.ID
	differences []string
	distance    int
}

// nearMisses returns the resources that come nearest, the nearest first: those
// that differ in one or two parts, where a name must at least be similar.
func nearMisses(acc *accumulator.Accumulator, id resource.ID) []nearMiss {
	var misses []nearMiss
	for _, r := range acc.Set.List() {
		if r.Empty() {
			continue
		}
		if m, ok := missOf(r, id); ok {
			misses = append(misses, m)
		}
	}
	slices.SortStableFunc(misses, func(a, b nearMiss) int { return a.distance - b.distance })
	return misses[:min(len(misses), MaxCandidates)]
}

func missOf(r *resource.Resource, id resource.ID) (nearMiss, bool) {
	best := nearMiss{distance: 1 << 30}
	for _, own := range r.AllIDs() {
		m := nearMiss{resource: r, id: own}
		differ := func(what, a, b string, cost int) {
			if a != b {
				m.differences = append(m.differences, what)
				m.distance += cost
			}
		}
		differ("kind", own.Kind, id.Kind, 2)
		differ("apiVersion", own.APIVersion(), id.APIVersion(), 1)
		differ("name", own.Name, id.Name, 2)
		if own.Kind == id.Kind {
			differ("namespace", own.EffectiveNamespace(), id.EffectiveNamespace(), 1)
		}
		if len(m.differences) > 0 && (own.Name == id.Name || Similar(own.Name, id.Name) && own.Kind == id.Kind) && m.distance < best.distance {
			best = m
		}
	}
	return best, best.resource != nil
}

func Similar(a, b string) bool {
	_, ok := text.Nearest(a, []string{b})
	return ok
}

// ReportNoTarget reports a patch whose target selects nothing.
func (b *Adviser) ReportNoTarget(l *trace.Layer, acc *accumulator.Accumulator, target *selector.Matcher, entry *yaml.Node) {
	s := target.Selector
	p := problem.Problem{Code: problem.PatchNoTarget, Minor: l.Component && isForLabelled(s), Node: SelectorNode(s, entry)}
	p.Message, p.Node, p.Help, p.Fixes = b.ExplainSelector(acc, target, p.Node)
	if p.Message == "" {
		p.Message = fmt.Sprintf("no resource matches the target (%s)", selector.Describe(s))
	}
	if p.Fixes != nil {
		p.Guess = problem.GuessedFix
	}
	b.Report(l, p)
}

// isForLabelled tells whether a selector is for what takes on a label or an
// annotation: in a component, that nothing did is as good as that something did.
func isForLabelled(s *kustomization.Selector) bool {
	return s.Name.Value == "" && (s.LabelSelector.Value != "" || s.AnnotationSelector.Value != "")
}

// ExplainSelector finds the one field of a selector without which it would match,
// and the nearest value for it.
func (b *Adviser) ExplainSelector(acc *accumulator.Accumulator, m *selector.Matcher, at *yaml.Node) (message string, node *yaml.Node, help string, fixes []problem.Fix) {
	if !b.MayHaveMeant() {
		return "", at, "", nil
	}
	s := m.Selector
	parts := []struct {
		name    string
		text    kustomization.Text
		pattern **selector.Pattern
		of      func(resource.ID) string
	}{
		// What has the name in another namespace is nearer than what has another name.
		{"namespace", s.Namespace, &m.Namespace, func(id resource.ID) string { return id.Namespace }},
		{"name", s.Name, &m.Name, func(id resource.ID) string { return id.Name }},
		{"kind", s.Kind, &m.Kind, func(id resource.ID) string { return id.Kind }},
		{"version", s.Version, &m.Version, func(id resource.ID) string { return id.Version }},
		{"group", s.Group, &m.Group, func(id resource.ID) string { return id.Group }},
	}
	if s.Name.Value == "" { // the kind is there, and what has the labels may be of any
		if message, node, help, fixes = explainLabels(acc, m, at); message != "" {
			return message, node, help, fixes
		}
	}
	for _, part := range parts {
		if part.text.Value == "" {
			continue
		}
		kept := *part.pattern
		*part.pattern = &selector.Pattern{}
		others := acc.Selected(m)
		*part.pattern = kept
		if len(others) == 0 {
			continue
		}
		message = noneSuch(part.name, part.text.Value, s)
		var values []string
		for _, r := range others {
			if id := r.OriginalID(); part.name != "kind" || !isMisspelt(id, s.Kind.Value) {
				values = append(values, part.of(id))
			}
		}
		if part.text.Node != nil {
			at = part.text.Node
		}
		if near, ok := nearestPart(part.text.Value, values, part.name == "kind" && s.Name.Value != ""); ok && (part.name != "kind" || !isPrefixed(near, part.text.Value)) {
			help, fixes = fmt.Sprintf("did you mean %s?", near), []problem.Fix{{Title: "Change to " + near, Node: part.text.Node, New: near}}
		}
		return message, at, help, fixes
	}
	return explainLabels(acc, m, at)
}

// explainLabels is explainSelector for what has all but the labels.
func explainLabels(acc *accumulator.Accumulator, m *selector.Matcher, at *yaml.Node) (message string, node *yaml.Node, help string, fixes []problem.Fix) {
	wanted, kept := m.Selector.LabelSelector, m.Labels
	if wanted.Value == "" || wanted.Node == nil {
		return "", at, "", nil
	}
	m.Labels = nil
	others := acc.Selected(m)
	m.Labels = kept
	if len(others) == 0 {
		return "", at, "", nil
	}
	var pairs []string
	for _, r := range others {
		for key, value := range r.Labels() {
			pairs = append(pairs, key+"="+value)
		}
	}
	if near, ok := nearLabel(wanted.Value, pairs); ok {
		help, fixes = fmt.Sprintf("did you mean %s?", near), []problem.Fix{{Title: "Change to " + near, Node: wanted.Node, New: near}}
	}
	return noneSuch("labels", wanted.Value, m.Selector), wanted.Node, help, fixes
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
	slices.Sort(values)
	values = slices.Compact(values)
	values = slices.DeleteFunc(values, func(v string) bool { return v == "" })
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

// SelectorNode is the node of a selector that shows it best.
func SelectorNode(s *kustomization.Selector, entry *yaml.Node) *yaml.Node {
	for _, t := range []kustomization.Text{s.Name, s.Kind, s.LabelSelector, s.AnnotationSelector, s.Namespace, s.Group, s.Version} {
		if t.Node != nil {
			return t.Node
		}
	}
	if s.Node != nil {
		return s.Node
	}
	return entry
}

// ReportNoSource reports a replacement whose source matches nothing.
func (b *Adviser) ReportNoSource(l *trace.Layer, acc *accumulator.Accumulator, r *kustomization.Replacement) {
	s := &r.Source.Selector
	p := problem.Problem{Code: problem.ReplacementNoSource, Fatal: true, Node: SelectorNode(s, r.Node)}
	p.Message, p.Node, p.Help, p.Fixes = b.ExplainSelector(acc, LiteralMatcher(s), p.Node)
	if p.Message == "" {
		p.Message = fmt.Sprintf("no resource matches the source (%s)", selector.Describe(s))
	}
	b.Report(l, p)
}

// LiteralMatcher is a source's selector, whose fields are literal, as a matcher.
func LiteralMatcher(s *kustomization.Selector) *selector.Matcher {
	literal := func(t kustomization.Text) *selector.Pattern {
		return &selector.Pattern{Text: t.Value, Literal: t.Value != ""}
	}
	return &selector.Matcher{Selector: s, Group: literal(s.Group), Version: literal(s.Version), Kind: literal(s.Kind),
		Name: literal(s.Name), Namespace: literal(s.Namespace)}
}

// ReportNoReplacementTarget reports a target that selects nothing, or of which
// everything was rejected.
func (b *Adviser) ReportNoReplacementTarget(l *trace.Layer, acc *accumulator.Accumulator, t *kustomization.ReplacementTarget, rejected int) {
	if rejected > 0 {
		p := problem.Problem{Code: problem.ReplacementAllRejected, Node: t.Reject[0].Node, Message: "the only selected resource is rejected"}
		if rejected > 1 {
			p.Message = fmt.Sprintf("all %d selected resources are rejected", rejected)
		}
		b.Report(l, p)
		return
	}
	m, problems := selector.NewMatcher(t.Select)
	if len(problems) > 0 {
		return
	}
	p := problem.Problem{Code: problem.ReplacementNoTarget, Node: SelectorNode(t.Select, t.Node)}
	p.Message, p.Node, p.Help, p.Fixes = b.ExplainSelector(acc, m, p.Node)
	if p.Message == "" {
		p.Message = fmt.Sprintf("no resource matches the target (%s)", selector.Describe(t.Select))
	}
	b.Report(l, p)
}
