package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

var (
	trees      = flag.String("trees", "", "try the fixes of mistakes in this folder too")
	treesLimit = flag.Int("trees-limit", 3, "mistakes of one kind in one folder, at most")
)

// TestFixesMend makes mistakes and then whatever the editor offers against what is
// said of them: it is said no more, no new error comes, and no comment is lost.
func TestFixesMend(t *testing.T) {
	folders := []string{filepath.Join("..", "..", "examples", "shop"), filepath.Join("..", "..", "examples", "structured-data")}
	if *trees != "" {
		folders = append(folders, *trees)
	}
	sweep := &fixSweep{t: t, made: map[string]int{}, restored: map[string]int{}}
	for _, folder := range folders {
		tree, err := LoadTree(folder)
		if err != nil {
			t.Fatal(err)
		}
		sweep.tree(tree)
	}
	for _, name := range []string{"replica-no-match", "patch-no-target", "dangling-reference", "generator-no-base"} {
		sweep.tree(fixtureTree(t, name))
	}
	total, restored := 0, 0
	for _, what := range slices.Sorted(maps.Keys(sweep.made)) {
		t.Logf("%4d of %-60s %4d restore the text", sweep.made[what], what, sweep.restored[what])
		total, restored = total+sweep.made[what], restored+sweep.restored[what]
	}
	t.Logf("%d fixes were made, and %d of them restored the text as it was", total, restored)
	if total < 150 || restored < 50 {
		t.Error("too few fixes were made")
	}
	if sweep.followed*100 > total {
		t.Errorf("%d of them were wrong guesses, more than one in a hundred", sweep.followed)
	}
}

type fixSweep struct {
	t              *testing.T
	made, restored map[string]int // by rule and action
	// followed counts the guesses at a name after which there was an error elsewhere.
	followed int
}

func (s *fixSweep) tree(tree *Tree) {
	ctx := context.Background()
	b := &bench{Tree: tree, session: builder.NewSession(vfs.NewSnapshot(vfs.Memory(tree.Files)))}
	if err := b.findRoots(ctx); err != nil {
		s.t.Fatal(err)
	}
	clean := workspace.New(b.session.Files(), []string{tree.Dir}, analysis.Options{Rules: rules.All()})
	known := findings(s.t, clean)
	for _, k := range kinds() {
		all := b.shuffled(b.faults(k))
		for _, f := range all[:min(*treesLimit, len(all))] {
			s.fault(clean.Edit(f.path, f.text), known, f, string(tree.Files[f.path]))
		}
	}
}

func (s *fixSweep) fault(view *workspace.View, known map[string][]analysis.Diagnostic, f fault, clean string) {
	found := findings(s.t, view)
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if _, before := known[id]; before {
			continue
		}
		d := found[id][0]
		actions, err := action.At(context.Background(), view, action.Query{File: d.File, Span: d.Span, Only: []action.Kind{action.QuickFix}})
		if err != nil {
			s.t.Fatal(err)
		}
		for _, a := range actions {
			if a.Mends != nil && identity(*a.Mends) == id && a.Mends.Span == d.Span {
				s.action(view, found, known, d, a, f, clean)
			}
		}
	}
}

func (s *fixSweep) action(view *workspace.View, before, known map[string][]analysis.Diagnostic, d analysis.Diagnostic, a *action.Action, f fault, clean string) {
	change, reason, err := a.Edit(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	if reason != "" {
		return
	}
	what := fmt.Sprintf("%s: %s", d.Rule, strings.Fields(a.Title)[0])
	s.made[what]++
	after := s.make(view, change, what)
	if text, err := after.Files().ReadFile(f.path); err == nil && string(text.Data) == clean {
		s.restored[what]++
	}
	said := func(format string, args ...any) {
		s.t.Errorf("%s\n  %s:%d, %s [%s]\n  %q: %s", f.kind, f.path, f.line, d.Message, d.Rule, a.Title, fmt.Sprintf(format, args...))
	}
	left := findings(s.t, after)
	if len(left[identity(d)]) >= len(before[identity(d)]) {
		said("it is said still")
	}
	for id, now := range left {
		_, was := before[id]
		if _, always := known[id]; was || always || now[0].Severity != analysis.Error {
			continue
		}
		switch strings.Fields(a.Title)[0] {
		case "Create": // what was in the file nobody knows, and it may be missed
		case "Change":
			s.followed++
			s.t.Logf("%s: %s, %q, is followed by %s [%s]", f.kind, d.Message, a.Title, now[0].Message, now[0].Rule)
		default:
			said("there is a new error: %s [%s]", now[0].Message, now[0].Rule)
		}
	}
}

// make makes an edit, and holds that every comment is still there.
func (s *fixSweep) make(view *workspace.View, change *workspace.Edit, what string) *workspace.View {
	read := func(path string) ([]byte, error) {
		f, err := view.Files().ReadFile(path)
		if err != nil {
			return nil, err
		}
		return f.Data, nil
	}
	changed, err := analysis.Apply(change.Edits, read)
	if err != nil {
		s.t.Fatal(err)
	}
	for path, content := range changed {
		was, err := read(path)
		if err != nil {
			s.t.Fatal(err)
		}
		is := edit.Comments(content)
		for _, comment := range edit.Comments(was) {
			if !slices.Contains(is, comment) && !strings.Contains(comment, "kls:ignore") {
				s.t.Errorf("%s: %s loses the comment %q", what, path, comment)
			}
		}
		view = view.Edit(path, content)
	}
	for _, f := range change.Create {
		view = view.Edit(f.Path, []byte(f.Text))
	}
	return view
}

// findings are the diagnostics by what they say; the same may be said at several places.
func findings(t *testing.T, view *workspace.View) map[string][]analysis.Diagnostic {
	t.Helper()
	found := map[string][]analysis.Diagnostic{}
	if err := view.Check(context.Background(), nil, func(f *workspace.PartialReport) {
		clear(found)
		for _, d := range f.Diagnostics {
			found[identity(d)] = append(found[identity(d)], d)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return found
}
