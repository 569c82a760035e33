package kustomization

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// Type is the type of a value: of one that was found (null, text, boolean,
// number, list, object) or of one that a field takes.
type Type int

const (
	TypeNull Type = iota
	TypeText
	TypeBool
	// TypeNumber is any number; TypeInteger is a number that a field takes as
	// a 64-bit integer: 2, 0x10, 2.0 and 1e3 are, 2.5 is not.
	TypeNumber
	TypeInteger
	TypeList
	// TypeObject is a mapping whose fields are known.
	TypeObject
	// TypeTextMap is a mapping of any keys to text.
	TypeTextMap
	// TypeFree is a mapping of any keys to anything.
	TypeFree
)

func (t Type) String() string {
	return [...]string{"null", "text", "boolean", "number", "integer", "list", "mapping", "mapping of text", "mapping"}[t]
}

// Support says who understands a field.
type Support int

const (
	// InKustomize is a field of kustomize v5.8.2.
	InKustomize Support = iota
	// InKlsOnly is a field that kls reads and kustomize refuses.
	InKlsOnly
	// InProposalOnly is a field that only a proposal or old documentation has;
	// kustomize and kls refuse it, ReplacedBy says what works.
	InProposalOnly
)

// Field is what is known of a field. The decoder is driven by it.
type Field struct {
	Name string
	Type Type
	// Element is the type of a list's entries; TypeNull for other fields.
	Element Type
	// Struct describes the mapping, or a list's mappings; for a mapping of text
	// it has the keys that have a meaning. Nil for other fields.
	Struct *Struct
	// Enum lists the values that have a meaning; nil where any value has.
	Enum []string
	// Default is what kustomize takes where the field is missing, as people
	// would write it; empty where that is nothing.
	Default string
	// Doc is a paragraph for people, in Markdown.
	Doc string
	// Deprecated is set where the field still works and ReplacedBy is better.
	Deprecated bool
	ReplacedBy string
	// Required is true where a build fails without the field.
	Required bool
	// Path is true where the value, or each of a list's, names a file or a
	// folder relative to the kustomization.
	Path bool
	// Since is the first kustomize release, such as 5.3.0, that has the field;
	// empty for a field that is older than 4.5.3. Taken from the types of the api
	// module that each release requires: api v0.12.1 is kustomize 4.5.7, v0.13 is
	// 5.0, v0.16 is 5.3, v0.18 is 5.5, v0.20 is 5.7, v0.21.2 is 5.8.2.
	Since   string
	Support Support

	decode func(d *decoder, target any, v value)
	isZero func(target any) bool
}

// Struct is what is known of a mapping with known fields.
type Struct struct {
	Name   string
	Doc    string
	Fields []Field
}

func newStruct(name, doc string, fieldLists ...[]Field) *Struct {
	return &Struct{Name: name, Doc: doc, Fields: slices.Concat(fieldLists...)}
}

// Field returns the field of that name: encoding/json, and so kustomize,
// prefers the exact name and else takes one that differs in case only.
func (s *Struct) Field(name string) (f *Field, exact bool) {
	i, exact := s.index(name)
	return s.field(i), exact
}

// index is Field for the field's index; -1 stands for no field.
func (s *Struct) index(name string) (i int, exact bool) {
	i = -1
	for at := range s.Fields {
		switch f := &s.Fields[at]; {
		case f.Name == name:
			return at, true
		case i < 0 && strings.EqualFold(f.Name, name):
			i = at
		}
	}
	return i, false
}

func (s *Struct) field(i int) *Field {
	if i < 0 {
		return nil
	}
	return &s.Fields[i]
}

// nearest returns the field that a name was probably meant to be, or "". One that is
// there already was not.
func (s *Struct) nearest(name string, siblings []member) string {
	var names []string
	for _, f := range s.Fields {
		if f.Support != InProposalOnly {
			names = append(names, f.Name)
		}
	}
	nearest, _ := text.Nearest(name, names)
	if slices.ContainsFunc(siblings, func(m member) bool { return m.name == nearest }) {
		return ""
	}
	return nearest
}
