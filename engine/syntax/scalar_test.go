package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// scalars calls the function for every scalar of the first document.
func scalars(content string, visit func(*yaml.Node)) {
	document, err := decode(lineFeeds([]byte(content)))
	if err != nil || document == nil {
		return
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			visit(n)
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(document)
}

// checkMapping holds what is known of a scalar without knowing its style: the
// bytes of the text make the value that yaml.v3 read, in order, each once, and
// where byte comes from byte they are the same.
func checkMapping(t *testing.T, content string) {
	t.Helper()
	table := NewTable()
	file := table.Add("f", []byte(content))
	scalars(content, func(n *yaml.Node) {
		SetPlace(n, file, n.Line, n.Column)
		file, whole := NodeSpan(table, n)
		_, span := ValueSpan(table, n)
		if file == 1 && whole.Start < len(content) && content[whole.Start] == '!' && n.Style&yaml.TaggedStyle == 0 {
			return // yaml.v3 reads what is no tag as a scalar that begins somewhere in it
		}
		if isUnwritten(n) {
			return
		}
		s := scanScalar([]byte(content), span.Start, n.Value)
		if string(s.value) != n.Value {
			t.Fatalf("scalar at %d:%d is %q, but was read as %q in %q", n.Line&0xFFFF, n.Column, n.Value, s.value, content)
		}
		value, host := 0, s.outer.Start
		for _, r := range s.runs {
			if r.value != value || r.host < host || r.hostLength < 1 || r.valueLength < 1 {
				t.Fatalf("run %v is out of order in %q: %v", r, content, s.runs)
			}
			value, host = value+r.valueLength, r.host+r.hostLength
			if r.verbatim && content[r.host:host] != n.Value[r.value:value] {
				t.Fatalf("run %v: %q is not %q", r, content[r.host:host], n.Value[r.value:value])
			}
		}
		if value != len(n.Value) || host > max(s.inner.End, s.outer.End) {
			t.Fatalf("runs %v do not cover %q in %q", s.runs, n.Value, content)
		}
	})
}

var oddScalars = []string{
	"a: |\n  x\n  y\n", "a: |-\n  x\n\n\n  y\n\n\n", "a: |+\n  x\n\n\nb: 1\n", "a: |2\n    x\n   y\n", "a: |-2\n\n    x\n   y\n\n", "a: |1+ # c\n  x\n",
	"a: >\n  x\n  y\n\n  z\n\n\n  w\n", "a: >-\n  x\n\n    more\n    indented\n\n  back\n", "a: >+\n  x\n\n", "a: >2\n    x\n  y\n", "a: >\n\n\n  x\n   y\n\n  z\n",
	"a: |\nb: 1\n", "a: |+\n\n\nb: 1\n", "a: |\n\n\nb: 1\n", "a:\n- |\n x\n- |\n  y\n", "  a: |\n  b: 1\n", "a: |\n  x\n  \n    \n  y\n", "a: |\n  \tx\n  y\t \n", "a: |\n  é€😀\n  x",
	"a: |\n  x\r\n  y\r\n", "a: |\r\n  x\r\n\r\n  y\r\n", "a: >\r\n  x\r\n  y\r\n", "|\n x\n", "--- |\n x\n", "--- >\n x\n y\n", "a: |\n  x\u2028  y\n", "a: |\n  x\u0085  y\n", "a: >\n  x\u2028  y\n",
	`a: ""`, `a: "x"`, `a: "\n\t\\\" \x41\u00e9\U0001F600\/ \N\_\L\P\e\0"`, "a: \"x\n  y\n\n\n  z\"", "a: \"x \\\n   y\"", "a: \"x\\\n\n  y\"", "a: \"  x  \n  y  \"", "a: \"\n  x\n\"",
	"a: ''", "a: 'it''s'", "a: ''''", "a: 'x\n  y\n\n  z'", "a: ' x '", "{a: 'b', \"c\": \"d\", e: f g , h: [i, j k]}", "[a, 'b', \"c\", d\n  e]", `{"a":"b","c":"d\ne"}`,
	"a: x", "a: x # c", "a: x y  z   # c", "a: x\n  y\n\n  z\nb: 1", "a:\n  x\n  y # c", "a: x:y", "a: x#y", "a: -", "a: b\r\n  c\r\n", "x", "x\ny\n", "a: ~", "a:", "a: &x b", "a: !!str 5", "a: &x !!str 'b'", "a: !t &x |\n  b\n",
	"a: !!str\nb: 1", "a: &x\nb: 1", "&x a: b", "a: &x\n  b: c", "a: &x\n  &y b: c", "a: !<tag:yaml.org,2002:str> b", "? a\n: b\n", "? |\n  x\n: - y\n", "a: [b, &x c, *x , d]", "- - - x\n    - y\n", "a: x\u2028 y", "a: 'x\u2029 y'", "\xef\xbb\xbfa: |\n  x\n",
	"a: |\n  x\n # less\nb: 1\n", "a: |\n  x\n---\nb: 1\n", "a: |\n  x\n...\n", "a: |  \n  x\n", "a: >\n  x\n  \n  y\n", "a: >\n    x\n  \n    y\n", "a: >\n   x\n   \ty\n   z\n",
}

func TestScalarMapping(t *testing.T) {
	for _, content := range oddScalars {
		t.Run(content, func(t *testing.T) { checkMapping(t, content) })
	}
	for _, content := range odd {
		if !isUTF16([]byte(content)) {
			checkMapping(t, content)
		}
	}
}

func TestScalarMappingAtRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		checkMapping(t, randomScalar(random))
	}
}

