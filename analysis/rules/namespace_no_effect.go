package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// checkNamespaceNoEffect asks of the root only: what an inner layer sets, outer
// ones may overwrite on purpose.
func checkNamespaceNoEffect(p *analysis.Pass) {
	namespace := p.Result.Root.Kustomization.Namespace
	if namespace.Value == "" || len(p.Result.Resources) == 0 {
		return
	}
	if charts := chartsWithout(p); len(charts) > 0 {
		p.Report(builder.Problem{Node: namespace.Node, Layer: p.Result.Root,
			Message: fmt.Sprintf("resources of the Helm chart %s do not get the namespace %s: kustomize hands it to helm as the namespace of the release and does not write it into what the chart prints", strings.Join(charts, ", "), namespace.Value),
			Help:    "write `namespace: {{ .Release.Namespace }}` in the chart's templates, or set metadata.namespace with a patch, or in a kustomization that includes the rendered chart"})
		return
	}
	for _, r := range p.Result.Resources {
		if r.ID().Namespace == namespace.Value || !kubernetes.ClusterScoped(r.ID().APIVersion(), r.ID().Kind) || holds(r, namespace.Value) {
			return
		}
	}
	p.Report(builder.Problem{Node: namespace.Node, Layer: p.Result.Root, Minor: true,
		Message: "no resource gets the namespace: all of them are cluster-scoped"})
}

// chartsWithout returns the names of the charts of which something that belongs into a
// namespace has none.
func chartsWithout(p *analysis.Pass) (names []string) {
	charts := map[any]kustomization.HelmChart{}
	for _, l := range p.Layers() {
		for _, chart := range l.Kustomization.HelmCharts {
			charts[chart.Node] = chart
		}
	}
	for _, r := range p.Result.Resources {
		id := r.ID()
		if !r.Helm || id.Namespace != "" || !kubernetes.KnownScope(id.APIVersion(), id.Kind) || kubernetes.ClusterScoped(id.APIVersion(), id.Kind) {
			continue
		}
		if chart, ok := charts[r.Entry]; ok && !slices.Contains(names, chart.Name.Value) {
			names = append(names, chart.Name.Value)
		}
	}
	return names
}

// holds tells whether a field called namespace, or the name of a Namespace, has
// the value.
func holds(r *resource.Resource, namespace string) bool {
	return r.ID().Kind == "Namespace" && r.ID().Name == namespace || hasNamespace(r.Node, namespace)
}

func hasNamespace(n *yaml.Node, value string) bool {
	if _, v := syntax.Field(n, "namespace"); v != nil && v.Kind == yaml.ScalarNode && v.Value == value {
		return true
	}
	return slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return hasNamespace(child, value) })
}
