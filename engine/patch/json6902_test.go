package patch

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/filters/patchjson6902"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

func unlimited(int, int) bool { return true }

// compareJSON6902 patches with kustomize's filter and with ours, and reports
// any difference in failure, tree or text.
func compareJSON6902(t testing.TB, doc, patch string) ([]Oddity, *Failure) {
	t.Helper()
	want, wantErr := patchAsKustomize(doc, patch)
	before := parseNode(t, doc)
	got, oddities, failure, problem := applyText(t, before, patch)
	if (wantErr != nil) != (failure != nil || problem != nil) {
		t.Fatalf("failure %+v, problem %+v, kustomize says %v\n%s\n---\n%s", failure, problem, wantErr, doc, patch)
	}
	if diff := cmp.Diff(dump(parseNode(t, doc)), dump(before)); diff != "" {
		t.Errorf("the resource itself was changed:\n%s", diff)
	}
	if wantErr != nil {
		return oddities, failure
	}
	if diff := cmp.Diff(dump(want), dump(got)); diff != "" {
		t.Fatalf("tree is not kustomize's (-want +got):\n%s\n%s\n---\n%s", diff, doc, patch)
	}
	if diff := cmp.Diff(render(t, want), render(t, got)); diff != "" {
		t.Fatalf("text is not kustomize's (-want +got):\n%s", diff)
	}
	return oddities, nil
}

func applyText(t testing.TB, doc *yaml.Node, patch string) (*yaml.Node, []Oddity, *Failure, *ParseProblem) {
	var tree *yaml.Node
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(patch), &document); err == nil {
		tree = &document
	}
	operations, problem := ParseJSON6902(patch, tree, tree != nil)
	if problem != nil {
		return nil, nil, nil, problem
	}
	got, oddities, failure := JSON6902(doc, operations, unlimited)
	return got, oddities, failure, nil
}

// patchAsKustomize takes a panic of json-patch for the failure that it is.
func patchAsKustomize(doc, patch string) (result *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	node := kyaml.NewRNode(mustParse(doc))
	nodes, err := patchjson6902.Filter{Patch: patch}.Filter([]*kyaml.RNode{node})
	if err != nil {
		return nil, err
	}
	return nodes[0].YNode(), nil
}

const jsonResource = `
apiVersion: v1
kind: Odd
metadata: {name: x, annotations: {a/b: c, "m~n": "1"}}
spec:
  zero: 0
  big: 1000000
  long: 9007199254740993
  huge: 99999999999999999999
  float: 1.50
  exp: 1e3
  octal: 0o17
  old: 0777
  under: 1_000
  date: 2001-01-01
  yes: on
  on: yes
  nothing:
  tilde: ~
  flow: {a: null, b: }
  strings: ["", " a", "a: b", "on", "1", '#', "é", "😀", "a b ", "-", "-x", "--flag=1", /path, "$(VAR)", nginx:1.2, 1.2.3, 10.0.0.1, "null", 1:20, "<a&b>", y, "a #b", "x:", "@", "=", "<<", "0x1", "2001-01-01"]
  text: |
    line 1
      line 2
  folded: >-
    a
    b
  lead: "  two\nlines"
  tabs: "a\tb"
  empty: {}
  none: []
  list: [a, {b: c}, [d], 1, true, null]
  item10: a
  item9: b
  Item: c
  _x: d
`

