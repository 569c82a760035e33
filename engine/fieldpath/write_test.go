package fieldpath_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// resource is a target with the given data.
func resource(t testing.TB, data string) *yaml.Node {
	return parseNode(t, "kind: Target\nmetadata: {name: t}\n"+data)
}

func word(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Line: 77, Column: 7}
}

const (
	compactJSON = `data: {c: '{"a":"x","n":1,"t":true}'}`
	prettyJSON  = "data:\n  c: |\n    {\n      \"b\": \"x\",\n      \"a\": [1, 2]\n    }\n"
	yamlInside  = "data:\n  c: |\n    a: x\n    n: 1 # one\n    list:\n    - name: nginx\n    - name: nginx-sidecar\n"
)

// Each case is held against kustomize, byte for byte, and the effect that the
// outcome tells against what the bytes mean.
func TestWriteAsKustomizeAndTellWhy(t *testing.T) {
	collection := parseNode(t, "{a: b}")
	tests := []struct {
		name        string
		data, path  string
		value       *yaml.Node
		options     fieldpath.Options
		unwritten   fieldpath.Unwritten
		damaged     fieldpath.Damage
		lost        fieldpath.Damage // by the document
		reformatted fieldpath.Reformatting
		unchanged   bool
	}{
		{name: "plain", data: "data: {a: x}", path: "data.a"},
		{name: "all elements", data: "data: [{a: x}, {a: y}]", path: "data.*.a"},
		{name: "equal", data: "data: {a: NEW}", path: "data.a", unchanged: true},
		{name: "word into a number", data: "data: {a: 1}", path: "data.a", damaged: fieldpath.TagMismatch},
		{name: "number into a number", data: "data: {a: 1}", path: "data.a", value: word("2")},
		{name: "word into a quoted number", data: `data: {a: "1"}`, path: "data.a"},
		{name: "map into a scalar", data: "data: {a: x}", path: "data.a", value: collection, damaged: fieldpath.EmptiedByCollection},
		{name: "word into a map", data: "data: {a: {b: c}}", path: "data.a"},
		{name: "rest of the path ignored", data: "data: [x, y]", path: "data.[=x].a.b", damaged: fieldpath.RestOfPathIgnored},
		{name: "create", data: "data: {}", path: "data.a.0.b.[c=d].e", options: fieldpath.Options{Create: true}},
		{name: "create at the end of a list", data: "data: [x]", path: "data.1", options: fieldpath.Options{Create: true}},
		{name: "create under null", data: "data: [~]", path: "data.0.a", options: fieldpath.Options{Create: true}, unwritten: fieldpath.CreatedUnderNull, unchanged: true},
		{name: "blank segment", data: "data: {a: x}", path: "data.a.", options: fieldpath.Options{Create: true},
			unwritten: fieldpath.DetachedByBlank, damaged: fieldpath.EmptiedByBlank},

		{name: "JSON on one line", data: compactJSON, path: "data.c.a"},
		{name: "pretty JSON", data: prettyJSON, path: "data.c.b",
			reformatted: fieldpath.KeyOrder | fieldpath.Whitespace | fieldpath.TrailingNewline},
		{name: "YAML", data: yamlInside, path: "data.c.a", reformatted: fieldpath.TrailingNewline},
		{name: "YAML list by pattern", data: yamlInside, path: "data.c.list.[name=nginx].name", reformatted: fieldpath.TrailingNewline},
		{name: "YAML indented by four", data: `data: {c: "a:\n    b: x\n"}`, path: "data.c.a.b",
			reformatted: fieldpath.Whitespace | fieldpath.TrailingNewline},
		{name: "comments in JSON", data: `data: {c: "{\"a\":\"x\"} # why"}`, path: "data.c.a",
			reformatted: fieldpath.Comments | fieldpath.Spelling},
		{name: "escapes", data: `data: {c: '{"a":"x","b":"<"}'}`, path: "data.c.a", reformatted: fieldpath.Escapes},
		{name: "spelling of numbers", data: `data: {c: '{"a":"x","b":1.0}'}`, path: "data.c.a", reformatted: fieldpath.Spelling},
		{name: "digits of numbers", data: `data: {c: '{"a":"x","b":12345678901234567890123}'}`, path: "data.c.a",
			lost: fieldpath.PrecisionLost, reformatted: fieldpath.Spelling},
		{name: "later documents", data: `data: {c: "a: x\n---\nb: y"}`, path: "data.c.a",
			lost: fieldpath.LaterDocumentsLost, reformatted: fieldpath.Spelling},
		{name: "aliases", data: `data: {c: '{"a": &x ["y"], "b": *x, "c": "z"}'}`, path: "data.c.c",
			lost: fieldpath.AliasesExpanded, reformatted: fieldpath.Spelling},
		{name: "word into an embedded YAML number", data: yamlInside, path: "data.c.n",
			damaged: fieldpath.TagMismatch, reformatted: fieldpath.TrailingNewline},
		{name: "map into an embedded scalar", data: compactJSON, path: "data.c.a", value: collection, damaged: fieldpath.EmptiedByCollection},
		{name: "create in JSON", data: compactJSON, path: "data.c.z.y", options: fieldpath.Options{Create: true}},
		{name: "delimiter in JSON", data: compactJSON, path: "data.c.a", options: fieldpath.Options{Delimiter: ":", Index: 9}},

		{name: "word into a JSON number", data: compactJSON, path: "data.c.n", unwritten: fieldpath.ValueDoesNotFit, unchanged: true},
		{name: "word into a JSON boolean", data: compactJSON, path: "data.c.t", unwritten: fieldpath.ValueDoesNotFit, unchanged: true},
		{name: "number into a JSON number", data: compactJSON, path: "data.c.n", value: word("2")},
		{name: "duplicate keys", data: `data: {c: '{"a":"x","a":"y"}'}`, path: "data.c.a", unwritten: fieldpath.DuplicateKeys, unchanged: true},
		{name: "keys that are not strings", data: `data: {c: '{a: x, 1: y}'}`, path: "data.c.a", unwritten: fieldpath.NotSerialisable, unchanged: true},
		{name: "document in a document", data: `data: {c: '{"a":"{\"b\":\"x\"}"}'}`, path: "data.c.a.b",
			unwritten: fieldpath.DocumentInDocument, unchanged: true},
		{name: "wildcard before the document", data: `data: [{c: '{"a":"x"}'}]`, path: "data.*.c.a",
			unwritten: fieldpath.WildcardBeforeDocument, unchanged: true},
		{name: "pattern before the document", data: `data: [{name: nginx-1, c: '{"a":"x"}'}]`, path: "data.[name=nginx].c.a",
			unwritten: fieldpath.PatternBeforeDocument, unchanged: true},
		{name: "exact element before the document", data: `data: [{name: nginx, c: '{"a":"x"}'}]`, path: "data.[name=nginx].c.a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			value := test.value
			if value == nil {
				value = word("NEW")
			}
			target := resource(t, test.data)
			outcome := compareWrite(t, target, value, test.path, test.options)
			if outcome.Failure != nil || len(outcome.Effects) == 0 {
				t.Fatalf("outcome %+v, failure %+v", outcome, outcome.Failure)
			}
			if outcome.Changed == test.unchanged {
				t.Errorf("Changed = %t", outcome.Changed)
			}
			for _, effect := range outcome.Effects {
				if effect.Unwritten != test.unwritten || effect.Damaged != test.damaged {
					t.Errorf("effect %+v", effect)
				}
			}
			checkDocument(t, outcome, test.lost, test.reformatted)
		})
	}
}

