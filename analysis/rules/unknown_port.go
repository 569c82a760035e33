package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func checkUnknownPort(p *analysis.Pass) {
	var ingresses []*resource.Resource
	for _, r := range p.Result.Resources {
		switch id := r.ID(); {
		case id.Group == "" && id.Kind == "Service":
			checkTargetPorts(p, r)
		case id.Group == "networking.k8s.io" && id.Kind == "Ingress":
			ingresses = append(ingresses, r)
		}
	}
	if len(ingresses) == 0 {
		return
	}
	services := map[[2]string]*resource.Resource{}
	for _, r := range p.Result.Resources {
		if id := r.ID(); id.Group == "" && id.Kind == "Service" {
			services[[2]string{id.EffectiveNamespace(), id.Name}] = r
		}
	}
	for _, r := range ingresses {
		checkBackends(p, r, services)
	}
}

// probedPorts reports the names of ports by which a container is asked and that are
// not among its own.
func probedPorts(of pods.Pod) (found []builder.Problem) {
	for _, container := range of.Containers() {
		names := syntax.TextsAt(syntax.FieldAt(container, "ports"), "name")
		for _, asked := range []string{"livenessProbe", "readinessProbe", "startupProbe", "lifecycle/postStart", "lifecycle/preStop"} {
			for _, how := range []string{"httpGet", "tcpSocket"} {
				if port, node := syntax.TextAt(container, asked+"/"+how+"/port"); isPortName(node) && !slices.Contains(names, port) {
					found = append(found, unknownPort(node, names, fmt.Sprintf("%s of %s has no port %q", named("container", container), of.Resource.ID(), port)))
				}
			}
		}
	}
	return found
}

// isPortName tells a name from a number, and from what another program fills in.
func isPortName(n *yaml.Node) bool {
	return n != nil && n.Tag == "!!str" && strings.Trim(n.Value, "0123456789") != "" && !schema.HoldsTemplate(n.Value)
}

func unknownPort(node *yaml.Node, candidates []string, message string) builder.Problem {
	problem := builder.Problem{Node: node, Message: message}
	if near, ok := text.Nearest(node.Value, candidates); ok {
		problem = problem.Suggest(near)
	}
	return problem
}

// targetPorts are the names of ports to which a Service sends.
func targetPorts(service *resource.Resource) []*yaml.Node {
	type sentTo struct{}
	return service.Note(sentTo{}, func() any {
		var ports []*yaml.Node
		for _, port := range syntax.Mappings(syntax.FieldAt(service.Node, "spec/ports")) {
			if _, node := syntax.TextAt(port, "targetPort"); isPortName(node) {
				ports = append(ports, node)
			}
		}
		return ports
	}).([]*yaml.Node)
}

func checkTargetPorts(p *analysis.Pass, service *resource.Resource) {
	wanted, ports := selectorOf(service), targetPorts(service)
	if wanted == nil || len(ports) == 0 {
		return
	}
	selected := labelledPods(p).selected(service, wanted)
	if len(selected) == 0 {
		return
	}
	for _, node := range ports {
		name := node.Value
		if !slices.ContainsFunc(selected, func(of labelledPod) bool { return slices.Contains(of.ports, name) }) {
			var names []string
			for _, of := range selected {
				names = append(names, of.ports...)
			}
			problem := unknownPort(node, names, fmt.Sprintf("the pods of %s have no port %q", service.ID(), name))
			problem.Layer = p.Result.Root
			problem.Related = []builder.Related{{Node: namePlace(selected[0].of), Message: selected[0].of.ID().String()}}
			p.Report(problem)
		}
	}
}

func checkBackends(p *analysis.Pass, ingress *resource.Resource, services map[[2]string]*resource.Resource) {
	backends := []*yaml.Node{syntax.FieldAt(ingress.Node, "spec/defaultBackend/service")}
	for _, rule := range syntax.Mappings(syntax.FieldAt(ingress.Node, "spec/rules")) {
		for _, path := range syntax.Mappings(syntax.FieldAt(rule, "http/paths")) {
			backends = append(backends, syntax.FieldAt(path, "backend/service"))
		}
	}
	for _, backend := range backends {
		name, _ := syntax.TextAt(backend, "name")
		service := services[[2]string{ingress.ID().EffectiveNamespace(), name}]
		if service == nil || len(syntax.Mappings(syntax.FieldAt(service.Node, "spec/ports"))) == 0 {
			continue
		}
		problem, ok := backendPort(service, syntax.FieldAt(backend, "port"))
		if ok {
			problem.Layer = p.Result.Root
			problem.Related = []builder.Related{{Node: namePlace(service), Message: service.ID().String()}}
			p.Report(problem)
		}
	}
}

// backendPort returns the problem of a port, by its name or its number, that a
// Service does not have.
func backendPort(service *resource.Resource, port *yaml.Node) (builder.Problem, bool) {
	names, numbers := syntax.TextsAt(syntax.FieldAt(service.Node, "spec/ports"), "name"), syntax.TextsAt(syntax.FieldAt(service.Node, "spec/ports"), "port")
	if name, node := syntax.TextAt(port, "name"); isPortName(node) && !slices.Contains(names, name) {
		return unknownPort(node, names, fmt.Sprintf("%s has no port %q", service.ID(), name)), true
	}
	number, node := syntax.TextAt(port, "number")
	if node == nil || node.Tag != "!!int" || slices.Contains(numbers, number) {
		return builder.Problem{}, false
	}
	problem := builder.Problem{Node: node, Message: fmt.Sprintf("%s has no port %s", service.ID(), number),
		Help: "its ports are " + strings.Join(numbers, ", ")}
	if len(numbers) == 1 {
		problem.Help = "its port is " + numbers[0]
		problem.Fixes = []builder.Fix{{Title: "Change to " + numbers[0], New: numbers[0], Length: len(number)}}
	}
	return problem, true
}
