package analysis

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// mend mends a file in which every x is a mistake; the fix of one takes along the
// letter behind it, so that those of neighbours overlap.
func mend(t *testing.T, content string, verdict func(content string) Verdict) (*Mended, int) {
	t.Helper()
	checks := 0
	check := func(_ context.Context, files *vfs.Snapshot) (*Report, error) {
		checks++
		f, err := files.ReadFile("/f")
		if err != nil {
			return nil, err
		}
		report := &Report{Roots: []Root{{Dir: "/", Verdict: verdict(string(f.Data))}}}
		for i, c := range string(f.Data) {
			if c != 'x' {
				continue
			}
			place := Place{"/f", text.Span{Start: i, End: i + 1}}
			report.Diagnostics = append(report.Diagnostics, Diagnostic{Rule: "x", Place: place, Fixes: []Fix{
				{Title: "not safe", Edits: []FileEdit{{place, "!"}}},
				{Title: "y", Safe: true, Edits: []FileEdit{{place, "y"}}},
			}})
		}
		return report, nil
	}
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/f": []byte(content)}))
	m, err := Mend(context.Background(), files, check, func(path string) bool { return !strings.HasPrefix(content, "no") }, false)
	if err != nil {
		t.Fatal(err)
	}
	return m, checks
}

func TestMend(t *testing.T) {
	builds := func(string) Verdict { return Builds }
	for _, tt := range []struct {
		name, content, want string
		verdict             func(string) Verdict
		steps, checks       int
	}{
		{"apart", "x.x.\nx", "y.y.\ny", builds, 3, 2},
		{"in each other's way", "xx", "yy", builds, 2, 3},
		{"nothing", "abc", "", builds, 0, 1},
		{"may not", "no x", "", builds, 0, 1},
		{"an unfinished merge", "a\n<<<<<<< x", "", builds, 0, 1},
		{"a fix that breaks a root is taken back", "x", "", func(s string) Verdict {
			if s == "y" {
				return Fails
			}
			return Builds
		}, 0, 2},
		{"what failed before may fail on", "x", "y", func(string) Verdict { return Fails }, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, checks := mend(t, tt.content, tt.verdict)
			if got := string(m.After["/f"]); got != tt.want || len(m.Steps) != tt.steps || checks != tt.checks {
				t.Errorf("%q in %d steps and %d checks, want %q in %d and %d", got, len(m.Steps), checks, tt.want, tt.steps, tt.checks)
			}
			if tt.want != "" && string(m.Before["/f"]) != tt.content {
				t.Errorf("before is %q", m.Before["/f"])
			}
			for i, step := range m.Steps {
				if step.Title != "y" || tt.name == "apart" && step.Line != []int{1, 1, 2}[i] {
					t.Errorf("step %d is %+v", i, step)
				}
			}
		})
	}
	// Neighbours are mended one a round, and rounds are bounded.
	if m, _ := mend(t, strings.Repeat("x", 100), builds); len(m.Steps) == 0 || len(m.Report.Diagnostics)+len(m.Steps) != 100 {
		t.Error(fmt.Sprint(len(m.Steps), " steps, ", len(m.Report.Diagnostics), " left"))
	}
}

// A root has the errors e, each with one fix, and fails as long as there is one. Fixing
// an n makes a warning, an s cannot be fixed, and a c could be fixed in two ways.
func TestMendProvesByBuilding(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		{"a misspelt name", "a.e", "a.-"},
		{"several in one root", "ee", "--"},
		{"one that leaves the build failing is no proof", "es", ""},
		{"one that brings something new", "n", ""},
		{"a choice", "c", ""},
		{"each root by itself", "es\ne", "es\n-"},
		{"a warning is nobody's proof", "w", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check := func(_ context.Context, files *vfs.Snapshot) (*Report, error) {
				f, err := files.ReadFile("/f")
				if err != nil {
					return nil, err
				}
				return reportOfLetters(string(f.Data)), nil
			}
			files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/f": []byte(tt.content)}))
			m, err := Mend(context.Background(), files, check, func(string) bool { return true }, false)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(m.After["/f"]); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// reportOfLetters has a root for each line.
func reportOfLetters(content string) *Report {
	report := &Report{}
	at := 0
	for i, line := range strings.SplitAfter(content, "\n") {
		root := Root{Dir: fmt.Sprint("/", i), Verdict: Builds}
		for _, c := range line {
			place := Place{"/f", text.Span{Start: at, End: at + 1}}
			d := Diagnostic{Rule: string(c), Severity: Error, Place: place, Message: string(c), Roots: []string{root.Dir}}
			fix := func(with string) Fix { return Fix{Title: with, Edits: []FileEdit{{place, with}}} }
			switch at++; c {
			case 'e':
				d.Fixes = []Fix{fix("-")}
			case 'n':
				d.Fixes = []Fix{fix("!")}
			case 'c':
				d.Fixes = []Fix{fix("-"), fix("+")}
			case 's':
			case 'w', '!':
				d.Severity, d.Fixes = Warning, []Fix{fix("-")}
			default:
				continue
			}
			if d.Severity == Error {
				root.Verdict = Fails
			}
			report.Diagnostics = append(report.Diagnostics, d)
		}
		report.Roots = append(report.Roots, root)
	}
	return report
}
