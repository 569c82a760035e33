package ide_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"sigs.k8s.io/yaml"
)

// TestCreatedKustomizationNamesOddFiles makes a kustomization for a folder with files whose
// names YAML reads as comments, lists, maps and numbers, and builds it.
func TestCreatedKustomizationNamesOddFiles(t *testing.T) {
	names := []string{"#1.yaml", "- z.yaml", "@q.yaml", "a: b.yaml", "&c.yaml", "plain.yaml"}
	tree := map[string][]byte{root + "/kustomization.yaml": []byte("resources:\n- sub\n")}
	for i, name := range names {
		tree[root+"/sub/"+name] = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: n" + string(rune('a'+i)) + "\n")
	}
	scene := &scene{workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()}), tree}
	at := strings.Index(string(tree[root+"/kustomization.yaml"]), "sub")
	actions, err := action.At(context.Background(), scene.view, action.Query{File: root + "/kustomization.yaml", Span: text.Span{Start: at, End: at}})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(actions, func(a *action.Action) bool { return strings.HasPrefix(a.Title, "Create ") })
	if i < 0 {
		t.Fatalf("offered are %v", actions)
	}
	edit, reason, err := actions[i].Edit(context.Background())
	if err != nil || reason != "" || len(edit.Create) != 1 {
		t.Fatal(edit, reason, err)
	}
	var made struct{ Resources []string }
	if err := yaml.Unmarshal([]byte(edit.Create[0].Text), &made); err != nil {
		t.Fatal(err)
	}
	if slices.Sort(made.Resources); !slices.Equal(made.Resources, slices.Sorted(slices.Values(names))) {
		t.Errorf("it names %q\n%s", made.Resources, edit.Create[0].Text)
	}
	maps.Copy(tree, scene.after(t, edit))
	tree[edit.Create[0].Path] = []byte(edit.Create[0].Text)
	result, err := builder.NewSession(vfs.NewSnapshot(vfs.Memory(tree))).Build(context.Background(), root, builder.Options{})
	if err != nil || result.Failed() || len(result.Resources) != len(names) {
		t.Errorf("it renders %d resources, %v", len(result.Resources), err)
	}
}

// TestRenameToAWord gives a generator and a resource names that YAML reads as booleans,
// nothing and numbers where they have no quotes.
func TestRenameToAWord(t *testing.T) {
	for _, name := range []string{"no", "on", "null", "1e3", "0x1f"} {
		tree := map[string][]byte{
			root + "/kustomization.yaml": []byte("resources: [deploy.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [a=b]\n"),
			root + "/deploy.yaml":        []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        envFrom:\n        - configMapRef: {name: settings}\n"),
		}
		scene := &scene{workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()}), tree}
		for file, needle := range map[string]string{root + "/kustomization.yaml": "settings", root + "/deploy.yaml": "web"} {
			edit, reason, err := ide.Rename(context.Background(), scene.view, file, strings.Index(string(tree[file]), needle), name)
			if err != nil || reason != "" {
				t.Errorf("%s to %s: %s, %v", needle, name, reason, err)
				continue
			}
			if after := string(scene.after(t, edit)[file]); !strings.Contains(after, `name: "`+name+`"`) && !strings.Contains(after, "name: '"+name+"'") {
				t.Errorf("%s to %s: it becomes\n%s", needle, name, after)
			}
		}
	}
}
