package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
)

// A tree in which findings meet all that makes them wait: bases that several roots
// share, overlays that come before and after their base, components, files that nothing
// includes, comments that suppress nothing, and a mistaken configuration.
func writeStreamTree(t *testing.T, folder string, apps int, more map[string]string) {
	t.Helper()
	write := func(name, text string) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	service := "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  prots: []\n"
	for i := range apps {
		app := fmt.Sprintf("apps/a%03d/", i)
		write(app+"base/kustomization.yaml", "resources:\n- web.yaml\nimages:\n- name: none # kls:ignore patch-no-target\n")
		write(app+"base/web.yaml", service)
		write(app+"base/stray.yaml", service)
		write(app+"alpha/kustomization.yaml", "resources:\n- ../base\ncomponents:\n- ../component\n")
		write(app+"prod/kustomization.yaml", "resources:\n- ../base\nnamePrefix: p-\npatches:\n- target: {kind: Service}\n")
		write(app+"component/kustomization.yaml", "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nreplicas:\n- {name: none, count: 1}\n")
	}
	write("apps/unused/kustomization.yaml", "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nimages: [{nmae: x}]\n")
	for name, text := range more {
		write(name, text)
	}
	write("apps/a003/.kls.yaml", "rulse: {}\n")
	write("apps/kustomization.yaml", "resources:\n- web.yaml\n")
	write("apps/web.yaml", service)
	write("apps/Stray.yaml", service)
	for i := range 6 { // these do not build, and might have had it
		broken := fmt.Sprintf("apps/x%d/", i)
		write(broken+"kustomization.yaml", "resources:\n- web.yaml\n- web.yaml\n")
		write(broken+"web.yaml", service)
	}
	write("shared/kustomization.yaml", "resources:\n- ../apps/a009/base\nimages:\n- name: nothing\n")
}

// checkedWriter is told to compare after each write.
type checkedWriter struct {
	bytes.Buffer
	written func(w *checkedWriter)
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	w.written(w)
	return n, err
}

// What is printed before the end is how the whole begins, whatever is done first, and
// in the end nothing is missing.
func TestFindingsArePrintedEarlyAndInOrder(t *testing.T) {
	testEarly(t, 5, nil)
}

// A misspelt path leads a build to files that nothing names, so that all have to wait.
// So they have for what is remote.
func TestFindingsWaitForWhatOnlyBuildsKnow(t *testing.T) {
	for _, entry := range []string{"../apps/a000/bsae", "https://example.com/repository//x?ref=v1"} {
		testEarly(t, 1, map[string]string{"typo/kustomization.yaml": "resources:\n- " + entry + "\n"})
	}
}

func testEarly(t *testing.T, least int, more map[string]string) {
	folder := t.TempDir()
	writeStreamTree(t, folder, 12, more)
	ctx, arguments := context.Background(), []string{"check", folder, "--format", "text"}
	var want bytes.Buffer
	if code := run(ctx, arguments, streams{strings.NewReader(""), &want, os.Stderr}); code != exitFound {
		t.Fatalf("status %d", code)
	}
	parts := 0
	out := &checkedWriter{written: func(w *checkedWriter) {
		parts++
		if !bytes.HasPrefix(want.Bytes(), w.Bytes()) {
			t.Errorf("after part %d what is printed is not how the whole begins:\n%s", parts, w.String())
		}
	}}
	std := streams{strings.NewReader(""), out, os.Stderr}
	builds, err := newBuilds("", outsideFlags{}, false, std.err)
	if err != nil {
		t.Fatal(err)
	}
	c := &checkRun{std: std, flags: checkFlags{format: "text", color: "never"}, builds: builds, show: analysis.Hint, eager: true}
	if err := c.find(ctx, []string{folder}); err != nil {
		t.Fatal(err)
	}
	report, err := c.run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	early := out.Len()
	if err := c.view.write(out, "text", summary{report: report, suppressed: report.Suppressed}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != want.String() {
		t.Errorf("printed in parts:\n%s\nprinted at once:\n%s", got, want.String())
	}
	if parts < least || least > 1 && early < want.Len()/2 {
		t.Errorf("%d of %d bytes in %d parts before the end", early, want.Len(), parts)
	}
}
