package rules

import (
	"fmt"
	"strconv"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

func checkInvalidPort(r *resource.Resource) (found []builder.Problem) {
	for _, port := range portNumbers(r) {
		n, err := strconv.ParseInt(port.Value, 10, 32)
		if port.Tag == "!!int" && err == nil && (n < 1 || n > 65535) {
			found = append(found, builder.Problem{Node: port, Message: fmt.Sprintf("there is no port %d: ports are 1 to 65535", n)})
		}
	}
	return found
}

// portNumbers returns what stands where Services and pods have ports.
func portNumbers(r *resource.Resource) (found []*yaml.Node) {
	add := func(n *yaml.Node, paths ...string) {
		for _, path := range paths {
			if _, port := syntax.TextAt(n, path); port != nil {
				found = append(found, port)
			}
		}
	}
	if r.ID().Group == "" && r.ID().Kind == "Service" {
		for _, port := range syntax.Mappings(syntax.FieldAt(r.Node, "spec/ports")) {
			add(port, "port", "targetPort")
		}
	}
	of, ok := pods.Of(r)
	if !ok {
		return found
	}
	for _, container := range of.Containers() {
		for _, port := range syntax.Mappings(syntax.FieldAt(container, "ports")) {
			add(port, "containerPort")
		}
		for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
			add(container, probe+"/httpGet/port", probe+"/tcpSocket/port", probe+"/grpc/port")
		}
	}
	return found
}
