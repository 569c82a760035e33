package diff_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// rendered builds a folder with a kustomization and one file of resources.
func rendered(t *testing.T, kustomization, resources string) []*resource.Resource {
	t.Helper()
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/r/kustomization.yaml": []byte("resources: [all.yaml]\n" + kustomization), "/r/all.yaml": []byte(resources)}))
	result, err := builder.NewSession(files).Build(context.Background(), "/r", builder.Options{})
	if err != nil || result.Failed() {
		t.Fatalf("%v, %+v", err, result)
	}
	return result.Resources
}

func compare(t *testing.T, before, after []*resource.Resource, options diff.Options) *diff.Report {
	t.Helper()
	report, err := diff.Compare(before, after, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// shown is a report in short: what changed, and the fields.
func shown(report *diff.Report) string {
	var b strings.Builder
	for _, r := range report.Resources {
		fmt.Fprintln(&b, r.Change, r.Before, r.After)
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "  %s: %s → %s\n", f.Path, f.Before, f.After)
		}
	}
	return b.String()
}

func configMap(name, rest string) string {
	return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n" + rest
}

func TestCompareFields(t *testing.T) {
	deployment := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [%s]}}}\n"
	for name, test := range map[string]struct{ before, after, want string }{
		"a scalar, and dots in a key": {configMap("a", "data: {a.b: x, c: y}\n"), configMap("a", "data: {a.b: z, c: y}\n"),
			"changed ConfigMap/a ConfigMap/a\n  data.a\\.b: \"x\" → \"z\"\n"},
		"a new and an old field": {configMap("a", "data: {a: x}\n"), configMap("a", "data: {b: x}\n"),
			"changed ConfigMap/a ConfigMap/a\n  data.a: \"x\" → \n  data.b:  → \"x\"\n"},
		"entries with names": {fmt.Sprintf(deployment, "{name: a, image: x}, {name: b, image: y}"), fmt.Sprintf(deployment, "{name: c, image: n}, {name: a, image: x}, {name: b, image: z}"),
			"changed Deployment.apps/web Deployment.apps/web\n  spec.template.spec.containers.[name=b].image: \"y\" → \"z\"\n" +
				"  spec.template.spec.containers.[name=c]:  → {\"image\":\"n\",\"name\":\"c\"}\n"},
		"the order of entries": {fmt.Sprintf(deployment, "{name: a}, {name: b}"), fmt.Sprintf(deployment, "{name: b}, {name: a}"),
			"changed Deployment.apps/web Deployment.apps/web\n  spec.template.spec.containers: [{\"name\":\"a\"},{\"name\":\"b\"}] → [{\"name\":\"b\"},{\"name\":\"a\"}]\n"},
		"entries without names": {fmt.Sprintf(deployment, "{name: a, args: [x, y, z]}"), fmt.Sprintf(deployment, "{name: a, args: [x, z]}"),
			"changed Deployment.apps/web Deployment.apps/web\n  spec.template.spec.containers.[name=a].args.1: \"y\" → \n"},
		"a document in a document": {
			configMap("a", "data:\n  c.yaml: |\n    x: '{\"p\": [1, 2]}'\n    y: 1\n"), configMap("a", "data:\n  c.yaml: |\n    y: 1\n    x: '{\"p\": [1, 3]}'\n"),
			"changed ConfigMap/a ConfigMap/a\n  data.c\\.yaml.x.p.1: 2 → 3\n"},
		"a document that is laid out in another way": {
			configMap("a", "data: {c: '{\"p\": 1, \"q\": 2}'}\n"), configMap("a", "data: {c: '{\"q\":2,\"p\":1}'}\n"), "reformatted ConfigMap/a ConfigMap/a\n"},
		"prose is no document": {configMap("a", "data: {c: 'note: one'}\n"), configMap("a", "data: {c: 'note: two'}\n"),
			"changed ConfigMap/a ConfigMap/a\n  data.c: \"note: one\" → \"note: two\"\n"},
		"another version of the API": {"apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\n",
			"changed CronJob.batch/a CronJob.batch/a\n  apiVersion: \"batch/v1beta1\" → \"batch/v1\"\n"},
		"another name": {configMap("a", ""), configMap("b", ""), "removed ConfigMap/a \nadded  ConfigMap/b\n"},
		"another group is another resource": {"apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\n", "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\n",
			"removed Ingress.extensions/a \nadded  Ingress.networking.k8s.io/a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := shown(compare(t, rendered(t, "", test.before), rendered(t, "", test.after), diff.Options{})); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

func TestCompareByOrigin(t *testing.T) {
	before := rendered(t, "namePrefix: dev-\nnamespace: dev\n", configMap("a", "")+configMap("b", ""))
	after := rendered(t, "namePrefix: prod-\nnamespace: prod\n", configMap("a", "")+configMap("c", ""))
	want := "removed ConfigMap/dev/dev-b \nchanged ConfigMap/dev/dev-a ConfigMap/prod/prod-a\n" +
		"  metadata.name: \"dev-a\" → \"prod-a\"\n  metadata.namespace: \"dev\" → \"prod\"\nadded  ConfigMap/prod/prod-c\n"
	if got := shown(compare(t, before, after, diff.Options{ByOrigin: true})); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if report := compare(t, before, after, diff.Options{}); report.Count(diff.Removed) != 2 || report.Count(diff.Added) != 2 {
		t.Errorf("without: %s", shown(report))
	}
}

// TestSecretsAreHidden looks for the values in all that a report holds.
func TestSecretsAreHidden(t *testing.T) {
	secret := func(data string) string {
		return "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: " + strconv.Quote(data) + "\n" + data
	}
	contents := []string{"data: {p: c2VjcmV0MQ==, q: c2VjcmV0Mg==}\n", "data: {p: c2VjcmV0Mw==}\n", "stringData: {p: secret4, q: '{\"a\": \"secret5\"}'}\n",
		"stringData: {q: '{\"a\": \"secret6\"}'}\n", "data: c2VjcmV0\n", "data: [c2VjcmV0]\n", "data: {p: {q: c2VjcmV0}}\n", ""}
	for _, x := range contents {
		for _, y := range contents {
			for _, after := range [][]*resource.Resource{rendered(t, "", secret(y)), nil} {
				for _, report := range []*diff.Report{
					compare(t, rendered(t, "", secret(x)), after, diff.Options{}), compare(t, after, rendered(t, "", secret(x)), diff.Options{})} {
					if text := fmt.Sprintf("%+v %s", report, shown(report)); strings.Contains(text, "c2VjcmV0") || strings.Contains(text, "secret") {
						t.Errorf("%q and %q: %s", x, y, text)
					}
					if x != y && len(report.Resources) != 1 {
						t.Errorf("%q and %q: no difference", x, y)
					}
				}
			}
		}
	}
	report := compare(t, rendered(t, "", secret(contents[0])), rendered(t, "", secret(contents[1])), diff.Options{ShowSecrets: true})
	if text := shown(report); !strings.Contains(text, `data.p: "secret1" → "secret3"`) {
		t.Errorf("shown: %s", text)
	}
}

// TestHunksArePatches gives the lines of a report to patch.
func TestHunksArePatches(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch program")
	}
	data := func(from int) string {
		var b strings.Builder
		b.WriteString("data:\n")
		for i := range 60 {
			value := i
			if i%17 == from {
				value += 1000
			}
			fmt.Fprintf(&b, "  key-%02d: \"%d\"\n", i, value)
		}
		return b.String()
	}
	before, after := rendered(t, "", configMap("a", data(3))), rendered(t, "", configMap("a", data(5)))
	var b bytes.Buffer
	b.WriteString("--- a\n+++ a\n")
	report := compare(t, before, after, diff.Options{})
	for _, h := range report.Resources[0].Hunks {
		fmt.Fprintln(&b, h.Header())
		for _, line := range h.Lines {
			fmt.Fprintf(&b, "%c%s\n", line.Kind, line.Text)
		}
	}
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, yaml(t, before), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(patch, "--fuzz=0", file)
	command.Stdin = &b
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if patched, err := os.ReadFile(file); err != nil || !bytes.Equal(patched, yaml(t, after)) {
		t.Errorf("%v, patched to\n%s", err, patched)
	}
}

func yaml(t *testing.T, resources []*resource.Resource) []byte {
	t.Helper()
	text, err := (&builder.Result{Resources: resources}).YAML(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return text
}
