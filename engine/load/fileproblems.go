package load

import (
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// FileProblems returns what is wrong with a kustomization file, or a file of
// resources, whatever else there is: each build that reads it finds that, too. What
// only kls can do is left out, since it depends on the configuration how bad that is.
func (s *Sources) FileProblems(f *vfs.File) []problem.Problem {
	var problems []problem.Problem
	if slices.Contains(kustomization.FileNames(), filepath.Base(f.Path)) {
		problems = slices.Clone(s.KustomizationOf(f).problems)
	} else {
		for _, p := range s.DocumentsOf(f).Problems {
			problems = append(problems, problem.SyntaxProblem(p, nil))
		}
	}
	for i := range problems {
		if p := &problems[i]; p.Node == nil && p.File == 0 {
			p.File = s.FileID(f)
		}
	}
	return slices.DeleteFunc(problems, func(p problem.Problem) bool { return p.Beyond })
}
