package ide_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"golang.org/x/tools/txtar"
)

// countingSource notes which files are read.
type countingSource struct {
	vfs.Source
	mutex sync.Mutex
	read  map[string]bool
}

func (s *countingSource) ReadFile(path string) ([]byte, error) {
	s.mutex.Lock()
	s.read[path] = true
	s.mutex.Unlock()
	return s.Source.ReadFile(path)
}

// overlaysOf is a base with so many overlays, each with a patch of its own.
func overlaysOf(count int) map[string][]byte {
	tree := map[string][]byte{
		"/tree/base/kustomization.yaml": []byte("resources: [deploy.yaml]\n"),
		"/tree/base/deploy.yaml":        []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n"),
	}
	for i := range count {
		dir := fmt.Sprintf("/tree/overlays/o%02d/", i)
		tree[dir+"kustomization.yaml"] = []byte("resources: [../../base]\npatches:\n- path: patch.yaml\n")
		tree[dir+"patch.yaml"] = fmt.Appendf(nil, "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: %d\n", i+2)
	}
	return tree
}

// TestOnlyTheRootsThatReadTheFileAreBuilt asks about a patch before anything was built: of the
// other overlays nothing but their kustomizations is read.
func TestOnlyTheRootsThatReadTheFileAreBuilt(t *testing.T) {
	source := &countingSource{Source: vfs.Memory(overlaysOf(40)), read: map[string]bool{}}
	view := workspace.New(vfs.NewSnapshot(source), []string{root}, analysis.Options{Rules: rules.All()})
	hover, err := ide.HoverAt(context.Background(), view, "/tree/overlays/o07/patch.yaml", strings.Index(string(overlaysOf(8)["/tree/overlays/o07/patch.yaml"]), "replicas"))
	if err != nil || hover == nil || !strings.Contains(hover.Markdown, "overlays/o07") {
		t.Fatalf("the hover is %+v, %v", hover, err)
	}
	var patches []string
	for path := range source.read {
		if filepath.Base(path) == "patch.yaml" {
			patches = append(patches, path)
		}
	}
	if want := []string{"/tree/overlays/o07/patch.yaml"}; !slices.Equal(patches, want) {
		t.Errorf("read are %v, want %v", patches, want)
	}
}

