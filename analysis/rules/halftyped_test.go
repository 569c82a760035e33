package rules

import (
	"path/filepath"
	"testing"
)

// What follows from text that is being typed is not told.
func TestHalfTypedEntries(t *testing.T) { runFixture(t, "testdata/halftyped/entries.txtar") }

// What rules say of several kustomizations together.
func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		runFixture(t, path)
	}
}
