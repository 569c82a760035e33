package explain_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// merging has generators that are merged over others: a file over a file, a literal over a
// literal, and documents deeply, as files of several lines and as literals.
var merging = map[string][]byte{
	"/t/base/kustomization.yaml": []byte("configMapGenerator:\n- name: plain\n  files: [app.conf, two.conf]\n  literals:\n  - mode=slow\n- name: deep\n  files: [config.json]\n- name: words\n  literals:\n  - |-\n    app.yaml=log: info\n    port: 80\n    nested:\n      keep: base\n      other: base\n  - 'quoted.yaml=\"x: 1\"'\n  - \"conf.yaml=a: 1\\nb: 2\\n\"\n"),
	"/t/base/app.conf":           []byte("color=blue\nsize=1\n"),
	"/t/base/two.conf":           []byte("x=1\ny=2\n"),
	"/t/base/config.json":        []byte("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": {\"d\": 4}\n}\n"),
	"/t/over/kustomization.yaml": []byte("resources: [../base]\nconfigMapGenerator:\n- name: plain\n  behavior: merge\n  files: [app.conf]\n  literals:\n  - mode=fast\n- name: deep\n  behavior: merge\n  files: [config.json]\n  mergeValues:\n  - {key: config.json, format: json}\n- name: words\n  behavior: merge\n  literals:\n  - |-\n    app.yaml=log: debug\n    nested:\n      other: over\n  - 'quoted.yaml=\"y: 2\"'\n  - \"conf.yaml=b: 3\\n\"\n  mergeValues:\n  - {key: conf.yaml, format: yaml}\n  - {key: app.yaml, format: yaml}\n  - {key: quoted.yaml, format: yaml}\n"),
	"/t/over/app.conf":           []byte("color=red\nsize=2\n"),
	"/t/over/config.json":        []byte("{\n  \"b\": 3,\n  \"e\": 5\n}\n"),
}

// TestBlameLinesAndPathsAgree asks of each place that a line of the output is from what becomes of
// it: the line's field is among the answers. Asked about the field, or about the one value on the line
// where the field is a document, it is from that place too.
func TestBlameLinesAndPathsAgree(t *testing.T) {
	ctx := context.Background()
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(merging)))
	result, err := session.Build(ctx, "/t/over", builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := explain.Blame(ctx, session.Table(), result)
	if err != nil {
		t.Fatal(err)
	}
	from, part, paths := map[string]string{}, 0, 0
	for i, line := range lines {
		if !line.Written.Known() || line.Value == nil || line.Value.Kind != yaml.ScalarNode {
			continue
		}
		from[line.Text] = line.Written.File
		field, ok := explain.FieldOf(result.Resources[line.Resource].Node, line.Value)
		if !ok {
			continue
		}
		use, err := explain.ExplainLine(ctx, session, "/t/over", line.Written.File, line.Written.Line, builder.Options{})
		if err != nil || use == nil {
			t.Errorf("%q, from %v: %v, %v", line.Text, line.Written, use, err)
			continue
		}
		if !slices.ContainsFunc(use.Fields, func(e *explain.Explanation) bool { return e.Field == field && e.Value.Present() }) {
			t.Errorf("%q is from %v, of which there is said nothing about %s", line.Text, line.Written, field)
		}
		if i == 0 || lines[i-1].Value != line.Value {
			part = 0
		} else {
			part++
			if field = valueOn(field, line.Value.Value, part-1); field == "" {
				continue
			}
		}
		asked := result.Resources[line.Resource].ID().String() + ":" + field
		answer, err := explain.Explain(ctx, session, "/t/over", asked, builder.Options{})
		if err != nil || answer.Explanation == nil {
			t.Errorf("%s: %v, %v", asked, answer, err)
			continue
		}
		paths++
		if got := answer.Explanation.Written; got.File != line.Written.File || got.Line != line.Written.Line {
			t.Errorf("%q is from %v, and %s from %v", line.Text, line.Written, asked, got)
		}
	}
	if paths < 20 {
		t.Errorf("only %d paths were asked about", paths)
	}
	// What a merge left alone is from where it was before.
	for text, file := range map[string]string{
		`      "a": 1,`: "/t/base/config.json", `      "c": {"d": 4},`: "/t/base/config.json", `      "b": 3,`: "/t/over/config.json", `      "e": 5`: "/t/over/config.json",
		"    color=red": "/t/over/app.conf", "    size=2": "/t/over/app.conf", "    y=2": "/t/base/two.conf", "  mode: fast": "/t/over/kustomization.yaml",
		"    port: 80": "/t/base/kustomization.yaml", "      keep: base": "/t/base/kustomization.yaml", "    a: 1": "/t/base/kustomization.yaml",
		"    x: 1": "/t/base/kustomization.yaml", "    log: debug": "/t/over/kustomization.yaml", "      other: over": "/t/over/kustomization.yaml",
	} {
		if from[text] != file {
			t.Errorf("%q is from %q, want %s", text, from[text], file)
		}
	}
}

// valueOn returns the field path of the only value on a line, from 0, of a document that a field holds; empty where
// the line has several or none.
func valueOn(field, document string, line int) string {
	var root yaml.Node
	if yaml.Unmarshal([]byte(document), &root) != nil || root.Content[0].Kind == yaml.ScalarNode {
		return ""
	}
	var on []string
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		if n.Kind == yaml.ScalarNode && n.Line == line+1 {
			on = append(on, path)
		}
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			walk(n.Content[i+1], path+"."+n.Content[i].Value)
		}
	}
	walk(root.Content[0], field)
	if len(on) == 1 {
		return on[0]
	}
	return ""
}

// A document on one line that a merge made of two has its values from both: each of the two lines leads to it.
func TestOneLineDocumentIsFromBothLines(t *testing.T) {
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/t/base/kustomization.yaml": []byte("configMapGenerator:\n- name: a\n  literals:\n  - 'j.json={\"a\":1,\"b\":{\"c\":2}}'\n"),
		"/t/over/kustomization.yaml": []byte("resources: [../base]\nconfigMapGenerator:\n- name: a\n  behavior: merge\n  mergeValues: [{key: j.json, format: json}]\n  literals:\n  - 'j.json={\"b\":{\"d\":5}}'\n"),
	})))
	for file, line := range map[string]int{"/t/base/kustomization.yaml": 4, "/t/over/kustomization.yaml": 7} {
		use, err := explain.ExplainLine(t.Context(), session, "/t/over", file, line, builder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(use.Fields, func(e *explain.Explanation) bool { return e.Field == `data.j\.json` }) {
			t.Errorf("%s:%d: the document is not among %v", file, line, use.Fields)
		}
	}
	result, err := session.Build(t.Context(), "/t/over", builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]explain.Place{
		`a`: {File: "/t/base/kustomization.yaml", Line: 4, Column: 18}, `b.c`: {File: "/t/base/kustomization.yaml", Line: 4, Column: 29},
		`b.d`: {File: "/t/over/kustomization.yaml", Line: 7, Column: 23},
	} {
		answer, err := explain.Explain(t.Context(), session, "/t/over", result.Resources[0].ID().String()+`:data.j\.json.`+path, builder.Options{})
		if err != nil || answer.Explanation == nil {
			t.Fatal(path, err)
		}
		if answer.Explanation.Written != want {
			t.Errorf("%s is from %v, want %v", path, answer.Explanation.Written, want)
		}
	}
}
