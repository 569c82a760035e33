package main

import (
	"encoding/json"
	"io"
	"net/url"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
)

// SARIF 2.1.0, as far as it is used here: https://docs.oasis-open.org/sarif/sarif/v2.1.0.
// Columns count code points; paths are relative to the root of the git repository.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool               `json:"tool"`
		ColumnKind  string                  `json:"columnKind"`
		BaseIDs     map[string]sarifBaseURI `json:"originalUriBaseIds"`
		Invocations []sarifInvocation       `json:"invocations"`
		Results     []sarifResult           `json:"results"`
	}
	sarifBaseURI struct {
		Description sarifMessage `json:"description"`
	}
	sarifInvocation struct {
		Successful bool `json:"executionSuccessful"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Version        string      `json:"version"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string             `json:"id"`
		ShortDescription sarifMessage       `json:"shortDescription"`
		FullDescription  sarifMessage       `json:"fullDescription"`
		Help             sarifMarkdown      `json:"help"`
		HelpURI          string             `json:"helpUri"`
		Configuration    sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifMarkdown struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifResult struct {
		RuleID     string          `json:"ruleId"`
		RuleIndex  int             `json:"ruleIndex"`
		Level      string          `json:"level"`
		Message    sarifMessage    `json:"message"`
		Locations  []sarifLocation `json:"locations"`
		Related    []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes      []sarifFix      `json:"fixes,omitempty"`
		Properties sarifProperties `json:"properties"`
	}
	sarifProperties struct {
		Roots []string `json:"roots"`
	}
	sarifLocation struct {
		ID       *int          `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifMessage  `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion  `json:"deletedRegion"`
		Inserted sarifMessage `json:"insertedContent"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	homepage    = "https://github.com/kustomize-lsp/kls"
	rulePages   = homepage + "/blob/main/docs/rules/"
	// sourceRoot is the name for the root of the repository.
	sourceRoot = "%SRCROOT%"
)

func (v *printer) writeSARIF(out io.Writer, report *analysis.Report, rules []*analysis.Rule) error {
	run := sarifRun{
		ColumnKind:  "unicodeCodePoints",
		BaseIDs:     map[string]sarifBaseURI{sourceRoot: {sarifMessage{"The root of the git repository."}}},
		Invocations: []sarifInvocation{{true}},
		Tool:        sarifTool{sarifDriver{Name: "kls", InformationURI: homepage, Version: version(), Rules: []sarifRule{}}},
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, r := range rules {
		index[r.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.Name, ShortDescription: sarifMessage{r.Title + "."}, FullDescription: sarifMessage{r.Why},
			Help:    sarifMarkdown{r.Remedy, r.Why + "\n\n" + r.Remedy},
			HelpURI: rulePages + r.Name + ".md", Configuration: sarifConfiguration{sarifLevel(r.Severity)},
		})
	}
	for _, d := range report.Diagnostics {
		at, known := index[d.Rule]
		if !known {
			at = -1
		}
		run.Results = append(run.Results, v.sarifResult(d, at))
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func sarifLevel(s analysis.Severity) string {
	switch s {
	case analysis.Error:
		return "error"
	case analysis.Warning:
		return "warning"
	}
	return "note"
}

func (v *printer) sarifResult(d analysis.Diagnostic, index int) sarifResult {
	result := sarifResult{RuleID: d.Rule, RuleIndex: index, Level: sarifLevel(d.Severity), Message: sarifMessage{d.Text()},
		Locations: []sarifLocation{{Physical: v.sarifPlace(d.Place)}}, Properties: sarifProperties{[]string{}}}
	for i, r := range d.Related {
		result.Related = append(result.Related, sarifLocation{ID: &i, Physical: v.sarifPlace(r.Place), Message: &sarifMessage{r.Message}})
	}
	for _, dir := range d.Roots {
		result.Properties.Roots = append(result.Properties.Roots, relative(v.scope(dir), dir))
	}
	for _, f := range d.Fixes {
		if len(f.Edits) > 0 {
			result.Fixes = append(result.Fixes, v.sarifFix(f))
		}
	}
	return result
}

func (v *printer) sarifFix(f analysis.Fix) sarifFix {
	fix := sarifFix{Description: sarifMessage{f.Title}}
	for _, e := range f.Edits {
		place := v.sarifPlace(e.Place)
		at := slices.IndexFunc(fix.Changes, func(c sarifChange) bool { return c.Artifact == place.Artifact })
		if at < 0 {
			at = len(fix.Changes)
			fix.Changes = append(fix.Changes, sarifChange{Artifact: place.Artifact})
		}
		change := &fix.Changes[at]
		change.Replacements = append(change.Replacements, sarifReplacement{place.Region, sarifMessage{e.New}})
	}
	return fix
}

func (v *printer) sarifPlace(p analysis.Place) sarifPhysical {
	s := v.source(p.File)
	physical := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: v.repositoryPath(p.File)}).EscapedPath(), sourceRoot}}
	r := &physical.Region
	r.StartLine, r.StartColumn = s.position(p.Span.Start)
	r.EndLine, r.EndColumn = s.position(p.Span.End)
	return physical
}
