package deployment

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// spec reads fields of an object as the API server has them: a value is of the type that
// the printed object gives it.
type spec struct {
	node     *yaml.Node
	problems []builder.Problem
}

func isNull(n *yaml.Node) bool { return n == nil || n.ShortTag() == "!!null" }

func isText(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && (tag == "!!str" || tag == "!!timestamp")
}

func (s *spec) wrong(n *yaml.Node, field, want string) {
	s.problems = append(s.problems, builder.Problem{Code: MalformedObject, Fatal: true, Node: n,
		Message: fmt.Sprintf("%s must be %s", field, want)})
}

// text returns a field that is a text; ok is false where it is not there.
func (s *spec) text(in *yaml.Node, field string) (t kustomization.Text, ok bool) {
	_, n := syntax.Field(in, field)
	switch {
	case n == nil:
		return t, false
	case !isText(n):
		s.wrong(n, field, "text")
		return t, false
	}
	return kustomization.Text{Value: n.Value, Node: n}, true
}

// value is text without a word about one that is missing or none.
func value(in *yaml.Node, path ...string) kustomization.Text {
	n := syntax.Lookup(in, path...)
	if n == nil || n.Kind != yaml.ScalarNode || isNull(n) {
		return kustomization.Text{}
	}
	return kustomization.Text{Value: n.Value, Node: n}
}

func isTrue(in *yaml.Node, path ...string) bool {
	n := syntax.Lookup(in, path...)
	return n != nil && n.ShortTag() == "!!bool" && n.Value == "true"
}

// items returns the items of a list; null and what is missing have none.
func (s *spec) items(in *yaml.Node, field string) []*yaml.Node {
	_, n := syntax.Field(in, field)
	switch {
	case isNull(n):
		return nil
	case n.Kind != yaml.SequenceNode:
		s.wrong(n, field, "a list")
		return nil
	}
	return n.Content
}

// objects is items that are mappings.
func (s *spec) objects(in *yaml.Node, field string) []*yaml.Node {
	var objects []*yaml.Node
	for _, item := range s.items(in, field) {
		if item.Kind != yaml.MappingNode {
			s.wrong(item, "an entry of "+field, "a mapping")
			continue
		}
		objects = append(objects, item)
	}
	return objects
}

func (s *spec) texts(in *yaml.Node, field string) []kustomization.Text {
	var texts []kustomization.Text
	for _, item := range s.items(in, field) {
		if !isText(item) {
			s.wrong(item, "an entry of "+field, "text")
			continue
		}
		texts = append(texts, kustomization.Text{Value: item.Value, Node: item})
	}
	return texts
}
