package patch

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// A tree in JSON form is a tree of nodes that holds what its JSON text would:
// mappings with unique string keys, lists, and scalars with one of these tags,
// where the Value of a number is its JSON text.
const (
	stringTag = "!!str"
	boolTag   = "!!bool"
	numberTag = "!!float"
)

// toJSONForm returns a copy of a resource in JSON form, as kyaml's
// RNode.MarshalJSON makes it. The error says why the resource has none, which
// makes it one that kustomize cannot print either.
func toJSONForm(n *yaml.Node) (*yaml.Node, error) {
	if form := jsonFormOfSimple(n, rootContext); form != nil {
		return form, nil
	}
	text, err := throughYAML(n)
	if err != nil {
		return nil, err
	}
	return newJSONReader(text, false).read(n).node, nil
}

// throughYAML prints the resource, reads it again, and prints it as JSON.
func throughYAML(n *yaml.Node) ([]byte, error) {
	text, err := encodeYAML(n)
	if err != nil {
		return nil, err
	}
	content := map[string]any{}
	if err := yaml.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	return json.Marshal(content)
}

// encodeYAML prints as kyaml does.
func encodeYAML(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	err := encoder.Close()
	return out.Bytes(), err
}

// context is where a node stands, as far as it matters for printing it.
type context uint8

const (
	rootContext context = iota
	keyContext
	blockContext
	flowContext
)

// inside returns the context of what a collection contains.
func (c context) inside(n *yaml.Node) context {
	if c == flowContext || n.Style&yaml.FlowStyle != 0 {
		return flowContext
	}
	return blockContext
}

// jsonFormOfSimple is toJSONForm for trees that yaml.v3 surely prints and reads
// without loss; it returns nil for all others.
func jsonFormOfSimple(n *yaml.Node, at context) *yaml.Node {
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" || n.Anchor != "" {
		return nil
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if at == rootContext {
			return nil
		}
		if form := jsonScalar(n); form != nil || at != blockContext {
			return form
		}
		return jsonScalarAlone(n)
	case yaml.SequenceNode:
		if at == rootContext || n.Tag != "" && n.Tag != "!!seq" {
			return nil
		}
	case yaml.MappingNode:
		if n.Tag != "" && n.Tag != "!!map" || !hasUniqueStringKeys(n) {
			return nil
		}
	default:
		return nil
	}
	form := &yaml.Node{Kind: n.Kind, Content: make([]*yaml.Node, len(n.Content))}
	syntax.CopyPlace(form, n)
	inside := at.inside(n)
	for i, child := range n.Content {
		below := inside
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			below = keyContext
		}
		if form.Content[i] = jsonFormOfSimple(child, below); form.Content[i] == nil {
			return nil
		}
	}
	return form
}

// jsonScalarAlone is jsonScalar for what is not simple, and yet prints and reads in the same way wherever it stands in a
// block: a text, a large number. One such scalar need not send all of a large resource through YAML. It returns nil for
// what might not.
func jsonScalarAlone(n *yaml.Node) *yaml.Node {
	if !fitsAnyIndent(n.Value) {
		return nil
	}
	bare := *n
	bare.Line, bare.Column = 0, 0
	text, err := encodeYAML(twoPlaces(&bare))
	if err != nil {
		return nil
	}
	var read struct{ A struct{ B, C any } }
	if yaml.Unmarshal(text, &read) != nil {
		return nil
	}
	inMap, err := json.Marshal(read.A.B)
	if err != nil {
		return nil
	}
	list, _ := read.A.C.([]any)
	if len(list) != 1 {
		return nil
	}
	if inList, err := json.Marshal(list[0]); err != nil || !bytes.Equal(inMap, inList) {
		return nil
	}
	if form := newJSONReader(inMap, false).read(n).node; form.Kind == yaml.ScalarNode {
		return form
	}
	return nil
}

// twoPlaces returns a tree in which a value stands in a map and in a list, below another map.
func twoPlaces(n *yaml.Node) *yaml.Node {
	key := func(name string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: name} }
	again := *n
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{&again}}
	inner := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key("b"), n, key("c"), list}}
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key("a"), inner}}
}

// fitsAnyIndent tells whether a text begins with what no block takes for its indentation.
func fitsAnyIndent(s string) bool {
	return s != "" && strings.IndexByte(" \t\r\n", s[0]) < 0 && utf8.ValidString(s)
}

func hasUniqueStringKeys(n *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Kind != yaml.ScalarNode || key.ShortTag() != stringTag {
			return false
		}
	}
	index := indexFields(n)
	for i := 0; i < len(n.Content); i += 2 {
		if index.find(n.Content[i].Value) != i {
			return false
		}
	}
	return true
}

