package analysis

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// NotMeantToBuild is the rule of a folder of templates or test data.
const NotMeantToBuild = "not-meant-to-build"

// maxTemplate bounds, in bytes, how much of a file is looked through for a template.
const maxTemplate = 1 << 16

// templateMark is what programs fill in, where YAML has no quotes around it.
var templateMark = text.Regexp(`(?m)^[^"'#\n]*(\{\{-? ?[.$a-zA-Z]|\{%-? )`)

// withoutTestData says one thing of a folder of templates or test data, which is not
// meant to build as it is, in the place of what is found in its files. Folders that are
// asked for themselves are checked as all others are, and what a deployment gets is no
// template: it has its variables from there.
func (r Review) withoutTestData(list []Diagnostic) []Diagnostic {
	if len(r.Whole) == 0 {
		return list
	}
	attributes, placeholders := &gitAttributes{files: r.Files}, map[string]bool{}
	for _, d := range list {
		if d.Severity == Error && len(d.Deployments) == 0 && r.isPlaceholder(d.Place) {
			placeholders[filepath.Dir(d.File)] = true
		}
	}
	notes := map[string]int{} // by folder, the note's place in what is kept
	var kept []Diagnostic
	for _, d := range list {
		dir, what := r.testData(d, attributes, placeholders)
		if dir == "" {
			kept = append(kept, d)
			continue
		}
		at, ok := notes[dir]
		if !ok {
			at = len(kept)
			notes[dir] = at
			kept = append(kept, r.note(d, dir, what))
		}
		kept[at].Roots = append(kept[at].Roots, d.Roots...)
	}
	for _, at := range notes {
		slices.Sort(kept[at].Roots)
		kept[at].Roots = slices.Compact(kept[at].Roots)
	}
	return kept
}

func (r Review) note(d Diagnostic, dir, what string) Diagnostic {
	exclude := dir
	for _, whole := range r.Whole {
		if vfs.Below(whole, dir) {
			exclude, _ = filepath.Rel(whole, dir)
		}
	}
	severity := Info
	if at := r.ruleAt(NotMeantToBuild); at >= 0 {
		severity = r.Rules[at].Severity
	}
	return Diagnostic{Rule: NotMeantToBuild, Severity: severity, Place: d.Place,
		Message: fmt.Sprintf("%s holds %s: mistakes in it are not reported", filepath.ToSlash(exclude), what),
		Help:    fmt.Sprintf("check it by its name, or leave it out with `exclude: [%s]` in .kls.yaml", filepath.ToSlash(exclude))}
}

// testData returns the folder of templates, of test data or of generated or vendored
// files that a diagnostic is in, and which of them it is; "" where it is in none.
func (r Review) testData(d Diagnostic, attributes *gitAttributes, placeholders map[string]bool) (dir, what string) {
	for _, whole := range r.Whole {
		in := filepath.Dir(d.File)
		inside, err := filepath.Rel(whole, d.File)
		if err != nil || !vfs.Below(whole, d.File) {
			continue
		}
		parts := strings.Split(inside, string(filepath.Separator))
		for i, part := range parts[:len(parts)-1] {
			if part == "testdata" || part == "fixtures" {
				return filepath.Join(whole, filepath.Join(parts[:i+1]...)), "test data"
			}
		}
		if in != whole && len(d.Deployments) == 0 && (placeholders[in] || d.Severity == Error && r.isTemplate(d.File)) {
			return in, "templates"
		}
		if dir, what := attributes.marked(whole, d.File); dir != "" {
			return dir, what
		}
	}
	return "", ""
}

// isPlaceholder tells whether the value at a place has a ${…} in it, for which a program
// fills in something else.
func (r Review) isPlaceholder(p Place) bool {
	f, err := r.Files.ReadFile(p.File)
	if err != nil || p.Span.End > len(f.Data) || p.Span.Start > p.Span.End {
		return false
	}
	return placeholder().Match(f.Data[p.Span.Start:p.Span.End])
}

var placeholder = text.Regexp(`\$\{[A-Za-z_][A-Za-z0-9_]*[^}\n]*\}`)

func (r Review) isTemplate(path string) bool {
	f, err := r.Files.ReadFile(path)
	return err == nil && templateMark().Match(f.Data[:min(len(f.Data), maxTemplate)])
}
