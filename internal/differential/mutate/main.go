// Command mutate changes files of real trees at random, in memory, and holds kls against kustomize on each change:
// half of the changes break the build, so this finds verdicts that differ and not only bytes.
//
// With -overlays it leaves the trees as they are and puts a random layer on top of each instead.
//
// usage: mutate [-overlays] [-n COUNT] [-seed SEED] TREE...
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/differential"
)

func main() {
	count := flag.Int("n", 1000, "how many changes")
	seed := flag.Uint64("seed", 1, "first seed")
	overlays := flag.Bool("overlays", false, "put random layers on top of the trees instead")
	flag.Parse()
	log.SetOutput(io.Discard) // kustomize warns of deprecated fields
	folders, err := kustomizations(flag.Args())
	if err != nil || len(folders) == 0 {
		fmt.Fprintln(os.Stderr, "no kustomizations:", err)
		os.Exit(2)
	}
	if *overlays {
		if !runOverlays(context.Background(), folders, *seed, *count) {
			os.Exit(1)
		}
		return
	}
	if !run(context.Background(), folders, *seed, *count) {
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, seed uint64, count int) bool {
	kinds, refused, start := map[differential.Kind]int{}, 0, time.Now()
	for i := range uint64(count) {
		r := rand.New(rand.NewPCG(seed+i, 0))
		folder := folders[r.IntN(len(folders))]
		m, ok := mutation(ctx, r, folder)
		if !ok {
			continue
		}
		c := differential.Compare(ctx, source{vfs.Disk(), m}, fileSystem{filesys.MakeFsOnDisk(), m}, folder)
		kinds[c.Kind]++
		if c.Kustomize.Refusal != nil {
			refused++
		}
		if c.Kind.Wrong() {
			fmt.Printf("== seed %d: %s: %s in %s\n%s\n", seed+i, folder, m.what, m.path, c)
		}
	}
	fmt.Printf("%s: kustomize refuses %d;", time.Since(start).Round(time.Second), refused)
	wrong := 0
	for kind, n := range kinds {
		fmt.Printf(" %d × %s;", n, kind)
		if kind.Wrong() {
			wrong += n
		}
	}
	fmt.Println()
	return wrong == 0
}

// kustomizations returns the folders with a kustomization file under the trees.
func kustomizations(trees []string) ([]string, error) {
	var folders []string
	for _, tree := range trees {
		err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, d.Name()) {
				folder, err := filepath.Abs(filepath.Dir(path))
				if err != nil {
					return err
				}
				folders = append(folders, folder)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return folders, nil
}

// change is one file that is different from what the disk holds, or gone.
type change struct {
	path, what string
	text       []byte // nil: gone
}

// mutation picks a file that the build reads and changes it.
func mutation(ctx context.Context, r *rand.Rand, folder string) (*change, bool) {
	result, err := builder.NewSession(vfs.NewSnapshot(vfs.Disk())).Build(ctx, folder, builder.Options{})
	if err != nil || result.Root == nil {
		return nil, false
	}
	files := readFiles(result.Root)
	m := &change{path: files[r.IntN(len(files))]}
	text, err := os.ReadFile(m.path)
	if err != nil || len(text) == 0 {
		return nil, false
	}
	m.what, m.text = mutate(r, text)
	return m, true
}

// readFiles returns the files that a layer was made of; kustomization files count
// more than once, since most mistakes are made there.
func readFiles(l *builder.Layer) []string {
	files := []string{l.Path, l.Path, l.Path}
	for _, in := range l.Facts.Inputs {
		files = append(files, in.Path)
	}
	for _, in := range l.Facts.Included {
		if in.Layer != nil {
			files = append(files, readFiles(in.Layer)...)
		} else {
			files = append(files, in.Path)
		}
	}
	return files
}

// source and fileSystem show the disk with the change to kls and to kustomize.
type source struct {
	vfs.Source
	*change
}

func (s source) ReadFile(path string) ([]byte, error) {
	if path == s.path {
		if s.text == nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return s.text, nil
	}
	return s.Source.ReadFile(path)
}

func (s source) IsDir(path string) (bool, error) {
	if path == s.path && s.text == nil {
		return false, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return s.Source.IsDir(path)
}

func (s source) EvalSymlinks(path string) (string, error) {
	if path == s.path && s.text == nil {
		return "", &fs.PathError{Op: "lstat", Path: path, Err: fs.ErrNotExist}
	}
	return s.Source.EvalSymlinks(path)
}

type fileSystem struct {
	filesys.FileSystem
	*change
}

func (f fileSystem) ReadFile(path string) ([]byte, error) {
	if path == f.path {
		return source{nil, f.change}.ReadFile(path)
	}
	return f.FileSystem.ReadFile(path)
}

func (f fileSystem) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	if absolute, err := filepath.Abs(path); err == nil && absolute == f.path && f.text == nil {
		return "", "", &fs.PathError{Op: "lstat", Path: path, Err: fs.ErrNotExist}
	}
	return f.FileSystem.CleanedAbs(path)
}
