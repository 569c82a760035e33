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
	"/t/base/kustomization.yaml": []byte("configMapGenerator:\n- name: plain\n  files: [app.conf, two.conf]\n  literals:\n  - mode=slow\n- name: deep\n  files: [config.json]\n- name: words\n  literals:\n  - \"conf.yaml=a: 1\\nb: 2\\n\"\n"),
	"/t/base/app.conf":           []byte("color=blue\nsize=1\n"),
	"/t/base/two.conf":           []byte("x=1\ny=2\n"),
	"/t/base/config.json":        []byte("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": {\"d\": 4}\n}\n"),
	"/t/over/kustomization.yaml": []byte("resources: [../base]\nconfigMapGenerator:\n- name: plain\n  behavior: merge\n  files: [app.conf]\n  literals:\n  - mode=fast\n- name: deep\n  behavior: merge\n  files: [config.json]\n  mergeValues:\n  - {key: config.json, format: json}\n- name: words\n  behavior: merge\n  literals:\n  - \"conf.yaml=b: 3\\n\"\n  mergeValues:\n  - {key: conf.yaml, format: yaml}\n"),
	"/t/over/app.conf":           []byte("color=red\nsize=2\n"),
	"/t/over/config.json":        []byte("{\n  \"b\": 3,\n  \"e\": 5\n}\n"),
}

// TestBlameAndLinesAgree asks of each place that a line of the output is from what becomes of
// it: the line's field is among the answers.
func TestBlameAndLinesAgree(t *testing.T) {
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
	from := map[string]string{}
	for _, line := range lines {
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
	}
	// What a merge left alone is from where it was before.
	for text, file := range map[string]string{
		`      "a": 1,`: "/t/base/config.json", `      "c": {"d": 4},`: "/t/base/config.json", `      "b": 3,`: "/t/over/config.json", `      "e": 5`: "/t/over/config.json",
		"    color=red": "/t/over/app.conf", "    size=2": "/t/over/app.conf", "    y=2": "/t/base/two.conf", "  mode: fast": "/t/over/kustomization.yaml",
	} {
		if from[text] != file {
			t.Errorf("%q is from %q, want %s", text, from[text], file)
		}
	}
}
