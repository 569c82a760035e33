package build

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/render"
)

// Unprintable is the problem of a resource that render refused to print: so
// does kustomize.
func (r *Result) Unprintable(refusal *render.Refusal) Problem {
	p := Problem{Code: Unrenderable, Fatal: true, Node: refusal.Node, Layer: r.Root, Message: refusal.Detail}
	if refusal.Index >= 0 && refusal.Index < len(r.Resources) {
		x := r.Resources[refusal.Index]
		p.Message = fmt.Sprintf("%s cannot be printed: %s", x.ID(), refusal.Detail)
		if p.Node == nil || p.Node.Line == 0 {
			p.Node = nameNode(x)
		}
	}
	return p
}