func checkDocument(t *testing.T, outcome fieldpath.Outcome, lost fieldpath.Damage, reformatted fieldpath.Reformatting) {
	t.Helper()
	if len(outcome.Documents) == 0 {
		if lost != 0 || reformatted != 0 {
			t.Error("no document was entered")
		}
		return
	}
	if d := outcome.Documents[0]; d.Damaged != lost || d.Reformatted != reformatted {
		t.Errorf("document lost %b, want %b; reformatted %b, want %b\n%s\n%s",
			d.Damaged, lost, d.Reformatted, reformatted, d.Before, d.After)
	}
}

// Nodes below tell the kinds apart that a refusal can have. kustomize refuses
// all of these too.
func TestFailures(t *testing.T) {
	const data = `
data:
  a: {b: x, name: y}
  list: [{name: web}, {name: nginx}, {v: 1}]
  empty: []
  blank: ""
  comment: "# nothing"
  broken.json: "{\n  \"é\": 1,\n  \"b\" 2\n}"
  broken: "a: 1\nb: [1\nc: 2\n"
  config.json: '{"server":{"port":1}}'
  config: x
  number: 5
  "null": null
`
	tests := []struct {
		path     string
		options  fieldpath.Options
		kind     fieldpath.FailureKind
		segment  int
		nearest  string
		escaped  string
		length   int
		at       [2]int
		document bool
	}{
		{path: "data.a.nmae", kind: fieldpath.MissingKey, segment: 2, nearest: "name"},
		{path: "data.list.3", kind: fieldpath.IndexOutOfRange, segment: 2, length: 3},
		{path: "data.list.[name=wbe].v", kind: fieldpath.NoElementMatches, segment: 2, nearest: "web"},
		{path: "data.list.*.x", kind: fieldpath.MissingKey, segment: 3},
		{path: "data.list.name", kind: fieldpath.NotAMap, segment: 2},
		{path: "data.a.[b=x]", kind: fieldpath.NotAList, segment: 2},
		{path: "data.a.*", kind: fieldpath.NotAList, segment: 2},
		{path: "data.empty.*", kind: fieldpath.EmptyList, segment: 2},
		{path: "data.empty.-", kind: fieldpath.EmptyList, segment: 2},
		{path: "data.list.[x]", kind: fieldpath.MalformedElement, segment: 2},
		{path: "data.list.[name=(].x", kind: fieldpath.InvalidRegex, segment: 2},
		{path: "data.list.[name=^a$]", options: fieldpath.Options{Create: true}, kind: fieldpath.NeverMatchesItself, segment: 2},
		{path: "data.a..b", kind: fieldpath.NotAScalar, segment: 2},
		{path: "data.a", options: fieldpath.Options{Delimiter: ":"}, kind: fieldpath.DelimiterOnNonScalar, segment: 2},
		{path: "data.number.x", kind: fieldpath.ScalarContinues, segment: 2},
		{path: "data.null.x", kind: fieldpath.NullContinues, segment: 2},
		{path: "data.blank.x", kind: fieldpath.EmptyDocument, segment: 2},
		{path: "data.comment.x", kind: fieldpath.EmptyDocument, segment: 2},
		{path: `data.broken\.json.b`, kind: fieldpath.UnparsableDocument, segment: 2, at: [2]int{3, 7}},
		{path: "data.broken.b", kind: fieldpath.UnparsableDocument, segment: 2, at: [2]int{2, 0}},
		{path: "data.config.json.server.port", kind: fieldpath.ScalarContinues, segment: 2,
			escaped: `data.config\.json.server.port`},
		{path: `data.config\.json.server.prot`, kind: fieldpath.MissingKey, segment: 3, nearest: "port", document: true},
		{path: `data.config\.json.server.unknown.name`, options: fieldpath.Options{Delimiter: ":"}, kind: fieldpath.MissingKey, segment: 3, document: true},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			outcome := compareWrite(t, resource(t, data), word("NEW"), test.path, test.options)
			if outcome.Failure == nil {
				// compareWrite does not explain what kustomize never finishes.
				t.Fatal("no failure")
			}
			got := outcome.Failure
			if got.Kind != test.kind || got.Segment != test.segment || got.Nearest() != test.nearest || got.Escaped != test.escaped ||
				got.Length != test.length || [2]int{got.Line, got.Column} != test.at || (got.Document != nil) != test.document {
				t.Errorf("failure %+v", got)
			}
		})
	}
}

