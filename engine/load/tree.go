package load

import (
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// trees keeps the files that were looked at last as trees: who asks about one place of a
// file asks about others, and a large file takes long to parse.
type trees struct {
	mutex sync.Mutex
	last  []*tree // the newest last
}

type tree struct {
	of   *vfs.File
	once parallel.Once
	file *syntax.File
}

// maxTrees is how many bytes the files may have that are kept as trees, besides the last.
const maxTrees = 4 << 20

// Tree returns what stands in a file, in the session's table, with the documents that have
// mistakes. Nobody may change it.
func (s *Sources) Tree(f *vfs.File) *syntax.File {
	t := s.Cache.trees.find(f)
	t.once.Do(func() { t.file = syntax.Parse(s.table, s.FileID(f)) })
	return t.file
}

func (x *trees) find(f *vfs.File) *tree {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	found := &tree{of: f}
	if i := slices.IndexFunc(x.last, func(t *tree) bool { return t.of == f }); i >= 0 {
		found = x.last[i]
		x.last = slices.Delete(x.last, i, i+1)
	}
	x.last = append(x.last, found)
	size := 0
	for i, t := range slices.Backward(x.last[:len(x.last)-1]) {
		// An older version of a file is hardly asked about any more.
		if size += len(t.of.Data); size > maxTrees || t.of.Path == f.Path {
			x.last = slices.Delete(x.last, i, i+1)
		}
	}
	return found
}
