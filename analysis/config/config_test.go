package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/santhosh-tekuri/jsonschema/v5"
	yaml "go.yaml.in/yaml/v3"
)

func snapshot(files map[string]string) *vfs.Snapshot {
	contents := map[string][]byte{}
	for path, text := range files {
		contents[path] = []byte(text)
	}
	return vfs.NewSnapshot(vfs.Memory(contents))
}

func find(t *testing.T, content string) *Config {
	t.Helper()
	table := syntax.NewTable()
	reader := Reader{Table: table, ID: func(f *vfs.File) text.FileID { return table.Add(f.Path, f.Data) }}
	c, err := reader.Find(snapshot(map[string]string{"/t/.kls.yaml": content}), "/t")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What the reader takes, the schema takes, and what the one refuses, so does the
// other.
func TestSchemaAgreesWithReader(t *testing.T) {
	encoded, err := Schema([]RuleInfo{{"key-case", "Title", "hint"}})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.CompileString("kls.json", string(encoded))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{"", true},
		{"{}", true},
		{`kustomize: "5.8"`, true},
		{`kustomize: v5.8.2`, true},
		{`kustomize: latest`, false},
		{`kustomize: [5]`, false},
		{`kubernetes: "1.36"`, true},
		{`kubernetes: newest`, false},
		{`rules: {key-case: off}`, true},
		{`rules: {key-case: "error"}`, true},
		{`rules: {key-case: fatal}`, false},
		{`rules: {key-case: [off]}`, false},
		{`rules: [key-case]`, false},
		{`exclude: [vendor, "a/**/b"]`, true},
		{`exclude: vendor`, false},
		{`exclude: [/vendor]`, false},
		{`exclude: [{}]`, false},
		{`build: {loadRestrictor: LoadRestrictionsNone, enableHelm: true, helmApiVersions: [a/v1]}`, true},
		{`build: {loadRestrictor: none}`, false},
		{`build: {enableHelm: "true"}`, false},
		{`build: {helmApiVersions: a}`, false},
		{`build: true`, false},
		{`overrides: [{paths: [a], rules: {key-case: info}, build: {network: false}}]`, true},
		{`overrides: [{rules: {key-case: info}}]`, false},
		{`overrides: {paths: [a]}`, false},
		{`overrides: [{paths: [a], exclude: [b]}]`, false},
		{`colour: blue`, false},
		{`[]`, false},
		{`text`, false},
	} {
		if got := find(t, tt.text).Problems; (len(got) == 0) != tt.ok {
			t.Errorf("%s: the reader finds %+v", tt.text, got)
		}
		if err := schema.Validate(jsonOf(t, tt.text)); (err == nil) != tt.ok {
			t.Errorf("%s: the schema finds %v", tt.text, err)
		}
	}
}

// jsonOf is what an editor's YAML 1.2 reader makes of a text.
func jsonOf(t *testing.T, content string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(content), &value); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestNearest(t *testing.T) {
	for content, want := range map[string]string{
		"kustomise: \"5.8\"":                "kustomise -> kustomize",
		"build: {enableHelmm: true}":        "enableHelmm -> enableHelm",
		"rules: {key-case: eror}":           "eror -> error",
		"build: {loadRestrictor: RootOnly}": "RootOnly -> ",
	} {
		problems := find(t, content).Problems
		if len(problems) != 1 {
			t.Errorf("%s: %+v", content, problems)
			continue
		}
		p := problems[0]
		if got := content[p.Span.Start:p.Span.End] + " -> " + p.New; got != want {
			t.Errorf("%s: %s, want %s", content, got, want)
		}
	}
}

func TestGlobs(t *testing.T) {
	paths := []string{"a", "a/b", "a/b/c.yaml", "ab", "x/a", "x/y/a/c.yaml"}
	for pattern, want := range map[string]string{
		"a":         "a a/b a/b/c.yaml",
		"./a/":      "a a/b a/b/c.yaml",
		"**/a":      "a a/b a/b/c.yaml x/a x/y/a/c.yaml",
		"a*":        "a a/b a/b/c.yaml ab",
		"a?":        "ab",
		"a/**":      "a/b a/b/c.yaml",
		"**/*.yaml": "a/b/c.yaml x/y/a/c.yaml",
		"[!x]/b":    "a/b a/b/c.yaml",
		"x/*/a":     "x/y/a/c.yaml",
		"a.b":       "",
	} {
		g, ok := parseGlob(pattern)
		if !ok {
			t.Errorf("%s is refused", pattern)
			continue
		}
		var set globs
		set.add(g)
		matched := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !set.match(path) })
		if got := strings.Join(matched, " "); got != want {
			t.Errorf("%s matches %s, want %s", pattern, got, want)
		}
	}
	for _, pattern := range []string{"", "/a", "../a", "[a", "[]"} {
		if _, ok := parseGlob(pattern); ok {
			t.Errorf("%s is taken", pattern)
		}
	}
}

