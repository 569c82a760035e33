package problem

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// kustomizationCodes name the rules for what can be wrong in a kustomization file.
var kustomizationCodes = map[kustomization.ProblemKind]Code{
	kustomization.EmptyFile:            EmptyKustomization,
	kustomization.NotAMapping:          WrongType,
	kustomization.WrongKind:            WrongKind,
	kustomization.WrongAPIVersion:      WrongKind,
	kustomization.UnknownField:         UnknownField,
	kustomization.WrongType:            WrongType,
	kustomization.ListExpected:         WrongType,
	kustomization.DuplicateField:       DuplicateKey,
	kustomization.KeyCase:              KeyCase,
	kustomization.DeprecatedField:      DeprecatedField,
	kustomization.NullEntry:            EmptyEntry,
	kustomization.UnknownBehavior:      UnknownBehavior,
	kustomization.UnknownBuildMetadata: UnknownBuildMetadata,
	kustomization.ProposalOnlySpelling: ProposalOnlySpelling,
	kustomization.SelectAsList:         SelectAsList,
	kustomization.RepeatedValue:        DuplicateEntry,
	kustomization.NotInKustomize:       NotInKustomize,
}

// FromKustomization makes a problem of the build of one of a kustomization file.
func FromKustomization(p kustomization.Problem, file text.FileID) Problem {
	out := Problem{Code: SyntaxError, Fatal: p.Fatal, Node: p.Node, File: file}
	if code, ok := kustomizationCodes[p.Kind]; ok {
		out.Code = code
	}
	out.Beyond = p.Kind == kustomization.NotInKustomize
	if out.Beyond {
		out.Fatal = false
	}
	out.Message, out.Help = kustomizationMessage(p)
	if p.Candidate != "" {
		addCandidate(&out, p)
	}
	if n := p.Node; p.Kind == kustomization.SelectAsList && n != nil && len(n.Content) == 1 && n.Style&yaml.FlowStyle == 0 {
		out.Fixes = append(out.Fixes, Fix{Title: "Remove the dash", Safe: true, Length: len("-"), New: " "})
	}
	if p.Other != nil {
		out.Related = append(out.Related, Related{Node: p.Other, Message: "the other one"})
	}
	return out
}

func addCandidate(out *Problem, p kustomization.Problem) {
	switch p.Kind {
	case kustomization.UnknownField, kustomization.WrongKind, kustomization.UnknownBehavior, kustomization.UnknownBuildMetadata:
		out.Help = fmt.Sprintf("did you mean %s?", p.Candidate)
	case kustomization.WrongAPIVersion:
		out.Help = "write " + p.Candidate
	case kustomization.DeprecatedField:
		out.Help = fmt.Sprintf("use %s instead; kls edit fix replaces it", p.Candidate)
		return // the value must change too
	case kustomization.NotInKustomize, kustomization.ProposalOnlySpelling, kustomization.KeyCase:
		out.Help = "write " + p.Candidate
	default:
		return
	}
	safe := p.Kind == kustomization.KeyCase
	out.Fixes = append(out.Fixes, Fix{Title: "Change to " + p.Candidate, New: p.Candidate, Safe: safe})
}

func kustomizationMessage(p kustomization.Problem) (message, help string) {
	switch p.Kind {
	case kustomization.EmptyFile:
		return "the kustomization is empty", "kustomize refuses a file without any field; list something under resources"
	case kustomization.NotAMapping:
		return fmt.Sprintf("the file must be a mapping of fields, and this is %s", withArticle(p.Got)), ""
	case kustomization.WrongKind:
		return fmt.Sprintf("%q is not a kind of kustomization file", p.Name), "kind is Kustomization or Component"
	case kustomization.WrongAPIVersion:
		return fmt.Sprintf("%q is not the apiVersion of this kind", p.Name), ""
	case kustomization.UnknownField:
		return fmt.Sprintf("%s has no field %q", p.Struct, p.Name), ""
	case kustomization.WrongType, kustomization.ListExpected:
		return fmt.Sprintf("%s must be %s, not %s", p.Path, withArticle(p.Want), withArticle(p.Got)), ""
	case kustomization.DuplicateField:
		return fmt.Sprintf("%q appears twice; the later one wins", p.Name), ""
	case kustomization.KeyCase:
		return fmt.Sprintf("%q is written %s", p.Name, p.Candidate), ""
	case kustomization.DeprecatedField:
		return fmt.Sprintf("%s is deprecated", p.Name), ""
	case kustomization.NullEntry:
		return fmt.Sprintf("%s has no value", p.Path), ""
	case kustomization.UnknownBehavior:
		return fmt.Sprintf("%q is not a behavior", p.Name), "behavior is create, replace or merge"
	case kustomization.UnknownBuildMetadata:
		return fmt.Sprintf("%q is not an option of buildMetadata", p.Name), "the options are originAnnotations, transformerAnnotations and managedByLabel"
	case kustomization.RepeatedValue:
		return fmt.Sprintf("%s is listed already", p.Name), "remove one of the entries"
	case kustomization.ProposalOnlySpelling:
		if p.Name == "" {
			return "a selector is written as text; a mapping was only proposed", ""
		}
		return fmt.Sprintf("%q was proposed but never became part of kustomize", p.Name), ""
	case kustomization.SelectAsList:
		return "a mapping is needed here, not a list", "remove the dash"
	case kustomization.NotInKustomize:
		return fmt.Sprintf("%q works in kls only; kustomize refuses it", p.Name), ""
	case kustomization.BadTag:
		return fmt.Sprintf("the value does not fit its tag %s", p.Name), ""
	case kustomization.BadMerge:
		return "the merge key << takes a mapping or a list of mappings", ""
	case kustomization.UnsupportedKey:
		return "a key must be a single value", ""
	case kustomization.UnsupportedNumber:
		return "this number cannot be written as JSON", ""
	case kustomization.RecursiveAlias:
		return "an anchor holds an alias of itself", ""
	case kustomization.ExcessiveAliasing:
		return "the aliases expand to too many nodes", ""
	}
	return "the document nests too deeply", ""
}

// withArticle says what a value of the type is.
func withArticle(t kustomization.Type) string {
	switch t {
	case kustomization.TypeNull, kustomization.TypeText:
		return t.String()
	case kustomization.TypeInteger:
		return "an " + t.String()
	}
	return "a " + t.String()
}
