package rules

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// isValidKey tells whether the API server takes the key (IsConfigMapKey of
// k8s.io/apimachinery). A regular expression that counts to 253 would be a tenth of
// the program's start.
func isValidKey(key string) bool {
	return key != "" && len(key) <= 253 && key != "." && !strings.HasPrefix(key, "..") && !strings.ContainsFunc(key, func(r rune) bool {
		return !strings.ContainsRune("-._", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

func invalidKeys(r *resource.Resource) (found []builder.Problem) {
	id := r.ID()
	if id.Group != "" || id.Kind != "ConfigMap" && id.Kind != "Secret" {
		return nil
	}
	for _, field := range []string{"data", "stringData", "binaryData"} {
		data := syntax.FieldAt(r.Node, field)
		if data == nil || data.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(data.Content); i += 2 {
			if key := data.Content[i]; !isValidKey(key.Value) && !schema.HoldsTemplate(key.Value) {
				found = append(found, builder.Problem{Node: key,
					Message: fmt.Sprintf("%q is not a valid key for a %s: keys consist of letters, digits, -, _ and .", key.Value, id.Kind)})
			}
		}
	}
	return found
}
