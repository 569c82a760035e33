package schema

import (
	"encoding/json"
	"math"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// shape is a schema in the form in which it is found soonest that nothing is wrong
// with a resource, which is so of almost all: straight on the nodes, and without
// compiling anything. What a shape does not accept may be right all the same; the
// schema itself has to tell.
type shape struct {
	// beyond is true where the schema says something that a shape does not have.
	beyond bool

	types      typeSet // 0 for any
	format     func(any) bool
	enum       map[string]bool
	properties map[string]*shape
	required   []string
	additional *shape
	closed     bool
	items      *shape

	// reference is a definition of the library that has to accept the value, too.
	reference string
	library   *library
	target    atomic.Pointer[shape]

	// then is for the values of the types of condition, and otherwise for all others.
	condition       typeSet
	then, otherwise *shape
}

// typeSet is a set of types of JSON Schema, a bit for each.
type typeSet uint8

const (
	objectType typeSet = 1 << iota
	arrayType
	textType
	booleanType
	integerType
	numberType
	nullType
)

var typesByName = map[string]typeSet{
	"object": objectType, "array": arrayType, "string": textType, "boolean": booleanType,
	"integer": integerType, "number": numberType | integerType, "null": nullType,
}

func (t typeSet) has(one typeSet) bool { return t&one != 0 }

// shape returns that of a definition.
func (l *library) shape(definition string) *shape {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if s, ok := l.shapes[definition]; ok {
		return s
	}
	schema, err := l.read(definition)
	if err != nil {
		schema = ""
	}
	s := parseShape(l, schema)
	l.shapes[definition] = s
	return s
}

func parseShape(l *library, schema string) *shape {
	var parsed any
	if json.Unmarshal([]byte(schema), &parsed) != nil {
		return &shape{beyond: true}
	}
	return newShape(l, parsed)
}

func newShape(l *library, schema any) *shape {
	s := &shape{library: l}
	keywords, ok := schema.(map[string]any)
	s.beyond = !ok
	for keyword, operand := range keywords {
		s.take(keyword, operand)
	}
	conditional := s.condition != 0
	s.beyond = s.beyond || conditional != (s.then != nil) || conditional != (s.otherwise != nil)
	return s
}

// take takes in one keyword.
func (s *shape) take(keyword string, operand any) {
	understood := true
	switch keyword {
	case "description":
	case "type":
		s.types, understood = typesOf(operand)
	case "format":
		s.format, understood = formatOf(operand)
	case "enum":
		s.enum, understood = setOf(operand)
	case "required":
		s.required, understood = listOf(operand)
	case "properties":
		properties, isMap := operand.(map[string]any)
		s.properties, understood = make(map[string]*shape, len(properties)), isMap
		for name, property := range properties {
			s.properties[name] = newShape(s.library, property)
		}
	case "additionalProperties":
		if s.closed = operand == false; !s.closed {
			s.additional = newShape(s.library, operand)
		}
	case "items":
		s.items = newShape(s.library, operand)
	case referenceKeyword:
		s.reference, understood = operand.(string)
	case "if":
		condition := newShape(s.library, operand)
		s.condition = condition.types
		understood = !condition.beyond && condition.isOnlyTypes()
	case "then":
		s.then = newShape(s.library, operand)
	case "else":
		s.otherwise = newShape(s.library, operand)
	default:
		understood = false
	}
	s.beyond = s.beyond || !understood
}

// isOnlyTypes tells whether a shape says nothing but types.
func (s *shape) isOnlyTypes() bool {
	return s.types != 0 && s.format == nil && s.enum == nil && s.properties == nil && s.required == nil &&
		s.additional == nil && !s.closed && s.items == nil && s.reference == "" && s.then == nil && s.otherwise == nil
}

func typesOf(operand any) (types typeSet, ok bool) {
	if name, isOne := operand.(string); isOne {
		operand = []any{name}
	}
	names, ok := listOf(operand)
	for _, name := range names {
		types |= typesByName[name]
		ok = ok && typesByName[name] != 0
	}
	return types, ok && types != 0
}

// uncheckedFormat says how a number is stored, which nothing is held against.
const uncheckedFormat = "double"

func formatOf(operand any) (isValid func(any) bool, ok bool) {
	name, _ := operand.(string)
	isValid = formats()[name]
	return isValid, isValid != nil || name == uncheckedFormat
}

func setOf(operand any) (set map[string]bool, ok bool) {
	list, ok := listOf(operand)
	set = make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set, ok
}

func listOf(operand any) (list []string, ok bool) {
	entries, ok := operand.([]any)
	for _, entry := range entries {
		s, isString := entry.(string)
		list, ok = append(list, s), ok && isString
	}
	return list, ok
}

// accepts tells whether a value is certainly right.
func (s *shape) accepts(n *yaml.Node, depth int) bool { return s.acceptsKnowing(n, depth, nil) }

// acceptsKnowing is accepts where it may be known of the values of fields already.
func (s *shape) acceptsKnowing(n *yaml.Node, depth int, known Known) bool {
	n = resolved(n)
	if n == nil || s.beyond || depth > deepest {
		return false
	}
	var kind typeSet
	switch n.Kind {
	case yaml.MappingNode:
		kind = objectType
	case yaml.SequenceNode:
		kind = arrayType
	case yaml.ScalarNode:
		kind = s.scalarKind(n)
	}
	if kind == 0 || s.types != 0 && !s.types.has(kind) || s.enum != nil && kind != textType {
		return false
	}
	switch {
	case kind == objectType && !s.acceptsFields(n, depth, known), kind == arrayType && !s.acceptsEntries(n, depth):
		return false
	case s.reference != "" && !s.referred().acceptsKnowing(n, depth, known):
		return false
	case s.then == nil:
		return true
	case s.condition.has(kind):
		return s.then.acceptsKnowing(n, depth, known)
	}
	return s.otherwise.acceptsKnowing(n, depth, known)
}

// scalarKind returns the type of a scalar that has the right format and is one of the
// enumeration; 0 where that is not so.
func (s *shape) scalarKind(n *yaml.Node) typeSet {
	switch n.ShortTag() {
	case "!!null":
		return nullType
	case "!!bool":
		return booleanType
	case "!!int", "!!float":
		switch value := toScalar(n).(type) {
		case int64:
			if s.format == nil || s.format(value) {
				return integerType
			}
		case float64:
			if value != math.Trunc(value) && (s.format == nil || s.format(value)) {
				return numberType
			}
		}
		return 0
	}
	if s.enum != nil && !s.enum[n.Value] || s.format != nil && !s.format(n.Value) {
		return 0
	}
	return textType
}

// acceptsFields goes through the fields of a mapping. One that is null counts as
// absent; yet its name has to be known.
func (s *shape) acceptsFields(n *yaml.Node, depth int, known Known) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		field := s.properties[key.Value]
		if field == nil {
			field = s.additional
		}
		switch {
		case field == nil && s.closed:
			return false
		case field == nil || isNull(resolved(value)):
		case known != nil && !known(value, field, func() bool { return field.accepts(value, depth+1) }),
			known == nil && !field.accepts(value, depth+1):
			return false
		}
	}
	for _, name := range s.required {
		if _, value := syntax.Field(n, name); value == nil || isNull(resolved(value)) {
			return false
		}
	}
	return true
}

func (s *shape) acceptsEntries(n *yaml.Node, depth int) bool {
	if s.items == nil {
		return true
	}
	for _, entry := range n.Content {
		if !s.items.accepts(entry, depth+1) {
			return false
		}
	}
	return true
}

// referred returns the shape of the definition that is referred to.
func (s *shape) referred() *shape {
	target := s.target.Load()
	if target == nil {
		target = s.library.shape(s.reference)
		s.target.Store(target)
	}
	return target
}