func TestMendedPaths(t *testing.T) {
	root := resource(t, "data: {app.kubernetes.io/name: x, '10': y, list: [{name: a.web}, {name: '[x]'}]}")
	for path, want := range map[string]string{
		`data.app\.kubernetes\.io/nmae`: `data.app\.kubernetes\.io/name`,
		"data.[app.kubernetes.io/nam]":  `data.app\.kubernetes\.io/name`,
		"data.lits.[name=a.web].v":      "data.list.[name=a.web].v",
		"data.list.[name=a.wbe].v":      "data.list.[name=a.web].v",
		"data.unlike":                   "",
	} {
		outcome := fieldpath.Match(root, fieldpath.Parse(path), 0, fieldpath.Options{Explain: true})
		if outcome.Failure == nil || outcome.Failure.Mended() != want {
			t.Errorf("%s: %+v", path, outcome.Failure)
		}
	}
}

func TestEscapedKeyBeforeTheLastSegments(t *testing.T) {
	root := resource(t, "metadata2: {annotations: {app.kubernetes.io/name: x}}")
	path := fieldpath.Parse("metadata2.annotations.app.kubernetes.io/name")
	outcome := fieldpath.Get(root, path, fieldpath.Options{Explain: true})
	const want = `metadata2.annotations.app\.kubernetes\.io/name`
	if outcome.Failure == nil || outcome.Failure.Escaped != want {
		t.Fatalf("failure %+v", outcome.Failure)
	}
	if got := fieldpath.Get(root, fieldpath.Parse(want), fieldpath.Options{}); got.Failure != nil || got.Nodes[0].Value != "x" {
		t.Errorf("the escaped path does not lead there: %+v", got.Failure)
	}
}

