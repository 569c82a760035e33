package builder

import (
	"context"
	"errors"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// printing is what came of printing a resource; its zero value is what a note is about.
type printing struct{ err error }

// Unprintable returns the problems of all resources that cannot be printed: where
// there is one, YAML fails, as kustomize does.
func (r *Result) Unprintable(ctx context.Context) ([]Problem, error) {
	refusals := make([]error, len(r.Resources))
	onAllCores(len(r.Resources), func(i int) {
		if ctx.Err() == nil {
			refusals[i] = r.Resources[i].Note(printing{}, func() any {
				checker, ok := r.checkers.Get().(*render.Checker)
				if !ok {
					checker = &render.Checker{}
				}
				defer r.checkers.Put(checker)
				return printing{checker.Check(r.Resources[i].Node)}
			}).(printing).err
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var problems []Problem
	for i, err := range refusals {
		var refusal *render.Refusal
		switch {
		case errors.As(err, &refusal):
			problems = append(problems, r.unprintable(r.Resources[i], refusal))
		case err != nil:
			return nil, err
		}
	}
	return problems, nil
}

func (r *Result) unprintable(x *resource.Resource, refusal *render.Refusal) Problem {
	p := Problem{Code: Unrenderable, Fatal: true, Node: refusal.Node, Layer: r.Root,
		Message: fmt.Sprintf("%s cannot be printed: %s", x.ID(), refusal.Detail)}
	if n := refusal.Node; n == nil || n.Line == 0 {
		p.Node = nameNode(x)
	} else if refusal.Reason == render.DuplicateKey {
		p.Code, p.Message = DuplicateKey, fmt.Sprintf("%q stands twice in this mapping of %s", n.Value, x.ID())
		p.Help = "kustomize refuses to print it; remove one of them"
	}
	return p
}
