package kubernetes

import "sort"

// typeID is an index into types. Number n+1 is the definition of the name
// definitionNames[n]; the numbers after those are types without a name.
type typeID uint16

// unknown is the type of places that the schema does not describe.
const unknown typeID = 0

// typeRow is one type: its fields are fields[first:first+count], sorted by
// name; rest is the type of all other fields (additionalProperties).
type typeRow struct {
	first, count   uint16
	rest, elements typeID
	strategy       uint8
}

type fieldRow struct {
	name string
	id   typeID
}

type strategyRow struct {
	associative bool
	keys        []string
}

type resourceRow struct {
	apiVersion, kind string
	id               typeID
}

type scopeRow struct {
	apiVersion, kind string
	namespaced       bool
}

func findResource(rows []resourceRow, apiVersion, kind string) typeID {
	i := sort.Search(len(rows), func(i int) bool {
		return !before(rows[i].apiVersion, rows[i].kind, apiVersion, kind)
	})
	if i < len(rows) && rows[i].apiVersion == apiVersion && rows[i].kind == kind {
		return rows[i].id
	}
	return unknown
}

// KnownScope tells whether the built-in schema knows the scope of a kind.
func KnownScope(apiVersion, kind string) bool {
	_, known := builtinNamespaced(apiVersion, kind)
	return known
}

func builtinNamespaced(apiVersion, kind string) (namespaced, known bool) {
	i := sort.Search(len(scopes), func(i int) bool {
		return !before(scopes[i].apiVersion, scopes[i].kind, apiVersion, kind)
	})
	if i < len(scopes) && scopes[i].apiVersion == apiVersion && scopes[i].kind == kind {
		return scopes[i].namespaced, true
	}
	return false, false
}

// before is the order of the tables of resources and scopes.
func before(apiVersion, kind, otherAPIVersion, otherKind string) bool {
	if apiVersion != otherAPIVersion {
		return apiVersion < otherAPIVersion
	}
	return kind < otherKind
}

// findDefinition looks among definitionNames[from:to], which are sorted.
func findDefinition(from, to int, name string) typeID {
	names := definitionNames[from:to]
	i := sort.SearchStrings(names, name)
	if i < len(names) && names[i] == name {
		return typeID(from + i + 1)
	}
	return unknown
}
