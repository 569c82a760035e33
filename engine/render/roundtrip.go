package render

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	yaml "go.yaml.in/yaml/v3"
)

// roundTrip sends a document through yaml.v3 the way kyaml's
// RNode.MarshalJSON does, and returns the result as nodes whose scalars are
// either strings or final texts. The error is a *Refusal that names the node
// at fault where it can be found.
func roundTrip(n *yaml.Node) (*yaml.Node, error) {
	if n == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	}
	c := copier{}
	root, err := c.copy(n, 0)
	if err != nil {
		return nil, err
	}
	content, err := throughYAML(root)
	if err != nil {
		return nil, blame(n, err)
	}
	decoded, err := toNode(content)
	if err != nil {
		return nil, blame(n, err)
	}
	return decoded, nil
}

// throughYAML writes a node and reads it into what kyaml reads it into.
func throughYAML(n *yaml.Node) (content any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n); err != nil {
		return nil, err
	}
	if err := encoder.Close(); err != nil {
		return nil, err
	}
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	if n.Kind == yaml.SequenceNode {
		var list []any
		err := yaml.Unmarshal(text.Bytes(), &list)
		return list, err
	}
	mapping := map[string]any{}
	err = yaml.Unmarshal(text.Bytes(), &mapping)
	return mapping, err
}

// errNotFinite and errKeyNotString are what encoding/json says, errKeyTooLong
// is what yaml.v2 says of the JSON.
var (
	errKeyTooLong   = errors.New("yaml: did not find expected ',' or '}'")
	errNotFinite    = errors.New("json: unsupported value")
	errKeyNotString = errors.New("json: unsupported type: map[interface {}]interface {}")
)

// toNode turns decoded content into nodes, the way JSON would carry it.
func toNode(content any) (*yaml.Node, error) {
	switch v := content.(type) {
	case nil:
		return typedNode("null"), nil
	case bool:
		return typedNode(strconv.FormatBool(v)), nil
	case int:
		return typedNode(strconv.Itoa(v)), nil
	case int64:
		return typedNode(strconv.FormatInt(v, 10)), nil
	case uint64:
		return typedNode(strconv.FormatUint(v, 10)), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errNotFinite
		}
		return typedNode(floatText(v)), nil
	case string:
		return stringNode(v), nil
	case time.Time:
		text, err := v.MarshalText()
		return stringNode(string(text)), err
	case []any:
		if v == nil {
			return typedNode("null"), nil
		}
		return listNode(v)
	case map[string]any:
		if v == nil {
			return typedNode("null"), nil
		}
		return mapNode(v)
	}
	return nil, errKeyNotString
}

func typedNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
}

// stringNode makes a string; JSON puts U+FFFD for each byte that is not UTF-8.
func stringNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string([]rune(s))}
}

func listNode(list []any) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, item := range list {
		child, err := toNode(item)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, child)
	}
	return n, nil
}

// mapNode makes a mapping. Two keys that are equal once they are UTF-8 are one
// key with the value of the later, in the order in which JSON has them.
func mapNode(mapping map[string]any) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	index := make(map[string]int, len(mapping))
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		if jsonLength(name) > maxKeyLength {
			return nil, errKeyTooLong
		}
		child, err := toNode(mapping[name])
		if err != nil {
			return nil, err
		}
		key := stringNode(name)
		if i, ok := index[key.Value]; ok {
			n.Content[i] = child
			continue
		}
		n.Content = append(n.Content, key, child)
		index[key.Value] = len(n.Content) - 1
	}
	return n, nil
}

// A copier copies a tree with aliases replaced by copies of their targets, and
// without anchors.
type copier struct {
	aliasNodes, aliasDepth int
}

func (c *copier) copy(n *yaml.Node, depth int) (*yaml.Node, error) {
	if depth > maxDepth {
		return nil, refuse(n, TooDeep, "exceeded max depth of %d", maxDepth)
	}
	if n == nil || n.Kind == 0 && n.IsZero() {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	}
	if n.Kind == yaml.AliasNode {
		return c.copyTarget(n, depth)
	}
	if c.aliasDepth > 0 {
		if c.aliasNodes++; c.aliasNodes > maxAliasNodes {
			return nil, refuse(n, TooDeep, "document contains excessive aliasing")
		}
	}
	clone := *n
	clone.Anchor = ""
	clone.Content = make([]*yaml.Node, 0, len(n.Content))
	for _, child := range n.Content {
		copied, err := c.copy(child, depth+1)
		if err != nil {
			return nil, err
		}
		clone.Content = append(clone.Content, copied)
	}
	return &clone, nil
}

func (c *copier) copyTarget(n *yaml.Node, depth int) (*yaml.Node, error) {
	if n.Alias == nil {
		return nil, refuse(n, Unreadable, "unknown anchor '%s' referenced", n.Value)
	}
	c.aliasDepth++
	target, err := c.copy(n.Alias, depth+1)
	c.aliasDepth--
	return target, err
}
