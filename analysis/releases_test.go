package analysis_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// releaseTree uses what came with several releases, and what none has.
var releaseTree = map[string][]byte{
	"/t/kustomization.yaml": []byte(`resources:
- settings.yaml
- pod.yaml
sortOptions:
  order: legacy
labels:
- pairs: {a: b}
  includeTemplates: true
patches:
- path: patches.yaml
- path: patch.yaml
replacements:
- sourceValue: example.com
  targets:
  - select:
      name: settings
    fieldPaths: [data.host]
- source:
    kind: ConfigMap
    fieldPath: data.host
  targets:
  - select:
      name: settings
    fieldPaths:
    - data.config\.json.host
    options:
      delimiter: ':'
  - select:
      kind: Pod
    fieldPaths:
    - spec.containers.*.workingDir
    options:
      create: true
`),
	"/t/pod.yaml":      []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web}]}\n"),
	"/t/patches.yaml":  []byte(namedSettings + "data: {one: a}\n---\n" + namedSettings + "data: {two: b}\n"),
	"/t/patch.yaml":    []byte(namedSettings + "data: {three: c}\n"),
	"/t/settings.yaml": []byte(namedSettings + "data: {host: localhost, config.json: '{\"host\":\"localhost:80\"}'}\n"),
}

const namedSettings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"

func TestWhatAReleaseDoesNotHave(t *testing.T) {
	all := []string{
		`4 "sortOptions" came with kustomize 5.0.0`,
		`8 "includeTemplates" came with kustomize 4.5.7`,
		`10 several patches in one entry came with kustomize 5.2.0`,
		`13 "sourceValue" came with kustomize 5.7.0`,
		`25 a target's path that goes on inside a string came with kustomize 5.8.0`,
		`27 a delimiter for a target inside a string came with kustomize 5.8.2`,
		`31 create with a * in the path came with kustomize 5.0.0`,
	}
	for release, want := range map[string][]string{
		"":       nil,
		"5.8.2":  nil,
		"5.8":    nil,
		"5":      nil,
		"v5.9":   nil,
		"5.8.1":  all[5:6],
		"5.7":    all[4:6],
		"5.2":    all[3:6],
		"5.1":    all[2:6],
		"4.5.7":  append([]string{all[0]}, all[2:]...),
		"4.5.3":  all,
		"latest": nil,
	} {
		report := checkForRelease(t, releaseTree, release)
		var got []string
		for _, d := range report.Diagnostics {
			if d.Rule != "not-in-kustomize" {
				continue
			}
			if d.Severity != analysis.Error {
				t.Errorf("%s: %s is a %s", release, d.Message, d.Severity)
			}
			got = append(got, fmt.Sprintf("%d %s", lineOf(releaseTree[d.File], d.Span.Start), d.Message))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", release, diff)
		}
		if fails := report.Roots[0].Verdict == analysis.Fails; fails != (len(want) > 0) || report.Roots[0].Beyond != fails {
			t.Errorf("%s: verdict %s", release, report.Roots[0].Verdict)
		}
	}
}

// What only kls has is a warning until somebody says which kustomize is used.
func TestOnlyKlsHasIt(t *testing.T) {
	files := map[string][]byte{"/t/kustomization.yaml": []byte("configMapGenerator:\n- name: a\n  literals: [{b: c}]\n")}
	for release, want := range map[string]analysis.Severity{"": analysis.Warning, "5.8": analysis.Error} {
		report := checkForRelease(t, files, release)
		if len(report.Diagnostics) != 1 || report.Diagnostics[0].Severity != want || (report.Roots[0].Verdict == analysis.Fails) != (release != "") {
			t.Errorf("%q: %+v", release, report)
		}
	}
}

func checkForRelease(t *testing.T, files map[string][]byte, release string) *analysis.Report {
	t.Helper()
	if release != "" {
		files = maps.Clone(files)
		files["/t/.kls.yaml"] = []byte("kustomize: \"" + release + "\"\n")
	}
	snapshot := vfs.NewSnapshot(vfs.Memory(files))
	report, err := analysis.Check(context.Background(), builder.NewSession(snapshot), []analysis.Target{{Dir: "/t"}},
		analysis.Options{Rules: rules.All(), Config: config.New(snapshot)})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func lineOf(content []byte, offset int) int {
	line := 1
	for _, c := range content[:offset] {
		if c == '\n' {
			line++
		}
	}
	return line
}
