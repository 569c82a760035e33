package explain

import (
	"path"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/gentree"
)

// tree is a snapshot of files by their absolute paths.
func tree(files map[string]string) *vfs.Snapshot {
	texts := map[string][]byte{}
	for name, text := range files {
		texts[name] = []byte(text)
	}
	return vfs.NewSnapshot(vfs.Memory(texts))
}

func ask(t *testing.T, files map[string]string, dir, address string) *Answer {
	t.Helper()
	answer, err := Explain(t.Context(), builder.NewSession(tree(files)), dir, address, builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Result.Failed() {
		t.Fatalf("the build fails: %v", answer.Result.Problems)
	}
	return answer
}

func wantWritten(t *testing.T, a *Answer, value string, want Place) {
	t.Helper()
	if a.Explanation == nil {
		t.Fatalf("missing: %+v", a.Missing)
	}
	if got := a.Explanation.Value.Text(); got != value || a.Explanation.Written != want {
		t.Errorf("%q written at %v, want %q at %v", got, a.Explanation.Written, value, want)
	}
}

// A field that is a mapping is where its key stands, and what it sets at the pair.
func TestAFieldOfPairs(t *testing.T) {
	a := ask(t, map[string]string{
		"/kustomization.yaml": "resources: [r.yaml]\ncommonLabels:\n  a: b\n  team: web\n",
		"/r.yaml":             "apiVersion: v1\nkind: A\nmetadata:\n  name: first\n",
	}, "/", "A/first:metadata.labels.team")
	wantWritten(t, a, "web", Place{"/kustomization.yaml", 4, 9})
	if len(a.Explanation.Steps) != 1 || a.Explanation.Steps[0].Place != (Place{"/kustomization.yaml", 2, 1}) || a.Explanation.Steps[0].Before.Present() {
		t.Errorf("steps %+v", a.Explanation.Steps)
	}
}

// A replaced name shares nothing with the original one, by which the steps are
// followed at first.
func TestANameThatWasReplacedAsAWhole(t *testing.T) {
	a := ask(t, map[string]string{
		"/kustomization.yaml": "resources: [r.yaml]\ncommonAnnotations: {a: b}\npatches:\n- target: {kind: A}\n  options: {allowNameChange: true}\n" +
			"  patch: |\n    - {op: replace, path: /metadata/name, value: other}\n",
		"/r.yaml": "apiVersion: v1\nkind: A\nmetadata:\n  name: first\n",
	}, "/", "A/other:metadata.name")
	wantWritten(t, a, "other", Place{"/kustomization.yaml", 7, 50})
	if len(a.Explanation.Steps) != 1 || a.Explanation.Steps[0].Before.Text() != "first" {
		t.Errorf("steps %+v", a.Explanation.Steps)
	}
}

// A generator that merges takes the place of the resource that was there; the steps
// before belong to it too.
func TestStepsBeforeAGeneratorMerged(t *testing.T) {
	files := map[string]string{
		"/base/kustomization.yaml": "configMapGenerator:\n- name: c\n  literals: [a=1, b=2]\nnamePrefix: p-\n",
		"/over/kustomization.yaml": "resources: [../base]\nconfigMapGenerator:\n- name: p-c\n  behavior: merge\n  literals:\n  - b=3\n",
	}
	a := ask(t, files, "/over", "ConfigMap/c:data.b")
	wantWritten(t, a, "3", Place{"/over/kustomization.yaml", 6, 5})
	a = ask(t, files, "/over", "ConfigMap/c")
	var names []string
	for _, s := range a.Explanation.Steps {
		names = append(names, s.Transformer)
	}
	if diff := cmp.Diff([]string{"PrefixTransformer", "ConfigMapGenerator", "HashTransformer"}, names); diff != "" {
		t.Error(diff)
	}
}

// The values of a merged document come from both sides.
func TestInsideAMergedDocument(t *testing.T) {
	files := map[string]string{
		"/base/kustomization.yaml": "configMapGenerator:\n- name: c\n  files: [c.json]\n",
		"/base/c.json":             "{\n  \"kept\": 1,\n  \"changed\": 2\n}\n",
		"/over/kustomization.yaml": "resources: [../base]\nconfigMapGenerator:\n- name: c\n  behavior: merge\n  files: [c.json]\n  mergeValues:\n  - {key: c.json, format: json}\n",
		"/over/c.json":             "{\n\n\n  \"changed\": 3\n}\n",
	}
	wantWritten(t, ask(t, files, "/over", `ConfigMap/c:data.c\.json.kept`), "1", Place{"/base/c.json", 2, 11})
	wantWritten(t, ask(t, files, "/over", `ConfigMap/c:data.c\.json.changed`), "3", Place{"/over/c.json", 4, 14})
}

// A document in a literal stands behind the key.
func TestInsideALiteral(t *testing.T) {
	files := map[string]string{
		"/kustomization.yaml": "configMapGenerator:\n- name: c\n  literals:\n  - |-\n    c.yaml=a: 1\n    b: two\n",
	}
	wantWritten(t, ask(t, files, "/", `ConfigMap/c:data.c\.yaml.b`), "two", Place{"/kustomization.yaml", 6, 8})
}

func TestALineInEachKindOfFile(t *testing.T) {
	files := tree(map[string]string{
		"/kustomization.yaml": "resources:\n- web.yaml\n- gone.yaml\npatches:\n- path: patch.yaml\n- path: drop.yaml\n",
		"/web.yaml":           "apiVersion: v1\nkind: A\nmetadata:\n  name: web\nspec:\n  a: 1\n  b: 2\n",
		"/gone.yaml":          "apiVersion: v1\nkind: A\nmetadata:\n  name: gone\n",
		"/patch.yaml":         "apiVersion: v1\nkind: A\nmetadata:\n  name: web\nspec:\n  a: 9\n",
		"/drop.yaml":          "apiVersion: v1\nkind: A\nmetadata:\n  name: gone\n$patch: delete\n",
		"/unused.yaml":        "a: b\n",
	})
	for _, tt := range []struct {
		file   string
		line   int
		fields map[string]string
	}{
		{"/web.yaml", 6, map[string]string{"spec.a": "9"}},
		{"/web.yaml", 7, map[string]string{"spec.b": "2"}},
		{"/web.yaml", 5, map[string]string{"spec": "a: 9\nb: 2\n"}},
		{"/patch.yaml", 6, map[string]string{"spec.a": "9"}},
		{"/kustomization.yaml", 5, map[string]string{"spec.a": "9"}},
		{"/kustomization.yaml", 1, map[string]string{}},
	} {
		use, err := ExplainLine(t.Context(), builder.NewSession(files), "/", tt.file, tt.line, builder.Options{})
		if err != nil || use == nil {
			t.Fatalf("%s:%d: %v, %v", tt.file, tt.line, use, err)
		}
		got := map[string]string{}
		for _, e := range use.Fields {
			got[e.Field] = e.Value.Text()
		}
		if diff := cmp.Diff(tt.fields, got); diff != "" || use.Dropped {
			t.Errorf("%s:%d: dropped %v\n%s", tt.file, tt.line, use.Dropped, diff)
		}
	}
	if use, err := ExplainLine(t.Context(), builder.NewSession(files), "/", "/gone.yaml", 4, builder.Options{}); err != nil || !use.Dropped {
		t.Errorf("a line of a resource that was deleted: %+v, %v", use, err)
	}
	if use, err := ExplainLine(t.Context(), builder.NewSession(files), "/", "/unused.yaml", 1, builder.Options{}); err != nil || use != nil {
		t.Errorf("a line of a file that is not read: %+v, %v", use, err)
	}
}

// TestExplainDoesNoMoreThanABuild measures on the large tree, in bytes that are
// allocated: unlike the time, which make bench compares, they do not hang on what else
// the machine does.
func TestExplainDoesNoMoreThanABuild(t *testing.T) {
	files := map[string][]byte{}
	for name, text := range gentree.Files(300) {
		files[path.Join("/", name)] = text
	}
	dir := path.Join("/", gentree.Overlay)
	built := allocated(func() {
		result, err := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))).Build(t.Context(), dir, builder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := result.YAML(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	explained := allocated(func() {
		session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files)))
		a, err := Explain(t.Context(), session, dir, "Deployment/app-0150:spec.replicas", builder.Options{})
		if err != nil || a.Explanation == nil {
			t.Fatalf("%v, %+v", err, a)
		}
	})
	if explained > built*3/2 {
		t.Errorf("explain allocates %d bytes, a build %d", explained, built)
	}
}

// allocated returns how many bytes are allocated meanwhile.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
