package syntax

import (
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// ProblemKind names a mistake in a text.
type ProblemKind string

// What can be wrong with a file of resources.
const (
	// Malformed: the text is not YAML. Detail says why.
	Malformed ProblemKind = "malformed"
	// InvalidCharacters: a byte that is no UTF-8, or a control character.
	InvalidCharacters ProblemKind = "invalid-characters"
	// UTF16Text: yaml.v3 reads UTF-16 with a byte order mark; the places of
	// its nodes cannot be trusted.
	UTF16Text ProblemKind = "utf-16-text"
	// InvalidSeparator: a line begins with --- and goes on with neither blanks
	// nor a comment. kyaml: "invalid document separator".
	InvalidSeparator ProblemKind = "invalid-separator"
	// IgnoredDocument: a document after the first of a piece, which kustomize
	// does not read: after "...", or after a --- on the last line.
	IgnoredDocument ProblemKind = "ignored-document"
	// NotAnObject: a document that is neither empty nor a map with kind,
	// apiVersion or metadata. kyaml: "missing Resource metadata".
	NotAnObject ProblemKind = "not-an-object"
	// MissingKind and MissingName: as kyaml's GetValidatedMetadata. A kind
	// that ends in List needs no name.
	MissingKind ProblemKind = "missing-kind"
	MissingName ProblemKind = "missing-name"
	// DuplicateMergeKey: two << in one map.
	DuplicateMergeKey ProblemKind = "duplicate-merge-key"
	// InvalidMerge: the value of << is neither a map nor a list of maps.
	InvalidMerge ProblemKind = "invalid-merge"
	// AliasCycle: an anchor holds an alias of itself. kustomize v5.8.2 crashes
	// with a stack overflow.
	AliasCycle ProblemKind = "alias-cycle"
	// ExpansionLimit: the aliases expand to more nodes than kls is willing to
	// make. kustomize has no such limit.
	ExpansionLimit ProblemKind = "expansion-limit"
	// SizeLimit: the text may have more values than kls is willing to make nodes of.
	// Nothing of it is read.
	SizeLimit ProblemKind = "size-limit"
	// DuplicateKey: a key that its map already has.
	DuplicateKey ProblemKind = "duplicate-key"
	// InvalidList: a FooList that kustomize cannot take apart. Detail says why.
	InvalidList ProblemKind = "invalid-list"
)

// Problem is a mistake of the user's in a text.
type Problem struct {
	Kind    ProblemKind
	File    text.FileID
	Span    text.Span
	Node    *yaml.Node // the node that is at fault, nil where there is none
	Detail  string     // what Kind alone does not say; may be empty
	Refused bool       // kustomize refuses the whole text because of it
}
