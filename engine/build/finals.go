package build

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// What is done once, after all layers, hangs on all resources, and so is done again
// after each edit. Where it comes to the same for a resource, that gets the nodes that
// it had then: who looks at them knows them again (see Session.Note).

// final is what a resource became in the end.
type final struct {
	node *yaml.Node
	used int // the last build
}

// beforeFinish returns the nodes of the resources as they are now, those that may have
// been there in an earlier build.
func (s *layerSteps) beforeFinish(list []*resource.Resource) map[*resource.Resource]*yaml.Node {
	if s == nil {
		return nil
	}
	before := make(map[*resource.Resource]*yaml.Node, len(list))
	for _, r := range list {
		if r.Shares() {
			before[r] = r.Node
		}
	}
	return before
}

// afterFinish gives the resources the nodes that they had.
func (s *layerSteps) afterFinish(list []*resource.Resource, before map[*resource.Resource]*yaml.Node) {
	if s == nil {
		return
	}
	if s.finals == nil {
		s.finals = map[*yaml.Node]*final{}
	}
	for _, r := range list {
		node := before[r]
		if node == nil || r.Shares() {
			continue
		}
		r.Share()
		known := s.finals[node]
		if known == nil || !sameTree(known.node, r.Node) {
			known = &final{node: r.Node}
			s.finals[node] = known
		}
		r.Node, known.used = known.node, s.build
	}
	if len(s.finals) > 4*len(list)+1000 {
		for node, f := range s.finals {
			if f.used < s.build-maxIdleBuilds {
				delete(s.finals, node)
			}
		}
	}
}

// sameTree tells whether two trees are the same in all that can be seen of them, their
// places included.
func sameTree(a, b *yaml.Node) bool {
	if a == b {
		return true
	}
	return a != nil && b != nil && a.Line == b.Line && a.Column == b.Column && a.Kind == b.Kind && a.Style == b.Style &&
		a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor && a.HeadComment == b.HeadComment &&
		a.LineComment == b.LineComment && a.FootComment == b.FootComment && sameTree(a.Alias, b.Alias) &&
		slices.EqualFunc(a.Content, b.Content, sameTree)
}
