package external_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"sigs.k8s.io/kustomize/api/krusty"
)

// standIn is a program in helm's place that prints what it is told: the arguments
// without the names of temporary folders, the environment, and the values files.
const standIn = `-- helm --
#!/bin/sh
case "$1" in
version) echo "${STANDIN_VERSION:-v3.18.6+gb76a950}"; exit ;;
pull)
  echo "$@" | sed -e "s|$BASE|BASE|g" >>"$BASE/pulls"
  for a in "$@"; do
    case "$before" in
    --untardir) dir="$a" ;;
    --version | --repo) ;;
    *) case "$a" in --*) ;; *) name="$(basename "$a")" ;; esac ;;
    esac
    before="$a"
  done
  mkdir -p "$dir/$name" && echo "pulled: yes" >"$dir/$name/values.yaml"
  exit ;;
esac
[ -n "$STANDIN_FAIL" ] && { echo "Error: the template is bad" >&2; exit 1; }
release="$2"
cat <<END
apiVersion: v1
kind: ConfigMap
metadata:
  name: told-$release
  namespace: ${STANDIN_NAMESPACE:-of-helm}
data:
  homes: "$(echo "$HELM_CONFIG_HOME $HELM_CACHE_HOME $HELM_DATA_HOME" | sed -e "s|/[^ ]*-helm-[0-9]*|TMP|g")"
  arguments: |
    $(echo "$*" | sed -e "s|/[^ ]*-helm-[0-9]*|TMP|g" -e "s|$BASE|BASE|g")
END
while [ $# -gt 0 ]; do
  if [ "$1" = -f ]; then
    echo "  $(basename "$2").$#: |"
    sed 's/^/    /' "$2"
  fi
  shift
done
cat <<END
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: told-$release
END
`

const charts = `
-- charts/app/Chart.yaml --
apiVersion: v2
name: app
version: 0.1.0
-- charts/app/values.yaml --
# the chart's own
name: own
nested: {a: 1, b: [x, y]}
empty: null
-- charts/app/templates/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-{{ .Values.name }}
  namespace: {{ .Release.Namespace }}
data:
  values: {{ toJson .Values | quote }}
  kubernetes: {{ .Capabilities.KubeVersion.Version | quote }}
  has: {{ .Capabilities.APIVersions.Has "example.com/v1" | quote }}
---
apiVersion: v1
kind: Service
metadata: {name: svc}
-- charts/app/templates/tests/test.yaml --
apiVersion: v1
kind: Pod
metadata: {name: test, annotations: {helm.sh/hook: test}}
-- charts/app/crds/crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
-- more.yaml --
more: here
-- other.yaml --
name: other
nested: {a: 2}
`

// chartTests are built with the stand-in and, where it is there, with helm. Those
// that pull are for the stand-in only.
var chartTests = []struct {
	name, kustomization string
	refused, pulls      bool
}{
	{"the plainest", "helmCharts: [{name: app, releaseName: r}]", false, false},
	{"with everything", `
namespace: of-kustomize
namePrefix: pre-
helmGlobals: {chartHome: charts, configHome: home}
helmCharts:
- name: app
  namespace: of-chart
  valuesFile: other.yaml
  additionalValuesFiles: [more.yaml]
  includeCRDs: true
  skipHooks: true
  skipTests: true
  apiVersions: [example.com/v1]
  kubeVersion: "1.29"
  nameTemplate: "t-{{ 1 }}"
  debug: true
  devel: true
  valuesInline: {inline: [1, 2.50, yes, "no", ~, 1e3, 0x10, 2020-01-01]}
`, false, false},
	{"inline values override", "helmCharts: [{name: app, releaseName: r, valuesInline: {name: in, nested: {a: 3, c: 4}, empty: set}}]", false, false},
	{"inline values merge", "helmCharts: [{name: app, releaseName: r, valuesMerge: merge, valuesInline: {name: in, nested: {a: 3, c: 4}, new: set}}]", false, false},
	{"inline values replace", "helmCharts: [{name: app, releaseName: r, valuesMerge: replace, valuesInline: {name: in, nested: {b: [z]}}}]", false, false},
	{"inline values delete", "helmCharts: [{name: app, releaseName: r, valuesInline: {nested: ~, name: in}}]", false, false},
	{"inline values with aliases", "helmCharts: [{name: app, releaseName: r, valuesInline: {name: in, nested: &n {a: 3}, again: *n, merged: {<<: *n, b: 4}}}]", false, false},
	{"unknown merge", "helmCharts: [{name: app, releaseName: r, valuesMerge: wrong}]", true, false},
	{"the namespace of the kustomization", "{namespace: ns, helmCharts: [{name: app, releaseName: r}]}", false, false},
	{"hashes and references", "{helmCharts: [{name: app, releaseName: r}], nameSuffix: -s, labels: [{pairs: {a: b}, includeSelectors: true}]}", false, false},
	{"origins", "{helmCharts: [{name: app, releaseName: r}], buildMetadata: [originAnnotations, transformerAnnotations], namePrefix: a-}", false, false},
	{"twice", "helmCharts: [{name: app, releaseName: r}, {name: app, releaseName: r}]", true, false},
	{"no name", "helmCharts: [{releaseName: r}]", true, false},
	{"a name like an option", "helmCharts: [{name: --post-renderer=x, releaseName: r}]", true, false},
	{"a release like an option", "helmCharts: [{name: app, releaseName: --post-renderer=x}]", true, false},
	{"no chart", "helmCharts: [{name: none, releaseName: r}]", true, false},
	{"no values file", "helmCharts: [{name: app, releaseName: r, valuesFile: none.yaml}]", true, false},
	{"values from outside", "helmCharts: [{name: app, releaseName: r, valuesFile: ../out.yaml}]", true, false},
	{"more values from outside", "helmCharts: [{name: app, releaseName: r, additionalValuesFiles: [../out.yaml]}]", true, false},
	{"charts outside", "{helmGlobals: {chartHome: ../charts}, helmCharts: [{name: app, releaseName: r}]}", true, false},
	{"a generator in a file", "generators: [gen.yaml]\n-- gen.yaml --\napiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\n" +
		"name: app\nreleaseName: r\nvaluesInline: {name: in}\nchartHome: charts\nnamespace: g", false, false},
	{"the older form", "helmChartInflationGenerator: [{chartName: app, releaseName: r, values: other.yaml, valuesLocal: {name: in}, chartHome: charts}]", false, false},
	{"pulled", "helmCharts: [{name: far, version: 1.2.3, repo: \"https://example.com/charts\", releaseName: r}]", false, true},
	{"pulled without a version", "helmCharts: [{name: far, repo: \"https://example.com/charts\", releaseName: r, devel: true}]", false, true},
	{"pulled from a registry", "helmCharts: [{name: far, version: 1.2.3, repo: \"oci://example.com/charts/\", releaseName: r, valuesInline: {a: b}}]", false, true},
}

