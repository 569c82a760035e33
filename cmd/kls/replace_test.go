package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

const oldText, newText = "old\n", "new, and longer\n"

// replaceAndDie is a process that replaces the file of its first argument and ends before
// the step of its second, as if it was killed.
func replaceAndDie() {
	left, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	r := replacement{path: os.Args[1], content: []byte(newText), step: func() {
		if left--; left < 0 {
			os.Exit(9) // nothing is tidied up, as with a signal that cannot be caught
		}
	}}
	if err := r.write(); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// TestReplaceSurvivesBeingKilled ends the process before each step: the file is the old one
// or the new one, and the next run leaves nothing else.
func TestReplaceSurvivesBeingKilled(t *testing.T) {
	killer, err := exec.LookPath("replaced")
	if err != nil {
		t.Fatal(err) // testscript.Main puts it there
	}
	completed := false
	for step := 0; !completed; step++ {
		dir := t.TempDir()
		path := filepath.Join(dir, "kustomization.yaml")
		if err := os.WriteFile(path, []byte(oldText), 0o640); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(killer, path, strconv.Itoa(step)).CombinedOutput()
		exit := new(exec.ExitError)
		switch {
		case err == nil:
			completed = true
		case !errors.As(err, &exit) || exit.ExitCode() != 9:
			t.Fatalf("step %d: %v\n%s", step, err, out)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != oldText && string(text) != newText {
			t.Errorf("killed before step %d: %q, %v", step, text, err)
		}
		if err := writeWhole(path, []byte("last\n")); err != nil {
			t.Errorf("after a kill before step %d: %v", step, err)
		}
		if left := namesIn(t, dir); left != "kustomization.yaml" {
			t.Errorf("a kill before step %d leaves %s", step, left)
		}
		if step > 20 {
			t.Fatal("the process never completes")
		}
		if completed && step < 5 {
			t.Errorf("there are %d steps only: the test shows little", step)
		}
	}
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestReplaceKeepsWhatAFileIs holds that a file stays what it was but for its content, or
// stays as it is.
func TestReplaceKeepsWhatAFileIs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links are others there")
	}
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(at("repo", ".git"), 0o755), os.MkdirAll(at("repo", "base"), 0o755), os.Mkdir(at("out"), 0o755))
	for name, mode := range map[string]os.FileMode{"repo/plain": 0o640, "repo/readonly": 0o444, "repo/one": 0o644, "repo/base/target": 0o600, "out/secret": 0o644} {
		must(os.WriteFile(at(name), []byte(oldText), mode))
	}
	must(os.Link(at("repo", "one"), at("repo", "other")))
	for link, target := range map[string]string{"repo/inside": "base/target", "repo/leads": "../out/secret", "repo/dangling": "../out/new",
		"repo/folder": "../out", "repo/round": "folder/secret", "repo/loop": "loop"} {
		must(os.Symlink(target, at(link)))
	}
	for _, test := range []struct {
		name    string
		written string // where the new text is; empty for nowhere
		says    string
	}{
		{"plain", "repo/plain", ""}, {"inside", "repo/base/target", ""}, {"base/new", "repo/base/new", ""},
		{"readonly", "", "read-only"}, {"one", "", "other names"}, {"leads", "", "out of the repository"}, {"round", "", "out of the repository"},
		{"folder/secret", "", "out of the repository"}, {"folder/new", "", "out of the repository"}, {"dangling", "", ""}, {"loop", "", ""}, {"base", "", "folder"},
	} {
		err := writeWhole(at("repo", filepath.FromSlash(test.name)), []byte(newText))
		if (err == nil) != (test.written != "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
		if text, err := os.ReadFile(at(test.written)); test.written != "" && (err != nil || string(text) != newText) {
			t.Errorf("%s: %q, %v", test.name, text, err)
		}
	}
	if info, err := os.Stat(at("repo", "plain")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if info, err := os.Lstat(at("repo", "inside")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link inside is %v", info.Mode())
	}
	if text, err := os.ReadFile(at("out", "secret")); err != nil || string(text) != oldText || namesIn(t, at("out")) != "secret" {
		t.Errorf("outside: %q, %v, %s", text, err, namesIn(t, at("out")))
	}
}
