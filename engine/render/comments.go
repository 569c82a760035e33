package render

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// Comments are not printed, but yaml.v3 writes them before it reads the
// document again, and in some places that breaks the text. These functions
// tell where they certainly do no harm; everything else is tried.

// commentsSafe tells whether a node's comments are such as yaml.v3 reads, and
// its line comment stays on its line.
func commentsSafe(n *yaml.Node) bool {
	if !commented(n) {
		return true
	}
	t := traitsOf(n.HeadComment) | traitsOf(n.LineComment) | traitsOf(n.FootComment)
	return t&(special|invalid|separator) == 0 && strings.IndexByte(n.LineComment, '\n') < 0
}

func commented(n *yaml.Node) bool {
	return n.HeadComment != "" || n.LineComment != "" || n.FootComment != ""
}

func scalarCommentsSafe(n *yaml.Node, flow bool) bool {
	if flow {
		return !commented(n)
	}
	return commentsSafe(n)
}

// keyCommentsSafe adds to scalarCommentsSafe what a key's value matters: a
// line comment of the key is written behind the value, unless that has its own
// or is a collection on the same line; then it turns up at a later key. Keys
// that need a line of their own are not worth the thought.
func keyCommentsSafe(key, value *yaml.Node) bool {
	if !commented(key) && !commented(value) {
		return true
	}
	if len(key.Value) > maxSimpleKey {
		return false
	}
	if key.LineComment == "" {
		return true
	}
	if value.Kind == yaml.ScalarNode {
		return value.LineComment == ""
	}
	return len(value.Content) > 0 && value.Style&yaml.FlowStyle == 0
}

// collectionCommentsSafe tells it of a list or mapping: what stands behind a
// block belongs to its key, and goes astray at the block itself.
func collectionCommentsSafe(n *yaml.Node, at place) bool {
	if !commented(n) {
		return true
	}
	if at.flow || !commentsSafe(n) {
		return false
	}
	oneLine := len(n.Content) == 0 || n.Style&yaml.FlowStyle != 0
	return oneLine || n.LineComment == "" && n.FootComment == ""
}
