package schema

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Field is what a schema says of one field, for people.
type Field struct {
	Name string
	// Type is a word or a few: "string", "integer", "list of Container",
	// "map of string", "quantity"; empty where anything is allowed.
	Type string
	// Description is the API documentation's text; it may have several paragraphs.
	Description string
	// Enum are the values allowed, where they are listed.
	Enum []string
	// Required is true where the object that has the field needs it.
	Required bool
	// IsList is true of a list: Fields has the fields of its entries.
	IsList bool
}

// Describe returns what is known of the field at a path of keys and 0-based
// indices; false where the kind or the path is not known. An empty path
// describes the kind.
func (k *Kubernetes) Describe(apiVersion, kind string, path []string) (Field, bool) {
	e := k.rootElement(kindName{apiVersion, kind})
	if e == nil {
		return Field{}, false
	}
	if len(path) == 0 {
		return k.field(kind, e, false), true
	}
	parent := k.at(e, path[:len(path)-1])
	name := path[len(path)-1]
	child := k.child(parent, name)
	if child == nil {
		return Field{}, false
	}
	return k.field(name, child, slices.Contains(parent.Required, name)), true
}

// Fields returns the fields of the object at a path, by name; of an entry where
// the path leads to a list. There are none where anything is allowed.
func (k *Kubernetes) Fields(apiVersion, kind string, path []string) []Field {
	e := k.at(k.rootElement(kindName{apiVersion, kind}), path)
	if e != nil && e.Items != nil {
		e = k.target(e.Items)
	}
	if e == nil {
		return nil
	}
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(e.Properties)) {
		fields = append(fields, k.field(name, e.Properties[name], slices.Contains(e.Required, name)))
	}
	return fields
}

// Known tells whether there is a schema of a kind.
func (k *Kubernetes) Known(apiVersion, kind string) bool {
	return k.rootElement(kindName{apiVersion, kind}) != nil
}

// element is the part of a JSON Schema that tells of structure.
type element struct {
	Reference   string
	Type        oneOrMany
	Format      string
	Description string
	Properties  map[string]*element
	Required    []string
	Items       *element
	Additional  additional `json:"additionalProperties"`
	Enum        []any
	Then        *element
}

// oneOrMany is a type, or a list of types.
type oneOrMany []string

func (t *oneOrMany) UnmarshalJSON(encoded []byte) error {
	var one string
	if json.Unmarshal(encoded, &one) == nil {
		*t = oneOrMany{one}
		return nil
	}
	return json.Unmarshal(encoded, (*[]string)(t))
}

// additional is a schema, or a word on whether there can be further fields.
type additional struct {
	schema *element
	closed bool
}

func (a *additional) UnmarshalJSON(encoded []byte) error {
	var allowed bool
	if json.Unmarshal(encoded, &allowed) == nil {
		a.closed = !allowed
		return nil
	}
	return json.Unmarshal(encoded, &a.schema)
}

func (k *Kubernetes) rootElement(name kindName) *element {
	if custom, ok := k.custom[name]; ok {
		return custom.element()
	}
	if definition, ok := k.builtin.kinds[name]; ok {
		return k.builtin.element(definition)
	}
	return nil
}

// at returns nil where the path is not known.
func (k *Kubernetes) at(e *element, path []string) *element {
	for _, segment := range path {
		e = k.target(k.child(e, segment))
	}
	return e
}

// child returns the schema of a key, or of a list's entries, as it is written
// there: perhaps a mere reference.
func (k *Kubernetes) child(e *element, segment string) *element {
	switch {
	case e == nil:
		return nil
	case e.Items != nil:
		return e.Items
	case e.Properties[segment] != nil:
		return e.Properties[segment]
	}
	return e.Additional.schema
}

// target follows a reference.
func (k *Kubernetes) target(e *element) *element {
	switch {
	case e != nil && e.Then != nil:
		return k.target(e.Then)
	case e != nil && e.Reference != "":
		return k.builtin.element(e.Reference)
	}
	return e
}

// quantityDescription is said of quantities in place of their grammar, which is what
// Kubernetes has.
const quantityDescription = "A number, with a suffix where it is not of the plain unit: `250m` is a quarter, `2k` and `3M` are powers of 1000, `512Mi` and `2Gi` of 1024."

func (k *Kubernetes) field(name string, e *element, required bool) Field {
	f := Field{Name: name, Type: k.typeOf(e), Description: e.Description, Required: required}
	if target := k.target(e); target != nil {
		f.IsList = target.Items != nil
		if f.Description == "" {
			f.Description = target.Description
			if target.Format == "quantity" {
				f.Description = quantityDescription
			}
		}
	}
	values := e.Enum
	if e.Items != nil {
		values = e.Items.Enum
	}
	for _, value := range values {
		if value != "" && value != nil {
			f.Enum = append(f.Enum, scalarText(value))
		}
	}
	return f
}

func (k *Kubernetes) typeOf(e *element) string {
	if e.Reference != "" {
		target := k.target(e)
		if target != nil && len(target.Properties) == 0 && target.Then == nil {
			return k.typeOf(target)
		}
		return e.Reference[strings.LastIndexByte(e.Reference, '.')+1:]
	}
	switch {
	case e.Items != nil:
		return "list of " + cmp.Or(k.typeOf(e.Items), "any values")
	case e.Additional.schema != nil:
		return "map of " + cmp.Or(k.typeOf(e.Additional.schema), "any values")
	case e.Format == "quantity", e.Format == "time", e.Format == "date-time", e.Format == "duration":
		return e.Format
	case e.Format == "byte":
		return "base64"
	}
	types := slices.DeleteFunc(slices.Clone(e.Type), func(t string) bool { return t == "null" })
	return strings.Join(types, " or ")
}
