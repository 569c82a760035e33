package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The JSON of a check is what the schema says, over trees with findings of every kind; and the schema refuses what it
// should, or it would say nothing.
func TestCheckSchema(t *testing.T) {
	schema, err := jsonschema.Compile(filepath.Join("..", "..", "docs", "schema", "check.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tree := range []string{"mistakes", "shop", "structured-data"} {
		var out bytes.Buffer
		run(context.Background(), []string{"check", "--format", "json", filepath.Join("..", "..", "examples", tree)}, streams{nil, &out, io.Discard})
		var report map[string]any
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(report); err != nil {
			t.Errorf("%s: %#v", tree, err)
		}
		report["roots"].([]any)[0].(map[string]any)["verdict"] = "perhaps"
		if schema.Validate(report) == nil {
			t.Errorf("%s: an unknown verdict passes", tree)
		}
	}
}
