package rules

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func invalidNames(r *resource.Resource) (found []builder.Problem) {
	id := r.ID()
	report := func(n *yaml.Node, what string) {
		found = append(found, builder.Problem{Node: n, Message: fmt.Sprintf("%q is no %s", n.Value, what)})
	}
	if name, node := syntax.TextAt(r.Metadata(), "name"); isNamedByRule(id) && !isFilledInLater(name) {
		short := id.Group == "" && (id.Kind == "Service" || id.Kind == "Namespace")
		if short && !isDNSLabel(name) {
			report(node, "name of a "+id.Kind+": it may have small letters, digits and -, at most 63")
		} else if !short && !isDNSName(name) {
			report(node, "name: it may have small letters, digits, - and .")
		}
	}
	if namespace, node := syntax.TextAt(r.Metadata(), "namespace"); namespace != "" && !isFilledInLater(namespace) && !isDNSLabel(namespace) {
		report(node, "namespace: it may have small letters, digits and -, at most 63")
	}
	labels := []*yaml.Node{syntax.FieldAt(r.Metadata(), "labels")}
	if of, ok := pods.Of(r); ok {
		labels = append(labels, syntax.FieldAt(of.Metadata, "labels"))
	}
	for _, m := range labels {
		for i := 0; m != nil && m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
			if value := m.Content[i+1]; value.Kind == yaml.ScalarNode && value.Value != "" && !isFilledInLater(value.Value) && !isLabelValue(value.Value) {
				report(value, "label: it may have letters, digits, -, _ and ., at most 63, and begins and ends with a letter or digit")
			}
		}
	}
	return found
}

// isNamedByRule tells of kinds that come with Kubernetes and have plain names: those
// of roles may have any characters, and others may have rules of their own.
func isNamedByRule(id resource.ID) bool {
	return !isCustom(id) && id.Group != "rbac.authorization.k8s.io" && !strings.HasSuffix(id.Group, ".x-k8s.io") && id.Kind != "ClusterTrustBundle"
}

// isFilledInLater tells of a text that is a template, or an empty one that is reported
// elsewhere.
func isFilledInLater(s string) bool {
	return s == "" || schema.HoldsTemplate(s) || strings.ContainsAny(s, "$<>%{}") || strings.ToUpper(s) == s && strings.ToLower(s) != s || strings.Trim(s, "_") == ""
}

func isDNSLabel(s string) bool { return len(s) <= 63 && !strings.Contains(s, ".") && isDNSName(s) }

func isDNSName(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if !isMadeOf(part, "-") || strings.ToLower(part) != part {
			return false
		}
	}
	return len(s) <= 253
}

func isLabelValue(s string) bool { return len(s) <= 63 && isMadeOf(s, "-_.") }

// isMadeOf tells whether a text has only letters, digits and some more, and begins and
// ends with a letter or digit.
func isMadeOf(s, more string) bool {
	if s == "" || strings.ContainsAny(s[:1]+s[len(s)-1:], more) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune(more, r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