func TestNearestFileUpwardCounts(t *testing.T) {
	s := New(snapshot(map[string]string{
		"/.kls.yaml":          "rules: {a: off}\nexclude: [repo]",
		"/repo/.git/HEAD":     "",
		"/repo/x/f.yaml":      "",
		"/repo/in/.kls.yaml":  "rules: {a: hint}\nbuild: {enableHelm: true}\noverrides:\n- paths: [p]\n  rules: {a: error}\n- paths: [p/q]\n  rules: {a: info}\n  build: {enableHelm: false}",
		"/repo/in/p/q/f.yaml": "",
	}))
	for file, want := range map[string]Level{
		"/f.yaml": Off, "/repo/x/f.yaml": "", "/repo/in/f.yaml": "hint", "/repo/in/p/f.yaml": "error", "/repo/in/p/q/f.yaml": "info",
	} {
		if got := s.Level("a", file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if s.Excluded("/repo/x") || !s.Excluded("/repo") {
		t.Error("a configuration counts up to the root of the repository")
	}
	if b := s.Build("/repo/in/p"); b.EnableHelm == nil || !*b.EnableHelm {
		t.Error("the options of the file do not count")
	}
	if b := s.Build("/repo/in/p/q"); b.EnableHelm == nil || *b.EnableHelm {
		t.Error("the options of an override do not count")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("rules: {a: off}\nexclude: [\"[a\"]\noverrides: [{paths: [&x b, *x]}, 1, *x]\nbuild: [")
	f.Fuzz(func(t *testing.T, content string) {
		for _, p := range find(t, content).Problems {
			if p.Message == "" || p.Span.Start > p.Span.End {
				t.Errorf("%+v", p)
			}
		}
	})
}

// What the tree of names answers is what the regular expression of each glob says.
func TestGlobsAreTheirExpressions(t *testing.T) {
	paths := []string{".", "a", "b", "ab", "a/a", "a/b", "b/a", "a/b/a", "ab/b/ba", "a/a/a/b", "b/b/ab/a", "a-", "a/[b", `a\`}
	parts := []string{"a", "b", "*", "**", "?", "a*", "*b", "[ab]", "[!a]", "a**", "[a-]", `a\`, "**/**"}
	for _, first := range parts {
		for _, second := range parts {
			for _, third := range append(parts, "") {
				text := strings.TrimSuffix(first+"/"+second+"/"+third, "/")
				g, ok := parseGlob(text)
				want, valid := acrossNames(text)
				if !ok || !valid {
					t.Fatalf("%s: %v %v", text, ok, valid)
				}
				var set globs
				set.add(g)
				for _, path := range paths {
					if got, expected := set.match(path), want.pattern.MatchString(path); got != expected {
						t.Errorf("%s on %s: %v, want %v", text, path, got, expected)
					}
				}
			}
		}
	}
}

// Globs that are tried one by one on every path are few.
func TestGlobsAcrossNames(t *testing.T) {
	c := find(t, "exclude:\n"+strings.Repeat("- a**b\n", maxAcross/4+3))
	if len(c.exclude.others) != maxAcross/4 || len(c.Problems) != 3 {
		t.Errorf("%d are tried, %d are reported", len(c.exclude.others), len(c.Problems))
	}
}

// Thousands of patterns for other folders add nothing to what matching a path takes.
func TestManyGlobs(t *testing.T) {
	var set globs
	for i := range 20_000 {
		for _, pattern := range []string{"x%d", "**/x%d/y*", "y%d*/z"} {
			g, _ := parseGlob(fmt.Sprintf(pattern, i))
			set.add(g)
		}
	}
	if len(set.others) > 0 || len(set.root.rest.plain) != 20_000 || len(set.root.wild) != 20_000 || len(set.root.wild["y1"]) != 1 {
		t.Error("the patterns are not told apart by what they begin with")
	}
	for path, want := range map[string]bool{"x7": true, "x7/y": true, "a/x7/yy": true, "a/x7": false, "x20000": false, "y12a/z": true, "y12a/a": false} {
		if set.match(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
