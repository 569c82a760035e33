package kubernetes

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

var update = flag.Bool("update", false, "write table_generated.go anew")

const tableFile = "table_generated.go"

// The tables are generated from the OpenAPI document that kyaml carries, so a
// new kyaml that changes it fails here until `go generate` has been run.
func TestTableIsCurrent(t *testing.T) {
	want := generateTable(t)
	if *update {
		if err := os.WriteFile(tableFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what kyaml's OpenAPI document gives: run go generate", tableFile)
	}
}

// generator numbers the types of a document and collects their rows.
type generator struct {
	schema     *spec.Schema
	names      []string
	ids        map[string]int // definition name to type number
	rows       []string       // by type number
	anonymous  map[string]int // row of a type without a name to its number
	fields     []string
	fieldRuns  map[string]int // equal runs of fields are stored once
	strategies []string
}

func generateTable(t *testing.T) []byte {
	kubernetes, kustomization := definitionNamesByOrigin(t)
	g := &generator{
		schema:     openapi.Schema(),
		names:      append(kubernetes, kustomization...),
		ids:        map[string]int{},
		anonymous:  map[string]int{},
		fieldRuns:  map[string]int{},
		rows:       []string{"{}"},
		strategies: []string{"{}"},
	}
	for i, name := range g.names {
		g.ids[name] = i + 1
		g.rows = append(g.rows, "")
	}
	for i, name := range g.names {
		definition := g.schema.Definitions[name]
		g.rows[i+1] = g.row(&definition)
	}

	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated from kyaml's OpenAPI document by go generate; DO NOT EDIT.\n\npackage kubernetes\n\n")
	fmt.Fprintf(&out, "// kustomizationStart is the index of the first name that is of kustomize's own kinds.\nconst kustomizationStart = %d\n\n", len(kubernetes))
	writeArray(&out, "definitionNames", "string", quoted(g.names))
	writeArray(&out, "types", "typeRow", g.rows)
	writeArray(&out, "fields", "fieldRow", g.fields)
	writeArray(&out, "strategies", "strategyRow", g.strategies)
	writeArray(&out, "kubernetesResources", "resourceRow", g.resources(kubernetes))
	writeArray(&out, "kustomizationResources", "resourceRow", g.resources(kustomization))
	writeArray(&out, "scopes", "scopeRow", scopeRows(t))
	source, err := format.Source(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// definitionNamesByOrigin returns the sorted names of the definitions of
// Kubernetes and of those that kyaml always adds for kustomize's own kinds.
func definitionNamesByOrigin(t *testing.T) (kubernetes, kustomization []string) {
	t.Helper()
	empty := []byte(`{"definitions": {}}`)
	if err := openapi.SetSchema(nil, empty, true); err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for name := range openapi.Schema().Definitions {
		own[name] = true
		kustomization = append(kustomization, name)
	}
	openapi.ResetOpenAPI()
	for name := range openapi.Schema().Definitions {
		if !own[name] {
			kubernetes = append(kubernetes, name)
		}
	}
	sort.Strings(kubernetes)
	sort.Strings(kustomization)
	return kubernetes, kustomization
}

// id returns the number of the type of a property or of a list's elements.
func (g *generator) id(s *spec.Schema) int {
	if s == nil {
		return 0
	}
	if ref := s.Ref.String(); ref != "" {
		return g.ids[strings.TrimPrefix(ref, "#/definitions/")]
	}
	row := g.row(s)
	if known, ok := g.anonymous[row]; ok {
		return known
	}
	g.rows = append(g.rows, row)
	g.anonymous[row] = len(g.rows) - 1
	return len(g.rows) - 1
}

func (g *generator) row(s *spec.Schema) string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	var run []string
	for _, name := range names {
		property := s.Properties[name]
		run = append(run, fmt.Sprintf("{%q, %d}", name, g.id(&property)))
	}
	var rest, elements int
	if s.AdditionalProperties != nil {
		rest = g.id(s.AdditionalProperties.Schema)
	}
	strategy := g.strategy(s)
	// Only the elements of lists that merge are ever visited.
	if strategy != 0 && s.Items != nil && len(s.Type) == 1 && s.Type[0] == "array" {
		elements = g.id(s.Items.Schema)
	}
	return fmt.Sprintf("{%d, %d, %d, %d, %d}", g.fieldRun(run), len(run), rest, elements, strategy)
}

func (g *generator) fieldRun(run []string) int {
	if len(run) == 0 {
		return 0
	}
	key := strings.Join(run, ",")
	if start, ok := g.fieldRuns[key]; ok {
		return start
	}
	start := len(g.fields)
	g.fieldRuns[key] = start
	g.fields = append(g.fields, run...)
	return start
}

func (g *generator) strategy(s *spec.Schema) int {
	resource := openapi.ResourceSchema{Schema: s}
	name, keys := resource.PatchStrategyAndKeyList()
	associative := false
	for _, word := range strings.Split(name, ",") {
		associative = associative || word == "merge"
	}
	if !associative {
		return 0
	}
	row := "{true, nil}"
	if len(keys) > 0 {
		row = fmt.Sprintf("{true, []string{%s}}", strings.Join(quoted(keys), ", "))
	}
	for i, known := range g.strategies {
		if known == row {
			return i
		}
	}
	g.strategies = append(g.strategies, row)
	return len(g.strategies) - 1
}

func (g *generator) resources(names []string) []string {
	var rows []resourceRow
	for _, name := range names {
		definition := g.schema.Definitions[name]
		list, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]any)
		for _, entry := range list {
			if gvk, ok := parseGroupVersionKind(entry); ok {
				rows = append(rows, resourceRow{gvk.apiVersion, gvk.kind, typeID(g.ids[name])})
			}
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		return before(rows[i].apiVersion, rows[i].kind, rows[j].apiVersion, rows[j].kind)
	})
	var text []string
	for _, row := range rows {
		text = append(text, fmt.Sprintf("{%q, %q, %d}", row.apiVersion, row.kind, row.id))
	}
	return text
}

