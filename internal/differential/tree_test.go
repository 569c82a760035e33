package differential

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// repository is the top folder of this checkout, as seen from this package.
const repository = "../.."

// TestExamples builds every kustomization of the example trees from disk.
func TestExamples(t *testing.T) {
	compared := 0
	eachFile(t, filepath.Join(repository, "examples"), func(path string) {
		if !isKustomizationName(filepath.Base(path)) {
			return
		}
		folder, err := filepath.Abs(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if c := Compare(t.Context(), vfs.Disk(), filesys.MakeFsOnDisk(), folder); c.Kind.Wrong() {
			t.Errorf("%s: %s", path, c)
		}
	})
	if compared < 8 {
		t.Errorf("only %d kustomizations compared", compared)
	}
}

// TestFixtures builds every kustomization of the trees that the other packages' tests are written about.
func TestFixtures(t *testing.T) {
	for _, room := range []string{"analysis", "engine", "lsp"} {
		eachFile(t, filepath.Join(repository, room), func(path string) {
			if filepath.Ext(path) != ".txtar" {
				return
			}
			tree := readFixture(t, path)
			if _, err := tree.kustomizeFiles(); err != nil {
				t.Logf("%s: %v", path, err)
				return
			}
			for _, folder := range tree.Kustomizations() {
				if c := tree.Compare(t.Context(), folder); c.Kind.Wrong() {
					t.Errorf("%s: %s: %s", path, folder, c)
				}
			}
		})
	}
}

// marker is a line of a fixture that says what is expected of the line above; it is no part of the tree.
var marker = regexp.MustCompile(`(?m)^[ \t]*\^+ [a-z]+.*\n?`)

func readFixture(t *testing.T, path string) Tree {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tree := Tree{}
	for _, file := range archive.Files {
		if !strings.HasPrefix(file.Name, "want/") {
			tree[file.Name] = marker.ReplaceAll(file.Data, nil)
		}
	}
	return tree
}

func eachFile(t *testing.T, folder string, use func(path string)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			use(path)
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
