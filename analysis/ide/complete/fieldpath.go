package complete

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/transform"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// maxLookedAt bounds in how many of the resources that a selector matches the
// fields are looked for.
const maxLookedAt = 50

// segmentSlot is the segment of a field path that is being typed.
type segmentSlot struct {
	before string // the path before it, with its dot
	rest   int    // bytes of it behind the position
}

func (c *completer) segmentSlot() segmentSlot {
	typed := c.slot.Typed
	segments := fieldpath.Parse(typed).Segments
	s := segmentSlot{before: typed[:segments[len(segments)-1].Span.Start]}
	if n := len(typed); n > 0 && typed[n-1] == '.' && !strings.HasSuffix(typed, `\.`) && strings.LastIndexByte(typed, '[') <= strings.LastIndexByte(typed, ']') {
		s.before = typed
	}
	behind := string(c.content[min(c.offset, c.slot.Word.End):c.slot.Word.End])
	whole := fieldpath.Parse(typed + behind)
	for _, segment := range whole.Segments {
		if segment.Span.Start <= len(typed) && len(typed) <= segment.Span.End {
			s.rest = min(segment.Span.End-len(typed), len(strings.TrimRight(behind, `"'`)))
		}
	}
	return s
}

// sourcePath suggests segments of the path of a replacement's source, or of a var's.
func (c *completer) sourcePath(isVar bool) {
	owner, moment := c.owner(), transform.BeforeReplacements
	if isVar {
		_, owner = syntax.Field(c.ancestorWith("objref"), "objref")
		moment = transform.BeforeTransformers
	}
	segment := c.segmentSlot()
	path := fieldpath.Parse(segment.before + syntax.StandIn)
	c.loaded(moment, func(loaded *builder.Loaded) {
		found := loaded.Sources(cursor.SelectorOf(owner, ""))
		for _, r := range found[:min(len(found), maxLookedAt)] {
			outcome := fieldpath.Get(r.Node, path, fieldpath.Options{Explain: true})
			c.segments(segment, lastFrom(outcome), false)
		}
	})
}

// lastFrom returns the nodes in which the last segment of a path was looked for.
func lastFrom(outcome fieldpath.Outcome) []*yaml.Node {
	if n := len(outcome.Steps); n > 0 {
		return outcome.Steps[n-1].From
	}
	return nil
}

// targetPath suggests segments of a path of a replacement's target.
func (c *completer) targetPath() {
	owner := c.owner()
	target := &kustomization.ReplacementTarget{}
	if _, node := syntax.Field(owner, "select"); node != nil {
		target.Select = cursor.SelectorOf(node, "")
	} else {
		return
	}
	if _, list := syntax.Field(owner, "reject"); list != nil {
		for _, n := range list.Content {
			target.Reject = append(target.Reject, cursor.SelectorOf(n, ""))
		}
	}
	_, options := syntax.Field(owner, "options")
	create := syntax.FieldText(options, "create") == "true"
	segment := c.segmentSlot()
	path := fieldpath.Parse(segment.before + syntax.StandIn)
	c.loaded(transform.BeforeReplacements, func(loaded *builder.Loaded) {
		found := loaded.Targets(target)
		kinds := map[string]bool{}
		for _, r := range found[:min(len(found), maxLookedAt)] {
			outcome := fieldpath.Match(r.Node, path, 0, fieldpath.Options{Explain: true})
			c.segments(segment, lastFrom(outcome), true)
			if key := r.ID().APIVersion() + " " + r.ID().Kind; create && !kinds[key] {
				kinds[key] = true
				c.creatable(segment, loaded, r)
			}
		}
	})
}

// creatable suggests fields that the schema has and the resource has not.
func (c *completer) creatable(segment segmentSlot, loaded *builder.Loaded, r *resource.Resource) {
	var way []string
	for _, s := range fieldpath.Parse(segment.before + syntax.StandIn).Segments {
		switch s.Kind {
		case fieldpath.Key:
			way = append(way, s.Text)
		default:
			way = append(way, "0")
		}
	}
	known, way := c.schema(loaded), way[:len(way)-1]
	if list, ok := known.Describe(r.ID().APIVersion(), r.ID().Kind, way); ok && list.IsList {
		return // its entries are no mapping, and none is created for a field
	}
	for _, f := range known.Fields(r.ID().APIVersion(), r.ID().Kind, way) {
		if fieldpath.CanEscape(f.Name) {
			c.add(choice{label: f.Name, value: segment.before + fieldpath.Escape(f.Name), part: true, rest: segment.rest, kind: SuggestField,
				detail: strings.TrimPrefix(f.Type+", created", ", "), documentation: f.Description, rank: 10})
		}
	}
}

