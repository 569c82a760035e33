package builder_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestBaseIsBuiltOnce counts the outcomes that a session keeps: of a base that many
// overlays include there is one, whoever asks for it, until a file of it changes.
func TestBaseIsBuiltOnce(t *testing.T) {
	const overlays = 20
	files := vfs.NewSnapshot(vfs.Memory(sharedBase(overlays)))
	session := builder.NewSession(files).Remember(1000)
	var group sync.WaitGroup
	for i := range overlays {
		group.Go(func() {
			dir := fmt.Sprintf("/r/over-%d", i)
			if got := mustBuild(t, session, dir).Resources[0].ID().Name; got != fmt.Sprintf("p%d-x", i) {
				t.Errorf("%s renders %s", dir, got)
			}
		})
	}
	group.Wait()
	if built, taken := session.Remembered(); built != 1 || taken != overlays-1 {
		t.Errorf("%d outcomes were made and %d taken over", built, taken)
	}
	session = session.Derive(files.With("/r/over-3/kustomization.yaml", []byte("resources: [../base]\nnamePrefix: q-\n")), "/r/over-3/kustomization.yaml")
	if got := mustBuild(t, session, "/r/over-3").Resources[0].ID().Name; got != "q-x" {
		t.Errorf("after an edit the overlay renders %s", got)
	}
	if built, _ := session.Remembered(); built != 1 {
		t.Error("an edit of an overlay built the base again")
	}
	session = session.Derive(files.With("/r/base/cm.yaml", []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: y}}")), "/r/base/cm.yaml")
	if got := mustBuild(t, session, "/r/over-4").Resources[0].ID().Name; got != "p4-y" {
		t.Errorf("after an edit of the base the overlay renders %s", got)
	}
}

func sharedBase(overlays int) map[string][]byte {
	files := map[string][]byte{
		"/r/base/kustomization.yaml": []byte("resources: [cm.yaml]\n"),
		"/r/base/cm.yaml":            []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"),
	}
	for i := range overlays {
		files[fmt.Sprintf("/r/over-%d/kustomization.yaml", i)] = fmt.Appendf(nil, "resources: [../base]\nnamePrefix: p%d-\n", i)
	}
	return files
}

// TestOverlaysOfOneBaseAtOnce has many builds take over one base, whose file has a
// mistake with a second place and whose generators leave literals behind, while each
// adds its own. The race detector sees what they share.
func TestOverlaysOfOneBaseAtOnce(t *testing.T) {
	const generator = "configMapGenerator:\n- name: NAME\n  literals: [a=1, b=2]\n"
	files := map[string][]byte{
		"/base/kustomization.yaml": []byte(strings.ReplaceAll(generator, "NAME", "base") + "namePrefix: x-\nnamePrefix: y-\n"),
	}
	var dirs []string
	for i := range 16 {
		dir := fmt.Sprintf("/overlay-%d", i)
		dirs = append(dirs, dir)
		files[dir+"/kustomization.yaml"] = []byte("resources: [../base]\n" + strings.ReplaceAll(generator, "NAME", "own"))
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))).Remember(1000)
	var builds sync.WaitGroup
	for _, dir := range dirs {
		builds.Go(func() {
			result, err := session.Build(t.Context(), dir, builder.Options{Analyze: true})
			if err != nil || len(result.Resources) != 2 {
				t.Errorf("%s: %v", dir, err)
			}
		})
	}
	builds.Wait()
}

// TestKustomizationsThatIncludeEachOther are built at the same time: none may wait for
// one that waits for it.
func TestKustomizationsThatIncludeEachOther(t *testing.T) {
	const circle = 6
	files := map[string][]byte{}
	for i := range circle {
		files[fmt.Sprintf("/r/k%d/kustomization.yaml", i)] = fmt.Appendf(nil, "resources: [../k%d, ../k%d]\n", (i+1)%circle, (i+2)%circle)
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))).Remember(1000)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var group sync.WaitGroup
	for round := range 4 * circle {
		group.Go(func() {
			if r, err := session.Build(ctx, fmt.Sprintf("/r/k%d", round%circle), builder.Options{}); err != nil || !r.Failed() {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	group.Wait()
}

// TestWhatIsRememberedIsBounded builds more than there is room for.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	files := map[string][]byte{}
	for i := range 50 {
		for path, text := range sharedBase(1) {
			files[fmt.Sprintf("/%d%s", i, path)] = text
		}
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))).Remember(30)
	for i := range 50 {
		mustBuild(t, session, fmt.Sprintf("/%d/r/over-0", i))
	}
	if size := session.RememberedSize(); size == 0 || size > 30 {
		t.Errorf("%d resources are remembered", size)
	}
}

// TestInclusionOrder puts what is included first, close to what includes it.
func TestInclusionOrder(t *testing.T) {
	files := map[string][]byte{}
	for dir, text := range map[string]string{
		"a": "resources: [../d]\n", "b": "resources: [../c/, ./missing]\ncomponents: [../e]\n", "c": "resources: [../d, ../c]\n",
		"d": "namePrefix: x\n", "e": "kind: Component\n", "f": "resources: [../g]\n", "g": "resources: [../f, a.yaml]\n", "h": ": :",
	} {
		files["/"+dir+"/kustomization.yaml"] = []byte(text)
	}
	dirs := []string{"/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/none"}
	var got string
	for _, i := range builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))).Remember(10).InclusionOrder(dirs) {
		got += dirs[i]
	}
	if want := "/d/a/c/e/b/g/f/h/none"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOnlyWhatAskedOutsideIsBuiltAnew allows the builds functions: a base is remembered all the same, unless one ran in it.
func TestOnlyWhatAskedOutsideIsBuiltAnew(t *testing.T) {
	const overlays = 3
	for base, want := range map[string]struct{ built, taken int }{
		"resources: [cm.yaml]\n":                            {1, overlays - 1},
		"resources: [cm.yaml]\ntransformers: [tool.yaml]\n": {0, 0},
	} {
		files := sharedBase(overlays)
		files["/r/base/kustomization.yaml"] = []byte(base)
		files["/r/base/tool.yaml"] = []byte("apiVersion: example.com/v1\nkind: Tool\nmetadata: {name: t}\n")
		session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))).Remember(1000)
		for i := range overlays {
			// Each build may get another answer from the very same function.
			allowed := builder.Options{Outside: replacing{old: "name: x", new: fmt.Sprintf("name: x%d", i)}}
			result, err := session.Build(t.Context(), fmt.Sprintf("/r/over-%d", i), allowed)
			if err != nil || result.Failed() {
				t.Fatalf("%v %+v", err, result)
			}
			name := fmt.Sprintf("p%d-x", i)
			if want.built == 0 {
				name += fmt.Sprint(i)
			}
			if got := result.Resources[0].ID().Name; got != name {
				t.Errorf("the overlay has %s, want %s", got, name)
			}
		}
		if built, taken := session.Remembered(); built != want.built || taken != want.taken {
			t.Errorf("%q: %d outcomes were made and %d taken over, want %v", base, built, taken, want)
		}
	}
}
