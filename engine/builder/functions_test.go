package builder_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// replacing is an outside whose only function replaces one text by another.
type replacing struct {
	builder.Outside
	old, new string
}

func (r replacing) Function(_ context.Context, request builder.FunctionRequest) (builder.FunctionResult, error) {
	return builder.FunctionResult{Output: bytes.ReplaceAll(request.Input, []byte(r.old), []byte(r.new))}, nil
}

// steps counts what a recorder is told of.
type steps map[string]int

func (s steps) Before(step builder.Step, r *resource.Resource) func() {
	s[step.Transformer+" "+r.ID().Name]++
	return nil
}

// TestFunctionKeepsPlaces holds that what a function left alone is still where it
// was written, and that what it changed is where the function is configured.
func TestFunctionKeepsPlaces(t *testing.T) {
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/r/kustomization.yaml": []byte("resources: [cm.yaml]\nnamePrefix: a-\ntransformers: [tool.yaml]\n"),
		"/r/cm.yaml":            []byte("kind: ConfigMap\napiVersion: v1\nmetadata: {name: x}\ndata:\n  kept: same\n  changed: before\nlist:\n- name: two\n  v: 2\n- name: one\n  v: before\n"),
		"/r/tool.yaml":          []byte("apiVersion: example.com/v1\nkind: Tool\nmetadata: {name: t}\n"),
	})))
	recorded := steps{}
	result, err := session.Build(t.Context(), "/r", builder.Options{Outside: replacing{old: "before", new: "after"}, Instruments: builder.Instruments{Recorder: recorded}})
	if err != nil || result.Failed() || result.Unknown || len(result.Resources) != 1 {
		t.Fatalf("%v, %+v", err, result)
	}
	for _, want := range []struct {
		path []string
		file string
		line int
	}{
		{[]string{"kind"}, "cm.yaml", 1},
		{[]string{"metadata", "name"}, "kustomization.yaml", 2},
		{[]string{"data", "kept"}, "cm.yaml", 5},
		{[]string{"data", "changed"}, "tool.yaml", 1},
		{[]string{"list", "0", "v"}, "cm.yaml", 9},
		{[]string{"list", "1", "name"}, "cm.yaml", 10},
		{[]string{"list", "1", "v"}, "tool.yaml", 1},
	} {
		n := at(result.Resources[0].Node, want.path)
		if n == nil {
			t.Fatalf("no %v", want.path)
		}
		id, line, _ := syntax.Place(n)
		source := session.Table().Source(id)
		if source == nil || filepath.Base(source.Path()) != want.file || line != want.line {
			t.Errorf("%v: file %v, line %d; want %s:%d", want.path, source, line, want.file, want.line)
		}
	}
	if recorded["Tool a-x"] != 1 {
		t.Errorf("the recorder was told of %v", recorded)
	}
	if previous := result.Resources[0].OriginalID().Name; previous != "x" {
		t.Errorf("its name was %q before", previous)
	}
}

func at(n *yaml.Node, path []string) *yaml.Node {
	for _, name := range path {
		if n.Kind == yaml.SequenceNode {
			n = n.Content[name[0]-'0']
		} else if _, n = syntax.Field(n, name); n == nil {
			return nil
		}
	}
	return n
}
