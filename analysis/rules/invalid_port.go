package rules

import (
	"fmt"
	"strconv"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

var _ = register(analysis.Rule{
	Name:        "invalid-port",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A port is no port number",
	Why:         "Ports are numbers from 1 to 65535. kustomize renders any number, and the API server refuses it.",
	Remedy:      `Correct the number.`,
	Check: func(p *analysis.Pass) {
		inEach(p, func(r *resource.Resource) (found []builder.Problem) {
			for _, port := range portNumbers(r) {
				n, err := strconv.ParseInt(port.Value, 10, 32)
				if port.Tag == "!!int" && err == nil && (n < 1 || n > 65535) {
					found = append(found, builder.Problem{Node: port, Message: fmt.Sprintf("there is no port %d: ports are 1 to 65535", n)})
				}
			}
			return found
		})
	},
})

// portNumbers returns what stands where Services and pods have ports.
func portNumbers(r *resource.Resource) (found []*yaml.Node) {
	add := func(n *yaml.Node, paths ...string) {
		for _, path := range paths {
			if _, port := textAt(n, path); port != nil {
				found = append(found, port)
			}
		}
	}
	if r.ID().Group == "" && r.ID().Kind == "Service" {
		for _, port := range elements(fieldAt(r.Node, "spec/ports")) {
			add(port, "port", "targetPort")
		}
	}
	of, ok := podOf(r)
	if !ok {
		return found
	}
	for _, container := range of.containers() {
		for _, port := range elements(fieldAt(container, "ports")) {
			add(port, "containerPort")
		}
		for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
			add(container, probe+"/httpGet/port", probe+"/tcpSocket/port", probe+"/grpc/port")
		}
	}
	return found
}
