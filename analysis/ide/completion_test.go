package ide_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// completesAt lists the labels of the suggestions.
func completesAt(t *testing.T, s *scene, m marker) string {
	t.Helper()
	return strings.Join(labelsAt(t, s, m), ", ")
}

func offersAt(t *testing.T, s *scene, m marker) string { return amongLabels(t, s, m, true) }

func withholdsAt(t *testing.T, s *scene, m marker) string { return amongLabels(t, s, m, false) }

func suggestionsAt(t *testing.T, s *scene, m marker) []complete.Suggestion {
	t.Helper()
	completion, err := complete.At(context.Background(), s.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	if completion == nil {
		return nil
	}
	for _, x := range completion.Suggestions {
		checkSuggestion(t, m.file, s.tree[m.file], m.Offset, x)
	}
	return completion.Suggestions
}

// checkSuggestion holds what every suggestion has to be: of one line around the
// offset, and to be found by what stands there.
func checkSuggestion(t *testing.T, file string, content []byte, offset int, x complete.Suggestion) {
	t.Helper()
	replace, insert := x.Replace, x.Insert
	if x.Label == "" || x.Text == "" || replace.Start > offset || replace.End < offset || replace.End > len(content) ||
		insert.Start != replace.Start || insert.End != min(offset, replace.End) ||
		strings.Contains(string(content[replace.Start:replace.End]), "\n") {
		t.Errorf("%s@%d: %+v", file, offset, x)
	}
}

func labelsAt(t *testing.T, s *scene, m marker) []string {
	t.Helper()
	var labels []string
	for _, x := range suggestionsAt(t, s, m) {
		labels = append(labels, x.Label)
	}
	return labels
}

// amongLabels returns those labels of the marker that are there, or are not.
func amongLabels(t *testing.T, s *scene, m marker, there bool) string {
	t.Helper()
	labels := labelsAt(t, s, m)
	wanted := strings.Split(m.Detail, ", ")
	return strings.Join(slices.DeleteFunc(wanted, func(label string) bool { return slices.Contains(labels, label) != there }), ", ")
}

// completeAt has a line for each suggestion: what the line becomes, or in quotes,
// where that takes several, what is written; then kind and detail.
func completeAt(t *testing.T, s *scene, m marker) string {
	t.Helper()
	var b strings.Builder
	content := string(s.tree[m.file])
	for _, x := range suggestionsAt(t, s, m) {
		start := strings.LastIndexByte(content[:x.Replace.Start], '\n') + 1
		end := x.Replace.End + strings.IndexByte(content[x.Replace.End:]+"\n", '\n')
		line := content[start:x.Replace.Start] + x.Text + content[x.Replace.End:end]
		if line = strings.TrimLeft(line, " "); strings.Contains(line, "\n") {
			line = fmt.Sprintf("%q", x.Text)
		}
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%s · %s · %s", line, x.Kind, x.Detail), " "))
	}
	return b.String()
}

// completeFrom asks for completion at an offset, and counts the answers.
func completeFrom(t *testing.T, view *workspace.View, file string, offset int) (answers int) {
	t.Helper()
	completion, err := complete.At(context.Background(), view, file, offset)
	if err != nil {
		t.Fatalf("completion at %s@%d: %v", file, offset, err)
	}
	content, err := view.Files().ReadFile(file)
	if completion == nil || err != nil || strings.HasPrefix(string(content.Data[offset:]), "\n") && strings.HasSuffix(string(content.Data[:offset]), "\r") {
		return 0
	}
	for _, s := range completion.Suggestions {
		checkSuggestion(t, file, content.Data, offset, s)
	}
	return 1
}
