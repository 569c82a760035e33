package edit

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	"sigs.k8s.io/kustomize/api/types"
)

// The texts on the right are what somebody would have typed, in the style of the
// file on the left.
var addCases = []struct{ name, options, before, after string }{
	{"missing field", "originAnnotations", "resources:\n- a.yaml\n", "resources:\n- a.yaml\nbuildMetadata:\n- originAnnotations\n"},
	{"several", "originAnnotations,managedByLabel", "resources:\n- a.yaml\n", "resources:\n- a.yaml\nbuildMetadata:\n- originAnnotations\n- managedByLabel\n"},
	{"indented dashes", "originAnnotations", "resources:\n  - a.yaml\n", "resources:\n  - a.yaml\nbuildMetadata:\n  - originAnnotations\n"},
	{"the whole file indented", "originAnnotations", "  namePrefix: a\n", "  namePrefix: a\n  buildMetadata:\n  - originAnnotations\n"},
	{"comments around", "originAnnotations", "# top\n\nresources: # all\n# first\n- a.yaml # a\n# - b.yaml\n", "# top\n\nresources: # all\n# first\n- a.yaml # a\n# - b.yaml\nbuildMetadata:\n- originAnnotations\n"},
	{"blank lines at the end", "originAnnotations", "namePrefix: a\n\n\n", "namePrefix: a\nbuildMetadata:\n- originAnnotations\n\n\n"},
	{"no trailing newline", "originAnnotations", "namePrefix: a", "namePrefix: a\nbuildMetadata:\n- originAnnotations"},
	{"CRLF", "originAnnotations", "namePrefix: a\r\nresources:\r\n- b\r\n", "namePrefix: a\r\nresources:\r\n- b\r\nbuildMetadata:\r\n- originAnnotations\r\n"},
	{"CRLF, no trailing newline", "originAnnotations", "namePrefix: a\r\nnameSuffix: b", "namePrefix: a\r\nnameSuffix: b\r\nbuildMetadata:\r\n- originAnnotations"},
	{"byte order mark", "originAnnotations", "\ufeffnamePrefix: a\n", "\ufeffnamePrefix: a\nbuildMetadata:\n- originAnnotations\n"},
	{"multibyte", "originAnnotations", "namePrefix: é€😀 # ü\n", "namePrefix: é€😀 # ü\nbuildMetadata:\n- originAnnotations\n"},
	{"second document", "originAnnotations", "namePrefix: a\n---\nnamePrefix: b\n", "namePrefix: a\nbuildMetadata:\n- originAnnotations\n---\nnamePrefix: b\n"},
	{"end marker", "originAnnotations", "---\nnamePrefix: a\n...\n", "---\nnamePrefix: a\nbuildMetadata:\n- originAnnotations\n...\n"},
	{"kept line breaks", "originAnnotations", "patches:\n- patch: |+\n    a: b\n\n\n", "patches:\n- patch: |+\n    a: b\n\n\nbuildMetadata:\n- originAnnotations\n"},
	{"empty file", "originAnnotations", "", "buildMetadata:\n- originAnnotations\n"},
	{"only comments", "originAnnotations", "# later\n", "# later\nbuildMetadata:\n- originAnnotations\n"},
	{"braces", "originAnnotations", "{namePrefix: a}\n", "{namePrefix: a, buildMetadata: [originAnnotations]}\n"},
	{"empty braces", "originAnnotations", "{}\n", "{buildMetadata: [originAnnotations]}\n"},
	{"JSON", "originAnnotations", "{\n  \"namePrefix\": \"a\"\n}\n", "{\n  \"namePrefix\": \"a\",\n  \"buildMetadata\": [\"originAnnotations\"]\n}\n"},
	{"JSON with a list", "managedByLabel", "{\n  \"buildMetadata\": [\"originAnnotations\"]\n}\n", "{\n  \"buildMetadata\": [\"originAnnotations\", \"managedByLabel\"]\n}\n"},

	{"block list", "managedByLabel", "buildMetadata:\n- originAnnotations\nnamePrefix: a\n", "buildMetadata:\n- originAnnotations\n- managedByLabel\nnamePrefix: a\n"},
	{"indented block list with comments", "managedByLabel", "buildMetadata: # all\n  # one\n  - originAnnotations # o\n  # - transformerAnnotations\nnamePrefix: a\n", "buildMetadata: # all\n  # one\n  - originAnnotations # o\n  - managedByLabel\n  # - transformerAnnotations\nnamePrefix: a\n"},
	{"wide dashes", "managedByLabel", "buildMetadata:\n-   originAnnotations\n", "buildMetadata:\n-   originAnnotations\n-   managedByLabel\n"},
	{"quotes", "managedByLabel", "buildMetadata:\n- \"originAnnotations\"\n", "buildMetadata:\n- \"originAnnotations\"\n- \"managedByLabel\"\n"},
	{"brackets", "managedByLabel", "buildMetadata: [originAnnotations] # o\n", "buildMetadata: [originAnnotations, managedByLabel] # o\n"},
	{"brackets with quotes", "managedByLabel", "buildMetadata: ['originAnnotations','transformerAnnotations']\n", "buildMetadata: ['originAnnotations','transformerAnnotations','managedByLabel']\n"},
	{"brackets over lines", "managedByLabel", "buildMetadata: [\n  originAnnotations,\n]\n", "buildMetadata: [\n  originAnnotations,\n  managedByLabel,\n]\n"},
	{"empty brackets", "managedByLabel", "buildMetadata: [] # none\nnamePrefix: a\n", "buildMetadata: [managedByLabel] # none\nnamePrefix: a\n"},
	{"no value", "managedByLabel", "buildMetadata: # none\nnamePrefix: a\n", "buildMetadata: # none\n- managedByLabel\nnamePrefix: a\n"},
	{"null", "managedByLabel", "buildMetadata: null\nnamePrefix: a\n", "buildMetadata:\n- managedByLabel\nnamePrefix: a\n"},
	{"a key in another case", "managedByLabel", "BuildMetadata:\n- originAnnotations\n", "BuildMetadata:\n- originAnnotations\n- managedByLabel\n"},
	{"one is there", "originAnnotations,managedByLabel", "buildMetadata:\n- originAnnotations\n", "buildMetadata:\n- originAnnotations\n- managedByLabel\n"},
	{"all are there", "originAnnotations", "buildMetadata:   [originAnnotations]", "buildMetadata:   [originAnnotations]"},
	{"an unknown one stays", "managedByLabel", "buildMetadata: [orginAnnotations]\n", "buildMetadata: [orginAnnotations, managedByLabel]\n"},
}

