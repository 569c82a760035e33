package complete

import (
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// completeInlinePatch completes in the text of a patch in a kustomization.
func (c *completer) completeInlinePatch(within syntax.Within) {
	at, known := cursor.Place{Object: kustomization.Fields()}.EnterAll(within.Steps)
	switch {
	case !known:
	case at.In() == "Patch" && at.Named("patch"):
		_, target := syntax.Field(within.Steps[len(within.Steps)-1].Parent, "target")
		c.completePatch(selectorIn(target))
	case at.Named("patchesStrategicMerge"):
		c.completePatch(nil)
	}
}

// pluginPatches are the fields of kustomize's own plugins that hold a patch, by kind.
var pluginPatches = map[string]string{"PatchTransformer": "patch", "PatchJson6902Transformer": "jsonOp", "PatchStrategicMergeTransformer": "patches"}

// completePluginPatch completes in the text of a patch in a file that configures one of
// kustomize's own plugins.
func (c *completer) completePluginPatch(within syntax.Within) {
	field := pluginPatches[syntax.FieldText(within.Root, "kind")]
	if len(within.Steps) != 1 || within.Steps[0].Key == nil || within.Steps[0].Key.Value != field {
		return
	}
	c.wanted = func(l *builder.Layer) bool { r, _ := workspace.RoleIn(l, c.file); return r == workspace.PluginRole }
	_, target := syntax.Field(within.Root, "target")
	c.completePatch(selectorIn(target))
}

// selectorIn reads a patch's target; nil for none.
func selectorIn(target *yaml.Node) *kustomization.Selector {
	if target == nil || target.Kind != yaml.MappingNode || len(target.Content) == 0 {
		return nil
	}
	return cursor.SelectorOf(target, "")
}

// completePatch completes in a patch. The target is nil where the entry has none.
func (c *completer) completePatch(target *kustomization.Selector) {
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) { c.patchWith(loaded, target) })
}

func (c *completer) patchWith(loaded *builder.Loaded, target *kustomization.Selector) {
	if len(c.slot.Steps) > 0 && c.slot.Steps[0].Key == nil || c.slot.Dashed && len(c.slot.Steps) == 1 {
		c.operation(loaded, target)
		return
	}
	var targets []*resource.Resource
	if target != nil {
		targets = loaded.Selected(target)
		if len(c.before()) == 0 && c.slot.OnKey && c.alone() {
			c.operationFields(true)
		}
	} else if syntax.FieldText(c.slot.Root, "kind") != "" {
		targets = loaded.Named(withoutStandIn(c.slot.Root))
	}
	c.body(loaded, targets, true)
}

// withoutStandIn returns what identifies a resource, without what is being typed.
func withoutStandIn(root *yaml.Node) *yaml.Node {
	slim := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		if key, value := syntax.Field(root, name); value != nil {
			slim.Content = append(slim.Content, key, syntax.Copy(value))
		}
	}
	return slim
}

// operations are those of RFC 6902, with what they do.
var operations = []struct{ name, doc string }{
	{"replace", "Sets a value that is there."},
	{"add", "Adds a field, or an element before an index; `-` is the end of the list. A field that is there is set."},
	{"remove", "Takes out a value that is there."},
	{"test", "Fails the build unless the value is the one given."},
	{"copy", "Copies the value at `from`."},
	{"move", "Moves the value at `from`."},
}

// operation completes in a JSON 6902 patch.
func (c *completer) operation(loaded *builder.Loaded, target *kustomization.Selector) {
	steps := c.slot.Steps
	if c.slot.OnKey && len(steps) <= 2 {
		c.operationFields(c.slot.Dashed && len(steps) == 1)
		return
	}
	if len(steps) != 2 || steps[1].Key == nil || target == nil {
		return
	}
	switch steps[1].Key.Value {
	case "op":
		for rank, o := range operations {
			c.add(choice{label: o.name, value: o.name, kind: SuggestOperation, documentation: o.doc, rank: rank})
		}
	case "path", "from":
		c.pointer(loaded, loaded.Selected(target), steps[1].Key.Value == "path" && c.sibling("op") == "add")
	case "value":
		for _, r := range first(loaded.Selected(target)) {
			for _, n := range atPointer([]*yaml.Node{r.Node}, c.sibling("path")) {
				c.present(n)
			}
		}
	}
}

// operationFields suggests the fields of an operation that it has not yet.
func (c *completer) operationFields(item bool) {
	op := c.sibling("op")
	for rank, f := range markdown.OperationFields {
		takesFrom := op == "copy" || op == "move"
		if f.Name == "from" && op != "" && !takesFrom || f.Name == "value" && (takesFrom || op == "remove") {
			continue
		}
		if _, there := syntax.Field(c.last().Parent, f.Name); there != nil && !item {
			continue
		}
		c.add(choice{label: f.Name, kind: SuggestField, key: true, item: item, documentation: f.Doc, body: f.Body, rank: rank})
		if item {
			return // it begins with op
		}
	}
}

func first(list []*resource.Resource) []*resource.Resource { return list[:min(len(list), maxLookedAt)] }

// pointer suggests the next token of a JSON pointer.
func (c *completer) pointer(loaded *builder.Loaded, targets []*resource.Resource, adds bool) {
	typed := c.slot.Typed
	before := typed[:strings.LastIndexByte(typed, '/')+1]
	if before == "" {
		before = "/"
	}
	behind := string(c.content[min(c.offset, c.slot.Word.End):c.slot.Word.End])
	rest := len(strings.TrimRight(behind, `"'`))
	if i := strings.IndexByte(behind, '/'); i >= 0 {
		rest = i
	}
	add := func(token, detail string, kind SuggestionKind, rank int) {
		token = jsonpointer.Escape(token)
		c.add(choice{label: token, value: before + token, part: true, rest: rest, kind: kind, detail: detail, rank: rank})
	}
	above := strings.TrimSuffix(before, "/")
	for _, r := range first(targets) {
		for _, n := range atPointer([]*yaml.Node{r.Node}, above) {
			switch n.Kind {
			case yaml.MappingNode:
				for i := 0; i+1 < len(n.Content); i += 2 {
					add(n.Content[i].Value, summary(n.Content[i+1]), SuggestKey, 0)
				}
			case yaml.SequenceNode:
				for i, element := range n.Content[:min(len(n.Content), maxSuggestions)] {
					add(strconv.Itoa(i), summary(element), SuggestElement, 0)
				}
				if adds {
					add("-", "behind the last element", SuggestElement, 1)
				}
			}
		}
	}
	if !adds {
		return
	}
	for _, r := range kinds(targets) {
		for _, f := range c.schema(loaded).Fields(r.ID().APIVersion(), r.ID().Kind, jsonpointer.Keys(above)) {
			add(f.Name, f.Type, SuggestField, 10)
		}
	}
}

// kinds returns one resource of each kind.
func kinds(list []*resource.Resource) []*resource.Resource {
	var found []*resource.Resource
	seen := map[string]bool{}
	for _, r := range list {
		if kind := r.ID().APIVersion() + " " + r.ID().Kind; !seen[kind] {
			seen[kind] = true
			found = append(found, r)
		}
	}
	return found[:min(len(found), 10)]
}

func atPointer(roots []*yaml.Node, pointer string) []*yaml.Node {
	var found []*yaml.Node
	for _, root := range roots {
		if n := syntax.Lookup(root, jsonpointer.Keys(pointer)...); n != nil {
			found = append(found, n)
		}
	}
	return found
}
