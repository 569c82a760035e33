package schema

import (
	yaml "go.yaml.in/yaml/v3"
)

// ViolationKind says in what way a value is not what the schema asks for.
type ViolationKind string

const (
	// UnknownField: strict validation refuses it, anything else drops it.
	UnknownField ViolationKind = "unknown-field"
	// WrongType: the API server cannot decode the resource.
	WrongType ViolationKind = "wrong-type"
	// MissingField: a required field is not there, or null.
	MissingField ViolationKind = "missing-field"
	// NotInEnum: the value is not one of those allowed.
	NotInEnum ViolationKind = "not-in-enum"
	// Malformed: the text is not of the format, or does not match the pattern.
	Malformed ViolationKind = "malformed"
	// OutOfRange: a number, a length or a count is too small or too great.
	OutOfRange ViolationKind = "out-of-range"
	// Unsatisfied: the value breaks a condition that is made of other schemas.
	Unsatisfied ViolationKind = "unsatisfied"
	// RemovedVersion: Kubernetes no longer serves this version of the API.
	RemovedVersion ViolationKind = "removed-version"
	// UnknownKind: a version of an API of Kubernetes has no such kind, and one of
	// nearly that name.
	UnknownKind ViolationKind = "unknown-kind"
)

// Violation is one value that is not what the schema asks for.
type Violation struct {
	Kind ViolationKind
	// Path leads from the resource's root to the value, key by key, an entry of a
	// list by its 0-based index. It ends with the name of an unknown field, and
	// with that of a missing one.
	Path []string
	// Node is the offending value; the key of an unknown field, and the mapping
	// that misses a field.
	Node *yaml.Node
	// Message is a sentence without a full stop.
	Message string
	// Nearest is what was probably meant by an unknown field or kind, or by a
	// value that is not allowed; empty where nothing is near.
	Nearest string
	// Expected are the fields that are known there, the values or the types
	// allowed, or the successor of a removed version.
	Expected []string
}