// scopeRows asks kyaml for the scope of every kind in its table, which holds
// some that its OpenAPI document lacks.
func scopeRows(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(kyamlFolder(t), "openapi/openapi.go"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []scopeRow
	entry := regexp.MustCompile(`\{APIVersion: "([^"]+)", Kind: "([^"]+)"\}:`)
	for _, match := range entry.FindAllStringSubmatch(string(source), -1) {
		meta := kyaml.TypeMeta{APIVersion: match[1], Kind: match[2]}
		if namespaced, known := openapi.IsNamespaceScoped(meta); known {
			rows = append(rows, scopeRow{meta.APIVersion, meta.Kind, namespaced})
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		return before(rows[i].apiVersion, rows[i].kind, rows[j].apiVersion, rows[j].kind)
	})
	var text []string
	for _, row := range rows {
		text = append(text, fmt.Sprintf("{%q, %q, %v}", row.apiVersion, row.kind, row.namespaced))
	}
	return text
}

// kyamlFolder returns where the module cache holds kyaml's source.
func kyamlFolder(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kustomize/kyaml").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func quoted(words []string) []string {
	var result []string
	for _, word := range words {
		result = append(result, fmt.Sprintf("%q", word))
	}
	return result
}

// writeArray writes rows, as many on a line as fit in about 100 columns.
func writeArray(out *bytes.Buffer, name, element string, rows []string) {
	fmt.Fprintf(out, "var %s = [...]%s{\n", name, element)
	width := 0
	for _, row := range rows {
		if width > 0 && width+len(row) > 100 {
			out.WriteString("\n")
			width = 0
		}
		fmt.Fprintf(out, "%s, ", row)
		width += len(row) + 2
	}
	out.WriteString("\n}\n\n")
}
