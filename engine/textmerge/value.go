package textmerge

import "maps"

// value is what a document says, without how: a scalarValue, a []value or a
// map[scalarValue]value.
type value any

func valueOf(n *node) value {
	switch {
	case n == nil:
		return scalarValue{tag: nullTag}
	case n.kind == alias:
		return scalarValue{"alias", n.text}
	case n.kind == sequence:
		list := make([]value, len(n.items))
		for i, item := range n.items {
			list[i] = valueOf(item)
		}
		return list
	case n.kind == mapping:
		members := make(map[scalarValue]value, len(n.members))
		for _, m := range n.members {
			members[m.key.value] = valueOf(m.value)
		}
		return members
	}
	return n.value
}

// patchValue is MergePatch of RFC 7396.
func patchValue(target, patch value) value {
	ours, ok := patch.(map[scalarValue]value)
	if !ok {
		return patch
	}
	theirs, _ := target.(map[scalarValue]value)
	merged := maps.Clone(theirs)
	if merged == nil {
		merged = map[scalarValue]value{}
	}
	for key, v := range ours {
		if v == value(scalarValue{tag: nullTag}) {
			delete(merged, key)
			continue
		}
		merged[key] = patchValue(merged[key], v)
	}
	return merged
}

func valuesEqual(a, b value) bool {
	switch a := a.(type) {
	case []value:
		b, ok := b.([]value)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !valuesEqual(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[scalarValue]value:
		b, ok := b.(map[scalarValue]value)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, v := range a {
			other, ok := b[key]
			if !ok || !valuesEqual(v, other) {
				return false
			}
		}
		return true
	}
	return a == b
}
