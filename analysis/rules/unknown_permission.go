package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

var _ = register(analysis.Rule{
	Name:        "unknown-permission",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A role grants something whose name is misspelt",
	Why: "The API server takes any word as a verb or a resource of a role, since others may define more of both.\n" +
		"A misspelt one grants nothing, and who has the role is refused only when it is needed. It is told where\n" +
		"the word differs by one letter from a verb, or from a resource of the groups that come with Kubernetes,\n" +
		"which are written in the plural.",
	Remedy: `Correct the word.`,
	Check:  checkUnknownPermission,
})

var verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection",
	"use", "bind", "escalate", "impersonate", "approve", "sign", "attest"}

// subresources are those of the kinds that come with Kubernetes; custom ones can have
// the first three.
var subresources = []string{"status", "scale", "finalizers", "approval", "attach", "binding", "ephemeralcontainers", "eviction",
	"exec", "log", "portforward", "proxy", "token"}

// granted are the resources of the groups that come with Kubernetes.
var granted = map[string][]string{
	"": {"bindings", "componentstatuses", "configmaps", "endpoints", "events", "limitranges", "namespaces", "nodes",
		"persistentvolumeclaims", "persistentvolumes", "pods", "podtemplates", "replicationcontrollers", "resourcequotas",
		"secrets", "serviceaccounts", "services"},
	"apps":                      {"controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"},
	"autoscaling":               {"horizontalpodautoscalers"},
	"batch":                     {"cronjobs", "jobs"},
	"coordination.k8s.io":       {"leases"},
	"networking.k8s.io":         {"ingressclasses", "ingresses", "networkpolicies"},
	"policy":                    {"poddisruptionbudgets", "podsecuritypolicies"},
	"rbac.authorization.k8s.io": {"clusterrolebindings", "clusterroles", "rolebindings", "roles"},
	"apiextensions.k8s.io":      {"customresourcedefinitions"},
}

func checkUnknownPermission(p *analysis.Pass) {
	inEach(p, func(r *resource.Resource) (found []build.Problem) {
		if id := r.ID(); id.Group != "rbac.authorization.k8s.io" || id.Kind != "Role" && id.Kind != "ClusterRole" {
			return nil
		}
		for _, rule := range elements(fieldAt(r.Node, "rules")) {
			for _, verb := range scalars(fieldAt(rule, "verbs")) {
				found = append(found, misspelt(verb, "verb", verb.Value, verbs)...)
			}
			names, ok := resourcesOf(scalars(fieldAt(rule, "apiGroups")))
			for _, n := range scalars(fieldAt(rule, "resources")) {
				name, part, _ := strings.Cut(n.Value, "/")
				if ok {
					found = append(found, misspelt(n, "resource", name, names)...)
				}
				found = append(found, misspelt(n, "subresource", part, subresources)...)
			}
		}
		return found
	})
}

// resourcesOf returns what the groups have; false where one of them is not known.
func resourcesOf(groups []*yaml.Node) (names []string, ok bool) {
	for _, group := range groups {
		own, ok := granted[group.Value]
		if !ok {
			return nil, false
		}
		names = append(names, own...)
	}
	return names, len(names) > 0
}

func scalars(list *yaml.Node) []*yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list.Content), func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode })
}

// misspelt reports a word that is none of those known, and nearly one of them.
func misspelt(n *yaml.Node, what, word string, known []string) []build.Problem {
	if word == "" || slices.Contains(known, word) {
		return nil
	}
	at := slices.IndexFunc(known, func(name string) bool {
		return text.IsSlip(strings.ToLower(word), name) || strings.ToLower(word) == name || word+"es" == name
	})
	if at < 0 {
		return nil
	}
	meant := strings.Replace(n.Value, word, known[at], 1)
	return []build.Problem{{Node: n, Message: fmt.Sprintf("there is no %s %q", what, word),
		Help:  fmt.Sprintf("did you mean %s?", meant),
		Fixes: []build.Fix{{Title: "Change to " + meant, New: meant}}}}
}
