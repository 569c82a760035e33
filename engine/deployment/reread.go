package deployment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yamlv2 "go.yaml.in/yaml/v2"
	yaml "go.yaml.in/yaml/v3"
)

// maxExact is how many digits a number can have that a double holds for certain.
const maxExact = 15

// hasLongNumber tells whether a text holds a number that could be another one after it
// went through JSON, as all does that variables are substituted in.
func hasLongNumber(text string) bool {
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			if digits++; digits > maxExact {
				return true
			}
		case c != '.':
			digits = 0
		}
	}
	return false
}

// readAgain reads a text that variables were substituted in as the controller does: as
// YAML 1.1 into JSON, and that into nodes, so that all numbers are doubles. show is
// applied to every string.
func readAgain(text string, show func(string) string) (*yaml.Node, error) {
	var content any
	if err := yamlv2.Unmarshal([]byte(text), &content); err != nil {
		return nil, err
	}
	object, ok := content.(map[any]any)
	if !ok || len(object) == 0 {
		return nil, errors.New("it is not an object")
	}
	return (&nodes{show}).node(content)
}

type nodes struct{ show func(string) string }

func (c *nodes) node(content any) (*yaml.Node, error) {
	switch v := content.(type) {
	case nil:
		return scalar("!!null", "null"), nil
	case bool:
		return scalar("!!bool", strconv.FormatBool(v)), nil
	case int:
		return number(float64(v))
	case int64:
		return number(float64(v))
	case uint64:
		return number(float64(v))
	case float64:
		return number(v)
	case string:
		return scalar("!!str", c.show(string([]rune(v)))), nil
	case []any:
		return c.list(v)
	case map[any]any:
		return c.mapping(v)
	}
	return nil, fmt.Errorf("it has a value of an unknown type %T", content)
}

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// number is a double as yaml.v3 prints it.
func number(f float64) (*yaml.Node, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, errors.New("JSON has no such number")
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(f, 'g', -1, 64)}
	n.Tag = n.ShortTag()
	return n, nil
}

func (c *nodes) list(items []any) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, item := range items {
		child, err := c.node(item)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, child)
	}
	return n, nil
}

func (c *nodes) mapping(m map[any]any) (*yaml.Node, error) {
	byName := make(map[string]any, len(m))
	names := make([]string, 0, len(m))
	for key, value := range m {
		name, err := keyText(key)
		if err != nil {
			return nil, err
		}
		if _, twice := byName[name]; !twice {
			names = append(names, name)
		}
		byName[name] = value
	}
	slices.Sort(names)
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, name := range names {
		child, err := c.node(byName[name])
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, scalar("!!str", c.show(name)), child)
	}
	return n, nil
}

// keyText is the key that sigs.k8s.io/yaml makes of one that is no text.
func keyText(key any) (string, error) {
	switch k := key.(type) {
	case string:
		return k, nil
	case int:
		return strconv.Itoa(k), nil
	case int64:
		return strconv.FormatInt(k, 10), nil
	case bool:
		return strconv.FormatBool(k), nil
	case float64:
		s := strconv.FormatFloat(k, 'g', -1, 32)
		switch s {
		case "+Inf":
			s = ".inf"
		case "-Inf":
			s = "-.inf"
		case "NaN":
			s = ".nan"
		}
		return s, nil
	}
	return "", fmt.Errorf("a key of type %T", key)
}

// placing gives nodes that were read again the places of those that they were made of.
type placing struct {
	uses    []Use
	resolve func(text string) string
}

func (p *placing) place(to, from *yaml.Node) {
	syntax.CopyPlace(to, from)
	if from.Kind == yaml.ScalarNode {
		for i := range p.uses {
			if p.uses[i].Node == from {
				p.uses[i].After = to
			}
		}
	}
	switch {
	case to.Kind == yaml.MappingNode && from.Kind == yaml.MappingNode:
		p.mapping(to, from)
	case to.Kind == yaml.SequenceNode && from.Kind == yaml.SequenceNode && len(to.Content) == len(from.Content):
		for i, child := range to.Content {
			p.place(child, from.Content[i])
		}
	case to.Kind != yaml.ScalarNode:
		for _, child := range to.Content {
			p.place(child, from)
		}
	}
}

func (p *placing) mapping(to, from *yaml.Node) {
	at := make(map[string]int, len(from.Content)/2)
	for i := 0; i+1 < len(from.Content); i += 2 {
		key := from.Content[i].Value
		if hasExpressions(key) {
			key = p.resolve(key)
		}
		at[key] = i
	}
	for i := 0; i+1 < len(to.Content); i += 2 {
		j, ok := at[to.Content[i].Value]
		if !ok {
			p.place(to.Content[i+1], from)
			syntax.CopyPlace(to.Content[i], from)
			continue
		}
		p.place(to.Content[i], from.Content[j])
		p.place(to.Content[i+1], from.Content[j+1])
	}
}
