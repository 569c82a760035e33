package workspace_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestDraftOfOtherFiles breaks off the text of each file that a kustomization reads: at
// once, before anything is built, the draft has the syntax errors that the check has in
// the end. The input of a generator is no YAML, whatever stands in it.
func TestDraftOfOtherFiles(t *testing.T) {
	const kustomizationText = `resources: [all.yaml]
patches: [{path: merge.yaml}, {path: operations.yaml, target: {kind: Service}}]
patchesStrategicMerge: [old.yaml]
replacements: [{path: replacement.yaml}]
configurations: [names.yaml]
transformers: [plugin.yaml]
configMapGenerator: [{name: c, files: [input.yaml], envs: [lines.env]}]
`
	contents := map[string]string{
		"all.yaml":         "apiVersion: v1\nkind: Service\nmetadata: {name: \"a\"}\nspec:\n  ports: [{port: 1}]\n",
		"merge.yaml":       "apiVersion: v1\nkind: Service\nmetadata: {name: \"a\"}\nspec:\n  ports: [{port: 1}]\n",
		"old.yaml":         "apiVersion: v1\nkind: Service\nmetadata: {name: 'a'}\n",
		"operations.yaml":  "- op: add\n  path: \"/spec/x\"\n  value: {a: b}\n",
		"replacement.yaml": "source: {kind: Service, name: a}\ntargets:\n- select: {kind: Service}\n  fieldPaths: [\"metadata.labels.x\"]\n  options: {create: true}\n",
		"names.yaml":       "namePrefix:\n- path: \"metadata/name\"\n",
		"plugin.yaml":      "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: \"p\"}\nprefix: x-\nfieldSpecs: [{path: metadata/name}]\n",
		"input.yaml":       "a: [b, {c: \"d\"}]\n",
		"lines.env":        "A=b\n",
	}
	files := map[string][]byte{root + "/kustomization.yaml": []byte(kustomizationText)}
	for name, text := range contents {
		files[root+"/"+name] = []byte(text)
	}
	whole := workspace.New(vfs.NewSnapshot(vfs.Memory(files)), []string{root}, analysis.Options{Rules: rules.All()})
	checked(t, whole)
	for name, text := range contents {
		t.Run(name, func(t *testing.T) {
			path, errors := root+"/"+name, 0
			for end := range text {
				view := whole.Edit(path, []byte(text[:end]))
				draft, err := view.Draft(context.Background(), []string{path})
				if err != nil {
					t.Fatal(err)
				}
				list := phases(t, view, []string{path})
				want := syntaxErrorsIn(list[len(list)-1], path)
				errors += len(want)
				if draft == nil {
					if len(want) > 0 || name != "input.yaml" && name != "lines.env" {
						t.Fatalf("no draft of %q", text[:end])
					}
					continue
				}
				if got := syntaxErrorsIn(draft, path); !slices.Equal(got, want) {
					t.Errorf("%q: the draft has %q, the check %q", text[:end], got, want)
				}
			}
			if isInput := name == "input.yaml" || name == "lines.env"; isInput != (errors == 0) {
				t.Errorf("%d syntax errors", errors)
			}
		})
	}
}

func syntaxErrorsIn(f *workspace.PartialReport, file string) []string {
	var found []string
	for _, d := range f.Diagnostics {
		if d.File == file && d.Rule == "syntax-error" {
			found = append(found, fmt.Sprintf("%d-%d %s", d.Span.Start, d.Span.End, d.Message))
		}
	}
	return found
}
