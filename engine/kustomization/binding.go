package kustomization

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// The functions of this file make a Field out of its name and the place of the
// Go struct T that it is decoded into.

func textField[T any](name string, at func(*T) *Text) Field { return anyTextField(name, false, at) }

// promotedTextField is textField for a field that kustomize's Go type gets from
// an embedded struct: sigs.k8s.io/yaml turns no numbers into text there.
func promotedTextField[T any](name string, at func(*T) *Text) Field {
	return anyTextField(name, true, at)
}

func anyTextField[T any](name string, promoted bool, at func(*T) *Text) Field {
	return Field{
		Name: name, Type: TypeText,
		decode: func(d *decoder, target any, v value) { d.text(at(target.(*T)), promoted, v) },
		isZero: func(target any) bool { return at(target.(*T)).Value == "" },
	}
}

// plainTextField is for a value whose node nobody needs.
func plainTextField[T any](name string, promoted bool, at func(*T) *string) Field {
	return Field{
		Name: name, Type: TypeText,
		decode: func(d *decoder, target any, v value) {
			t := Text{Value: *at(target.(*T))}
			d.text(&t, promoted, v)
			*at(target.(*T)) = t.Value
		},
	}
}

func boolField[T any](name string, at func(*T) *bool) Field {
	return Field{
		Name: name, Type: TypeBool, Default: "false",
		decode: func(d *decoder, target any, v value) { d.boolean(at(target.(*T)), v) },
	}
}

func textMapField[T any](name string, at func(*T) *[]Pair) Field {
	return Field{
		Name: name, Type: TypeTextMap,
		decode: func(d *decoder, target any, v value) { d.pairs(at(target.(*T)), v) },
		isZero: func(target any) bool { return *at(target.(*T)) == nil },
	}
}

func freeField[T any](name string, at func(*T) **yaml.Node) Field {
	return Field{
		Name: name, Type: TypeFree,
		decode: func(d *decoder, target any, v value) { d.free(at(target.(*T)), v) },
	}
}

func textsField[T any](name string, at func(*T) *[]Text) Field {
	return Field{
		Name: name, Type: TypeList, Element: TypeText,
		decode: func(d *decoder, target any, v value) { d.texts(at(target.(*T)), v) },
		isZero: func(target any) bool { return *at(target.(*T)) == nil },
	}
}

// listField is a list of mappings.
func listField[T, E any](name string, s *Struct, rule entryRule, at func(*T) *[]E) Field {
	return Field{
		Name: name, Type: TypeList, Element: TypeObject, Struct: s,
		decode: func(d *decoder, target any, v value) {
			decodeList(d, at(target.(*T)), rule, v, func(e *E, v value) {
				if v.kind == TypeNull {
					setNode(e, v.node)
					return
				}
				d.structure(e, s, v)
			})
		},
		isZero: func(target any) bool { return *at(target.(*T)) == nil },
	}
}

// objectField is a mapping that kustomize keeps by value: null changes nothing.
func objectField[T, E any](name string, s *Struct, at func(*T) *E) Field {
	return Field{
		Name: name, Type: TypeObject, Struct: s,
		decode: func(d *decoder, target any, v value) {
			if v.kind != TypeNull {
				d.structure(at(target.(*T)), s, v)
			}
		},
	}
}

// pointerField is a mapping that kustomize keeps by pointer: null removes it.
func pointerField[T, E any](name string, s *Struct, at func(*T) **E) Field {
	return Field{
		Name: name, Type: TypeObject, Struct: s,
		decode: func(d *decoder, target any, v value) {
			p := at(target.(*T))
			if v.kind == TypeNull {
				*p = nil
				return
			}
			if *p == nil {
				*p = new(E)
			}
			d.structure(*p, s, v)
		},
		isZero: func(target any) bool { return *at(target.(*T)) == nil },
	}
}

// promote moves fields of an embedded struct into the struct that embeds it.
func promote[T, E any](fields []Field, at func(*T) *E) []Field {
	moved := make([]Field, len(fields))
	for i, f := range fields {
		inner := f.decode
		f.decode = func(d *decoder, target any, v value) { inner(d, at(target.(*T)), v) }
		f.isZero = nil
		moved[i] = f
	}
	return moved
}

// The methods by which a Field is made more of than a name and a type.

func (f Field) doc(text string) Field         { f.Doc = text; return f }
func (f Field) since(release string) Field    { f.Since = release; return f }
func (f Field) enum(values ...string) Field   { f.Enum = values; return f }
func (f Field) byDefault(value string) Field  { f.Default = value; return f }
func (f Field) replacedBy(field string) Field { f.Deprecated, f.ReplacedBy = true, field; return f }
func (f Field) required() Field               { f.Required = true; return f }
func (f Field) path() Field                   { f.Path = true; return f }

// checked reports words, of a text or a list of texts, that are not in Enum.
// kustomize reads them and then ignores them.
func (f Field) checked(kind ProblemKind) Field {
	inner := f.decode
	f.decode = func(d *decoder, target any, v value) {
		inner(d, target, v)
		d.checkWord(kind, v, f.Enum)
		for i, item := range v.items {
			d.enterIndex(i)
			d.checkWord(kind, item, f.Enum)
			d.leave()
		}
	}
	return f
}

func (d *decoder) checkWord(kind ProblemKind, v value, known []string) {
	if v.kind == TypeText && v.text != "" && !slices.Contains(known, v.text) {
		nearest, _ := text.Nearest(v.text, known)
		d.add(Problem{Kind: kind, Node: v.node, Name: v.text, Candidate: nearest})
	}
}

// knownKeys reports keys of a mapping of text that are not in the struct.
// kustomize reads them and then ignores them.
func (f Field) knownKeys(keys *Struct) Field {
	inner := f.decode
	f.Struct = keys
	f.decode = func(d *decoder, target any, v value) {
		inner(d, target, v)
		for _, m := range v.members {
			if _, exact := keys.Field(m.name); !exact {
				d.enterKey(m.name)
				d.add(Problem{
					Kind: UnknownField, Node: m.key, Struct: keys.Name, Name: m.name, Candidate: keys.nearest(m.name, v.members),
				})
				d.leave()
			}
		}
	}
	return f
}

// noded is implemented by the structs that keep their mapping.
type noded interface{ setNode(*yaml.Node) }

func setNode(target any, n *yaml.Node) {
	if t, ok := target.(noded); ok {
		t.setNode(n)
	}
}

func (d *decoder) structure(target any, s *Struct, v value) {
	if v.kind == TypeObject {
		setNode(target, v.node)
	}
	d.object(target, s, v)
}
