package lsp

import (
	"context"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
)

func serverOf(t *testing.T) *server {
	t.Helper()
	return newServer(t.Context(), Options{Source: vfs.Memory(map[string][]byte{"/tree/kustomization.yaml": []byte("resources: []\n")})})
}

// TestOutdatedViewIsNotPublished has findings of a view that is not the newest, and of one
// after which something changed on disk: the client, which is nil here, is told of neither.
func TestOutdatedViewIsNotPublished(t *testing.T) {
	report := &workspace.PartialReport{Final: true, Report: &analysis.Report{Diagnostics: []analysis.Diagnostic{
		{Rule: "syntax-error", Severity: analysis.Error, Place: analysis.Place{File: "/tree/kustomization.yaml"}, Message: "x"}}}}
	s := serverOf(t)
	before := s.moment()
	s.view = s.view.Edit("/tree/kustomization.yaml", []byte("resources: [] # changed\n"))
	s.publisher.publish(context.Background(), before, report, false)
	now := s.moment()
	s.stale = []string{"/tree/kustomization.yaml"}
	s.publisher.publish(context.Background(), now, report, false)
	if len(s.publisher.published) != 0 {
		t.Errorf("published are %v", s.publisher.published)
	}
	s.stale = nil
	if !s.isCurrent(now) {
		t.Error("without a change the view is not taken for the newest")
	}
}

// TestTextOfAnOutdatedView gives out a text of a view that is not the newest: what changed
// since was checked before it was known that the client has the text, so it is checked again.
func TestTextOfAnOutdatedView(t *testing.T) {
	s := serverOf(t)
	woken := func() bool {
		select {
		case <-s.publisher.changed:
			return true
		default:
			return false
		}
	}
	s.gave("kls:/tree/preview.yaml", virtual{root: "/tree"}, s.view, "text")
	if woken() {
		t.Error("nothing changed, and all is checked again")
	}
	outdated := s.view
	s.view = s.view.Edit("/tree/kustomization.yaml", []byte("resources: [] # changed\n"))
	s.gave("kls:/tree/preview.yaml", virtual{root: "/tree"}, outdated, "text")
	if !woken() {
		t.Error("the change is not looked at again")
	}
}

// TestSettingsOfNestedFolders asks for the settings of a file in a folder within a folder
// that has others, in every order in which the client may tell of them.
func TestSettingsOfNestedFolders(t *testing.T) {
	all := scoped{settings: settings{Trace: "all"}}
	outer := scoped{dir: "/tree", settings: settings{Trace: "outer"}}
	inner := scoped{dir: "/tree/inner", settings: settings{Trace: "inner"}}
	for _, list := range [][]scoped{{all, outer, inner}, {inner, outer, all}, {outer, all, inner}, {inner, all, outer}} {
		for path, want := range map[string]string{"/tree/inner/a.yaml": "inner", "/tree/a.yaml": "outer", "/tree/innermost/a.yaml": "outer", "/elsewhere/a.yaml": "all", "": "all"} {
			if got := settingsFor(list, path).Trace; got != want {
				t.Errorf("of %q, with %v: %s, want %s", path, list, got, want)
			}
		}
	}
}

// TestTokensAskedForAtOnce has two requests for the tokens of a file under way at once: a
// difference is told only from the result that the client got last.
func TestTokensAskedForAtOnce(t *testing.T) {
	var told tokened
	if before, _ := told.replace("/a", "", []uint32{1}); before != nil {
		t.Errorf("before the first are %v", before)
	}
	_, first := told.replace("/a", "", []uint32{1, 2})
	_, second := told.replace("/a", "", []uint32{1, 2, 3})
	if first == second {
		t.Errorf("both results are called %s", first)
	}
	if before, _ := told.replace("/a", first, []uint32{4}); before != nil {
		t.Errorf("the difference is from %v, which the client may not have", before)
	}
	_, third := told.replace("/a", "", []uint32{5})
	if before, _ := told.replace("/b", third, []uint32{6}); before != nil {
		t.Errorf("another file is compared with %v", before)
	}
	if before, _ := told.replace("/a", third, []uint32{6}); !slices.Equal(before, []uint32{5}) {
		t.Errorf("the difference is from %v", before)
	}
}

// TestResolvedCompletion resolves suggestions of the last list, of an older one, and what is
// none at all: only what is the same gets its documentation.
func TestResolvedCompletion(t *testing.T) {
	s := serverOf(t)
	s.keepDocs(&complete.Completion{Suggestions: []complete.Suggestion{{Label: "one", Documentation: "of one"}, {Label: "two", Documentation: "of two"}}})
	for _, tt := range []struct{ sort, label, want string }{
		{"0000", "one", "of one"}, {"0001", "two", "of two"}, {"0001", "one", ""}, {"0002", "two", ""}, {"-1", "one", ""}, {"", "one", ""},
	} {
		item, err := s.CompletionResolve(context.Background(), &protocol.CompletionItem{Label: tt.label, SortText: protocol.NewOptional(tt.sort)})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := item.Documentation.(protocol.String)
		if string(got) != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.sort, tt.label, got, tt.want)
		}
	}
}
