package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

// gitlabIssue is a finding in GitLab's Code Quality report, a JSON list. Paths are relative to the root of the
// repository. GitLab takes two issues of one fingerprint for the same, and one that both branches of a merge request
// have for an old one.
type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

func (v *printer) writeGitLab(out io.Writer, report *analysis.Report) error {
	issues, seen := []gitlabIssue{}, map[string]int{}
	for _, d := range report.Diagnostics {
		source := v.source(d.File)
		issue := gitlabIssue{Description: shown(d.Text()), Check: d.Rule, Severity: gitlabSeverity(d.Severity)}
		issue.Location.Path = v.repositoryPath(d.File)
		issue.Location.Lines.Begin, _ = source.position(d.Span.Start)
		// The text of the line and not its number: a finding stays the same when lines are added above it.
		same := strings.Join([]string{d.Rule, issue.Location.Path, d.Message, strings.TrimSpace(source.line(d.Span.Start))}, "\x00")
		seen[same]++
		hash := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", same, seen[same]))
		issue.Fingerprint = hex.EncodeToString(hash[:16])
		issues = append(issues, issue)
	}
	encoded, err := encodeJSON(issues)
	if err != nil {
		return err
	}
	_, err = out.Write(encoded)
	return err
}

func gitlabSeverity(s analysis.Severity) string {
	switch s {
	case analysis.Error:
		return "critical"
	case analysis.Warning:
		return "major"
	case analysis.Info:
		return "minor"
	}
	return "info"
}
