package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

// JUnit's XML, in the form that Jenkins, GitLab and others read: a root is a suite
// with a test that it is in order, or one for each diagnostic. What
// reaches --fail-on is a failure.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (v *printer) writeJUnit(out io.Writer, sum summary) error {
	suites := junitSuites{Name: "kls check"}
	byFile := map[string]int{}
	suite := func(name string) *junitSuite {
		if _, ok := byFile[name]; !ok {
			byFile[name] = len(suites.Suites)
			suites.Suites = append(suites.Suites, junitSuite{Name: name})
		}
		return &suites.Suites[byFile[name]]
	}
	wrong := map[string]bool{}
	for _, d := range sum.report.Diagnostics {
		s := suite(relative(v.folder, d.File))
		s.Cases = append(s.Cases, v.junitCase(d, sum.failOn))
		for _, root := range d.Roots {
			wrong[root] = true
		}
	}
	for _, r := range sum.report.Roots {
		if !wrong[r.Dir] && r.Verdict != analysis.IsComponent {
			name := relative(v.folder, r.Dir)
			suite(name).Cases = append(suite(name).Cases, junitCase{Name: string(r.Verdict), Class: name})
		}
	}
	for i := range suites.Suites {
		s := &suites.Suites[i]
		for _, test := range s.Cases {
			s.Tests++
			if test.Failure != nil {
				s.Failures++
			}
		}
		suites.Tests, suites.Failures = suites.Tests+s.Tests, suites.Failures+s.Failures
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func (v *printer) junitCase(d analysis.Diagnostic, failOn analysis.Severity) junitCase {
	line, column := v.source(d.File).position(d.Span.Start)
	path := relative(v.folder, d.File)
	message := printableLines(d.Text())
	place := fmt.Sprintf("%s:%d:%d", path, line, column)
	made := junitCase{Name: fmt.Sprintf("%s at %d:%d", d.Rule, line, column), Class: path, File: path, Line: line}
	text := fmt.Sprintf("%s: %s: %s", place, d.Severity, message)
	if d.Severity < failOn {
		made.Output = text
		return made
	}
	first, _, _ := strings.Cut(message, "\n")
	made.Failure = &junitFailure{Type: d.Severity.String(), Message: first, Text: text}
	return made
}

// printableLines is printable for a text of several lines.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}
