package patch

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

func TestFailures(t *testing.T) {
	const doc = "kind: Odd\nspec:\n  list: [a, b]\n  word: x\n  ~: 1\n  \"a/b\": {c: d}\n"
	root := []string{"kind", "spec"}
	spec := []string{"list", "word", "~", "a/b"}
	for name, c := range map[string]struct {
		operation string
		want      Failure
		line      int // of Deepest, 0 for none
	}{
		"unknown operation": {`op: ad, path: /a`, Failure{Reason: UnknownOperation}, 0},
		"no path":           {`op: add, value: 1`, Failure{Reason: NoPointer}, 0},
		"no from":           {`op: copy, path: /a`, Failure{Reason: NoPointer, InFrom: true}, 0},
		"no slash":          {`op: add, path: spec, value: 1`, Failure{Reason: NotAPointer, Candidates: root}, 1},
		"the whole":         {`op: remove, path: ""`, Failure{Reason: NotAPointer, Candidates: root}, 1},
		"missing parent": {`op: add, path: /spec/lst/x/y, value: 1`,
			Failure{Reason: MissingParent, Tokens: []string{"spec", "lst", "x", "y"}, Token: 1, Candidates: spec}, 3},
		"missing parent of from": {`op: move, path: /a, from: /x/y`,
			Failure{Reason: MissingParent, InFrom: true, Tokens: []string{"x", "y"}, Candidates: root}, 1},
		"parent is a scalar": {`op: add, path: /spec/word/x, value: 1`,
			Failure{Reason: ParentIsScalar, Tokens: []string{"spec", "word", "x"}, Token: 1}, 4},
		"missing key": {`op: remove, path: /spec/a~1b/x`,
			Failure{Reason: MissingKey, Tokens: []string{"spec", "a/b", "x"}, Token: 2, Candidates: []string{"c"}}, 6},
		"no index": {`op: remove, path: /spec/list/a`,
			Failure{Reason: NotAnIndex, Tokens: []string{"spec", "list", "a"}, Token: 2}, 3},
		"no index on the way": {`op: add, path: /spec/list/a/b/c, value: 1`,
			Failure{Reason: NotAnIndex, Tokens: []string{"spec", "list", "a", "b", "c"}, Token: 2}, 3},
		"past the end": {`op: replace, path: /spec/list/2, value: 1`,
			Failure{Reason: IndexOutOfRange, Tokens: []string{"spec", "list", "2"}, Token: 2}, 3},
		"test": {`op: test, path: /spec/word, value: y`,
			Failure{Reason: TestFailed, Tokens: []string{"spec", "word"}, Token: 1}, 4},
		"root": {`op: replace, path: "", value: [1]`, Failure{Reason: RootNotMapping}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			node := parseIn(t, strings.Replace(doc, "  ~:", "  \"~\":", 1), ofResource)
			operations, problem := ParseJSON6902("- {"+c.operation+"}", nil, false)
			if problem != nil {
				t.Fatal(problem)
			}
			_, _, failure := JSON6902(node, operations, unlimited)
			if failure == nil {
				t.Fatal("no failure")
			}
			if diff := cmp.Diff(c.want, *failure, cmpopts.IgnoreFields(Failure{}, "Deepest")); diff != "" {
				t.Errorf("failure (-want +got):\n%s", diff)
			}
			line := 0
			if failure.Deepest != nil {
				_, line, _ = syntax.Place(failure.Deepest)
			}
			if line != c.line {
				t.Errorf("the deepest part that exists is at line %d, want %d", line, c.line)
			}
			if failure.Message() == "" {
				t.Error("no message")
			}
		})
	}
}

