package resource

import (
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

func parse(t *testing.T, text string) *Resource {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return &Resource{Node: doc.Content[0]}
}

func TestSetFindsByCurrentAndPreviousIdentity(t *testing.T) {
	var s Set
	a := parse(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
	b := parse(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: x}}")
	for _, r := range []*Resource{a, b} {
		if c := s.Append(r); c != nil {
			t.Fatalf("conflict with %v", c.ID())
		}
	}
	// An empty namespace and "default" are the same place.
	if c := s.Append(parse(t, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}")); c != a {
		t.Fatalf("conflict = %v, want a", c)
	}
	old := a.ID()
	a.Change(func(e *Edit) {
		e.StorePrevious()
		e.Node.Content[5].Content[1].Value = "pre-a"
	})
	if got := s.WithAny(old); len(got) != 1 || got[0] != a {
		t.Errorf("by its previous identity: %v", got)
	}
	if got := s.WithCurrent(old); len(got) != 0 {
		t.Errorf("the old identity is still current: %v", got)
	}
	if got := s.WithAny(a.ID()); len(got) != 1 {
		t.Errorf("by its current identity: %v", got)
	}
	if got := s.WithAnyName(ID{Version: "v1", Kind: "ConfigMap", Name: "b"}); len(got) != 1 || got[0] != b {
		t.Errorf("by name in whatever namespace: %v", got)
	}
	if a.OriginalID() != (ID{Version: "v1", Kind: "ConfigMap", Name: "a", Namespace: "default"}) {
		t.Errorf("original identity %+v", a.OriginalID())
	}
}
