package text

import "testing"

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"nothing", nil, "0123456789"},
		{"any order", []Edit{{Span{8, 9}, "y"}, {Span{1, 3}, "x"}}, "0x34567y9"},
		{"insertions keep their order", []Edit{{Span{2, 2}, "a"}, {Span{2, 2}, "b"}}, "01ab23456789"},
		{"insertion before a replacement", []Edit{{Span{2, 4}, "r"}, {Span{2, 2}, "i"}}, "01ir456789"},
		{"neighbours", []Edit{{Span{2, 4}, "r"}, {Span{4, 6}, "s"}}, "01rs6789"},
		{"deletion at both ends", []Edit{{Span{0, 1}, ""}, {Span{9, 10}, ""}}, "12345678"},
		{"append", []Edit{{Span{10, 10}, "!"}}, "0123456789!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply([]byte("0123456789"), tt.edits)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, edits := range map[string][]Edit{
		"overlap":          {{Span{1, 4}, ""}, {Span{3, 5}, ""}},
		"insertion inside": {{Span{1, 4}, ""}, {Span{2, 2}, "x"}},
		"beyond the end":   {{Span{9, 11}, ""}},
		"before":           {{Span{-1, 1}, ""}},
		"backwards":        {{Span{4, 3}, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := Apply([]byte("0123456789"), edits); err == nil {
				t.Errorf("got %q, want an error", got)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		word       string
		candidates []string
		want       string
	}{
		{"wbe", []string{"db", "web", "cache"}, "web"},
		{"resorces", []string{"resources", "replicas"}, "resources"},
		{"NamePrefix", []string{"nameSuffix", "namePrefix"}, "namePrefix"},
		{"deployment", []string{"Deployment"}, "Deployment"},
		{"same", []string{"same"}, ""},
		{"same", []string{"same", "sane"}, "sane"},
		{"x", []string{"y"}, ""},
		{"x", []string{"X"}, "X"},
		{"frontend", []string{"database"}, ""},
		{"café", []string{"cafe"}, "cafe"},
		{"tie", []string{"tia", "tib"}, "tia"},
		{"", []string{"a"}, ""},
		{"anything", nil, ""},
	} {
		t.Run(tt.word, func(t *testing.T) {
			got, ok := Nearest(tt.word, tt.candidates)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, tt.want)
			}
		})
	}
}
