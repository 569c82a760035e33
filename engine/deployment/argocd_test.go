package deployment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/applicationset"
	"github.com/kustomize-lsp/kls/engine/builder"
)

// shop is a checkout whose Applications are made by a set in a base, which an overlay patches.
const shop = `
-- .git/config --
[remote "origin"]
	url = https://example.com/shop.git
-- argocd/root.yaml --
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: root, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://example.com/shop, path: argocd/prod}
  destination: {server: https://kubernetes.default.svc, namespace: argocd}
-- argocd/prod/kustomization.yaml --
resources: [../base]
patches:
- target: {kind: ApplicationSet}
  patch: |
    - op: replace
      path: /spec/template/spec/destination/namespace
      value: prod
-- argocd/base/kustomization.yaml --
resources: [set.yaml]
-- argocd/base/set.yaml --
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps}
spec:
  generators:
  - git:
      repoURL: https://example.com/shop.git
      directories: [{path: apps/*}]
  template:
    metadata: {name: '{{path.basename}}'}
    spec:
      project: default
      source:
        repoURL: https://example.com/shop.git
        path: '{{path}}'
        kustomize:
          namePrefix: my-
          images: ['nginx:1.27']
          commonLabels: {team: shop}
      destination: {server: https://kubernetes.default.svc, namespace: none}
-- apps/web/kustomization.yaml --
resources: [deployment.yaml]
images: [{name: nginx, newName: mirror/nginx}]
-- apps/web/deployment.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'nginx:1'}]}
-- apps/plain/b.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: plain}
---
apiVersion: v1
kind: Namespace
metadata: {name: prod, namespace: wrong}
-- apps/plain/nested/c.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: nested}
-- apps/plain/values.yaml --
replicas: 3
`

