package fieldpath_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"sigs.k8s.io/kustomize/kyaml/utils"
)

// paths are written in every form that the splitter treats on its own.
var paths = []string{
	"", ".", "..", "a", "a.b.c", ".a.b", "..a", "a..b", "a.", "a.b.",
	`a\.b`, `a\.b.c`, `a\\.b`, `a\`, `\.a`, `a.\.b`, `a\.`, `\`, `a\b`,
	"[a.b]", "a.[b.c].d", "[a]", "[a].b", "[a", "a.[b.c", "[a.b=c.d].e", "[=a.b]", "[name=a.b", "a].b", "[a.b].c]",
	"[[a.b]]", "[]", "[", "]", "[.]", "[=]", "[a.[b.c].d]", `[a\.b]`, `[x.a\].b`, "[a=b=c]",
	"0", "-1", "+1", "007", "-", "*", "a.*.0.-", " a . b ", "ключ.日本", "a/b", "metadata.annotations.[app.kubernetes.io/name]",
	`data.config\.yaml.server.port`, "spec.template.spec.containers.[name=com.foo.someapp].image",
}

func TestParseSplitsAsKustomize(t *testing.T) {
	for _, path := range paths {
		checkParse(t, path)
	}
}

func checkParse(t *testing.T, path string) {
	t.Helper()
	parsed := fieldpath.Parse(path)
	var got []string
	end := -1
	for _, segment := range parsed.Segments {
		got = append(got, segment.Text)
		if segment.Span.Start <= end || segment.Span.End < segment.Span.Start || segment.Span.End > len(path) {
			t.Errorf("%q: spans overlap or leave the path: %+v", path, parsed.Segments)
		}
		end = segment.Span.End
	}
	if diff := cmp.Diff(utils.SmarterPathSplitter(path, "."), got); diff != "" {
		t.Errorf("%q (-kustomize +kls):\n%s", path, diff)
	}
	if parsed.String() != path {
		t.Errorf("%q: String is %q", path, parsed.String())
	}
}

// The spans are of what was written, escapes and brackets included.
func TestSegments(t *testing.T) {
	type segment struct {
		Kind        fieldpath.Kind
		Written     string
		Text        string
		Index       int
		Name, Value string
	}
	tests := map[string][]segment{
		`data.config\.json.[a.b]`: {
			{Kind: fieldpath.Key, Written: "data", Text: "data"},
			{Kind: fieldpath.Key, Written: `config\.json`, Text: "config.json"},
			{Kind: fieldpath.Key, Written: "[a.b]", Text: "a.b"},
		},
		".list.2.-.*.-1": {
			{Kind: fieldpath.Key, Written: "list", Text: "list"},
			{Kind: fieldpath.Index, Written: "2", Text: "2", Index: 2},
			{Kind: fieldpath.Last, Written: "-", Text: "-"},
			{Kind: fieldpath.Wildcard, Written: "*", Text: "*"},
			{Kind: fieldpath.Index, Written: "-1", Text: "-1", Index: -1},
		},
		"[ключ=v.w=x].[=y]..[z]": {
			{Kind: fieldpath.Element, Written: "[ключ=v.w=x]", Text: "[ключ=v.w=x]", Name: "ключ", Value: "v.w=x"},
			{Kind: fieldpath.Element, Written: "[=y]", Text: "[=y]", Value: "y"},
			{Kind: fieldpath.Blank},
			{Kind: fieldpath.Malformed, Written: "[z]", Text: "[z]"},
		},
	}
	for path, want := range tests {
		var got []segment
		for _, s := range fieldpath.Parse(path).Segments {
			got = append(got, segment{s.Kind, path[s.Span.Start:s.Span.End], s.Text, s.Index, s.Name, s.Value})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestEscape(t *testing.T) {
	for key, want := range map[string]bool{
		"a": true, "config.json": true, "app.kubernetes.io/name": true, `a\.b`: true, `a\`: true, ".": true, "..a": true,
		"": false, "0": false, "-1": false, "-": false, "*": false, "[a]": false, "[a": false, " a": false,
	} {
		if got := fieldpath.CanEscape(key); got != want {
			t.Errorf("CanEscape(%q) = %t", key, got)
		}
		if !want {
			continue
		}
		split := utils.SmarterPathSplitter("first."+fieldpath.Escape(key), ".")
		if diff := cmp.Diff([]string{"first", key}, split); diff != "" {
			t.Errorf("kustomize reads Escape(%q) as something else:\n%s", key, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, path := range paths {
		f.Add(path)
	}
	f.Fuzz(checkParse)
}
