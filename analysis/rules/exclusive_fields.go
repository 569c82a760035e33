package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

func checkExclusiveFields(r *resource.Resource) []builder.Problem {
	found := &exclusive{of: r}
	found.inOwnFields()
	if of, ok := pods.Of(r); ok {
		found.inPod(of)
	}
	return found.problems
}

// exclusive gathers the fields of a resource that exclude each other.
type exclusive struct {
	of       *resource.Resource
	problems []builder.Problem
}

func (e *exclusive) inOwnFields() {
	switch id := e.of.ID(); [2]string{id.Group, id.Kind} {
	case [2]string{"apps", "Deployment"}:
		e.onlyWith("spec/strategy", "Recreate")
	case [2]string{"apps", "StatefulSet"}:
		e.onlyWith("spec/updateStrategy", "OnDelete")
	case [2]string{"policy", "PodDisruptionBudget"}:
		e.several(syntax.FieldAt(e.of.Node, "spec"), "the spec", "minAvailable", "maxUnavailable")
	}
}

// onlyWith is about a strategy of a type without a rolling update.
func (e *exclusive) onlyWith(path, without string) {
	strategy := syntax.FieldAt(e.of.Node, path)
	if kind, _ := syntax.TextAt(strategy, "type"); kind == without {
		e.oneOf(strategy, fmt.Sprintf("the strategy %s of %s has a rolling update", without, e.of.ID()), "rollingUpdate", "type")
	}
}

func (e *exclusive) inPod(of pods.Pod) {
	for _, volume := range syntax.Mappings(syntax.FieldAt(of.Spec, "volumes")) {
		var sources []string
		for i := 0; i+1 < len(volume.Content); i += 2 {
			if key := volume.Content[i].Value; key != "name" && !strings.HasPrefix(key, "$") {
				sources = append(sources, key)
			}
		}
		e.several(volume, named("volume", volume), sources...)
	}
	for _, container := range of.Containers() {
		e.inContainer(container)
	}
}

func (e *exclusive) inContainer(container *yaml.Node) {
	for _, variable := range syntax.Mappings(syntax.FieldAt(container, "env")) {
		if value, _ := syntax.TextAt(variable, "value"); value != "" {
			e.several(variable, named("variable", variable), "value", "valueFrom")
		}
		e.several(syntax.FieldAt(variable, "valueFrom"), named("variable", variable), "configMapKeyRef", "secretKeyRef", "fieldRef", "resourceFieldRef", "fileKeyRef")
	}
	for _, source := range syntax.Mappings(syntax.FieldAt(container, "envFrom")) {
		e.several(source, "an entry of envFrom", "configMapRef", "secretRef")
	}
	for _, path := range []string{"livenessProbe", "readinessProbe", "startupProbe", "lifecycle/postStart", "lifecycle/preStop"} {
		e.several(syntax.FieldAt(container, path), path, "exec", "httpGet", "tcpSocket", "grpc", "sleep")
	}
}

// several says that something has what excludes each other.
func (e *exclusive) several(of *yaml.Node, what string, fields ...string) {
	var there []string
	for _, field := range fields {
		if isSet(of, field) {
			there = append(there, field)
		}
	}
	e.oneOf(of, fmt.Sprintf("%s of %s has %s, which exclude each other", what, e.of.ID(), strings.Join(there, " and ")), there...)
}

func named(what string, n *yaml.Node) string {
	name, _ := syntax.TextAt(n, "name")
	return fmt.Sprintf("%s %q", what, name)
}

func isSet(of *yaml.Node, field string) bool {
	_, value := syntax.Field(of, field)
	return value != nil && value.Tag != "!!null"
}

// oneOf reports where more than one of the fields of a mapping is there. It is at
// the one that was added to the others.
func (e *exclusive) oneOf(of *yaml.Node, message string, fields ...string) {
	if len(fields) < 2 || slices.ContainsFunc(fields, func(field string) bool { return !isSet(of, field) }) {
		return
	}
	added, at := e.added(of, fields)
	problem := builder.Problem{Node: at, Message: message}
	for _, field := range fields {
		if key, _ := syntax.Field(of, field); field != added {
			problem.Related = append(problem.Related, builder.Related{Node: key, Message: "the other one"})
			if fileOf(key) != fileOf(at) && field != "type" {
				problem.Help = fmt.Sprintf("write %s: null beside it to be without that", field)
			}
		}
	}
	e.problems = append(e.problems, problem)
}

// added returns the field that was not written where the resource was, else the
// last, and the place of it.
func (e *exclusive) added(of *yaml.Node, fields []string) (field string, at *yaml.Node) {
	_, kind := syntax.Field(e.of.Node, "kind")
	for _, field = range fields {
		key, value := syntax.Field(of, field)
		if at = key; fileOf(key) == fileOf(kind) && value.Kind == yaml.ScalarNode {
			at = value
		}
		if fileOf(at) != fileOf(kind) {
			return field, at
		}
	}
	at, _ = syntax.Field(of, field)
	return field, at
}
