package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"golang.org/x/tools/txtar"
)

// snapshotOf is a tree in memory, given as a txtar archive.
func snapshotOf(archive string) *vfs.Snapshot {
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files["/"+f.Name] = f.Data
	}
	return vfs.NewSnapshot(vfs.Memory(files))
}

func check(t *testing.T, archive string) *analysis.Report {
	t.Helper()
	files := snapshotOf(archive)
	targets, err := analysis.Discover(t.Context(), files, "/")
	if err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Check(t.Context(), builder.NewSession(files), targets, analysis.Options{Rules: rules.All()})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// summary writes a report as lines: roots first, then diagnostics.
func summary(report *analysis.Report) string {
	var b strings.Builder
	for _, r := range report.Roots {
		fmt.Fprintln(&b, r.Dir, r.Verdict)
	}
	for _, d := range report.Diagnostics {
		fmt.Fprintln(&b, d.File, d.Severity, d.Rule, strings.Join(d.Roots, ","))
	}
	return b.String()
}

func expect(t *testing.T, archive, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), summary(check(t, archive))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const service = `apiVersion: v1
kind: Service
metadata:
  name: web
`

// A mistake in a base is one diagnostic, at the base's own line, with all roots
// that it breaks.
func TestMistakeOfBaseIsReportedOnce(t *testing.T) {
	expect(t, `
-- base/kustomization.yaml --
resources: [missing.yaml]
-- one/kustomization.yaml --
resources: [../base]
-- two/kustomization.yaml --
resources: [../one]
`, `
/base fails
/one fails
/two fails
/base/kustomization.yaml error missing-path /base,/one,/two
`)
}

const component = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- patch: |-
    apiVersion: v1
    kind: Service
    metadata:
      name: web
    spec:
      type: NodePort
`

// A component that nothing includes is no root, and what an including build may
// have is not missing from it.
func TestComponentAlone(t *testing.T) {
	expect(t, `
-- component/kustomization.yaml --
`+component+`replicas:
- name: web
  count: 2
images:
- name: web
  newTag: "1"
configMapGenerator:
- name: settings
  behavior: merge
  literals: [a=b]
`, `
/component component
`)
}

// What is wrong with a component whoever includes it, is reported.
func TestComponentAloneWithMistake(t *testing.T) {
	expect(t, `
-- component/kustomization.yaml --
`+component+`resources: [missing.yaml]
`, `
/component component
/component/kustomization.yaml error missing-path 
`)
}

// In the roots that include it, a component is checked for what they have.
func TestComponentIncluded(t *testing.T) {
	expect(t, `
-- component/kustomization.yaml --
`+component+`
-- with/kustomization.yaml --
resources: [web.yaml]
components: [../component]
-- with/web.yaml --
`+service+`
-- without/kustomization.yaml --
components: [../component]
`, `
/component component
/with builds
/without fails
/component/kustomization.yaml error patch-no-match /without
`)
}

// What a missing file could have held is not reported as missing.
// One check tells of every mistake: of a key that stands twice kustomize tells only
// where nothing else is wrong.
func TestDuplicateKeyBesideAnotherMistake(t *testing.T) {
	expect(t, `
-- kustomization.yaml --
resources: [web.yaml]
patches: [{path: patch.yaml}]
-- web.yaml --
`+service+`kind: Service
-- patch.yaml --
apiVersion: v1
kind: Service
metadata:
  name: api
`, `
/ fails
/patch.yaml error patch-no-match /
/web.yaml error duplicate-key /
`)
}

// What has no effect in one root and has some in another is what a component is for;
// what has none anywhere is a mistake.
func TestComponentForSomeRoots(t *testing.T) {
	expect(t, `
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images:
- name: web
  newTag: "1"
- name: wbe
  newTag: "1"
patches:
- target: {kind: Pod, name: web}
  patch: '[{"op": "add", "path": "/spec/hostname", "value": "web"}]'
- target: {kind: Pod, name: wbe}
  patch: '[{"op": "add", "path": "/spec/hostname", "value": "web"}]'
-- with/kustomization.yaml --
resources: [pod.yaml]
components: [../component]
-- with/pod.yaml --
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web}]}
-- without/kustomization.yaml --
resources: [web.yaml]
components: [../component]
-- without/web.yaml --
`+service+`
`, `
/component component
/with builds
/without builds
/component/kustomization.yaml warning image-no-match /with,/without
/component/kustomization.yaml warning patch-no-target /with,/without
`)
}

// A label that resources take on themselves is what a component selects; that none
// here has it is no mistake, but may be worth knowing.
func TestComponentForLabelled(t *testing.T) {
	expect(t, `
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- target: {kind: Pod, labelSelector: hardened=true}
  patch: '[{"op": "add", "path": "/spec/hostname", "value": "web"}]'
