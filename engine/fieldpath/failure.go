package fieldpath

import (
	yaml "go.yaml.in/yaml/v3"
)

// FailureKind is what stopped a walk.
type FailureKind string

const (
	noFailure FailureKind = ""
	// MissingKey: the map has no such key.
	MissingKey FailureKind = "missing-key"
	// NullContinues: null where a map is needed.
	NullContinues FailureKind = "null-continues"
	// IndexOutOfRange: the list has fewer elements.
	IndexOutOfRange FailureKind = "index-out-of-range"
	// NoElementMatches: no element of the list has that value.
	NoElementMatches FailureKind = "no-element-matches"
	// NotAMap: a list (or alias) where a map is needed.
	NotAMap FailureKind = "not-a-map"
	// NotAList: a map (or alias) where a list is needed.
	NotAList FailureKind = "not-a-list"
	// NotAScalar: a blank segment at a map or list.
	NotAScalar FailureKind = "not-a-scalar"
	// ScalarContinues: segments remain at a scalar that holds no document.
	ScalarContinues FailureKind = "scalar-continues"
	// EmptyDocument: segments remain at a string without a document.
	EmptyDocument FailureKind = "empty-document"
	// UnparsableDocument: segments remain at a string that does not parse.
	UnparsableDocument FailureKind = "unparsable-document"
	// EmptyList: "-" or "*" in an empty list. "-" crashes kustomize.
	EmptyList FailureKind = "empty-list"
	// WildcardInSource: sources do not take "*".
	WildcardInSource FailureKind = "wildcard-in-source"
	// NegativeIndex: sources do not take negative numbers.
	NegativeIndex FailureKind = "negative-index"
	// MalformedElement: brackets without "=".
	MalformedElement FailureKind = "malformed-element"
	// InvalidRegex: the value of "[name=value]" is no regular expression.
	InvalidRegex FailureKind = "invalid-regex"
	// Unrenderable: an element that the pattern is held against cannot be
	// written as YAML, for example for invalid UTF-8.
	Unrenderable FailureKind = "unrenderable"
	// NeverMatchesItself: create adds an element with the pattern as value, and
	// the pattern does not match it; kustomize never ends.
	NeverMatchesItself FailureKind = "never-matches-itself"
	// DelimiterOnNonScalar: a delimiter needs a scalar.
	DelimiterOnNonScalar FailureKind = "delimiter-on-non-scalar"
	// IndexOutOfBoundsForSource: the delimiter gives fewer parts.
	IndexOutOfBoundsForSource FailureKind = "index-out-of-bounds-for-source"
	// EmptySource: the path leads to null or to an empty map or list.
	EmptySource FailureKind = "empty-source"
	// BlankDocument: a document of nothing but spaces that YAML does not know
	// as such; kustomize crashes when it writes it back.
	BlankDocument FailureKind = "blank-document"
	// unserialisable: the changed document cannot be written in its format. The
	// write then succeeds without writing, see Unwritten.
	unserialisable FailureKind = "unserialisable"
)

// Failure says where and why a walk stopped.
type Failure struct {
	Kind FailureKind
	// Segment is the index of the segment that failed; the number of segments
	// where the walk ended and its result is at fault.
	Segment int
	// Node is what the segment was applied to.
	Node *yaml.Node
	// Document is the embedded document that Node stands in; nil for none. For
	// EmptyDocument and UnparsableDocument, Node is the host.
	Document *Document
	// Length is the number of elements for IndexOutOfRange, and of parts for
	// IndexOutOfBoundsForSource.
	Length int
	// Line is the 1-based line within the embedded text for UnparsableDocument,
	// near where it does not parse, and Column the 1-based column in runes; 0
	// for unknown. Message is the parser's, without the position; for
	// InvalidRegex it is regexp's.
	Line, Column int
	Message      string

	// The rest is filled only with Options.Explain.

	// Candidates are what the segment could have named: the keys of the map, or
	// the values of the list's elements.
	Candidates []string
	// Escaped is the whole path as it would name a key with dots that is there:
	// `data.config\.json` for `data.config.json`. Empty for none.
	Escaped string
	// path is the whole path, for Nearest and Mended.
	path Path
}
