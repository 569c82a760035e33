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
	b.ExplainSelector(&p, acc, target, "the target")
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
	b.ExplainSelector(&p, acc, LiteralMatcher(s), "the source")
	b.Report(l, p)
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
	b.ExplainSelector(&p, acc, m, "the target")
	b.Report(l, p)
}