func jsonScalar(n *yaml.Node) *yaml.Node {
	form := &yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	syntax.CopyPlace(form, n)
	switch tag := n.ShortTag(); {
	case n.Style&(yaml.FoldedStyle|yaml.TaggedStyle) != 0:
		return nil
	case n.Style&yaml.LiteralStyle != 0:
		if tag != stringTag || n.Value == "" || !isSimpleBlock(n.Value) {
			return nil
		}
		form.Tag = stringTag
	case tag == stringTag && isSimpleText(n.Value):
		form.Tag = stringTag
	case tag == nullTag && n.Style == 0 && isNullWord(n.Value):
		// Without any text it becomes "" where it stands in a flow mapping, and with
		// another one, which a replacement wrote, it cannot be read again.
		form.Tag, form.Value = nullTag, "null"
	case tag == boolTag && n.Style == 0 && (n.Value == "true" || n.Value == "false"):
		form.Tag = boolTag
	case tag == "!!int" && n.Style == 0 && isSmallNumber(n.Value):
		form.Tag = numberTag
	default:
		return nil
	}
	return form
}

func isNullWord(s string) bool { return s == "null" || s == "~" || s == "Null" || s == "NULL" }

// isSimpleText tells whether a text has one line of characters that YAML never
// escapes or breaks at.
func isSimpleText(s string) bool {
	for _, r := range s {
		if r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028' || r == '\u2029' || r == '\uFEFF' ||
			r == utf8.RuneError || r > 0xFFFD {
			return false
		}
	}
	return true
}

// isSmallNumber tells whether the text is a decimal integer that JSON, YAML
// and a float64 all write the same way.
func isSmallNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 15 || digits[0] == '0' && s != "0" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// jsonReader reads a valid JSON text into JSON form.
type jsonReader struct {
	text    []byte
	decoder *json.Decoder
	raws    map[*yaml.Node]string // nil when they are not wanted
}

type jsonTree struct {
	node *yaml.Node
	// raws holds the JSON text of strings that encoding/json would write in
	// another way: a `test` operation compares texts.
	raws map[*yaml.Node]string
}

func newJSONReader(text []byte, wantRaws bool) *jsonReader {
	r := &jsonReader{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	r.decoder.UseNumber()
	if wantRaws {
		r.raws = map[*yaml.Node]string{}
	}
	return r
}

// read returns the tree, with places from a tree of the same content.
func (r *jsonReader) read(places *yaml.Node) jsonTree {
	if places == nil {
		places = &yaml.Node{}
	}
	return jsonTree{node: r.value(places, places), raws: r.raws}
}

// value reads one value. The place is that of written, or else of around.
func (r *jsonReader) value(written, around *yaml.Node) *yaml.Node {
	token, err := r.decoder.Token()
	if err != nil {
		// The text was valid: this cannot happen.
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag, Value: "null"}
	}
	if written == nil {
		written = around
	}
	n := &yaml.Node{Kind: yaml.ScalarNode}
	syntax.CopyPlace(n, written)
	switch token := token.(type) {
	case json.Delim:
		r.members(n, token, written)
	case string:
		n.Tag, n.Value = stringTag, token
		r.noteRaw(n)
	case json.Number:
		n.Tag, n.Value = numberTag, token.String()
	case bool:
		n.Tag, n.Value = boolTag, strconv.FormatBool(token)
	default:
		n.Tag, n.Value = nullTag, "null"
	}
	return n
}

func (r *jsonReader) members(n *yaml.Node, open json.Delim, written *yaml.Node) {
	if open == '[' {
		n.Kind = yaml.SequenceNode
		for i := 0; r.decoder.More(); i++ {
			n.Content = append(n.Content, r.value(element(written, i), written))
		}
	} else {
		n.Kind = yaml.MappingNode
		r.fields(n, written)
	}
	_, _ = r.decoder.Token() // the closing one: the text was valid
}

func (r *jsonReader) fields(n, written *yaml.Node) {
	index := lastIndexes(written)
	seen := map[string]int{}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		name, ok := token.(string)
		if err != nil || !ok {
			return // the text was valid: this cannot happen
		}
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: stringTag, Value: name}
		syntax.CopyPlace(key, written)
		var value *yaml.Node
		if i, ok := index[name]; ok {
			syntax.CopyPlace(key, written.Content[i])
			value = contentOf(written.Content[i+1])
		}
		form := r.value(value, key)
		if i, ok := seen[name]; ok {
			n.Content[i], n.Content[i+1] = key, form
			continue
		}
		seen[name] = len(n.Content)
		n.Content = append(n.Content, key, form)
	}
}

func lastIndexes(n *yaml.Node) map[string]int {
	indexes := map[string]int{}
	if syntax.Provenance && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			indexes[n.Content[i].Value] = i
		}
	}
	return indexes
}

// noteRaw remembers the text of the string that was just read.
func (r *jsonReader) noteRaw(n *yaml.Node) {
	if r.raws == nil {
		return
	}
	end := int(r.decoder.InputOffset())
	start := stringStart(r.text, end)
	if raw := string(r.text[start:end]); raw != jsonText(n.Value) {
		r.raws[n] = raw
	}
}

// stringStart returns the offset of the quote that opens the string which ends
// before end.
func stringStart(text []byte, end int) int {
	for start := end - 2; start > 0; start-- {
		if text[start] != '"' {
			continue
		}
		escapes := 0
		for start-escapes > 0 && text[start-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return start
		}
	}
	return 0
}

// jsonText is the text that encoding/json writes for a string.
func jsonText(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return "" // a string always has a text
	}
	return string(text)
}
