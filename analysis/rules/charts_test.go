package rules

import (
	"context"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// charts is an Outside that prints the same for every chart.
type charts struct {
	builder.Outside
	printed string
}

func (c charts) Chart(context.Context, builder.ChartRequest) ([]byte, error) {
	return []byte(c.printed), nil
}

// kustomize gives helm the namespace and leaves what the chart prints as it is (its issues 6014 and 6058).
func TestNamespaceOverChart(t *testing.T) {
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web%}\n"
	const role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: web}\n"
	for _, c := range []struct{ name, printed, want string }{
		{"templates without a namespace", strings.ReplaceAll(deployment, "%", ""),
			"warning: resources of the Helm chart web do not get the namespace prod"},
		{"templates with the namespace of the release", strings.ReplaceAll(deployment, "%", ", namespace: prod"), ""},
		{"templates with a namespace of their own", strings.ReplaceAll(deployment, "%", ", namespace: other"), ""},
		{"cluster-scoped resources alone", role, "info: no resource gets the namespace: all of them are cluster-scoped"},
		{"a kind whose scope nobody knows", "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: web}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/r/kustomization.yaml": []byte("namespace: prod\nhelmCharts:\n- name: web\n")}))
			report, err := analysis.CheckRoot(context.Background(), builder.NewSession(files), analysis.Target{Dir: "/r"},
				analysis.Options{Rules: All(), Build: builder.Options{Outside: charts{printed: c.printed}}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, d := range report.Diagnostics {
				if d.Rule == "namespace-no-effect" {
					got = d.Severity.String() + ": " + d.Message
				}
			}
			if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