func TestOddities(t *testing.T) {
	for operation, want := range map[string][]OddityKind{
		`op: replace, path: /b, value: 1`:    {ReplaceAdds},
		`op: replace, path: /m/b, value: 1`:  {ReplaceAdds},
		`op: replace, path: /a, value: 1`:    nil,
		`op: replace, path: /a`:              {NoValue},
		`op: add, path: /b`:                  {NoValue},
		`op: add, path: /b, value: null`:     nil,
		`op: copy, from: /x, path: /b`:       {CopyOfNothing},
		`op: copy, from: /a, path: /b`:       nil,
		`op: test, path: /x, value: null`:    {TestOfNothing},
		`op: test, path: /n, value: null`:    nil,
		`op: add, path: "m/b", value: 1`:     {IgnoredStart},
		`op: remove, path: "x/a"`:            {IgnoredStart},
		`op: move, from: "x/a", path: "y/b"`: {IgnoredStart, IgnoredStart},
		`op: add, path: /l/-, value: 1`:      nil,
		`op: remove, path: /a`:               nil,
	} {
		operations, problem := ParseJSON6902("- {"+operation+"}", nil, false)
		if problem != nil {
			t.Fatal(problem)
		}
		_, oddities, failure := JSON6902(parseNode(t, "a: 1\nn: null\nm: {c: d}\nl: []\n"), operations, unlimited)
		if failure != nil {
			t.Errorf("%s: %s", operation, failure.Message())
		}
		var got []OddityKind
		for _, oddity := range oddities {
			got = append(got, oddity.Kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: oddities %v, want %v", operation, got, want)
		}
	}
}

func TestParseProblems(t *testing.T) {
	for text, want := range map[string]ParseProblem{
		`[{"op": "add"},]`:  {Offset: 16, Detail: "invalid character ']' looking for beginning of value"},
		`[{op: add}]`:       {Offset: 3, Detail: "invalid character 'o' looking for beginning of object key string"},
		`[1]`:               {Offset: 2, Detail: "a JSON 6902 patch is a list of operations, not of numbers"},
		"op: add\npath: /a": {Offset: -1, Detail: "a JSON 6902 patch is a list of operations, not one object"},
		"- a\n- b":          {Offset: -1, Detail: "a JSON 6902 patch is a list of operations, not of strings"},
		"- {a: b":           {Offset: -1, Detail: "line 1: did not find expected ',' or '}'"},
		"- {~: b}":          {Offset: -1, Detail: "a key of a mapping is <nil>, which is not text"},
	} {
		_, problem := ParseJSON6902(text, nil, false)
		if problem == nil {
			t.Errorf("%s: no problem", text)
		} else if diff := cmp.Diff(want, *problem); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestRefusals(t *testing.T) {
	const head = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    args: [x]\n    env: [{name: A, value: {b: c}}]\n"
	for patch, want := range map[string]struct {
		refusal Refusal
		message string
	}{
		"spec: x": {Refusal{Reason: KindMismatch, Path: []string{"spec"}},
			`"spec" is a mapping in the resource and a scalar in the patch`},
		"apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, env: [{name: A, value: x}]}]}": {
			Refusal{Reason: KindMismatch, Path: []string{"spec", "containers", "[name=a]", "env", "[name=A]", "value"}},
			`"spec.containers.[name=a].env.[name=A].value" is a mapping in the resource and a scalar in the patch`},
		"spec: {$patch: remove}": {Refusal{Reason: UnknownDirective, Path: []string{"spec"}},
			`$patch at "spec" must be delete, replace or merge`},
		"spec: {\"\": x}": {Refusal{Reason: EmptyKey, Path: []string{"spec", ""}},
			`field "spec." has an empty name, which cannot be merged`},
		"metadata: {finalizers: [a, {b: c}]}": {Refusal{Reason: KindMismatch, Path: []string{"metadata", "finalizers"}},
			`an element of "metadata.finalizers" is of another kind than the rest`},
	} {
		_, _, refusal := StrategicMerge(parseNode(t, head), parseNode(t, patch), kubernetes.Schema{})
		if refusal == nil {
			t.Errorf("%s: no refusal", patch)
			continue
		}
		if diff := cmp.Diff(want.refusal, *refusal, cmpopts.IgnoreTypes(&yaml.Node{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", patch, diff)
		}
		if refusal.Message() != want.message {
			t.Errorf("%s: message %q", patch, refusal.Message())
		}
	}
}