// segments suggests what can follow in nodes that a path leads to.
func (c *completer) segments(segment segmentSlot, nodes []*yaml.Node, isTarget bool) {
	add := func(written, detail string, kind SuggestionKind, rank int) {
		c.add(choice{label: written, value: segment.before + written, part: true, rest: segment.rest, kind: kind, detail: detail, rank: rank})
	}
	for _, n := range nodes {
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if key := n.Content[i].Value; fieldpath.CanEscape(key) {
					add(fieldpath.Escape(key), summary(n.Content[i+1]), SuggestKey, 0)
				}
			}
		case yaml.SequenceNode:
			for i, element := range n.Content[:min(len(n.Content), maxSuggestions)] {
				if written, ok := elementSegment(n, element, isTarget); ok {
					add(written, summary(element), SuggestElement, 0)
				}
				add(strconv.Itoa(i), summary(element), SuggestElement, 2)
			}
			switch {
			case isTarget:
				add("*", "every element", SuggestElement, 1)
			case len(n.Content) > 0:
				add("-", "the last element: "+summary(n.Content[len(n.Content)-1]), SuggestElement, 1)
			}
		}
	}
}

// elementKeys are fields by which elements of lists are mostly told apart.
var elementKeys = []string{"name", "key", "id", "containerPort", "port", "mountPath", "devicePath", "ip", "topologyKey", "type", "kind", "host"}

// elementSegment names an element of a list by one of its fields, or by its value.
func elementSegment(list, element *yaml.Node, isTarget bool) (string, bool) {
	key, value := "", ""
	switch element.Kind {
	case yaml.ScalarNode:
		value = element.Value
	case yaml.MappingNode:
		key, value = identifying(element)
		if key == "" {
			return "", false
		}
	}
	if value == "" || element.Kind == yaml.SequenceNode {
		return "", false
	}
	pattern := value
	if isTarget {
		pattern = regexp.QuoteMeta(value)
		loose := func(n *yaml.Node) bool {
			other := n.Value
			if key != "" {
				other = syntax.FieldText(n, key)
			}
			return other != value && strings.Contains(other, value)
		}
		if slices.ContainsFunc(list.Content, loose) {
			pattern = "^" + pattern + "$"
		}
	}
	written := "[" + key + "=" + pattern + "]"
	parsed := fieldpath.Parse(written)
	ok := len(parsed.Segments) == 1 && parsed.Segments[0].Kind == fieldpath.Element && parsed.Segments[0].Value == pattern
	return written, ok
}

// identifying returns the field that tells an element from others.
func identifying(element *yaml.Node) (key, value string) {
	for _, key := range elementKeys {
		if value := syntax.FieldText(element, key); value != "" {
			return key, value
		}
	}
	for i := 0; i+1 < len(element.Content); i += 2 {
		if v := element.Content[i+1]; v.Kind == yaml.ScalarNode && v.Value != "" {
			return element.Content[i].Value, v.Value
		}
	}
	return "", ""
}

// summary shows a value in few words.
func summary(n *yaml.Node) string {
	switch n.Kind {
	case yaml.ScalarNode:
		return markdown.Shortened(n.Value)
	case yaml.SequenceNode:
		return fmt.Sprintf("list of %d", len(n.Content))
	case yaml.MappingNode:
		if key, value := identifying(n); key != "" {
			return markdown.Shortened(key + ": " + value)
		}
		return "mapping"
	}
	return ""
}

// schema returns what is known of the kinds of Kubernetes, and of those that are
// defined among the loaded resources; never nil.
func (c *completer) schema(loaded *builder.Loaded) *schema.Kubernetes {
	if c.kinds != nil {
		return c.kinds
	}
	c.kinds = c.view.Kubernetes(c.file)
	if loaded == nil {
		return c.kinds
	}
	var definitions []*yaml.Node
	for _, r := range loaded.Resources() {
		if r.ID().Kind == "CustomResourceDefinition" {
			definitions = append(definitions, r.Node)
		}
	}
	if len(definitions) > 0 {
		c.kinds = c.kinds.WithCRDs(definitions)
	}
	return c.kinds
}
