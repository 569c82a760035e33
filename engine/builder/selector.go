package builder

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// pattern is an anchored regular expression, compiled once and asked once for
// each distinct text. An empty one matches everything (types.SelectorRegex).
type pattern struct {
	text    string
	literal bool
	regex   *regexp.Regexp
	known   map[string]bool
}

func newPattern(text string) (*pattern, error) {
	p := &pattern{text: text}
	if text == "" {
		return p, nil
	}
	if regexp.QuoteMeta(text) == text {
		p.literal = true
		return p, nil
	}
	var err error
	p.regex, err = regexp.Compile("^(?:" + text + ")$")
	p.known = map[string]bool{}
	return p, err
}

func (p *pattern) match(text string) bool {
	if p.text == "" {
		return true
	}
	if p.literal {
		return p.text == text
	}
	matched, ok := p.known[text]
	if !ok {
		matched = p.regex.MatchString(text)
		p.known[text] = matched
	}
	return matched
}

// matcher is a selector made ready to be asked of many resources.
type matcher struct {
	group, version, kind, name, namespace *pattern
	labels, annotations                   requirements
	badLabels, badAnnotations             *Problem // where they do not parse
	selector                              *kustomization.Selector
}

// newMatcher compiles a selector; the problems are those of its regular
// expressions and label selectors, which kustomize refuses.
func newMatcher(s *kustomization.Selector) (*matcher, []Problem) {
	m := &matcher{selector: s}
	var problems []Problem
	compile := func(t kustomization.Text) *pattern {
		p, err := newPattern(t.Value)
		if err != nil {
			problems = append(problems, Problem{Code: InvalidRegex, Fatal: true, Node: t.Node,
				Message: fmt.Sprintf("%q is no regular expression: %s", t.Value, regexMessage(err))})
		}
		return p
	}
	m.group, m.version, m.kind = compile(s.Group), compile(s.Version), compile(s.Kind)
	m.name, m.namespace = compile(s.Name), compile(s.Namespace)
	m.labels, m.badLabels = parseRequirements(s.LabelSelector)
	m.annotations, m.badAnnotations = parseRequirements(s.AnnotationSelector)
	return m, problems
}

// parseRequirements returns a malformed selector as a problem. It is not fatal
// yet: kustomize parses a selector only when it asks it of a resource.
func parseRequirements(t kustomization.Text) (requirements, *Problem) {
	r, err := parseSelector(t.Value)
	if err != nil {
		return nil, &Problem{Code: InvalidLabelSelector, Node: t.Node, Message: fmt.Sprintf("%q is no selector: %s", t.Value, err)}
	}
	return r, nil
}

// malformed returns the problems of the selectors; ask made them fatal.
func (m *matcher) malformed() []Problem {
	var problems []Problem
	for _, p := range []*Problem{m.badLabels, m.badAnnotations} {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	return problems
}

// ask notes that kustomize asks the selectors of a resource: first the labels,
// then, where those match, the annotations.
func (m *matcher) ask(r *resource.Resource) {
	switch {
	case m.badLabels != nil:
		m.badLabels.Fatal = true
	case m.badAnnotations != nil && (len(m.labels) == 0 || m.labels.match(r.Labels())):
		m.badAnnotations.Fatal = true
	}
}

func regexMessage(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return string(e.Code)
	}
	return err.Error()
}

// selectsID tells whether group, version, kind, name and namespace match.
func (m *matcher) selectsID(id resource.ID) bool {
	return m.name.match(id.Name) && m.kind.match(id.Kind) && m.group.match(id.Group) &&
		m.version.match(id.Version) && m.namespace.match(id.Namespace)
}

// selectsAny is selectsID of one of the identities that a resource has and had.
func (m *matcher) selectsAny(r *resource.Resource) bool { return r.AnyID(m.selectsID) }

// hasID tells whether any of the id fields is set.
func (m *matcher) hasID() bool {
	return m.group.text != "" || m.version.text != "" || m.kind.text != "" || m.name.text != "" || m.namespace.text != ""
}

func (m *matcher) hasSelectors() bool {
	return m.selector.LabelSelector.Value != "" || m.selector.AnnotationSelector.Value != ""
}

func (m *matcher) selectsMetadata(r *resource.Resource) bool {
	return (len(m.annotations) == 0 || m.annotations.match(r.Annotations())) &&
		(len(m.labels) == 0 || m.labels.match(r.Labels()))
}

// selectsTargetID tells whether a patch with this target applies as far as the id
// fields go: name and namespace may be the original or the current ones
// (resWrangler.Select).
func (m *matcher) selectsTargetID(r *resource.Resource) bool {
	now, before := r.ID(), r.OriginalID()
	return m.kind.match(now.Kind) && m.group.match(now.Group) && m.version.match(now.Version) &&
		(m.name.match(before.Name) || m.name.match(now.Name)) &&
		(m.namespace.match(before.EffectiveNamespace()) || m.namespace.match(now.EffectiveNamespace()))
}

// describe writes a selector as a user would say it.
func describe(s *kustomization.Selector) string {
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

func describeNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}
