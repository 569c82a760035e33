package workspace_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// TestNameOf tells kustomizations from whatever else people write into a new document.
func TestNameOf(t *testing.T) {
	for content, isKustomization := range map[string]bool{
		"":                      false,
		"kind: Kustomization\n": true,
		"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Compon": true,
		"resources:\n- a.yaml\nnamePrefx: x\n":                       true,
		"# mine\nnamePrefix: x\npatches:\n- patch: [\n":              true,
		"resources:\n- \n": true,
		"configMapGenerator:\n- name: a\nfoo: 1\nbar: 1\nbaz: 1\n":                         false,
		"apiVersion: v1\nkind: Service\n":                                                  false,
		"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nresources: []\n": false,
		"openapi: 3.1.0\ncomponents: {}\ninfo: {}\n":                                       false,
		"resources:\n  limits: {cpu: 1}\nimage: {tag: x}\n":                                false,
		"services:\n  web: {image: x}\nconfigs: {}\n":                                      false,
		"- a\n- b\n":  false,
		"some words":  false,
		"metadata: x": false,
	} {
		if got := workspace.IsKustomization("/" + workspace.NameForText([]byte(content))); got != isKustomization {
			t.Errorf("%q is a kustomization: %v", content, got)
		}
	}
}
