package fieldpath

import (
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Options are the options of a replacement's source or target, and how much
// the outcome tells. The zero value reads or writes plainly and tells little.
type Options struct {
	// Delimiter splits the text of a scalar into parts; empty for the whole.
	Delimiter string
	// Index is the part that is read or written, 0-based. In targets a negative
	// number puts the value in front, and one past the last puts it behind.
	Index int
	// Create makes what a target's path does not find. Sources ignore it.
	Create bool
	// Cause, when set, gives its place to a text that a write puts together of the
	// value and what was there; else that is the value's.
	Cause *yaml.Node

	// Explain fills the fields of Outcome and Failure that say so. The walk
	// and what it writes are the same.
	Explain bool
	// Embedded, when set, is asked for the file of each embedded document that
	// parsed, before the walk goes on in it. The document's nodes then carry
	// places in that file (syntax.Place; lines and columns within the string).
	// A write that tries twice asks twice.
	Embedded func(host *yaml.Node, value string) text.FileID
	// Allows, when set, is asked before each copy of the value is written: where it says
	// no, nothing more is written. It may be asked on several goroutines.
	Allows func() bool
	// Memory, when set, spares work that was done before on the same texts.
	Memory *Memory
	// Keys, when set, finds the keys of large mappings faster.
	Keys *Keys
}

// Outcome is what became of a walk or a write.
type Outcome struct {
	// Nodes are what the path led to, in the order of the document, and at most
	// one for a source. The nodes of an embedded document belong to a copy;
	// writing goes through its host's text. Effects tell which were written.
	Nodes []*yaml.Node
	// Failure says why kustomize refuses; nil where it does not. A refused
	// write leaves the target as it was.
	Failure *Failure
	// DrillDown is true where the path went on inside an embedded document. In
	// a source only kls can do that.
	DrillDown bool

	// Changed tells whether the target is not as it was before.
	Changed bool

	// The rest is filled only with Options.Explain.

	// Steps tell what each segment met, one for each segment of the path. Of
	// a write that tried twice (see Write), the try that counted.
	Steps []Step
	// Documents are the embedded documents that the walk entered, in order.
	Documents []*Document
	// Skipped are the places where an element was passed over in silence since
	// the rest of the path is missing under it.
	Skipped []*Failure
	// Effects tell of each of Nodes what writing did to it.
	Effects []Effect
	// Loose tells of each "[name=value]" that hit more than the exact value.
	Loose []Loose
	// Misspelt is the segment that made a key in an embedded document beside one that
	// it differs from by a slip; nil for none.
	Misspelt *Misspelt
}

// Misspelt is a created key that was probably meant to be another.
type Misspelt struct {
	Segment int // index of the segment
	Meant   string
}

// Step is what one segment met.
type Step struct {
	// From are the nodes that the segment was applied to.
	From []*yaml.Node
	// Matched are the nodes that it led to, including created ones.
	Matched []*yaml.Node
	// Created are those that were not there before.
	Created []*yaml.Node
	// Document is the embedded document that was opened just before this
	// segment; nil for none. The last one where there were several.
	Document *Document
}

// Format is the format of an embedded document.
type Format uint8

const (
	// YAML is anything that does not begin as JSON.
	YAML Format = iota
	// JSON is a text that begins with "{" or "[", strict or not: that is all
	// that kustomize looks at before it writes JSON.
	JSON
)

// String returns "YAML" or "JSON".
func (f Format) String() string {
	if f == JSON {
		return "JSON"
	}
	return "YAML"
}

// Document is a document in the text of a string.
type Document struct {
	// Host is the string's node.
	Host *yaml.Node
	// Parent is the document that Host stands in; nil for the resource.
	Parent *Document
	// Root is the parsed document (of kind Document), or a zero node for a text
	// without a document. Writing changes it.
	Root   *yaml.Node
	Format Format
	// Segment is the index of the first segment inside the document.
	Segment int

	// Before and After are the host's text; After is the same as Before where
	// the document was not written back.
	Before, After string
	// Reformatted tells what writing changed beside the value; Damaged what it
	// lost. Filled with Options.Explain.
	Reformatted Reformatting
	Damaged     Damage
}

// Effect is what writing did to one node.
type Effect struct {
	Node *yaml.Node
	// Document is the embedded document that Node belongs to; nil for none.
	Document *Document
	// Before and After are the texts of scalars, and YAML for the rest.
	Before, After string
	// Created is true where Node was not there before.
	Created bool
	// Unwritten says why the build goes on and yet nothing is written.
	Unwritten Unwritten
	// Damaged tells what the write broke.
	Damaged Damage
}

// Unwritten is why kustomize accepts a target and writes nothing.
type Unwritten string

const (
	// Written means that the value is there.
	Written Unwritten = ""
	// DocumentInDocument: the document is nested in another one.
	DocumentInDocument Unwritten = "document-in-document"
	// WildcardBeforeDocument: the path to the document goes through "*".
	WildcardBeforeDocument Unwritten = "wildcard-before-document"
	// PatternBeforeDocument: the path to the document goes through a
	// "[name=value]", and this element is not the first that has that value
	// exactly: only the pattern matches, or an earlier element was tried.
	PatternBeforeDocument Unwritten = "pattern-before-document"
	// DuplicateKeys: the JSON document has a key twice.
	DuplicateKeys Unwritten = "duplicate-keys"
	// ValueDoesNotFit: a word for a number or boolean of a JSON document.
	ValueDoesNotFit Unwritten = "value-does-not-fit"
	// CollectionDoesNotFit: a mapping or list for a number or boolean of a JSON document.
	CollectionDoesNotFit Unwritten = "collection-does-not-fit"
	// NotSerialisable: the document begins as JSON and its result is none, for
	// example for a key that is no string, or for .nan; or it is not UTF-8.
	NotSerialisable Unwritten = "not-serialisable"
	// UnreachedDocument: the search for documents reads the path as sources do
	// and came elsewhere, for example for spaces around a segment.
	UnreachedDocument Unwritten = "unreached-document"
	// CreatedUnderNull: what was created hangs under a null, which hides it.
	CreatedUnderNull Unwritten = "created-under-null"
	// DetachedByBlank: a blank segment emptied the scalar before it (which is
	// written), and the value went nowhere.
	DetachedByBlank Unwritten = "detached-by-blank"
)

// Damage is a set of things that a write broke.
type Damage uint16

const (
	// TagMismatch: a word in the place of a number, boolean or null keeps the
	// old tag and becomes for example `!!int word`.
	TagMismatch Damage = 1 << iota
	// EmptiedByCollection: a map or list into a scalar writes "".
	EmptiedByCollection
	// LaterDocumentsLost: documents after the first "---" vanish.
	LaterDocumentsLost
	// PrecisionLost: a number of a JSON document lost digits.
	PrecisionLost
	// RestOfPathIgnored: segments after "[=value]" are not looked at; the
	// element itself was written.
	RestOfPathIgnored
	// AliasesExpanded: anchors and aliases of the document became copies.
	AliasesExpanded
	// EmptiedByBlank: a blank segment emptied the scalar before it.
	EmptiedByBlank
	// BecomesBoolean: a text of a YAML document stands there without quotes, and readers
	// of YAML 1.1 take it for a boolean.
	BecomesBoolean
)

// Reformatting is a set of things that writing an embedded document changed
// beside the value.
type Reformatting uint16

const (
	// KeyOrder: keys were sorted.
	KeyOrder Reformatting = 1 << iota
	// Whitespace: indentation, blank lines, or one line against many.
	Whitespace
	// TrailingNewline: the line break at the end went.
	TrailingNewline
	// Comments: comments went.
	Comments
	// Escapes: <, > and & became \u003c, \u003e and \u0026.
	Escapes
	// Spelling: scalars beside the written one are spelled differently (quotes,
	// 1.0 as 1, dates).
	Spelling
)

// Loose tells of a "[name=value]" that matched by pattern what is not equal.
type Loose struct {
	// Segment is the index of the segment.
	Segment int
	// List is the list that was searched.
	List *yaml.Node
	// Exact are the matched elements that have the value, Others the rest.
	Exact, Others []*yaml.Node
	// Values are the texts of Others that the pattern was found in.
	Values []string
}
