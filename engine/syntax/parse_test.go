package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	yaml "go.yaml.in/yaml/v3"
)

func parse(content string) (*Table, *File) {
	table := NewTable()
	return table, Parse(table, table.Add("f.yaml", []byte(content)))
}

// outline shows a tree in one line: what a reader of it has to work with.
func outline(n *yaml.Node) string {
	if n == nil {
		return "nothing"
	}
	switch n.Kind {
	case yaml.MappingNode:
		var entries []string
		for i := 0; i < len(n.Content); i += 2 {
			entries = append(entries, outline(n.Content[i])+": "+outline(n.Content[i+1]))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			items = append(items, outline(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case yaml.AliasNode:
		return "*" + n.Value
	}
	if n.Tag == nullTag {
		return "~"
	}
	return n.Value
}

// A marker « » stands around what the problem should point at.
func TestRepair(t *testing.T) {
	for _, tt := range []struct{ name, content, want, message string }{
		{"a key without a colon", "a: 1\n«res»\nb: 2\n", "{a: 1, b: 2}", "colon"},
		{"a key without a colon at the end", "a:\n- x\n«res»", "{a: [x]}", "colon"},
		{"a key without a colon in an item", "a:\n- name: x\n  «val»\n- name: y\n", "{a: [{name: x}, {name: y}]}", "colon"},
		{"two colons", "a: 1\n«b: c: d»\ne: 2\n", "{a: 1, b: ~, e: 2}", "colon"},
		{"too deep", "a: 1\n  «b: 2»\nc: 3\n", "{a: 1, c: 3}", "indentation"},
		{"not deep enough", "a:\n    b: 1\n  «c: 2»\nd: 3\n", "{a: {b: 1}, d: 3}", "indentation"},
		{"a tab", "a:\n\t«b: 1»\nc: 2\n", "{a: {b: 1}, c: 2}", "tab"},
		{"an unclosed list", "a: «[»x, y\nb: 1\n", "{a: [x, y], b: 1}", "closing ]"},
		{"an unclosed list with a comment", "a: «[»x, y # c\nb: 1\n", "{a: [x, y], b: 1}", "closing ]"},
		{"an unclosed list at the end", "b: 1\na: «[»x, ", "{b: 1, a: [x]}", "closing ]"},
		{"an unclosed map", "a: 1\nb: «{»c: d, e\nf: 2\n", "{a: 1, b: {c: d, e: ~}, f: 2}", "closing }"},
		{"an unclosed list over lines", "a: «[»\n  x,\n  y\nb: 1\n", "{a: [x, y], b: 1}", "closing ]"},
		{"an unclosed string", "a: «\"x»\nb: 1\nc: 2\n", "{a: x, b: 1, c: 2}", "closing \""},
		{"an unclosed string before another", "a: «\"x»\nb: \"y\"\nc: 2\n", "{a: x, b: y, c: 2}", "closing \""},
		{"an unclosed single quote", "a: «'x»\nb: 1\n", "{a: x, b: 1}", "closing '"},
		{"an unclosed string at the end", "a: 1\nb: «\"x»", "{a: 1, b: x}", "closing \""},
		{"an unclosed string in a list", "a:\n- «\"x»\n- y\n", "{a: [x, y]}", "closing \""},
		{"JSON that has just begun", "«{»", "{}", "closing }"},
		{"JSON after a colon", "«{»\"a\": ", "{a: ~}", "closing }"},
		{"JSON in a string", "«{»\"a\": {\"b\": \"c", "{a: {b: c}}", "closing }"},
		{"JSON over lines", "«{»\n  \"a\": [\n    1,\n    {\"b\": 2},\n", "{a: [1, {b: 2}]}", "closing }"},
		{"JSON without a comma", "{\n  \"a\": 1\n  «\"b\": 2»\n}\n", "{a: 1}", ""},
		{"an unknown alias", "a: 1\n«b: *nope»\nc: 2\n", "{a: 1, b: ~, c: 2}", "anchor"},
		{"an unknown escape", "a: 1\n«b: \"\\q\"»\nc: 2\n", "{a: 1, b: ~, c: 2}", "escape"},
		{"an invalid byte", "a: x«\xff»y\nb: 1\n", "{a: x y, b: 1}", "UTF-8"},
		{"a control character", "a: x«\x07»y\nb: 1\n", "{a: x y, b: 1}", "U+0007"},
		{"NUL", "a: x\nb«\x00»: 1\n", "{a: x, b: 1}", "U+0000"},
		{"a list item behind keys", "a: 1\n«- b»\nc: 2\n", "{a: 1, c: 2}", ""},
		{"CRLF", "a: 1\r\n«res»\r\nb: 2\r\n", "{a: 1, b: 2}", "colon"},
		{"several bytes", "é: €\n  «ö: ü»\nc: 1\n", "{é: €, c: 1}", ""},
		{"a list item, then keys", "«-»\na: 1\nb: 2\n", "{a: 1, b: 2}", ""},
		{"a word, then keys", "«x»\na: 1\nb: 2\n", "{a: 1, b: 2}", ""},
		{"a block scalar is left alone", "a: |\n  {\"x\": [\n  'y\nb: «[»1\n", "{a: {\"x\": [\n'y\n, b: [1]}", "closing ]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := strings.Index(tt.content, "«")
			marked := start >= 0
			content := strings.ReplaceAll(tt.content, "«", "")
			end := strings.Index(content, "»")
			content = strings.ReplaceAll(content, "»", "")
			_, f := parse(content)
			if len(f.Documents) != 1 || outline(f.Documents[0].Root) != tt.want {
				t.Errorf("got %s, want %s; problems %v", outline(f.Documents[0].Root), tt.want, f.Problems)
			}
			if f.Documents[0].Repaired != marked {
				t.Errorf("repaired is %v", f.Documents[0].Repaired)
			}
			if !marked {
				return
			}
			if len(f.Problems) != 1 {
				t.Fatalf("got problems %v, want one", f.Problems)
			}
			p := f.Problems[0]
			if p.Span.Start != start || p.Span.End != end || !strings.Contains(p.Detail, tt.message) {
				t.Errorf("got %q at %v, want %q at %d to %d", p.Detail, p.Span, tt.message, start, end)
			}
		})
	}
}

func TestSeveralMistakes(t *testing.T) {
	_, f := parse("a: [1\nb: 2\nres\nc: \"x\nd:\n\te: 1\nf: 3\n")
	if got, want := outline(f.Documents[0].Root), "{a: [1], b: 2, c: x, d: {e: 1}, f: 3}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(f.Problems) != 4 {
		t.Errorf("got %v, want four problems", f.Problems)
	}
}

func TestRepairKeepsPlaces(t *testing.T) {
	content := "a: [é\nb: 'x\nc: 1\nres\n\td: 2\n---\ne: f\n"
	table, f := parse(content)
	if len(f.Documents) != 2 {
		t.Fatalf("got %d documents", len(f.Documents))
	}
	for key, want := range map[string]string{"a": "[é", "b": "'x", "c": "1"} {
		_, n := Field(f.Documents[0].Root, key)
		_, span := NodeSpan(table, n)
		if got := content[span.Start:]; !strings.HasPrefix(got, want) {
			t.Errorf("%s stands at %q, want %q", key, got, want)
		}
	}
	_, e := Field(f.Documents[1].Root, "e")
	if _, span := NodeSpan(table, e); content[span.Start:span.End] != "f" {
		t.Errorf("got %v", span)
	}
}

func TestParseDocuments(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          []string
	}{
		{"empty", "", nil},
		{"comment", "# c\n", []string{"nothing"}},
		{"one", "a: 1\n", []string{"{a: 1}"}},
		{"two", "a: 1\n---\nb: 2\n", []string{"{a: 1}", "{b: 2}"}},
		{"comment and separator first", "# c\n---\na: 1\n", []string{"{a: 1}"}},
		{"document end", "a: 1\n...\nb: 2\n...\n", []string{"{a: 1}", "{b: 2}"}},
		{"empty between", "a: 1\n---\n---\nb: 2\n", []string{"{a: 1}", "~", "{b: 2}"}},
		{"content on the separator", "--- {a: 1}\n--- |\n x\n", []string{"{a: 1}", "x\n"}},
		{"no separator", "---a: 1\n", []string{"{---a: 1}"}},
		{"the first is broken", "a: [\n---\nb: 2\n", []string{"{a: []}", "{b: 2}"}},
		{"directive", "%YAML 1.2\n---\na: 1\n", []string{"nothing", "{a: 1}"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, f := parse(tt.content)
			var got []string
			for _, d := range f.Documents {
				got = append(got, outline(d.Root))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What kustomize does not read is pointed at; what it reads is not repaired.
func TestIgnoredDocument(t *testing.T) {
	for _, content := range []string{
		"{kind: X, metadata: {name: a}}\n«{kind: Y}»\n", "{kind: X, metadata: {name: a}} # c\n# d\n«}»\n", "kind: X\nmetadata: {name: a}\n...\n«kind: Y»\n",
		"kind: X\r\nmetadata: {name: a}\r\n...\r\n«kind: Y»\r\n---\r\n",
	} {
		start, end := strings.Index(content, "«"), strings.Index(content, "»")-len("«")
		content = strings.NewReplacer("«", "", "»", "").Replace(content)
		nodes, problems, refused := read(content)
		if len(nodes) != 1 || len(problems) != 1 || problems[0].Kind != IgnoredDocument || refused {
			t.Fatalf("%q: got %d nodes, %v", content, len(nodes), problems)
		}
		if span := problems[0].Span; span.Start != start || span.End != end {
			t.Errorf("%q: got %q", content, content[span.Start:span.End])
		}
	}
	_, f := parse("{a: 1}\n}\n")
	if outline(f.Documents[0].Root) != "{a: 1}" || len(f.Problems) != 1 || f.Problems[0].Kind != IgnoredDocument || f.Documents[0].Repaired {
		t.Errorf("got %s, %v", outline(f.Documents[0].Root), f.Problems)
	}
}

// sixtyLines is a kustomization file with a bit of everything.
const sixtyLines = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
# What is deployed.
resources:
- ../../base
- "ingress.yaml" # the door
- 'secret.yaml'
namePrefix: prod-
namespace: shop
labels:
- pairs:
    app: shop
    "quoted": 'yes'
  includeSelectors: true
patches:
- target:
    kind: Deployment
    name: web
  patch: |-
    - op: replace
      path: /spec/replicas
      value: [1, {"a": "b
- patch: >
    kind: Service
    metadata: {name: "web"}

  target: {kind: Service, name: web}
- path: patches/memory.yaml
images:
- {name: nginx, newTag: "1.27"}
- name: redis
  newName: registry.example.com/redis
configMapGenerator:
- name: settings
  literals:
  - COLOR=blue
  - 'QUOTED="x"'
  - "ESCAPED=\"y\\"
  files: [a.txt,
    b.txt,
    c.txt]
  options:
    disableNameSuffixHash: true
secretGenerator: []
replicas:
  - name: web
    count: 3
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.COLOR}
  targets:
  - select:
      kind: Deployment
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=COLOR].value
    options: {create: true}
components: [ ../a , ../b ]
commonAnnotations:
  note: a sentence that
    goes on over lines
sortOptions:
  order: fifo
`

// Whatever has been typed so far, the entries above the one being typed are
// there, and nothing crashes or hangs.
func TestEveryPrefix(t *testing.T) {
	var keys []string
	starts := map[string]int{}
	_, whole := parse(sixtyLines)
	for i := 0; i < len(whole.Documents[0].Root.Content); i += 2 {
		key := whole.Documents[0].Root.Content[i].Value
		keys = append(keys, key)
		starts[key] = strings.Index("\n"+sixtyLines, "\n"+key+":")
	}
	for end := range len(sixtyLines) + 1 {
		_, f := parse(sixtyLines[:end])
		for i, key := range keys {
			complete := i+1 < len(keys) && starts[keys[i+1]] < end
			if !complete {
				break
			}
			_, value := Field(f.Documents[0].Root, key)
			_, want := Field(whole.Documents[0].Root, key)
			if value == nil || outline(value) != outline(want) {
				t.Fatalf("%d bytes: %s is %s, want %s, after\n%s", end, key, outline(value), outline(want), sixtyLines[:end])
			}
		}
	}
}

// The same with the rest of the file behind it, as when a line is rewritten.
func TestEveryHole(t *testing.T) {
	lines := strings.SplitAfter(sixtyLines, "\n")
	for i, line := range lines {
		for _, typed := range []string{"x", "\"", "[", "{a: ", "\t", "- ", "'it", line[:len(line)/2] + "\n"} {
			changed := slices.Clone(lines)
			changed[i] = strings.TrimSuffix(typed, "\n") + "\n"
			_, f := parse(strings.Join(changed, ""))
			if _, kind := Field(f.Documents[0].Root, "kind"); i > 3 && (kind == nil || kind.Value != "Kustomization") {
				t.Errorf("line %d as %q: lost kind", i+1, typed)
			}
			if _, last := Field(f.Documents[0].Root, "sortOptions"); i < 55 && last == nil {
				t.Errorf("line %d as %q: lost the end: %s %v", i+1, typed, outline(f.Documents[0].Root), f.Problems)
			}
		}
	}
}

func TestDuplicateKeys(t *testing.T) {
	table, f := parse("a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n'a': 3\n")
	var got []string
	for _, d := range DuplicateKeys(f.Documents[0].Root) {
		_, first, _ := Place(d.First)
		_, again := NodeSpan(table, d.Again)
		got = append(got, fmt.Sprint(first, " ", again.Start))
	}
	if want := []string{"2 21", "1 27", "1 32"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestResolveAliases(t *testing.T) {
	table, f := parse("x: &x {a: 1}\ny: {<<: *x, b: 2}\nz: *x\n")
	if got := outline(f.Documents[0].Root); !strings.Contains(got, "*x") {
		t.Errorf("Parse must keep aliases, got %s", got)
	}
	root, problems := ResolveAliases(table, f.Documents[0].Root)
	if got, want := outline(root), "{x: {a: 1}, y: {b: 2, a: 1}, z: {a: 1}}"; got != want || len(problems) > 0 {
		t.Errorf("got %s, %v, want %s", got, problems, want)
	}
}

// Texts made to break parsers must be answered in time.
func TestHostileTexts(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	merges := "m0: &m0 {k: v}\n"
	for i := range 30 {
		merges += fmt.Sprintf("m%d: &m%d {a: *m%d, b: *m%d}\n", i+1, i+1, i, i)
	}
	nest := strings.Repeat("[", 9000)
	for name, content := range map[string]string{
		"alias bomb":         bomb,
		"doubling":           merges,
		"cycle":              "a: &a {b: *a}\n",
		"cycle at the root":  "&r {kind: X, b: *r}\n",
		"cycle over a list":  "- &m {a: *m}\n",
		"merge cycle":        "a: &a {<<: *a, b: &b {<<: *b, c: *a}}\n",
		"deep flow":          nest,
		"deep flow closed":   nest + strings.Repeat("]", 9000),
		"too deep":           strings.Repeat("[", 30000),
		"deep block":         strings.Repeat("- ", 5000) + "x",
		"many mistakes":      strings.Repeat("x\n\"\n[\n", 3000),
		"huge scalar":        "a: " + strings.Repeat("x", 1<<20),
		"huge broken scalar": "a: \"" + strings.Repeat("x y ", 1<<17),
		"many keys":          strings.Repeat("k: v\n", 5000) + "}",
		"only quotes":        strings.Repeat("\"", 5000),
		"many colons":        strings.Repeat("a: ", 5000),
		"many documents":     strings.Repeat("---\n[\n", 2000),
		"many NULs":          strings.Repeat("\x00", 20000),
		"UTF-16":             "\xff\xfea\x00:\x00 \x00\n\x00[\x00",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			table, f := parse(content)
			nodes, problems := ReadDocuments(table, f.ID)
			if len(f.Problems)+len(problems) == 0 && len(nodes) == 0 {
				t.Error("neither nodes nor problems")
			}
			// Each takes a fraction of a second; without its bound, minutes.
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestExpansionIsBounded(t *testing.T) {
	bomb := "kind: X\na0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	nodes, problems, refused := read(bomb)
	if len(nodes) != 0 || len(problems) != 1 || problems[0].Kind != ExpansionLimit || refused {
		t.Errorf("got %d nodes, %v", len(nodes), problems)
	}
}

func TestAliasCycleIsAProblem(t *testing.T) {
	for _, content := range []string{"a: &a {b: *a}\n", "&r {b: *r}\n", "a: &a [*a]\n", "a: &a {b: &b {c: *a}}\nd: *b\n"} {
		nodes, problems, refused := read("kind: X\nmetadata: {name: x}\n" + strings.TrimPrefix(content, "&r "))
		if strings.HasPrefix(content, "&r") {
			nodes, problems, refused = read(content)
		}
		if len(nodes) != 0 || len(problems) != 1 || problems[0].Kind != AliasCycle || !refused {
			t.Errorf("%s: got %d nodes, %v", content, len(nodes), problems)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, content := range odd {
		f.Add(content)
	}
	f.Add(sixtyLines)
	f.Add(sixtyLines[:900])
	f.Fuzz(func(t *testing.T, content string) {
		table, file := parse(content)
		for _, p := range file.Problems {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(content) {
				t.Fatalf("span %v in %d bytes", p.Span, len(content))
			}
		}
		for _, d := range file.Documents {
			visit(d.Root, func(n *yaml.Node) {
				if _, span := NodeSpan(table, n); span.Start < 0 || span.End < span.Start || span.End > len(content) {
					t.Fatalf("span %v in %d bytes", span, len(content))
				}
			})
		}
		_, problems := ReadDocuments(table, file.ID)
		for _, p := range problems {
			if p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(content) {
				t.Fatalf("span %v of %s in %d bytes", p.Span, p.Kind, len(content))
			}
		}
	})
}

func visit(n *yaml.Node, f func(*yaml.Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, child := range n.Content {
		visit(child, f)
	}
}
