package kustomization

import yaml "go.yaml.in/yaml/v3"

// ReadReplacements reads a file that an entry of `replacements` names by path:
// one replacement or a list of them (ReplacementTransformerPlugin.Config).
// Unlike in a kustomization, kustomize ignores unknown fields there, and it
// takes numbers and booleans as text where text is needed, but for the id
// fields of selectors. See Read for the rest.
func ReadReplacements(doc *yaml.Node) ([]Replacement, []Problem) {
	r := &report{}
	v, ok := newConverter(r).document(rootOf(doc))
	if !ok {
		return nil, r.inOrder()
	}
	d := &decoder{report: r, coerce: true, lenient: true}
	var replacements []Replacement
	switch v.kind {
	case TypeList:
		decodeList(d, &replacements, dropEntry, v, func(at *Replacement, v value) {
			if v.kind == TypeNull {
				at.Node = v.node
				return
			}
			d.structure(at, fileReplacementStruct, v)
		})
	case TypeObject:
		one := Replacement{}
		if d.structure(&one, fileReplacementStruct, v); !r.fatal() {
			replacements = []Replacement{one}
		}
	default:
		d.fail(Problem{Kind: NotAMapping, Node: v.node, Want: TypeObject, Got: v.kind})
	}
	return replacements, r.inOrder()
}
