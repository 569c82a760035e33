package diff

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// What stands for a value of a Secret that is not shown.
const (
	hidden       = "(hidden)"
	hiddenBefore = "(hidden, old)"
	hiddenAfter  = "(hidden, new)"
)

// hideSecrets replaces the values of a Secret, so that still can be seen which of
// them differ. Either side can be nil.
func hideSecrets(before, after *yaml.Node) {
	if !isSecret(before) && !isSecret(after) {
		return
	}
	for _, name := range []string{"data", "stringData"} {
		_, x := syntax.Field(before, name)
		_, y := syntax.Field(after, name)
		hide(x, y)
	}
	// kubectl keeps all of the Secret here.
	const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
	hide(annotation(before, lastApplied), annotation(after, lastApplied))
}

func isSecret(n *yaml.Node) bool {
	_, kind := syntax.Field(n, "kind")
	return kind != nil && kind.Value == "Secret"
}

func annotation(n *yaml.Node, name string) *yaml.Node {
	_, metadata := syntax.Field(n, "metadata")
	_, annotations := syntax.Field(metadata, "annotations")
	_, value := syntax.Field(annotations, name)
	return value
}

// hide replaces everything in a value, by key where both sides are mappings.
func hide(before, after *yaml.Node) {
	if isMapping(before) || isMapping(after) {
		for _, k := range keys(before, after) {
			_, x := syntax.Field(before, k)
			_, y := syntax.Field(after, k)
			hideOne(x, y)
		}
		// A side that is no mapping would show all that it holds.
		for _, n := range []*yaml.Node{before, after} {
			if n != nil && !isMapping(n) {
				*n = *textNode(hidden)
			}
		}
		return
	}
	hideOne(before, after)
}

func hideOne(before, after *yaml.Node) {
	x, y := hidden, hidden
	if before != nil && after != nil && !equal.Values(before, after) {
		x, y = hiddenBefore, hiddenAfter
	}
	if before != nil {
		*before = *textNode(x)
	}
	if after != nil {
		*after = *textNode(y)
	}
}

// decodeSecrets replaces base64 in the data of Secrets by the text it stands for.
func decodeSecrets(sides ...*yaml.Node) {
	for _, n := range sides {
		_, data := syntax.Field(n, "data")
		if !isSecret(n) || !isMapping(data) {
			continue
		}
		for i := 0; i+1 < len(data.Content); i += 2 {
			value := data.Content[i+1]
			if decoded, err := base64.StdEncoding.DecodeString(value.Value); value.Kind == yaml.ScalarNode && err == nil && utf8.Valid(decoded) {
				data.Content[i+1] = textNode(string(decoded))
			}
		}
	}
}

func isMapping(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

func textNode(value string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(value)
	return n
}
