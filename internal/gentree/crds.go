package gentree

import (
	"fmt"
	"strings"
)

// CRDRepository returns the files of a repository as operators have it: a base of custom resource definitions of about
// 100 KB each, and overlays that label all of them, patch one by its path and one by merging. The same numbers give the
// same bytes.
func CRDRepository(definitions, overlays int) map[string][]byte {
	t := tree{"base/kustomization.yaml": kustomization("resources:\n" + lines(definitions, "- %s.yaml\n"))}
	for i := range definitions {
		t["base/"+app(i)+".yaml"] = []byte(largeCRD(i))
	}
	for i := range overlays {
		t["overlays/"+app(i)+"/kustomization.yaml"] = kustomization("resources: [../../base]\nlabels:\n- pairs: {overlay: "+app(i)+"}\n",
			fmt.Sprintf(crdPatches, i%definitions, (i+1)%definitions))
	}
	return t
}

const crdPatches = `patches:
- target: {kind: CustomResourceDefinition, name: k%ds.example.com}
  patch: |-
    - op: add
      path: /metadata/annotations/cert-manager.io~1inject-ca-from
      value: system/serving-cert
- patch: |-
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: k%ds.example.com}
    spec:
      conversion:
        strategy: Webhook
        webhook:
          clientConfig: {service: {namespace: system, name: webhook-service, path: /convert}}
          conversionReviewVersions: [v1]
`

// largeCRD is a definition with a few hundred documented fields.
func largeCRD(number int) string {
	text := fmt.Sprintf(strings.Replace(crdTemplate, "metadata: {", "metadata: {annotations: {controller-gen.kubebuilder.io/version: v0.16.1}, ", 1), app(number), number)
	const small = "          spec: {type: object, properties: {size: {type: integer}}}\n"
	var spec strings.Builder
	spec.WriteString("          spec:\n            type: object\n            properties:\n")
	fieldsOfCRD(&spec, number, strings.Repeat(" ", 14), 3)
	return strings.Replace(text, small, spec.String(), 1)
}

// fieldsOfCRD writes the properties of an object, with as many levels below.
func fieldsOfCRD(out *strings.Builder, number int, indent string, levels int) {
	for i := range 6 {
		fmt.Fprintf(out, "%[1]sfield%[2]c:\n%[1]s  description: |-\n%[1]s    Field%[2]c says what the controller number %[3]d does with it.\n"+
			"%[1]s    It is used unless the field beside it is set, and defaults to what is best.\n\n%[1]s    More info: https://example.com/docs#%[2]c\n",
			indent, 'A'+i, number)
		switch {
		case levels > 1:
			fmt.Fprintf(out, "%[1]s  type: object\n%[1]s  properties:\n", indent)
			fieldsOfCRD(out, number, indent+"    ", levels-1)
		case i == 0:
			fmt.Fprintf(out, "%[1]s  type: integer\n%[1]s  format: int32\n%[1]s  maximum: 2147483647\n", indent)
		case i == 1:
			fmt.Fprintf(out, "%[1]s  anyOf:\n%[1]s  - type: integer\n%[1]s  - type: string\n%[1]s  pattern: ^(\\+|-)?[0-9]+(m|Ki)?$\n%[1]s  x-kubernetes-int-or-string: true\n", indent)
		default:
			fmt.Fprintf(out, "%[1]s  type: array\n%[1]s  items:\n%[1]s    type: string\n", indent)
		}
	}
}
