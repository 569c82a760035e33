package complete

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// selector suggests values for a field of a selector, which stands at a place: those that
// the resources have which its other fields select.
func (c *completer) selector(of cursor.Place, name string) {
	s := cursor.SelectorOf(c.owner(), name)
	isSource := of.Object.Name != "Selector"
	moment := transform.BeforeTransformers
	if of.In() == "Replacement" || of.In() == "ReplacementTarget" {
		moment = transform.BeforeReplacements
	}
	c.loaded(moment, func(loaded *builder.Loaded) {
		var found []*resource.Resource
		switch {
		case isSource:
			found = loaded.Sources(s)
		case of.Named("select"):
			found = loaded.Targets(&kustomization.ReplacementTarget{Select: s})
		case of.Named("reject"):
			found = c.rejectable(loaded, s, name)
		default:
			found = loaded.Selected(s)
		}
		switch name {
		case "labelSelector":
			c.requirements(found, (*resource.Resource).Labels)
		case "annotationSelector":
			c.requirements(found, (*resource.Resource).Annotations)
		default:
			c.identities(found, name, !isSource)
		}
	})
}

// rejectable are the resources that an entry of reject could take out of what the
// target selects. Its id fields are one group, and its selectors another.
func (c *completer) rejectable(loaded *builder.Loaded, s *kustomization.Selector, name string) []*resource.Resource {
	isSelector := name == "labelSelector" || name == "annotationSelector"
	if isSelector {
		s = &kustomization.Selector{LabelSelector: s.LabelSelector, AnnotationSelector: s.AnnotationSelector}
	} else {
		s.LabelSelector, s.AnnotationSelector = kustomization.Text{}, kustomization.Text{}
	}
	found := loaded.Targets(&kustomization.ReplacementTarget{Select: s})
	if target := c.ancestorWith("select"); target != nil {
		_, node := syntax.Field(target, "select")
		selected := map[*resource.Resource]bool{}
		for _, r := range loaded.Targets(&kustomization.ReplacementTarget{Select: cursor.SelectorOf(node, "")}) {
			selected[r] = true
		}
		found = slices.DeleteFunc(found, func(r *resource.Resource) bool { return !selected[r] })
	}
	return found
}

// ancestorWith returns the innermost mapping around the slot that has a field.
func (c *completer) ancestorWith(name string) *yaml.Node {
	for i := len(c.slot.Steps) - 1; i >= 0; i-- {
		if _, value := syntax.Field(c.slot.Steps[i].Parent, name); value != nil {
			return c.slot.Steps[i].Parent
		}
	}
	return nil
}

// identities suggests a part of the identity of resources: the current one first,
// then the one that it was written with.
func (c *completer) identities(found []*resource.Resource, part string, isPattern bool) {
	values := newTally()
	for _, r := range found {
		id, original := r.ID(), r.OriginalID()
		switch part {
		case "group":
			values.add(id.Group, id.Kind, 0)
		case "version":
			values.add(id.Version, id.Kind, 0)
		case "kind":
			values.add(id.Kind, id.APIVersion(), 0)
		case "apiVersion":
			values.add(id.APIVersion(), id.Kind, 0)
		case "name":
			values.add(id.Name, id.Kind, 0)
			if original.Name != id.Name {
				values.add(original.Name, id.Kind+", now "+id.Name, 1)
			}
		case "namespace":
			if !id.ClusterScoped {
				values.add(id.Namespace, "", 0)
			}
		}
	}
	for _, v := range values.list {
		ch := choice{label: v.text, value: v.text, kind: SuggestResource, detail: v.describe(), rank: v.rank}
		if isPattern {
			ch.value = patternOf(v.text)
		}
		c.add(ch)
	}
}

// patternOf returns a text as a regular expression. A dot stands for itself, too, and
// is left as people write it.
func patternOf(value string) string {
	if strings.ReplaceAll(regexp.QuoteMeta(value), `\.`, ".") == value {
		return value
	}
	return regexp.QuoteMeta(value)
}

// tally counts texts, in the order in which they come.
type tally struct {
	list   []*counted
	byText map[string]*counted
}

type counted struct {
	text, about string
	number      int
	rank        int
	mixed       bool // several things have the text
}

func newTally() *tally { return &tally{byText: map[string]*counted{}} }

func (t *tally) add(text, about string, rank int) {
	if text == "" {
		return
	}
	v := t.byText[text]
	if v == nil {
		v = &counted{text: text, about: about, rank: rank}
		t.byText[text] = v
		t.list = append(t.list, v)
	}
	v.number++
	v.rank = min(v.rank, rank)
	v.mixed = v.mixed || v.about != about
}

