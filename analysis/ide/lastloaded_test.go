package ide_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

const typingAName = "resources: [../base]\npatches:\n- target: {name: ‸}\n"

// completesTo returns the labels at the ‸ of a file that is edited to the text.
func completesTo(t *testing.T, view *workspace.View, file, text string) (*workspace.View, string) {
	t.Helper()
	offset := strings.Index(text, "‸")
	view = view.Edit(file, []byte(strings.Replace(text, "‸", "", 1)))
	completion, err := complete.At(context.Background(), view, file, offset)
	if err != nil {
		t.Error(err)
	}
	var labels []string
	if completion != nil {
		for _, s := range completion.Suggestions {
			labels = append(labels, s.Label)
		}
	}
	return view, strings.Join(labels, " ")
}

func namesView() *workspace.View {
	return workspace.New(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		root + "/base/kustomization.yaml": []byte("resources: [a.yaml]\n"),
		root + "/base/a.yaml":             []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n"),
		root + "/top/kustomization.yaml":  []byte("resources: [../base]\n"),
		root + "/top/more.yaml":           []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n"),
	})), []string{root}, analysis.Options{Rules: rules.All()})
}

// TestCompletionFollowsEdits holds that what is kept from the last completion is no
// longer used once it is not so any more, whatever view is asked.
func TestCompletionFollowsEdits(t *testing.T) {
	file := root + "/top/kustomization.yaml"
	first, got := completesTo(t, namesView(), file, typingAName)
	if got != "one" {
		t.Fatalf("at first %q", got)
	}
	view, got := completesTo(t, first, file, strings.Replace(typingAName, "‸", "o‸", 1))
	if got != "one" {
		t.Errorf("while typing %q", got)
	}
	view = view.Edit(root+"/base/a.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\n"))
	if view, got = completesTo(t, view, file, typingAName); got != "two" {
		t.Errorf("with another base %q", got)
	}
	if view, got = completesTo(t, view, file, strings.Replace(typingAName, "../base", "../base, more.yaml", 1)); got != "more two" {
		t.Errorf("with another resource %q", got)
	}
	if _, got = completesTo(t, view, file, typingAName+"namePrefix: p-\n"); got != "two" {
		t.Errorf("with a prefix, which comes later, %q", got)
	}
	// A view from before the edits has the names from before.
	if _, got = completesTo(t, first, file, typingAName); got != "one" {
		t.Errorf("in an old view %q", got)
	}
	// The base now adds a prefix of its own.
	view = view.Edit(root+"/base/kustomization.yaml", []byte("resources: [a.yaml]\nnamePrefix: b-\n"))
	if _, got = completesTo(t, view, file, typingAName); got != "b-two two" {
		t.Errorf("with a prefix in the base %q", got)
	}
}

// TestCompletionInABrokenFile loses the resources for a syntax error above, and goes
// on with those that were there before; once the file says that there are none, there
// are none.
func TestCompletionInABrokenFile(t *testing.T) {
	file := root + "/top/kustomization.yaml"
	view, got := completesTo(t, namesView(), file, typingAName)
	if got != "one" {
		t.Fatalf("at first %q", got)
	}
	broken := strings.Replace(typingAName, "resources: [../base]", "resources: @[../base]", 1)
	if _, got = completesTo(t, namesView(), file, broken); got != "" {
		t.Fatalf("it is not broken enough: %q", got)
	}
	if view, got = completesTo(t, view, file, broken); got != "one" {
		t.Errorf("while broken %q", got)
	}
	if _, got = completesTo(t, view, file, strings.Replace(typingAName, "../base", "", 1)); got != "" {
		t.Errorf("without resources %q", got)
	}
}

// TestCompletionsAtOnce asks many at once, of the same and of other places.
func TestCompletionsAtOnce(t *testing.T) {
	view := namesView()
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			want, text := "one", typingAName
			if i%2 == 1 {
				want, text = "more one", strings.Replace(typingAName, "../base", "../base, more.yaml", 1)
			}
			if _, got := completesTo(t, view, root+"/top/kustomization.yaml", text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	group.Wait()
}
