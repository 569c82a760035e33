package patch

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// toYAMLForm turns a tree in JSON form, in place, into what kyaml's
// RNode.UnmarshalJSON makes of its JSON text: numbers are float64s and print
// so, keys are sorted, and each string has the style that yaml.v3 gives it.
func toYAMLForm(n *yaml.Node) error {
	if isSimpleForm(n) {
		return simpleToYAMLForm(n)
	}
	content, err := goValue(n)
	if err != nil {
		return err
	}
	text, err := encodeYAML(content)
	if err != nil {
		return err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return err
	}
	result := document.Content[0]
	placeFrom(n, result)
	*n = *result
	return nil
}

// isSimpleForm tells whether yaml.v3 surely reads back the strings that it
// prints, wherever they stand.
func isSimpleForm(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return n.Tag != stringTag || isSimpleBlock(n.Value) || survivesAlone(n.Value)
	}
	for i, child := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		if isKey && (len(child.Value) > 100 || !isSimpleText(child.Value)) || !isSimpleForm(child) {
			return false
		}
	}
	return true
}

// survivesAlone tells whether yaml.v3 reads back a text that is not simple, and in the same style wherever it stands in a
// block.
func survivesAlone(s string) bool {
	if !fitsAnyIndent(s) {
		return false
	}
	text, err := encodeYAML(map[string]any{"a": map[string]any{"b": s, "c": []any{s}}})
	if err != nil {
		return false
	}
	var document yaml.Node
	if yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 || len(document.Content[0].Content) != 2 {
		return false
	}
	_, inMap := syntax.Field(document.Content[0].Content[1], "b")
	_, list := syntax.Field(document.Content[0].Content[1], "c")
	if inMap == nil || list == nil || len(list.Content) != 1 {
		return false
	}
	inList := list.Content[0]
	return inMap.Kind == yaml.ScalarNode && inMap.Value == s && inMap.ShortTag() == stringTag &&
		inList.Value == s && inList.ShortTag() == stringTag && inMap.Style == inList.Style
}

// isSimpleBlock tells whether the text is simple, or prints as a literal block
// of simple lines.
func isSimpleBlock(s string) bool {
	if !strings.Contains(s, "\n") {
		return isSimpleText(s)
	}
	body := strings.TrimSuffix(s, "\n")
	if body == "" || body[0] == ' ' || body[0] == '\n' || body[len(body)-1] == '\n' {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if !isSimpleText(line) || strings.HasSuffix(line, " ") {
			return false
		}
	}
	return true
}

func simpleToYAMLForm(n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		n.Tag = "!!map"
		sort.Stable(naturalOrder(n.Content))
	case yaml.SequenceNode:
		n.Tag = "!!seq"
	default:
		return scalarToYAMLForm(n)
	}
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	for _, child := range n.Content {
		if err := simpleToYAMLForm(child); err != nil {
			return err
		}
	}
	return nil
}

func scalarToYAMLForm(n *yaml.Node) error {
	switch n.Tag {
	case numberTag:
		return numberToYAMLForm(n)
	case stringTag:
		style, err := styleOf(n.Value)
		n.Style = style
		return err
	}
	return nil
}

func numberToYAMLForm(n *yaml.Node) error {
	number, err := strconv.ParseFloat(n.Value, 64)
	if err != nil {
		return fmt.Errorf("the number %s is out of range", n.Value)
	}
	n.Value = strconv.FormatFloat(number, 'g', -1, 64)
	n.Tag = numberTag
	if !strings.ContainsAny(n.Value, ".e") {
		n.Tag = "!!int"
	}
	return nil
}

// styleOf returns the style in which yaml.v3 prints a simple string.
func styleOf(s string) (yaml.Style, error) {
	if isPlainWord(s) {
		return 0, nil
	}
	if style, known := styleOfWord(s); known {
		return style, nil
	}
	if hasPlainLines(s) {
		return yaml.LiteralStyle, nil
	}
	return printedStyleOf(s)
}

// printedStyleOf is styleOf by printing the string and reading it again.
func printedStyleOf(s string) (yaml.Style, error) {
	text, err := encodeYAML(map[string]string{"k": s})
	if err != nil {
		return 0, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return 0, err
	}
	return document.Content[0].Content[1].Style, nil
}

// styleOfWord is styleOf for most words, numbers and quantities: yaml.v3 quotes what it
// would read as something other than a string, and old booleans.
func styleOfWord(s string) (style yaml.Style, known bool) {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && c != '.' && (c != '-' || i == 0 && len(s) == 1) {
			return 0, false
		}
	}
	word := yaml.Node{Kind: yaml.ScalarNode, Value: s}
	switch {
	case word.ShortTag() != stringTag:
		return yaml.DoubleQuotedStyle, true
	case s[0] == '-' || s[0] == '.':
		return 0, false // it could be a marker of documents
	case scalar.NonStringInYAML11(s):
		return yaml.DoubleQuotedStyle, true
	}
	return 0, true
}

// hasPlainLines tells of several lines that surely print as a block: descriptions are
// most of the text of a large definition.
func hasPlainLines(s string) bool {
	if !isLetter(s[0]) || s[len(s)-1] == ' ' || !strings.Contains(s, "\n") || strings.Contains(s, " \n") {
		return false
	}
	for i := range len(s) {
		if (s[i] < ' ' || s[i] > '~') && s[i] != '\n' {
			return false
		}
	}
	return true
}

// isPlainWord tells whether the text surely prints plain: it begins like a
// word, a path or a flag, holds no YAML syntax, and is no word that YAML 1.1
// or 1.2 takes for something else.
func isPlainWord(s string) bool {
	start := strings.TrimLeft(s, "-")
	if start == "" || len(s)-len(start) > 2 || strings.IndexByte("/$_", start[0]) < 0 && !isLetter(start[0]) {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return len(start) < len(s) && isLetter(start[0]) && scalar.IsOnePlain(s) || start == s && scalar.IsOnePlain(s) && !scalar.NonStringInYAML11(s)
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// goValue returns the tree as json.Unmarshal would.
func goValue(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		value := make(map[string]any, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			member, err := goValue(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			value[n.Content[i].Value] = member
		}
		return value, nil
	case yaml.SequenceNode:
		value := make([]any, len(n.Content))
		for i, child := range n.Content {
			var err error
			if value[i], err = goValue(child); err != nil {
				return nil, err
			}
		}
		return value, nil
	}
	return goScalar(n)
}

func goScalar(n *yaml.Node) (any, error) {
	switch n.Tag {
	case numberTag:
		number, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return nil, fmt.Errorf("the number %s is out of range", n.Value)
		}
		return number, nil
	case boolTag:
		return n.Value == "true", nil
	case nullTag:
		return nil, nil
	}
	return n.Value, nil
}

// placeFrom gives a tree the places of a tree of the same content.
func placeFrom(from, to *yaml.Node) {
	syntax.CopyPlace(to, from)
	if !syntax.Provenance || from.Kind != to.Kind {
		return
	}
	if from.Kind == yaml.SequenceNode {
		for i := range min(len(from.Content), len(to.Content)) {
			placeFrom(from.Content[i], to.Content[i])
		}
		return
	}
	index := indexFields(from)
	for i := 0; i+1 < len(to.Content); i += 2 {
		if j := index.find(to.Content[i].Value); j >= 0 {
			placeFrom(from.Content[j], to.Content[i])
			placeFrom(from.Content[j+1], to.Content[i+1])
		}
	}
}
