package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
)

// writeGitHub prints workflow commands, which GitHub shows as annotations in the
// changed files, and the line that sums up.
func (v *printer) writeGitHub(out io.Writer, s summary) error {
	var b bytes.Buffer
	for _, d := range s.report.Diagnostics {
		source := v.source(d.File)
		line, column := source.position(d.Span.Start)
		endLine, endColumn := source.position(d.Span.End)
		fmt.Fprintf(&b, "::%s file=%s,line=%d,endLine=%d,col=%d,endColumn=%d,title=%s::%s\n",
			githubCommand(d.Severity), githubProperty(v.repositoryPath(d.File)), line, endLine, column, max(endColumn-1, column),
			githubProperty(d.Rule), githubData(d.Text()))
	}
	fmt.Fprintln(&b, githubData(v.summary(s)))
	_, err := out.Write(b.Bytes())
	return err
}

func githubCommand(s analysis.Severity) string {
	switch s {
	case analysis.Error:
		return "error"
	case analysis.Warning:
		return "warning"
	}
	return "notice"
}

// githubData escapes a message, as @actions/core does in command.ts.
func githubData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(shown(text))
}

// githubProperty escapes a property.
func githubProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(shown(text))
}

// shown is a text in which nothing is hidden.
func shown(s string) string { return text.Visible(s) }
