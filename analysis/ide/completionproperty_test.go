package ide_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// typed are files as people type them, in block and in flow style, with documents in
// strings, and in several encodings of line ends.
var typed = map[string]string{
	"block.yaml": `# Größe 💙
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ../base
  - deploy.yaml
namespace: shop
commonAnnotations: {a.b/c: "d"}
patches:
  - path: patch.yaml
    target:
      kind: Deployment
      name: web
      labelSelector: app=web,tier!=x
    options:
      allowNameChange: true
  - target:
      kind: ConfigMap
    patch: |-
      - op: replace
        path: /data/app.json
        value: "x"
  - patch: |-
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: web
      spec:
        template:
          spec:
            containers:
              - name: app
                image: a:1
images:
  - name: example.com/app
    newTag: "2.0"
replicas:
  - name: web
    count: 3
configMapGenerator:
  - name: settings
    behavior: merge
    literals:
      - a=2
    files:
      - key=config.json
    mergeValues:
      - key: config.json
        format: json
replacements:
  - source:
      kind: ConfigMap
      name: settings
      fieldPath: data.app\.json.db.host
    targets:
      - select:
          kind: Deployment
        reject:
          - name: api
        fieldPaths:
          - spec.template.spec.containers.[name=app].env.0.value
          - metadata.annotations.x\.y
        options:
          create: true
`,
	"flow.yaml": `resources: [../base, deploy.yaml]
patches:
- {path: patch.yaml, target: {kind: Deployment, name: "web", labelSelector: 'app=web'}}
- target: {kind: ConfigMap}
  patch: '[{"op": "replace", "path": "/data/app.json", "value": "it''s"}]'
- target: {kind: ConfigMap}
  patch: "[{\"op\": \"replace\", \"path\": \"/data/app.json\"}]"
images: [{name: example.com/app, newTag: "2.0"}]
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: 'data.app\.json.db.host'}
  targets: [{select: {kind: Deployment}, fieldPaths: ["spec.template.spec.containers.[name=app].image"]}]
configMapGenerator: [{name: settings, behavior: merge, literals: [a=b]}]
`,
	"json.yaml": `{
  "resources": ["../base"],
  "patches": [{"path": "patch.yaml", "target": {"kind": "Deployment", "name": "web"}}],
  "replacements": [{"source": {"kind": "ConfigMap", "fieldPath": "data.app\\.json.db.host"}, "targets": []}]
}
`,
}

var typedInto = map[string][]byte{
	root + "/base/kustomization.yaml": []byte("resources: [all.yaml]\nconfigMapGenerator: [{name: settings, literals: [a=1, 'app.json={\"db\": {\"host\": 1}}'], files: [config.json]}]\n"),
	root + "/base/config.json":        []byte("{}"),
	root + "/base/all.yaml": []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {app: web}, annotations: {x.y: z, 'odd: one': 'b'}}\n" +
		"spec: {replicas: 2, template: {spec: {containers: [{name: app, image: 'example.com/app:1.0', env: [{name: A, value: 'on'}]}]}}}\n"),
	root + "/top/deploy.yaml": []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: back}\n"),
	root + "/top/patch.yaml":  []byte("- {op: remove, path: /spec}\n"),
	root + "/top/config.json": []byte("{}"),
}

// TestEveryEditIsWhatItSays types files character by character and, at each, makes
// every edit that is suggested: what was chosen then stands in the tree, as a key or a
// value, where the slot was.
func TestEveryEditIsWhatItSays(t *testing.T) {
	for name, content := range typed {
		for _, breaks := range []string{"\n", "\r\n"} {
			t.Run(name+strings.ReplaceAll(breaks, "\r", " CR"), func(t *testing.T) {
				t.Parallel()
				typeAll(t, strings.ReplaceAll(content, "\n", breaks))
			})
		}
	}
}

func typeAll(t *testing.T, content string) {
	file := filepath.Join(root, "top", "kustomization.yaml")
	empty := workspace.New(vfs.NewSnapshot(vfs.Memory(typedInto)), []string{root}, analysis.Options{Rules: rules.All()})
	answered, made, step := 0, 0, 7
	if strings.Contains(content, "\r") {
		step = 31
	}
	for end := 0; end <= len(content); end += step {
		// The rest of the file, as when one edits in the middle, or nothing.
		for _, rest := range []string{"", afterLine(content, end)} {
			text := content[:end] + rest
			if strings.HasSuffix(content[:end], "\r") {
				continue
			}
			completion, err := complete.At(context.Background(), empty.Edit(file, []byte(text)), file, end)
			if err != nil {
				t.Fatal(err)
			}
			if completion == nil {
				continue
			}
			answered++
			for i, s := range completion.Suggestions {
				if i > 5 && i%20 != 0 {
					continue
				}
				made++
				checkSuggestion(t, file, []byte(text), end, s)
				checkEdit(t, text, end, s)
				if t.Failed() {
					return
				}
			}
		}
	}
	if answered < len(content)/step/2 || made < 2*answered {
		t.Errorf("only %d answers and %d edits for %d bytes", answered, made, len(content))
	}
}

