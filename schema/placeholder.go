package schema

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Some trees are rendered for another program, which fills in what is missing
// before the API server sees it. What stands there now says nothing of what it
// will be.

// template finds what envsubst, Flux's post-build substitution, Helm and Jinja
// replace.
var template = text.Regexp(`\$\{[^}]*\}|\{\{.*\}\}|\{%.*%\}|<%.*%>`)

// HoldsTemplate tells of a text of which another program replaces a part.
func HoldsTemplate(text string) bool { return template().MatchString(text) }

// word finds the names that people give to what their own scripts replace:
// NAMES_LIKE_THIS.
var word = text.Regexp(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

// isEncrypted tells whether sops encrypted a resource: it is decrypted before it
// is applied, and the field sops taken out.
func isEncrypted(resource *yaml.Node) bool {
	sops := field(resource, "sops")
	return sops != nil && sops.Kind == yaml.MappingNode && (field(sops, "mac") != nil || field(sops, "lastmodified") != nil)
}

// isFilledIn tells whether a violation is about something that another program
// replaces.
func isFilledIn(v Violation) bool {
	n := resolved(v.Node)
	switch {
	case v.Kind == UnknownField:
		return false // told apart where the field's value is at hand
	case n.Kind != yaml.ScalarNode:
		return hasPlaceholder(n) || v.Kind != WrongType && v.Kind != MissingField && holdsTemplate(n, 0)
	case template().MatchString(n.Value):
		return true
	}
	// Where text may stand, a word with one underscore may be a mistake: TCP_UDP.
	return word().MatchString(n.Value) && (v.Kind == WrongType || strings.Count(n.Value, "_") > 1)
}

// hasPlaceholder tells of a mapping with a key that is no field's name: more than
// one field can come of it.
func hasPlaceholder(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isPlaceholderKey(n.Content[i], n.Content[i+1]) {
			return true
		}
	}
	return false
}

// isPlaceholderKey tells of a key that stands for other fields. A name in capitals
// with a value is a variable in the wrong place. {{ .name }} without quotes is a
// mapping with a mapping as its key.
func isPlaceholderKey(key, value *yaml.Node) bool {
	if value = resolved(value); key.Kind == yaml.MappingNode {
		return true
	}
	empty := value != nil && value.Kind == yaml.ScalarNode && (value.Value == "" || isNull(value))
	return template().MatchString(key.Value) || empty && word().MatchString(key.Value)
}

// holdsTemplate tells whether a template is somewhere in a value.
func holdsTemplate(n *yaml.Node, depth int) bool {
	if n = resolved(n); n == nil || depth > deepest {
		return false
	}
	return n.Kind == yaml.ScalarNode && template().MatchString(n.Value) ||
		slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return holdsTemplate(child, depth+1) })
}