// randomScalar puts pieces together that mean something in some style; what
// yaml.v3 cannot read is passed over.
func randomScalar(random *rand.Rand) string {
	openings := []string{"a: |\n", "a: |-\n", "a: |+\n", "a: >\n", "a: >-\n", "a: |2\n", "a: >2+\n", "a: \"", "a: '", "a: ", "- ", "[", "{b: ", "a:\n  b: >\n"}
	pieces := []string{"x", "y z", " ", "  ", "\n", "\n  ", "\n  ", "\n    ", "\r\n  ", "\t", "''", `\n`, "\\\n", `\u00e9`, "é", "😀", ":", "#", "\n  ", "\u2028", "\u0085"}
	closings := map[byte]string{'"': "\"\n", '\'': "'\n", '[': "]\n", '{': "}\n"}
	var b strings.Builder
	opening := openings[random.IntN(len(openings))]
	b.WriteString(opening)
	if strings.HasSuffix(opening, "\n") {
		b.WriteString("  x")
	}
	for range random.IntN(12) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	for quote, closing := range closings {
		if strings.Contains(opening, string(quote)) {
			b.WriteString(closing)
		}
	}
	return b.String() + "\n"
}

func FuzzEmbeddedMapping(f *testing.F) {
	for _, content := range oddScalars {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		if !strings.Contains(content, "\r\r\n") && !isUTF16([]byte(content)) {
			checkMapping(t, content)
		}
	})
}

// For each value, a part of it and what that part was written as.
func TestResolve(t *testing.T) {
	for _, tt := range []struct{ name, content, part, want string }{
		{"literal", "a: |\n  x: 1\n  yy: 2\n", "yy", "yy"},
		{"literal, whole lines", "a: |\n  x: 1\n  yy: 2\n", "x: 1\nyy", "x: 1\n  yy"},
		{"literal with CRLF", "a: |\r\n  x: 1\r\n  yy: 2\r\n", "1\nyy", "1\r\n  yy"},
		{"literal with an indicator", "a: |2\n    x\n   yy\n", " yy", " yy"},
		{"folded break", "a: >\n  x\n  yy\n", " ", "\n"},
		{"folded paragraphs", "a: >\n  x\n\n  yy\n", "x\nyy", "x\n\n  yy"},
		{"escape", `a: "x\n\u00e9z"`, "é", `\u00e9`},
		{"after escapes", `a: "\t\"\\z"`, "z", "z"},
		{"escaped break", "a: \"x \\\n  yy\"", "yy", "yy"},
		{"quote in single quotes", "a: 'it''s'", "'", "''"},
		{"fold in quotes", "a: \"x  \n  yy\"", " ", "  \n  "},
		{"plain", "a: x yy z", "yy", "yy"},
		{"plain over lines", "a: x\n  yy\n\n  z", "yy\nz", "yy\n\n  z"},
		{"behind anchor and tag", "a: &n !!str 'yy'", "yy", "yy"},
		{"several characters of several bytes", "é: {b: \"€😀yy\"}", "😀yy", "😀yy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := NewTable()
			file := table.Add("dir/f.yaml", []byte(tt.content))
			host := lastScalar(tt.content, file)
			embedded := table.AddEmbedded(host, host.Value)
			start := strings.Index(host.Value, tt.part)
			root, path, span := table.Resolve(embedded, text.Span{Start: start, End: start + len(tt.part)})
			if root != file || path != "dir/f.yaml" || tt.content[span.Start:span.End] != tt.want {
				t.Errorf("got %d %s %q, want %q", root, path, tt.content[span.Start:span.End], tt.want)
			}
			back, ok := table.EmbeddedOffset(embedded, span.Start)
			if !ok || back != start {
				t.Errorf("byte %d of the file is byte %d, %v of the value, want %d", span.Start, back, ok, start)
			}
		})
	}
}

