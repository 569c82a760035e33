package schema

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// homeOf returns the apiVersion that a kind of Kubernetes is surely meant to have,
// empty where it can be right, or of somebody else. Nobody else can have a group
// of Kubernetes' own, or one without a dot: a custom one must have it.
func (k *Kubernetes) homeOf(name kindName) string {
	group, _ := splitVersion(name.apiVersion)
	homes := k.versionsOf(name.kind)
	if len(homes) == 0 || name.apiVersion == "" || group == "" && slices.Contains(openShift, name.kind) {
		return ""
	}
	var own []string // apiVersions of that group that have the kind
	var groups []string
	for _, home := range homes {
		of, _ := splitVersion(home)
		groups = append(groups, of)
		if of == group {
			own = append(own, home)
		}
	}
	switch {
	case len(own) > 0: // a version that comes later can be right, where there is no stable one
		if !strings.HasSuffix(own[0], "/v1") && own[0] != "v1" {
			return ""
		}
		return own[0]
	case k.hasGroup(group):
		return homes[0]
	case !strings.Contains(group, "."):
		if near, ok := text.Nearest(group, groups); ok {
			return homes[slices.Index(groups, near)]
		}
		return homes[0]
	}
	at := slices.IndexFunc(groups, func(of string) bool { return text.IsSlip(group, of) })
	if at < 0 {
		return ""
	}
	return homes[at]
}

// openShift are the kinds that it added to v1 before there were groups.
var openShift = []string{"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}

// splitVersion splits an apiVersion; the group of the core is empty.
func splitVersion(apiVersion string) (group, version string) {
	if before, after, ok := strings.Cut(apiVersion, "/"); ok {
		return before, after
	}
	return "", apiVersion
}

// versionsOf returns the apiVersions in which Kubernetes has a kind, the stable ones
// first.
func (k *Kubernetes) versionsOf(kind string) []string {
	var found []string
	for name := range k.builtin.kinds {
		if name.kind == kind {
			found = append(found, name.apiVersion)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		_, versionOfA := splitVersion(a)
		_, versionOfB := splitVersion(b)
		return cmp.Or(cmp.Compare(len(versionOfA), len(versionOfB)), cmp.Compare(a, b))
	})
	return found
}

func (k *Kubernetes) hasGroup(group string) bool {
	for name := range k.builtin.kinds {
		if of, _ := splitVersion(name.apiVersion); of == group {
			return true
		}
	}
	return false
}
