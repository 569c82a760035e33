package fluxtree

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestGolden renders what Flux rendered: testdata/golden.txt has a hash of the text for each
// Kustomization of the checkouts, written by internal/fluxoracle:
//
//	cd internal/fluxoracle && go run . -count 300 -write ../fluxtree/testdata/golden.txt
//
// The checkouts behind those once differed, and were added with -add.
func TestGolden(t *testing.T) {
	golden, err := os.Open(filepath.Join("testdata", "golden.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer golden.Close()
	var set *deployment.Set
	last, compared, rendered := "", 0, 0
	for lines := bufio.NewScanner(golden); lines.Scan(); {
		words := strings.Fields(lines.Text())
		seed, id, want := words[0], words[1], words[2]
		if seed != last {
			last, set = seed, find(t, seed)
		}
		if want == NotKnown {
			continue
		}
		compared++
		got := Outcome(set, id)
		if got != want {
			t.Errorf("seed %s: %s is %s, not %s", seed, id, got, want)
		}
		if got != Refused {
			rendered++
		}
	}
	if compared < 300 || rendered < compared/2 {
		t.Errorf("of %d Kustomizations only %d render", compared, rendered)
	}
}

func find(t *testing.T, seed string) *deployment.Set {
	t.Helper()
	number, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for name, text := range Random(number) {
		files[filepath.Join("/repo", name)] = text
	}
	set, err := deployment.Find(t.Context(), builder.NewSession(vfs.NewSnapshot(vfs.Memory(files))), "/repo", deployment.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}
