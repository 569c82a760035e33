package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

func TestLinesTellWhatEachPrintedLineShows(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"keys are sorted", "b: 1\na: 2\n", `
a: 2 | a 2
b: 1 | b 1
`},
		{"lists of mappings and of lists", "l:\n- {w: 1, v: 2}\n- [3, [4]]\nm: {}\n", `
l: | l seq
- v: 2 | v 2
  w: 1 | w 1
- - 3 | 3
  - - 4 | 4
m: {} | m map
`},
		{"literal blocks", "t: |\n  one\n\n  two: x\nz: 1\n", `
t: | | t text -1
  one | text 0
 | text 1
  two: x | text 2
z: 1 | z 1
`},
		{"broken lines", "a: " + strings.Repeat("word ", 20) + "end\n", `
a: word word word word word word word word word word word word word word word word | a text
  word word word word end | text
`},
		{"what needs a round trip", "base: &b {k: 1}\nuse:\n  <<: *b\n  other: !!str 2\n", `
base: | base map
  k: 1 | k 1
use: | use map
  k: 1 | k 1
  other: "2" | other 2
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var doc yaml.Node
			if err := yaml.Unmarshal([]byte(tt.input), &doc); err != nil {
				t.Fatal(err)
			}
			out, lines, err := Lines([]byte("before\n"), doc.Content[0])
			if err != nil {
				t.Fatal(err)
			}
			plain, err := Document([]byte("before\n"), doc.Content[0])
			if diff := cmp.Diff(string(plain), string(out)); err != nil || diff != "" {
				t.Fatalf("Document prints something else: %v\n%s", err, diff)
			}
			printed := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(out), "before\n"), "\n"), "\n")
			if len(printed) != len(lines) {
				t.Fatalf("%d lines are told of, want %d", len(lines), len(printed))
			}
			var got strings.Builder
			for i, line := range lines {
				fmt.Fprintf(&got, "%s | %s\n", printed[i], shownLine(line))
			}
			if diff := cmp.Diff(tt.want[1:], got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func shownLine(l Line) string {
	var parts []string
	if l.Key != nil {
		parts = append(parts, l.Key.Value)
	}
	switch v := l.Value; {
	case v == nil:
		parts = append(parts, "nothing")
	case v.Kind == yaml.MappingNode:
		parts = append(parts, "map")
	case v.Kind == yaml.SequenceNode:
		parts = append(parts, "seq")
	case len(v.Value) > 5:
		parts = append(parts, "text")
		if v.Style == yaml.LiteralStyle {
			parts = append(parts, fmt.Sprint(l.Part))
		}
	default:
		parts = append(parts, v.Value)
	}
	return strings.Join(parts, " ")
}
