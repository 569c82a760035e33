package fieldpath_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	yaml "go.yaml.in/yaml/v3"
)

// A write that remembers earlier ones has the same outcome as one that does not,
// also where the remembered text was written in the meantime.
func TestMemoryChangesNothing(t *testing.T) {
	var memory fieldpath.Memory
	texts := []string{
		`{"b": 1, "a": {"c": 2}}`, `{"a": {"c": 2}}`, "a:\n  c: 2\n", "a: {c: x}\n---\nb: 1\n", `{"a": {"c": 12345678901234567890123}, "z": 1.50}`,
		"x: &x {c: 1}\na: *x\n", "a: [", "", "word", "a:\n  c: ünï\r\n",
	}
	for range 3 {
		for _, value := range []string{"2", "other", "12345678901234567890123.5"} {
			for _, text := range texts {
				plain, want := writeIn(text, value, nil)
				remembered, got := writeIn(text, value, &memory)
				if plain != remembered {
					t.Errorf("%q: %q with a memory, %q without", text, remembered, plain)
				}
				if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(yaml.Node{}, "Alias"), cmpopts.IgnoreUnexported(fieldpath.Failure{})); diff != "" {
					t.Errorf("%q: %s", text, diff)
				}
			}
		}
	}
}

// The texts that were asked for last are kept, and not all that ever were.
func TestMemoryIsBounded(t *testing.T) {
	var memory fieldpath.Memory
	padding := strings.Repeat("x", 1<<16)
	for i := range 45 {
		writeIn(`{"a": {"c": 1}, "p": "`+padding+strings.Repeat("y", i)+`"}`, "2", &memory)
	}
	if size := memory.Size(); size == 0 || size > 32<<20 {
		t.Errorf("the memory takes %d bytes", size)
	}
}

func writeIn(text, value string, memory *fieldpath.Memory) (string, fieldpath.Outcome) {
	host := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	target := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "data"}, host}}
	outcome := fieldpath.Write(target, fieldpath.Parse("data.a.c"), &yaml.Node{Kind: yaml.ScalarNode, Value: value},
		fieldpath.Options{Explain: true, Memory: memory})
	return host.Value, outcome
}
