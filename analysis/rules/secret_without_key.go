package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
)

// keysOfTypes are the keys that Secrets of a type have.
var keysOfTypes = map[string][]string{
	"kubernetes.io/tls":              {"tls.crt", "tls.key"},
	"kubernetes.io/dockerconfigjson": {".dockerconfigjson"},
	"kubernetes.io/dockercfg":        {".dockercfg"},
	"kubernetes.io/ssh-auth":         {"ssh-privatekey"},
	"kubernetes.io/basic-auth":       nil, // a user name or a password
}

func secretWithoutKey(r *resource.Resource) []builder.Problem {
	kind, node := syntax.TextAt(r.Node, "type")
	if r.ID().Group != "" || r.ID().Kind != "Secret" || kind == "" || syntax.FieldAt(r.Node, "sops") != nil {
		return nil
	}
	wanted, ok := keysOfTypes[kind]
	if !ok {
		known := slices.Sorted(maps.Keys(keysOfTypes))
		at := slices.IndexFunc(known, func(other string) bool { return text.IsSlip(kind, other) })
		if at < 0 || !strings.Contains(kind, "/") {
			return nil
		}
		return []builder.Problem{builder.Problem{Node: node, Message: fmt.Sprintf("there is no type of Secrets %q", kind)}.Suggest(known[at])}
	}
	keys := dataKeys(r.Node)
	for _, key := range wanted {
		if !slices.Contains(keys, key) {
			return []builder.Problem{{Node: node,
				Message: fmt.Sprintf("%s is of the type %s and has no key %q", r.OriginalID(), kind, key)}}
		}
	}
	return nil
}
