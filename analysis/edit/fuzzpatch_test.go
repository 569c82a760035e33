package edit

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

// FuzzFormatAndMove formats any text, and moves each of its patches into a file and
// back: nothing panics, all edits can be made, and what was formatted once stays.
func FuzzFormatAndMove(f *testing.F) {
	for _, tt := range conversionCases {
		f.Add(tt.before)
	}
	for _, seed := range []string{
		"patches:\n- patch: |-\n    a: b\n  target: {kind: c}\n- path: x.yaml # c\n",
		"patches:\r\n  - target:\r\n      kind: a\r\n    patch: '[{\"op\": \"test\"}]'\r\n\r\n# c\r\nnamePrefix: b\r\n",
		"patches: [{path: a.yaml}, {patch: 'a: b'}]\npatchesStrategicMerge:\n- |\n  a: b\n\n-  x.yaml\n",
		"images:\n    - newTag: \"1\"\n      # c\n      name:  ü\n\n---\n",
		"a: &b\n- c\nresources: *b\n<<: {d: e}\n? f\n: g\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		file, reason := Open("kustomization.yaml", []byte(content))
		if reason != "" {
			return
		}
		if once, reason := file.Format(); reason == "" {
			formatted, reason := Open("kustomization.yaml", once)
			if reason != "" {
				t.Fatalf("%s: %q", reason, once)
			}
			if twice, reason := formatted.Format(); reason != "" || string(twice) != string(once) {
				t.Errorf("formatted twice: %s %q, once %q", reason, twice, once)
			}
		}
		for i, p := range file.PatchEntries() {
			_ = file.PatchAt(p.Span.Start)
			edits, body, reason := p.Extract("a b.yaml")
			if p.Text == "" {
				edits, reason = p.Inline([]byte(content))
			}
			if reason != "" {
				continue
			}
			after := moved(t, file, edits)
			if entries := after.PatchEntries(); p.Text != "" && (len(entries) <= i || entries[i].Path != "a b.yaml") {
				t.Errorf("the entry does not name the file: %q", after.Text())
			} else if p.Text != "" {
				if edits, reason := entries[i].Inline([]byte(body)); reason == "" {
					back := moved(t, after, edits).PatchEntries()
					if len(back) <= i || strings.TrimSpace(back[i].Text) != strings.TrimSpace(p.Text) {
						t.Errorf("back again it is another text: %q", moved(t, after, edits).Text())
					}
				}
			}
			if edits, reason := p.SetText(content); reason == "" && p.Text != "" {
				moved(t, file, edits)
			}
		}
	})
}

func moved(t *testing.T, file *File, edits []text.Edit) *File {
	t.Helper()
	changed, err := text.Apply(file.Text(), edits)
	if err != nil {
		t.Fatal(err)
	}
	after, reason := Open("kustomization.yaml", changed)
	if reason != "" {
		t.Fatalf("%s: %q", reason, changed)
	}
	return after
}
