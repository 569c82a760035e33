package rules

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// examples holds the stories as trees, each with a README.
const examples = "../../examples/structured-data"

func TestStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/stories/*.txtar")
	if err != nil || len(paths) != 4 {
		t.Fatalf("the proposal has four stories, and here are %d (%v)", len(paths), err)
	}
	for _, path := range paths {
		runFixture(t, path)
	}
}

// The examples are the trees of the fixtures: what a fixture shows holds for them.
func TestStoriesAreTheExamples(t *testing.T) {
	for _, story := range []string{"story-1", "story-2", "story-3", "story-4"} {
		f, err := fixture.Load("testdata/stories/" + story + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		want, got := map[string]string{}, map[string]string{}
		for _, file := range f.Files {
			want[file.Path] = string(file.Data)
		}
		folder := filepath.Join(examples, story)
		err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			name, _ := filepath.Rel(folder, path)
			data, err := os.ReadFile(path)
			got[filepath.ToSlash(name)] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is not what its fixture shows (-fixture +example):\n%s", story, diff)
		}
	}
}

// Each slip of the proposal has a fix that makes its story work.
func TestFixesMakeTheStoriesWork(t *testing.T) {
	for _, c := range []struct{ story, folder, want string }{
		{"story-1", "copies", `"hostname": "www.example.com"`},
		{"story-2", "overlay", "{\n      \"config\": {\n        \"loglevel\": \"debug\",\n        \"hostname\": \"www.example.com\",\n" +
			"        \"parameter\": {\n          \"foo\": \"bar\",\n          \"baz\": \"qux\"\n        }\n      }\n    }\n"},
		{"story-3", "printed", "prometheus_env: dev\n"},
		{"story-4", "printed", `'{"ports":{"appA":"debug-backend-config"}}'`},
	} {
		f, err := fixture.Load("testdata/stories/" + c.story + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		files := f.Contents()
		for _, d := range checkFiles(t, files).Diagnostics {
			if len(d.Fixes) == 0 {
				continue
			}
			// One at a time: the places of the others move with it.
			files = applyFirst(t, files, d.Rule)
		}
		rendered, err := fixture.Render(context.Background(), files, fixture.Root+"/"+c.folder)
		if err != nil || !strings.Contains(string(rendered), c.want) {
			t.Errorf("%s: after its fixes %s renders (%v)\n%s", c.story, c.folder, err, rendered)
		}
		for _, d := range checkFiles(t, files).Diagnostics {
			if d.Rule == "invalid-name" {
				continue // the proposal's appA-svc is no name that a cluster takes
			}
			if d.Severity == analysis.Error || d.Severity == analysis.Warning && d.Rule != "not-in-kustomize" {
				t.Errorf("%s: after the fixes there still is %s: %s", c.story, d.Rule, d.Message)
			}
		}
	}
}

func checkFiles(t *testing.T, files map[string][]byte) *analysis.Report {
	t.Helper()
	snapshot := vfs.NewSnapshot(vfs.Memory(files))
	targets, err := analysis.Discover(context.Background(), snapshot, fixture.Root)
	if err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Check(context.Background(), builder.NewSession(snapshot), targets, analysis.Options{Rules: All()})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// applyFirst applies the first fix of the rule.
func applyFirst(t *testing.T, files map[string][]byte, rule string) map[string][]byte {
	t.Helper()
	for _, d := range checkFiles(t, files).Diagnostics {
		if d.Rule != rule || len(d.Fixes) == 0 {
			continue
		}
		changed, err := analysis.Apply(d.Fixes[0].Edits, func(path string) ([]byte, error) { return files[path], nil })
		if err != nil {
			t.Fatal(err)
		}
		files = maps.Clone(files)
		maps.Copy(files, changed)
		return files
	}
	t.Fatalf("no fix of %s is left", rule)
	return nil
}