func TestApplicationsOfAPatchedSet(t *testing.T) {
	set, session := find(t, shop, Settings{})
	if got, want := strings.Join(ids(set), " "), "Application/argocd/plain Application/argocd/root Application/argocd/web"; got != want {
		t.Fatalf("found %s, want %s", got, want)
	}
	web := one(t, set, "Application/argocd/web")
	if web.Parent != one(t, set, "Application/argocd/root") {
		t.Errorf("the parent is %v", web.Parent)
	}
	if path, line := web.PathOf(session); path != "/repo/argocd/base/set.yaml" || line != 10 {
		t.Errorf("it stands at %s:%d", path, line)
	}
	// The entry for nginx is replaced whole, so that the new name is gone.
	want := `apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    team: shop
  name: my-web
  namespace: prod
spec:
  selector:
    matchLabels:
      app: web
      team: shop
  template:
    metadata:
      labels:
        app: web
        team: shop
    spec:
      containers:
      - image: nginx:1.27
        name: web
`
	if got := printed(t, set, "Application/argocd/web"); got != want {
		t.Errorf("got\n%s", got)
	}
	// The kustomize options make it a source of kind kustomize, which needs a kustomization file.
	if d := one(t, set, "Application/argocd/plain"); d.Verdict != Fails {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
}

func TestDirectorySource(t *testing.T) {
	set, _ := find(t, strings.Replace(shop, "        kustomize:\n          namePrefix: my-\n          images: ['nginx:1.27']\n          commonLabels: {team: shop}\n", "", 1), Settings{})
	want := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\n  namespace: prod\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: prod\n  namespace: wrong\n"
	if got := printed(t, set, "Application/argocd/plain"); got != want {
		t.Errorf("got\n%s", got)
	}
}

const application = `
-- app.yaml --
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec:
  source:
    repoURL: https://example.com/shop
    path: web
    kustomize: OPTIONS
  destination: {namespace: shop}
-- web/kustomization.yaml --
resources: [cm.yaml]
commonLabels: {team: web}
labels: [{pairs: {tier: front}}]
-- web/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
-- parts/one/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
nameSuffix: -one
`

// What kustomize edit refuses, and why; the sentences of the tool are not repeated.
func TestOptionsThatArgoCDRefuses(t *testing.T) {
	for options, want := range map[string]string{
		`{commonLabels: {team: x}}`:                                                          "the kustomization file has the label team already, so Argo CD refuses to add it",
		`{commonLabels: {tier: x}, labelWithoutSelector: true}`:                              "the kustomization file has the label tier already, so Argo CD refuses to add it",
		`{commonLabels: {x: x}, labelIncludeTemplates: true}`:                                "labelIncludeTemplates needs labelWithoutSelector",
		`{images: [nginx]}`:                                                                  `"nginx" is not an image that kustomize edit set image takes`,
		`{replicas: [{name: web, count: many}]}`:                                             `the count of replicas "web" is not a number`,
		`{components: [../parts/two]}`:                                                       "the component ../parts/two does not exist",
		`{commonLabels: {team: x}, forceCommonLabels: true}`:                                 "",
		`{commonLabels: {tier: x}, labelWithoutSelector: true, labelIncludeTemplates: true}`: "",
		`{components: [../parts/two], ignoreMissingComponents: true}`:                        "",
	} {
		set, _ := find(t, strings.Replace(application, "OPTIONS", options, 1), Settings{Repositories: []string{"https://example.com/shop"}})
		d := one(t, set, "Application/argocd/app")
		if got := d.Reason; got != want || (d.Verdict == Fails) != (want != "") {
			t.Errorf("%s: %s: %s, want %s", options, d.Verdict, got, want)
		}
	}
}

func TestOptionsOfAnApplication(t *testing.T) {
	set, _ := find(t, strings.Replace(application, "OPTIONS", `
      commonAnnotations: {app: $ARGOCD_APP_NAME}
      commonAnnotationsEnvsubst: true
      components: [../parts/one]
      namespace: own
      patches:
      - {target: {kind: ConfigMap}, patch: '[{"op": "replace", "path": "/kind", "value": "Secret"}]', options: {allowKindChange: true}}`, 1),
		Settings{Repositories: []string{"https://example.com/shop"}})
	want := "apiVersion: v1\nkind: Secret\nmetadata:\n  annotations:\n    app: app\n  labels:\n    team: web\n    tier: front\n  name: a-one\n  namespace: own\n"
	if got := printed(t, set, "Application/argocd/app"); got != want {
		t.Errorf("got\n%s", got)
	}
}

// An entry takes the place of the one of its name, and a count may be text.
func TestReplicas(t *testing.T) {
	tree := strings.Replace(application, "OPTIONS", `{replicas: [{name: b, count: "3"}]}`, 1)
	tree = strings.Replace(tree, "commonLabels: {team: web}\nlabels: [{pairs: {tier: front}}]\n", "replicas: [{name: b, count: 2}]\n", 1)
	tree = strings.Replace(tree, "kind: ConfigMap\nmetadata: {name: a}", "kind: ReplicationController\nmetadata: {name: b}", 1)
	set, _ := find(t, tree, Settings{Repositories: []string{"https://example.com/shop"}})
	if got := printed(t, set, "Application/argocd/app"); !strings.Contains(got, "replicas: 3\n") {
		t.Errorf("got\n%s", got)
	}
}

// include and exclude are globs of the path below the folder, in which a star goes over slashes.
func TestDirectoryGlobs(t *testing.T) {
	for directory, want := range map[string]string{
		"{recurse: true}":                                     "a b c",
		"{recurse: true, include: '*.yaml'}":                  "a b c",
		"{recurse: true, include: '{a,nested/b}.yaml'}":       "a b",
		"{recurse: true, exclude: 'nested/*'}":                "a",
		"{recurse: true, include: '*/[ab].yaml'}":             "b",
		"{recurse: true, include: '?.yaml', exclude: a.yaml}": "",
		"{include: '*'}":                                      "a",
	} {
		set, _ := find(t, `
-- app.yaml --
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec: {source: {repoURL: https://example.com/shop, path: plain, directory: `+directory+`}}
-- plain/a.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
-- plain/nested/b.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
-- plain/nested/deep/c.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
`, Settings{Repositories: []string{"https://example.com/shop"}})
		var names []string
		for _, out := range one(t, set, "Application/argocd/app").Outputs {
			names = append(names, out.ID().Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", directory, got, want)
		}
	}
}

// The revision is known only to Argo CD, so what has it is not known completely.
func TestRevisionIsNotKnown(t *testing.T) {
	set, _ := find(t, strings.Replace(application, "OPTIONS", "{commonLabels: {revision: $ARGOCD_APP_REVISION}}", 1), Settings{Repositories: []string{"https://example.com/shop"}})
	d := one(t, set, "Application/argocd/app")
	if d.Verdict != Partial || d.Reason != "${ARGOCD_APP_REVISION} is known only to Argo CD" {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
}

func TestOverridesOfTheSource(t *testing.T) {
	tree := strings.Replace(application, "OPTIONS", "{namePrefix: x-, nameSuffix: -y}", 1)
	set, _ := find(t, tree+`
-- web/.argocd-source.yaml --
path: elsewhere
kustomize: {namePrefix: both-}
-- web/.argocd-source-app.yaml --
kustomize: {nameSuffix: null}
-- web/.argocd-source-other.yaml --
kustomize: {namePrefix: other-}
`, Settings{Repositories: []string{"https://example.com/shop"}})
	if got := printed(t, set, "Application/argocd/app"); !strings.Contains(got, "name: both-a\n") {
		t.Errorf("got\n%s", got)
	}
}

// Several sources are one after the other; of an object that two of them have the last counts.
func TestSeveralSources(t *testing.T) {
	set, _ := find(t, `
-- app.yaml --
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec:
  sources:
  - {repoURL: https://example.com/shop, path: one}
  - {repoURL: https://example.com/shop, path: two}
  - {repoURL: https://example.com/shop, ref: values}
  - {repoURL: https://charts.example.com, chart: redis}
  destination: {namespace: shop}
-- one/a.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {from: one}}
-- two/kustomization.yaml --
configMapGenerator: [{name: a, literals: [from=two], options: {disableNameSuffixHash: true}}]
`, Settings{Repositories: []string{"https://example.com/shop"}})
	d := one(t, set, "Application/argocd/app")
	if d.Verdict != Partial || d.Reason != "the chart redis of https://charts.example.com is not in this repository" {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
	if got := printed(t, set, "Application/argocd/app"); got != "apiVersion: v1\ndata:\n  from: two\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: shop\n" {
		t.Errorf("got\n%s", got)
	}
}

// The scope of a kind is what a CustomResourceDefinition says that some Application deploys.
func TestNamespaceGoesByTheDefinition(t *testing.T) {
	set, _ := find(t, `
-- app.yaml --
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec: {source: {repoURL: https://example.com/shop, path: one}, destination: {namespace: shop}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: crds}
spec: {source: {repoURL: https://example.com/shop, path: two}, destination: {namespace: shop}}
-- one/a.yaml --
{apiVersion: example.com/v1, kind: Zone, metadata: {name: a}}
---
{apiVersion: example.com/v1, kind: Area, metadata: {name: a}}
-- two/crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zones.example.com}
spec: {group: example.com, scope: Cluster, names: {kind: Zone}}
`, Settings{Repositories: []string{"https://example.com/shop"}})
	want := "apiVersion: example.com/v1\nkind: Zone\nmetadata:\n  name: a\n---\napiVersion: example.com/v1\nkind: Area\nmetadata:\n  name: a\n  namespace: shop\n"
	if got := printed(t, set, "Application/argocd/app"); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestBuildOptionsOfArgoCD(t *testing.T) {
	tree := strings.Replace(application, "OPTIONS", "{patches: [{path: ../patch.yaml}]}", 1) + `
-- patch.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}
`
	settings := Settings{Repositories: []string{"https://example.com/shop"}}
	set, _ := find(t, tree, settings)
	if d := one(t, set, "Application/argocd/app"); d.Verdict != Fails {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
	set, _ = find(t, tree+`
-- argocd/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm}
data: {kustomize.buildOptions: --enable-helm --load-restrictor LoadRestrictionsNone}
`, settings)
	if d := one(t, set, "Application/argocd/app"); d.Verdict != Exact {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
}

func TestClustersOfTheSettings(t *testing.T) {
	tree := strings.Replace(shop, `  - git:
      repoURL: https://example.com/shop.git
      directories: [{path: apps/*}]
`, "  - clusters: {selector: {matchLabels: {env: prod}}}\n", 1)
	tree = strings.Replace(strings.Replace(tree, "{{path.basename}}", "web-{{name}}", 1), "'{{path}}'", "apps/web", 1)
	set, _ := find(t, tree, Settings{Clusters: []applicationset.Cluster{{Name: "eu", Server: "https://eu", Labels: map[string]string{"env": "prod"}}, {Name: "test"}}})
	if got, want := strings.Join(ids(set), " "), "Application/argocd/root Application/argocd/web-eu"; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	set, _ = find(t, tree, Settings{})
	d := one(t, set, "Application/argocd/web-{{name}}")
	if d.Element.Condition == "" || !d.Element.Open || d.Verdict != Exact {
		t.Errorf("%s: %s, %q", d.Verdict, d.Reason, d.Element.Condition)
	}
}

// A checkout without remotes: the URL under which paths are here is taken for it.
func TestURLIsAssumed(t *testing.T) {
	set, _ := find(t, strings.Replace(shop, "-- .git/config --", "-- ignored --", 1), Settings{})
	if d := one(t, set, "Application/argocd/web"); d.Verdict != Exact || len(d.Assumptions) != 1 {
		t.Errorf("%s: %s, assuming %v", d.Verdict, d.Reason, d.Assumptions)
	}
}

func findings(set *Set, session *builder.Session) string {
	var b strings.Builder
	for _, f := range set.Findings(session) {
		_, path, span := session.NodeSpan(f.Node)
		line := 0
		if file, _, _ := session.NodeSpan(f.Node); file != 0 {
			line, _ = session.Table().Source(file).Lines().OffsetToLineColumn(span.Start)
		}
		fmt.Fprintf(&b, "%s:%d %s %s\n", strings.TrimPrefix(path, "/repo/"), line, f.Code, f.Message)
	}
	return b.String()
}

// A set is rendered by two overlays, whose folders are named by the environment. What is missing in one of them exists
// in the other; what no overlay has is missing; a folder of clusters that nobody has named is not judged.
func TestPathIsMissingOnlyWhereEveryOverlayMissesIt(t *testing.T) {
	tree := `
-- base/kustomization.yaml --
resources: [set.yaml]
-- base/set.yaml --
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps}
spec:
  generators:
  - merge:
      mergeKeys: [nameNormalized]
      generators:
      - clusters: {values: {environment: staging, dir: none}}
      - list:
          elements:
          - {nameNormalized: one, values.dir: one}
          - {nameNormalized: two, values.dir: two}
          - {nameNormalized: gone, values.dir: gone}
  template:
    metadata: {name: 'app-{{nameNormalized}}'}
    spec:
      source: {repoURL: https://example.com/shop, path: 'apps/{{values.environment}}/{{values.dir}}'}
      destination: {server: '{{server}}', namespace: shop}
-- staging/kustomization.yaml --
resources: [../base]
-- production/kustomization.yaml --
resources: [../base]
patches:
- target: {kind: ApplicationSet}
  patch: '[{"op": "replace", "path": "/spec/generators/0/merge/generators/0/clusters/values/environment", "value": "production"}]'
-- apps/staging/one/a.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
-- apps/production/two/a.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
`
	set, session := find(t, tree, Settings{Repositories: []string{"https://example.com/shop"}})
	if len(set.Deployments) != 8 {
		t.Fatalf("found %v", ids(set))
	}
	if got, want := findings(set, session), "base/set.yaml:18 deployment-missing-path the folder apps/production/gone does not exist\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestFindingsOfApplications(t *testing.T) {
	for _, test := range []struct{ name, tree, want string }{
		{"an image that matches nothing", strings.Replace(application, "OPTIONS", "{images: ['redis:7']}", 1),
			`app.yaml:8 image-no-match no image is named "redis"` + "\n"},
		{"a label that is there", strings.Replace(application, "OPTIONS", "{commonLabels: {team: x}}", 1),
			"app.yaml:8 deployment-label-conflict the kustomization file has the label team already, so Argo CD refuses to add it\n"},
		{"a set that cannot be expanded", shop + `
-- more.yaml --
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: more}
spec:
  generators:
  - matrix: {generators: [{list: {elements: []}}]}
  template: {}
`, "more.yaml:6 deployment-malformed-set a matrix has two generators, not 1; Argo CD makes no Application of the set\n"},
	} {
		set, session := find(t, test.tree, Settings{Repositories: []string{"https://example.com/shop"}, Analyze: true})
		if got := findings(set, session); !strings.Contains(got, test.want) {
			t.Errorf("%s: got\n%s", test.name, got)
		}
	}
}
