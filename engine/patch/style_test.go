package patch

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

// The style of a word is the one that yaml.v3 prints it in.
func TestStyleOfWord(t *testing.T) {
	words := []string{"", "1", "-1", "+1", "250m", "1Gi", "true", "True", "y", "off", "null", "0x1F", "0o7", "0777", "1e3", "1.5", ".5", "1.",
		"2001-01-01", "2001-01-01T00", "-", "--", "---", "-a", "a-", "a", "Abc.d", "1a", ".nan", ".inf", "-.inf", "1-2", "0b1", "...", "N", "~"}
	random := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		word := make([]byte, 1+random.IntN(6))
		for i := range word {
			word[i] = "0123456789-.-.eEonfxXbTyY"[random.IntN(25)]
		}
		words = append(words, string(word))
	}
	known := 0
	for _, word := range words {
		style, ok := styleOfWord(word)
		if !ok {
			continue
		}
		known++
		text, err := yaml.Marshal(map[string]string{"k": word})
		if err != nil {
			t.Fatal(err)
		}
		var document yaml.Node
		if err := yaml.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		if want := document.Content[0].Content[1].Style; style != want {
			t.Errorf("%q: style %d instead of %d", word, style, want)
		}
	}
	if known < len(words)/2 {
		t.Errorf("only %d of %d are known", known, len(words))
	}
}

// Whatever a string is, its style is the one that yaml.v3 prints it in.
func FuzzStyleOf(f *testing.F) {
	for _, s := range []string{"", "a", "a b", "on", "1", "a: b", "a #b", "a\nb", "a\n\nb\n", "a\n b", "a \nb", "a\nb ", "a:\n- b", "a\n# b", "a\t\nb",
		"a\n---\nb", "a\n...\n", "\na", " a\nb", "é\nb", "a\r\nb", "yes\nno", "a\n\n\n", "a\n\"b\"", "a\n'b: c", "a\n|", "a\n%b"} {
		f.Add(s)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		s := make([]byte, 1+random.IntN(12))
		for i := range s {
			s[i] = "ab \n\n:#-.'\"|>%"[random.IntN(14)]
		}
		f.Add(string(s))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		want, err := printedStyleOf(s)
		if err != nil {
			return
		}
		if got, err := styleOf(s); got != want || err != nil {
			t.Errorf("%q: style %d, %v; yaml.v3 prints %d", s, got, err, want)
		}
	})
}
