package render

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"
)

// kustomizePrints is resource.AsYAML of kustomize's api module.
func kustomizePrints(n *yaml.Node) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	json, err := kyaml.NewRNode(n).MarshalJSON()
	if err != nil {
		return "", err
	}
	out, err := sigsyaml.JSONToYAML(json)
	return string(out), err
}

// checkNode compares what Document prints with what kustomize prints.
func checkNode(t *testing.T, n *yaml.Node) {
	t.Helper()
	before := describe(n)
	want, wantErr := kustomizePrints(n)
	got, err := Document([]byte("kept\n"), n)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("error = %v, kustomize's is %v, for\n%s", err, wantErr, before)
	}
	if err != nil {
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Node == nil {
			t.Fatalf("error %v does not name a node, for\n%s", err, before)
		}
		want = ""
	}
	if diff := cmp.Diff("kept\n"+want, string(got)); diff != "" {
		t.Fatalf("output differs (-kustomize +ours) for\n%s\n%s", before, diff)
	}
	if after := describe(n); after != before {
		t.Fatalf("node was changed from\n%s\nto\n%s", before, after)
	}
}

// describe lists a tree with everything that matters.
func describe(n *yaml.Node) string {
	var b strings.Builder
	var walk func(n *yaml.Node, depth int)
	walk = func(n *yaml.Node, depth int) {
		if depth > 30 || b.Len() > 20000 {
			b.WriteString("…\n")
			return
		}
		fmt.Fprintf(&b, "%s%d tag=%q style=%d %q #%q %q %q\n", strings.Repeat("  ", depth),
			n.Kind, n.Tag, n.Style, n.Value, n.HeadComment, n.LineComment, n.FootComment)
		for _, child := range n.Content {
			walk(child, depth+1)
		}
	}
	walk(n, 0)
	return b.String()
}

func scalarNode(tag string, style yaml.Style, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Style: style, Value: value}
}

func key(value string) *yaml.Node { return scalarNode("!!str", 0, value) }

func mapping(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
}

func list(content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: content}
}

func flow(n *yaml.Node) *yaml.Node {
	n.Style |= yaml.FlowStyle
	return n
}