func chartTree(t *testing.T, kustomization string) string {
	t.Helper()
	return tree(t, charts+"-- kustomization.yaml --\n"+kustomization+"\n")
}

func TestChartsWithStandIn(t *testing.T) {
	helm := filepath.Join(tree(t, standIn), "helm")
	for _, test := range chartTests {
		t.Run(test.name, func(t *testing.T) {
			got, pulled := withStandIn(t, chartTree(t, test.kustomization), func(dir string) outcome {
				return ours(t, dir, external.Config{Helm: external.Helm{Enabled: true, Command: helm}}, builder.Options{})
			})
			want, theirPulls := withStandIn(t, chartTree(t, test.kustomization), func(dir string) outcome { return theirs(t, dir, plugins(helm)) })
			same(t, got, want, test.refused)
			if pulled != theirPulls || test.pulls != (pulled != "") {
				t.Errorf("pulled %q, kustomize %q", pulled, theirPulls)
			}
		})
	}
}

// withStandIn builds a tree of its own, since pulling changes it, and returns what
// was pulled too.
func withStandIn(t *testing.T, dir string, run func(dir string) outcome) (o outcome, pulls string) {
	t.Helper()
	t.Setenv("BASE", dir)
	o = run(dir)
	text, err := os.ReadFile(filepath.Join(dir, "pulls"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return o, string(text)
}

// TestChartsWithHelm needs the real program:
//
//	go install helm.sh/helm/v3/cmd/helm@v3.18.6
func TestChartsWithHelm(t *testing.T) {
	helm, err := exec.LookPath("helm")
	if err != nil {
		t.Skip("helm is not on the PATH")
	}
	for _, test := range chartTests {
		if test.pulls {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := chartTree(t, test.kustomization)
			same(t, ours(t, dir, external.Config{Helm: external.Helm{Enabled: true, Command: helm}}, builder.Options{}),
				theirs(t, dir, plugins(helm)), test.refused)
		})
	}
}

// The namespace comes from the nearest kustomization that has one.
func TestChartNamespaceFromAbove(t *testing.T) {
	helm := filepath.Join(tree(t, standIn), "helm")
	for _, top := range []string{"{namespace: top, resources: [middle]}", "{resources: [middle]}", "{namespace: top, components: [part], resources: [middle]}"} {
		for _, middle := range []string{"{namespace: mid, resources: [base]}", "{resources: [base]}"} {
			dir := tree(t, "-- kustomization.yaml --\n"+top+"\n-- middle/kustomization.yaml --\n"+middle+"\n")
			write(t, filepath.Join(dir, "middle", "base"), charts+"-- kustomization.yaml --\nhelmCharts: [{name: app, releaseName: r}]\n")
			write(t, filepath.Join(dir, "part"), charts+"-- kustomization.yaml --\napiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: c-\nhelmCharts: [{name: app, releaseName: c}]\n")
			t.Setenv("BASE", dir)
			t.Setenv("STANDIN_NAMESPACE", "x")
			same(t, ours(t, dir, external.Config{Helm: external.Helm{Enabled: true, Command: helm}}, builder.Options{}), theirs(t, dir, plugins(helm)), false)
		}
	}
}

func TestHelmFlags(t *testing.T) {
	helm := filepath.Join(tree(t, standIn), "helm")
	for _, kustomization := range []string{
		"helmCharts: [{name: app, releaseName: r}]",
		"helmCharts: [{name: app, releaseName: r, kubeVersion: \"1.20\", apiVersions: [own/v1], debug: false}]",
	} {
		dir := chartTree(t, kustomization)
		t.Setenv("BASE", dir)
		config := external.Config{Helm: external.Helm{Enabled: true, Command: helm, KubeVersion: "1.30", APIVersions: []string{"a/v1", "b/v1"}, Debug: true}}
		same(t, ours(t, dir, config, builder.Options{}), theirs(t, dir, func(o *krusty.Options) {
			plugins(helm)(o)
			c := &o.PluginConfig.HelmConfig
			c.KubeVersion, c.ApiVersions, c.Debug = "1.30", []string{"a/v1", "b/v1"}, true
		}), false)
	}
}

func TestHelmVersion(t *testing.T) {
	helm := filepath.Join(tree(t, standIn), "helm")
	dir := chartTree(t, "helmCharts: [{name: app, releaseName: r}]")
	t.Setenv("BASE", dir)
	for version, refused := range map[string]bool{"v4.0.0": false, "3.1": false, "Client: v2.17.0+g": true, "unknown": true, "v31.2.3": true} {
		t.Setenv("STANDIN_VERSION", version)
		same(t, ours(t, dir, external.Config{Helm: external.Helm{Enabled: true, Command: helm}}, builder.Options{}), theirs(t, dir, plugins(helm)), refused)
	}
}

func TestChartMistakesAreExplained(t *testing.T) {
	helm := filepath.Join(tree(t, standIn), "helm")
	t.Setenv("STANDIN_FAIL", "yes")
	for _, test := range []struct{ kustomization, command, want string }{
		{"helmCharts: [{name: app, releaseName: r}]", helm, `chart-fails: .*app.*Error: the template is bad`},
		{"helmCharts: [{name: app, releaseName: r}]", "no-such-helm", `chart-fails: .*no-such-helm is needed and was not found`},
		{"helmCharts: [{name: app, valuesFile: othr.yaml}]", helm, `missing-path: othr.yaml does not exist did you mean other.yaml`},
		{"helmCharts: [{name: none}]", helm, `chart-fails: .*no chart in .*, and no repo`},
	} {
		dir := chartTree(t, test.kustomization)
		t.Setenv("BASE", dir)
		o := ours(t, dir, external.Config{Helm: external.Helm{Enabled: true, Command: test.command}}, builder.Options{})
		if !o.refused || !regexp.MustCompile(test.want).MatchString(o.why) {
			t.Errorf("%s: %q does not match %s", test.kustomization, o.why, test.want)
		}
	}
}

// A chart that a repository's kustomization pulls is not kept in the clone, which
// stands for a commit, unless its version is said.
func TestChartPulledIntoClone(t *testing.T) {
	repository, commit := gitRepository(t, `
-- newest/kustomization.yaml --
helmCharts: [{name: far, repo: "https://example.com/charts", releaseName: r}]
-- fixed/kustomization.yaml --
helmCharts: [{name: far, version: 1.2.3, repo: "https://example.com/charts", releaseName: r}]
`)
	helm := filepath.Join(tree(t, standIn), "helm")
	config := allowed(t)
	config.Helm = external.Helm{Enabled: true, Command: helm}
	for folder, pulls := range map[string]int{"newest": 2, "fixed": 1} {
		dir := tree(t, "-- kustomization.yaml --\nresources: [\"file://"+repository+"//"+folder+"?ref="+commit+"\"]\n")
		t.Setenv("BASE", dir)
		for range 2 {
			if o := ours(t, dir, config, builder.Options{}); o.refused || o.unknown || !strings.Contains(o.output, "pulled: yes") {
				t.Fatalf("%s: %+v", folder, o)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "pulls"))
		if err != nil || strings.Count(string(text), "\n") != pulls {
			t.Errorf("%s was pulled %d times, want %d; %v", folder, strings.Count(string(text), "\n"), pulls, err)
		}
	}
}

func TestHelmThatIsNotAllowed(t *testing.T) {
	dir := chartTree(t, "helmCharts: [{name: app, releaseName: r}]")
	if o := ours(t, dir, external.Config{}, builder.Options{}); !o.unknown || o.refused || !strings.Contains(o.why, "--enable-helm") {
		t.Errorf("%+v", o)
	}
	offline := external.Config{Offline: true, Helm: external.Helm{Enabled: true, Command: filepath.Join(tree(t, standIn), "helm")}}
	dir = chartTree(t, "helmCharts: [{name: far, repo: \"https://example.com\"}]")
	t.Setenv("BASE", dir)
	if o := ours(t, dir, offline, builder.Options{}); !o.unknown || o.refused {
		t.Errorf("offline: %+v", o)
	}
	if _, err := os.Stat(filepath.Join(dir, "pulls")); err == nil {
		t.Error("a chart was pulled in offline mode")
	}
}
