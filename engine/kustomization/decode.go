package kustomization

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// decoder fills typed fields from values as encoding/json does: null leaves a
// scalar as it is and empties anything else; a field that is met again under a
// name in another case is decoded into what is there already.
type decoder struct {
	*report
	// coerce turns numbers and booleans into text where sigs.k8s.io/yaml does
	// so; kustomize reads its other files that way, but not a kustomization.
	coerce bool
	// lenient accepts unknown fields.
	lenient bool
	// entryBad is set when something is wrong in the innermost list entry that
	// is left out as a whole then; nil outside such entries.
	entryBad *bool
}

// fail records a problem that makes kustomize refuse the file, and marks the
// list entry around it.
func (d *decoder) fail(p Problem) {
	p.Fatal = true
	p.LeftOut = d.leaveOut()
	d.add(p)
}

// leaveOut has the innermost entry left out, where there is one.
func (d *decoder) leaveOut() bool {
	if d.entryBad == nil {
		return false
	}
	*d.entryBad = true
	return true
}

// crash records a null entry that no build survives: kustomize keeps such
// entries by pointer and does not look whether there is one.
func (d *decoder) crash(v value) { d.fail(Problem{Kind: NullEntry, Node: v.node}) }

func (d *decoder) wrongType(v value, want Type) {
	kind := WrongType
	if want == TypeList {
		kind = ListExpected
	}
	d.fail(Problem{Kind: kind, Node: v.node, Want: want, Got: v.kind})
}

// object decodes a mapping's fields into the target.
func (d *decoder) object(target any, s *Struct, v value) {
	if v.kind != TypeObject {
		d.wrongType(v, TypeObject)
		return
	}
	// The keys under which each field was met, by the field's index.
	met := make([]*yaml.Node, len(s.Fields))
	for _, m := range v.members {
		d.enterKey(m.name)
		i, exact := s.index(m.name)
		switch f := s.field(i); {
		case f == nil:
			d.unknownField(s, m, v.members)
		case f.Support == InProposalOnly && d.lenient:
			// kustomize ignores it here, so it must have no effect.
			d.add(Problem{Kind: ProposalOnlySpelling, Node: m.key, Struct: s.Name, Name: m.name, Candidate: f.ReplacedBy})
		default:
			d.aboutField(s, f, exact, met[i], m)
			met[i] = m.key
			f.decode(d, target, m.value)
		}
		d.leave()
	}
}

// maxSiblings is how many fields a mapping may have for what an unknown one of them was
// meant to be to be looked for: the search looks at all of them.
const maxSiblings = 1000

func (d *decoder) unknownField(s *Struct, m member, siblings []member) {
	// The rest of the entry is kept: to leave out one misspelt field comes
	// nearer to what was meant than to leave out everything.
	candidate := ""
	if len(siblings) <= maxSiblings {
		candidate = s.nearest(m.name, siblings)
	}
	d.add(Problem{Kind: UnknownField, Node: m.key, Struct: s.Name, Name: m.name, Candidate: candidate, Fatal: !d.lenient})
}

// aboutField reports what is to be said of a field that was found.
func (d *decoder) aboutField(s *Struct, f *Field, exact bool, earlier *yaml.Node, m member) {
	p := Problem{Node: m.key, Struct: s.Name, Name: m.name}
	switch f.Support {
	case InKlsOnly:
		p.Kind, p.Fatal = NotInKustomize, true
		d.add(p)
		return
	case InProposalOnly:
		p.Kind, p.Candidate, p.Fatal = ProposalOnlySpelling, f.ReplacedBy, true
		d.add(p)
		return
	}
	if earlier != nil {
		p.Kind, p.Other = DuplicateField, earlier
		d.add(p)
	} else if !exact {
		p.Kind, p.Candidate = KeyCase, f.Name
		d.add(p)
	}
	if f.Deprecated {
		p.Kind, p.Candidate = DeprecatedField, f.ReplacedBy
		d.add(p)
	}
}

// text returns false where the value is no text.
func (d *decoder) text(at *Text, promoted bool, v value) bool {
	switch {
	case v.kind == TypeText:
		*at = Text{Value: v.text, Node: v.node}
	case v.kind == TypeNull:
		if at.Node == nil {
			at.Node = v.node
		}
	case d.coerce && !promoted && (v.kind == TypeBool || v.kind == TypeNumber):
		*at = Text{Value: v.coerced(), Node: v.node}
	default:
		d.wrongType(v, TypeText)
		return false
	}
	return true
}

func (d *decoder) boolean(at *bool, v value) {
	switch v.kind {
	case TypeBool:
		*at = v.text == "true"
	case TypeNull:
	default:
		d.wrongType(v, TypeBool)
	}
}

