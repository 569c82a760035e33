package build

import (
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// What is done once, after all layers, hangs on all resources, and so is done again
// after each edit. Where it comes to the same for a resource, that gets the nodes that
// it had then: who looks at them knows them again (see resource.Notes).

// final is a resource as it was before that, by which it is known again, and what
// became of it.
type final struct {
	before resource.State
	node   *yaml.Node // in the end, nil before the end
	notes  *resource.Notes
	trail  *trail // of its references, nil for none
	used   int    // the last build
}

// beforeFinish returns what the resources are known by, those of them that may have
// been there in an earlier build.
func (s *layerSteps) beforeFinish(list []*resource.Resource) map[*resource.Resource]*final {
	if s == nil {
		return nil
	}
	if s.finals == nil {
		s.finals = map[*yaml.Node]*final{}
	}
	tokens := make(map[*resource.Resource]*final, len(list))
	for _, r := range list {
		if !r.Shares() {
			continue
		}
		token := s.finals[r.Node]
		if token == nil || !token.before.Equal(r.State) {
			token = &final{before: r.State}
			s.finals[r.Node] = token
		}
		token.used = s.build
		tokens[r] = token
	}
	return tokens
}

// afterFinish gives the resources the nodes that they had.
func (s *layerSteps) afterFinish(list []*resource.Resource, tokens map[*resource.Resource]*final) {
	if s == nil {
		return
	}
	for _, r := range list {
		token := tokens[r]
		if token == nil || r.Empty() {
			continue
		}
		if !r.Shares() {
			r.Share()
		}
		if token.node == nil || !sameTree(token.node, r.Node) {
			token.node, token.notes = r.Node, &resource.Notes{}
		}
		r.Node, r.Notes = token.node, token.notes
	}
	if len(s.finals) > 4*len(list)+1000 {
		maps.DeleteFunc(s.finals, func(_ *yaml.Node, f *final) bool { return f.used < s.build-maxIdleBuilds })
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
