package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
)

var _ = register(analysis.Rule{
	Name:        "secret-without-key",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A Secret lacks a key that its type asks for",
	Why: "The API server refuses a Secret of the type `kubernetes.io/tls` without `tls.crt` and `tls.key`, and so it\n" +
		"is with the keys of the other types that it knows. Of a type whose name is misspelt it knows nothing, and\n" +
		"what looks for that type does not find the Secret.",
	Remedy: "Add the key, for a file of another name as `tls.crt=FILE`, or correct the type.",
	Check:  func(p *analysis.Pass) { inEach(p, secretWithoutKey) },
})

// keysOfTypes are the keys that Secrets of a type have.
var keysOfTypes = map[string][]string{
	"kubernetes.io/tls":              {"tls.crt", "tls.key"},
	"kubernetes.io/dockerconfigjson": {".dockerconfigjson"},
	"kubernetes.io/dockercfg":        {".dockercfg"},
	"kubernetes.io/ssh-auth":         {"ssh-privatekey"},
	"kubernetes.io/basic-auth":       nil, // a user name or a password
}

func secretWithoutKey(r *resource.Resource) []builder.Problem {
	kind, node := textAt(r.Node, "type")
	if r.ID().Group != "" || r.ID().Kind != "Secret" || kind == "" || fieldAt(r.Node, "sops") != nil {
		return nil
	}
	wanted, ok := keysOfTypes[kind]
	if !ok {
		known := slices.Sorted(maps.Keys(keysOfTypes))
		at := slices.IndexFunc(known, func(other string) bool { return text.IsSlip(kind, other) })
		if at < 0 || !strings.Contains(kind, "/") {
			return nil
		}
		return []builder.Problem{{Node: node, Message: fmt.Sprintf("there is no type of Secrets %q", kind),
			Help:  fmt.Sprintf("did you mean %s?", known[at]),
			Fixes: []builder.Fix{{Title: "Change to " + known[at], New: known[at]}}}}
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
