package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// directiveField is the key of a strategic merge patch's directives.
const directiveField = "$patch"

// lossFinder looks at a strategic merge patch, before it is applied, for what is
// going to get lost in lists without a word.
type lossFinder struct {
	builder *Adviser
	layer   *trace.Layer
	target  *resource.Resource
}

// ReportLosses looks through a patch and the resource that it is going to be
// merged into. It is for diagnostics only.
func (b *Adviser) ReportLosses(l *trace.Layer, r *resource.Resource, patch *yaml.Node) {
	if !b.Options.Analyze {
		return
	}
	id := r.ID()
	f := &lossFinder{b, l, r}
	f.walk(nil, r.Node, patch, b.Schema.Schema.ForResource(id.APIVersion(), id.Kind))
}

func (f *lossFinder) walk(key, dest, patch *yaml.Node, t kubernetes.Type) {
	if dest == nil || dest.Kind != patch.Kind {
		return
	}
	switch patch.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(patch.Content); i += 2 {
			name := patch.Content[i]
			_, below := syntax.Field(dest, name.Value)
			f.walk(name, below, patch.Content[i+1], t.Field(name.Value))
		}
	case yaml.SequenceNode:
		f.walkList(key, dest, patch, t)
	}
}

func (f *lossFinder) walkList(key, dest, patch *yaml.Node, t kubernetes.Type) {
	keys, associative := t.MergeKeys()
	if !associative {
		if !t.Known() && key != nil {
			f.checkReplaced(key, dest, patch)
		}
		return
	}
	keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !hasKey(dest, k) && !hasKey(patch, k) })
	for _, element := range patch.Content {
		if len(keys) == 0 || element.Kind != yaml.MappingNode {
			continue
		}
		f.checkDirective(element, keys)
		f.checkKeyed(element, keys)
		same := f.elementLike(dest, element, keys)
		if same != nil {
			f.walk(nil, same, element, t.Elements())
		}
	}
}

func hasKey(list *yaml.Node, key string) bool {
	return slices.ContainsFunc(list.Content, func(element *yaml.Node) bool {
		_, value := syntax.Field(element, key)
		return value != nil
	})
}

// elementLike returns the element that a patch's element is merged into. Where
// one has the same keys as far as the patch has them, but not all, kyaml merges
// neither: what the patch says is lost (mergeIrregular in package patch).
func (f *lossFinder) elementLike(dest, element *yaml.Node, keys []string) *yaml.Node {
	missing := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { _, v := syntax.Field(element, k); return v != nil })
	given := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return slices.Contains(missing, k) })
	if len(given) == 0 {
		return nil
	}
	for _, other := range dest.Content {
		if !equalIn(other, element, given) || !hasAll(other, keys) {
			continue
		}
		if len(missing) == 0 {
			return other
		}
		if !containsAll(other, element) {
			f.reportKeyMissing(element, other, given, missing)
		}
	}
	return nil
}

// containsAll tells whether a mapping has every field of another, all of them
// scalars, with the same value.
func containsAll(n, fields *yaml.Node) bool {
	for i := 0; i+1 < len(fields.Content); i += 2 {
		_, has := syntax.Field(n, fields.Content[i].Value)
		value := fields.Content[i+1]
		if has == nil || value.Kind != yaml.ScalarNode || has.Value != value.Value || has.Tag != value.Tag {
			return false
		}
	}
	return true
}

func hasAll(element *yaml.Node, keys []string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { _, v := syntax.Field(element, k); return v == nil })
}

func equalIn(a, b *yaml.Node, keys []string) bool {
	for _, key := range keys {
		_, x := syntax.Field(a, key)
		_, y := syntax.Field(b, key)
		if x == nil || y == nil || x.Value != y.Value {
			return false
		}
	}
	return true
}

