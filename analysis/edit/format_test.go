package edit

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var trees = flag.String("trees", "", "format the kustomizations of the trees in this folder too")

// TestFormat has texts and what becomes of them. What kustomize edit makes of the
// first one in its order is the same but for comments and blanks.
func TestFormat(t *testing.T) {
	for name, tt := range map[string]struct{ before, want string }{
		"order, comments, indentation": {
			`# All of it.

# which images
images:   # two
    - newTag: "1"
      name:  x   # tag
      # digest: y
    # the last one
    - {newTag: "2", name: z}

patches:
  # why
  - target:
        kind: Deployment
    patch: |-
          - op: remove

            path: /spec   # not a comment
    options: {allowNameChange: true}
namespace:   ns
namePrefix: a-  
# about resources
resources: [deploy.yaml,
   b.yaml]   # flow
# - c.yaml


kind: Kustomization
# the end

`,
			`# All of it.

kind: Kustomization
# about resources
resources: [deploy.yaml,
   b.yaml]   # flow
# - c.yaml
namePrefix: a-
namespace: ns

patches:
# why
- options: {allowNameChange: true}
  patch: |-
    - op: remove

      path: /spec   # not a comment
  target:
    kind: Deployment
# which images
images: # two
- name: x   # tag
  # digest: y
  newTag: "1"
# the last one
- {newTag: "2", name: z}
# the end
`},
		"CRLF and other letters":       {"namePrefix: ü- # 😀\r\nresources:\r\n  - ä.yaml\r\n", "resources:\r\n- ä.yaml\r\nnamePrefix: ü- # 😀\r\n"},
		"labels stay in their order":   {"labels:\n- pairs:\n    b: x\n    a: y\n", "labels:\n- pairs:\n    b: x\n    a: y\n"},
		"an empty file":                {"", ""},
		"braces":                       {"{namePrefix: a-, resources: []}", "{namePrefix: a-, resources: []}"},
		"a document's beginning":       {"---\nnamePrefix: a-\nresources: [a]\n", "---\nresources: [a]\nnamePrefix: a-\n"},
		"unknown fields stay behind":   {"zzz: 1\nresources: [a]\naaa: 1\n", "resources: [a]\nzzz: 1\naaa: 1\n"},
		"fields set off by lines":      {"images: []\n\nresources: [a]\n\nnamespace: b\n", "resources: [a]\n\nnamespace: b\n\nimages: []\n"},
		"no line break at the end":     {"namespace: b\nresources: [a]", "resources: [a]\nnamespace: b\n"},
		"text over several lines":      {"namespace: b\nconfigMapGenerator:\n    - name: a\n      literals:\n          - \"b=c\n            d\"\n          - |2-\n             x\n", "namespace: b\nconfigMapGenerator:\n- literals:\n  - \"b=c\n    d\"\n  - |2-\n     x\n  name: a\n"},
		"another case is no mistake":   {"NamePrefix: a-\nResources: [a]\n", "Resources: [a]\nNamePrefix: a-\n"},
		"nothing but comments":         {"# a\n", "# a\n"},
		"a comment behind a bare dash": {"resources:\n  - a\n  - # b\n", "resources:\n- a\n- # b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, reason := open(t, tt.before).Format()
			if reason != "" {
				t.Fatal(reason)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("- want, + got\n%s", diff)
			}
			again, reason := open(t, string(got)).Format()
			if diff := cmp.Diff(string(got), string(again)); diff != "" || reason != "" {
				t.Errorf("formatted twice: %s\n%s", reason, diff)
			}
		})
	}
}

func TestFormatRefuses(t *testing.T) {
	for name, before := range map[string]string{
		"anchors":            "resources: &a\n- b\ncrds: *a\n",
		"a merge key":        "<<: {resources: [a]}\nnamespace: b\n",
		"a key twice":        "namespace: a\nresources: [b]\nnamespace: c\n",
		"a key in two cases": "namespace: a\nresources: [b]\nNamespace: c\n",
		"several documents":  "namespace: a\n---\nresources: [b]\n",
		"kept empty lines":   "configMapGenerator:\n- literals:\n  - |+\n    a=b\n\n  name: c\n",
		"a list in a list":   "resources:\n- - a\n",
	} {
		if got, reason := open(t, before).Format(); reason == "" {
			t.Errorf("%s: it becomes\n%s", name, got)
		}
	}
}

// TestFormatTrees formats every kustomization of the examples, of the rules' fixtures
// and of the trees that -trees names. That it says the same, with all comments, Format
// itself holds; here that it does something for nearly all, and nothing a second time.
func TestFormatTrees(t *testing.T) {
	formatted, refused := 0, 0
	format := func(name string, content []byte) {
		f, reason := Open(name, content)
		if reason != "" {
			return
		}
		once, reason := f.Format()
		if reason != "" {
			t.Logf("%s is left alone: %s", name, reason)
			refused++
			return
		}
		formatted++
		g, reason := Open(name, once)
		if reason != "" {
			t.Fatal(name, reason)
		}
		if twice, reason := g.Format(); reason != "" || string(twice) != string(once) {
			t.Errorf("%s formatted twice: %s\n%s", name, reason, cmp.Diff(string(once), string(twice)))
		}
	}
	for _, folder := range []string{"../../examples", *trees} {
		if folder == "" {
			continue
		}
		if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Base(path) != "kustomization.yaml" || entry.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			format(path, content)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	fixtures, err := filepath.Glob("../rules/testdata/*.txtar")
	if err != nil || len(fixtures) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, fixture := range fixtures {
		archive, err := txtar.ParseFile(fixture)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if filepath.Base(f.Name) == "kustomization.yaml" {
				format(fixture+" "+f.Name, f.Data)
			}
		}
	}
	t.Logf("%d files were formatted, %d left alone", formatted, refused)
	if formatted < 80 || refused*5 > formatted {
		t.Errorf("only %d files were formatted, and %d left alone", formatted, refused)
	}
}