// "[name=nginx]" is a pattern in targets and also hits nginx-sidecar.
func TestLoose(t *testing.T) {
	root := resource(t, "list: [{name: nginx, v: 1}, {name: web, v: 2}, {name: nginx-sidecar, v: 3}]")
	options := fieldpath.Options{Explain: true}
	outcome := fieldpath.Match(root, fieldpath.Parse("list.[name=nginx].v"), 0, options)
	if len(outcome.Nodes) != 2 || len(outcome.Loose) != 1 {
		t.Fatalf("outcome %+v", outcome)
	}
	loose := outcome.Loose[0]
	if loose.Segment != 1 || len(loose.Exact) != 1 || len(loose.Others) != 1 || loose.Values[0] != "nginx-sidecar" {
		t.Errorf("loose %+v", loose)
	}
	outcome = fieldpath.Match(root, fieldpath.Parse("list.[name=^nginx$].v"), 0, options)
	if len(outcome.Nodes) != 1 || len(outcome.Loose) != 1 || len(outcome.Loose[0].Exact) != 0 {
		t.Errorf("a pattern that equals no name: %+v", outcome)
	}
	outcome = fieldpath.Match(root, fieldpath.Parse("list.[name=web].v"), 0, options)
	if len(outcome.Nodes) != 1 || len(outcome.Loose) != 0 {
		t.Errorf("a pattern that only its own name matches: %+v", outcome)
	}
}

// Elements without the rest of the path are passed over in silence.
func TestSkippedElements(t *testing.T) {
	root := resource(t, "list: [{a: 1}, {b: 2}, {a: 3}]")
	outcome := fieldpath.Match(root, fieldpath.Parse("list.*.a"), 0, fieldpath.Options{Explain: true})
	if outcome.Failure != nil || len(outcome.Nodes) != 2 || len(outcome.Skipped) != 1 {
		t.Fatalf("outcome %+v", outcome)
	}
	if skipped := outcome.Skipped[0]; skipped.Kind != fieldpath.MissingKey || skipped.Segment != 2 || skipped.Candidates[0] != "b" {
		t.Errorf("skipped %+v", skipped)
	}
}

