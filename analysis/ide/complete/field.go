package complete

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// completeKustomization completes in a kustomization file.
func (c *completer) completeKustomization() {
	c.completeFields(cursor.Place{Object: kustomization.Fields()})
}

// completeFields completes what is described by the table of fields.
func (c *completer) completeFields(at cursor.Place) {
	at, known := at.EnterAll(c.before())
	if !known {
		return
	}
	if !c.slot.OnKey {
		if at, known := at.Enter(c.last()); known && at.IsScalar() {
			c.values(at)
		} else if known && isMetadata(at) && c.last().Key != nil && c.last().Key.Value != at.Field.Name {
			c.metadataValues(at, c.last().Key.Value)
		} else if known && c.isBehindKey() {
			c.below(at)
		}
		return
	}
	switch list := at.Field != nil && at.Field.Type == kustomization.TypeList && !at.Item; {
	case list && (c.alone() || c.slot.Dashed):
		c.items(at)
	case at.IsObject():
		c.keys(at, false)
	case isMetadata(at) && !c.slot.Dashed:
		c.metadataKeys(at)
	case at.IsScalar() && (c.alone() || c.slot.Dashed):
		c.values(at)
	}
}

// isBehindKey tells whether nothing stands behind the key that the slot is the value
// of, so that the value can begin in the next line.
func (c *completer) isBehindKey() bool {
	return c.last().Key != nil && !c.slot.Open && c.slot.Word.Len() == 0 && (c.host == nil || c.host.IsBlock())
}

// below suggests what a mapping or list that begins in the next line can begin with.
func (c *completer) below(at cursor.Place) {
	isList := at.Field.Type == kustomization.TypeList
	if isList {
		at.Item = true
	}
	switch {
	case at.IsObject():
		c.keys(at, isList)
	case isMetadata(at):
		c.metadataKeys(at)
	case isList:
		c.values(at)
	}
	for i := range c.choices {
		c.choices[i].below, c.choices[i].item = true, isList
	}
}

// items suggests the first line of an item, with its dash.
func (c *completer) items(at cursor.Place) {
	at.Item = true
	if at.IsObject() {
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
func (c *completer) keys(at cursor.Place, item bool) {
	present := map[string]bool{}
	for i := 0; c.slot.OnKey && i+1 < len(c.last().Parent.Content); i += 2 {
		if f, _ := at.Object.Field(c.last().Parent.Content[i].Value); f != nil {
			present[f.Name] = true
		}
	}
	if item || c.slot.Dashed {
		present = nil // those are of the list's own mapping
	}
	for i := range at.Object.Fields {
		f := &at.Object.Fields[i]
		if present[f.Name] || f.Support == kustomization.InProposalOnly || isExcluded(f.Name, present) {
			continue
		}
		ch := choice{label: f.Name, kind: SuggestField, key: true, item: item, shape: shapeOf(f), detail: fieldDetail(f),
			documentation: markdown.Field(f), deprecated: f.Deprecated, rank: i + 100, body: bodyOf(f)}
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

// bodies are snippets for fields of which one mostly wants the same, by the name of the
// field and of the kustomization.Struct of its value: what is below the key, without its
// indentation.
var bodies = map[[2]string]string{
	{"patches", "Patch"}:                    "- path: ${1:patch.yaml}",
	{"target", "Selector"}:                  "kind: ${1:Deployment}\nname: ${2}",
	{"patch", ""}:                           "|-\n  ${1}",
	{"images", "Image"}:                     "- name: ${1}\n  newTag: ${2}",
	{"replicas", "Replica"}:                 "- name: ${1}\n  count: ${2:1}",
	{"labels", "Label"}:                     "- pairs:\n    ${1}: ${2}",
	{"configMapGenerator", "ConfigMapArgs"}: "- name: ${1}\n  literals:\n  - ${2:key=value}",
	{"secretGenerator", "SecretArgs"}:       "- name: ${1}\n  literals:\n  - ${2:key=value}",
	{"helmCharts", "HelmChart"}:             "- name: ${1}\n  repo: ${2}\n  version: ${3}",
	{"replacements", "Replacement"}:         "- source:\n    kind: ${1}\n    name: ${2}\n    fieldPath: ${3:metadata.name}\n  targets:\n  - select:\n      kind: ${4}\n    fieldPaths:\n    - ${5}",
	{"source", "ReplacementSource"}:         "kind: ${1}\nname: ${2}\nfieldPath: ${3:metadata.name}",
	{"targets", "ReplacementTarget"}:        "- select:\n    kind: ${1}\n  fieldPaths:\n  - ${2}",
	{"mergeValues", "MergeValue"}:           "- key: ${1}\n  format: ${2|json,yaml|}",
}

func bodyOf(f *kustomization.Field) string {
	name := ""
	if f.Struct != nil {
		name = f.Struct.Name
	}
	return bodies[[2]string{f.Name, name}]
}

// values suggests values for a field.
func (c *completer) values(at cursor.Place) {
	f := at.Field
	switch {
	case f.Type == kustomization.TypeBool:
		c.booleans()
	case len(f.Enum) > 0:
		c.enumeration(at)
	case f.Path && f.Name != "configHome": // which helm writes to
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
func (c *completer) enumeration(at cursor.Place) {
	there := texts(c.list())
	for rank, value := range at.Field.Enum {
		ch := choice{label: value, value: value, kind: SuggestChoice, rank: rank}
		if value == at.Field.Default {
			ch.detail = "default"
		}
		if strings.HasSuffix(syntax.FieldText(c.owner(), "key"), "."+value) && at.Field.Name == "format" {
			ch.rank = -1 // as the key's ending says
		}
		if at.Item && slices.Contains(there, value) {
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
func (c *completer) valuesOf(at cursor.Place) {
	name := at.Field.Name
	isSecret := strings.HasPrefix(at.In(), "Secret")
	switch at.In() {
	case kustomization.FieldSpecName:
		if name == "path" {
			c.specPath()
		} else {
			c.typeOf(name)
		}
	case "NameReference":
		c.typeOf(name)
	case "LegacySortOptions":
		c.typeOf("")
	case "ReplacementSource", "Selector", "ObjRef":
		if name == "fieldPath" {
			c.sourcePath(false)
		} else {
			c.selector(*at.Owner, name)
		}
	case "ReplacementTarget":
		c.targetPath()
	case "FieldRef":
		c.sourcePath(true)
	case "Image":
		c.image(name)
	case "Replica":
		c.replica(name)
	case "ConfigMapArgs", "SecretArgs", "ConfigMapGenerator", "SecretGenerator":
		if name == "literals" {
			c.generatorKeys(isSecret)
		} else {
			c.generator(isSecret, name)
		}
	case "MergeValue":
		c.mergeKeys(strings.HasPrefix(at.Owner.In(), "Secret"))
	default:
		if name == "namespace" && at.Owner.Owner == nil {
			c.namespaces()
		}
	}
}
