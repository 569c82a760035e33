package patch

import (
	"fmt"

	yaml "go.yaml.in/yaml/v3"
)

// Failure says why a JSON 6902 patch cannot be applied to a resource, where
// kustomize fails too.
type Failure struct {
	Reason FailureReason
	// Operation is the 0-based index of the operation; -1 when the fault is
	// none of a single operation.
	Operation int
	// InFrom is set when the fault is in `from`, not in `path`.
	InFrom bool
	// Tokens are those of the pointer, decoded, and Token is the 0-based index
	// of the one at which the walk ended.
	Tokens []string
	Token  int
	// Deepest is the last value of the resource on the way, in JSON form, with
	// the place where it was written; nil when the walk did not begin.
	Deepest *yaml.Node
	// Candidates are the keys of Deepest, as far as it is a mapping.
	Candidates []string
	// Detail is the reason in the words of a library, for NotJSON.
	Detail string
}

// FailureReason is why an operation fails.
type FailureReason int

const (
	// UnknownOperation: `op` is missing, or none of the six.
	UnknownOperation FailureReason = iota
	// NoPointer: `path` or `from` is missing, or no string.
	NoPointer
	// NotAPointer: the pointer has no slash, so it points at the root or at
	// nothing, which this operation cannot use.
	NotAPointer
	// MissingParent: a token before the last is not there.
	MissingParent
	// ParentIsScalar: a token before the last leads to a scalar or null.
	ParentIsScalar
	// MissingKey: the last token is not there, and has to be.
	MissingKey
	// NotAnIndex: a list needs a number here (or `-`, to add).
	NotAnIndex
	// IndexOutOfRange: the list is shorter.
	IndexOutOfRange
	// TestFailed: the value is another than that of `test`.
	TestFailed
	// RootNotMapping: the resource would be no mapping any more.
	RootNotMapping
	// NotJSON: the resource cannot be written as JSON, as with keys that are
	// no strings.
	NotJSON
	// TooMuch: it would copy more than it may.
	TooMuch
)

// Message says the reason in one sentence, without the place.
func (f *Failure) Message() string {
	token := ""
	if f.Token < len(f.Tokens) {
		token = f.Tokens[f.Token]
	}
	field := "path"
	if f.InFrom {
		field = "from"
	}
	switch f.Reason {
	case TooMuch:
		return "the operation copies more than it may"
	case UnknownOperation:
		return "op must be add, remove, replace, move, copy or test"
	case NoPointer:
		return fmt.Sprintf("%s is missing, or no string", field)
	case NotAPointer:
		return fmt.Sprintf("%s is not a JSON pointer: it does not begin with /", field)
	case MissingParent, MissingKey:
		return fmt.Sprintf("the resource has no %q here", token)
	case ParentIsScalar:
		return fmt.Sprintf("%q has no fields", token)
	case NotAnIndex:
		return fmt.Sprintf("%q is not an index of a list", token)
	case IndexOutOfRange:
		return fmt.Sprintf("the list has no element %s", token)
	case TestFailed:
		return "the test failed"
	case RootNotMapping:
		return "a resource must be a mapping"
	}
	return "the resource cannot be written as JSON: " + f.Detail
}

// Oddity is an operation that works, though hardly as meant.
type Oddity struct {
	Operation int // 0-based index
	Kind      OddityKind
}

// OddityKind is what is odd about an operation.
type OddityKind int

const (
	// ReplaceAdds: `replace` of a key that is not there adds it.
	ReplaceAdds OddityKind = iota
	// CopyOfNothing: `copy` of a key that is not there writes null.
	CopyOfNothing
	// TestOfNothing: `test` for null, or without a value, passes where the key
	// is not there.
	TestOfNothing
	// NoValue: `add` or `replace` without a value writes null.
	NoValue
	// IgnoredStart: what stands before the first slash of a pointer is ignored.
	IgnoredStart
)

func (e *editor) note(kind OddityKind) {
	e.oddities = append(e.oddities, Oddity{Operation: e.at, Kind: kind})
}

func (e *editor) fail(f Failure) *Failure {
	f.Operation = e.at
	return &f
}

func (e *editor) failAt(reason FailureReason, target target) *Failure {
	return e.fail(Failure{
		Reason: reason, InFrom: bool(target.pointer), Tokens: target.tokens, Token: len(target.tokens) - 1,
		Deepest: target.container, Candidates: candidates(target.container),
	})
}

func (e *editor) missing(target target) *Failure { return e.failAt(MissingKey, target) }

func candidates(n *yaml.Node) []string {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	var keys []string
	for i := 0; i < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	return keys
}
