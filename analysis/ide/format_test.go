package ide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// formatAt shows what formatting does to the file of a marker.
func formatAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	edits := structure.Format(scene.view, m.file)
	if len(edits) == 0 {
		return ""
	}
	return scene.diff(t, &workspace.Edit{Edits: edits})
}

// linkedAt lists the places that are typed at once with the marker's: LINE "text".
func linkedAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	var shown []string
	for _, span := range structure.Linked(scene.view, m.file, m.Offset) {
		data := scene.tree[m.file]
		shown = append(shown, fmt.Sprintf("%d %q", 1+strings.Count(string(data[:span.Start]), "\n"), data[span.Start:span.End]))
	}
	return strings.Join(shown, ", ")
}
