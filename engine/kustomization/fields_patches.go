package kustomization

import yaml "go.yaml.in/yaml/v3"

var patchStruct = newStruct("Patch", "A patch and what it applies to.", []Field{
	textField("path", func(p *Patch) *Text { return &p.Path }).path().
		doc("The file with the patch. Either this or `patch` is needed."),
	textField("patch", func(p *Patch) *Text { return &p.Patch }).
		doc("The patch itself, as text: a strategic merge patch or a list of JSON 6902 operations."),
	pointerField("target", selectorStruct, func(p *Patch) **Selector { return &p.Target }).
		doc("The resources to patch. Every field is an anchored regular expression. A strategic merge patch may do " +
			"without: it then applies to the resource it names."),
	{
		Name: "options", Type: TypeObject, Struct: patchOptionsStruct,
		Doc: "What the patch may change apart from ordinary fields.",
		decode: func(d *decoder, target any, v value) {
			p := target.(*Patch)
			if v.kind == TypeNull {
				p.Options = PatchOptions{}
				return
			}
			d.object(&p.Options, patchOptionsStruct, v)
		},
	},
	{
		Name: "file", Type: TypeText, Path: true, Support: InProposalOnly, ReplacedBy: "path",
		Doc: "The extended-patches proposal's name for `path`.",
		decode: func(d *decoder, target any, v value) {
			if p := target.(*Patch); p.Path.Value == "" {
				d.text(&p.Path, false, v)
			}
		},
	},
	{
		Name: "type", Type: TypeText, Support: InProposalOnly,
		Doc:    "The extended-patches proposal's type of a patch. kustomize sees by itself which type it is.",
		decode: func(*decoder, any, value) {},
	},
})

var patchOptionsStruct = newStruct("PatchOptions", "What a patch may change.", []Field{
	boolField("allowNameChange", func(o *PatchOptions) *bool { return &o.AllowNameChange }).
		doc("Lets the patch change the name of a resource."),
	boolField("allowKindChange", func(o *PatchOptions) *bool { return &o.AllowKindChange }).
		doc("Lets the patch change the kind of a resource."),
})

var selectorStruct = newStruct("Selector",
	"Selects resources. Every field that is given must match. Group, version, kind, name and namespace are anchored "+
		"regular expressions.",
	idFields, selectorFields)

// ReadSelector reads a mapping as far as it is a selector: its other fields, and mistakes,
// are left out.
func ReadSelector(mapping *yaml.Node) *Selector {
	s := &Selector{Node: mapping}
	d := &decoder{report: &report{}, coerce: true, lenient: true}
	if v, ok := newConverter(d.report).document(mapping); ok && v.kind == TypeObject {
		d.structure(s, selectorStruct, v)
	}
	return s
}

var idFields = []Field{
	promotedTextField("group", func(s *Selector) *Text { return &s.Group }).doc("The API group; empty for any."),
	promotedTextField("version", func(s *Selector) *Text { return &s.Version }).
		doc("The API version without the group; empty for any."),
	promotedTextField("kind", func(s *Selector) *Text { return &s.Kind }).doc("The kind; empty for any."),
	promotedTextField("name", func(s *Selector) *Text { return &s.Name }).
		doc("The name, original or as changed so far; empty for any."),
	promotedTextField("namespace", func(s *Selector) *Text { return &s.Namespace }).
		doc("The namespace; empty for any."),
}

var selectorFields = []Field{
	selectorTextField("labelSelector", func(s *Selector) *Text { return &s.LabelSelector }).
		doc("A label selector as `kubectl` has it, such as `app=web,tier!=cache`."),
	selectorTextField("annotationSelector", func(s *Selector) *Text { return &s.AnnotationSelector }).
		doc("A selector for annotations, written as one for labels."),
	matchAnnotations,
}

// matchAnnotations is what the extended-patches proposal calls
// annotationSelector.
var matchAnnotations = Field{
	Name: "matchAnnotations", Type: TypeText, Support: InProposalOnly, ReplacedBy: "annotationSelector",
	Doc: "The extended-patches proposal's name for `annotationSelector`.",
	decode: func(d *decoder, target any, v value) {
		s := target.(*Selector)
		switch {
		case s.AnnotationSelector.Value != "":
		case v.kind == TypeObject:
			s.AnnotationSelector = d.selectorOfMap(v)
		default:
			d.text(&s.AnnotationSelector, false, v)
		}
	},
}

func selectorTextField(name string, at func(*Selector) *Text) Field {
	return Field{
		Name: name, Type: TypeText,
		decode: func(d *decoder, target any, v value) { d.selector(at(target.(*Selector)), v) },
	}
}

var replacementStruct = newStruct("Replacement", "Copies a value from one field to others.", replacementFields, []Field{
	textField("path", func(r *Replacement) *Text { return &r.Path }).path().
		doc("A file with one replacement or a list of them. Nothing else may stand in such an entry."),
})

// fileReplacementStruct describes a replacement in a file of replacements.
var fileReplacementStruct = newStruct("Replacement", replacementStruct.Doc, replacementFields)

