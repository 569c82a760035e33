package kustomization

import (
	"errors"
	"reflect"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	sigsyaml "sigs.k8s.io/yaml"
)

// upstreamReplacements does what ReplacementTransformerPlugin.Config does with
// the content of a file of replacements.
func upstreamReplacements(content []byte) ([]types.Replacement, error) {
	var any interface{}
	if err := sigsyaml.Unmarshal(content, &any); err != nil {
		return nil, err
	}
	switch reflect.ValueOf(any).Kind() {
	case reflect.Slice:
		list := []types.Replacement{}
		err := sigsyaml.Unmarshal(content, &list)
		return list, err
	case reflect.Map:
		one := types.Replacement{}
		err := sigsyaml.Unmarshal(content, &one)
		return []types.Replacement{one}, err
	}
	return nil, errors.New("unsupported replacement type")
}

func compareReplacements(t *testing.T, text string) bool {
	t.Helper()
	doc, ok := parse(text)
	if !ok {
		return false
	}
	want, err := upstreamReplacements([]byte(text))
	got, problems := ReadReplacements(doc)
	fatal := fatalOf(problems)
	if fatal != nil && fatal.Kind == NullEntry {
		return err == nil
	}
	if (err != nil) != (fatal != nil) {
		t.Errorf("%q\nkustomize: %v\nours: %+v", text, err, fatal)
	} else if got := convert(got, replacementOf); err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("%q\ngot  %+v\nwant %+v", text, got, want)
	}
	return err == nil
}

var replacementSeeds = []string{
	`source:
  kind: ConfigMap
  name: a
  namespace: b
  fieldPath: data.x
  options: {delimiter: "=", index: 1, encoding: x}
targets:
- select: {kind: Deployment, labelSelector: a=b, group: c}
  reject:
  - {name: web, annotationSelector: d}
  fieldPaths:
  - spec.replicas
  options: {create: true, delimiter: ":"}
`,
	`- &image
  source: {kind: A, version: v1}
  targets: [{select: {name: b}, fieldPaths: [c, d]}]
- sourceValue: x
  targets:
  - select: {kind: B}
- <<: *image
`,
}

func TestReadReplacementsAgreesWithKustomize(t *testing.T) {
	for _, text := range []string{
		"", "null", "[]", "{}", "a", "1", "[null]", "[a]", "{source: null}", "unknown: 1", "path: a", "source: {Kind: a}",
		"sourceValue: 1", "sourceValue: yes", "sourceValue: 1.10", "sourceValue: 0x10", "sourceValue: 1e30", "sourceValue: .nan",
		"sourceValue: 1.23456789", "sourceValue: 18446744073709551615", "sourceValue: null", "sourceValue: []", "sourceValue: 2001-01-01",
		"source: {kind: 1}", "source: {name: yes}", "source: {fieldPath: 1}", "source: {namespace: 1}", "source: {options: {index: '1'}}",
		"source: {options: {delimiter: 1, encoding: yes, index: 1.0}}", "targets: [{fieldPaths: [1, yes, 1.5, null]}]",
		"targets: [{select: {labelSelector: 1, annotationSelector: yes}}]", "targets: [{select: {kind: 1}}]", "targets: [{select: [{kind: a}]}]",
		"targets: [{select: {labelSelector: {a: b}}}]", "targets: [{select: {matchAnnotations: {a: b}}}]", "targets: {a: b}", "targets: [a]",
		"targets: [{options: {create: 'true'}}]", "source: a\nSource: {kind: b}", "source: {kind: a}\nSOURCE: {name: b}", "[{sourceValue: a, sourceValue: b}]",
	} {
		compareReplacements(t, text)
	}
	compareMutations(t, replacementSeeds, 2000, compareReplacements)
}
