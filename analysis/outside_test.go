package analysis_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/load"
)

// fetched is an outside in which every repository is in /clone, and every URL
// holds the same text.
type fetched struct{ text string }

func (fetched) Repository(context.Context, gitrepo.URL) (string, error) {
	return "/clone", nil
}
func (fetched) Stored(gitrepo.URL) (string, bool) { return "", false }
func (f fetched) File(_ context.Context, url string) ([]byte, error) {
	if strings.HasSuffix(url, "/missing.yaml") {
		return nil, errors.New("no such file")
	}
	return []byte(f.text), nil
}
func (fetched) Chart(context.Context, builder.ChartRequest) ([]byte, error) {
	return nil, errors.New("the template is bad")
}
func (fetched) Function(context.Context, builder.FunctionRequest) (builder.FunctionResult, error) {
	return builder.FunctionResult{}, load.ErrSwitchedOff
}

func expectFetched(t *testing.T, text, archive, want string) {
	t.Helper()
	targets := []analysis.Target{{Dir: "/here"}}
	report, err := analysis.Check(t.Context(), builder.NewSession(snapshotOf(archive)), targets,
		analysis.Options{Rules: rules.All(), Build: builder.Options{Outside: fetched{text}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), summary(report)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What fails in a repository is shown where it is named; what is only odd there is
// not for those who use it.
func TestMistakesInRepository(t *testing.T) {
	expectFetched(t, "", `
-- here/kustomization.yaml --
resources: [base]
-- here/base/kustomization.yaml --
resources: ["file:///repo?ref=v1"]
-- clone/kustomization.yaml --
resources: [missing.yaml, inner]
-- clone/inner/kustomization.yaml --
images: [{name: none, newTag: a}]
commonLabels: {a: b}
transformers: [tool.yaml]
-- clone/inner/tool.yaml --
apiVersion: example.com/v1
kind: Tool
metadata: {name: t}
`, `
/here fails
/here/base/kustomization.yaml info external-not-run /here
/here/base/kustomization.yaml error missing-path /here
`)
}

// A file that was loaded over the network is nothing to point at.
func TestMistakesInRemoteFile(t *testing.T) {
	expectFetched(t, "apiVersion: v1\nkind: Service\n", `
-- here/kustomization.yaml --
namePrefix: a-
resources:
- https://example.com/all.yaml
- https://example.com/missing.yaml
`, `
/here fails
/here/kustomization.yaml error invalid-resource /here
/here/kustomization.yaml error remote-fails /here
`)
}

func TestMistakesInChart(t *testing.T) {
	expectFetched(t, "", `
-- here/kustomization.yaml --
helmCharts: [{name: app}]
`, `
/here fails
/here/kustomization.yaml error chart-fails /here
`)
}
