package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "steps.json")
	lines := `{"Resources":3,"Differences":null}` + "\n" + `{"Resources":0}` + "\n" + `{"Resources":2,"Differences":["Service/a: late"]}` + "\n"
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := readSteps(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "unexpected: Service/a: late\nexplain: 5 resources on 2 trees, 1 differ\n"
	if s.String() != want || s.hold(false) {
		t.Errorf("got %q, want %q", s, want)
	}
	if nothing, err := readSteps(path + ".missing"); err != nil || nothing.hold(true) || !nothing.hold(false) {
		t.Errorf("a run that compared nothing: %+v %v", nothing, err)
	}
}