func lastScalar(content string, file text.FileID) *yaml.Node {
	var last *yaml.Node
	scalars(content, func(n *yaml.Node) { last = n })
	SetPlace(last, file, last.Line, last.Column)
	return last
}

func TestResolveNested(t *testing.T) {
	content := "data:\n  app.json: |\n    {\"inner\": \"k: \\\"deep\\\"\"}\n"
	table := NewTable()
	file := table.Add("f.yaml", []byte(content))
	json := lastScalar(content, file)
	first := table.AddEmbedded(json, json.Value)
	yamlText := lastScalar(json.Value, first)
	second := table.AddEmbedded(yamlText, yamlText.Value)
	start := strings.Index(yamlText.Value, "deep")
	root, path, span := table.Resolve(second, text.Span{Start: start, End: start + 4})
	if root != file || path != "f.yaml" || content[span.Start:span.End] != "deep" {
		t.Errorf("got %d %s %v", root, path, span)
	}
	if back, ok := table.EmbeddedOffset(second, strings.Index(content, "deep")); !ok || back != start {
		t.Errorf("got %d, %v, want %d", back, ok, start)
	}
	if _, ok := table.EmbeddedOffset(second, 2); ok {
		t.Error("an offset outside the scalar has none in the value")
	}
}

func TestResolveWithoutAFile(t *testing.T) {
	table := NewTable()
	made := table.AddEmbedded(&yaml.Node{Kind: yaml.ScalarNode, Value: "a: b"}, "a: b")
	if root, path, _ := table.Resolve(made, text.Span{Start: 0, End: 1}); root != 0 || path != "" {
		t.Errorf("got %d %q", root, path)
	}
	if _, ok := table.EmbeddedOffset(made, 0); ok {
		t.Error("there is no file to have an offset in")
	}
}

func TestResolveOfAChangedValueIsTheWholeScalar(t *testing.T) {
	content := "a: 'old'\n"
	table := NewTable()
	host := lastScalar(content, table.Add("f.yaml", []byte(content)))
	_, _, span := table.Resolve(table.AddEmbedded(host, "new and longer"), text.Span{Start: 4, End: 7})
	if got := content[span.Start:span.End]; got != "'old'" {
		t.Errorf("got %q", got)
	}
}

// kustomize takes the line break off the end of a patch, and what is embedded in that
// patch loses it, too.
func TestResolveWithoutTheLastLineBreak(t *testing.T) {
	content := "a: |\n  one\n  two\n"
	table := NewTable()
	host := lastScalar(content, table.Add("f.yaml", []byte(content)))
	_, _, span := table.Resolve(table.AddEmbedded(host, "one\ntwo"), text.Span{Start: 4, End: 7})
	if got := content[span.Start:span.End]; got != "two" {
		t.Errorf("got %q", got)
	}
}

func TestAWholeFileIsAValueToo(t *testing.T) {
	content := "# what YAML would leave out\n[section]\nkey: 'a\n"
	table := NewTable()
	host := &yaml.Node{Kind: yaml.ScalarNode, Value: content}
	SetPlace(host, table.Add("app.ini", []byte(content)), 1, 1)
	key := text.Span{Start: strings.Index(content, "key"), End: strings.Index(content, ":")}
	if _, path, span := table.Resolve(table.AddEmbedded(host, content), key); path != "app.ini" || span != key {
		t.Errorf("registered: %s %v, want %v", path, span, key)
	}
	if _, path, span := table.InValue(host)(key); path != "app.ini" || span != key {
		t.Errorf("not registered: %s %v, want %v", path, span, key)
	}
}
