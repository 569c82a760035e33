package syntax

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/resource"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// read is the text as one reads it with kls: nodes, and whether a problem
// makes kustomize refuse the text.
func read(content string) (nodes []*yaml.Node, problems []Problem, refused bool) {
	table := NewTable()
	nodes, problems = ReadDocuments(table, table.Add("file.yaml", []byte(content)))
	for _, p := range problems {
		refused = refused || p.Refused
	}
	return nodes, problems, refused
}

// oracle is kustomize reading the same text.
func oracle(content string) ([]*kyaml.RNode, error) {
	return resource.NewFactory(nil).RNodesFromBytes([]byte(content))
}

// compare holds the outcome of kls against that of kustomize: refused or not,
// and where not, all that a node has except its place.
func compare(t *testing.T, content string) {
	t.Helper()
	want, err := oracle(content)
	got, problems, refused := read(content)
	if refused != (err != nil) {
		t.Fatalf("refused: %v, problems %v, but kustomize says %v for\n%s", refused, problems, err, content)
	}
	if err != nil {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("got %d resources, kustomize has %d, for\n%s", len(got), len(want), content)
	}
	for i := range got {
		if g, w := dump(got[i]), dump(want[i].YNode()); g != w {
			t.Fatalf("resource %d\ngot:\n%s\nwant:\n%s\nfor\n%s", i, g, w, content)
		}
		checkPlaces(t, got[i])
	}
}

func dump(n *yaml.Node) string {
	var b strings.Builder
	var walk func(n *yaml.Node, depth int)
	walk = func(n *yaml.Node, depth int) {
		fmt.Fprintf(&b, "%s%d %d %q %q anchor %q comments %q %q %q\n", strings.Repeat(" ", depth), n.Kind, n.Style, n.Tag, n.Value,
			n.Anchor, n.HeadComment, n.LineComment, n.FootComment)
		for _, child := range n.Content {
			walk(child, depth+1)
		}
	}
	walk(n, 0)
	return b.String()
}