var jsonPatches = map[string]string{
	"no operation":                      `[]`,
	"null":                              `null`,
	"add":                               `[{"op": "add", "path": "/spec/new", "value": {"b": [1, 1.0, 1e6, "x"], "a": null}}]`,
	"add over":                          `[{"op": "add", "path": "/spec/list", "value": 1}]`,
	"add without value":                 `[{"op": "add", "path": "/spec/new"}]`,
	"add to list":                       `[{"op": "add", "path": "/spec/list/0", "value": "first"}, {"op": "add", "path": "/spec/list/-", "value": "last"}, {"op": "add", "path": "/spec/list/8", "value": "later"}]`,
	"add negative":                      `[{"op": "add", "path": "/spec/list/-1", "value": "x"}, {"op": "add", "path": "/spec/list/-3", "value": "y"}]`,
	"add too negative":                  `[{"op": "add", "path": "/spec/list/-9", "value": "x"}]`,
	"add past the end":                  `[{"op": "add", "path": "/spec/list/7", "value": "x"}]`,
	"add with a sign":                   `[{"op": "add", "path": "/spec/list/+1", "value": "x"}]`,
	"add with a zero":                   `[{"op": "add", "path": "/spec/list/01", "value": "x"}]`,
	"add with a word":                   `[{"op": "add", "path": "/spec/list/x", "value": "x"}]`,
	"add to missing parent":             `[{"op": "add", "path": "/spec/a/b", "value": "x"}]`,
	"add to scalar":                     `[{"op": "add", "path": "/spec/zero/b", "value": "x"}]`,
	"add to null":                       `[{"op": "add", "path": "/spec/tilde/b", "value": "x"}]`,
	"add to added null":                 `[{"op": "add", "path": "/spec/n", "value": null}, {"op": "add", "path": "/spec/n/b", "value": 1}]`,
	"add at root":                       `[{"op": "add", "path": "/a", "value": "x"}, {"op": "add", "path": "/", "value": "y"}]`,
	"add the root":                      `[{"op": "add", "path": "", "value": {}}]`,
	"no slash":                          `[{"op": "add", "path": "spec", "value": 1}]`,
	"a word before the slash":           `[{"op": "add", "path": "x/new", "value": 1}]`,
	"escapes":                           `[{"op": "replace", "path": "/metadata/annotations/a~1b", "value": "x"}, {"op": "remove", "path": "/metadata/annotations/m~0n"}, {"op": "add", "path": "/metadata/annotations/~01", "value": "x"}]`,
	"remove":                            `[{"op": "remove", "path": "/spec/text"}, {"op": "remove", "path": "/spec/list/0"}, {"op": "remove", "path": "/spec/list/-1"}]`,
	"remove missing":                    `[{"op": "remove", "path": "/spec/nope"}]`,
	"remove last by dash":               `[{"op": "remove", "path": "/spec/list/-"}]`,
	"remove past the end":               `[{"op": "remove", "path": "/spec/list/6"}]`,
	"remove null":                       `[{"op": "remove", "path": "/spec/tilde"}]`,
	"replace":                           `[{"op": "replace", "path": "/spec/list/1/b", "value": "1"}, {"op": "replace", "path": "/spec/list/2", "value": 5}]`,
	"replace missing at root":           `[{"op": "replace", "path": "/nope", "value": 1}]`,
	"replace missing deeper":            `[{"op": "replace", "path": "/spec/nope", "value": 1}]`,
	"replace missing parent":            `[{"op": "replace", "path": "/nope/nope", "value": 1}]`,
	"replace element past the end":      `[{"op": "replace", "path": "/spec/list/6", "value": 1}]`,
	"replace dash":                      `[{"op": "replace", "path": "/spec/list/-", "value": 1}]`,
	"replace the root":                  `[{"op": "replace", "path": "", "value": {"kind": "X", "apiVersion": "v1"}}]`,
	"replace the root by a list":        `[{"op": "replace", "path": "", "value": [1]}]`,
	"replace the root by a scalar":      `[{"op": "replace", "path": "", "value": 1}]`,
	"replace the root by nothing":       `[{"op": "replace", "path": ""}]`,
	"replace the root by null":          `[{"op": "replace", "path": "", "value": null}]`,
	"replace without value":             `[{"op": "replace", "path": "/spec/big"}]`,
	"move":                              `[{"op": "move", "from": "/spec/list/1", "path": "/moved"}]`,
	"move missing":                      `[{"op": "move", "from": "/spec/nope", "path": "/moved"}]`,
	"move into itself":                  `[{"op": "move", "from": "/spec", "path": "/spec/x"}]`,
	"move without from":                 `[{"op": "move", "path": "/spec/x"}]`,
	"copy":                              `[{"op": "copy", "from": "/spec/list", "path": "/spec/none/-"}, {"op": "add", "path": "/spec/none/0/-", "value": 1}]`,
	"copy missing":                      `[{"op": "copy", "from": "/spec/nope", "path": "/spec/x"}]`,
	"copy missing parent":               `[{"op": "copy", "from": "/nope/nope", "path": "/spec/x"}]`,
	"test string":                       `[{"op": "test", "path": "/metadata/name", "value": "x"}]`,
	"test other string":                 `[{"op": "test", "path": "/metadata/name", "value": "y"}]`,
	"test escaped string":               `[{"op": "test", "path": "/metadata/name", "value": "\u0078"}]`,
	"test HTML in JSON":                 `[{"op": "test", "path": "/spec/strings/19", "value": "<a&b>"}]`,
	"test HTML escaped":                 `[{"op": "test", "path": "/spec/strings/19", "value": "\u003ca\u0026b\u003e"}]`,
	"test HTML in YAML":                 "- {op: test, path: /spec/strings/19, value: <a&b>}",
	"test HTML that was added":          `[{"op": "add", "path": "/h", "value": "<"}, {"op": "test", "path": "/h", "value": "<"}]`,
	"test HTML that was copied":         `[{"op": "add", "path": "/h", "value": "<"}, {"op": "copy", "from": "/h", "path": "/i"}, {"op": "test", "path": "/i", "value": "<"}]`,
	"test HTML escaped that was copied": `[{"op": "add", "path": "/h", "value": ["<"]}, {"op": "copy", "from": "/h", "path": "/i"}, {"op": "test", "path": "/i/0", "value": "\u003c"}]`,
	"test number":                       `[{"op": "test", "path": "/spec/zero", "value": 0}]`,
	"test number written otherwise":     `[{"op": "test", "path": "/spec/zero", "value": 0.0}]`,
	"test number in YAML":               "- {op: test, path: /spec/zero, value: 0.0}",
	"test long number":                  `[{"op": "test", "path": "/spec/long", "value": 9007199254740993}]`,
	"test float":                        `[{"op": "test", "path": "/spec/float", "value": 1.5}]`,
	"test number against string":        `[{"op": "test", "path": "/spec/zero", "value": "0"}]`,
	"test null":                         `[{"op": "test", "path": "/spec/tilde", "value": null}]`,
	"test null without value":           `[{"op": "test", "path": "/spec/tilde"}]`,
	"test missing for null":             `[{"op": "test", "path": "/spec/nope", "value": null}]`,
	"test missing":                      `[{"op": "test", "path": "/spec/nope", "value": 1}]`,
	"test without value":                `[{"op": "test", "path": "/spec/zero"}]`,
	"test value for null":               `[{"op": "test", "path": "/spec/zero", "value": null}]`,
	"test mapping":                      `[{"op": "test", "path": "/spec/list/1", "value": {"b": "c"}}]`,
	"test other mapping":                `[{"op": "test", "path": "/spec/list/1", "value": {"b": "c", "d": 1}}]`,
	"test list":                         `[{"op": "test", "path": "/spec/list/2", "value": ["d"]}]`,
	"test list with null":               `[{"op": "test", "path": "/spec/list", "value": ["a", {"b": "c"}, ["d"], 1, true, null]}]`,
	"test empty":                        `[{"op": "test", "path": "/spec/empty", "value": {}}, {"op": "test", "path": "/spec/none", "value": []}]`,
	"test empty against null":           `[{"op": "test", "path": "/spec/empty", "value": null}]`,
	"test empty against list":           `[{"op": "test", "path": "/spec/empty", "value": []}]`,
	"test added null":                   `[{"op": "add", "path": "/n", "value": null}, {"op": "test", "path": "/n", "value": null}]`,
	"test added null for nothing":       `[{"op": "add", "path": "/n", "value": null}, {"op": "test", "path": "/n"}]`,
	"test nulls in mapping":             `[{"op": "add", "path": "/n", "value": {"a": null}}, {"op": "test", "path": "/n", "value": {"a": null}}]`,
	"test null added to mapping":        `[{"op": "add", "path": "/spec/empty/a", "value": null}, {"op": "test", "path": "/spec/empty", "value": {"a": null}}]`,
	"test the root":                     `[{"op": "test", "path": "", "value": {}}]`,
	"test the root for nothing":         `[{"op": "test", "path": ""}]`,
	"unknown operation":                 `[{"op": "Add", "path": "/a", "value": 1}]`,
	"no op":                             `[{"path": "/a", "value": 1}]`,
	"op is a number":                    `[{"op": 1, "path": "/a", "value": 1}]`,
	"no path":                           `[{"op": "add", "value": 1}]`,
	"path is null":                      `[{"op": "add", "path": null, "value": 1}]`,
	"path is a number":                  `[{"op": "add", "path": 1, "value": 1}]`,
	"operation is null":                 `[null]`,
	"operation is a scalar":             `[1]`,
	"one operation":                     `{"op": "add", "path": "/a", "value": 1}`,
	"a scalar":                          `x`,
	"broken JSON":                       `[{"op": "add", "path": "/a", "value": 1},]`,
	"YAML in brackets":                  `[{op: add, path: /a, value: 1}]`,
	"space before the bracket":          ` [{op: add, path: /a, value: on}]`,
	"JSON after JSON":                   `[] []`,
	"duplicate fields":                  `[{"op": "remove", "op": "add", "path": "/b", "path": "/a", "value": 1, "value": {"x": 1, "x": 2}}]`,
	"surrogates":                        `[{"op": "add", "path": "/a", "value": "\ud83d\ude00 \/ \ud800"}]`,
	"numbers":                           `[{"op": "add", "path": "/a", "value": [-0, 1.0, 1E5, 1e-7, 123456789012345678901234567890, 0.1, 100000, 1234567]}]`,
	"number out of range":               `[{"op": "add", "path": "/a", "value": 1e400}]`,
	"number out of range removed":       `[{"op": "add", "path": "/a", "value": 1e400}, {"op": "remove", "path": "/a"}]`,
	"YAML":                              "- op: add\n  path: /a\n  value: {on: yes, 1: 010, 1.5: 1_000, d: 2001-01-01, n: ~, s: \"on\", b: !!binary aGk=}\n",
	"YAML null key":                     "- {op: add, path: /a, value: {~: 1}}",
	"YAML alias":                        "- {op: add, path: /a, value: &v {x: 1}}\n- {op: add, path: /b, value: *v}\n- {op: add, path: /c, value: {<<: *v, y: 2}}",
	"YAML documents":                    "- {op: add, path: /a, value: 1}\n---\n- {op: add, path: /b, value: 1}\n",
	"YAML literal":                      "- op: add\n  path: /a\n  value: |\n    x\n     y\n",
	"YAML not a number":                 "- {op: add, path: /a, value: .nan}",
	"only a comment":                    `# nothing`,
	"last fails":                        `[{"op": "remove", "path": "/spec"}, {"op": "remove", "path": "/spec"}]`,
}

func TestJSON6902(t *testing.T) {
	for name, patch := range jsonPatches {
		t.Run(name, func(t *testing.T) { compareJSON6902(t, jsonResource, patch) })
	}
}

// The filter accepts an empty text; the transformers before it do not
// (kustomize's jsonPatchFromBytes).
func TestParseJSON6902RefusesEmptyText(t *testing.T) {
	if _, problem := ParseJSON6902("", nil, false); problem == nil {
		t.Error("an empty text was accepted")
	}
}
