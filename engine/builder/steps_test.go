package builder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// typing edits one file of a tree.
type typing struct {
	t       *testing.T
	files   map[string][]byte
	path    string
	session *builder.Session
}

func newTyping(t *testing.T, files map[string]string, path string) *typing {
	y := &typing{t: t, files: map[string][]byte{}, path: path}
	for name, text := range files {
		y.files[name] = []byte(text)
	}
	y.session = builder.NewSession(vfs.NewSnapshot(vfs.Memory(y.files))).Remember(1000)
	return y
}

// build gives the file another text and builds its folder; the text is to be what
// kustomize prints.
func (y *typing) build(text string) *builder.Result {
	y.t.Helper()
	y.session = y.session.Derive(y.session.Files().With(y.path, []byte(text)), y.path)
	dir := y.path[:strings.LastIndexByte(y.path, '/')]
	result, err := y.session.Build(y.t.Context(), dir, builder.Options{Analyze: true})
	if err != nil {
		y.t.Fatal(err)
	}
	got, err := result.YAML(y.t.Context())
	if err != nil {
		y.t.Fatal(err)
	}
	disk := filesys.MakeFsInMemory()
	for name, content := range y.files {
		if name == y.path {
			content = []byte(text)
		}
		if err := disk.WriteFile(name, content); err != nil {
			y.t.Fatal(err)
		}
	}
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, dir)
	if err != nil {
		y.t.Fatal(err)
	}
	if want, err := made.AsYaml(); err != nil || string(want) != string(got) {
		y.t.Fatalf("%v\nkustomize:\n%s\nkls:\n%s", err, want, got)
	}
	return result
}

func named(result *builder.Result, name string) *resource.Resource {
	for _, r := range result.Resources {
		if r.ID().Name == name {
			return r
		}
	}
	return nil
}

const (
	stepsOverlay = "namePrefix: p-\nresources: [a.yaml, b.yaml]\npatches:\n- patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: new}}'\n" +
		"replacements:\n- source: {kind: ConfigMap, name: a, fieldPath: data.k}\n  targets:\n  - select: {kind: Pod}\n    fieldPaths: [metadata.annotations.k]\n    options: {create: true}\n"
	stepsMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: old}}\n"
	stepsPod = "{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {volumes: [{name: v, configMap: {name: a}}]}}\n"
)

// What an edit does not concern ends up with the very nodes that it had before the edit,
// also where it went through many steps, and what it concerns is done anew.
func TestEditLeavesOthersAsTheyWere(t *testing.T) {
	y := newTyping(t, map[string]string{"/r/kustomization.yaml": stepsOverlay, "/r/a.yaml": stepsMap, "/r/b.yaml": stepsPod}, "/r/kustomization.yaml")
	y.build("# typed\n" + stepsOverlay)
	before := y.build(stepsOverlay)
	for _, test := range []struct {
		name, text   string
		first, other bool // whether the ConfigMap and the Pod stay
	}{
		{"a comment", "# typed on and on\n\n" + stepsOverlay, true, true},
		{"an entry behind", stepsOverlay + "images: [{name: x, newTag: v2}]\n", true, true},
		{"the value of a patch", strings.Replace(stepsOverlay, "k: new", "k: newer", 1), false, false},
		{"taken back", stepsOverlay, false, false},
		{"the target of a replacement", strings.Replace(stepsOverlay, "kind: Pod", "kind: Job", 1), true, false},
		{"taken back again", stepsOverlay, true, false},
		{"another prefix", strings.Replace(stepsOverlay, "p-", "q-", 1), false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			y.t = t
			after := y.build(test.text)
			for i, stays := range []bool{test.first, test.other} {
				if same := before.Resources[i].Node == after.Resources[i].Node; same != stays {
					t.Errorf("%s is as it was: %v, want %v", after.Resources[i].ID(), same, stays)
				}
			}
			before = after
		})
	}
}

// Places are those of the text as it is now, in whatever version the value was written.
func TestPlacesAfterEdits(t *testing.T) {
	y := newTyping(t, map[string]string{"/r/kustomization.yaml": stepsOverlay, "/r/a.yaml": stepsMap, "/r/b.yaml": stepsPod}, "/r/kustomization.yaml")
	for i := range 4 {
		text := strings.Repeat("# a line\n", 2*i%5) + stepsOverlay
		result := y.build(text)
		for _, want := range []struct{ name, path, text string }{
			{"p-a", "metadata.name", "p-"}, {"p-a", "data.k", "new"}, {"p-b", "metadata.annotations.k", "new"},
		} {
			r := named(result, want.name)
			n := syntax.Lookup(r.Node, strings.Split(want.path, ".")...)
			file, span := syntax.NodeSpan(y.session.Table(), n)
			_, path, span := y.session.Table().Resolve(file, span)
			if got := text[span.Start:span.End]; path != y.path || got != want.text {
				t.Errorf("edit %d: %s of %s is at %q of %s", i, want.path, want.name, got, path)
			}
		}
	}
}