func checkPlaces(t *testing.T, n *yaml.Node) {
	t.Helper()
	if file, line, column := Place(n); file != 1 || line < 1 || column < 1 {
		t.Errorf("node %q has place %d:%d:%d", n.Value, file, line, column)
	}
	for _, child := range n.Content {
		checkPlaces(t, child)
	}
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n"

func object(name, rest string) string {
	return "kind: Thing\nmetadata: {name: " + name + "}\n" + rest
}

// Each is read by kustomize as well, which says what must come out.
var odd = map[string]string{
	"empty":                         "",
	"only a comment":                "# nothing\n",
	"only separators":               "---\n---\n---\n",
	"one":                           configMap,
	"no line break at the end":      strings.TrimSuffix(configMap, "\n"),
	"two":                           configMap + "---\n" + object("two", ""),
	"leading separator":             "---\n" + configMap,
	"trailing separator":            configMap + "---\n",
	"trailing separator without LF": configMap + "---",
	"document after a final ---":    configMap + "---\n# empty\n---\n" + object("b", "") + "---",
	"separators in a row":           configMap + "---\n---\n---\n" + object("b", ""),
	"separator with comment":        configMap + "--- # next\n" + object("b", ""),
	"separator with blanks":         configMap + "---   \t\n" + object("b", ""),
	"separator with content":        configMap + "--- {kind: X}\n" + object("b", ""),
	"four dashes":                   configMap + "----\n" + object("b", ""),
	"separator in a block scalar":   object("a", "s: |\n  x\n---\n") + object("b", ""),
	"indented separator in a block": object("a", "s: |\n  x\n  ---\n  y\n"),
	"document end mark":             configMap + "...\n" + object("b", ""),
	"content after document end":    configMap + "...\n}}}\n",
	"CRLF":                          strings.ReplaceAll(configMap+"---\n"+object("b", "s: |\n  x\n  y\n"), "\n", "\r\n"),
	"CR CR LF":                      strings.ReplaceAll(configMap, "\n", "\r\r\n"),
	"lone CR":                       strings.ReplaceAll(configMap, "\n", "\r"),
	"byte order mark":               "\xef\xbb\xbf" + configMap,
	"byte order mark later":         configMap + "---\n\xef\xbb\xbf" + object("b", ""),
	"null documents":                configMap + "---\nnull\n---\n~\n---\n# c\n",
	"empty map":                     configMap + "---\n{}\n",
	"empty list":                    configMap + "---\n[]\n",
	"scalar":                        configMap + "---\nword\n",
	"list":                          configMap + "---\n- a\n",
	"JSON":                          `{"kind": "X", "metadata": {"name": "a", "labels": {"b": "<>&"}}}`,
	"comments":                      "# head\n\n# more\n" + configMap + "# foot\n---\n# second\n" + object("b", "# inside\nx: 1 # line\n") + "# end\n",
	"tags":                          object("a", "x: !!str 5\ny: !foo bar\nz: !!binary aGk=\n"),
	"no kind":                       "metadata: {name: a}\n",
	"no name":                       "kind: X\n",
	"only apiVersion":               "apiVersion: v1\n",
	"only labels":                   "metadata: {labels: {a: b}}\n",
	"kind is null":                  "kind: null\nmetadata: {name: a}\n",
	"name is null":                  "kind: X\nmetadata: {name: ~}\n",
	"name is empty":                 "kind: X\nmetadata: {name: ''}\n",
	"name is a number":              "kind: X\nmetadata: {name: 5}\n",
	"name is a map":                 "kind: X\nmetadata: {name: {a: b}}\n",
	"metadata is a string":          "kind: X\nmetadata: y\n",
	"kind twice":                    "kind: X\nkind: Y\nmetadata: {name: a, name: b}\n",
	"nil in a list":                 object("a", "l: [1, ~, 2]\nm:\n-\n- x\n"),
	"null key":                      object("a", "m: {~: 1, b: 2}\n"),
	"null key empty":                object("a", "m: {: 1, b: 2}\n"),
	"null key beside an alias":      object("a", "k: &x 1\nl: *x\nm: {~: 1, b: 2}\n"),
	"complex keys":                  object("a", "m: {[a]: 1, {b: c}: 2}\n"),
	"malformed":                     "kind: X\n  bad: y\n",
	"malformed second":              configMap + "---\na: [1\n",
	"malformed tab":                 "a:\n\tb: 1\n",
	"control character":             "kind: X\x01\n",
	"NUL":                           "kind: X\x00\nmetadata: {name: a}\n",
	"invalid UTF-8":                 "kind: \xff\n",
	"cut UTF-8":                     "kind: X\nmetadata: {name: a}\n# \xe2\x82",
	"UTF-16":                        "\xff\xfek\x00:\x00 \x00X\x00\n\x00",
	"unknown anchor":                object("a", "x: *nope\n"),
	"next line":                     object("a", "x: a\u0085y: b\n"),

	"List":                           "kind: List\nitems:\n- kind: A\n  metadata: {name: a}\n- kind: B\n  metadata: {name: b}\n",
	"List without items":             "kind: List\n",
	"List with null items":           "kind: List\nitems:\n",
	"List with empty items":          "kind: List\nitems: []\n",
	"List of a map":                  "kind: List\nitems: {a: b}\n",
	"List of a string":               "kind: List\nitems: word\n",
	"List of null":                   "kind: List\nitems: [~, {kind: A, metadata: {name: a}}]\n",
	"List of scalars":                "kind: List\nitems: [1]\n",
	"List with functionConfig":       "kind: List\nfunctionConfig: {a: b}\n",
	"List in a List":                 "kind: List\nitems:\n- kind: List\n  items:\n  - kind: A\n    metadata: {name: a}\n",
	"List behind a separator":        "---\nkind: List\nitems:\n- kind: A\n  metadata: {name: a}\n",
	"List behind a comment":          "# c\n---\nkind: List\nitems:\n- kind: A\n  metadata: {name: a}\n",
	"List beside another":            configMap + "---\nkind: List\nitems:\n- kind: A\n  metadata: {name: a}\n",
	"List with alias items":          "x: &x [{kind: A, metadata: {name: a}}]\nkind: List\nitems: *x\n",
	"List whose kind is an alias":    "x: &List foo\nkind: *List\nitems: [{kind: A, metadata: {name: a}}]\n",
	"aliases between items":          "kind: List\nitems:\n- &a {kind: A, metadata: {name: a}}\n- {<<: *a, x: 1}\n- *a\n",
	"ResourceList":                   "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\n  metadata: {name: a}\nfunctionConfig: {kind: F}\n",
	"FooList":                        "kind: FooList\nitems:\n- metadata: {name: a}\n  kind: Foo\n  z: 1\n  b: [x, 'y']\n- kind: Foo\n  metadata: {name: b}\n",
	"FooList before others":          "kind: FooList\nitems:\n- {kind: Foo, metadata: {name: a}}\n---\n" + configMap,
	"FooList in FooList":             "kind: FooList\nitems:\n- kind: BarList\n  items: [{kind: Bar, metadata: {name: a}}]\n- {kind: Foo, metadata: {name: b}}\n",
	"List in FooList":                "kind: FooList\nitems:\n- kind: List\n  items: [{kind: Bar, metadata: {name: a}}]\n- {kind: Foo, metadata: {name: b}}\n",
	"FooList without items":          "kind: FooList\nspec: 1\n",
	"FooList with null items":        "kind: FooList\nitems:\n",
	"FooList with a map":             "kind: FooList\nitems: {a: b}\n",
	"FooList with scalars":           "kind: FooList\nitems: [1]\n",
	"FooList with null item":         "kind: FooList\nitems: [~]\n",
	"FooList item without a name":    "kind: FooList\nitems: [{kind: Foo}]\n",
	"FooList with twice the key":     "kind: FooList\nmetadata: {a: b, a: c}\nitems: []\n",
	"FooList with twice the items":   "kind: FooList\nitems: []\nitems: []\n",
	"FooList with number keys":       "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: {1: 2}}]\n",
	"FooList numbers keys elsewhere": "kind: FooList\nx: {1: 2, true: 3}\nitems: [{kind: Foo, metadata: {name: a}}]\n",
	"FooList number key at the top":  "kind: FooList\n1: 2\n~: 3\nitems: [{kind: Foo, metadata: {name: a}}]\n",
	"FooList odd scalars": "kind: FooList\nitems:\n- kind: Foo\n  metadata: {name: a}\n  v: [yes, 'no', on, 0x10, 010, 0o10, 1_000, 1e3, 1.0, 1e21, 1e-7, .5, 9007199254740993," +
		" 18446744073709551615, 123456789012345678901234567890, 2001-01-01, 2001-12-14t21:59:43.10-05:00, ~, true, !!binary aGk=, !foo bar, !!str 5, !!float 1, '<&>', \"\\u2028\", '=', '']\n",
	"FooList not a number":       "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: .nan}]\n",
	"FooList infinity":           "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: -.inf}]\n",
	"FooList wrong tag":          "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: !!int b}]\n",
	"FooList wrong binary":       "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: !!binary b}]\n",
	"FooList binary not UTF-8":   "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: !!binary //8=}]\n",
	"FooList control character":  "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: \"\\x7f\"}]\n",
	"FooList next line":          "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, x: \"a\\Nb\"}]\n",
	"FooList with aliases":       "x: &x {kind: Foo, metadata: {name: a}}\nkind: FooList\nitems: [*x, {<<: *x, z: 1}]\n",
	"FooList with nested merges": "x: &x {kind: Foo}\ny: &y {<<: *x, metadata: {name: a}}\nkind: FooList\nitems: [{<<: *y, z: 1}, {<<: [*x, *y]}]\n",
	"FooList complex key":        "kind: FooList\nitems: [{kind: Foo, metadata: {name: a}, [a]: b}]\n",

	"alias to a scalar":             object("a", "x: &x v\ny: *x\n"),
	"alias to a map":                object("a", "x: &x {a: b}\ny: *x\nz: [*x, *x]\n"),
	"alias as key":                  object("a", "x: &x v\nm: {*x : 1}\n"),
	"anchor on a key":               object("a", "&k x: 1\ny: *k\n"),
	"nested anchors":                object("a", "x: &x {y: &y {z: &z 1}}\na: *x\nb: *y\nc: *z\n"),
	"anchor defined again":          object("a", "x: &x 1\ny: *x\nz: &x 2\nw: *x\n"),
	"anchor of the whole":           "&r\n" + object("a", "x: 1\n"),
	"aliases do not cross a piece":  object("a", "x: &x 1\n") + "---\n" + object("b", "y: *x\n"),
	"merge":                         object("a", "x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\n  c: 4\n"),
	"merge of a literal map":        object("a", "y:\n  <<: {a: 1}\n  b: 3\n"),
	"merge list":                    object("a", "x: &x {a: 1, b: 2}\ny: &y {b: 5, c: 6}\nz: {d: 1, <<: [*x, *y], c: 7}\n"),
	"merge list of literals":        object("a", "z: {d: 1, <<: [{a: 1}, {a: 2, b: 3}], c: 7}\n"),
	"merge of a merge":              object("a", "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nz: {<<: *y, c: 3}\n"),
	"merge of a merge seen before":  object("a", "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nw: *y\nz: {<<: *y, c: 3}\n"),
	"merge inside a list":           object("a", "x: &x [&m {<<: {a: 1}}]\ny: *x\nz: {<<: *m}\n"),
	"merge inside an aliased list":  object("a", "x: &x [&m {n: &n {<<: {a: 1}}}]\ny: *x\nz: {<<: *m}\nw: {<<: *n}\n"),
	"merge twice":                   object("a", "x: &x {a: 1}\nz: {<<: *x, <<: *x}\n"),
	"merge of a scalar":             object("a", "x: &x 1\nz: {<<: *x}\n"),
	"merge of a word":               object("a", "z: {<<: word}\n"),
	"merge of null":                 object("a", "z: {<<: }\n"),
	"merge of a list alias":         object("a", "x: &x [{a: 1}]\nz: {<<: *x}\n"),
	"merge of lists in a list":      object("a", "z: {<<: [[{a: 1}]]}\n"),
	"merge of a scalar in a list":   object("a", "z: {<<: [a]}\n"),
	"merge of an empty list":        object("a", "z: {b: 1, <<: []}\n"),
	"merge key quoted":              object("a", "x: &x {a: 1}\nz: {'<<': *x, b: 1}\n"),
	"merge key quoted and not":      object("a", "x: &x {a: 1}\nz: {'<<': {c: 1}, <<: *x, b: 1}\n"),
	"merge tag on another key":      object("a", "x: &x {a: 1}\nz: {!!merge foo: *x, b: 1}\n"),
	"merge with twice the key":      object("a", "x: &x {a: 1, a: 2, b: 1}\nz: {<<: *x, b: 2, b: 3}\n"),
	"merge of itself":               object("a", "z: &z {<<: *z, b: 2}\n"),
	"merge of null keys":            object("a", "x: &x {~: 1, a: 1}\nz: {<<: *x, '': 2}\n"),
	"merge with comments":           object("a", "x: &x\n  # one\n  a: 1 # line\nz:\n  <<: *x # merged\n  # two\n  b: 2\n"),
	"merge replaces the whole map":  object("a", "x: &x {m: {a: 1, b: 2}}\nz: {<<: *x, m: {c: 3}}\n"),
	"merge whose value has aliases": object("a", "w: &w 1\nx: &x {a: *w, b: [*w]}\nz: {<<: *x}\n"),
	"merge at the root":             "x: &x {kind: Thing}\n<<: *x\nmetadata: {name: a}\n",
	"merge into metadata":           "x: &x {name: b}\nkind: Thing\nmetadata: {<<: *x}\n",
}

func TestReadDocumentsAsKustomize(t *testing.T) {
	for name, content := range odd {
		t.Run(name, func(t *testing.T) { compare(t, content) })
	}
}

// So many documents are read on several processors, and must keep their order.
func TestReadManyDocumentsAsKustomize(t *testing.T) {
	var content strings.Builder
	for i := range 500 {
		content.WriteString(object(fmt.Sprint("n", i), "x: &x {a: 1}\ny: {<<: *x}\n") + "---\n")
	}
	compare(t, content.String())
}

// A generator that knows no rules but those of indentation makes combinations
// that nobody would write down.
func TestReadDocumentsAsKustomizeAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		compare(t, randomText(random))
	}
}

