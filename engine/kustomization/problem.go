package kustomization

import (
	"sort"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// ProblemKind says what is wrong. The comments say what kustomize does.
type ProblemKind int

const (
	_ ProblemKind = iota

	// The file as a whole. All are refused.

	// EmptyFile is a file without any field but kind and apiVersion.
	EmptyFile
	// NotAMapping is a file whose root is a list or a scalar.
	NotAMapping
	// WrongKind is a kind that is neither Kustomization nor Component.
	WrongKind
	// WrongAPIVersion is an apiVersion that is not Candidate.
	WrongAPIVersion

	// Fields and their values.

	// UnknownField is a field that does not exist. Refused, but in a file of
	// replacements and in openapi, where it is ignored.
	UnknownField
	// WrongType is a value of type Got where Want was expected. Refused.
	WrongType
	// ListExpected is WrongType where a list was expected. Refused.
	ListExpected
	// DuplicateField is a key that stands twice; Other is the earlier key.
	// The later one wins; of two keys that differ in case both are read into
	// the same field. In a transformer configuration equal keys are refused.
	DuplicateField
	// KeyCase is a known field in another case than Candidate. Accepted.
	KeyCase
	// DeprecatedField is a field that Candidate replaces. Accepted.
	DeprecatedField
	// NullEntry is a list's entry without a value. Accepted as an empty entry;
	// in a replacement's targets and reject kustomize crashes on it.
	NullEntry
	// UnknownBehavior is a generator's behavior that kustomize does not know
	// and takes as unspecified. Accepted.
	UnknownBehavior
	// UnknownBuildMetadata is an option that kustomize ignores. Accepted.
	UnknownBuildMetadata

	// RepeatedValue is a value, Name, that its list has already at Other. Accepted.
	RepeatedValue

	// What only proposals or kls have. All are refused by kustomize.

	// ProposalOnlySpelling is what only a proposal or old documentation has.
	// It was read as Candidate where that works: as that field, or, for a
	// selector written as a map, as that text.
	ProposalOnlySpelling
	// SelectAsList is a replacement target's select (or reject entry) written
	// as a list. A list of one mapping was read as that mapping.
	SelectAsList
	// NotInKustomize is what only kls has: mergeValues, or a literal written as
	// a map of one entry, for which Candidate is the text that means the same.
	NotInKustomize

	// YAML that kustomize cannot take. All are refused.

	// BadTag is a scalar that its explicit tag, Name, does not fit.
	BadTag
	// BadMerge is a merge key whose value, Other, is no mapping.
	BadMerge
	// UnsupportedKey is a key that is null, a list or a mapping.
	UnsupportedKey
	// UnsupportedNumber is an infinite number or not a number.
	UnsupportedNumber
	// RecursiveAlias is an alias inside what it stands for.
	RecursiveAlias
	// ExcessiveAliasing is a document that aliases blow up.
	ExcessiveAliasing
	// TooDeep is a document whose collections nest too deeply.
	TooDeep
)

// String returns the name of the constant, for logs and tests.
func (k ProblemKind) String() string {
	return [...]string{
		"", "EmptyFile", "NotAMapping", "WrongKind", "WrongAPIVersion",
		"UnknownField", "WrongType", "ListExpected", "DuplicateField", "KeyCase", "DeprecatedField",
		"NullEntry", "UnknownBehavior", "UnknownBuildMetadata", "RepeatedValue",
		"ProposalOnlySpelling", "SelectAsList", "NotInKustomize",
		"BadTag", "BadMerge", "UnsupportedKey", "UnsupportedNumber", "RecursiveAlias", "ExcessiveAliasing", "TooDeep",
	}[k]
}

// Problem is one mistake in a kustomization file, as data; it has no message.
type Problem struct {
	Kind ProblemKind
	// Node is the key for problems of fields, the value for problems of values;
	// nil for an empty file. Other is explained at the kinds.
	Node, Other *yaml.Node
	// Path leads to the place from the root, such as patches[2].target.knid;
	// indexes are 0-based, keys are as the file spells them.
	Path string
	// Struct names the kind of mapping that Name stands in, such as Patch; it
	// is the name of one of Structs().
	Struct, Name string
	Want, Got    Type
	// Candidate is what was probably meant: the nearest known field or value,
	// or what the comment of the kind says. Empty where there is none.
	Candidate string
	// Fatal is true where kustomize refuses the file because of this.
	Fatal bool
	// LeftOut is true where the list entry around the place (a patch, a path,
	// an image) was left out because of this.
	LeftOut bool
}

// report collects problems, one for each mistake, and knows the path of the
// value that is being read.
type report struct {
	problems []Problem
	path     []segment
	seen     map[seenProblem]bool
}

type segment struct {
	name  string
	index int
}

// seenProblem tells mistakes apart: what an alias repeats is one mistake.
type seenProblem struct {
	kind ProblemKind
	node *yaml.Node
}

func (r *report) enterKey(name string) { r.path = append(r.path, segment{name: name, index: -1}) }
func (r *report) enterIndex(i int)     { r.path = append(r.path, segment{index: i}) }
func (r *report) leave()               { r.path = r.path[:len(r.path)-1] }

// add records the problem at the path of the value that is being read.
func (r *report) add(p Problem) {
	key := seenProblem{p.Kind, p.Node}
	if p.Node != nil && r.seen[key] {
		return
	}
	if r.seen == nil {
		r.seen = map[seenProblem]bool{}
	}
	r.seen[key] = true
	p.Path = r.pathText()
	r.problems = append(r.problems, p)
}

func (r *report) pathText() string {
	var b strings.Builder
	for _, s := range r.path {
		switch {
		case s.index >= 0:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// inOrder returns the problems in the order of the text; those without a node
// come first.
func (r *report) inOrder() []Problem {
	sort.SliceStable(r.problems, func(i, j int) bool {
		a, b := r.problems[i].Node, r.problems[j].Node
		if a == nil || b == nil {
			return a == nil && b != nil
		}
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return r.problems
}

func (r *report) fatal() bool {
	for _, p := range r.problems {
		if p.Fatal {
			return true
		}
	}
	return false
}
