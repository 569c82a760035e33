// Package selector says which resources a selector of a kustomization matches, as kustomize does.
package selector

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// Pattern is an anchored regular expression, compiled once and asked once for
// each distinct text. An empty one matches everything (types.SelectorRegex).
type Pattern struct {
	Text    string
	Literal bool
	regex   *regexp.Regexp
	known   map[string]bool
}

func newPattern(text string) (*Pattern, error) {
	p := &Pattern{Text: text}
	if text == "" {
		return p, nil
	}
	if regexp.QuoteMeta(text) == text {
		p.Literal = true
		return p, nil
	}
	var err error
	p.regex, err = regexp.Compile("^(?:" + text + ")$")
	p.known = map[string]bool{}
	return p, err
}

func (p *Pattern) match(text string) bool {
	if p.Text == "" {
		return true
	}
	if p.Literal {
		return p.Text == text
	}
	matched, ok := p.known[text]
	if !ok {
		matched = p.regex.MatchString(text)
		p.known[text] = matched
	}
	return matched
}

// Matcher is a selector made ready to be asked of many resources.
type Matcher struct {
	Group, Version, Kind, Name, Namespace *Pattern
	Labels, annotations                   requirements
	BadLabels, BadAnnotations             *problem.Problem // where they do not parse
	Selector                              *kustomization.Selector
}

// NewMatcher compiles a selector; the problems are those of its regular
// expressions and label selectors, which kustomize refuses.
func NewMatcher(s *kustomization.Selector) (*Matcher, []problem.Problem) {
	m := &Matcher{Selector: s}
	var problems []problem.Problem
	compile := func(t kustomization.Text) *Pattern {
		p, err := newPattern(t.Value)
		if err != nil {
			problems = append(problems, problem.Problem{Code: problem.InvalidRegex, Fatal: true, Node: t.Node,
				Message: fmt.Sprintf("%q is not a valid regular expression: %s", t.Value, regexMessage(err))})
		}
		return p
	}
	m.Group, m.Version, m.Kind = compile(s.Group), compile(s.Version), compile(s.Kind)
	m.Name, m.Namespace = compile(s.Name), compile(s.Namespace)
	m.Labels, m.BadLabels = parseRequirements(s.LabelSelector)
	m.annotations, m.BadAnnotations = parseRequirements(s.AnnotationSelector)
	return m, problems
}

// parseRequirements returns a malformed selector as a problem. It is not fatal
// yet: kustomize parses a selector only when it asks it of a resource.
func parseRequirements(t kustomization.Text) (requirements, *problem.Problem) {
	r, err := parseSelector(t.Value)
	if err != nil {
		return nil, &problem.Problem{Code: problem.InvalidLabelSelector, Node: t.Node, Message: fmt.Sprintf("%q is not a selector: %s", t.Value, err)}
	}
	return r, nil
}

// Malformed returns the problems of the selectors; ask made them fatal.
func (m *Matcher) Malformed() []problem.Problem {
	var problems []problem.Problem
	for _, p := range []*problem.Problem{m.BadLabels, m.BadAnnotations} {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	return problems
}

// Ask notes that kustomize asks the selectors of a resource: first the labels,
// then, where those match, the annotations.
func (m *Matcher) Ask(r *resource.Resource) {
	switch {
	case m.BadLabels != nil:
		m.BadLabels.Fatal = true
	case m.BadAnnotations != nil && (len(m.Labels) == 0 || m.Labels.match(r.Labels())):
		m.BadAnnotations.Fatal = true
	}
}

func regexMessage(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return string(e.Code)
	}
	return err.Error()
}

// selectsID tells whether group, version, kind, name and namespace match.
func (m *Matcher) selectsID(id resource.ID) bool {
	return m.Name.match(id.Name) && m.Kind.match(id.Kind) && m.Group.match(id.Group) &&
		m.Version.match(id.Version) && m.Namespace.match(id.Namespace)
}

// SelectsAny is selectsID of one of the identities that a resource has and had.
func (m *Matcher) SelectsAny(r *resource.Resource) bool { return r.AnyID(m.selectsID) }

// HasID tells whether any of the id fields is set.
func (m *Matcher) HasID() bool {
	return m.Group.Text != "" || m.Version.Text != "" || m.Kind.Text != "" || m.Name.Text != "" || m.Namespace.Text != ""
}

func (m *Matcher) HasSelectors() bool {
	return m.Selector.LabelSelector.Value != "" || m.Selector.AnnotationSelector.Value != ""
}

func (m *Matcher) SelectsMetadata(r *resource.Resource) bool {
	return (len(m.annotations) == 0 || m.annotations.match(r.Annotations())) &&
		(len(m.Labels) == 0 || m.Labels.match(r.Labels()))
}

// SelectsTargetID tells whether a patch with this target applies as far as the id
// fields go: name and namespace may be the original or the current ones
// (resWrangler.Select).
func (m *Matcher) SelectsTargetID(r *resource.Resource) bool {
	now, before := r.ID(), r.OriginalID()
	return m.Kind.match(now.Kind) && m.Group.match(now.Group) && m.Version.match(now.Version) &&
		(m.Name.match(before.Name) || m.Name.match(now.Name)) &&
		(m.Namespace.match(before.EffectiveNamespace()) || m.Namespace.match(now.EffectiveNamespace()))
}

// Describe writes a selector as a user would say it.
func Describe(s *kustomization.Selector) string {
	var parts []string
	add := func(name string, t kustomization.Text) {
		if t.Value != "" {
			parts = append(parts, name+" "+t.Value)
		}
	}
	add("group", s.Group)
	add("version", s.Version)
	add("kind", s.Kind)
	add("name", s.Name)
	add("namespace", s.Namespace)
	add("labels", s.LabelSelector)
	add("annotations", s.AnnotationSelector)
	if len(parts) == 0 {
		return "anything"
	}
	return strings.Join(parts, ", ")
}

func DescribeNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}
