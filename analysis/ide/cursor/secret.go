package cursor

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// DecodedNote says that what is shown is not what stands there.
const DecodedNote = "*Values of the Secret are decoded.*"

// DecodedText returns the text that the base64 of a Secret stands for; false where it
// stands for none that can be shown.
func DecodedText(encoded string) (string, bool) {
	plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	hidden := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) }
	if err != nil || !utf8.Valid(plain) || strings.ContainsFunc(string(plain), hidden) {
		return "", false
	}
	return string(plain), true
}

// Readable returns a resource as people read it: printed, a Secret with its values
// decoded where they are text. decoded tells whether any is.
func Readable(r *resource.Resource) (text []byte, decoded bool) {
	if r.Node == nil || r.ID().Kind != "Secret" {
		return Printed(r), false
	}
	key, data := syntax.Field(r.Node, "data")
	if data == nil || data.Kind != yaml.MappingNode {
		return Printed(r), false
	}
	slim := *data
	slim.Content = slices.Clone(data.Content)
	for i := 1; i < len(slim.Content); i += 2 {
		if plain, ok := DecodedText(slim.Content[i].Value); ok && slim.Content[i].Kind == yaml.ScalarNode && plain != "" {
			value := &yaml.Node{}
			value.SetString(plain)
			slim.Content[i], decoded = value, true
		}
	}
	root := *r.Node
	root.Content = slices.Clone(root.Content)
	root.Content[slices.Index(root.Content, key)+1] = &slim
	return Printed(&resource.Resource{Node: &root}), decoded
}