func TestAddBuildMetadata(t *testing.T) {
	for _, tt := range addCases {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, tt.before)
			edits, reason := f.AddBuildMetadata(strings.Split(tt.options, ","))
			after := applied(t, f, edits, reason)
			if after != tt.after {
				t.Fatalf("got\n%s\nwant\n%s", after, tt.after)
			}
			want := types.Kustomization{}
			_ = want.Unmarshal([]byte(tt.before))
			for _, option := range strings.Split(tt.options, ",") {
				if !strings.Contains(strings.Join(want.BuildMetadata, " "), option) {
					want.BuildMetadata = append(want.BuildMetadata, option)
				}
			}
			sameForKustomize(t, after, want)
		})
	}
}

var removeCases = []struct{ name, options, before, after string }{
	{"the last one", "originAnnotations", "namePrefix: a\nbuildMetadata:\n- originAnnotations\n", "namePrefix: a\n"},
	{"the last one, without newline", "originAnnotations", "namePrefix: a\nbuildMetadata:\n- originAnnotations", "namePrefix: a"},
	{"the first field", "originAnnotations", "buildMetadata:\n- originAnnotations\nnamePrefix: a\n", "namePrefix: a\n"},
	{"blank lines around", "originAnnotations", "namePrefix: a\n\nbuildMetadata:\n- originAnnotations\n\nnameSuffix: b\n", "namePrefix: a\n\nnameSuffix: b\n"},
	{"comments stay", "originAnnotations", "# top\nbuildMetadata:\n# why\n- originAnnotations\n# below\nnamePrefix: a\n", "# top\n# why\n# below\nnamePrefix: a\n"},
	{"one of a block list", "originAnnotations", "buildMetadata:\n  - originAnnotations\n  - managedByLabel # m\nnamePrefix: a\n", "buildMetadata:\n  - managedByLabel # m\nnamePrefix: a\n"},
	{"the end of a block list", "transformerAnnotations,managedByLabel", "buildMetadata:\r\n- originAnnotations\r\n- transformerAnnotations\r\n- managedByLabel", "buildMetadata:\r\n- originAnnotations"},
	{"the first in brackets", "originAnnotations", "buildMetadata: [originAnnotations, managedByLabel]\n", "buildMetadata: [managedByLabel]\n"},
	{"the first two in brackets", "originAnnotations,transformerAnnotations", "buildMetadata: [originAnnotations, transformerAnnotations, managedByLabel]\n", "buildMetadata: [managedByLabel]\n"},
	{"the last in brackets", "managedByLabel", "buildMetadata: [ originAnnotations, managedByLabel ] # c\n", "buildMetadata: [ originAnnotations ] # c\n"},
	{"the middle in brackets over lines", "transformerAnnotations", "buildMetadata: [\n  originAnnotations,\n  transformerAnnotations,\n  managedByLabel,\n]\n", "buildMetadata: [\n  originAnnotations,\n  managedByLabel,\n]\n"},
	{"all in brackets", "originAnnotations", "buildMetadata: [originAnnotations]\nnamePrefix: a\n", "namePrefix: a\n"},
	{"braces", "originAnnotations", "{namePrefix: a, buildMetadata: [originAnnotations]}\n", "{namePrefix: a}\n"},
	{"twice in the list", "originAnnotations", "buildMetadata:\n- originAnnotations\n- managedByLabel\n- originAnnotations\n", "buildMetadata:\n- managedByLabel\n"},
	{"not there", "originAnnotations", "buildMetadata: [managedByLabel]", "buildMetadata: [managedByLabel]"},
	{"no field", "originAnnotations", "namePrefix: a", "namePrefix: a"},
	{"no value", "originAnnotations", "buildMetadata:\n", "buildMetadata:\n"},
}

