package main

import (
	"bytes"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	yaml "go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/api/types"
)

func TestThePublishedSchemaIsCurrent(t *testing.T) {
	published, err := os.ReadFile(filepath.Join("..", "..", "docs", "schema", "kustomization.json"))
	if err != nil {
		t.Fatal(err)
	}
	if made, err := kustomizationSchema(); err != nil || !bytes.Equal(made, published) {
		t.Errorf("docs/schema/kustomization.json is not what the table of fields gives (make docs writes it): %v", err)
	}
}

func TestKustomizationSchemaRefuses(t *testing.T) {
	schema := compiledKustomization(t)
	for content, valid := range map[string]bool{
		"{}":                  true,
		"resources: [a]":      true,
		"resources:":          true,
		"resource: [a]":       false,
		"resources: a":        false,
		"resources: [{a: b}]": false,
		"kind: Deployment":    false,
		"kind: Component":     true,
		"patches: [{path: a, target: {kind: X, labelSelector: a=b}, options: {allowNameChange: true}}]": true,
		"patches: [{paths: a}]":              false,
		"patches: [{file: a}]":               false, // a spelling of the proposal alone
		"images: [{name: a, newTag: 1.0}]":   false,
		"images: [{name: a, newTag: '1.0'}]": true,
		"commonLabels: {a: b}":               true,
		"commonLabels: {a: 1}":               false,
		"replicas: [{name: a, count: 2}]":    true,
		"replicas: [{name: a, count: '2'}]":  false,
		"replicas: [{count: 2}]":             false,
		"configMapGenerator: [{name: a, behavior: merge, mergeValues: [{key: a, format: json}]}]":                                                                 true,
		"configMapGenerator: [{name: a, behavior: append}]":                                                                                                       false,
		"helmCharts: [{name: a, valuesInline: {any: [thing]}}]":                                                                                                   true,
		"replacements: [{source: {kind: A, fieldPath: a.b}, targets: [{select: {name: x}, fieldPaths: [a], options: {delimiter: '/', index: 1, create: true}}]}]": true,
		"replacements: [{source: {fieldPaths: [a]}}]":                                                                                                             false,
	} {
		if got := accepts(t, schema, content); got != valid {
			t.Errorf("%s: accepted %v, want %v", content, got, valid)
		}
	}
}

// Where kustomize decodes a kustomization strictly, the schema finds no unknown
// field and no wrong type; a value without meaning or a missing one, which
// kustomize meets later or never, it may find. The example without mistakes it
// accepts as a whole. Where kustomize finds an unknown field, the schema refuses.
func TestKustomizationSchemaAgreesWithKustomize(t *testing.T) {
	schema := compiledKustomization(t)
	decoded, refused := 0, 0
	for where, content := range kustomizations(t) {
		var k types.Kustomization
		err := k.Unmarshal([]byte(content))
		keywords := failing(t, schema, content)
		switch {
		case strings.HasPrefix(where, "key-case"): // a schema cannot say that case does not matter
		case err == nil:
			decoded++
			if keywords["type"] || keywords["additionalProperties"] || strings.Contains(where, "shop") && len(keywords) > 0 {
				t.Errorf("%s is refused for %v:\n%s", where, keywords, content)
			}
		case strings.Contains(err.Error(), "unknown field") && !strings.Contains(content, "mergeValues"):
			refused++
			if len(keywords) == 0 {
				t.Errorf("%s is accepted, but %v:\n%s", where, err, content)
			}
		}
	}
	if decoded < 50 || refused < 1 {
		t.Errorf("only %d that decode and %d with unknown fields were found", decoded, refused)
	}
}

// kustomizations returns those of the examples and of the rules' fixtures, by
// where they are.
func kustomizations(t *testing.T) map[string]string {
	found := map[string]string{}
	examples, _ := filepath.Glob("../../examples/*/kustomization.yaml")
	deeper, _ := filepath.Glob("../../examples/*/*/kustomization.yaml")
	deepest, _ := filepath.Glob("../../examples/*/*/*/kustomization.yaml")
	for _, file := range append(append(examples, deeper...), deepest...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[file] = string(content)
	}
	fixtures, _ := filepath.Glob("../../analysis/rules/testdata/*.txtar")
	for _, path := range fixtures {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if filepath.Base(file.Name) == "kustomization.yaml" {
				found[filepath.Base(path)+"/"+file.Name] = withoutMarkers(string(file.Data))
			}
		}
	}
	return found
}

func withoutMarkers(content string) string {
	var b strings.Builder
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(strings.TrimSpace(line), "^") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func compiledKustomization(t *testing.T) *jsonschema.Schema {
	t.Helper()
	encoded, err := kustomizationSchema()
	if err != nil {
		t.Fatal(err)
	}
	// This holds it against the metaschema that $schema names.
	schema, err := jsonschema.CompileString(kustomizationID, string(encoded))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Draft != jsonschema.Draft2020 {
		t.Errorf("the draft is %v", schema.Draft)
	}
	return schema
}

func accepts(t *testing.T, schema *jsonschema.Schema, content string) bool {
	return len(failing(t, schema, content)) == 0
}

// failing returns the keywords that do not hold.
func failing(t *testing.T, schema *jsonschema.Schema, content string) map[string]bool {
	keywords := map[string]bool{}
	var value any
	if err := yaml.Unmarshal([]byte(content), &value); err != nil || value == nil {
		return keywords
	}
	var invalid *jsonschema.ValidationError
	errors.As(schema.Validate(value), &invalid)
	var visit func(*jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			keywords[path.Base(e.KeywordLocation)] = true
		}
		for _, cause := range e.Causes {
			visit(cause)
		}
	}
	if invalid != nil {
		visit(invalid)
	}
	return keywords
}