func TestStepsTellTheWay(t *testing.T) {
	root := resource(t, yamlInside)
	outcome := fieldpath.Write(root, fieldpath.Parse("data.c.list.[name=nginx].v"), word("NEW"),
		fieldpath.Options{Explain: true, Create: true})
	var got strings.Builder
	for _, step := range outcome.Steps {
		fmt.Fprintf(&got, "%d-%d", len(step.From), len(step.Matched))
		if len(step.Created) > 0 {
			fmt.Fprintf(&got, "+%d", len(step.Created))
		}
		if step.Document != nil {
			fmt.Fprintf(&got, "(%s)", step.Document.Format)
		}
		got.WriteString(" ")
	}
	// data, then c; inside: list, two elements that match, a new key in each.
	if want := "1-1 1-1 1-1(YAML) 1-2 2-2+2 "; got.String() != want {
		t.Errorf("steps %q, want %q", got.String(), want)
	}
	for _, effect := range outcome.Effects {
		if !effect.Created || effect.Before != "" || effect.After != "NEW" || effect.Document != outcome.Documents[0] {
			t.Errorf("effect %+v", effect)
		}
	}
}

// An equal value keeps its place, every other takes the place of the value.
func TestPlaces(t *testing.T) {
	root := resource(t, "data:\n  same: NEW\n  other: old\n  map: {a: b}\n  inside: '{\"a\":\"x\"}'\n")
	value := word("NEW")
	syntax.SetPlace(value, 9, 70, 3)
	options := fieldpath.Options{Create: true}
	for _, path := range []string{"data.same", "data.other", "data.map", "data.inside.a", "data.made.deep"} {
		if outcome := fieldpath.Write(root, fieldpath.Parse(path), value, options); outcome.Failure != nil {
			t.Fatalf("%s: %+v", path, outcome.Failure)
		}
	}
	for path, want := range map[string]int{"same": 4, "other": 70, "map": 70, "inside": 7, "made": 70, "made.deep": 70} {
		node := fieldpath.Get(root, fieldpath.Parse("data."+path), fieldpath.Options{}).Nodes[0]
		file, line, _ := syntax.Place(node)
		if line != want || (file == 9) != (want == 70) {
			t.Errorf("%s: file %d, line %d; want line %d", path, file, line, want)
		}
	}
}

// The value may be part of the target: a write that changes it counts for the
// next one, as upstream's copyValueToTarget goes on with the live node.
func TestValueInsideTheTarget(t *testing.T) {
	root := resource(t, "data: {a: 'x:y', b: old}")
	value := fieldpath.Get(root, fieldpath.Parse("data.a"), fieldpath.Options{}).Nodes[0]
	fieldpath.Write(root, fieldpath.Parse("data.a"), value, fieldpath.Options{Delimiter: ":", Index: 1})
	fieldpath.Write(root, fieldpath.Parse("data.b"), value, fieldpath.Options{})
	if got := fieldpath.Get(root, fieldpath.Parse("data.b"), fieldpath.Options{}).Nodes[0].Value; got != "x:x:y" {
		t.Errorf("b is %q", got)
	}
}

func TestWriteWithDelimiter(t *testing.T) {
	root := parseNode(t, "{scalar: 'a:b', list: [1]}")
	first := fieldpath.Options{Delimiter: ":", Index: 0}
	if failure := fieldpath.Write(root, fieldpath.Parse("list"), word("N"), first).Failure; failure == nil {
		t.Error("a list was written with a delimiter")
	}
	if failure := fieldpath.Write(root, fieldpath.Parse("scalar"), word("N"), first).Failure; failure != nil {
		t.Errorf("%+v", failure)
	}
	if failure := fieldpath.Write(root, fieldpath.Parse("list"), word("N"), fieldpath.Options{}).Failure; failure != nil {
		t.Errorf("%+v", failure)
	}
	for path, want := range map[string]string{"scalar": "N:b", "list": "N"} {
		if got := fieldpath.Get(root, fieldpath.Parse(path), fieldpath.Options{}).Nodes[0].Value; got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
