package main

import (
	"encoding/json"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// kustomizationID is the name by which the schema of the kustomization file
// goes.
const kustomizationID = "https://raw.githubusercontent.com/kustomize-lsp/kls/main/docs/schema/kustomization.json"

// kustomizationSchema returns the JSON Schema, of draft 2020-12, of the kustomization
// file, as kustomize v5.8.2 decodes it and with what only kls has. It is made
// from the table of fields by which kls reads the file. What a schema cannot
// say is not in it: that the case of keys does not matter, nor that of the
// formats of mergeValues, and which fields exclude each other.
func kustomizationSchema() ([]byte, error) {
	definitions := map[string]any{}
	schema := structSchema(kustomization.Fields(), definitions)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["$id"] = kustomizationID
	schema["title"] = "kustomization.yaml"
	schema["$defs"] = definitions
	encoded, err := json.MarshalIndent(schema, "", "  ")
	return append(encoded, '\n'), err
}

func structSchema(s *kustomization.Struct, definitions map[string]any) map[string]any {
	properties := map[string]any{}
	var required []string
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Support == kustomization.InProposalOnly {
			continue
		}
		properties[f.Name] = fieldSchema(f, definitions)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	schema := map[string]any{
		"type": nullable("object"), "description": s.Doc, "properties": properties, "additionalProperties": false,
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

func fieldSchema(f *kustomization.Field, definitions map[string]any) map[string]any {
	schema := typeSchema(f.Type, f, definitions)
	schema["description"] = fieldText(f)
	if f.Type == kustomization.TypeList {
		schema["items"] = typeSchema(f.Element, f, definitions)
	}
	if f.Deprecated {
		schema["deprecated"] = true
	}
	if f.Default != "" && f.Type == kustomization.TypeText {
		schema["default"] = f.Default
	}
	return schema
}

func fieldText(f *kustomization.Field) string {
	text := f.Doc
	if f.Deprecated && f.ReplacedBy != "" {
		text += " Deprecated: `" + f.ReplacedBy + "` takes its place."
	}
	if f.Since != "" {
		text += " Since kustomize " + f.Since + "."
	}
	return text
}

// typeSchema is the schema of a field's value, or of its entries. kustomize
// takes null for any value, as if the field were missing.
func typeSchema(t kustomization.Type, f *kustomization.Field, definitions map[string]any) map[string]any {
	switch t {
	case kustomization.TypeBool:
		return map[string]any{"type": nullable("boolean")}
	case kustomization.TypeInteger:
		return map[string]any{"type": nullable("integer")}
	case kustomization.TypeNumber:
		return map[string]any{"type": nullable("number")}
	case kustomization.TypeList:
		return map[string]any{"type": nullable("array")}
	case kustomization.TypeObject:
		return referenceTo(f.Struct, definitions)
	case kustomization.TypeTextMap:
		return map[string]any{"type": nullable("object"), "additionalProperties": map[string]any{"type": nullable("string")}}
	case kustomization.TypeFree:
		return map[string]any{"type": nullable("object")}
	}
	return textSchema(f)
}

// textSchema offers the values that have a meaning; kustomize decodes others,
// and refuses them or does nothing about them later.
func textSchema(f *kustomization.Field) map[string]any {
	schema := map[string]any{"type": nullable("string")}
	if len(f.Enum) > 0 {
		values := []any{"", nil}
		for _, value := range f.Enum {
			values = append(values, value)
		}
		schema["enum"] = values
	}
	return schema
}

func referenceTo(s *kustomization.Struct, definitions map[string]any) map[string]any {
	if _, ok := definitions[s.Name]; !ok {
		definitions[s.Name] = nil // ends a recursion
		definitions[s.Name] = structSchema(s, definitions)
	}
	return map[string]any{"$ref": "#/$defs/" + s.Name}
}

func nullable(name string) []string { return []string{name, "null"} }