// integer decodes a number; node gets the scalar it stands in.
func (d *decoder) integer(at *int64, node **yaml.Node, v value) {
	if v.kind == TypeNull {
		return
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if v.kind != TypeNumber || err != nil {
		d.wrongType(v, TypeInteger)
		return
	}
	*at, *node = n, v.node
}

// pairs decodes a mapping of text, keeping it sorted by key: kustomize applies
// labels and annotations in that order.
func (d *decoder) pairs(at *[]Pair, v value) {
	switch v.kind {
	case TypeNull:
		*at = nil
	case TypeObject:
		if *at == nil {
			*at = []Pair{}
		}
		for _, m := range v.members {
			d.enterKey(m.name)
			p := Pair{Key: Text{Value: m.name, Node: m.key}}
			if d.text(&p.Value, false, m.value) {
				*at = append(*at, p)
			}
			d.leave()
		}
		sort.SliceStable(*at, func(i, j int) bool { return (*at)[i].Key.Value < (*at)[j].Key.Value })
		*at = lastOfEach(*at)
	default:
		d.wrongType(v, TypeTextMap)
	}
}

// lastOfEach removes from sorted pairs those whose key comes again.
func lastOfEach(pairs []Pair) []Pair {
	kept := pairs[:0]
	for i, p := range pairs {
		if i+1 == len(pairs) || pairs[i+1].Key.Value != p.Key.Value {
			kept = append(kept, p)
		}
	}
	return kept
}

func (d *decoder) texts(at *[]Text, v value) {
	decodeList(d, at, dropEntry, v, func(t *Text, v value) { d.text(t, false, v) })
}

// free keeps a mapping of anything as the node it is.
func (d *decoder) free(at **yaml.Node, v value) {
	switch v.kind {
	case TypeNull:
		*at = nil
	case TypeObject:
		*at = v.node
	default:
		d.wrongType(v, TypeFree)
	}
}

// entryRule says what becomes of a list entry with a mistake that makes
// kustomize refuse the file.
type entryRule int

const (
	// dropEntry leaves the entry out.
	dropEntry entryRule = iota
	// dropOuter leaves out the entry that the list belongs to.
	dropOuter
	// keepEntry keeps what is good of the entry, if it is of the right type at
	// all: it is used where others would miss the entry.
	keepEntry
)

// decodeList decodes a list into what is there: encoding/json neither clears
// the entries that it meets again nor those between length and capacity.
func decodeList[T any](d *decoder, at *[]T, rule entryRule, v value, decode func(*T, value)) {
	if v.kind == TypeNull {
		*at = nil
		return
	}
	if v.kind != TypeList {
		d.wrongType(v, TypeList)
		return
	}
	list := *at
	var dropped []int
	for i, item := range v.items {
		if i >= cap(list) {
			list = slices.Grow(list, 1)
		}
		if i >= len(list) {
			list = list[:i+1]
		}
		d.enterIndex(i)
		if d.listEntry(rule, item, func() { decode(&list[i], item) }) {
			dropped = append(dropped, i)
		}
		d.leave()
	}
	if *at = without(list[:len(v.items)], dropped); len(*at) == 0 {
		*at = []T{}
	}
}

// listEntry decodes an entry and tells whether it is to be left out.
func (d *decoder) listEntry(rule entryRule, item value, decode func()) bool {
	outer, bad := d.entryBad, false
	defer func() { d.entryBad = outer }()
	switch {
	case rule == dropEntry || rule == keepEntry && item.kind != TypeObject:
		d.entryBad = &bad
	case rule == keepEntry:
		d.entryBad = nil
	}
	decode()
	if item.kind == TypeNull {
		d.add(Problem{Kind: NullEntry, Node: item.node})
	}
	return bad
}

// without returns the list without the entries at the ascending indexes.
func without[T any](list []T, indexes []int) []T {
	if len(indexes) == 0 {
		return list
	}
	kept := make([]T, 0, len(list))
	for i, entry := range list {
		if len(indexes) > 0 && indexes[0] == i {
			indexes = indexes[1:]
			continue
		}
		kept = append(kept, entry)
	}
	return kept
}

// selector reads a label or annotation selector. One that was written as a map,
// as the extended-patches proposal has it, becomes the text that means the same.
func (d *decoder) selector(at *Text, v value) {
	if v.kind != TypeObject {
		d.text(at, false, v)
		return
	}
	*at = d.selectorOfMap(v)
	d.add(Problem{Kind: ProposalOnlySpelling, Node: v.node, Want: TypeText, Got: TypeObject, Candidate: at.Value, Fatal: true})
}

// selectorOfMap takes values as they are spelled, since true and 1 mean the
// words here.
func (d *decoder) selectorOfMap(v value) Text {
	var terms []string
	for _, m := range v.members {
		if m.value.kind == TypeList || m.value.kind == TypeObject {
			d.enterKey(m.name)
			d.wrongType(m.value, TypeText)
			d.leave()
			continue
		}
		terms = append(terms, m.name+"="+m.value.node.Value)
	}
	return Text{Value: strings.Join(terms, ","), Node: v.node}
}
