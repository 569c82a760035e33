// Package rules holds the rules. A rule is a page in the folder pages, with its class and
// severity and what people read about it; a fixture of its name in testdata; and,
// where the engine does not find the mistake by itself, a check, which stands in
// the table below. A problem of the engine has the name of its rule as its code.
package rules

import (
	"embed"
	"sync"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules/pods"
)

// Check finds what the engine does not, in a whole build or in each resource by itself.
type check struct {
	build    func(*analysis.Pass)
	resource analysis.ResourceCheck
}

// checks returns the checks by the names of their rules.
func checks() map[string]check {
	return map[string]check{
		"build-metadata-in-base":           {build: checkBuildMetadataInBase},
		"container-without-image":          {resource: pods.Check(checkContainerWithoutImage)},
		"dangling-reference":               {build: checkDanglingReferences},
		"definition-name":                  {resource: checkDefinitionName},
		"duplicate-name":                   {resource: checkDuplicateName},
		"exclusive-fields":                 {resource: checkExclusiveFields},
		"glob-like-regex":                  {build: checkGlobLikeRegex},
		"ignored-document":                 {build: checkIgnoredDocument},
		"index-without-delimiter":          {build: checkIndexWithoutDelimiter},
		"invalid-binding":                  {resource: invalidBinding},
		"invalid-key":                      {resource: invalidKeys},
		"invalid-name":                     {resource: invalidNames},
		"invalid-port":                     {resource: checkInvalidPort},
		"invalid-schedule":                 {resource: checkInvalidSchedule},
		"malformed-image":                  {build: checkMalformedImage},
		"missing-key":                      {build: checkMissingKey},
		"namespace-no-effect":              {build: checkNamespaceNoEffect},
		"reference-not-updated":            {build: checkReferencesNotUpdated},
		"removed-api-version":              {build: checkRemovedAPIVersion},
		"replacement-copies-encoded-value": {build: checkCopiedBase64},
		"replacement-creates-near-field":   {build: checkCreatedFields},
		"schema-violation":                 {build: checkSchemaViolation},
		"secret-without-key":               {resource: secretWithoutKey},
		"selector-mismatch":                {resource: pods.Check(checkSelectorMismatch)},
		"selector-no-match":                {build: checkSelectorNoMatch},
		"unknown-field-in-resource":        {build: checkUnknownFieldInResource},
		"unknown-permission":               {build: checkCustomPermissions, resource: checkUnknownPermission},
		"unknown-pod-field":                {resource: pods.Check(checkUnknownPodField)},
		"unknown-port":                     {build: checkUnknownPort, resource: pods.Check(probedPorts)},
		"unknown-volume":                   {resource: pods.Check(checkUnknownVolume)},
		"unpinned-remote":                  {build: checkUnpinnedRemotes},
		"var-not-replaced":                 {build: checkVarsNotReplaced},
	}
}

//go:embed pages/*.md
var pages embed.FS

// All returns every rule, sorted by name. The rules are shared and must not be changed.
var All = sync.OnceValue(func() []*analysis.Rule {
	entries, err := pages.ReadDir("pages")
	if err != nil {
		panic(err) // the files are a part of the program
	}
	known := checks()
	all := make([]*analysis.Rule, len(entries))
	for i, e := range entries {
		r, err := readRule(e.Name())
		if err != nil {
			panic(err)
		}
		r.Number, r.Check, r.CheckResource = i, known[r.Name].build, known[r.Name].resource
		all[i] = r
	}
	return all
})
