package lsp_test

import (
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/lsp"
)

// typed is a tree with a text where a number belongs: in a resource file, and, by an
// inline patch, in the kustomization.
var typed = map[string]string{
	"kustomization.yaml": "resources: [deploy.yaml, marked.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/minReadySeconds, value: long}\n",
	"deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: two\n  selector: {matchLabels: {a: b}}\n" +
		"  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: a, image: b}]}\n",
	"marked.yaml": "# yaml-language-server: $schema=https://example.com/service.json\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: none}\n",
}

func withSchemas(o *lsp.Options) { o.Check.Schemas = analysis.NewSchemas() }

const (
	inResource = "deploy.yaml:4:12 warning schema-violation"
	inMarked   = "marked.yaml:4:14 warning schema-violation"
	inPatch    = "kustomization.yaml:4:52 warning schema-violation"
)

// TestSchemas holds resources against the schemas of Kubernetes, and leaves to
// yaml-language-server what that sees, too.
func TestSchemas(t *testing.T) {
	for _, test := range []struct {
		name    string
		initial map[string]any
		want    []string
	}{
		{"where nothing else is attached", nil, []string{inResource, inPatch}},
		{"beside yaml-language-server", map[string]any{"yamlLanguageServer": true}, []string{inPatch}},
		{"always", map[string]any{"yamlLanguageServer": true, "settings": map[string]any{"schema": "on"}}, []string{inResource, inMarked, inPatch}},
		{"never", map[string]any{"settings": map[string]any{"schema": "off"}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := open(t, setup{tree: typed, options: withSchemas, initial: test.initial})
			e.open("kustomization.yaml")
			e.settle("kustomization.yaml")
			e.expect(test.want...)
			e.quit()
		})
	}
}

// TestSchemasStay types elsewhere in a file with a violation: at no time is it gone,
// and it moves with the text.
func TestSchemasStay(t *testing.T) {
	e := open(t, setup{tree: typed, options: withSchemas, debounce: 20 * time.Millisecond})
	name := "kustomization.yaml"
	e.open(name)
	e.expect(inResource, inPatch)
	e.mutex.Lock()
	e.watch = func() {
		for _, path := range []string{root + "/" + name, root + "/deploy.yaml"} {
			if len(e.published[path]) == 0 {
				e.t.Errorf("nothing is shown in %s meanwhile", path)
			}
		}
	}
	e.mutex.Unlock()
	for _, typing := range []string{"# a\n", "namePrefix: a-\n", "# b\n", "nameSuffix: -b\n"} {
		e.replace(name, "resources:", typing+"resources:")
		e.settle(name)
	}
	e.expect(inResource, "kustomization.yaml:8:52 warning schema-violation")
	e.quit()
}
