package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

const (
	headMark   = "---\n"
	remedyMark = "\n## What to do\n"
)

// readRule reads a rule's page: a head of `key: value` lines, the title, why it
// matters, and what to do.
func readRule(file string) (*analysis.Rule, error) {
	page, err := pages.ReadFile(path.Join("pages", file))
	if err != nil {
		return nil, err
	}
	r := &analysis.Rule{Name: strings.TrimSuffix(file, ".md")}
	head, body, ok := strings.Cut(strings.TrimPrefix(string(page), headMark), "\n"+headMark)
	if !ok {
		return nil, fmt.Errorf("%s has no head", file)
	}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		if !setHead(r, key, value) {
			return nil, fmt.Errorf("%s: %q is not known in the head", file, line)
		}
	}
	title, rest, _ := strings.Cut(strings.TrimPrefix(body, "# "), "\n")
	why, remedy, _ := strings.Cut(rest, remedyMark)
	r.Title, r.Why, r.Remedy = title, strings.TrimSpace(why), strings.TrimSpace(remedy)
	return r, nil
}

// setHead sets what a line of the head says; false where it says nothing that is known.
func setHead(r *analysis.Rule, key, value string) (ok bool) {
	flags := map[string]*bool{"neverFails": &r.NeverFails, "complete": &r.Complete}
	switch flag := flags[key]; {
	case flag != nil && value == "true":
		*flag = true
	case key == "class":
		r.Class = analysis.Class(value)
	case key == "includers":
		r.Includers = analysis.Includers(value)
		return slices.Contains([]analysis.Includers{analysis.InAny, analysis.InEvery, analysis.InEveryUse}, r.Includers)
	case key == "mark":
		r.Mark = analysis.Mark(value)
	case key == "severity":
		r.Severity, ok = analysis.ParseSeverity(value)
		return ok
	default:
		return false
	}
	return true
}
