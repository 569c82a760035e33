package builder

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// printing is what came of printing a resource; its zero value is what a note is about.
type printing struct{ err error }

// Unprintable returns the problems of all resources that cannot be printed: where
// there is one, YAML fails, as kustomize does.
func (r *Result) Unprintable(ctx context.Context) ([]problem.Problem, error) {
	refusals := make([]error, len(r.Resources))
	parallel.ForEach(len(r.Resources), func(i int) {
		if ctx.Err() == nil {
			refusals[i] = r.Resources[i].Note(printing{}, func() any {
				checker, ok := r.checkers.Get().(*render.Checker)
				if !ok {
					checker = &render.Checker{}
				}
				defer r.checkers.Put(checker)
				return printing{check(checker, r.Resources[i])}
			}).(printing).err
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var problems []problem.Problem
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

// check tells whether a resource can be printed. Of values that are known to be printable it looks at the key only.
func check(checker *render.Checker, r *resource.Resource) error {
	if r.Node == nil || r.Node.Kind != yaml.MappingNode {
		return checker.Check(r.Node)
	}
	type printable struct{ key string }
	rest := *r.Node
	for i := 0; i+1 < len(rest.Content); i += 2 {
		key, value := rest.Content[i], rest.Content[i+1]
		if !r.HasPart(value) || !r.KnownOfPart(value, printable{key.Value}, func() bool { return checker.CheckField(key, value) }) {
			continue
		}
		if &rest.Content[0] == &r.Node.Content[0] {
			rest.Content = slices.Clone(rest.Content)
		}
		rest.Content[i+1] = &yaml.Node{Kind: yaml.MappingNode, Line: value.Line, Column: value.Column}
	}
	if err := checker.Check(&rest); err == nil {
		return nil
	}
	return checker.Check(r.Node)
}

func (r *Result) unprintable(x *resource.Resource, refusal *render.Refusal) problem.Problem {
	p := problem.Problem{Code: problem.Unrenderable, Fatal: true, Node: refusal.Node, Layer: r.Root,
		Message: fmt.Sprintf("%s cannot be printed: %s", x.ID(), refusal.Detail)}
	if n := refusal.Node; n == nil || n.Line == 0 {
		p.Node = problem.NameNode(x)
	} else if refusal.Reason == render.DuplicateKey {
		p.Code, p.Message = problem.DuplicateKey, fmt.Sprintf("%q appears twice in this mapping of %s", n.Value, x.ID())
		p.Help = "kustomize refuses to print it; remove one of them"
	}
	return p
}
