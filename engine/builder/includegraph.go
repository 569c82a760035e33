package builder

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// InclusionOrder returns the indexes of folders, absolute paths, in an order in which
// each comes after those of them that it includes and close behind them. It goes by
// what the kustomizations say, and builds nothing. A session that remembers keeps
// what an included one came to also where that is built for itself.
func (s *Session) InclusionOrder(dirs []string) []int {
	g := inclusionGraph{session: s, dirs: dirs, index: make(map[string]int, len(dirs)), met: make([]bool, len(dirs)),
		files: make([]*kustomization.Kustomization, len(dirs))}
	for i, dir := range dirs {
		g.index[filepath.Clean(dir)] = i
	}
	parallel.ForEach(len(dirs), func(i int) { g.files[i] = g.read(dirs[i]) })
	for i := range dirs {
		g.visit(i)
	}
	return g.order
}

type inclusionGraph struct {
	session *Session
	dirs    []string
	index   map[string]int
	files   []*kustomization.Kustomization // nil where there is none, or several
	met     []bool
	order   []int
}

func (g *inclusionGraph) visit(i int) {
	if g.met[i] {
		return
	}
	g.met[i] = true
	k := g.files[i]
	if k == nil {
		g.order = append(g.order, i)
		return
	}
	for _, entry := range k.Resources {
		if at, ok := g.index[trace.Join(g.dirs[i], entry.Value)]; ok {
			if g.session.memo != nil {
				g.session.memo.NoteIncluded(g.dirs[at])
			}
			g.visit(at)
		}
	}
	for _, entry := range k.Components {
		if at, ok := g.index[trace.Join(g.dirs[i], entry.Value)]; ok {
			g.visit(at)
		}
	}
	g.order = append(g.order, i)
}

// read returns the kustomization in a folder.
func (g *inclusionGraph) read(dir string) (found *kustomization.Kustomization) {
	for _, name := range kustomization.FileNames() {
		f, err := g.session.Files().ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if found != nil {
			return nil
		}
		found = g.session.KustomizationOf(f).Kustomization
	}
	return found
}
