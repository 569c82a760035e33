package render

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

var trees = flag.Int("trees", 2500, "how many random trees to try")

// A gardener makes random trees; which oddities it uses is decided per tree,
// so that most trees are ordinary but for a few.
type gardener struct {
	*rand.Rand
	oddText, oddTag, comments, flows, merges bool
}

func (g *gardener) sometimes(one int) bool { return g.IntN(one) == 0 }

func newGardener(seed uint64) *gardener {
	g := &gardener{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.oddText = g.sometimes(2)
	g.oddTag = g.sometimes(4)
	g.comments = g.sometimes(3)
	g.flows = g.sometimes(3)
	g.merges = g.sometimes(10)
	return g
}

func (g *gardener) root() *yaml.Node {
	n := g.mapping(4)
	if g.sometimes(20) {
		return g.comment(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{n}})
	}
	return n
}

func (g *gardener) node(depth int) *yaml.Node {
	switch k := g.IntN(10); {
	case depth == 0 || k < 4:
		return g.scalar()
	case k < 8:
		return g.mapping(depth - 1)
	}
	return g.list(depth - 1)
}

func (g *gardener) mapping(depth int) *yaml.Node {
	n := mapping()
	for range g.IntN(6) {
		k := g.key()
		if !g.sometimes(30) && hasKey(n, k) {
			continue
		}
		v := g.node(depth)
		if g.merges && g.sometimes(3) && !hasKey(n, scalarNode("", 0, "<<")) {
			k, v = scalarNode("!!merge", 0, "<<"), g.mapping(0)
		}
		n.Content = append(n.Content, g.comment(k), v)
	}
	return g.collection(n)
}

func hasKey(n, k *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == k.Value {
			return true
		}
	}
	return false
}

func (g *gardener) list(depth int) *yaml.Node {
	n := list()
	for range g.IntN(4) {
		n.Content = append(n.Content, g.node(depth))
	}
	return g.collection(n)
}

func (g *gardener) collection(n *yaml.Node) *yaml.Node {
	if g.flows && g.sometimes(4) {
		n.Style |= yaml.FlowStyle
	}
	if g.oddTag && g.sometimes(30) {
		n.Tag = allTags[g.IntN(len(allTags))]
	}
	return g.comment(n)
}

func (g *gardener) comment(n *yaml.Node) *yaml.Node {
	if !g.comments {
		return n
	}
	texts := []string{"# one", "# one\n# two", "# one\n\n# two", "#", "# a: b", "# 'c"}
	for _, comment := range []*string{&n.HeadComment, &n.LineComment, &n.FootComment} {
		if g.sometimes(8) {
			*comment = texts[g.IntN(len(texts))]
		}
	}
	if strings.Contains(n.LineComment, "\n") && g.sometimes(2) {
		n.LineComment = "# one"
	}
	return n
}

// key makes a key; keys are strings more often than other scalars.
func (g *gardener) key() *yaml.Node {
	if g.sometimes(60) {
		return g.scalar()
	}
	n := key(g.text())
	n.Style = []yaml.Style{0, 0, 0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle}[g.IntN(5)]
	return n
}

func (g *gardener) scalar() *yaml.Node {
	n := scalarNode("", 0, g.text())
	if g.sometimes(3) {
		n.Tag = "!!str"
	}
	if g.sometimes(3) {
		n.Style = allStyles[g.IntN(5)]
	}
	if g.oddTag && g.sometimes(20) {
		n.Tag, n.Style = allTags[g.IntN(len(allTags))], allStyles[g.IntN(len(allStyles))]
	}
	return g.comment(n)
}

var pieces = []string{
	"a", "b", "C", "-", ".", "/", "_", "0", "1", "10", "9", "01", "name", "app.kubernetes.io/", "value", " ", "  ", "\n", "\n\n", ":", ": ", " #", "'", "\"", "é", "x", "{{ .v }}", "long words to be folded ",
}

func (g *gardener) text() string {
	if g.oddText && g.sometimes(6) {
		return scalarTexts[g.IntN(len(scalarTexts))]
	}
	var b strings.Builder
	limit := 4
	if g.sometimes(10) {
		limit = 30
	}
	for range 1 + g.IntN(limit) {
		if g.oddText && g.sometimes(12) {
			b.WriteString(scalarTexts[g.IntN(len(scalarTexts))])
		} else if g.sometimes(2) {
			b.WriteString(pieces[g.IntN(14)])
		} else {
			b.WriteString(pieces[g.IntN(len(pieces))])
		}
	}
	return b.String()
}

func TestRandomTrees(t *testing.T) {
	skipped := 0
	for seed := range *trees {
		n := newGardener(uint64(seed)).root()
		if !ordered(n) {
			skipped++
			continue
		}
		checkNode(t, n)
	}
	if skipped > *trees/20 {
		t.Errorf("skipped %d trees", skipped)
	}
}

// FuzzTree tries random trees, among them such as no parser makes.
func FuzzTree(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		if n := newGardener(seed).root(); ordered(n) {
			checkNode(t, n)
		}
	})
}

// FuzzDocument tries the trees of documents that yaml.v3 reads. kustomize
// resolves aliases and drops anchors before it builds.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{
		deployment, "a: 1 # c\n# d\nb: [x, {y: z}] # e\n", "a: >-\n  b\n\n   c\nd: |+\n  e\n\n", "? |\n  a\n: - b\n  - - c\n",
		"a: !!int 1\n<<: {b: c}\n", "a: 'b\n\n  c'\nd: \"\\u2028\\x7f\"\n", "- {a: , 'b': 2001-01-01}\n- 1_000\n- .5\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n yaml.Node
		if yaml.Unmarshal([]byte(text), &n) != nil || !ordered(&n) || anchored(&n) {
			return
		}
		checkNode(t, &n)
	})
}

func anchored(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, anchored)
}

// ordered tells whether yaml.v2 has one order for the keys of every mapping.
// Its comparison is not transitive for all texts, and then what kustomize
// prints changes from run to run.
func ordered(n *yaml.Node) bool {
	var keys [][]rune
	for _, name := range keysOf(n) {
		keys = append(keys, []rune(name))
	}
	for _, a := range keys {
		for _, b := range keys {
			for _, c := range keys {
				if compareRunes(a, b) < 0 && compareRunes(b, c) < 0 && compareRunes(a, c) >= 0 {
					return false
				}
			}
		}
	}
	for _, child := range n.Content {
		if !ordered(child) {
			return false
		}
	}
	return true
}

// keysOf returns the keys of a mapping, those that are merged into it included.
func keysOf(n *yaml.Node) []string {
	var names []string
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "<<" {
			names = append(names, keysOf(n.Content[i+1])...)
		} else {
			names = append(names, n.Content[i].Value)
		}
	}
	return names
}