// A label that kustomize writes to several fields is one node: a later change of one
// field shows in all, whatever was done to the resource between.
func TestSharedLabelsStayShared(t *testing.T) {
	const pod = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {selector: {matchLabels: {x: y}}, template: {metadata: {labels: {x: y}}}}}\n"
	const base = "resources: [a.yaml]\nlabels:\n- includeSelectors: true\n  pairs: {team: one}\n"
	const overlay = "resources: [../base]\npatchesStrategicMerge:\n- |-\n  {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 2}}\nlabels:\n- pairs: {team: two}\n"
	y := newTyping(t, map[string]string{"/base/a.yaml": pod, "/base/kustomization.yaml": base, "/r/kustomization.yaml": overlay}, "/r/kustomization.yaml")
	for i := range 3 {
		y.build(fmt.Sprintf("# %d\n%s", i, overlay))
	}
}

// A mistake that is met while references are fixed is told in every build, and not only
// in the first one after an edit.
func TestMistakesInReferencesStay(t *testing.T) {
	const path, binding = "/r/kustomization.yaml", "{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: b, namespace: n}, " +
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}, subjects: [{kind: ServiceAccount, name: s, namespace: }]}\n"
	const text = "namePrefix: p-\nresources: [a.yaml]\n"
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/r/a.yaml": []byte(binding), path: []byte(text)}))).Remember(1000)
	for i := range 4 {
		session = session.Derive(session.Files().With(path, fmt.Appendf(nil, "# %d\n%s", i, text)), path)
		result, err := session.Build(t.Context(), "/r", builder.Options{Analyze: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Problems) != 1 || result.Problems[0].Code != problem.UnexpectedValueType {
			t.Errorf("edit %d: %v", i, result.Problems)
		}
	}
}

// What an entry came to before a keystroke is forgotten with it, and of many resources
// what a new entry came to is not remembered in the first place.
func TestTypingLeavesNothingBehind(t *testing.T) {
	files, list := map[string]string{"/r/kustomization.yaml": ""}, ""
	for i := range 60 {
		files[fmt.Sprintf("/r/%d.yaml", i)] = fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: m%02d}, data: {k: old}}\n", i)
		list += fmt.Sprintf("- %d.yaml\n", i)
	}
	overlay := "resources:\n" + list + "namePrefix: p-\npatches:\n- target: {kind: ConfigMap, name: WHICH}\n  patch: '[{\"op\": \"replace\", \"path\": \"/data/k\", \"value\": \"new\"}]'\n"
	type kept struct{ idle, early, late int }
	sizes := map[string]kept{}
	for _, which := range []string{".*", "m07"} {
		y := newTyping(t, files, "/r/kustomization.yaml")
		text := strings.Replace(overlay, "WHICH", which, 1)
		var k kept
		for i := range 15 {
			typed := fmt.Sprintf("# %d\n%s", i, text)
			if i > 3 {
				typed = strings.Replace(text, `"new"`, fmt.Sprintf(`"new%d"`, i), 1)
			}
			y.build(typed)
			switch i {
			case 3:
				k.idle = y.session.BytesOfSteps()
			case 6:
				k.early = y.session.BytesOfSteps()
			}
		}
		if k.late = y.session.BytesOfSteps(); k.late != k.early {
			t.Errorf("%s: %d bytes after three keystrokes, %d after more", which, k.early, k.late)
		}
		sizes[which] = k
	}
	if wide := sizes[".*"]; wide.late >= wide.idle {
		t.Errorf("%d bytes while a patch of all is typed, %d while nothing is", wide.late, wide.idle)
	}
	if narrow := sizes["m07"]; narrow.late*10 < narrow.idle*9 {
		t.Errorf("%d bytes while a patch of one is typed, %d while nothing is: the others are not remembered", narrow.late, narrow.idle)
	}
}

func TestOneBuildAtATimeHasTheSteps(t *testing.T) {
	if !builder.TakesStepsOnce() {
		t.Error("two builds of one layer have a memory each")
	}
}
