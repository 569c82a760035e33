package syntax

import yaml "go.yaml.in/yaml/v3"

// Reuse returns a tree that is the same as n, places included, and has the very nodes of old wherever all below them is the
// same there. It has no node of n, so that the memory of n can be freed. Neither must be changed from then on.
func Reuse(old, n *yaml.Node) *yaml.Node {
	if old == n || n == nil {
		return old
	}
	if old == nil {
		return Copy(n)
	}
	same := sameNode(old, n) && len(old.Content) == len(n.Content)
	to := *n
	if n.Content != nil {
		to.Content = make([]*yaml.Node, len(n.Content))
	}
	ahead := 0 // by how many the members of old are shifted
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			ahead = shiftTo(old, child.Value, i, ahead)
		}
		var was *yaml.Node
		if at := i + ahead; at >= 0 && at < len(old.Content) {
			was = old.Content[at]
		}
		to.Content[i] = Reuse(was, child)
		same = same && to.Content[i] == old.Content[i]
	}
	if same {
		return old
	}
	return &to
}

// farthest is by how many fields of a mapping one is looked for farther on.
const farthest = 8

// shiftTo returns by how many members a key stands farther on in old than at i, near the shift that those before had.
func shiftTo(old *yaml.Node, key string, i, ahead int) int {
	for further := range farthest {
		for _, shift := range []int{ahead + 2*further, ahead - 2*further} {
			if at := i + shift; at >= 0 && at < len(old.Content) && old.Content[at].Value == key {
				return shift
			}
		}
	}
	return ahead
}

// sameNode tells whether two nodes are the same but for what is below them.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Style == b.Style && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		a.Alias == b.Alias && a.Line == b.Line && a.Column == b.Column &&
		a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment
}
