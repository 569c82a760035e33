package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The log is held against the schema of SARIF 2.1.0, and its fix and its places
// against the text.
func TestSARIF(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":                           "",
		"name with é/kustomization.yaml":      "resources: [base]\npatches:\n- path: patch.yaml\nconfigMapGenerator:\n- name: 名前\n  literals:\n  - {a: b}\n",
		"name with é/patch.yaml":              "apiVersion: v1\nkind: Service\nmetadata:\n  name: wbe\n",
		"name with é/base/kustomization.yaml": "resources: [web.yaml]\n",
		"name with é/base/web.yaml":           "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, problems bytes.Buffer
	if code := run(context.Background(), []string{"check", "--format", "sarif", dir}, streams{nil, &out, &problems}); code != exitFound {
		t.Fatalf("exit code %d: %s", code, &problems)
	}
	var value any
	if err := json.Unmarshal(out.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.Compile(filepath.Join("testdata", "sarif", "sarif-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%#v", err)
	}
	if err := schema.Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{}}}); err == nil {
		t.Error("the schema takes a run without a tool")
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	found := map[string]sarifResult{}
	for _, r := range log.Runs[0].Results {
		found[r.RuleID] = r
		if rule := log.Runs[0].Tool.Driver.Rules[r.RuleIndex]; rule.ID != r.RuleID {
			t.Errorf("the rule of a %s is %s", r.RuleID, rule.ID)
		}
	}
	patch := found["patch-no-match"]
	if len(patch.Locations) != 1 || len(patch.Related) != 1 || len(patch.Fixes) != 1 {
		t.Fatalf("places, related places and fixes of patch-no-match: %+v", patch)
	}
	place := patch.Locations[0].Physical
	if want := (sarifRegion{4, 9, 4, 12}); place.Region != want || place.Artifact.URI != "name%20with%20%C3%A9/patch.yaml" {
		t.Errorf("the place is %+v", place)
	}
	if uri := patch.Related[0].Physical.Artifact.URI; uri != "name%20with%20%C3%A9/base/web.yaml" {
		t.Errorf("the related file is %s", uri)
	}
	replacement := patch.Fixes[0].Changes[0].Replacements[0]
	if replacement.Inserted.Text != "web" || replacement.Deleted != place.Region {
		t.Errorf("the fix is %+v", replacement)
	}
}
