package edit

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// AddEntry makes the edits that put a text behind the entries of a field that is a
// list of texts; there are none where it has the entry. A missing field goes to the
// end, as with kustomize edit. The reason says why the file cannot be edited.
func (f *File) AddEntry(name, value string) (edits []text.Edit, reason string) {
	x := f.field(name)
	switch {
	case x == nil:
		edits = f.appendField(name, []string{Scalar(value)})
	case x.twice:
		return nil, twiceReason(name)
	case slices.ContainsFunc(x.value.Content, func(n *yaml.Node) bool { return n.Value == value }):
		return nil, ""
	default:
		var ok bool
		if edits, ok = f.addEntries(x, []string{Scalar(value)}); !ok {
			return nil, "its " + name + " is no plain list"
		}
	}
	after, reason := f.apply(edits)
	if reason != "" {
		return nil, reason
	}
	if y := after.field(name); y == nil || len(y.value.Content) == 0 || y.value.Content[len(y.value.Content)-1].Value != value || !sameComments(f, after) {
		return nil, unknownForm
	}
	return edits, ""
}

// Scalar writes a text as a YAML scalar on one line.
func Scalar(value string) string {
	n := parseOne("[" + value + "]")
	if n != nil && n.Kind == yaml.SequenceNode && len(n.Content) == 1 {
		if only := n.Content[0]; only.Kind == yaml.ScalarNode && only.Style == 0 && only.Value == value && only.ShortTag() == "!!str" && commentStart([]byte(value)) < 0 {
			return value
		}
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
