package render

import (
	"fmt"

	yaml "go.yaml.in/yaml/v3"
)

// A Reason says why kustomize refuses to print a node.
type Reason uint8

const (
	// Unreadable is text that yaml.v3 writes but cannot read again, or
	// anything else that has no reason of its own.
	Unreadable Reason = iota
	// DuplicateKey is a mapping with a key twice; the node is the second key.
	DuplicateKey
	// KeyNotString is a key that is no string: a number, a boolean, null, a
	// list or a map. (At the top of a resource kustomize prints a number or
	// boolean as text and drops null without a word; that is no refusal.)
	KeyNotString
	// KeyTooLong is a key of more than 1024 characters, counted in its JSON
	// form with quotes.
	KeyTooLong
	// ForbiddenCharacter is a character that YAML does not allow: DEL, most of
	// U+0080 to U+009F, U+FFFE, U+FFFF; in a key also U+0085.
	ForbiddenCharacter
	// InvalidUTF8 is text that is not UTF-8.
	InvalidUTF8
	// NotFinite is a number that JSON cannot hold: .inf, -.inf, .nan.
	NotFinite
	// TagMismatch is a value that does not fit its tag, as in `!!int x`.
	TagMismatch
	// TooDeep is nesting beyond 10,000 levels, or aliases that multiply beyond
	// a bound of ours.
	TooDeep
	// NotMapping is a resource that is neither a mapping nor a list.
	NotMapping
)

// A Refusal is the error for a node that kustomize refuses to print. It is
// the user's mistake, not ours.
type Refusal struct {
	// Index is the 0-based index of the resource among those given to
	// Resources; 0 from Document.
	Index int
	// Node is the node at fault, or the resource where no single node is.
	Node *yaml.Node
	// Reason classifies the mistake.
	Reason Reason
	// Detail is the message, in the words of the library that refuses where
	// that is known.
	Detail string
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Detail }

func refuse(n *yaml.Node, reason Reason, format string, args ...any) *Refusal {
	return &Refusal{Node: n, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

func refuseCharacter(n *yaml.Node) *Refusal {
	return refuse(n, ForbiddenCharacter, "control characters are not allowed in %q", n.Value)
}

func refuseDuplicate(n *yaml.Node) *Refusal {
	return refuse(n, DuplicateKey, "mapping key %q already defined", n.Value)
}
