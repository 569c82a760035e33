package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

func TestMessageQuotesLittle(t *testing.T) {
	long := strings.Repeat("ä", 200)
	spaced := strings.Repeat("secret words ", 30)
	for _, test := range []struct{ message, value, want string }{
		{"short", "", "short"},
		{"no field " + long, "", "no field " + long[:160] + "…"},
		{`is "` + spaced + `" and more`, "", `is "` + spaced[:80] + `…" and more`},
		{`"a" is none of "b", "` + long + `" and "c"`, "", `"a" is none of "b", "` + long[:160] + `…" and "c"`},
		{"no field " + spaced, spaced, "no field " + spaced[:80] + "…"},
		{strings.Repeat("A sentence of ours, however long, stays. ", 20), "", strings.Repeat("A sentence of ours, however long, stays. ", 20)},
	} {
		if got := text.Message(test.message, test.value); got != test.want {
			t.Errorf("%q\n gives %q\nwant %q", test.message, got, test.want)
		}
	}
	if got := text.Message(strings.Repeat(spaced, 20)); utf8.RuneCountInString(got) > 1001 {
		t.Errorf("a message has %d characters", utf8.RuneCountInString(got))
	}
}
