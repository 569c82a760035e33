package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/santhosh-tekuri/jsonschema/v5"
	yaml "go.yaml.in/yaml/v3"
)

// finding is a keyword of a schema that does not hold for a value.
type finding struct {
	schema  *jsonschema.Schema
	keyword string
	path    []string
	node    *yaml.Node
}

func (f finding) violations() []Violation {
	switch f.keyword {
	case "additionalProperties":
		return f.unknownFields()
	case "required":
		return f.missingFields()
	case "type":
		return f.one(WrongType, typeMessage(f.node, f.schema.Types), f.schema.Types)
	case "enum", "const":
		return f.notInEnum()
	case "format":
		return f.one(Malformed, formatMessage(f.node, f.schema.Format), nil)
	case "pattern":
		return f.one(Malformed, fmt.Sprintf("%s does not match the pattern `%s`", quoted(f.node.Value), f.schema.Pattern), nil)
	case "anyOf", "oneOf", "not":
		return f.one(Unsatisfied, choiceMessage(f.schema, f.keyword), nil)
	}
	if message := rangeMessage(f.schema, f.keyword, f.node); message != "" {
		return f.one(OutOfRange, message, nil)
	}
	return f.one(Unsatisfied, "the schema does not allow this value", nil)
}

func (f finding) one(kind ViolationKind, message string, expected []string) []Violation {
	return []Violation{{Kind: kind, Path: f.path, Node: f.node, Message: message, Expected: expected}}
}

func (f finding) unknownFields() []Violation {
	known := slices.Sorted(maps.Keys(f.schema.Properties))
	var violations []Violation
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		key, value := f.node.Content[i], f.node.Content[i+1]
		if f.schema.Properties[key.Value] == nil && toValue(value, 0) != nil && !isPlaceholderKey(key, value) {
			violations = append(violations, unknownField(f.path, f.node, key, known))
		}
	}
	return violations
}

func unknownField(path []string, mapping, key *yaml.Node, known []string) Violation {
	nearest, _ := text.Nearest(key.Value, known)
	if childAt(mapping, nearest) >= 0 {
		nearest = "" // what is there already was not meant
	}
	message := fmt.Sprintf("unknown field `%s`%s", key.Value, in(path))
	if nearest != "" {
		message += fmt.Sprintf("; did you mean `%s`?", nearest)
	}
	return Violation{
		Kind: UnknownField, Path: with(path, key.Value), Node: key,
		Message: message, Nearest: nearest, Expected: known,
	}
}

func (f finding) missingFields() []Violation {
	var violations []Violation
	for _, name := range f.schema.Required {
		if at := childAt(f.node, name); at >= 0 && toValue(f.node.Content[at], 0) != nil {
			continue
		}
		violations = append(violations, Violation{
			Kind: MissingField, Path: with(f.path, name), Node: f.node,
			Message:  fmt.Sprintf("the required field `%s` is missing%s", name, in(f.path)),
			Expected: []string{name},
		})
	}
	return violations
}

func (f finding) notInEnum() []Violation {
	var allowed []string
	for _, value := range slices.Concat(f.schema.Enum, f.schema.Constant) {
		if value != "" && value != nil {
			allowed = append(allowed, scalarText(value))
		}
	}
	nearest, _ := text.Nearest(f.node.Value, allowed)
	message := fmt.Sprintf("%s is not allowed here; it must be %s", describeValue(f.node), alternatives(quoteAll(allowed)))
	v := f.one(NotInEnum, message, allowed)
	v[0].Nearest = nearest
	return v
}

func scalarText(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	encoded, _ := json.Marshal(value)
	return string(encoded)
}

func typeMessage(n *yaml.Node, types []string) string {
	message := fmt.Sprintf("%s must be %s", describeValue(n), alternatives(typeNames(types)))
	if n.Kind == yaml.ScalarNode && slices.Contains(types, "string") && toValue(n, 0) != nil {
		message += "; quote it"
	}
	return message
}

// describeValue names a value by its text and type, in the words of YAML.
func describeValue(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch toScalar(n).(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %s", quoted(n.Value))
	case string:
		return fmt.Sprintf("the string %s", quoted(n.Value))
	}
	return fmt.Sprintf("the number %s", quoted(n.Value))
}

func typeNames(types []string) []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = map[string]string{
			"object": "a mapping", "array": "a list", "string": "a string", "boolean": "a boolean",
			"integer": "an integer", "number": "a number", "null": "null",
		}[t]
	}
	return names
}