func (v *counted) describe() string {
	about := v.about
	if v.mixed {
		about = ""
	}
	if v.number == 1 {
		return about
	}
	return strings.TrimPrefix(fmt.Sprintf("%s, %d resources", about, v.number), ", ")
}

// requirements suggests keys, and keys with their values, for the requirement of a
// label selector that is being typed.
func (c *completer) requirements(found []*resource.Resource, of func(*resource.Resource) map[string]string) {
	typed := c.slot.Typed
	start := lastRequirement(typed)
	key, operator, set := splitRequirement(typed[start:])
	keys, values := newTally(), newTally()
	for _, r := range found {
		for k, v := range of(r) {
			if operator == "" {
				keys.add(k, "", 0)
				if !strings.ContainsAny(v, " ,()=!\n") {
					values.add(k+"="+v, "", 1)
				}
			} else if k == key {
				values.add(v, "", 1)
			}
		}
	}
	prefix := typed[:start]
	if operator != "" {
		prefix = typed[:len(typed)-len(set)]
	}
	for _, t := range []*tally{keys, values} {
		for _, v := range t.list {
			c.add(choice{label: v.text, value: prefix + v.text, part: true, kind: SuggestValue, detail: v.describe(), rank: v.rank})
		}
	}
}

// lastRequirement is where the last requirement of a selector begins.
func lastRequirement(typed string) int {
	depth, start := 0, 0
	for i, r := range typed {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				start = i + 1
			}
		}
	}
	for start < len(typed) && typed[start] == ' ' {
		start++
	}
	return start
}

var requirementStart = text.Regexp(`^(!?[^\s=!,()]+)\s*(==|=|!=|\s(?:in|notin)\s*\((?:[^,)]*,)*)\s*([^,)]*)$`)

// splitRequirement splits a requirement in which an operator was typed already; the
// operator is empty where none was.
func splitRequirement(text string) (key, operator, value string) {
	match := requirementStart().FindStringSubmatch(text)
	if match == nil {
		return "", "", ""
	}
	return match[1], match[2], match[3]
}

// typeOf suggests groups, versions and kinds that are loaded; kinds alone for no name.
func (c *completer) typeOf(name string) {
	owner := c.owner()
	if name == "" {
		name, owner = "kind", nil
	}
	s := cursor.SelectorOf(owner, name)
	s.Name, s.Namespace = kustomization.Text{}, kustomization.Text{}
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) { c.identities(loaded.Sources(s), name, false) })
}

// namespaces suggests the namespaces of resources, and those that are resources.
func (c *completer) namespaces() {
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) {
		c.identities(loaded.Resources(), "namespace", false)
		c.identities(loaded.Sources(&kustomization.Selector{Kind: kustomization.Text{Value: "Namespace"}, Version: kustomization.Text{Value: "v1"}}), "name", false)
	})
}

// isMetadata tells whether labels or annotations of resources stand there: those of a
// kustomization are its own.
func isMetadata(at cursor.Place) bool {
	return at.Field != nil && at.Field.Type == kustomization.TypeTextMap && metadataAt(at) != nil && at.In() != "Metadata"
}

// metadataAt returns what the labels or annotations of resources are that stand there; nil
// for anything else.
func metadataAt(at cursor.Place) func(*resource.Resource) map[string]string {
	switch {
	case at.Named("commonLabels", "labels", "pairs"):
		return (*resource.Resource).Labels
	case at.Named("commonAnnotations", "annotations"):
		return (*resource.Resource).Annotations
	}
	return nil
}

// metadataKeys suggests the keys of the labels or annotations that resources have.
func (c *completer) metadataKeys(at cursor.Place) {
	c.eachMetadata(at, func(keys *tally, key, _ string) { keys.add(key, "", 0) }, func(v *counted) {
		if !c.slot.OnKey || !c.has(v.text) {
			c.add(choice{label: v.text, key: true, kind: SuggestKey, detail: markdown.Quantity(v.number, "resource")})
		}
	})
}

// metadataValues suggests the values that a label or annotation has.
func (c *completer) metadataValues(at cursor.Place, wanted string) {
	c.eachMetadata(at, func(values *tally, key, value string) {
		if key == wanted && !strings.Contains(value, "\n") {
			values.add(value, "", 0)
		}
	}, func(v *counted) {
		c.add(choice{label: v.text, value: v.text, kind: SuggestValue, detail: markdown.Quantity(v.number, "resource")})
	})
}

// eachMetadata counts what is added of the labels or annotations that are loaded, and
// suggests it.
func (c *completer) eachMetadata(at cursor.Place, add func(t *tally, key, value string), suggest func(*counted)) {
	counts := newTally()
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) {
		for _, r := range loaded.Resources() {
			for key, value := range metadataAt(at)(r) {
				add(counts, key, value)
			}
		}
	})
	for _, v := range counts.list {
		suggest(v)
	}
}
