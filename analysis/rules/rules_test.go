package rules

import (
	"bytes"
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/internal/differential"
)

var update = flag.Bool("update", false, "write want/ of the fixtures anew")

// withoutFixture are the rules that no tree of files can break.
var withoutFixture = map[string]string{
	"internal-error": "only a mistake of kls leads to it",
	"plugin-fails":   "it takes a program to run",
	"chart-fails":    "it takes helm to run",
	"remote-fails":   "it takes something to fetch",
}

func TestFixtures(t *testing.T) {
	for _, path := range fixturePaths(t) {
		runFixture(t, path)
	}
}

// runFixture holds one fixture against what kls and kustomize make of it.
func runFixture(t *testing.T, path string) {
	f, err := fixture.Load(path)
	if err != nil {
		t.Error(err)
		return
	}
	t.Run(f.Name, func(t *testing.T) {
		t.Parallel()
		outcome, err := f.Run(context.Background(), All())
		if err != nil {
			t.Fatal(err)
		}
		for _, mistake := range outcome.Mistakes {
			t.Error(mistake)
		}
		if *update {
			if err := f.Update(path, outcome.Want); err != nil {
				t.Fatal(err)
			}
			return
		}
		want := maps.Clone(f.Want)
		delete(want, "no-oracle")
		if diff := cmp.Diff(want, outcome.Want); diff != "" {
			t.Errorf("want/ is not what kls does (-want +kls):\n%s", diff)
		}
		askKustomize(t, f, outcome)
	})
}

// askKustomize holds the verdicts, and what want/build expects, against kustomize.
func askKustomize(t *testing.T, f *fixture.Fixture, outcome *fixture.Outcome) {
	if reason := f.Oracle(); reason != "" {
		t.Log("kustomize is not asked:", reason)
		return
	}
	files := differential.Tree{}
	for _, file := range f.Files {
		files[file.Path] = file.Data
	}
	for _, root := range outcome.Report.Roots {
		if root.Verdict == analysis.Unknown || root.Verdict == analysis.IsComponent {
			continue
		}
		folder := folderOf(root)
		compared := files.Compare(context.Background(), folder)
		builds := compared.Kustomize.Refusal == nil && !compared.Kls.Beyond
		if compared.Kind.Wrong() || builds != (root.Verdict == analysis.Builds && !root.Beyond) {
			t.Errorf("%s: verdict %s: %s", folder, root.Verdict, compared)
		}
		for name, want := range f.Want {
			if dir, ok := fixture.BuildFolder(name); ok && dir == root.Dir && !root.Beyond && !bytes.Equal(compared.Kustomize.Printed, []byte(want)) {
				t.Errorf("want/%s is not what kustomize prints (-want +kustomize):\n%s", name, cmp.Diff(want, string(compared.Kustomize.Printed)))
			}
		}
	}
}

// folderOf returns a root's folder as it stands in the fixture.
func folderOf(root analysis.Root) string {
	if root.Dir == fixture.Root {
		return "."
	}
	return strings.TrimPrefix(root.Dir, fixture.Root+"/")
}

// A rule without an example nobody can check, and a code without a rule nobody
// can look up.
func TestEveryRuleHasItsFixture(t *testing.T) {
	var fixtures []string
	for _, path := range fixturePaths(t) {
		f, err := fixture.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		fixtures = append(fixtures, f.Name)
		if !slices.ContainsFunc(All(), func(r *analysis.Rule) bool { return r.Name == f.Name }) {
			t.Errorf("%s is the name of no rule", path)
		}
		if !slices.ContainsFunc(f.Files, func(file fixture.File) bool {
			return slices.ContainsFunc(file.Markers, func(m fixture.Marker) bool { return m.Rule == f.Name })
		}) {
			t.Errorf("%s does not show its rule", path)
		}
	}
	for _, r := range All() {
		if _, excused := withoutFixture[r.Name]; !excused && !slices.Contains(fixtures, r.Name) {
			t.Errorf("testdata has no %s.txtar", r.Name)
		}
	}
}

func TestEveryCodeHasARule(t *testing.T) {
	codes := engineCodes(t)
	if len(codes) < 60 {
		t.Fatalf("only %d codes were found in engine/problem", len(codes))
	}
	for _, code := range codes {
		if !slices.ContainsFunc(All(), func(r *analysis.Rule) bool { return r.Name == code }) {
			t.Errorf("no rule is named %s", code)
		}
	}
}

func TestDocumentationIsComplete(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, r := range All() {
		if !kebab.MatchString(r.Name) || seen[r.Name] {
			t.Errorf("%q is no name, or stands twice", r.Name)
		}
		seen[r.Name] = true
		if r.Title == "" || strings.HasSuffix(r.Title, ".") || r.Why == "" || r.Remedy == "" || r.Severity < analysis.Hint {
			t.Errorf("%s lacks a part of its documentation", r.Name)
		}
		if !slices.Contains(analysis.Classes(), r.Class) {
			t.Errorf("%s is of the class %q, which there is not", r.Name, r.Class)
		}
	}
}

// engineCodes reads the constants of type Code from the engine's source.
func engineCodes(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "engine", "problem", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, path := range paths {
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := spec.Type.(*ast.Ident); ok && name.Name == "Code" && len(spec.Values) == 1 {
				code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				codes = append(codes, code)
			}
			return true
		})
	}
	return codes
}

func fixturePaths(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return paths
}