func randomText(random *rand.Rand) string {
	g := generator{random: random}
	pieces := make([]string, 1+random.IntN(3))
	for i := range pieces {
		g.complete = nil
		pieces[i] = g.resource(i)
	}
	s := strings.Join(pieces, g.pick("---\n", "---\n", "--- # c\n", "---\n---\n"))
	if random.IntN(4) == 0 {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	return s
}

type generator struct {
	random   *rand.Rand
	anchors  int
	complete []string // names of anchors whose nodes have ended
}

func (g *generator) pick(options ...string) string { return options[g.random.IntN(len(options))] }

func (g *generator) resource(i int) string {
	kind := g.pick("Thing", "Thing", "Thing", "List", "ThingList")
	if kind == "Thing" {
		return fmt.Sprintf("kind: Thing\nmetadata:\n  name: n%d\n", i) + "spec:" + g.node(1)
	}
	return "kind: " + kind + "\nx:" + g.node(1) + "items:\n" + fmt.Sprintf("- kind: Item\n  metadata:\n    name: i%d\n  y:", i) + g.node(2)
}

// node returns what follows a colon or dash, with its line break. Aliases
// refer to nodes that have ended, because kustomize recurses without end into
// others.
func (g *generator) node(depth int) string {
	if len(g.complete) > 0 && g.random.IntN(4) == 0 {
		return " *" + g.pick(g.complete...) + "\n"
	}
	if g.random.IntN(3) > 0 {
		return g.content(depth)
	}
	g.anchors++
	name := fmt.Sprintf("a%d", g.anchors)
	s := " &" + name + g.content(depth)
	g.complete = append(g.complete, name)
	return s
}

func (g *generator) content(depth int) string {
	indent := "\n" + strings.Repeat("  ", depth)
	choice := g.random.IntN(10)
	s := ""
	switch {
	case choice < 6 && depth < 5:
		used := g.random.IntN(5)
		for i := range 1 + g.random.IntN(3) {
			key := string(rune('a' + (used+i)%6))
			if g.random.IntN(5) == 0 && len(g.complete) > 0 {
				key = g.pick("<<", "<<", `"<<"`, "k")
			}
			s += indent + key + ":" + strings.TrimSuffix(g.node(depth+1), "\n")
		}
		return s + "\n"
	case choice < 8 && depth < 5:
		for range 1 + g.random.IntN(3) {
			s += indent + "-" + strings.TrimSuffix(g.node(depth+1), "\n")
		}
		return s + "\n"
	}
	return g.pick(" 1", " word", " 'single'", ` "double\n"`, " [a, b]", " {a: b}", " # comment", " ~", " |"+indent+"  text"+indent+"  more") + "\n"
}

func FuzzReadDocumentsAsKustomize(f *testing.F) {
	for _, content := range odd {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		_, problems, _ := read(content)
		for _, p := range problems {
			if p.Kind == AliasCycle || p.Kind == ExpansionLimit {
				return // kustomize would crash, or take all memory
			}
		}
		compare(t, content)
	})
}