var replacementFields = []Field{
	pointerField("source", sourceStruct, func(r *Replacement) **ReplacementSource { return &r.Source }).
		doc("The field to copy from. It must match one resource."),
	{
		Name: "sourceValue", Type: TypeText, Since: "5.7.0",
		Doc: "The value to write, in place of a source.",
		decode: func(d *decoder, target any, v value) {
			r := target.(*Replacement)
			if v.kind == TypeNull {
				r.SourceValue = nil
				return
			}
			t := Text{}
			if d.text(&t, false, v) {
				r.SourceValue = &t
			}
		},
	},
	{
		Name: "targets", Type: TypeList, Element: TypeObject, Struct: targetStruct,
		Doc: "The fields to write.",
		decode: func(d *decoder, target any, v value) {
			r := target.(*Replacement)
			decodeList(d, &r.Targets, dropEntry, v, decodeTarget(d))
			r.HasTargets = r.Targets != nil
		},
	},
}

func decodeTarget(d *decoder) func(*ReplacementTarget, value) {
	return func(t *ReplacementTarget, v value) {
		if v.kind == TypeNull {
			*t = ReplacementTarget{Node: v.node}
			d.crash(v)
			return
		}
		d.structure(t, targetStruct, v)
	}
}

var sourceStruct = newStruct("ReplacementSource", "The field that a value is copied from.",
	promote(idFields, func(s *ReplacementSource) *Selector { return &s.Selector }), []Field{
		textField("fieldPath", func(s *ReplacementSource) *Text { return &s.FieldPath }).byDefault("metadata.name").
			doc("The field's path, its segments separated by dots; `\\.` is a dot within a segment, `[name=x]` " +
				"the entry of a list whose field `name` is `x`."),
		pointerField("options", fieldOptionsStruct, func(s *ReplacementSource) **FieldOptions { return &s.Options }).
			doc("Takes a part of the value."),
	})

var targetStruct = newStruct("ReplacementTarget", "Fields that a value is written to.", []Field{
	{
		Name: "select", Type: TypeObject, Struct: selectorStruct, Required: true,
		Doc: "The resources to write to.",
		decode: func(d *decoder, target any, v value) {
			d.selectField(&target.(*ReplacementTarget).Select, v)
		},
	},
	{
		Name: "reject", Type: TypeList, Element: TypeObject, Struct: selectorStruct,
		Doc: "Resources to leave out of what `select` selects.",
		decode: func(d *decoder, target any, v value) {
			decodeList(d, &target.(*ReplacementTarget).Reject, dropOuter, v, func(s **Selector, v value) {
				d.rejectEntry(s, v)
			})
		},
	},
	textsField("fieldPaths", func(t *ReplacementTarget) *[]Text { return &t.FieldPaths }).
		doc("The fields' paths. Default is `metadata.name`. In `[key=value]` the value is a regular expression, `*` is " +
			"every entry of a list. A path goes on into a string that holds a JSON or YAML document."),
	pointerField("options", fieldOptionsStruct, func(t *ReplacementTarget) **FieldOptions { return &t.Options }).
		doc("Writes a part of the field, or adds it."),
})

// selectField reads a selector, also where it was written as a list of one, as
// older documentation has it.
func (d *decoder) selectField(at **Selector, v value) {
	switch {
	case v.kind == TypeNull:
		*at = nil
		return
	case v.kind == TypeList:
		d.add(Problem{Kind: SelectAsList, Node: v.node, Want: TypeObject, Got: TypeList, Fatal: true})
		if len(v.items) != 1 || v.items[0].kind != TypeObject {
			d.leaveOut()
			return
		}
		v = v.items[0]
	}
	if *at == nil {
		*at = &Selector{}
	}
	d.structure(*at, selectorStruct, v)
}

func (d *decoder) rejectEntry(at **Selector, v value) {
	if v.kind == TypeNull {
		*at = nil
		d.crash(v)
		return
	}
	if *at == nil {
		*at = &Selector{}
	}
	d.structure(*at, selectorStruct, v)
}

var fieldOptionsStruct = newStruct("FieldOptions", "Options of a replacement's source or target.", []Field{
	textField("delimiter", func(o *FieldOptions) *Text { return &o.Delimiter }).
		doc("Splits the value at this text; `index` says which part is meant."),
	{
		Name: "index", Type: TypeInteger, Default: "0",
		Doc: "Which part of the value is meant, counted from 0. In a target, a negative index puts the value in " +
			"front and one beyond the end puts it behind.",
		decode: func(d *decoder, target any, v value) {
			o, n, node := target.(*FieldOptions), int64(0), (*yaml.Node)(nil)
			if d.integer(&n, &node, v); node != nil {
				o.Index = int(n)
			}
		},
	},
	textField("encoding", func(o *FieldOptions) *Text { return &o.Encoding }).doc("Has no effect yet."),
	boolField("create", func(o *FieldOptions) *bool { return &o.Create }).
		doc("Adds the field where it is missing. Targets only."),
})
