package scalar

import (
	"testing"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

var yaml11Texts = []string{
	"", "a", "on", "On", "oN", "y", "n", "yes", "~", "null", "Null", "nil", "true", "FALSE", "off", "offer",
	"1", "-1", "+1", "01", "09", "0x1F", "0o17", "0b11", "-0b11", "1_000", "_1", "1__0", "1e3", "1.", ".5", "-.5", "+.5",
	"1.2.3", "1e", "1e+", "1e400", "18446744073709551615", "18446744073709551616", "190:20:30", "2001-01-01",
	"2001-01-01T00:00:00Z", ".", "..", "...", "---", "--- a", "-", "- a", "-a", "--", "+", ".inf", "-.INF", "+.Inf", ".nan", "nan", "inf",
	"a: b", "a:b", "a:", ":a", "nginx:1.2", "http://x/y?z=1", "a #b", "a#b", "#a", "# a", "[a]", "[a", "{}", "{a: b}", "*a", "&a", "&a b", "!!int 5", "!!str 5", "!x y",
	"'a'", "\"a\"", "\"a", "|", ">", "@a", "`a", "%a", "%YAML 1.1", "? a", "?a", ",a", "a,b", "<<", "=", " ", " a", "a ", "1 ", " 1", "a\tb", "\ta", "a\t", "a:\tb",
	"é", "日本: x", "a\u2028b", "a:\u2028b", "a\u0085b", "\uFEFFa", "\uFEFF1", "a\x00b", "a\x7fb", "\xff", "1\xff", "a\nb", "a\rb", "a:\rb",
	"0", "00", "0_", "0x", "0b", "0b2", "0o8", "1E5", "1.5e-3", "e5", ".e5", "._5", "1,000", "12e03", "+0x1", "0x1p-2", "1_0.5_0", "._", "-_1",
}

func TestNonStringInYAML11(t *testing.T) {
	for _, text := range yaml11Texts {
		if got, want := NonStringInYAML11(text), kyaml.IsValueNonString(text); got != want {
			t.Errorf("NonStringInYAML11(%q) = %v, kyaml says %v", text, got, want)
		}
	}
}

func FuzzNonStringInYAML11(f *testing.F) {
	for _, text := range yaml11Texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := NonStringInYAML11(text), kyaml.IsValueNonString(text); got != want {
			t.Errorf("NonStringInYAML11(%q) = %v, kyaml says %v", text, got, want)
		}
	})
}
