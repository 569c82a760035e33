package complete

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// place is where in a kustomization a slot is.
type place struct {
	// path names the fields from the root, an item of a list being "-": that of the
	// value that the slot is, or of the mapping that it is a key of.
	path string
	// field is the innermost field, nil at the root; object what is known of the
	// mapping at path, nil for none. item is true for an item of field, which is a
	// list.
	field  *kustomization.Field
	object *kustomization.Struct
	item   bool
}

// enter goes one step deeper.
func (p place) enter(step syntax.Step) (place, bool) {
	if step.Key == nil {
		p.path, p.item = joined(p.path, "-"), true
		return p, p.field == nil || p.field.Type == kustomization.TypeList
	}
	if p.object == nil {
		if p.field == nil {
			return p, false
		}
		p.path = joined(p.path, step.Key.Value)
		return p, p.field.Type == kustomization.TypeTextMap || p.field.Type == kustomization.TypeFree
	}
	f, _ := p.object.Field(step.Key.Value)
	if f == nil {
		return p, false
	}
	return place{path: joined(p.path, f.Name), field: f, object: f.Struct}, true
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// isObject tells whether a mapping of known fields stands there.
func (p place) isObject() bool {
	switch {
	case p.object == nil:
		return false
	case p.field == nil, p.item:
		return true
	}
	return p.field.Type == kustomization.TypeObject || p.field.Type == kustomization.TypeTextMap
}

// isScalar tells whether a single value stands there.
func (p place) isScalar() bool {
	if p.field == nil {
		return false
	}
	switch p.field.Type {
	case kustomization.TypeList:
		return p.item && p.field.Element == kustomization.TypeText
	case kustomization.TypeObject, kustomization.TypeTextMap, kustomization.TypeFree:
		return false
	}
	return true
}

// completeKustomization completes in a kustomization file.
func (c *completer) completeKustomization() {
	c.completeFields(place{object: kustomization.Fields()})
}

// completeFields completes what is described by the table of fields.
func (c *completer) completeFields(at place) {
	for _, step := range c.before() {
		var known bool
		if at, known = at.enter(step); !known {
			return
		}
	}
	if !c.slot.OnKey {
		if at, known := at.enter(c.last()); known && at.isScalar() {
			c.values(at)
		} else if known && at.isMetadata() && c.last().Key != nil && c.last().Key.Value != at.field.Name {
			c.metadataValues(at, c.last().Key.Value)
		} else if known && c.isBehindKey() {
			c.below(at)
		}
		return
	}
	switch list := at.field != nil && at.field.Type == kustomization.TypeList && !at.item; {
	case list && (c.alone() || c.slot.Dashed):
		c.items(at)
	case at.isObject():
		c.keys(at, false)
	case at.isMetadata() && !c.slot.Dashed:
		c.metadataKeys(at)
	case at.isScalar() && (c.alone() || c.slot.Dashed):
		c.values(at)
	}
}

// isBehindKey tells whether nothing stands behind the key that the slot is the value
// of, so that the value can begin in the next line.
func (c *completer) isBehindKey() bool {
	return c.last().Key != nil && !c.slot.Open && c.slot.Word.Len() == 0 && (c.host == nil || c.host.IsBlock())
}

// below suggests what a mapping or list that begins in the next line can begin with.
func (c *completer) below(at place) {
	isList := at.field.Type == kustomization.TypeList
	if isList {
		at.path, at.item = joined(at.path, "-"), true
	}
	switch {
	case at.isObject():
		c.keys(at, isList)
	case at.isMetadata():
		c.metadataKeys(at)
	case isList:
		c.values(at)
	}
	for i := range c.choices {
		c.choices[i].below, c.choices[i].item = true, isList
	}
}

// items suggests the first line of an item, with its dash.
func (c *completer) items(at place) {
	at.path, at.item = joined(at.path, "-"), true
	if at.isObject() {
		c.keys(at, true)
		return
	}
	from := len(c.choices)
	c.values(at)
	if c.slot.Dashed {
		return
	}
	for i := range c.choices[from:] {
		c.choices[from+i].item = true
	}
}

// keys suggests the fields that can stand in the mapping of the slot and do not yet.
func (c *completer) keys(at place, item bool) {
	present := map[string]bool{}
	for i := 0; c.slot.OnKey && i+1 < len(c.last().Parent.Content); i += 2 {
		if f, _ := at.object.Field(c.last().Parent.Content[i].Value); f != nil {
			present[f.Name] = true
		}
	}
	if item || c.slot.Dashed {
		present = nil // those are of the list's own mapping
	}
	for i := range at.object.Fields {
		f := &at.object.Fields[i]
		if present[f.Name] || f.Support == kustomization.InProposalOnly || isExcluded(f.Name, present) {
			continue
		}
		ch := choice{label: f.Name, kind: SuggestField, key: true, item: item, shape: shapeOf(f), detail: fieldDetail(f),
			documentation: markdown.Field(f), deprecated: f.Deprecated, rank: i + 100, body: bodies[joined(at.path, f.Name)]}
		switch {
		case f.Deprecated:
			ch.rank += 1000
		case f.Required:
			ch.rank -= 100
		}
		if len(f.Enum) > 0 && f.Type == kustomization.TypeText {
			ch.body = choiceOf(f.Enum)
		} else if f.Type == kustomization.TypeBool {
			ch.body = choiceOf([]string{"true", "false"})
		}
		c.add(ch)
	}
}

// isExcluded tells whether a field makes no sense beside those that are there.
func isExcluded(name string, present map[string]bool) bool {
	for _, pair := range [][2]string{{"path", "patch"}, {"source", "sourceValue"}, {"path", "source"}, {"path", "sourceValue"}, {"path", "targets"}} {
		if name == pair[0] && present[pair[1]] || name == pair[1] && present[pair[0]] {
			return true
		}
	}
	return false
}

func shapeOf(f *kustomization.Field) shape {
	switch f.Type {
	case kustomization.TypeList:
		return listShape
	case kustomization.TypeObject, kustomization.TypeTextMap, kustomization.TypeFree:
		return objectShape
	}
	return scalarShape
}

func fieldDetail(f *kustomization.Field) string {
	detail := markdown.TypeName(f)
	switch {
	case f.Deprecated && f.ReplacedBy != "":
		detail += ", deprecated: use " + f.ReplacedBy
	case f.Support == kustomization.InKlsOnly:
		detail += ", only in kls"
	case f.Required:
		detail += ", required"
	}
	return detail
}

// bodies are snippets for fields of which one mostly wants the same: what is below
// the key, without its indentation.
var bodies = map[string]string{
	"patches":                          "- path: ${1:patch.yaml}",
	"patches.-.target":                 "kind: ${1:Deployment}\nname: ${2}",
	"patches.-.patch":                  "|-\n  ${1}",
	"images":                           "- name: ${1}\n  newTag: ${2}",
	"replicas":                         "- name: ${1}\n  count: ${2:1}",
	"labels":                           "- pairs:\n    ${1}: ${2}",
	"configMapGenerator":               "- name: ${1}\n  literals:\n  - ${2:key=value}",
	"secretGenerator":                  "- name: ${1}\n  literals:\n  - ${2:key=value}",
	"helmCharts":                       "- name: ${1}\n  repo: ${2}\n  version: ${3}",
	"replacements":                     "- source:\n    kind: ${1}\n    name: ${2}\n    fieldPath: ${3:metadata.name}\n  targets:\n  - select:\n      kind: ${4}\n    fieldPaths:\n    - ${5}",
	"replacements.-.source":            "kind: ${1}\nname: ${2}\nfieldPath: ${3:metadata.name}",
	"replacements.-.targets":           "- select:\n    kind: ${1}\n  fieldPaths:\n  - ${2}",
	"configMapGenerator.-.mergeValues": "- key: ${1}\n  format: ${2|json,yaml|}",
	"secretGenerator.-.mergeValues":    "- key: ${1}\n  format: ${2|json,yaml|}",
}

// values suggests values for a field.
func (c *completer) values(at place) {
	f := at.field
	switch {
	case f.Type == kustomization.TypeBool:
		c.booleans()
	case len(f.Enum) > 0:
		c.enumeration(at)
	case f.Path && at.path != "helmGlobals.configHome":
		c.paths(at)
	default:
		c.valuesOf(at)
	}
}

func (c *completer) booleans() {
	for rank, value := range []string{"true", "false"} {
		c.add(choice{label: value, value: value, plain: true, kind: SuggestChoice, rank: rank})
	}
}

// enumeration suggests the values that have a meaning, the default first.
func (c *completer) enumeration(at place) {
	there := texts(c.list())
	for rank, value := range at.field.Enum {
		ch := choice{label: value, value: value, kind: SuggestChoice, rank: rank}
		if value == at.field.Default {
			ch.detail = "default"
		}
		if strings.HasSuffix(syntax.FieldText(c.owner(), "key"), "."+value) && at.field.Name == "format" {
			ch.rank = -1 // as the key's ending says
		}
		if at.item && slices.Contains(there, value) {
			continue
		}
		c.add(ch)
	}
}

// list returns the list that the slot is an item of; nil where it is in none.
func (c *completer) list() *yaml.Node {
	_, value := syntax.Field(c.owner(), c.ownField())
	return value
}

// ownField returns the name of the field of which the slot is the value, or an item.
func (c *completer) ownField() string {
	steps := c.slot.Steps
	if c.slot.OnKey {
		steps = c.before()
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Key != nil {
			return steps[i].Key.Value
		}
	}
	return ""
}

// texts returns the single values of a list.
func texts(list *yaml.Node) []string {
	var found []string
	if list != nil && list.Kind == yaml.SequenceNode {
		for _, n := range list.Content {
			if n.Kind == yaml.ScalarNode {
				found = append(found, n.Value)
			}
		}
	}
	return found
}

// owner returns the mapping that has the field of which the slot is the value, or
// an item.
func (c *completer) owner() *yaml.Node {
	steps := c.slot.Steps
	if c.slot.OnKey {
		steps = c.before()
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Key != nil {
			return steps[i].Parent
		}
	}
	return nil
}

// entry returns the item of the outermost list around the slot: the entry of
// patches, replacements and so on.
func (c *completer) entry() *yaml.Node {
	for _, step := range c.slot.Steps {
		if step.Key == nil {
			return step.Value
		}
	}
	return nil
}

// valuesOf suggests values by what the field is for.
func (c *completer) valuesOf(at place) {
	path := at.path
	outer, name := "", path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		outer, name = path[:i], path[i+1:]
	}
	switch isSpec := c.isFieldSpec(outer); {
	case isSpec && name == "path":
		c.specPath()
		return
	case isSpec:
		c.typeOf(name)
		return
	}
	switch outer {
	case "patches.-.target", "patchesJson6902.-.target", "replacements.-.source", "replacements.-.targets.-.select",
		"replacements.-.targets.-.reject.-", "vars.-.objref":
		if name == "fieldPath" {
			c.sourcePath(false)
		} else {
			c.selector(outer, name)
		}
	case "replacements.-.targets.-.fieldPaths":
		c.targetPath()
	case "vars.-.fieldref":
		c.sourcePath(true)
	case "images.-", "imageTags.-":
		c.image(name)
	case "replicas.-":
		c.replica(name)
	case "configMapGenerator.-", "secretGenerator.-":
		c.generator(strings.HasPrefix(outer, "secret"), name)
	case "configMapGenerator.-.literals", "secretGenerator.-.literals":
		c.generatorKeys(strings.HasPrefix(outer, "secret"))
	case "configMapGenerator.-.mergeValues.-", "secretGenerator.-.mergeValues.-":
		c.mergeKeys(strings.HasPrefix(outer, "secret"))
	case "labels.-.fields.-", "sortOptions.legacySortOptions.orderFirst", "sortOptions.legacySortOptions.orderLast":
		c.typeOf(name)
	case "":
		if name == "namespace" {
			c.namespaces()
		}
	}
}
