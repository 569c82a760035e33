package build

import (
	"github.com/kustomize-lsp/kls/engine/text"
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
	Layer *Layer
}

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
	// or the part of it.
	Node *yaml.Node
	New  string
}

// Code names a mistake; it is the name of the rule that reports it.
type Code string

// The mistakes that a build can meet.
const (
	Syntax                Code = "syntax-error"
	InvalidResource       Code = "invalid-resource"
	MissingPath           Code = "missing-path"
	OutsideRoot           Code = "outside-root"
	NotAFile              Code = "not-a-file"
	MissingKustomization  Code = "missing-kustomization"
	TwoKustomizationFiles Code = "two-kustomization-files"
	Cycle                 Code = "cycle"
	ComponentAsResource   Code = "component-as-resource"
	ResourceAsComponent   Code = "resource-as-component"
	IDConflict            Code = "id-conflict"
	BadKustomization      Code = "bad-kustomization"
	Remote                Code = "remote-not-loaded"
	NotRun                Code = "not-run"
	Unsupported           Code = "unsupported"

	PatchForm        Code = "patch-form"
	PatchUnparsable  Code = "patch-unparsable"
	PatchNoTarget    Code = "patch-no-target"
	PatchNoMatch     Code = "patch-no-match"
	PatchFails       Code = "patch-fails"
	PatchNoChange    Code = "patch-no-change"
	PatchOdd         Code = "patch-operation-odd"
	PatchSeveral     Code = "patch-target-several"
	BadRegex         Code = "bad-regex"
	BadSelector      Code = "bad-selector"
	NoSuchImage      Code = "image-no-match"
	NoSuchReplica    Code = "replica-no-match"
	BadConfiguration Code = "bad-configuration"

	ReplacementForm        Code = "replacement-form"
	ReplacementNoSource    Code = "replacement-no-source"
	ReplacementManySources Code = "replacement-several-sources"
	ReplacementNoTarget    Code = "replacement-no-target"
	ReplacementRejected    Code = "replacement-all-rejected"
	ReplacementSourcePath  Code = "replacement-source-path"
	ReplacementTargetPath  Code = "replacement-target-path"
	ReplacementOption      Code = "replacement-option"
	ReplacementSilent      Code = "replacement-writes-nothing"
	ReplacementDamage      Code = "replacement-damages"
	ReplacementReformat    Code = "replacement-reformats"
	ReplacementBroad       Code = "replacement-matches-more"
	RejectMix              Code = "reject-mixes-selectors"

	GeneratorName     Code = "generator-name"
	GeneratorBehavior Code = "generator-behavior"
	GeneratorNoBase   Code = "generator-no-base"
	GeneratorExists   Code = "generator-exists"
	GeneratorSource   Code = "generator-source"
	GeneratorEnvLine  Code = "generator-env-line"
	GeneratorKey      Code = "generator-duplicate-key"

	AmbiguousReference Code = "ambiguous-reference"
	FieldKind          Code = "field-kind"
	VarConflict        Code = "var-conflict"
	VarUnresolved      Code = "var-unresolved"
	VarUnused          Code = "var-unused"
	SortOptions        Code = "bad-sort-options"
	Unrenderable       Code = "unrenderable"
	Beyond             Code = "not-in-kustomize"
)
