package main

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
)

func TestCopyable(t *testing.T) {
	marker := []fixture.Marker{{Line: 2, Severity: analysis.Warning, Rule: "some-rule", Message: "it is wrong"}}
	for _, tt := range []struct {
		name        string
		file        fixture.File
		code, below string
	}{
		{"below what they mean", fixture.File{Path: "a.yaml", Data: []byte("a:\n  b: 1\nc: 2\n"), Marked: []byte("a:\n  b: 1\n     ^ warning some-rule: it is wrong\nc: 2\n"), Markers: marker},
			"a:\n  b: 1\n#    ^ warning some-rule: it is wrong\nc: 2\n", ""},
		{"no room", fixture.File{Path: "a.yaml", Data: []byte("a: 1\nb: 2\n"), Marked: []byte("a: 1\nb: 2\n^ warning some-rule: it is wrong\n"), Markers: marker},
			"a: 1\nb: 2\n# ^ warning some-rule: it is wrong\n", ""},
		{"in a block scalar", fixture.File{Path: "a.yaml", Data: []byte("a: |\n  x\n  y\n"), Marked: []byte("a: |\n  x\n  ^ warning some-rule: it is wrong\n  y\n"), Markers: marker},
			"a: |\n  x\n  y\n", "- line 2: warning `some-rule`: it is wrong\n"},
		{"JSON", fixture.File{Path: "a.json", Data: []byte("{\n}\n"), Marked: []byte("{\n}\n^ warning some-rule: it is wrong\n"), Markers: marker},
			"{\n}\n", "- line 2: warning `some-rule`: it is wrong\n"},
		{"no markers", fixture.File{Path: "a.txt", Data: []byte("x\n"), Marked: []byte("x\n")}, "x\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, below := copyable(tt.file); code != tt.code || below != tt.below {
				t.Errorf("got %q, %q", code, below)
			}
		})
	}
}
