package edit

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/scalar"
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
		edits = f.appendField(name, []string{scalar.Write(value, 0, true)})
	case x.twice:
		return nil, twiceReason(name)
	case slices.ContainsFunc(x.value.Content, func(n *yaml.Node) bool { return n.Value == value }):
		return nil, ""
	default:
		var ok bool
		if edits, ok = f.addEntries(x, []string{scalar.Write(value, 0, true)}); !ok {
			return nil, "its " + name + " is not a plain list"
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
