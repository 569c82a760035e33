package edit

import (
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

// FuzzEdits asks for every edit of any text: none may panic, all can be made, and
// what can be read stays so. A second time there is nothing left to do.
func FuzzEdits(f *testing.F) {
	for _, tt := range addCases {
		f.Add(tt.before)
	}
	for _, tt := range removeCases {
		f.Add(tt.before)
	}
	for _, tt := range conversionCases {
		f.Add(tt.before)
	}
	f.Add("images:\n  - name: web # a\n    newName: b\n    newTag: \"1\" # c\n")
	f.Add("images: [{name: web, digest: x}]\nnamespace: a")
	f.Add("images:\n- digest: |\n    x\n  name: web\nnamespace:\n")
	f.Fuzz(func(t *testing.T, content string) {
		file, reason := Open("kustomization.yaml", []byte(content))
		if reason != "" {
			return
		}
		made := func(name string, edits []text.Edit, reason string) *File {
			if reason != "" || len(edits) == 0 {
				return nil
			}
			after, err := text.Apply(file.Text(), edits)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			reopened, reason := Open("kustomization.yaml", after)
			if reason != "" {
				t.Fatalf("%s: %s: %q", name, reason, after)
			}
			return reopened
		}
		edits, reason := file.AddBuildMetadata(BuildMetadataOptions())
		if after := made("add", edits, reason); after != nil {
			if again, _ := after.AddBuildMetadata(BuildMetadataOptions()); len(again) > 0 {
				t.Errorf("adds again: %q", after.Text())
			}
		}
		edits, reason = file.RemoveBuildMetadata(file.BuildMetadata())
		if after := made("remove", edits, reason); after != nil && len(after.BuildMetadata()) > 0 {
			t.Errorf("does not remove all: %q", after.Text())
		}
		pairs := []Pair{{Key: "name", Value: "web"}, {Key: "newName"}, {Key: "newTag", Value: "1.10"}, {Key: "digest"}}
		for name, set := range map[string]func(*File) ([]text.Edit, string){
			"field": func(f *File) ([]text.Edit, string) { return f.SetField("namespace", "1") },
			"entry": func(f *File) ([]text.Edit, string) { return f.SetEntry("images", pairs) },
		} {
			edits, reason := set(file)
			if after := made(name, edits, reason); after != nil {
				if again, reason := set(after); len(again) > 0 || reason != "" {
					t.Errorf("sets %s again: %s %q", name, reason, after.Text())
				}
			}
		}
		for _, c := range Conversions() {
			edits, reason := c.Edits(file)
			if after := made(c.Field, edits, reason); after != nil && c.InFile(after) {
				t.Errorf("%s is still there: %q", c.Field, after.Text())
			}
		}
	})
}