// afterLine returns the lines behind the one that an offset is in.
func afterLine(content string, offset int) string {
	if i := strings.IndexByte(content[offset:], '\n'); i >= 0 {
		return content[offset+i:]
	}
	return ""
}

// checkEdit makes the edit and looks for what was chosen.
func checkEdit(t *testing.T, text string, offset int, s complete.Suggestion) {
	t.Helper()
	edited := text[:s.Replace.Start] + s.Text + text[s.Replace.End:]
	first, _, _ := strings.Cut(s.Text, "\n")
	within, isWithin := syntax.FindWithin([]byte(text), offset)
	slot, isSlot := syntax.FindSlot([]byte(text), offset)
	if behind := strings.TrimSpace(text[s.Replace.End:]); isSlot && slot.Flow && behind != "" && !strings.ContainsAny(behind[:1], ",}]:") {
		return // a comma is yet to come
	}
	if strings.Count(first, "'")%2+strings.Count(first, `"`)%2 > 0 || isWithin && isOpen(text, offset) {
		return // and here a quote
	}
	if isWithin && (!isSlot || slot.Quote != 0) {
		if checkInner(t, edited, s, s.Replace.Start+len(first), within) || !isSlot {
			return
		}
	}
	if s.Kind == complete.SuggestRule {
		return
	}
	at := s.Replace.Start + len(strings.TrimRight(first, " :{}[]\"'"))
	isBelow := first == ""
	if isBelow {
		at = s.Replace.Start + strings.Index(s.Text, s.Label) + len(s.Label)
	}
	location := locate(edited, at)
	if !holds(location, s) {
		// What follows may not fit before more is typed.
		location = locate(edited[:s.Replace.Start+len(s.Text)], at)
	}
	if !holds(location, s) {
		t.Errorf("%q (%s) in place of %q gives %v\n%s‸%s", s.Label, s.Text, text[s.Replace.Start:s.Replace.End], location.Node, edited[:at], edited[at:])
		return
	}
	// A key that is alone in its place could as well be a value, or begin an item.
	got, want := way(location.Steps), way(slot.Steps)
	if isBelow {
		want = append(want, slot.Steps[len(slot.Steps)-1].Key.Value)
		got = got[:min(len(got), len(want))]
	}
	if !slices.Equal(got, want) && !slices.Equal(got, want[:max(0, len(want)-1)]) && !slices.Equal(got, slices.Concat(want, []string{"-"})) {
		t.Errorf("%q (%s) stands at %v and not at %v\n%s", s.Label, s.Text, got, want, edited)
	}
}

func locate(text string, offset int) syntax.Location {
	table := syntax.NewTable()
	if d := syntax.Parse(table, table.Add("", []byte(text))).DocumentAt(offset); d != nil {
		return d.Path(table, offset)
	}
	return syntax.Location{}
}

// isOpen tells whether a quote is open at the end of the line of an offset.
func isOpen(text string, offset int) bool {
	line := text[strings.LastIndexByte(text[:offset], '\n')+1:offset] + strings.SplitN(text[offset:], "\n", 2)[0]
	return strings.Contains(line, "patch: ") && (strings.Count(line, "'")+strings.Count(line, `\"`))%2 > 0 || strings.HasPrefix(line, "patch: \"") && strings.Count(line, `"`)%2 > 0
}

// checkInner looks for what was chosen within the string that the slot is in; false
// where it is the string itself that is completed.
func checkInner(t *testing.T, edited string, s complete.Suggestion, end int, before syntax.Within) bool {
	t.Helper()
	if !strings.Contains(edited[:end], "patch: ") || before.Steps[len(before.Steps)-1].Key == nil || before.Steps[len(before.Steps)-1].Key.Value != "patch" {
		return false
	}
	at := end - (len(s.Text) - len(strings.TrimRight(strings.SplitN(s.Text, "\n", 2)[0], " :{}[]\"'\\")))
	if strings.Contains(s.Text, "\n") {
		at = s.Replace.Start + len(strings.TrimRight(strings.SplitN(s.Text, "\n", 2)[0], " :{}[]\"'\\"))
	}
	after, ok := syntax.FindWithin([]byte(edited), at)
	if !ok {
		t.Errorf("%q (%s): the string is gone\n%s", s.Label, s.Text, edited)
		return true
	}
	table := syntax.NewTable()
	d := syntax.Parse(table, table.Add("", after.Text)).DocumentAt(after.Offset)
	if d == nil || !holds(d.Path(table, after.Offset), s) {
		t.Errorf("%q (%s) is not in the string:\n%s‸%s", s.Label, s.Text, after.Text[:after.Offset], after.Text[after.Offset:])
	}
	return true
}

// holds tells whether what was chosen stands at a place.
func holds(at syntax.Location, s complete.Suggestion) bool {
	if at.Node == nil || at.Node.Kind != yaml.ScalarNode {
		return false
	}
	return at.Node.Value == s.Label || !at.OnKey && strings.Contains(at.Node.Value, s.Label)
}

// way names the fields that lead to the collection that a node is in.
func way(steps []syntax.Step) []string {
	var names []string
	for _, step := range steps[:max(0, len(steps)-1)] {
		name := "-"
		if step.Key != nil {
			name = step.Key.Value
		}
		names = append(names, name)
	}
	return names
}
