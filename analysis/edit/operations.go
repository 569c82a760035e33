package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Operations returns the JSON6902 patch, as YAML, that makes one resource of another.
// Elements of lists are held to be the same by what identifies them, so that an
// inserted one does not rewrite those behind it. What the merge patch says and the
// resource has already is replaced all the same, since somebody wanted to be sure.
func Operations(before, after, merge *yaml.Node) (patch string, reason string) {
	d := differ{}
	d.maps("", before, after, merge)
	if len(d.operations) == 0 {
		return "", "the patch changes nothing"
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Content: d.operations}
	return encoded(list)
}

// encoded writes a node as YAML with two blanks for each level.
func encoded(n *yaml.Node) (written, reason string) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n); err != nil {
		return "", fmt.Sprintf("it cannot be written: %v", err)
	}
	return b.String(), ""
}

// differ collects the operations that lead from one tree to another.
type differ struct {
	operations []*yaml.Node
}

func (d *differ) add(kind, path string, value *yaml.Node) {
	operation := mapping("op", word(kind), "path", word(path))
	if value != nil {
		operation.Content = append(operation.Content, word("value"), plainCopy(value))
	}
	d.operations = append(d.operations, operation)
}

// said is what the merge patch has there, nil for nothing.
func (d *differ) values(path string, before, after, said *yaml.Node) {
	switch {
	case before.Kind == yaml.MappingNode && after.Kind == yaml.MappingNode:
		d.maps(path, before, after, said)
	case equal.Values(before, after):
		if said != nil && !slices.Contains(identity, path) {
			d.add("replace", path, after)
		}
	case before.Kind == yaml.SequenceNode && after.Kind == yaml.SequenceNode:
		d.lists(path, before, after)
	default:
		d.add("replace", path, after)
	}
}

// identity is what a merge patch has to name its resource.
var identity = []string{"/apiVersion", "/kind", "/metadata/name", "/metadata/namespace"}

func (d *differ) maps(path string, before, after, said *yaml.Node) {
	for i := 0; i+1 < len(before.Content); i += 2 {
		if _, kept := syntax.Field(after, before.Content[i].Value); kept == nil {
			d.add("remove", path+jsonpointer.Join(before.Content[i].Value), nil)
		}
	}
	for i := 0; i+1 < len(after.Content); i += 2 {
		key, value := after.Content[i].Value, after.Content[i+1]
		step := path + jsonpointer.Join(key)
		_, also := syntax.Field(said, key)
		if _, was := syntax.Field(before, key); was != nil {
			d.values(step, was, value, also)
		} else {
			d.add("add", step, value)
		}
	}
}

// lists works from the end, so that the indexes in front are still those of before.
func (d *differ) lists(path string, before, after *yaml.Node) {
	pairs := align(before.Content, after.Content)
	if len(pairs) == 0 {
		d.add("replace", path, after)
		return
	}
	i, j := len(before.Content), len(after.Content)
	for k := len(pairs) - 1; k >= -1; k-- {
		from := [2]int{-1, -1}
		if k >= 0 {
			from = pairs[k]
		}
		for ; i-1 > from[0]; i-- {
			d.add("remove", path+"/"+strconv.Itoa(i-1), nil)
		}
		for ; j-1 > from[1]; j-- {
			d.add("add", path+"/"+strconv.Itoa(i), after.Content[j-1])
		}
		if k >= 0 {
			d.values(path+"/"+strconv.Itoa(from[0]), before.Content[from[0]], after.Content[from[1]], nil)
			i, j = from[0], from[1]
		}
	}
}

// align pairs the elements of two lists that are the same one, in order; a longest
// such pairing.
func align(before, after []*yaml.Node) [][2]int {
	if (len(before)+1)*(len(after)+1) > maxPairs {
		return nil
	}
	longest := make([][]int, len(before)+1)
	for i := range longest {
		longest[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if sameElement(before[i], after[j]) {
				longest[i][j] = max(longest[i][j], 1+longest[i+1][j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(before) && j < len(after); {
		switch {
		case sameElement(before[i], after[j]) && longest[i][j] == 1+longest[i+1][j+1]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// maxPairs bounds the table of a comparison; longer lists are replaced whole.
const maxPairs = 1_000_000

// identifying are the fields by which elements of Kubernetes' lists are distinguished.
var identifying = []string{"name", "containerPort", "port", "mountPath", "devicePath", "key", "type", "topologyKey", "ip", "uid"}

func sameElement(a, b *yaml.Node) bool {
	if a.Kind != yaml.MappingNode || b.Kind != yaml.MappingNode {
		return equal.Values(a, b)
	}
	for _, name := range identifying {
		_, x := syntax.Field(a, name)
		_, y := syntax.Field(b, name)
		if x != nil || y != nil {
			return x != nil && y != nil && equal.Values(x, y)
		}
	}
	return equal.Values(a, b)
}

func word(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// mapping makes a mapping of keys and nodes in turn.
func mapping(entries ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(entries); i += 2 {
		n.Content = append(n.Content, word(entries[i].(string)), entries[i+1].(*yaml.Node))
	}
	return n
}

// plainCopy copies a node without comments, anchors and the brackets of other files.
func plainCopy(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	to := &yaml.Node{Kind: n.Kind, Style: n.Style &^ yaml.FlowStyle, Tag: n.Tag, Value: n.Value}
	if len(n.Content) == 0 {
		to.Style = n.Style
	}
	for _, child := range n.Content {
		to.Content = append(to.Content, plainCopy(child))
	}
	return to
}
