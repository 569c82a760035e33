package fieldpath

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	yaml "go.yaml.in/yaml/v3"
)

// serialise writes a document back as kustomize does: JSON where the old text
// begins as JSON, with sorted keys and on many lines where the old text has a
// line break and two spaces in a row, else YAML without spaces around it.
func serialise(document *Document) (value string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("yaml: %v", reason)
		}
	}()
	if document.Format == YAML {
		rendered, err := render(document.Root)
		return strings.TrimSpace(rendered), err
	}
	data, err := goValue(document.Root)
	if err != nil {
		return "", err
	}
	if strings.Contains(document.Before, "\n") && strings.Contains(document.Before, "  ") {
		indented, err := json.MarshalIndent(data, "", "  ")
		return string(indented), err
	}
	compact, err := json.Marshal(data)
	return string(compact), err
}

// goValue is a document as upstream makes it a Go value: by way of its text.
func goValue(root *yaml.Node) (value any, err error) {
	if survivesText(under(root), false) {
		return value, root.Decode(&value)
	}
	rendered, err := render(root)
	if err != nil {
		return nil, err
	}
	return value, yaml.Unmarshal([]byte(rendered), &value)
}

// survivesText tells of the nodes that JSON usually consists of that writing
// them as YAML and reading that again changes nothing. It may say no where yes
// is true; writing and reading takes most of the time of a write.
func survivesText(n *yaml.Node, isKey bool) bool {
	if n.Anchor != "" || n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
		return false
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return scalarSurvivesText(n, isKey)
	case yaml.MappingNode:
		if isKey || n.Tag != "!!map" && n.Tag != "" {
			return false
		}
	case yaml.SequenceNode:
		if isKey || n.Tag != "!!seq" && n.Tag != "" {
			return false
		}
	default:
		return false
	}
	for i, child := range n.Content {
		if !survivesText(child, n.Kind == yaml.MappingNode && i%2 == 0) {
			return false
		}
	}
	return true
}

func scalarSurvivesText(n *yaml.Node, isKey bool) bool {
	switch n.Tag {
	case "!!int", "!!float", "!!bool", nullTag:
		return !isKey && n.Style == 0 && n.Value != "" && fitsTag(n)
	case stringTag:
		return n.Style == yaml.DoubleQuotedStyle && isPrintable(n.Value) &&
			(!isKey || n.Value != "<<" && len(n.Value) < longestSimpleKey)
	}
	return false
}

// longestSimpleKey is well below the 128 bytes from which on yaml.v3 writes a
// key in a different way.
const longestSimpleKey = 100

// isPrintable is false for what YAML escapes or folds, and for invalid UTF-8.
func isPrintable(s string) bool {
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// render is kyaml's RNode.String: two spaces of indentation and lists that are
// not indented in their maps, comments included.
func render(n *yaml.Node) (string, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	err := encoder.Encode(n)
	if errClose := encoder.Close(); err == nil {
		err = errClose
	}
	return out.String(), err
}

// matchText is what the pattern of "[name=value]" is held against: the node as
// YAML, with quotes and comments, and no spaces around it.
func matchText(n *yaml.Node) (value string, err error) {
	if isPlainWord(n) {
		return n.Value, nil
	}
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("yaml: %v", reason)
		}
	}()
	rendered, err := render(n)
	return strings.TrimSpace(rendered), err
}

// hasOnlyWordBytes tells of scalars that rendering adds at most quotes to.
func hasOnlyWordBytes(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&^(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 && n.Anchor == "" &&
		n.HeadComment == "" && n.LineComment == "" && n.FootComment == "" && (n.Tag == stringTag || n.Tag == "") && areWordBytes(n.Value)
}

func areWordBytes(s string) bool {
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == '/') {
			return false
		}
	}
	return s != ""
}

// isPlainWord tells, without running the encoder, of the usual names that they
// are rendered as they are.
func isPlainWord(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Style != 0 || n.Anchor != "" || n.Value == "" ||
		n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" || n.Tag != stringTag && n.Tag != "" {
		return false
	}
	for i, c := range []byte(n.Value) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == '/')) {
			return false
		}
	}
	word := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	return word.ShortTag() == stringTag
}
