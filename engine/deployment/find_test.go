package deployment

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"golang.org/x/tools/txtar"
)

// find finds what is deployed from a tree that is written as txtar.
func find(t *testing.T, tree string, settings Settings) (*Set, *builder.Session) {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(tree)).Files {
		files[filepath.Join("/repo", f.Name)] = f.Data
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files)))
	set, err := Find(context.Background(), session, "/repo", settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set, session
}

// one returns the only deployment of that ID.
func one(t *testing.T, set *Set, id string) *Deployment {
	t.Helper()
	found := set.Find(id)
	if len(found) != 1 {
		t.Fatalf("%d deployments are named %s, of %v", len(found), id, ids(set))
	}
	return found[0]
}

func ids(set *Set) []string {
	var list []string
	for _, d := range set.Deployments {
		list = append(list, d.ID.String())
	}
	return list
}

func printed(t *testing.T, set *Set, id string) string {
	t.Helper()
	d := one(t, set, id)
	if d.Verdict == Fails || d.Verdict == Unknown {
		t.Fatalf("%s: %s: %s", id, d.Verdict, d.Reason)
	}
	text, err := set.YAML(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The layout that flux bootstrap makes: the Kustomization flux-system deploys the folder
// that it stands in, which has no kustomization file.
const bootstrapped = `
-- clusters/prod/flux-system/kustomization.yaml --
resources:
- sync.yaml
-- clusters/prod/flux-system/sync.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: flux-system
  namespace: flux-system
spec:
  path: ./clusters/prod
  sourceRef:
    kind: GitRepository
    name: flux-system
-- clusters/prod/apps.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: apps
  namespace: flux-system
spec:
  path: ./apps
  targetNamespace: shop
  sourceRef:
    kind: GitRepository
    name: flux-system
  postBuild:
    substitute:
      PORT: "80"
-- apps/kustomization.yaml --
resources:
- service.yaml
-- apps/service.yaml --
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - port: ${PORT}
    name: http-${PORT}
`

func TestSelfRenderingKustomizationIsTheFirst(t *testing.T) {
	set, session := find(t, bootstrapped, Settings{})
	if got, want := strings.Join(ids(set), " "), "Kustomization/flux-system/apps Kustomization/flux-system/flux-system"; got != want {
		t.Fatalf("found %s, want %s", got, want)
	}
	apps, system := one(t, set, "Kustomization/flux-system/apps"), one(t, set, "Kustomization/flux-system/flux-system")
	if apps.Parent != system || system.Parent != nil {
		t.Errorf("the parent of apps is %v, that of flux-system %v", apps.Parent, system.Parent)
	}
	if path, line := apps.PathOf(session); path != "/repo/clusters/prod/apps.yaml" || line != 4 {
		t.Errorf("apps stands at %s:%d", path, line)
	}
	want := `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  ports:
  - name: http-80
    port: 80
`
	if got := printed(t, set, "Kustomization/flux-system/apps"); got != want {
		t.Errorf("got\n%s", got)
	}
}

// A parent changes its children: they are what it renders, not what stands in the file.
func TestParentPatchesChild(t *testing.T) {
	set, _ := find(t, `
-- cluster.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
  - target: {kind: Kustomization}
    patch: |
      - op: replace
        path: /spec/path
        value: ./real
-- apps/app.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  path: ./wrong
  sourceRef: {kind: GitRepository, name: flux-system}
-- real/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`, Settings{})
	app := one(t, set, "Kustomization/flux-system/app")
	if app.Verdict != Exact || app.Dir != "/repo/real" || len(app.Outputs) != 1 {
		t.Errorf("%s in %s: %s", app.Verdict, app.Dir, app.Reason)
	}
}

// What is a patch, or the template of a chart, is deployed by nobody.
func TestPatchesAndTemplatesAreNotDeployments(t *testing.T) {
	set, _ := find(t, bootstrapped+`
-- overlays/kustomization.yaml --
resources: [../apps]
patches:
- path: patch.yaml
-- overlays/patch.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: patched}
spec:
  sourceRef: {kind: GitRepository, name: other}
-- chart/Chart.yaml --
name: chart
-- chart/templates/ks.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: templated}
spec:
  sourceRef: {kind: GitRepository, name: other}
`, Settings{})
	if len(set.Deployments) != 2 {
		t.Errorf("found %v", ids(set))
	}
}

func TestVariablesOfObjectsInGit(t *testing.T) {
	set, _ := find(t, bootstrapped+`
-- clusters/prod/settings.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: flux-system}
data:
  COLOR: |
    red
-- clusters/prod/more.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: more, namespace: flux-system}
spec:
  path: ./more
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substituteFrom:
    - {kind: ConfigMap, name: settings}
    - {kind: Secret, name: secrets}
-- more/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  color: ${COLOR}
  password: ${PASSWORD:=none}
`, Settings{})
	more := one(t, set, "Kustomization/flux-system/more")
	if more.Verdict != Partial || more.Reason != "${PASSWORD} comes from Secret/flux-system/secrets, which is not in git" {
		t.Errorf("%s: %s", more.Verdict, more.Reason)
	}
	if got := printed(t, set, "Kustomization/flux-system/more"); !strings.Contains(got, "color: red\n  password: ${PASSWORD:=none}\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestMissingVariable(t *testing.T) {
	set, session := find(t, strings.Replace(bootstrapped, "PORT: ", "PROT: ", 1), Settings{})
	apps := one(t, set, "Kustomization/flux-system/apps")
	if apps.Verdict != Fails || len(apps.Problems) != 2 {
		t.Fatalf("%s with %v", apps.Verdict, apps.Problems)
	}
	p := apps.Problems[0]
	_, path, _ := session.NodeSpan(p.Node)
	if p.Code != MissingVariable || path != "/repo/apps/service.yaml" || p.Node.Value[p.Part.Start:p.Part.End] != "${PORT}" {
		t.Errorf("%s at %s: %s", p.Code, path, p.Message)
	}
	lenient, _ := find(t, strings.Replace(bootstrapped, "PORT: ", "PROT: ", 1), Settings{Lenient: true})
	if got := printed(t, lenient, "Kustomization/flux-system/apps"); !strings.Contains(got, "- name: http-\n    port: null\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestSourcesOfOtherRepositories(t *testing.T) {
	tree := bootstrapped + `
-- .git/config --
[remote "origin"]
	url = git@github.com:acme/fleet.git
-- clusters/prod/flux-system/source.yaml --
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec:
  url: %s
`
	same, _ := find(t, strings.Replace(tree, "%s", "ssh://git@GitHub.com/acme/fleet", 1), Settings{})
	if d := one(t, same, "Kustomization/flux-system/apps"); d.Verdict != Exact || len(d.Assumptions) > 0 {
		t.Errorf("%s: %s, assuming %v", d.Verdict, d.Reason, d.Assumptions)
	}
	other, _ := find(t, strings.Replace(tree, "%s", "https://github.com/acme/other", 1), Settings{})
	if d := one(t, other, "Kustomization/flux-system/flux-system"); d.Verdict != Unknown {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
}

// Flux reads the variables for each resource that it substitutes in: it refuses none of
// them where there is no such resource.
func TestMalformedVariablesOfWhatIsLeftAlone(t *testing.T) {
	object := `
-- ks.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: app, namespace: flux-system}
spec:
  path: ./app
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute:
      NAME: VALUE
-- app/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  annotations: {kustomize.toolkit.fluxcd.io/substitute: enabled}
data: {a: "${X:=y}"}
`
	for _, variable := range []string{"a-b: text", "NUMBER: 5"} {
		tree := strings.Replace(object, "NAME: VALUE", variable, 1)
		set, _ := find(t, tree, Settings{})
		if d := one(t, set, "Kustomization/flux-system/app"); d.Verdict != Fails {
			t.Errorf("%s: %s, where a resource is substituted", variable, d.Verdict)
		}
		set, _ = find(t, strings.Replace(tree, "substitute: enabled", "substitute: disabled", 1), Settings{})
		d := one(t, set, "Kustomization/flux-system/app")
		if d.Verdict != Exact || len(d.Outputs) != 1 || len(d.Problems) != 1 || d.Problems[0].Fatal {
			t.Errorf("%s: %s with %d outputs and %v", variable, d.Verdict, len(d.Outputs), d.Problems)
		}
	}
}

// An object in a folder that is deployed, and that its kustomization does not list, is
// deployed by nobody; one that somebody applied by hand has a namespace.
func TestObjectThatIsNotListed(t *testing.T) {
	tree := `
-- cluster.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}}
-- apps/kustomization.yaml --
resources: [a.yaml]
namespace: apps
-- apps/a.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a}
spec: {path: ./a, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}
-- apps/b.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: b}
spec: {path: ./a, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}
-- a/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`
	set, _ := find(t, tree, Settings{})
	if got, want := strings.Join(ids(set), " "), "Kustomization/apps/a Kustomization/flux-system/cluster"; got != want || len(set.LeftOut) != 1 {
		t.Errorf("found %s, and %v left out", got, set.LeftOut)
	}
	set, _ = find(t, strings.Replace(tree, "{name: b}", "{name: b, namespace: other}", 1), Settings{})
	if len(set.Deployments) != 3 || len(set.LeftOut) != 0 {
		t.Errorf("found %v", ids(set))
	}
	set, _ = find(t, strings.Replace(tree, "{name: cluster, namespace: flux-system}", "{name: cluster}", 1), Settings{})
	if len(set.Deployments) != 2 {
		t.Errorf("found %v, where the first has no namespace", ids(set))
	}
}
