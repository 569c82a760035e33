package builder

import (
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// OwnProblems returns what is wrong with a kustomization file, or a file of
// resources, whatever else there is: each build that reads it finds that, too. What
// only kls can do is left out, since it depends on the configuration how bad that is.
func (s *sources) OwnProblems(f *vfs.File) []Problem {
	var problems []Problem
	if slices.Contains(kustomization.FileNames(), filepath.Base(f.Path)) {
		problems = slices.Clone(s.kustomizationOf(f).problems)
	} else {
		for _, p := range s.documentsOf(f).problems {
			problems = append(problems, syntaxProblem(p, nil))
		}
	}
	for i := range problems {
		if p := &problems[i]; p.Node == nil && p.File == 0 {
			p.File = s.FileID(f)
		}
	}
	return slices.DeleteFunc(problems, func(p Problem) bool { return p.Beyond })
}
