package schema

import (
	"regexp"
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

// structural converts the structural schemas of custom resource definitions to
// JSON Schema. Objects become closed, because the API server drops fields that
// are not in the schema and strict validation tells of them. What JSON Schema
// would refuse, such as a pattern that does not compile, is left out.
type structural struct {
	open  bool // unknown fields are kept everywhere
	depth int
}

// root adds what every resource has: a definition need not, and mostly cannot,
// say anything about it.
func (s structural) root(n *yaml.Node) map[string]any {
	schema := s.convert(n, nil, false)
	if n == nil {
		delete(schema, "additionalProperties")
	}
	schema["type"] = "object"
	s.addHeader(schema)
	return schema
}

func (s structural) addHeader(schema map[string]any) {
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		properties = map[string]any{}
		schema["properties"] = properties
	}
	properties["apiVersion"] = map[string]any{"type": "string"}
	properties["kind"] = map[string]any{"type": "string"}
	properties["metadata"] = map[string]any{referenceKeyword: objectMeta}
}

// convert makes the schema of a value. Within allOf, anyOf, oneOf and not
// (junctor), a schema only adds conditions and drops nothing; a junctor is about
// the same object, whose fields with a default (filled) are then there.
func (s structural) convert(n *yaml.Node, filled []string, junctor bool) map[string]any {
	s.depth++
	schema := map[string]any{}
	n = resolved(n)
	if n == nil || n.Kind != yaml.MappingNode || s.depth > deepest {
		return schema
	}
	filled = append(slices.Clip(filled), withDefault(n)...)
	s.addType(schema, n)
	s.addConditions(schema, n, filled)
	s.addChildren(schema, n, junctor)
	for _, keyword := range choices {
		s.addChoice(schema, n, keyword, filled)
	}
	s.addChoice(schema, n, "allOf", filled)
	if description := textOf(n, "description"); description != "" {
		schema["description"] = description
	}
	return schema
}

func (s structural) addType(schema map[string]any, n *yaml.Node) {
	var types []string
	switch t := textOf(n, "type"); {
	case isTrue(n, "x-kubernetes-int-or-string"):
		types = []string{"integer", "string"}
	case t == "object", t == "array", t == "string", t == "integer", t == "number", t == "boolean":
		types = []string{t}
	default:
		return
	}
	if isTrue(n, "nullable") {
		types = append(types, "null")
	}
	schema["type"] = types
}

// conditions are keywords that JSON Schema has with the same meaning, with the
// type of their operand.
var conditions = map[string]string{
	"multipleOf": "number", "minimum": "number", "maximum": "number",
	"minLength": "count", "maxLength": "count", "minItems": "count", "maxItems": "count",
	"minProperties": "count", "maxProperties": "count",
}

func (s structural) addConditions(schema map[string]any, n *yaml.Node, filled []string) {
	for keyword, operand := range conditions {
		if value := toValue(field(n, keyword), 0); isNumber(value, operand == "count") {
			schema[keyword] = value
		}
	}
	exclude(schema, n, "minimum", "exclusiveMinimum")
	exclude(schema, n, "maximum", "exclusiveMaximum")
	if pattern := textOf(n, "pattern"); pattern != "" {
		if _, err := regexp.Compile(pattern); err == nil {
			schema["pattern"] = pattern
		}
	}
	if format := textOf(n, "format"); customFormats[format] {
		schema["format"] = format
	}
	if values, ok := toValue(field(n, "enum"), 0).([]any); ok && len(values) > 0 {
		if isTrue(n, "nullable") {
			values = append(values, nil)
		}
		schema["enum"] = values
	}
	required := slices.DeleteFunc(texts(field(n, "required")), func(name string) bool { return slices.Contains(filled, name) })
	if len(required) > 0 {
		schema["required"] = required
	}
}

// withDefault returns the fields of an object that have a default: the API
// server fills them in before it validates, so they are never missing.
func withDefault(n *yaml.Node) []string {
	var names []string
	if properties := field(n, "properties"); properties != nil && properties.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(properties.Content); i += 2 {
			if field(properties.Content[i+1], "default") != nil {
				names = append(names, properties.Content[i].Value)
			}
		}
	}
	return names
}

// customFormats are the formats that the API server checks in custom resources
// and that are checked here. It ignores those it does not know.
var customFormats = map[string]bool{
	"int32": true, "int64": true, "byte": true, "date-time": true, "date": true, "duration": true,
	"ipv4": true, "ipv6": true, "cidr": true,
}

func isNumber(value any, isCount bool) bool {
	switch number := value.(type) {
	case int64:
		return !isCount || number >= 0
	case float64:
		return !isCount
	}
	return false
}

// exclude turns OpenAPI's flag beside a bound into JSON Schema's own bound.
func exclude(schema map[string]any, n *yaml.Node, bound, exclusive string) {
	if value, ok := schema[bound]; ok && isTrue(n, exclusive) {
		delete(schema, bound)
		schema[exclusive] = value
	}
}

func (s structural) addChildren(schema map[string]any, n *yaml.Node, junctor bool) {
	properties := map[string]any{}
	if listed := field(n, "properties"); listed != nil && listed.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(listed.Content); i += 2 {
			properties[listed.Content[i].Value] = s.convert(listed.Content[i+1], nil, junctor)
		}
		schema["properties"] = properties
	}
	if items := field(n, "items"); items != nil {
		schema["items"] = s.convert(items, nil, junctor)
	}
	more := field(n, "additionalProperties")
	switch {
	case more != nil && more.Kind == yaml.MappingNode:
		schema["additionalProperties"] = s.convert(more, nil, junctor)
	case more != nil && toValue(more, 0) == true:
	case !junctor && !s.open && !isTrue(n, "x-kubernetes-preserve-unknown-fields") && textOf(n, "type") == "object":
		schema["additionalProperties"] = false
	}
	if isTrue(n, "x-kubernetes-embedded-resource") {
		s.addHeader(schema)
		required, _ := schema["required"].([]string)
		schema["required"] = append(required, "apiVersion", "kind")
	}
}

func (s structural) addChoice(schema map[string]any, n *yaml.Node, keyword string, filled []string) {
	said := field(n, keyword)
	switch {
	case said == nil:
	case keyword == "not":
		schema[keyword] = s.convert(said, filled, true)
	case said.Kind == yaml.SequenceNode && len(said.Content) > 0:
		var list []any
		for _, alternative := range said.Content {
			list = append(list, s.convert(alternative, filled, true))
		}
		schema[keyword] = list
	}
}

func isTrue(n *yaml.Node, name string) bool {
	value := field(n, name)
	return value != nil && toValue(value, 0) == true
}

// texts returns the distinct strings of a list.
func texts(list *yaml.Node) []string {
	var found []string
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	seen := map[string]bool{}
	for _, entry := range list.Content {
		if s, ok := toValue(entry, 0).(string); ok && !seen[s] {
			seen[s] = true
			found = append(found, s)
		}
	}
	return found
}
