package schema

import (
	"math"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// deepest bounds how deep documents nest; aliases could make them endless.
const deepest = 200

// toValue makes a node into what the API server is sent. kustomize reads
// scalars as yaml.v3 does and prints them so that they cannot be taken for
// anything else: a plain `yes` is a string, other than kubectl alone would read
// it. Fields that are null are left out: null counts as absent.
func toValue(n *yaml.Node, depth int) any {
	if n == nil || depth > deepest {
		return nil
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) > 0 {
			return toValue(n.Content[0], depth+1)
		}
	case yaml.AliasNode:
		return toValue(n.Alias, depth+1)
	case yaml.MappingNode:
		return toMap(n, depth)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, entry := range n.Content {
			list[i] = toValue(entry, depth+1)
		}
		return list
	case yaml.ScalarNode:
		return toScalar(n)
	}
	return nil
}

func toMap(n *yaml.Node, depth int) map[string]any {
	m := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if value := toValue(n.Content[i+1], depth+1); value != nil {
			m[n.Content[i].Value] = value
		}
	}
	return m
}

func toScalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true")
	case "!!int":
		return toInteger(n.Value)
	case "!!float":
		return toFloat(n.Value)
	}
	return n.Value
}

// toInteger gives an int64, or a float64 where that is too small.
func toInteger(s string) any {
	plain := strings.ReplaceAll(s, "_", "")
	if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return float64(n)
	}
	return toFloat(plain)
}

// toFloat gives a float64, whole ones as int64, or the text where JSON has no
// such number.
func toFloat(s string) any {
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	switch {
	case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
		return s
	case f == math.Trunc(f) && math.Abs(f) < 1<<53:
		return int64(f)
	}
	return f
}
