package kubernetes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	yaml "go.yaml.in/yaml/v3"
)

// Definitions is a custom OpenAPI document, as named by `openapi: path:`.
type Definitions struct {
	definitions map[string]*customType
	resources   map[groupVersionKind]*customType
	namespaced  map[groupVersionKind]bool
}

type groupVersionKind struct{ apiVersion, kind string }

// customType is one schema of a custom document.
type customType struct {
	ref         string // the JSON pointer of $ref
	fields      map[string]*customType
	rest        *customType
	elements    *customType
	associative bool
	keys        []string
}

// ParseDefinitions reads an OpenAPI v2 document in JSON or YAML. The error
// says why it is not one: it is the user's mistake, on which kustomize panics
// with "invalid schema file" (kyaml openapi.initSchema).
func ParseDefinitions(text []byte) (*Definitions, error) {
	if !bytes.HasPrefix(text, []byte("{")) {
		var err error
		if text, err = yamlToJSON(text); err != nil {
			return nil, err
		}
	}
	var document openAPI
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	return document.index(), nil
}

func yamlToJSON(text []byte) ([]byte, error) {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	converted, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("cannot be converted to JSON: %w", err)
	}
	return converted, nil
}

// openAPI holds the parts of an OpenAPI v2 document that are of use here.
type openAPI struct {
	Definitions map[string]*openAPISchema `json:"definitions"`
	Paths       map[string]struct {
		Get *struct {
			GroupVersionKind any `json:"x-kubernetes-group-version-kind"`
		} `json:"get"`
	} `json:"paths"`
}

type openAPISchema struct {
	Ref                  string                    `json:"$ref"`
	Type                 any                       `json:"type"`
	Properties           map[string]*openAPISchema `json:"properties"`
	AdditionalProperties schemaOrOther             `json:"additionalProperties"`
	Items                schemaOrOther             `json:"items"`
	GroupVersionKind     any                       `json:"x-kubernetes-group-version-kind"`
	PatchStrategy        any                       `json:"x-kubernetes-patch-strategy"`
	PatchMergeKey        any                       `json:"x-kubernetes-patch-merge-key"`
	ListMapKeys          any                       `json:"x-kubernetes-list-map-keys"`
}

// schemaOrOther is a schema where OpenAPI also allows a boolean or a list of
// schemas, neither of which says anything about merging.
type schemaOrOther struct{ schema *openAPISchema }

func (s *schemaOrOther) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(text, []byte("{")) {
		return nil
	}
	return json.Unmarshal(text, &s.schema)
}

func (d *openAPI) index() *Definitions {
	result := &Definitions{
		definitions: make(map[string]*customType, len(d.Definitions)),
		resources:   map[groupVersionKind]*customType{},
		namespaced:  map[groupVersionKind]bool{},
	}
	for name, schema := range d.Definitions {
		converted := schema.convert()
		if converted == nil {
			continue
		}
		result.definitions[name] = converted
		list, _ := schema.GroupVersionKind.([]any)
		for _, entry := range list {
			if gvk, ok := parseGroupVersionKind(entry); ok {
				result.resources[gvk] = converted
			}
		}
	}
	for path, item := range d.Paths {
		if item.Get == nil {
			continue
		}
		// One path with a namespace in it is enough: a kind also has paths
		// that list it in all namespaces.
		if gvk, ok := parseGroupVersionKind(item.Get.GroupVersionKind); ok {
			inNamespace := strings.Contains(path, "namespaces/{namespace}")
			result.namespaced[gvk] = result.namespaced[gvk] || inNamespace
		}
	}
	return result
}

func parseGroupVersionKind(value any) (groupVersionKind, bool) {
	entry, ok := value.(map[string]any)
	if !ok {
		return groupVersionKind{}, false
	}
	version, ok := entry["version"].(string)
	kind, ok2 := entry["kind"].(string)
	if !ok || !ok2 {
		return groupVersionKind{}, false
	}
	if group, _ := entry["group"].(string); group != "" {
		version = group + "/" + version
	}
	return groupVersionKind{apiVersion: version, kind: kind}, true
}

func (s *openAPISchema) convert() *customType {
	if s == nil {
		return nil
	}
	converted := &customType{ref: s.Ref, rest: s.AdditionalProperties.schema.convert()}
	if len(s.Properties) > 0 {
		converted.fields = make(map[string]*customType, len(s.Properties))
	}
	for name, property := range s.Properties {
		converted.fields[name] = property.convert()
	}
	if s.isArray() {
		converted.elements = s.Items.schema.convert()
	}
	converted.associative, converted.keys = s.mergeKeys()
	return converted
}

func (s *openAPISchema) isArray() bool {
	if list, ok := s.Type.([]any); ok && len(list) == 1 {
		return list[0] == "array"
	}
	return s.Type == "array"
}

// mergeKeys reads the extensions as kyaml's PatchStrategyAndKeyList does:
// without a patch strategy nothing merges, and the plural of keys wins.
func (s *openAPISchema) mergeKeys() (associative bool, keys []string) {
	strategy, _ := s.PatchStrategy.(string)
	for _, word := range strings.Split(strategy, ",") {
		associative = associative || word == "merge"
	}
	if !associative {
		return false, nil
	}
	if list, ok := s.ListMapKeys.([]any); ok {
		for _, key := range list {
			if name, ok := key.(string); ok {
				keys = append(keys, name)
			}
		}
		return true, keys
	}
	if key, ok := s.PatchMergeKey.(string); ok {
		keys = []string{key}
	}
	return true, keys
}

func (t *customType) field(name string) *customType {
	if field, ok := t.fields[name]; ok {
		return field
	}
	return t.rest
}

// resolve follows references until a schema that is none. A reference that
// leads nowhere, or in a circle, gives the unknown type (kyaml never returns
// from a circle).
func (s Schema) resolve(t *customType) Type {
	resolved := s.ofCustom(t)
	for range 100 {
		if resolved.custom == nil || resolved.custom.ref == "" {
			return resolved
		}
		name, ok := strings.CutPrefix(resolved.custom.ref, "#/definitions/")
		if !ok {
			return Type{}
		}
		resolved = s.definition(jsonpointer.Unescape(name))
	}
	return Type{}
}