-- root/kustomization.yaml --
resources: [web.yaml]
components: [../component]
patches:
- target: {kind: Pod, labelSelector: hardened=true}
  patch: '[{"op": "add", "path": "/spec/hostname", "value": "web"}]'
-- root/web.yaml --
`+service+`
`, `
/component component
/root builds
/component/kustomization.yaml info patch-no-target /root
/root/kustomization.yaml warning patch-no-target /root
`)
}

func TestConsequencesAreNotReported(t *testing.T) {
	expect(t, `
-- kustomization.yaml --
resources: [something-else-entirely.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: Service
    metadata:
      name: web
replicas:
- name: web
  count: 2
replacements:
- source: {kind: Service, name: web}
  targets:
  - select: {kind: Deployment}
`, `
/ fails
/kustomization.yaml error missing-path /
`)
}

// What is switched off makes a root unknown; what no such thing could mend fails.
func TestUnknown(t *testing.T) {
	expect(t, `
-- certain/kustomization.yaml --
resources: [https://example.com/all.yaml, missing.yaml]
-- remote/kustomization.yaml --
resources: [https://example.com/all.yaml]
patches:
- path: patch.yaml
-- remote/patch.yaml --
`+service, `
/certain fails
/remote unknown
/certain/kustomization.yaml info remote-not-loaded /certain
/certain/kustomization.yaml error missing-path /certain
/remote/kustomization.yaml info remote-not-loaded /remote
`)
}

func TestDiscover(t *testing.T) {
	files := snapshotOf(`
-- a/kustomization.yaml --
-- b/kustomization.yml --
-- c/Kustomization --
-- d/kustomization.json --
-- flux/kustomization.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
-- component/kustomization.yaml --
kind: Component
-- .argocd/kustomization.yaml --
-- .git/kustomization.yaml --
-- node_modules/package/kustomization.yaml --
-- broken/kustomization.yaml --
kind: Component
resources: [
`)
	targets, err := analysis.Discover(t.Context(), files, "/")
	if err != nil {
		t.Fatal(err)
	}
	want := []analysis.Target{{Dir: "/.argocd"}, {Dir: "/a"}, {Dir: "/b"}, {Dir: "/broken", Component: true}, {Dir: "/c"},
		{Dir: "/component", Component: true}}
	if diff := cmp.Diff(want, targets); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if inside, err := analysis.Discover(t.Context(), files, "/node_modules/package"); err != nil || len(inside) != 1 {
		t.Errorf("the path itself is looked into, wherever it leads: %v, %v", inside, err)
	}
	if _, err := analysis.Discover(t.Context(), files, "/missing"); err == nil {
		t.Error("a path that leads nowhere is an error")
	}
}

// A rule that breaks down is the error of one root, and told to the log.
func TestPanicIsOneRootsError(t *testing.T) {
	files := snapshotOf("-- a/kustomization.yaml --\nnamePrefix: boom\n-- b/kustomization.yaml --\nresources: []\n")
	boom := &analysis.Rule{Name: "boom", Check: func(p *analysis.Pass) {
		if p.Result.Root.Kustomization.NamePrefix.Value == "boom" {
			panic("boom")
		}
	}}
	var log strings.Builder
	report, err := analysis.Check(t.Context(), builder.NewSession(files), []analysis.Target{{Dir: "/a"}, {Dir: "/b"}},
		analysis.Options{Rules: []*analysis.Rule{boom}, Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := summary(report), "/a fails\n/b builds\n/a/kustomization.yaml error internal-error /a\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	if !strings.Contains(log.String(), "check_test.go") {
		t.Errorf("the log has no stack: %s", log.String())
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := snapshotOf("-- a/kustomization.yaml --\nresources: []\n")
	_, err := analysis.Check(ctx, builder.NewSession(files), []analysis.Target{{Dir: "/a"}}, analysis.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A fix writes its value so that it is read as that value, in the style of the
// scalar that it replaces.
func TestFixKeepsStyle(t *testing.T) {
	for name, tt := range map[string]struct{ written, base, want string }{
		"plain":         {"wbe", "web", "web"},
		"double quotes": {`"wbe"`, "web", `"web"`},
		"single quotes": {`'wbe'`, "web", `'web'`},
		"needs quotes":  {"l00", `"100"`, `"100"`},
		"with a colon":  {"web-x", `"web: x"`, `"web: x"`}, // no name for a cluster, which is told, too
	} {
		t.Run(name, func(t *testing.T) {
			content := "resources: [web.yaml]\nreplicas:\n- {name: " + tt.written + ", count: 1}\n"
			report := check(t, "-- kustomization.yaml --\n"+content+"-- web.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: "+tt.base+"\n")
			report.Diagnostics = slices.DeleteFunc(report.Diagnostics, func(d analysis.Diagnostic) bool { return d.Rule == "invalid-name" })
			if len(report.Diagnostics) != 1 || len(report.Diagnostics[0].Fixes) != 1 {
				t.Fatalf("got %v", report.Diagnostics)
			}
			changed, err := analysis.Apply(report.Diagnostics[0].Fixes[0].Edits, func(string) ([]byte, error) { return []byte(content), nil })
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(content, tt.written, tt.want, 1); string(changed["/kustomization.yaml"]) != want {
				t.Errorf("got %s want %s", changed["/kustomization.yaml"], want)
			}
		})
	}
}

// A mistake in one place that concerns many resources is one diagnostic.
func TestMistakeInManyResourcesIsReportedOnce(t *testing.T) {
	report := check(t, `
-- kustomization.yaml --
resources: [web.yaml]
replacements:
- source: {kind: Service, name: web}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.none]
-- web.yaml --
`+service+"---\n"+strings.Replace(service, "web", "api", 1)+"---\n"+strings.Replace(service, "web", "job", 1))
	if len(report.Diagnostics) != 1 {
		t.Fatalf("got %v", report.Diagnostics)
	}
	d := report.Diagnostics[0]
	if !strings.Contains(d.Message, "Service/web") || len(d.Also) != 2 || !strings.Contains(d.Also[1], "Service/job") {
		t.Errorf("got %q, also %q", d.Message, d.Also)
	}
}

func TestMergeIsCheckOfAll(t *testing.T) {
	files := snapshotOf(`
-- base/kustomization.yaml --
resources: [missing.yaml]
-- one/kustomization.yaml --
resources: [../base]
-- two/kustomization.yaml --
resources: [../base]
images: [{name: x}]
`)
	targets := []analysis.Target{{Dir: "/base"}, {Dir: "/one"}, {Dir: "/two"}}
	session := builder.NewSession(files)
	options := analysis.Options{Rules: rules.All()}
	want, err := analysis.Check(t.Context(), session, targets, options)
	if err != nil {
		t.Fatal(err)
	}
	var single []*analysis.Report
	for _, target := range targets {
		report, err := analysis.Check(t.Context(), session, []analysis.Target{target}, options)
		if err != nil {
			t.Fatal(err)
		}
		single = append(single, report)
	}
	if diff := cmp.Diff(want, analysis.Merge(single...)); diff != "" {
		t.Errorf("-check +merge:\n%s", diff)
	}
}

// kls does not expand aliases beyond all bounds, and says so. What kustomize would make of
// them is not known, for it does not end: the verdict is unknown.
func TestAliasBombIsUnknown(t *testing.T) {
	bomb := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\na0: &a0 [x]\n"
	for i := 1; i < 12; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	expect(t, "-- kustomization.yaml --\nresources: [bomb.yaml]\n-- bomb.yaml --\n"+bomb, `
/ unknown
/bomb.yaml error build-limit /
`)
}
