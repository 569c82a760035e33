package analysis_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
)

// TestText says of a diagnostic the message first, then the first three of what else it
// holds for and how many more, then what to do.
func TestText(t *testing.T) {
	for _, test := range []struct {
		d    analysis.Diagnostic
		want string
	}{
		{analysis.Diagnostic{Message: "a"}, "a"},
		{analysis.Diagnostic{Message: "a", Help: "h"}, "a\nh"},
		{analysis.Diagnostic{Message: "a", Also: []string{"b", "c", "d"}, Help: "h"}, "a\nb\nc\nd\nh"},
		{analysis.Diagnostic{Message: "a", Also: []string{"b", "c", "d", "e", "f"}}, "a\nb\nc\nd\nand 2 more like this"},
	} {
		if got := test.d.Text(); got != test.want {
			t.Errorf("%+v says %q, want %q", test.d, got, test.want)
		}
	}
	also := []string{"b", "c", "d", "e"}
	analysis.Diagnostic{Also: also}.Others()
	if also[3] != "e" {
		t.Error("Others changed the diagnostic")
	}
}
