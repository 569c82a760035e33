package patch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

const (
	ofResource text.FileID = 1
	ofPatch    text.FileID = 2
)

// parseIn parses a text as if it were that file.
func parseIn(t testing.TB, content string, file text.FileID) *yaml.Node {
	n := parseNode(t, content)
	setFile(n, file)
	return n
}

func setFile(n *yaml.Node, file text.FileID) {
	_, line, column := syntax.Place(n)
	syntax.SetPlace(n, file, line, column)
	for _, child := range n.Content {
		setFile(child, file)
	}
}

// listPlaces writes each scalar and each key with the letter of its file and
// its line: "spec.a = 1 r3 key r3".
func listPlaces(n *yaml.Node) string {
	var lines []string
	var walk func(path string, n, key *yaml.Node)
	walk = func(path string, n, key *yaml.Node) {
		line := path
		if n.Kind == yaml.ScalarNode {
			line += " = " + n.Value
		}
		line += " " + placeOf(n)
		if key != nil {
			line += " key " + placeOf(key)
		}
		lines = append(lines, line)
		for i, child := range n.Content {
			if n.Kind == yaml.SequenceNode {
				walk(fmt.Sprintf("%s[%d]", path, i), child, nil)
			} else if i%2 == 1 {
				walk(strings.TrimPrefix(path+"."+n.Content[i-1].Value, "."), child, n.Content[i-1])
			}
		}
	}
	walk("", n, nil)
	return strings.Join(lines[1:], "\n") + "\n"
}

func placeOf(n *yaml.Node) string {
	file, line, _ := syntax.Place(n)
	return fmt.Sprintf("%c%d", "?rp"[file], line)
}

func TestStrategicMergeKeepsPlaces(t *testing.T) {
	dest := parseIn(t, `apiVersion: apps/v1
kind: Deployment
metadata:
  finalizers:
  - a
  - b
spec:
  replicas: 1
  paused: null
  template:
    spec:
      containers:
      - name: web
        image: nginx
        args: [x, y]
        ports:
        - containerPort: 80
      - name: other
      volumes: []
`, ofResource)
	patch := parseIn(t, `apiVersion: apps/v1
kind: Deployment
metadata:
  finalizers: [b, c]
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: new
        image: new
      - name: web
        image: nginx
        args: [x, z]
        env:
        - {name: A, value: a}
`, ofPatch)
	merged, _, refusal := StrategicMerge(dest, patch, kubernetes.Schema{})
	if refusal != nil {
		t.Fatal(refusal)
	}
	want := `apiVersion = apps/v1 r1 key r1
kind = Deployment r2 key r2
metadata r4 key r3
metadata.finalizers r5 key r4
metadata.finalizers[0] = b r6
metadata.finalizers[1] = c p4
metadata.finalizers[2] = a r5
spec r8 key r7
spec.replicas = 2 p6 key r8
spec.paused = null r9 key r9
spec.template r11 key r10
spec.template.spec r12 key r11
spec.template.spec.containers r13 key r12
spec.template.spec.containers[0] p10
spec.template.spec.containers[0].name = new p10 key p10
spec.template.spec.containers[0].image = new p11 key p11
spec.template.spec.containers[1] r13
spec.template.spec.containers[1].name = web r13 key r13
spec.template.spec.containers[1].image = nginx r14 key r14
spec.template.spec.containers[1].args p14 key r15
spec.template.spec.containers[1].args[0] = x r15
spec.template.spec.containers[1].args[1] = z p14
spec.template.spec.containers[1].ports r17 key r16
spec.template.spec.containers[1].ports[0] r17
spec.template.spec.containers[1].ports[0].containerPort = 80 r17 key r17
spec.template.spec.containers[1].env p16 key p15
spec.template.spec.containers[1].env[0] p16
spec.template.spec.containers[1].env[0].name = A p16 key p16
spec.template.spec.containers[1].env[0].value = a p16 key p16
spec.template.spec.containers[2] r18
spec.template.spec.containers[2].name = other r18 key r18
spec.template.spec.volumes r19 key r19
`
	if diff := cmp.Diff(want, listPlaces(merged)); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestReplacedValuesKeepPlaces(t *testing.T) {
	dest := parseIn(t, "a:\n  same: 1\n  other: 2\n  list:\n  - {x: 1}\n", ofResource)
	patch := parseIn(t, "a:\n  $patch: replace\n  same: 1\n  other: 3\n  list:\n  - {x: 1}\n", ofPatch)
	merged, _, _ := StrategicMerge(dest, patch, kubernetes.Schema{})
	want := `a p2 key r1
a.same = 1 r2 key r2
a.other = 3 p4 key r3
a.list r5 key r4
a.list[0] r5
a.list[0].x = 1 r5 key r5
`
	if diff := cmp.Diff(want, listPlaces(merged)); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestJSON6902KeepsPlaces(t *testing.T) {
	for name, comment := range map[string]string{"simple": "", "through YAML": "# a comment\n"} {
		t.Run(name, func(t *testing.T) {
			doc := parseIn(t, `kind: Odd
spec:
  one: 1
  two: 2
  list:
  - a
  - {b: c}
  big: 1000000
  text: |
    x
     y
`+comment, ofResource)
			tree := parseIn(t, jsonPlacesPatch, ofPatch)
			operations, problem := ParseJSON6902(jsonPlacesPatch, tree, tree != nil)
			if problem != nil {
				t.Fatal(problem)
			}
			patched, _, failure := JSON6902(doc, operations, unlimited)
			if failure != nil {
				t.Fatal(failure.Message())
			}
			if diff := cmp.Diff(jsonPlaces, listPlaces(patched)); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

const jsonPlacesPatch = `- op: replace
  path: /spec/one
  value: 1
- op: replace
  path: /spec/two
  value: 3
- op: add
  path: /spec/new
  value:
    x: [1, on]
- op: add
  path: /spec/list/-
  value: last
- op: move
  from: /spec/list/0
  path: /spec/moved
- op: copy
  from: /spec/big
  path: /spec/copied
`

const jsonPlaces = `kind = Odd r1 key r1
spec r3 key r2
spec.big = 1e+06 r8 key r8
spec.copied = 1e+06 r8 key p19
spec.list r6 key r5
spec.list[0] r7
spec.list[0].b = c r7 key r7
spec.list[1] = last p13
spec.moved = a r6 key p16
spec.new p10 key p8
spec.new.x p10 key p10
spec.new.x[0] = 1 p10
spec.new.x[1] = true p10
spec.one = 1 r3 key r3
spec.text = x
 y
 r9 key r9
spec.two = 3 p6 key r4
`

// Where a text has no tree, as with escapes that YAML does not have, values
// still come through.
func TestParseJSON6902WithoutTree(t *testing.T) {
	operations, problem := ParseJSON6902(`[{"op": "add", "path": "/a", "value": "\ud83d\ude00"}]`, nil, false)
	if problem != nil || len(operations) != 1 || operations[0].Node != nil {
		t.Fatalf("%+v, %+v", operations, problem)
	}
	doc := parseIn(t, "b: 1\n", ofResource)
	patched, _, failure := JSON6902(doc, operations, unlimited)
	if failure != nil {
		t.Fatal(failure.Message())
	}
	if got := render(t, patched); got != "a: \"\\U0001F600\"\nb: 1\n" {
		t.Errorf("got %s", got)
	}
}
