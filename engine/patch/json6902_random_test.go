package patch

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	yaml "go.yaml.in/yaml/v3"
)

// operations draws operations whose paths mostly exist in the document.
func (d *drawer) operations(document *yaml.Node) string {
	var operations []map[string]any
	for range 1 + d.Intn(4) {
		operation := map[string]any{
			"op":   d.of("add", "remove", "replace", "move", "copy", "test", "add", "replace"),
			"path": d.pointer(document),
		}
		if operation["op"] == "move" || operation["op"] == "copy" {
			operation["from"] = d.pointer(document)
		}
		if !d.chance(5) {
			operation["value"] = d.jsonValue(0)
		}
		operations = append(operations, operation)
	}
	text, err := json.Marshal(operations)
	if err != nil {
		panic(err)
	}
	if d.chance(50) {
		return " " + string(text) // the space makes it YAML
	}
	return string(text)
}

func (d *drawer) pointer(n *yaml.Node) string {
	var path strings.Builder
	for !d.chance(15) && len(n.Content) > 0 {
		path.WriteByte('/')
		if n.Kind == yaml.MappingNode {
			i := 2 * d.Intn(len(n.Content)/2)
			path.WriteString(jsonpointer.Escape(n.Content[i].Value))
			n = n.Content[i+1]
		} else {
			i := d.Intn(len(n.Content))
			path.WriteString(strconv.Itoa(i))
			n = n.Content[i]
		}
	}
	if d.chance(30) {
		path.WriteString("/" + d.of("new", "-", "-1", "0", "7", "~01", "+1", "on", ""))
	}
	return path.String()
}

func (d *drawer) jsonValue(depth int) any {
	values := []any{"a", "on", "1", "", "<", "a: b", "x\ny\n", " x", "é", "\t", 1, 1.5, 1e7, -1, 123456789, true, nil, "2001-01-01", "1e3", "- a", "#"}
	switch {
	case depth < 3 && d.chance(20):
		return []any{d.jsonValue(depth + 1), d.jsonValue(depth + 1)}
	case depth < 3 && d.chance(20):
		return map[string]any{d.of("a", "b", "x1", "x10", "x9"): d.jsonValue(depth + 1), d.of("on", "é", "_", "1", "01", "a b"): d.jsonValue(depth + 1)}
	}
	return values[d.Intn(len(values))]
}

// oddText draws a block whose texts YAML writers find hard.
func (d *drawer) oddText() string {
	var out strings.Builder
	out.WriteString("text:\n")
	for i := range d.Intn(6) {
		fmt.Fprintf(&out, "  k%d: %s\n", i, d.of(
			"|\n    a\n     b\n", "|-\n    a\n\n    b\n", ">\n    a\n    b\n\n    c\n", "|+\n    a\n\n", "|2\n     a\n    b\n", "\"a\\n\"", "\"\\n a\"",
			"'a''b'", "\"\\u0085x\"", "\"a\\tb\"", "a # comment", "!!str 1", "!!int \"5\"", "!foo bar", "!!float 3", "2001-01-01", "0x1F", "1_0.5", ".5", "+1", "-0", "18446744073709551616", ".inf"[1:],
			"\"\\U0001F600\"", "\"\\uFEFF\"", "\"a \"", "' a'", "a  b", "\"a\\n b \\nc\"", "{x: [1, {y: ~}]}", "!!binary aGk=",
		))
	}
	if d.chance(30) {
		out.WriteString("# a comment\n")
	}
	if d.chance(5) {
		out.WriteString(d.of("1: x\n", "~: x\n", "true: x\n", "m: {1: x}\n", "dup: 1\ndup: 2\n", "inf: .inf\n", "? [a]\n: b\n"))
	}
	return out.String()
}

func TestJSON6902OfRandomPairs(t *testing.T) {
	for seed := range int64(500) {
		d := &drawer{Rand: rand.New(rand.NewSource(seed)), odd: 3}
		doc := d.document(drawnHeads[d.Intn(len(drawnHeads))], false) + d.oddText()
		patch := d.operations(parseNode(t, doc))
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { compareJSON6902(t, doc, patch) })
		if t.Failed() {
			return
		}
	}
}

// TestSimplePatches holds what is read out of the tree alone against what all other
// patches are read with, on texts of which many are simple and many nearly so.
func TestSimplePatches(t *testing.T) {
	words := []string{"a", "b c", "on", "'on'", "1", "-7", "007", "1.5", "null", "~", "true", "yes", "2001-01-01", "12:30", "x:y", "0x1f", "\"q r\"",
		"'it''s'", "{b: 1, a: {on: x, c: d}}", "[1, [a, no], {z: y, m: n}]", "{1: 2}", "{a: b, a: c}", "/p/~1q", "=", "<<", "- ", "", "a\n  b", "é"}
	simple := 0
	for seed := range int64(2000) {
		random := rand.New(rand.NewSource(seed))
		var text strings.Builder
		for range 1 + random.Intn(3) {
			value := words[random.Intn(len(words))]
			if random.Intn(2) == 0 {
				fmt.Fprintf(&text, "- {op: add, path: /a/%d, value: %s}\n", random.Intn(9), value)
			} else {
				fmt.Fprintf(&text, "- op: add\n  value: %s\n  path: /spec/%s\n", value, words[random.Intn(4)])
			}
		}
		var document yaml.Node
		if yaml.Unmarshal([]byte(text.String()), &document) != nil {
			continue
		}
		if simpleOperations(text.String(), contentOf(&document)) != nil {
			simple++
		}
		got, problem := ParseJSON6902(text.String(), &document, true)
		want, wantProblem := ParseJSON6902(text.String(), &document, false)
		if diff := cmp.Diff(wantProblem, problem); diff != "" || len(got) != len(want) {
			t.Fatalf("%s\n%d operations, want %d\n%s", text.String(), len(got), len(want), diff)
		}
		for i := range got {
			got[i].raws, want[i].raws = nil, nil
			if diff := cmp.Diff(want[i], got[i], cmp.AllowUnexported(Operation{}), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s\n(-want +got)\n%s", text.String(), diff)
			}
		}
	}
	if simple < 200 {
		t.Errorf("only %d were simple", simple)
	}
}