func formatMessage(n *yaml.Node, format string) string {
	value := quoted(n.Value)
	switch format {
	case "byte":
		return value + " is not base64, in which this field is written"
	case "quantity":
		return value + " is not a quantity, such as `500m` or `1Gi`"
	case "int32", "int-or-string":
		return value + " does not fit into 32 bits"
	case "int64":
		return value + " does not fit into 64 bits"
	case "time", "date-time":
		return value + " is not a time as RFC 3339 writes it, such as `2026-01-31T12:00:00Z`"
	case "duration":
		return value + " is not a duration, such as `1h30m`"
	}
	return fmt.Sprintf("%s is not of the format `%s`", value, format)
}

// choiceMessage tells of alternatives that are nothing but required fields
// which fields those are.
func choiceMessage(s *jsonschema.Schema, keyword string) string {
	list := map[string][]*jsonschema.Schema{"anyOf": s.AnyOf, "oneOf": s.OneOf}[keyword]
	var fields []string
	for _, alternative := range list {
		if len(alternative.Required) > 0 {
			fields = append(fields, strings.Join(quoteAll(alternative.Required), " with "))
		}
	}
	switch {
	case keyword == "not":
		return "the schema excludes this value"
	case len(fields) < len(list) && keyword == "anyOf":
		return fmt.Sprintf("this fits none of the %d forms that the schema allows", len(list))
	case len(fields) < len(list):
		return fmt.Sprintf("this does not fit exactly one of the %d forms that the schema allows", len(list))
	case keyword == "anyOf":
		return fmt.Sprintf("at least one of these must be set: %s", strings.Join(fields, ", "))
	}
	return fmt.Sprintf("exactly one of these must be set: %s", strings.Join(fields, ", "))
}

// rangeMessage returns the empty string for other keywords.
func rangeMessage(s *jsonschema.Schema, keyword string, n *yaml.Node) string {
	value := quoted(n.Value)
	switch keyword {
	case "minimum":
		return fmt.Sprintf("%s is too small; the least is %s", value, decimal(s.Minimum))
	case "exclusiveMinimum":
		return fmt.Sprintf("%s is too small; it must be more than %s", value, decimal(s.ExclusiveMinimum))
	case "maximum":
		return fmt.Sprintf("%s is too great; the greatest is %s", value, decimal(s.Maximum))
	case "exclusiveMaximum":
		return fmt.Sprintf("%s is too great; it must be less than %s", value, decimal(s.ExclusiveMaximum))
	case "multipleOf":
		return fmt.Sprintf("%s is not a multiple of %s", value, decimal(s.MultipleOf))
	case "minLength":
		return fmt.Sprintf("%s is too short; it must have at least %s", value, count(s.MinLength, "character"))
	case "maxLength":
		return fmt.Sprintf("the text is too long; it can have at most %s", count(s.MaxLength, "character"))
	case "minItems":
		return fmt.Sprintf("the list is too short; it must have at least %s", count(s.MinItems, "entry"))
	case "maxItems":
		return fmt.Sprintf("the list is too long; it can have at most %s", count(s.MaxItems, "entry"))
	case "minProperties":
		return fmt.Sprintf("the mapping must have at least %s", count(s.MinProperties, "key"))
	case "maxProperties":
		return fmt.Sprintf("the mapping can have at most %s", count(s.MaxProperties, "key"))
	}
	return ""
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if noun == "entry" {
		noun = "entrie"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// longest is how many runes of a value a message repeats.
const longest = 60

func quoted(s string) string {
	runes := []rune(s)
	if len(runes) > longest {
		s = string(runes[:longest]) + "…"
	}
	return strconv.Quote(s)
}

func quoteAll(words []string) []string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = "`" + word + "`"
	}
	return all
}

// alternatives joins words: a, b or c.
func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// in names where a field is, without the indices of lists: the same mistake, made
// by one patch in several resources, is to read the same.
func in(path []string) string {
	names := slices.DeleteFunc(slices.Clone(path), func(segment string) bool {
		_, err := strconv.Atoi(segment)
		return err == nil
	})
	if len(names) == 0 {
		return ""
	}
	return " in `" + strings.Join(names, ".") + "`"
}

func with(path []string, segment string) []string {
	return append(slices.Clone(path), segment)
}
