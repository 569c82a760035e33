package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadSuppressions(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"on a line", "a: 1\nb: 2 # kls:ignore one because", "1 one"},
		{"above an entry", "a:\n# kls:ignore one\n- b: 1\n  c:\n  - d\n\n  e: 1\n\n- f: 1\n", "2-6 one"},
		{"above an entry that is indented, of broken text", "a:\n  # kls:ignore one\n  - b: [\n    c\nd: 1", "2-3 one"},
		{"above an entry of one line", "# kls:ignore one\n- a\n- b", "1 one"},
		{"on the first line of an entry", "- a: 1 # kls:ignore one\n  b: 1", "0 one"},
		{"above a key with a list", "# kls:ignore one\na:\n- b: 1", "1 one"},
		{"above an entry to the end, with CRLF", "# kls:ignore one\r\n- a: 1\r\n  b: 1\r\n", "1-2 one"},
		{"above a line", "# kls:ignore one because\na: 1", "1 one"},
		{"above, with blank lines and comments between", "# kls:ignore one\n\n# more\na: 1", "3 one"},
		{"two above", "# kls:ignore one\n# kls:ignore two\na: 1", "2 one; 2 two"},
		{"one above and one on the line", "# kls:ignore one\na: 1 # kls:ignore two", "1 one; 1 two"},
		{"several rules", "a: 1 # kls:ignore one,two why", "0 one two"},
		{"the file", "a: 1\n# kls:ignore-file one why", "-1 one"},
		{"no rule", "a: 1 # kls:ignore", "0"},
		{"within a block scalar", "a: |\n  # kls:ignore one\n  b: 1", "2 one"},
		{"CRLF", "# kls:ignore one\r\na: 1\r\n", "1 one"},
		{"no comment, since no blank is before the sign", "a: b#kls:ignore one", ""},
		{"at the end, above nothing", "a: 1\n# kls:ignore one", "2 one"},
		{"another word", "# kls:ignored one\na: 1", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range readSuppressions([]byte(tt.text)) {
				one := fmt.Sprint(s.line)
				if s.line >= 0 && s.last != s.line {
					one += fmt.Sprintf("-%d", s.last)
				}
				for _, r := range s.rules {
					one += " " + r.name
					if shown := tt.text[r.span.Start:r.span.End]; shown != r.name {
						t.Errorf("the span of %s is that of %q", r.name, shown)
					}
				}
				if !strings.HasPrefix(tt.text[s.comment.Start:], "# kls:") {
					t.Errorf("the comment begins at %d", s.comment.Start)
				}
				got = append(got, one)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
