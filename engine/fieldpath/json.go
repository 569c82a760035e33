package fieldpath

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

// parseJSON turns strict JSON into nodes as yaml.v3 would make them, with
// lines and columns in runes, 1-based.
func parseJSON(value string) (*yaml.Node, error) {
	r := jsonReader{text: value, decoder: json.NewDecoder(strings.NewReader(value)), line: 1, column: 1}
	r.decoder.UseNumber()
	root := &yaml.Node{Kind: yaml.DocumentNode, Line: 1, Column: 1}
	open := []*yaml.Node{root}
	for {
		node, err := r.next()
		if err != nil {
			return nil, err
		}
		if node == nil {
			open = open[:len(open)-1]
		} else {
			parent := open[len(open)-1]
			parent.Content = append(parent.Content, node)
			if node.Kind != yaml.ScalarNode {
				open = append(open, node)
			}
		}
		if len(open) == 1 {
			return root, nil
		}
	}
}

type jsonReader struct {
	text         string
	decoder      *json.Decoder
	position     int // of line and column; bytes
	line, column int
}

// next returns the node that the next token begins, or nil for a closing one.
func (r *jsonReader) next() (*yaml.Node, error) {
	start := int(r.decoder.InputOffset())
	token, err := r.decoder.Token()
	if err != nil {
		return nil, err
	}
	start += len(r.text[start:]) - len(strings.TrimLeft(r.text[start:], " \t\r\n,:"))
	r.advance(start)
	node := &yaml.Node{Kind: yaml.ScalarNode, Line: r.line, Column: r.column}
	switch token := token.(type) {
	case json.Delim:
		return r.collection(node, token), nil
	case string:
		node.Value, node.Tag, node.Style = token, stringTag, yaml.DoubleQuotedStyle
	default:
		node.Value = r.text[start:r.decoder.InputOffset()]
		node.Tag = node.ShortTag()
	}
	return node, nil
}

func (r *jsonReader) collection(node *yaml.Node, delimiter json.Delim) *yaml.Node {
	node.Style = yaml.FlowStyle
	switch delimiter {
	case '{':
		node.Kind, node.Tag = yaml.MappingNode, "!!map"
	case '[':
		node.Kind, node.Tag = yaml.SequenceNode, "!!seq"
	default:
		return nil
	}
	return node
}

// advance moves line and column to a later byte offset.
func (r *jsonReader) advance(offset int) {
	passed := r.text[r.position:offset]
	if breaks := strings.Count(passed, "\n"); breaks > 0 {
		r.line += breaks
		r.column = 1
		passed = passed[strings.LastIndexByte(passed, '\n')+1:]
	}
	r.column += utf8.RuneCountInString(passed)
	r.position = offset
}