// scalarTexts are texts with a fate of their own in one of the four libraries.
var scalarTexts = []string{
	"", " ", "  ", "a", "a b", "a  b", " a", "a ", "~", "~a", "null", "Null", "NULL", "nULL",
	"true", "True", "TRUE", "tRUE", "false", "False", "FALSE", "y", "Y", "yes", "Yes", "YES", "n", "N",
	"no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "oFF",
	"0", "-0", "+0", "1", "-1", "+1", "00", "01", "07", "08", "1_000", "_1", "1_", "1__0", "0o7", "0o8", "0o-7",
	"0o+7", "-0o7", "-0o-7", "0x1F", "0X1f", "0xg", "-0x1F", "+0x1F", "0b11", "0b12", "-0b11", "+0b11", "0b-1", "0b+1",
	"0b", "0o", "0x", "0_x1", "0B11", "0O7", "0b_1", "-", "+", ".", "-.", "+.", "..", "...", "....", "-..",
	"9007199254740993", "-9007199254740993", "999999999999999999", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
	"0xffffffffffffffff", "0x10000000000000000", "-0x8000000000000000", "-0x8000000000000001",
	"0b1111111111111111111111111111111111111111111111111111111111111111",
	"100000000000000000000", "1000000000000000000000", "123456789012345678901234567890",
	"1.0", "1.5", "-1.5", "1.", ".5", "-.5", "+.5", "._5", ".5_0", "1_0.5", "1e3", "1E3", "1e+3", "1e-3", "1e", "e3", "1.5e3",
	"1e19", "1e20", "1e21", "1e22", "-1e19", "-1e18", "1e-6", "1e-7", "0.000001", "0.0000001", "123456.7", "1234567.8", "21000000.5",
	"1e308", "1e309", "-1e309", "5e-324", "1e-400", "0.1", "0.30000000000000004", "1.7976931348623157e308", "-0.0", "0e0", "-0e5",
	".inf", ".Inf", ".INF", "+.inf", "-.inf", ".iNF", ".nan", ".NaN", ".NAN", "-.nan", "inf", "+Inf", "NaN", "Infinity", ".infinity",
	"1:30", "1:5", "1:60", "01:30:00", "1:30.5", "1:30._", "-1:30", "+1:30", "1_0:30", "1:99", "22:53", "8080:80", "a:30", ":30", "1:", ".1:30",
	"2001-01-01", "2001-1-1", "2001-13-01", "2001-02-30", "20010-01-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14T21:59:43Z",
	"2001-12-14 21:59:43.10", "2001-12-14  21:59:43.10", "2001-12-14 21:59:43.10 -5", "2001-12-14T21:59:43.123456789Z", "2001-12-14T21:59:43+24:00",
	"2001-12-14T21:59:43+23:59", "0000-01-01", "2001-01-0", "2001-", "2001-a-1", "2001-01-01a", "2001-12-14T1:2:3Z",
	"=", "<<", "<", ">", "|", "&", "*", "!", "%", "@", "`", "'", "\"", "#", ",", "[", "]", "{", "}", "?", ":", "-a", "?a", ":a",
	"- a", "? a", ": a", "a: b", "a:b", "a:", "a :b", "a #b", "a# b", "a#", "#a", "a\t#b", "a:\tb", "-\ta", "- ", "--", "---", "--- a", "---a", "...a",
	"[a]", "{a: b}", "a, b", "a]b", "a}b", "a?b", "!!str a", "&a b", "*a", "%YAML", "@a", "`a", "'a'", "\"a\"", "it's", "it's: b", "\"a\": 'b'",
	"\\", "a\\b", "\\n", "<a>&b", "http://a.b/c?d=e&f=g", "10.0.0.1", "10.0.0.1:80", "1.2.3", "v1", "500m", "10Gi", "1Ki", "0.5Gi", "1e3Mi", "12e03a", "12:34:56:78:9a:bc",
	"\t", "\ta", "a\tb", "a\t", " \t", "a\n", "a\nb", "a\nb\n", "a\n\nb", "a\nb\n\n", "a\nb\n\n\n", "\n", "\n\n", "\n\n\n", "\na", "\n\na\n", " \n", "\n ",
	"a \nb", "a\n b", "a\n b\n", " a\nb", "  a\n b\n", "a\nb ", "a\n  ", "a\n \nb", "a\n\tb\n", "\ta\nb", "\n\ta", "a\tb\nc", "a\n\t\nb", "a\t\nb", "a\n# b\n", "# a\nb", "- a\nb", "a: b\nc: d\n", "---\na\n", "a\n---\nb", "a\n...\n",
	"a\nb'c\n", "a\n\"b\"\n", "\n a", "\n  a\n", "a\n\n\n\nb\n", "a\n\n b\n\nc\n", "> a\n", "'\n'", "\"\n", ":\n", "1\n", "1\n2", "true\n", "~\n",
	"a\r", "\r", "a\rb", "a\r\nb\r\n", "a \rb", "\r\n", "\x00", "a\x00b", "\x01", "\x07\x08\x0b\x0c\x1b", "\x1f", "\x7f", "a\x7fb",
	"\u0080", "\u0084", "\u0085", "a\u0085b", "a \u0085 b", "a\u0085\u0085b", "a\u0085 \u0085\u0085 b", "\u0085a", "a\u0085", " \u0085", "a\u0085---", "a\u0085--- b", "a\u0085 --- b", "a\u0085---\u0085", "a\u0085...\n",
	"\u0085\u0085a\n", "\u0086", "\u009f", "\u00a0", "a\u00a0b", "\u00a0a", "é", "日本語", "日本 語", "a\u2028b", "\u2028", "\u2029", "a \u2028b", "a\u2028 b", "a\u2029", "\u2028a", "a\u2028\nb", "a\n\u2028b\n", "a\u2028b\u2029c", "a\u2028\u2028 b", "a\nb\u2028", "it's\u2028b", "a\n b\u2029c\n", "\u2028\n", "\n\u2028",
	"\ud7ff", "\ue000", "\ufdd0", "\ufefe", "\ufeff", "\ufeffa b", "a\ufeffb", "a\ufeff b\n", "\ufeffa\nb", "\ufffd", "\ufffe", "\uffff", "a\uffffb", "\U00010000", "😀", "a 😀 b", "😀\n", "\U0010ffff", "😀\u0085x",
	"\xff", "a\xffb", "\xc3", "\xed\xa0\x80", "a\n\xff", "\xff\xfe", "٣", "٣٤", "1٣",
}

// longTexts are long enough to be folded or to be long keys.
func longTexts() []string {
	words := strings.Repeat("word ", 40) + "end"
	return []string{
		words, strings.Repeat("w", 200), strings.Repeat("word  ", 40) + "end", words + "\n", words + "\n" + words + "\n", "'" + words, words + ": x", words + " 'q' #x", words + ":",
		words + "\t" + words, "\t" + words, words + "  " + words + "\t", words + "   \t" + words, strings.Repeat("日本 ", 60) + "x", strings.Repeat("😀 ", 60) + "x",
		strings.Repeat("é", 79) + " a " + words, strings.Repeat("a", 78) + " b c d", strings.Repeat("a", 79) + " b c d", strings.Repeat("a", 80) + " b c d", strings.Repeat("a", 81) + " b c d",
		" " + words, words + " ", "  " + words + "  ", strings.Repeat("a", 90) + " ", strings.Repeat("a", 90) + " b", strings.Repeat("a", 90) + "  b", strings.Repeat("a", 90) + " \t", "#" + strings.Repeat("a", 90) + " b c", "#" + strings.Repeat("a", 90) + "  b c",
		strings.Repeat("'", 60) + " a b " + words, strings.Repeat("\\", 60) + " a\t b " + words, strings.Repeat("a", 127), strings.Repeat("a", 128), strings.Repeat("a", 129), strings.Repeat("é", 64), strings.Repeat("é", 65), strings.Repeat("a", 120) + " b c d e f g h i j",
		strings.Repeat("a", 1021), strings.Repeat("a", 1022), strings.Repeat("a", 1023), strings.Repeat("a", 1024), strings.Repeat("<", 170), strings.Repeat("<", 171), strings.Repeat("é", 1022), strings.Repeat("é", 1023), strings.Repeat("\"", 510), strings.Repeat("\"", 512), strings.Repeat("\x01", 170), strings.Repeat("\x01", 171), strings.Repeat("\u2028", 171), strings.Repeat("\n", 512), strings.Repeat("\b", 512), strings.Repeat("\f", 512), strings.Repeat("a b", 300), strings.Repeat("a b ", 300) + "x",
		words + "\u0085" + words, words + "\u2028" + words, "#" + words + "\u2028" + words,
	}
}

