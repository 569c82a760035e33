package fieldpath_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// generator makes resources with documents in their strings, and paths that
// lead to something in them more often than not.
type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.Intn(len(from))] }

var (
	keys = []string{"a", "b", "name", "image", "config.json", "0", "-", "x/y", "a b", "ключ", "[k]", "p=q", "*", "1e3"}

	plainValues = []string{
		"nginx", "nginx-sidecar", "web", "1", "080", "1.0", "1e3", "true", "null", "~", "yes", "2020-01-01",
		"12345678901234567890123", "0x1F", ".nan", "a.b", "a:b:c", "x-y-z", "日本語", "\"quoted\"", "'single'",
		"\"\"", "\"multi\\nline\"", "!!str 5", "\"<tag>&\"", "\"  \"", "!custom z", "\"\\u00a0\"",
	}

	jsonDocuments = []string{
		`{"a":"x","b":1}`, `{"b":1,"a":{"name":"web","a":[1,2,3]}}`, "{\n  \"b\": true,\n  \"a\": null\n}\n",
		`{"a":"x","a":"y"}`, `[{"name":"nginx","a":"1"},{"name":"nginx-sidecar","a":"2"}]`, `[]`, `{}`, `{"a":`,
		`{"a":"{\"b\":\"deep\"}","b":"a: 1"}`, `{a: x, b: 1.0}`, `{"a":1.0,"b":12345678901234567890123}`,
		`{"a":"<b>&","b":"\u003c"}`, "[1,\n  2]", `{1: a, a: b}`, `{"a": 2020-01-01, "b": .inf}`, `{"a":"\ud83d\ude00"}`,
		`{"a":[[]],"b":{"a":{}}}`, `{"config.json":"{}","a":"b"}`, `{"a": &x {"b": c}, "b": *x}`, `{"<<": {"a": 1}, "b": 2}`,
		`"{\"a\":\"b\"}"`, "{\"a\":\"b\"}\ntrailing", "{\n \"a\": 1 }", `{"a":"b",}`, "  {\"a\": \"b\"}",
	}

	yamlDocuments = []string{
		"a: x\nb: 1\n", "a:\n    name: web\n    b: [1, 2]\n# foot\n", "# head\na: 1 # line\nb:\n- name: nginx\n  a: \"1\"\n",
		"a: 1\n---\na: 2\n", "---\na: |\n  b: c\nb: '{\"a\":1}'\n", "word", "", "\n", "# only a comment\n", "~", "---\n", "a: b: c",
		"- a\n- b: 1\n-\n- nginx # c\n", "a: &x\n  b: 1\nb: *x\n", "a: !!int 3\nb: !custom z\n", "a: \"x\"\nb: 'y'\n", "%YAML 1.1\n---\na: 1\n",
		"a: >\n  folded\n  text\nb: true\n", "{a: 1}\n# c\n", "? {q: r}\n: z\na: 1\n", "a:\nb: 2\n", "a: 1\n...\n", "\ta: 1", "\u00a0", "a: 1\na: 2\n", "-\n",
	}

	words = []string{"NEW", "7", "true", "", "a: b", "with space", "line\nbreak", "<&>", "日本", "null", "{}", "\u00a0", "\"q\"", "#x"}
)

func (g generator) mapping(depth int) string {
	var out strings.Builder
	used := map[string]bool{}
	for i := g.Intn(4); i >= 0; i-- {
		key := keys[g.Intn(len(keys))]
		if g.Intn(2) == 0 {
			key = g.pick("a", "b", "name")
		}
		if used[key] {
			continue
		}
		used[key] = true
		fmt.Fprintf(&out, "%q: %s\n", key, indented(g.value(depth-1)))
	}
	if out.Len() == 0 {
		return "{}"
	}
	return "\n" + out.String()
}

func (g generator) sequence(depth int) string {
	var out strings.Builder
	for i := g.Intn(4); i > 0; i-- {
		element := g.value(depth - 1)
		if g.Intn(2) == 0 {
			element = fmt.Sprintf("\nname: %s\na: %s\n", g.pick("nginx", "nginx-sidecar", "web", "1", "\"1\"", "web # c"), indented(g.value(depth-2)))
		}
		fmt.Fprintf(&out, "- %s\n", indented(element))
	}
	if out.Len() == 0 {
		return "[]"
	}
	return "\n" + out.String()
}

