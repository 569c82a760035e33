package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

var verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection",
	"use", "bind", "escalate", "impersonate", "approve", "sign", "attest"}

// subresources are those of the kinds that come with Kubernetes; custom ones can have
// the first three. The last ones exist only for authorization: the kubelet asks for
// them, as parts of nodes.
var subresources = []string{"status", "scale", "finalizers", "approval", "attach", "binding", "ephemeralcontainers", "eviction",
	"exec", "log", "portforward", "proxy", "token", "resize",
	"stats", "metrics", "spec", "configz", "healthz", "checkpoint", "pods"}

// granted are the resources of the groups that come with Kubernetes.
var granted = map[string][]string{
	"": {"bindings", "componentstatuses", "configmaps", "endpoints", "events", "limitranges", "namespaces", "nodes",
		"persistentvolumeclaims", "persistentvolumes", "pods", "podtemplates", "replicationcontrollers", "resourcequotas",
		"secrets", "serviceaccounts", "services"},
	"apps":                {"controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"},
	"autoscaling":         {"horizontalpodautoscalers"},
	"batch":               {"cronjobs", "jobs"},
	"coordination.k8s.io": {"leases"},
	"discovery.k8s.io":    {"endpointslices"},
	"events.k8s.io":       {"events"},
	"networking.k8s.io":   {"ingressclasses", "ingresses", "ipaddresses", "networkpolicies", "servicecidrs"},
	"scheduling.k8s.io":   {"priorityclasses", "podgroups", "workloads"},
	"storage.k8s.io": {"csidrivers", "csinodes", "csistoragecapacities", "storageclasses", "volumeattachments",
		"volumeattributesclasses"},
	"policy":                    {"poddisruptionbudgets", "podsecuritypolicies"},
	"rbac.authorization.k8s.io": {"clusterrolebindings", "clusterroles", "rolebindings", "roles"},
	"apiextensions.k8s.io":      {"customresourcedefinitions"},
}

func checkUnknownPermission(r *resource.Resource) (found []builder.Problem) {
	for _, rule := range rulesOf(r) {
		for _, verb := range scalars(syntax.FieldAt(rule, "verbs")) {
			found = append(found, misspelt(verb, "verb", verb.Value, verbs)...)
		}
		found = append(found, judgeGrant(rule, granted)...)
	}
	return found
}

// checkCustomPermissions looks at what roles grant of the kinds that the build defines.
func checkCustomPermissions(p *analysis.Pass) {
	if !p.IsComplete() {
		return
	}
	custom := map[string][]string{}
	for _, r := range p.Result.Resources {
		if id := r.ID(); id.Kind == "CustomResourceDefinition" {
			group, _ := syntax.TextAt(r.Node, "spec/group")
			plural, _ := syntax.TextAt(r.Node, "spec/names/plural")
			custom[group] = append(custom[group], plural)
		}
	}
	if len(custom) == 0 {
		return
	}
	for _, r := range p.Result.Resources {
		for _, rule := range rulesOf(r) {
			for _, problem := range judgeGrant(rule, custom) {
				problem.Layer = p.Result.Root
				p.Report(problem)
			}
		}
	}
}

// rulesOf returns the rules of a role.
func rulesOf(r *resource.Resource) []*yaml.Node {
	if id := r.ID(); id.Group != "rbac.authorization.k8s.io" || id.Kind != "Role" && id.Kind != "ClusterRole" {
		return nil
	}
	return syntax.Mappings(syntax.FieldAt(r.Node, "rules"))
}

// judgeGrant looks at the groups and resources of a rule, as far as it knows the groups.
func judgeGrant(rule *yaml.Node, known map[string][]string) (found []builder.Problem) {
	groups := scalars(syntax.FieldAt(rule, "apiGroups"))
	resources := scalars(syntax.FieldAt(rule, "resources"))
	for _, group := range groups {
		found = append(found, misspeltGroup(group, resources, known)...)
	}
	names, ok := resourcesOf(groups, known)
	_, builtin := known["apps"] // whose groups nobody else adds to
	for _, n := range resources {
		name, part, _ := strings.Cut(n.Value, "/")
		wrong := []builder.Problem(nil)
		if ok {
			wrong = misspelt(n, "resource", name, names)
		}
		if ok && builtin && len(wrong) == 0 && len(groups) == 1 && !slices.Contains(names, name) {
			wrong = inOtherGroup(n, name, groups[0], known)
		}
		found = append(found, wrong...)
		if builtin && !slices.Contains(subresources, part) {
			candidates := subresources
			if !ok {
				candidates = subresources[:3]
			}
			found = append(found, misspelt(n, "subresource", part, candidates)...)
		}
	}
	return found
}

// misspeltGroup reports a group that differs by a letter from one that has a resource
// of the rule.
func misspeltGroup(group *yaml.Node, resources []*yaml.Node, known map[string][]string) []builder.Problem {
	if _, ok := granted[group.Value]; ok || known[group.Value] != nil {
		return nil
	}
	for _, near := range slices.Sorted(maps.Keys(known)) {
		has := func(n *yaml.Node) bool {
			name, _, _ := strings.Cut(n.Value, "/")
			return slices.Contains(known[near], name)
		}
		if text.IsSlip(group.Value, near) && slices.ContainsFunc(resources, has) {
			return []builder.Problem{builder.Problem{Node: group, Message: fmt.Sprintf("there is no group %q", group.Value)}.Suggest(near)}
		}
	}
	return nil
}

// inOtherGroup reports a resource that the group does not have, but another one.
func inOtherGroup(n *yaml.Node, name string, group *yaml.Node, known map[string][]string) []builder.Problem {
	for _, other := range slices.Sorted(maps.Keys(known)) {
		if slices.Contains(known[other], name) && other != group.Value {
			called := group.Value
			if called == "" {
				called = "the core group"
			}
			return []builder.Problem{{Node: n, Message: fmt.Sprintf("%s has no resource %q: it is in %s", called, name, cmp.Or(other, "the core group")),
				Help: "write it in a rule with that group"}}
		}
	}
	return nil
}

// resourcesOf returns what the groups have; false where one of them is not known.
func resourcesOf(groups []*yaml.Node, known map[string][]string) (names []string, ok bool) {
	for _, group := range groups {
		own, ok := known[group.Value]
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
func misspelt(n *yaml.Node, what, word string, known []string) []builder.Problem {
	if word == "" || slices.Contains(known, word) {
		return nil
	}
	at := slices.IndexFunc(known, func(name string) bool {
		return text.IsSlip(strings.ToLower(word), name) || strings.ToLower(word) == name || word+"es" == name ||
			strings.HasSuffix(word, "y") && strings.TrimSuffix(word, "y")+"ies" == name
	})
	if at < 0 {
		return nil
	}
	meant := strings.Replace(n.Value, word, known[at], 1)
	return []builder.Problem{builder.Problem{Node: n, Message: fmt.Sprintf("there is no %s %q", what, word)}.Suggest(meant)}
}
