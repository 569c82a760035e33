package textmerge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// story2 is Story 2 of kustomize's proposal 22-03.
const story2Base = `{
  "config": {
    "loglevel": debug,
    "parameter": {
      "foo": "bar"
    }
  }
}`

const story2Overlay = `{
  "config": {
    "hostname": "www.example.com",
    "parameter": {
      "baz": "qux"
    }
  }
}`

const story2Result = `{
  "config": {
    "loglevel": debug,
    "hostname": "www.example.com",
    "parameter": {
      "foo": "bar",
      "baz": "qux"
    }
  }
}`

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name                string
		format              Format
		base, overlay, want string
	}{
		{"Story 2 of the proposal", JSON, story2Base, story2Overlay, story2Result},

		{"scalars are replaced", JSON, `{"a": 1, "b": "x"}`, `{"b": 2.50}`, `{"a": 1, "b": 2.50}`},
		{"lists are replaced", JSON, `{"a": [1, 2], "b": [3]}`, `{"a": [4]}`, `{"a": [4], "b": [3]}`},
		{"maps merge deeply", JSON, `{"a": {"b": {"c": 1}}}`, `{"a": {"b": {"d": 2}}}`, `{"a": {"b": {"c": 1, "d": 2}}}`},
		{"null removes", JSON, `{"a": 1, "b": 2}`, `{"a": null}`, `{"b": 2}`},
		{"null of a key that is not there", JSON, `{"a": 1}`, `{"b": null}`, `{"a": 1}`},
		{"nulls in an added map are dropped", JSON, `{}`, `{"a": {"b": null, "c": {"d": null}}}`, `{"a": {"c": {}}}`},
		{"nulls in a list stay", JSON, `{}`, `{"a": [null, {"b": null}]}`, `{"a": [null, {"b": null}]}`},
		{"a tilde is null in YAML", YAML, "a: 1\nb: 2\n", "a: ~\n", "b: 2\n"},
		{"no value is null in YAML", YAML, "a: 1\nb: 2\n", "a:\n", "b: 2\n"},
		{"an overlay of comments says nothing", YAML, "a: 1\n", "# nothing\n", "a: 1\n"},
		{"a base of comments", YAML, "# ours\n", "a:\n  b: 1\n", "# ours\na:\n  b: 1\n"},

		{"equal number", JSON, `{"a": 1.0, "b": 1e2}`, `{"a": 1, "b": 100}`, `{"a": 1.0, "b": 1e2}`},
		{"equal string", JSON, `{"a": "\u0041"}`, `{"a": "A"}`, `{"a": "\u0041"}`},
		{"equal list", JSON, `{"a": [1,{"b":2}]}`, `{"a": [ 1, { "b": 2 } ]}`, `{"a": [1,{"b":2}]}`},
		{"large numbers are distinguished", JSON, `{"a": 9007199254740992}`, `{"a": 9007199254740993}`, `{"a": 9007199254740993}`},
		{"equal in YAML", YAML, "a: 'x'\nb: 0x10\nc: True\n", "a: x\nb: 16\nc: true\n", "a: 'x'\nb: 0x10\nc: True\n"},
		{"a string is no number", YAML, "a: 1\n", "a: \"1\"\n", "a: \"1\"\n"},

		{"a new key goes before the next that the base has", JSON, `{"a": 1, "b": 2}`, `{"x": 0, "b": 2, "y": 0}`, `{"a": 1, "x": 0, "b": 2, "y": 0}`},
		{"several new keys keep their order", JSON, `{"b": 2}`, `{"x": 0, "y": 1, "b": 2}`, `{"x": 0, "y": 1, "b": 2}`},
		{"the next is one that goes", JSON, `{"a": 1, "b": 2, "c": 3}`, `{"x": 0, "b": null}`, `{"a": 1, "x": 0, "c": 3}`},

		{"one line, compact", JSON, `{"a":1,"b":[2]}`, "{\n  \"c\": {\n    \"d\": [1, 2]\n  }\n}", `{"a":1,"b":[2],"c":{"d":[1,2]}}`},
		{"one line with padding", JSON, `{ "a": 1 }`, `{"b": {"c": 2}}`, `{ "a": 1, "b": { "c": 2 } }`},
		{"one line within several", JSON, "{\n  \"a\": {\"b\": 1}\n}", `{"a": {"c": 2}}`, "{\n  \"a\": {\"b\": 1, \"c\": 2}\n}"},
		{"one member a line, from one line", JSON, "{\n    \"a\": 1\n}\n", `{"b":{"c":{"d":[2]}}}`,
			"{\n    \"a\": 1,\n    \"b\": {\n        \"c\": {\n            \"d\": [\n                2\n            ]\n        }\n    }\n}\n"},
		{"tabs", JSON, "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}", "{\n  \"a\": {\n    \"c\": {\n      \"d\": 1\n    }\n  }\n}",
			"{\n\t\"a\": {\n\t\t\"b\": 1,\n\t\t\"c\": {\n\t\t\t\"d\": 1\n\t\t}\n\t}\n}"},
		{"carriage returns", JSON, "{\r\n  \"a\": 1\r\n}\r\n", "{\n  \"b\": 1\n}\n", "{\r\n  \"a\": 1,\r\n  \"b\": 1\r\n}\r\n"},
		{"a byte order mark", JSON, "\ufeff{\"a\": 1}", `{"b": 2}`, "\ufeff{\"a\": 1, \"b\": 2}"},
		{"an empty map on several lines", JSON, "{\n}", `{"a": 1}`, "{\n  \"a\": 1\n}"},
		{"an empty map on one line", JSON, `{"a":{}}`, `{"a": {"b": 1}}`, `{"a":{"b":1}}`},
		{"a list stays on one line", JSON, "{\n  \"a\": [1, 2]\n}", "{\n  \"a\": [\n    3\n  ]\n}", "{\n  \"a\": [3]\n}"},

		{"a removed member takes its line and comma", JSON, "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", `{"b": null}`, "{\n  \"a\": 1,\n  \"c\": 3\n}"},
		{"the last takes the comma before it", JSON, "{\n  \"a\": 1,\n  \"b\": 2\n}", `{"b": null}`, "{\n  \"a\": 1\n}"},
		{"all are removed", JSON, "{\n  \"a\": 1\n}", `{"a": null}`, "{\n}"},
		{"of a list with a last comma one stays", YAML, "{a: 1,\n b: 2,\n}", `{b: ~}`, "{a: 1,\n}"},
		{"a comma in front", JSON, "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}", `{"b": null}`, "{ \"a\": 1\n, \"c\": 3\n}"},
		{"comments go with their member", YAML, "{\n  # about a\n  a: 1, # one\n  # about b\n  b: 2 # two\n}", "{a: ~}", "{\n  # about b\n  b: 2 # two\n}"},
		{"comments that stand alone stay", YAML, "# file\n\n# about a\na: 1 # one\n# about b\nb: 2\n", "a: ~", "# file\n\n# about b\nb: 2\n"},
		{"comments within", YAML, "a:\n  b: 1\n  # of a\nc: 2\n", "a: ~", "c: 2\n"},
		{"the last key of a block", YAML, "a: 1\nb: # map\n  c: 2\n", "b: {c: ~}", "a: 1\nb: {} # map\n"},
		{"the last key of a document", YAML, "a: 1\n", "a: ~", "{}\n"},
		{"a removal at an open end", YAML, "a: 1\nb: 2", "b: ~", "a: 1"},

		{"YAML keeps its text", YAML, "# head\na:   'x' # one\n\nb:\n    - 1\n    - {c: 2}\n", "a: y\n", "# head\na:   y # one\n\nb:\n    - 1\n    - {c: 2}\n"},
		{"an open end stays open", YAML, "a: 1", "b: 2\n", "a: 1\nb: 2"},
		{"an open block scalar stays the last", YAML, "a: |\n  x", "b: 2\n", "b: 2\na: |\n  x"},
		{"a new block scalar at an open end", YAML, "a: 1", "b: |\n  x\n", "a: 1\nb: |\n  x\n"},
		{"indentation of the base", YAML, "a:\n    b: 1\n", "a:\n  c:\n    d: 1\n", "a:\n    b: 1\n    c:\n        d: 1\n"},
		{"block scalars", YAML, "a:\n    b: 1\n", "a:\n  c: |-\n    x\n      y\n\n    z\n  d: >2\n      in\n    out\n",
			"a:\n    b: 1\n    c: |-\n        x\n          y\n\n        z\n    d: >2\n        in\n      out\n"},
		{"a block scalar behind a comment", YAML, "a: 1 # one\nb: 2\n", "a: |\n  x\n", "a: | # one\n  x\nb: 2\n"},
		{"a block scalar becomes a word", YAML, "a: |+\n  x\n\nb: 2\n", "a: y\n", "a: y\nb: 2\n"},
		{"a block scalar on one line", YAML, "a: {b: 1}\n", "a:\n  c: |\n    x\n", "a: {b: 1, c: \"x\\n\"}\n"},
		{"a list of the base's indentation", YAML, "a:\n  - 1\nb: 2\n", "a:\n- x: 1\n  y: 2\n- - 3\n", "a:\n  - x: 1\n    y: 2\n  - - 3\nb: 2\n"},
		{"block into brackets", YAML, "a: [1]\nb: {c: 1}\n", "a:\n- 2\n- 3, 4\nb:\n  d: [5]\n", "a: [2, \"3, 4\"]\nb: {c: 1, d: [5]}\n"},
		{"brackets into block", YAML, "a:\n- 1\n", `{"a": [2], "b": {"c": 3}}`, "a:\n- 2\n\"b\":\n  \"c\": 3\n"},
		{"no value yet", YAML, "a: # none\nb: 1\n", "a:\n  c: 1\n", "a: # none\n  c: 1\nb: 1\n"},
		{"quoted keys", YAML, "\"a b\": {'c': 1}\n", "a b:\n  c: 2\n", "\"a b\": {'c': 2}\n"},
		{"a document marker", YAML, "---\na: 1\n", "---\nb: 2\n", "---\na: 1\nb: 2\n"},
		{"anchors elsewhere", YAML, "x: &d\n  a: 1\ny: *d\nz: 1\n", "z: 2\n", "x: &d\n  a: 1\ny: *d\nz: 2\n"},
		{"a longer text in several lines", YAML, "a: 1\n", "a: \"x\n  y\"\nb: x\n  y\n", "a: \"x\n  y\"\nb: x\n  y\n"},
		{"surrogates", JSON, `{"a": "\ud83d\ude00"}`, `{"b": 1}`, `{"a": "\ud83d\ude00", "b": 1}`},
		{"another root", JSON, "[1, 2]\n", `[3]`, "[3]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, report := Merge([]byte(c.base), []byte(c.overlay), c.format)
			if report.Failed() {
				t.Fatalf("%+v", report)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name          string
		format        Format
		base, overlay string
		want          []string // side, kind and the text that is meant
	}{
		{"nothing", JSON, `{"a": 1}`, `{"a": {}}`, []string{"overlay mismatch {}"}},
		{"no value is no mismatch", YAML, "a:\n", "a: {b: 1}", nil},
		{"list for map", YAML, "a: {b: 1}", "a: [1]", []string{"overlay mismatch [1]"}},
		{"unquoted", JSON, story2Base, story2Overlay, []string{"base loose debug"}},
		{"loose in many ways", JSON, "{a: 'b', # c\n \"d\": [1,],}", `{}`,
			[]string{"base loose a", "base loose 'b'", "base loose # c", "base loose ,", "base loose ,"}},
		{"unterminated", JSON, `{}`, "{\"a\": \"b\n}", []string{"overlay unparsable \"b"}},
		{"no JSON at all", JSON, "a: 1\nb: 2\n", `{}`, []string{"base unparsable a"}},
		{"empty", JSON, "", `{}`, []string{"base unparsable "}},
		{"no YAML", YAML, "a: 1\n  b: 2\n", `{}`, []string{"base unparsable b: 2"}},
		{"twice in the base", JSON, `{"a": 1, "a": 2}`, `{"a": 3}`, []string{`base twice "a"`}},
		{"twice elsewhere", JSON, `{"a": 1, "a": 2, "b": {"c": 1}}`, `{"b": {"c": 3}}`, nil},
		{"twice in what is replaced", JSON, `{"a": [{"b": 1, "b": 2}]}`, `{"a": 1}`, []string{`base twice "b"`}},
		{"twice in the overlay", YAML, "{}", "a:\n  b: 1\n  b: 2\n", []string{"overlay twice b"}},
		{"below an alias", YAML, "x: &d {a: 1}\ny: *d\n", "y: {a: 2}", []string{"base alias *d"}},
		{"below an anchor", YAML, "x: &d {a: 1}\ny: *d\n", "x: {a: 2}", []string{"base alias &d {a: 1}"}},
		{"an anchor that nobody uses", YAML, "x: &d {a: 1}\n", "x: {a: 2}", nil},
		{"alias in the overlay", YAML, "{}", "x: &d {a: 1}\ny: *d\n", []string{"overlay alias *d"}},
		{"merge key", YAML, "x: &d {a: 1}\ny:\n  <<: *d\n  b: 1\n", "y: {b: 2}", []string{"base merge key <<"}},
		{"several documents", YAML, "a: 1\n---\nb: 2\n", "a: 2", []string{"base documents ---"}},
		{"several documents without a change", YAML, "a: 1\n---\nb: 2\n", "a: 1", nil},
		{"several documents in the overlay", YAML, "a: 1\n", "a: 1\n---\nb: 2\n", []string{"overlay documents ---"}},
		{"key without colon", YAML, "? a\n? b\n", "a: 1", []string{"base unmergeable a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			merged, report := Merge([]byte(c.base), []byte(c.overlay), c.format)
			names := map[Kind]string{Unparsable: "unparsable", DuplicateKey: "twice", Alias: "alias", MergeKey: "merge key",
				SeveralDocuments: "documents", Unmergeable: "unmergeable", KindMismatch: "mismatch", NotStrict: "loose"}
			var got []string
			for _, f := range report.Findings {
				side, of := "base", c.base
				if f.Side == Overlay {
					side, of = "overlay", c.overlay
				}
				got = append(got, fmt.Sprintf("%s %s %s", side, names[f.Kind], of[f.Span.Start:f.Span.End]))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if report.Failed() && string(merged) != c.base {
				t.Errorf("nothing can be merged, and the base became\n%s", merged)
			}
		})
	}
}

// What is loose comes with what to write: the text is strict then.
func TestLooseJSONIsMended(t *testing.T) {
	text := story2Base
	_, report := Merge([]byte(text), []byte("{}"), JSON)
	for i := len(report.Findings) - 1; i >= 0; i-- {
		if f := report.Findings[i]; f.HasFix {
			text = text[:f.Span.Start] + f.New + text[f.Span.End:]
		}
	}
	if _, report = Merge([]byte(text), []byte("{}"), JSON); len(report.Findings) > 0 || !strings.Contains(text, `"debug"`) {
		t.Errorf("%+v in\n%s", report, text)
	}
}

func BenchmarkMerge(b *testing.B) {
	var base, overlay strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&base, "key%d:\n  name: value\n", i)
		fmt.Fprintf(&overlay, "key%d:\n  other: value\n", i)
	}
	for b.Loop() {
		Merge([]byte(base.String()), []byte(overlay.String()), YAML)
	}
}