var allStyles = []yaml.Style{
	0, yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle,
	yaml.TaggedStyle, yaml.TaggedStyle | yaml.DoubleQuotedStyle, yaml.FlowStyle, yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle,
}

var allTags = []string{
	"", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp", "!!merge", "!!map", "!!seq", "!custom", "!", "!!custom",
	"tag:yaml.org,2002:str", "tag:yaml.org,2002:int", "tag:yaml.org,2002:custom",
}

// positions put a scalar into a document.
var positions = map[string]func(n *yaml.Node) *yaml.Node{
	"value":      func(n *yaml.Node) *yaml.Node { return mapping(key("k"), n, key("l"), key("end")) },
	"last value": func(n *yaml.Node) *yaml.Node { return mapping(key("k"), n) },
	"deep value": func(n *yaml.Node) *yaml.Node {
		return mapping(key("k"), mapping(key("k"), mapping(key("k"), n), key("l"), key("end")))
	},
	"item":        func(n *yaml.Node) *yaml.Node { return mapping(key("k"), list(n, key("end"))) },
	"nested item": func(n *yaml.Node) *yaml.Node { return mapping(key("k"), list(list(n, key("x")), list(list(n)))) },
	"value in list": func(n *yaml.Node) *yaml.Node {
		return mapping(key("k"), list(mapping(key("k"), n, key("l"), key("end"))))
	},
	"root key":    func(n *yaml.Node) *yaml.Node { return mapping(key("k"), key("v"), n, key("v")) },
	"key":         func(n *yaml.Node) *yaml.Node { return mapping(key("k"), mapping(n, key("v"))) },
	"key of map":  func(n *yaml.Node) *yaml.Node { return mapping(key("k"), mapping(n, mapping(key("a"), key("v")))) },
	"key of list": func(n *yaml.Node) *yaml.Node { return mapping(key("k"), list(mapping(n, list(key("a"))))) },
	"flow value":  func(n *yaml.Node) *yaml.Node { return mapping(key("k"), flow(mapping(key("k"), n, key("l"), n))) },
	"flow item":   func(n *yaml.Node) *yaml.Node { return mapping(key("k"), flow(list(n, list(n)))) },
	"flow key":    func(n *yaml.Node) *yaml.Node { return mapping(key("k"), flow(mapping(n, key("v")))) },
	"root item":   func(n *yaml.Node) *yaml.Node { return list(n) },
	"root":        func(n *yaml.Node) *yaml.Node { return n },
}

// full makes the tests try every combination instead of a share of them.
var full = flag.Bool("full", false, "try every combination of text, style, tag and position")

func TestScalars(t *testing.T) {
	texts := append(longTexts(), scalarTexts...)
	for name, position := range positions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			count := len(name)
			for _, text := range texts {
				for _, style := range allStyles {
					for _, tag := range allTags {
						count++
						if !*full && count%share(text, style, tag) != 0 {
							continue
						}
						checkNode(t, position(scalarNode(tag, style, text)))
					}
				}
			}
		})
	}
}

// share tells which share of a combination's positions is tried without -full.
func share(text string, style yaml.Style, tag string) int {
	switch {
	case style > yaml.FoldedStyle, tag != "" && tag != "!!str":
		return 61
	case len(text) > 100, style != 0:
		return 4
	}
	return 1
}

func TestResources(t *testing.T) {
	var nodes []*yaml.Node
	var want strings.Builder
	for i := range 100 {
		n := mapping(key("name"), key(fmt.Sprint("n", i)), key("kind"), scalarNode("", 0, fmt.Sprint(i)))
		text, err := kustomizePrints(n)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			want.WriteString("---\n")
		}
		want.WriteString(text)
		nodes = append(nodes, n)
	}
	got, err := Resources(context.Background(), nodes)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Error(diff)
	}
}