// TestNewReaders asks about a file right after an entry was added that names it, in a
// kustomization that others include, and after the entry is gone.
func TestNewReaders(t *testing.T) {
	tree := overlaysOf(12)
	tree["/tree/base/new.yaml"] = []byte("apiVersion: v1\nkind: Service\nmetadata:\n  name: late\nspec:\n  ports: [{port: 80}]\n")
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
	ctx := context.Background()
	if err := view.Check(ctx, nil, func(*workspace.PartialReport) {}); err != nil {
		t.Fatal(err)
	}
	readers := func() int {
		t.Helper()
		list, err := view.Verdicts(ctx, "/tree/base/new.yaml")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if got := readers(); got != 0 {
		t.Errorf("before the entry %d roots read the file", got)
	}
	view = view.Edit("/tree/base/kustomization.yaml", []byte("resources: [deploy.yaml, new.yaml]\n"))
	dir, ok, err := view.RootFor(ctx, "/tree/base/new.yaml")
	if err != nil || !ok || dir != "/tree/base" {
		t.Errorf("the root that shows best what the file does is %q, %v, %v", dir, ok, err)
	}
	if err := view.Check(ctx, nil, func(*workspace.PartialReport) {}); err != nil {
		t.Fatal(err)
	}
	if got := readers(); got != 13 {
		t.Errorf("with the entry %d roots read the file, want the base and 12 overlays", got)
	}
	view = view.Edit("/tree/base/kustomization.yaml", []byte("resources: [deploy.yaml]\n"))
	if dir, ok, err := view.RootFor(ctx, "/tree/base/new.yaml"); err != nil || dir != "/tree/base" || !ok {
		// No root reads it any more; its folder has one.
		t.Errorf("without the entry the root is %q, %v, %v", dir, ok, err)
	}
}

// TestMistakesOfRootsThatWereNotCheckedAgain pulls the diagnostics of a base's file after an
// edit of it: what the edit mends is gone everywhere at once, and what only a far overlay
// says of the file is still there, where it stands now.
func TestMistakesOfRootsThatWereNotCheckedAgain(t *testing.T) {
	tree := overlaysOf(30)
	const file = "/tree/base/kustomization.yaml"
	tree[file] = []byte("resources: [deploy.yaml, gone.yaml]\n")
	tree["/tree/overlays/o29/kustomization.yaml"] = []byte("resources: [../../base]\npatches:\n- path: patch.yaml\n- path: missing.yaml\n")
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
	ctx := context.Background()
	if err := view.Check(ctx, nil, func(*workspace.PartialReport) {}); err != nil {
		t.Fatal(err)
	}
	view = view.Edit(file, []byte("# here\nresources: [deploy.yaml]\n"))
	f, err := view.CheckFile(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if f.Final {
		t.Error("all roots were checked")
	}
	var got []string
	for _, d := range f.Diagnostics {
		got = append(got, fmt.Sprintf("%s %s", filepath.Base(filepath.Dir(d.File)), d.Rule))
	}
	if want := []string{"o29 missing-path"}; !slices.Equal(got, want) {
		t.Errorf("found are %v, want %v", got, want)
	}
	// One overlay alone reads this, and the others are not checked because of it.
	if f, err = view.CheckFile(ctx, "/tree/overlays/o07/patch.yaml"); err != nil || f.Final {
		t.Errorf("all roots were checked, or %v", err)
	}
}

// TestReferencesInFarRoots looks for a name that of many overlays one mentions, far from
// the file, and another one in a pattern.
func TestReferencesInFarRoots(t *testing.T) {
	tree := overlaysOf(40)
	tree["/tree/base/kustomization.yaml"] = []byte("resources: [deploy.yaml, settings.yaml]\n")
	tree["/tree/base/settings.yaml"] = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app.settings\n")
	tree["/tree/overlays/o33/kustomization.yaml"] = []byte("resources: [../../base]\npatches:\n- patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {}}]'\n  target: {kind: ConfigMap, name: app.settings}\n")
	tree["/tree/overlays/o36/kustomization.yaml"] = []byte("resources: [../../base]\npatches:\n- patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {}}]'\n  target: {kind: ConfigMap, name: app.*}\n")
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
	ctx := context.Background()
	for range 2 {
		list, err := ide.References(ctx, view, "/tree/base/settings.yaml", strings.Index(string(tree["/tree/base/settings.yaml"]), "app.settings"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range list {
			got = append(got, filepath.Base(filepath.Dir(r.File)))
		}
		if want := []string{"base", "o33", "o36"}; !slices.Equal(got, want) {
			t.Errorf("the name is in %v, want %v", got, want)
		}
		if err := view.Check(ctx, nil, func(*workspace.PartialReport) {}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSymbolsWithoutParsing holds the symbols of files that are only looked through against
// those of the same files with a tab at their end, for which they are parsed.
func TestSymbolsWithoutParsing(t *testing.T) {
	spellings := map[string][]byte{"kustomization.yaml": []byte("resources: [")}
	for i, content := range []string{
		"kind: A\nmetadata:\n  name: plain\n",
		"kind: A\r\nmetadata:\r\n  name: crlf\r\n",
		"kind: A # comment\nmetadata: # comment\n  name: commented # comment\n",
		"metadata:\n  name: before\n  namespace: x\nkind: B\n",
		"kind: \"C\"\nmetadata: {name: flow}\n",
		"kind: A\nmetadata:\n  labels:\n    name: deep\n  name: shallow\n",
		"kind: A\nspec:\n  name: not-this\nmetadata:\n  annotations:\n    a: |\n      name: text\n  name: 'quoted'\n",
		"kind: A\nmetadata:\n  name: one\n---\nkind: B\nmetadata:\n  name: two\n--- # three\nkind: C\nmetadata:\n  name: three\n",
		"kind: A\nmetadata:\n  generateName: x-\n---\nmetadata:\n  name: no-kind\n---\nkind: List\nitems:\n- kind: A\n  metadata:\n    name: inner\n",
		"kind: A\nmetadata:\n  name: \nspec: {}\n",
		"kind: A\nmetadata: &m\n  name: anchored\n---\nkind: B\nmetadata: *m\n",
		"data: \"a\nkind: B\nmetadata:\n  name: text\n\"\nkind: A\nmetadata:\n  name: real\n",
		"- op: add\n  kind: A\n  metadata:\n    name: item\n",
		"kind: A\nkind: B\nmetadata:\n  name: twice\n",
		"{kind: A, metadata: {name: json}}\n",
		"kind: A\nmetadata:\n    name: four\n    labels:\n        a: b\nspec:\n  x: y\n",
		"  kind: A\n  metadata:\n    name: moved\n",
		"%YAML 1.1\n---\nkind: A\nmetadata:\n  name: directive\n...\n",
		"# kind: A\nkind: ä\nmetadata:\n  name: ö\n",
		"kind: A\nmetadata:\n  name: -dash\n---\nkind: A\nmetadata:\n  name: 12\n---\nkind: A\nmetadata:\n  name: a b\n",
		"kind: A\nmetadata:\n  name: w\n  more:\n   less: x\n",
		"kind: A\nmetadata:\n  name: >-\n    folded\n",
		"kind: A\nmetadata:\n\n  # comment\n  name: after-blank\nstatus:\n  name: x\n",
	} {
		spellings[fmt.Sprintf("%02d.yaml", i)] = []byte(content)
	}
	holdSymbols(t, "spellings", spellings)
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree := map[string][]byte{}
		for i, f := range archive.Files {
			if ext := filepath.Ext(f.Name); (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(f.Name, "want/") {
				tree[fmt.Sprintf("%02d.yaml", i)] = f.Data
			}
		}
		holdSymbols(t, file, tree)
	}
}

func holdSymbols(t *testing.T, what string, files map[string][]byte) {
	t.Helper()
	symbols := func(ending string) []structure.WorkspaceSymbol {
		tree := map[string][]byte{}
		var names []string
		for _, name := range slices.Sorted(maps.Keys(files)) {
			tree["/tree/"+name] = append(slices.Clone(files[name]), ending...)
			names = append(names, name)
		}
		tree["/tree/kustomization.yaml"] = []byte("resources: [" + strings.Join(names, ", ") + "]\n")
		list, err := structure.WorkspaceSymbols(context.Background(), workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()}), "")
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if diff := cmp.Diff(symbols("\n#\t\n"), symbols("\n#\n")); diff != "" {
		t.Errorf("%s: - parsed, + looked through\n%s", what, diff)
	}
}