func (f *lossFinder) reportKeyMissing(element, other *yaml.Node, given, missing []string) {
	key, _ := syntax.Field(element, given[0])
	var values []string
	for _, name := range missing {
		_, value := syntax.Field(other, name)
		values = append(values, name+": "+value.Value)
	}
	f.builder.Report(f.layer, problem.Problem{Code: problem.PatchMergeKeyMissing, Node: key,
		Message: fmt.Sprintf("what this element sets is lost: the one of %s has %s, and this one does not say it", f.target.ID(), strings.Join(values, " and ")),
		Help:    "add " + strings.Join(values, " and "),
		Related: []problem.Related{{Node: other, Message: "the element that was probably meant"}}})
}

// checkKeyed reports an element that has none of the keys by which elements merge:
// it is merged with nothing.
func (f *lossFinder) checkKeyed(element *yaml.Node, keys []string) {
	if len(element.Content) == 0 {
		return
	}
	at, help := element.Content[0], "add "+keys[0]
	var fixes []problem.Fix
	for i := 0; i < len(element.Content); i += 2 {
		key := element.Content[i]
		if slices.Contains(keys, key.Value) || key.Value == directiveField {
			return
		}
		if _, near := text.Nearest(key.Value, keys[:1]); near {
			at, help = key, fmt.Sprintf("did you mean %s?", keys[0])
			fixes = []problem.Fix{{Title: "Change to " + keys[0], New: keys[0]}}
		}
	}
	f.builder.Report(f.layer, problem.Problem{Code: problem.PatchMergeKeyMissing, Node: at, Help: help, Fixes: fixes,
		Message: fmt.Sprintf("this element has no %s, by which it would be found in %s", keys[0], f.target.ID())})
}

// checkDirective reports a directive that kyaml takes for no directive: of those
// for one element, which has its keys beside it, only delete is heeded.
func (f *lossFinder) checkDirective(element *yaml.Node, keys []string) {
	key, directive := syntax.Field(element, directiveField)
	if directive == nil || directive.Value != "replace" || len(element.Content) <= 2 {
		return
	}
	f.builder.Report(f.layer, problem.Problem{Code: problem.PatchDirectiveIgnored, Node: key,
		Message: "kustomize applies nothing of an element with $patch: replace",
		Help:    fmt.Sprintf("elements are found by %s and merged; to replace one, use a JSON6902 patch", strings.Join(keys, " and "))})
}

// checkReplaced reports a list that the patch replaces as a whole, since nothing
// tells how its elements merge, where elements with other names get lost.
func (f *lossFinder) checkReplaced(key, dest, patch *yaml.Node) {
	lost := missingNames(dest, patch)
	if len(lost) == 0 || len(patch.Content) == 0 {
		return
	}
	f.builder.Report(f.layer, problem.Problem{Code: problem.PatchListReplaced, Node: key,
		Message: fmt.Sprintf("the patch replaces the whole list: %s %s of %s", strings.Join(lost, ", "), are(lost), f.target.ID()),
		Help:    "kustomize knows no merge key for this list; repeat the elements, use a JSON6902 patch, or name a schema in openapi",
		Related: []problem.Related{{Node: dest, Message: "the list that is lost"}}})
}

func are(lost []string) string {
	if len(lost) == 1 {
		return "gets lost"
	}
	return "get lost"
}

// missingNames returns the names of elements that the second list does not have;
// none where not all elements of both have a name, or none is in both: a list
// that has nothing in common is meant to be another.
func missingNames(first, second *yaml.Node) []string {
	kept := map[string]bool{}
	for _, element := range second.Content {
		_, name := syntax.Field(element, "name")
		if name == nil || name.Kind != yaml.ScalarNode {
			return nil
		}
		kept[name.Value] = true
	}
	var lost []string
	for _, element := range first.Content {
		_, name := syntax.Field(element, "name")
		if name == nil || name.Kind != yaml.ScalarNode {
			return nil
		}
		if !kept[name.Value] {
			lost = append(lost, name.Value)
		}
	}
	if len(lost) == len(first.Content) && len(second.Content) >= len(first.Content) {
		return nil
	}
	return lost
}
