package textmerge

import (
	"fmt"
	"strings"
	"testing"
)

// A document of a megabyte is merged, whether it
// has many members, is on one line, or nests deeply: a quadratic step would not end
// within the time of a test.
func TestLargeDocuments(t *testing.T) {
	members := func(format, separator string) string {
		var b strings.Builder
		for i := range 20000 {
			if i > 0 {
				b.WriteString(separator)
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	nested := func(inner string) string {
		return strings.Repeat(`{"a":`, 3000) + inner + strings.Repeat("}", 3000)
	}
	for name, c := range map[string]struct {
		format        Format
		base, overlay string
	}{
		"one line":      {JSON, "{" + members(`"k%d":{"v":1}`, ",") + "}", "{" + members(`"k%d":{"w":2}`, ",") + "}"},
		"lines":         {JSON, "{\n" + members("  \"k%d\": {\n    \"v\": 1\n  }", ",\n") + "\n}", "{" + members(`"k%d":{"w":2}`, ",") + "}"},
		"new members":   {JSON, "{\n  \"k\": 1\n}", "{" + members(`"k%d":{"w":2}`, ",") + "}"},
		"block":         {YAML, members("k%d:\n  v: 1", "\n"), members("k%d:\n  w: 2", "\n")},
		"one long line": {YAML, "{" + members("k%d: 1", ", ") + "}", "{" + members("k%d: 2", ", ") + "}"},
		"removals":      {YAML, members("k%d:\n  v: 1", "\n"), members("k%d: ~", "\n")},
		"deep":          {JSON, nested("1"), nested("2")},
	} {
		t.Run(name, func(t *testing.T) {
			if _, report := Merge([]byte(c.base), []byte(c.overlay), c.format); report.Failed() {
				t.Fatalf("%+v", report.Findings[0])
			}
		})
	}
}
