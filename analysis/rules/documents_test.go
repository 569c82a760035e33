package rules

import (
	"path/filepath"
	"testing"
)

// What is wrong inside of documents is told where it is written, whatever holds them.
func TestPlacesInDocuments(t *testing.T) {
	paths, err := filepath.Glob("testdata/documents/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		runFixture(t, path)
	}
}