// value is YAML that can stand behind a key; lines after the first are not
// indented yet.
func (g generator) value(depth int) string {
	if depth <= 0 {
		return g.scalar()
	}
	switch g.Intn(5) {
	case 0, 1:
		return g.mapping(depth)
	case 2:
		return g.sequence(depth)
	}
	return g.scalar()
}

func (g generator) scalar() string {
	document := plainValues[g.Intn(len(plainValues))]
	switch g.Intn(4) {
	case 0:
		return document
	case 1:
		document = jsonDocuments[g.Intn(len(jsonDocuments))]
	case 2:
		document = g.json(4)
	case 3:
		document = yamlDocuments[g.Intn(len(yamlDocuments))]
	}
	if g.Intn(2) == 0 && strings.TrimSpace(document) != "" && !strings.HasPrefix(document, " ") && isBlockText(document) && !strings.HasPrefix(document, "\t") {
		return "|" + g.pick("", "-", "+") + "\n" + document + "\n"
	}
	return fmt.Sprintf("%q", document)
}

func isBlockText(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// json is JSON, or nearly, on one line or indented.
func (g generator) json(depth int) string {
	value := g.jsonValue(depth)
	out, err := json.Marshal(value)
	if g.Intn(2) == 0 {
		out, err = json.MarshalIndent(value, "", strings.Repeat(" ", 1+g.Intn(4)))
	}
	if err != nil {
		return "{}"
	}
	document := string(out)
	if g.Intn(8) == 0 {
		document = strings.Replace(document, `"`, g.pick(`'`, ``, `"\\`), 2)
	}
	return document
}

func (g generator) jsonValue(depth int) any {
	if depth > 0 && g.Intn(3) > 0 {
		if g.Intn(3) == 0 {
			return []any{g.jsonValue(depth - 1), g.jsonValue(depth - 2)}
		}
		return map[string]any{
			g.pick("a", "b", "c"): g.jsonValue(depth - 1), g.jsonString(): g.jsonValue(depth - 2), g.pick("name", "x.y", "1"): g.jsonValue(0),
		}
	}
	switch g.Intn(5) {
	case 0:
		return json.Number(g.pick("0", "1", "-1", "1.50", "1e3", "1E-7", "-0", "123456789012345678", "98765432109876543210", "0.1"))
	case 1:
		return g.Intn(2) == 0
	case 2:
		return nil
	}
	return g.jsonString()
}

func (g generator) jsonString() string {
	return strings.Repeat(g.pick(
		"", "a", "nginx", "with space", " lead", "trail ", "line\nbreak", "tab\t", "\"q\"", `back\slash`, "\u2028", "\u0085", "\ufeff", "\u00a0", "\x7f", "\x01",
		"日本", "\U0001F600", "<<", "~", "null", "1", "2020-01-01", "# no comment", "a: b", "- a", "{", "'", "<&>", "\r", "?", "é\u0301", "a\\n",
	), 1+g.Intn(2)*g.Intn(200)*g.Intn(2))
}

func indented(value string) string {
	return strings.TrimRight(strings.ReplaceAll(value, "\n", "\n  "), " ")
}

// path walks the node at random and writes down how, and now and then errs.
func (g generator) path(n *yaml.Node) string {
	var segments []string
	if g.Intn(10) > 0 {
		segments = []string{g.pick("data", "spec")}
		n = fieldOf(n, segments[0])
	}
	for len(segments) < 8 {
		if g.Intn(12) == 0 {
			segments = append(segments, g.pick(
				"*", "-", "0", "1", "2", "-1", "+1", "", " a", "a ", "missing", "[name=nginx]", "[name=n.*]", "[=a]", "[=1]", "[=]", "[name=]",
				"[k]", "[config.json]", "[a", "b]", `\`, `x\`, "[name=(]", "[=^a$]", "[name=nginx$]", "name", "[a=x.y]", "[name=web]", "config.json"))
		}
		next := g.step(n, &segments)
		if next == nil || g.Intn(9) == 0 {
			break
		}
		n = next
	}
	return strings.Join(segments, ".")
}

func fieldOf(n *yaml.Node, key string) *yaml.Node {
	_, value := syntax.Field(n, key)
	return value
}

func (g generator) step(n *yaml.Node, segments *[]string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		i := g.Intn(len(n.Content)+1) / 2 * 2
		if i+1 >= len(n.Content) {
			if i = 0; len(n.Content) == 0 {
				return nil
			}
		}
		key := fieldpath.Escape(n.Content[i].Value)
		if g.Intn(4) == 0 && strings.Contains(key, ".") {
			key = g.pick(n.Content[i].Value, "["+n.Content[i].Value+"]")
		}
		*segments = append(*segments, key)
		return n.Content[i+1]
	case yaml.SequenceNode:
		if len(n.Content) == 0 {
			*segments = append(*segments, g.pick("0", "-", "*", "[name=nginx]", "[=a]", "[=^a$]"))
			return nil
		}
		i := g.Intn(len(n.Content))
		segment := g.pick("*", "*", "-", fmt.Sprint(i), fmt.Sprint(i), "[name=nginx]", "[name=web]", "[name=1]", fmt.Sprint(len(n.Content)))
		*segments = append(*segments, segment)
		return n.Content[i]
	case yaml.ScalarNode:
		var document yaml.Node
		if g.Intn(8) == 0 || yaml.Unmarshal([]byte(n.Value), &document) != nil || len(document.Content) == 0 {
			return nil
		}
		if document.Content[0].Kind == yaml.ScalarNode && g.Intn(4) != 0 {
			return nil
		}
		return document.Content[0]
	}
	return nil
}

func (g generator) resource(t testing.TB) *yaml.Node {
	value := "apiVersion: v1\nkind: Target\nmetadata:\n  name: the-target\ndata: " +
		indented(g.mapping(4)) + "\nspec: " + indented(g.value(3)) + "\n"
	return parseNode(t, value)
}

func (g generator) replacement(t testing.TB) *yaml.Node {
	switch g.Intn(12) {
	case 0:
		return parseNode(t, "a: 1\nb: [x] # c\n")
	case 1:
		return parseNode(t, "- 1\n- b: c\n")
	case 2:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: words[g.Intn(len(words))]}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: words[g.Intn(len(words))]}
}

func (g generator) options() fieldpath.Options {
	options := fieldpath.Options{Create: g.Intn(3) == 0}
	if g.Intn(4) == 0 {
		options.Delimiter = g.pick(":", "-", ".", "n", "日")
		options.Index = g.Intn(5) - 1
	}
	return options
}

var cases = flag.Int("cases", 1000, "how many random resources and documents to try; each gives several cases")

func TestRandomPathsAsKustomize(t *testing.T) {
	rounds := *cases
	if testing.Short() {
		rounds = 300
	}
	counts := map[string]int{}
	for seed := 0; seed < rounds && !t.Failed(); seed++ {
		g := generator{rand.New(rand.NewSource(int64(seed)))}
		target := g.resource(t)
		for range 4 {
			path := g.path(target)
			compareGet(t, target, path)
			outcome := compareWrite(t, target, g.replacement(t), path, g.options())
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
			switch {
			case outcome.Failure != nil:
				counts["refused"]++
			case outcome.DrillDown:
				counts["inside a document"]++
			default:
				counts["plain"]++
			}
		}
	}
	for _, what := range []string{"refused", "inside a document", "plain"} {
		if counts[what] < rounds/10 {
			t.Errorf("only %d of the cases were %s: the generator no longer tests that", counts[what], what)
		}
	}
	t.Log(counts)
}

// Most documents are JSON, which has a quicker way out than through YAML.
func TestRandomJSONAsKustomize(t *testing.T) {
	inside := 0
	rounds := *cases
	for seed := range rounds {
		g := generator{rand.New(rand.NewSource(int64(seed)))}
		document := g.json(5)
		for !strings.HasPrefix(document, "{") {
			document = g.json(5)
		}
		target := resource(t, fmt.Sprintf("data: {c: %q}", document))
		_, data := syntax.Field(target, "data")
		segments := []string{"data"}
		for n := data; n != nil && len(segments) < 9; {
			n = g.step(n, &segments)
		}
		value := word(g.pick("7", "true", g.jsonString()))
		if outcome := compareWrite(t, target, value, strings.Join(segments, "."), g.options()); outcome.DrillDown && outcome.Changed {
			inside++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if inside < rounds/6 {
		t.Errorf("only %d documents were written", inside)
	}
}
