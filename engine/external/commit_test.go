package external_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestCommitIsAsCheckedOut reads a commit whose files are not in the work tree any
// more, and holds every answer against the disk's of a checkout.
func TestCommitIsAsCheckedOut(t *testing.T) {
	exported := filepath.Join(t.TempDir(), "exported")
	root := t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	git("init", "-q")
	for name, text := range map[string]string{"base/a.yaml": "a: b\n", "base/deep/ä \"x\".yaml": "", "empty": "", "over/k": "no line break"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755), os.WriteFile(filepath.Join(root, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"over/base": "../base", "over/a": "base/a.yaml", "loop": "loop", "over/gone": "nowhere", "out": filepath.Dir(root)} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	git("rm", "-q", "-r", "base", "over")
	git("commit", "-q", "-m", "second")
	commit, err := external.OpenCommit(context.Background(), root, "HEAD~1")
	if err != nil {
		t.Fatal(err)
	}
	type answers struct {
		text, real        string
		isDir             bool
		names             string
		readErr, dirErr   bool
		isErr, realErr    bool
		missing, missing2 bool
	}
	ask := func(source vfs.Source, path string) (a answers) {
		data, readErr := source.ReadFile(path)
		entries, dirErr := source.ReadDir(path)
		isDir, isErr := source.IsDir(path)
		real, realErr := source.EvalSymlinks(path)
		a = answers{text: string(data), real: real, isDir: isDir, readErr: readErr != nil, dirErr: dirErr != nil, isErr: isErr != nil,
			realErr: realErr != nil, missing: errors.Is(isErr, fs.ErrNotExist), missing2: errors.Is(readErr, fs.ErrNotExist)}
		for _, e := range entries {
			if e.Name() != ".git" {
				a.names += e.Name() + e.Type().String() + " "
			}
		}
		return a
	}
	paths := []string{"", "base", "base/a.yaml", "base/deep", "base/deep/ä \"x\".yaml", "empty", "over", "over/k", "over/base", "over/base/a.yaml",
		"over/base/deep", "over/a", "loop", "loop/x", "over/gone", "over/k/below", "missing", "base/missing/deeper", "out"}
	got := map[string]answers{}
	for _, path := range paths {
		got[path] = ask(commit, filepath.Join(root, path))
	}
	if err := commit.Export(exported); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(exported, "over", "base", "a.yaml")); err != nil || string(text) != "a: b\n" {
		t.Errorf("exported: %q, %v", text, err)
	}
	if err := commit.Close(); err != nil {
		t.Error(err)
	}
	git("checkout", "-q", "HEAD~1")
	for _, path := range paths {
		want := ask(vfs.Disk(), filepath.Join(root, path))
		if got[path] != want {
			t.Errorf("%q: %+v, on disk %+v", path, got[path], want)
		}
	}
	for _, ref := range []string{"nowhere", "--all", "HEAD:empty"} {
		if _, err := external.OpenCommit(context.Background(), root, ref); !errors.Is(err, external.ErrNoCommit) {
			t.Errorf("%s: %v", ref, err)
		}
	}
}
