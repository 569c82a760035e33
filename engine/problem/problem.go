// Package problem has the mistakes that a build can meet: where they are, what is wrong and what would mend it. It turns
// what lower packages find wrong with a text or a kustomization file into such problems.
package problem

import (
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Problem is one mistake that a build met. It is data for the diagnostics: Code
// names the mistake, the rest says where it is and what would mend it.
type Problem struct {
	Code Code
	// Fatal is true where kustomize refuses to build because of it.
	Fatal bool
	// Beyond is true for what kls has and kustomize v5.8.2 has not.
	Beyond bool

	// Minor is true for what is as likely meant as not.
	Minor bool
	// Guess says what of the problem holds only if the value at Node is a typing
	// mistake, which it hardly is where it is the name of something else.
	Guess Guess

	// Node is the node that is wrong. Part, where it is not empty, narrows it down
	// to some bytes of the scalar's value. Without a node the problem is at Span
	// in File.
	Node *yaml.Node
	Part text.Span
	File text.FileID
	Span text.Span

	Message string
	// Help says what to do about it, where the message does not; may be empty.
	Help    string
	Related []Related
	Fixes   []Fix

	// Layer is the kustomization in which it was met.
	Layer *trace.Layer
}

// Guess is the part of a problem that is a guess.
type Guess int

// The parts.
const (
	NoGuess        Guess = iota
	GuessedFix           // it is a mistake, but what was meant is guessed
	GuessedMistake       // it may be none
)

// Suggest returns the problem with a value that was probably meant in the place of
// the wrong one, in words and as a fix.
func (p Problem) Suggest(value string) Problem {
	p.Help, p.Fixes = "did you mean "+value+"?", []Fix{ChangeTo(value)}
	return p
}

// ChangeTo is the fix that writes a value in the place of the one that is wrong.
func ChangeTo(value string) Fix { return Fix{Title: "Change to " + value, New: value} }

// Related is another place that belongs to a problem.
type Related struct {
	Node    *yaml.Node
	Message string
}

// Fix is a change that mends a problem.
type Fix struct {
	Title string
	// Safe fixes can be applied without a look at them.
	Safe bool
	// Node is the scalar whose value becomes New; nil for the problem's own node,
	// or the part of it. Where Length is not 0, New instead replaces as many bytes
	// from where the node begins.
	Node   *yaml.Node
	New    string
	Length int
	// File, where it is not zero, and Span are the bytes that New replaces as it is
	// written; Node is nil then.
	File text.FileID
	Span text.Span
}

// Code names a mistake; it is the name of the rule that reports it.
type Code string

// The mistakes that a build can meet.
const (
	SyntaxError           Code = "syntax-error"
	InvalidResource       Code = "invalid-resource"
	MissingPath           Code = "missing-path"
	OutsideRoot           Code = "outside-root"
	WrongPathType         Code = "wrong-path-type"
	MissingKustomization  Code = "missing-kustomization"
	TwoKustomizationFiles Code = "two-kustomization-files"
	IncludeCycle          Code = "include-cycle"
	ComponentAsResource   Code = "component-as-resource"
	ResourceAsComponent   Code = "resource-as-component"
	DuplicateResource     Code = "duplicate-resource"
	DuplicateEntry        Code = "duplicate-entry"
	RemoteNotLoaded       Code = "remote-not-loaded"
	RemoteFails           Code = "remote-fails"
	ExternalNotRun        Code = "external-not-run"
	// BuildLimit: the build would use more than it may.
	BuildLimit Code = "build-limit"

	IgnoredDocument      Code = "ignored-document"
	EmptyKustomization   Code = "empty-kustomization"
	WrongType            Code = "wrong-type"
	WrongKind            Code = "wrong-kind"
	UnknownField         Code = "unknown-field"
	DuplicateKey         Code = "duplicate-key"
	KeyCase              Code = "key-case"
	DeprecatedField      Code = "deprecated-field"
	EmptyEntry           Code = "empty-entry"
	UnknownBuildMetadata Code = "unknown-build-metadata"
	ProposalOnlySpelling Code = "proposal-only-spelling"
	SelectAsList         Code = "select-as-list"

	MalformedPlugin  Code = "malformed-plugin"
	PluginFails      Code = "plugin-fails"
	ChartFails       Code = "chart-fails"
	ValidatorChanges Code = "validator-changes"

	MalformedPatchEntry      Code = "malformed-patch-entry"
	PatchUnparsable          Code = "patch-unparsable"
	PatchNoTarget            Code = "patch-no-target"
	PatchNoMatch             Code = "patch-no-match"
	PatchFails               Code = "patch-fails"
	PatchNoChange            Code = "patch-no-change"
	PatchReplaceAdds         Code = "patch-replace-adds"
	PatchOperationOdd        Code = "patch-operation-odd"
	SeveralPatchesWithTarget Code = "several-patches-with-target"
	PatchSeveralTargets      Code = "patch-several-targets"
	PatchListReplaced        Code = "patch-list-replaced"
	PatchMergeKeyMissing     Code = "patch-merge-key-missing"
	PatchDirectiveIgnored    Code = "patch-directive-ignored"
	InvalidRegex             Code = "invalid-regex"
	InvalidLabelSelector     Code = "invalid-label-selector"
	ImageNoMatch             Code = "image-no-match"
	ReplicaNoMatch           Code = "replica-no-match"
	ConflictingFieldSpecs    Code = "conflicting-field-specs"

	MalformedReplacement            Code = "malformed-replacement"
	ReplacementNoSource             Code = "replacement-no-source"
	ReplacementSeveralSources       Code = "replacement-several-sources"
	ReplacementNoTarget             Code = "replacement-no-target"
	ReplacementAllRejected          Code = "replacement-all-rejected"
	ReplacementSourcePathUnresolved Code = "replacement-source-path-unresolved"
	ReplacementTargetPathUnresolved Code = "replacement-target-path-unresolved"
	ReplacementWritesNothing        Code = "replacement-writes-nothing"
	ReplacementDamages              Code = "replacement-damages"
	ReplacementReformats            Code = "replacement-reformats"
	ReplacementMatchesMore          Code = "replacement-matches-more"
	ReplacementNoChange             Code = "replacement-no-change"
	ReplacementSourceChangedLater   Code = "replacement-source-changed-later"
	ReplacementCreatesNearField     Code = "replacement-creates-near-field"
	RejectMixesSelectors            Code = "reject-mixes-selectors"

	GeneratorWithoutName     Code = "generator-without-name"
	UnknownBehavior          Code = "unknown-behavior"
	GeneratorNoBase          Code = "generator-no-base"
	GeneratorNameTaken       Code = "generator-name-taken"
	MalformedGeneratorSource Code = "malformed-generator-source"
	UnreadableEnvLine        Code = "unreadable-env-line"
	GeneratorDuplicateKey    Code = "generator-duplicate-key"
	UnstableNameHash         Code = "unstable-name-hash"

	MergeValuesWithoutMerge    Code = "merge-values-without-merge"
	UnknownMergeFormat         Code = "unknown-merge-format"
	MergeKeyMissing            Code = "merge-key-missing"
	MergeKeyOnOneSide          Code = "merge-key-on-one-side"
	MergeValueNotText          Code = "merge-value-not-text"
	MergeReplacesMap           Code = "merge-replaces-map"
	EmbeddedDocumentUnparsable Code = "embedded-document-unparsable"
	EmbeddedDuplicateKey       Code = "embedded-duplicate-key"
	EmbeddedAlias              Code = "embedded-alias"
	EmbeddedSeveralDocuments   Code = "embedded-several-documents"
	EmbeddedLayoutUnmergeable  Code = "embedded-layout-unmergeable"
	EmbeddedJSONNotStrict      Code = "embedded-json-not-strict"

	AmbiguousReference  Code = "ambiguous-reference"
	UnexpectedValueType Code = "unexpected-value-type"
	VarConflict         Code = "var-conflict"
	VarUnresolved       Code = "var-unresolved"
	VarUnused           Code = "var-unused"
	InvalidSortOptions  Code = "invalid-sort-options"
	Unrenderable        Code = "unrenderable"
	NotInKustomize      Code = "not-in-kustomize"
)

// NameNode returns the node that shows a resource best: its name, else its root.
func NameNode(r *resource.Resource) *yaml.Node {
	if _, name := syntax.Field(r.Metadata(), "name"); name != nil && name.Line != 0 {
		return name
	}
	if r.Node != nil && r.Node.Line != 0 {
		return r.Node
	}
	return r.Entry
}
