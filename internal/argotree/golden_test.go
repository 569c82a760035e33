package argotree

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestGolden renders what the real kustomize rendered after the same edits: testdata/golden.txt has a hash of the text of
// each Application, written by internal/argooracle:
//
//	go run ./internal/argooracle -count 300 -write internal/argotree/testdata/golden.txt
func TestGolden(t *testing.T) {
	golden, err := os.Open(filepath.Join("testdata", "golden.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer golden.Close()
	compared, rendered := 0, 0
	for lines := bufio.NewScanner(golden); lines.Scan(); {
		words := strings.Fields(lines.Text())
		seed, err := strconv.ParseUint(words[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for name, text := range Random(seed).Files {
			files["/checkout/"+name] = text
		}
		session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files)))
		set, err := deployment.Find(context.Background(), session, "/checkout", deployment.Settings{Repositories: []string{URL}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		compared++
		got := Outcome(set)
		if got != words[1] {
			t.Errorf("seed %d: the Application is %s, not %s", seed, got, words[1])
		}
		if got != Refused {
			rendered++
		}
	}
	if compared < 300 || rendered < compared/3 {
		t.Errorf("of %d Applications only %d render", compared, rendered)
	}
}