func TestRemoveBuildMetadata(t *testing.T) {
	for _, tt := range removeCases {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, tt.before)
			edits, reason := f.RemoveBuildMetadata(strings.Split(tt.options, ","))
			after := applied(t, f, edits, reason)
			if after != tt.after {
				t.Fatalf("got\n%s\nwant\n%s", after, tt.after)
			}
			want := types.Kustomization{}
			_ = want.Unmarshal([]byte(tt.before))
			var left []string
			for _, have := range want.BuildMetadata {
				if !strings.Contains(tt.options, have) {
					left = append(left, have)
				}
			}
			want.BuildMetadata = left
			sameForKustomize(t, after, want)
		})
	}
}

func TestBuildMetadataRefuses(t *testing.T) {
	for name, before := range map[string]string{
		"an alias":    "resources: &a [x]\nbuildMetadata: *a\n",
		"an anchor":   "buildMetadata: &a [originAnnotations]\nresources: *a\n",
		"no list":     "buildMetadata: originAnnotations\n",
		"a mapping":   "buildMetadata: {originAnnotations: true}\n",
		"twice":       "buildMetadata: [originAnnotations]\nBuildMetadata: [originAnnotations]\n",
		"a merge key": "<<: {buildMetadata: [originAnnotations]}\nnamePrefix: a\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, before)
			if edits, reason := f.AddBuildMetadata([]string{"managedByLabel"}); reason == "" {
				t.Errorf("added with %v", edits)
			}
		})
	}
	for name, before := range map[string]string{"a list": "- a\n", "a scalar": "a\n", "broken": "a: [\n", "quotes": "a: \"\n",
		"Flux": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: a}\n"} {
		if _, reason := Open("kustomization.yaml", []byte(before)); reason == "" {
			t.Errorf("%s was opened", name)
		}
	}
}

func open(t *testing.T, content string) *File {
	t.Helper()
	f, reason := Open("kustomization.yaml", []byte(content))
	if reason != "" {
		t.Fatal(reason)
	}
	return f
}

func applied(t *testing.T, f *File, edits []text.Edit, reason string) string {
	t.Helper()
	if reason != "" {
		t.Fatal(reason)
	}
	after, err := text.Apply(f.Text(), edits)
	if err != nil {
		t.Fatal(err)
	}
	return string(after)
}
