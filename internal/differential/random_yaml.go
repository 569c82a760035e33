package differential

import (
	"bytes"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// documents prints objects as the documents of one file, sometimes as a List, sometimes with odd separators.
func (g *generator) documents(objects []*yaml.Node) []byte {
	if g.chance(0.05) {
		return g.print(encode(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects}))
	}
	var text bytes.Buffer
	if g.chance(0.003) {
		text.WriteString("%YAML 1.1\n---\n")
	}
	for i, object := range objects {
		if i > 0 || g.chance(0.1) {
			text.WriteString(g.separator())
		}
		text.Write(g.document(object))
	}
	return g.oddText(text.Bytes())
}

func (g *generator) separator() string {
	if g.chance(0.9) {
		return "---\n"
	}
	return pick(g, "--- # next\n", "---\n---\n", "---\n# nothing but a comment\n---\n", "--- \n", "\n---\n\n")
}

// print prints a file of one document.
func (g *generator) print(node *yaml.Node) []byte { return g.oddText(g.document(node)) }

// document prints a node that it first dresses up, in a copy: quotes, flow style and comments, which kustomize carries
// along or drops by rules of its own.
func (g *generator) document(node *yaml.Node) []byte {
	dressed := copyNode(node)
	if g.chance(0.4) {
		g.dress(dressed, false)
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(pick(g, 2, 2, 2, 4))
	if err := encoder.Encode(dressed); err != nil {
		return nil
	}
	return text.Bytes()
}

// oddText changes the text as a whole, rarely.
func (g *generator) oddText(text []byte) []byte {
	if !g.chance(0.03) {
		return text
	}
	switch g.IntN(4) {
	case 0:
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	case 1:
		return bytes.TrimRight(text, "\n")
	case 2:
		return append([]byte("\n# first\n\n"), text...)
	default:
		return append([]byte("\ufeff"), text...)
	}
}

// dress changes styles and adds comments; the latter not inside of flow style, where yaml.v3 prints them such that it
// cannot read them again.
func (g *generator) dress(node *yaml.Node, flow bool) {
	switch {
	case node.Kind == yaml.ScalarNode && g.chance(0.1):
		g.dressScalar(node)
	case node.Kind != yaml.ScalarNode && node.Kind != yaml.AliasNode && g.chance(0.05):
		node.Style ^= yaml.FlowStyle
	}
	flow = flow || node.Style&yaml.FlowStyle != 0
	if g.chance(0.03) && node.Kind == yaml.ScalarNode && !flow {
		node.LineComment = "# " + g.plainWord()
	}
	for i, child := range node.Content {
		if g.chance(0.03) && !flow && (node.Kind == yaml.SequenceNode || i%2 == 0) {
			child.HeadComment = "# " + g.plainWord()
		}
		g.dress(child, flow)
	}
}

// dressScalar quotes a text in another way; other scalars it leaves alone, since quotes would change what they are.
func (g *generator) dressScalar(node *yaml.Node) {
	if node.ShortTag() != "!!str" {
		return
	}
	styles := []yaml.Style{yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle}
	if strings.Contains(node.Value, "\n") {
		styles = append(styles, yaml.LiteralStyle, yaml.FoldedStyle)
	}
	node.Style = pick(g, styles...)
}

// shuffled returns a mapping with its keys in another order.
func (g *generator) shuffled(mapping *yaml.Node) *yaml.Node {
	pairs := len(mapping.Content) / 2
	shuffled := *mapping
	shuffled.Content = nil
	for _, i := range g.Perm(pairs) {
		shuffled.Content = append(shuffled.Content, mapping.Content[2*i], mapping.Content[2*i+1])
	}
	return &shuffled
}

func copyNode(node *yaml.Node) *yaml.Node {
	copied := *node
	copied.Content = nil
	for _, child := range node.Content {
		copied.Content = append(copied.Content, copyNode(child))
	}
	return &copied
}
