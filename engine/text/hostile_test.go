package text_test

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain äöü 日本\n\t":      "plain äöü 日本\n\t",
		"a\x1b[31mb\x07":        `a\x1b[31mb\x07`,
		"a\u202eb\u2066c":       `a\u202eb\u2066c`,
		"a\u200bb\ufeffc\u00ad": `a\u200bb\ufeffc\u00ad`,
		"a\u2028b\U000e0041":    `a\u2028b\U000e0041`,
		"a\xffb":                "a\ufffdb",
		"\u009b31m\u3164":       `\u009b31m\u3164`,
	} {
		if got := text.Visible(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func TestWithoutCredentials(t *testing.T) {
	for in, want := range map[string]string{
		"https://user:pass@example.com/x is remote": "https://xxxxx@example.com/x is remote",
		"https://ghp_token@github.com/a/b?ref=v1":   "https://xxxxx@github.com/a/b?ref=v1",
		"ssh://git@github.com/a/b":                  "ssh://git@github.com/a/b",
		"git::https://u:p:q@h//x and http://a:b@c/": "git::https://xxxxx@h//x and http://xxxxx@c/",
		"https://h/x?access_token=abc&ref=v1":       "https://h/x?access_token=xxxxx&ref=v1",
		"https://h/x?ref=v1&X-Amz-Signature=abc":    "https://h/x?ref=v1&X-Amz-Signature=xxxxx",
		"mail me@example.com":                       "mail me@example.com",
		"https://h/a@b":                             "https://h/a@b",
	} {
		if got := text.WithoutCredentials(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
		if got := text.MaskCredentials(in); len(got) != len(in) || strings.Contains(got, "pass") || strings.Contains(got, "token@") {
			t.Errorf("%q is masked as %q", in, got)
		}
	}
}

func TestEscapeMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"plain, text.":             "plain, text.",
		"[x](command:evil)":        `\[x\](command:evil)`,
		"![x](http://h/i.png)":     `\!\[x\](http\://h/i.png)`,
		"<img src=x> https://evil": `\<img src=x\> https\://evil`,
		"www.evil.example `code`":  "www\\.evil.example \\`code\\`",
	} {
		if got := text.EscapeMarkdown(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
