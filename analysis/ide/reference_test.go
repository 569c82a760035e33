package ide_test

import (
	"context"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
)

// The verbs references, highlight and implementation list places as definition does.
// What defines a thing stands in references with a ! behind it.
func init() {
	verbs["references"] = verb{answer: referencesAt}
	verbs["highlight"] = verb{answer: highlightAt}
	verbs["implementation"] = verb{answer: implementationAt}
}

func referencesAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	found, err := ide.References(context.Background(), scene.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	return scene.showReferences(found)
}

func highlightAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	found, err := ide.Highlight(context.Background(), scene.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	return scene.showReferences(found)
}

func implementationAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	found, err := ide.Implementation(context.Background(), scene.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	if found == nil {
		return ""
	}
	return scene.show(found.Places)
}

func (s *scene) showReferences(found []ide.Reference) string {
	list := ""
	for i, r := range found {
		if i > 0 {
			list += ", "
		}
		list += s.show([]analysis.Place{r.Place})
		if r.Defines {
			list += "!"
		}
	}
	return list
}
