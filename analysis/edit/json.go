package edit

import (
	"bytes"
	"encoding/json"

	yaml "go.yaml.in/yaml/v3"
)

// JSON writes a YAML document as JSON, in its order; false for what JSON cannot say.
func JSON(document string) (string, bool) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(document), &root); err != nil || len(root.Content) != 1 {
		return "", false
	}
	var compact, indented bytes.Buffer
	if !writeJSON(&compact, root.Content[0]) || json.Indent(&indented, compact.Bytes(), "", "  ") != nil {
		return "", false
	}
	return indented.String() + "\n", true
}

func writeJSON(out *bytes.Buffer, n *yaml.Node) bool {
	switch n.Kind {
	case yaml.MappingNode:
		return writeJSONList(out, '{', n.Content, '}', func(i int) byte { return ",:"[i%2] })
	case yaml.SequenceNode:
		return writeJSONList(out, '[', n.Content, ']', func(int) byte { return ',' })
	case yaml.ScalarNode:
		var value any = n.Value
		if n.ShortTag() != "!!str" && n.Decode(&value) != nil {
			return false
		}
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(value) == nil // a line break, which indenting takes out
	}
	return false
}

// writeJSONList writes nodes between two brackets; before returns what stands before one
// of them, apart from the first.
func writeJSONList(out *bytes.Buffer, begin byte, nodes []*yaml.Node, end byte, before func(i int) byte) bool {
	out.WriteByte(begin)
	for i, n := range nodes {
		if i > 0 {
			out.WriteByte(before(i))
		}
		if !writeJSON(out, n) {
			return false
		}
	}
	out.WriteByte(end)
	return true
}
