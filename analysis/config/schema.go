package config

import (
	"encoding/json"

	"github.com/kustomize-lsp/kls/schema"
)

// SchemaID is the name by which the schema of the file goes.
const SchemaID = "https://raw.githubusercontent.com/kustomize-lsp/kls/main/docs/schema/kls.json"

// RuleInfo is what the schema says about a rule.
type RuleInfo struct{ Name, Title, Severity string }

// Schema returns the JSON Schema, of draft 2020-12, of the file. It is made from
// the table by which the file is read.
func Schema(rules []RuleInfo) ([]byte, error) {
	root := objectSchema(fileFields(), rules)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = SchemaID
	root["title"] = FileName
	root["type"] = []string{"object", "null"}
	encoded, err := json.MarshalIndent(root, "", "  ")
	return append(encoded, '\n'), err
}

func objectSchema(fields []field, rules []RuleInfo) map[string]any {
	properties := map[string]any{}
	made := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	for _, f := range fields {
		s := fieldSchema(f, rules)
		s["description"] = f.doc
		properties[f.name] = s
		if f.name == "paths" {
			made["required"] = []string{f.name}
		}
	}
	return made
}

func fieldSchema(f field, rules []RuleInfo) map[string]any {
	switch f.kind {
	case kindObject:
		return objectSchema(f.object, rules)
	case kindObjects:
		return map[string]any{"type": "array", "items": objectSchema(f.object, rules)}
	case kindChoice:
		return map[string]any{"enum": f.choices}
	case kindBool:
		return map[string]any{"type": "boolean"}
	case kindTexts:
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	case kindGlobs:
		return map[string]any{"type": "array", "items": map[string]any{"type": "string", "pattern": "^[^/]"}}
	case kindLabels:
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
	case kindPaths:
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"},
			"propertyNames": map[string]any{"pattern": "^[^/]+/[^/]+/[^/]+$"}}
	case kindRules:
		return rulesSchema(rules)
	case kindVersion:
		s := map[string]any{"type": []string{"string", "number"}, "pattern": versionPattern}
		if f.name == "kubernetes" {
			s["examples"] = schema.Versions()
		}
		return s
	}
	return map[string]any{"type": "string"}
}

func rulesSchema(rules []RuleInfo) map[string]any {
	properties := map[string]any{}
	for _, r := range rules {
		properties[r.Name] = map[string]any{"enum": levels, "description": r.Title + ".", "default": r.Severity}
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}
