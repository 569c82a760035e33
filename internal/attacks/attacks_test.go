//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain writes a tree where the test asks for one: see main.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "-write" {
		exitIf(writeTree(os.Args[2], os.Args[3]))
		return
	}
	os.Exit(m.Run())
}

// Each attack has the outcome that its entry names, and takes less than a GiB. The time is
// a guard against what would not end.
func TestAttacks(t *testing.T) {
	kls := filepath.Join(t.TempDir(), "kls")
	build := exec.Command("go", "build", "-o", kls, "github.com/kustomize-lsp/kls/cmd/kls")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if printed, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			if a.slow && os.Getenv("KLS_SLOW_TESTS") == "" {
				t.Skip("takes more than a few seconds: set KLS_SLOW_TESTS")
			}
			dir := t.TempDir()
			if printed, err := exec.Command(self, "-write", a.name, dir).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			o := run(kls, dir, 5*time.Minute, "check", ".")
			if o.ended {
				t.Fatalf("it did not end")
			}
			if got := verdict(o.printed); !strings.HasPrefix(got, a.want) {
				t.Errorf("%q, want %q:\n%s", got, a.want, o.printed)
			}
			const most = 1 << 30
			if o.peak >= most {
				t.Errorf("it took %d MiB", o.peak>>20)
			}
		})
	}
}
