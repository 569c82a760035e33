package render

import (
	"errors"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// blame turns an error of the round trip into a *Refusal that names the node
// at fault in the original document, or the document itself where no single
// node explains the error.
func blame(n *yaml.Node, err error) error {
	var known *Refusal
	if errors.As(err, &known) && known.Reason == TooDeep {
		return err
	}
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	if n.Kind == yaml.ScalarNode {
		return refuse(n, NotMapping, "%v", err)
	}
	b := blamer{}
	if refusal := b.node(n, true); refusal != nil {
		return refusal
	}
	if known != nil {
		return refuse(n, known.Reason, "%s", known.Detail)
	}
	return refuse(n, Unreadable, "%v", err)
}

// A blamer looks for the first node that kustomize refuses for itself.
type blamer struct {
	visited int
}

func (b *blamer) node(n *yaml.Node, root bool) *Refusal {
	if b.visited++; b.visited > maxAliasNodes || n == nil {
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return b.node(n.Alias, root)
	case yaml.ScalarNode:
		return blameScalar(n)
	case yaml.MappingNode:
		if refusal := blameKeys(n, root); refusal != nil {
			return refusal
		}
	}
	for _, child := range n.Content {
		if refusal := b.node(child, false); refusal != nil {
			return refusal
		}
	}
	return nil
}

func blameScalar(n *yaml.Node) *Refusal {
	t := traitsOf(n.Value)
	tag := shortTag(n)
	switch {
	case t&invalid != 0 && tag != "":
		return refuse(n, InvalidUTF8, "cannot marshal invalid UTF-8 data as %s", tag)
	case t&forbidden != 0:
		return refuseCharacter(n)
	case n.Style&quoted != 0 && n.Style&yaml.TaggedStyle == 0:
		return nil
	}
	return blameTag(n, tag)
}

func blameTag(n *yaml.Node, tag string) *Refusal {
	k, text := resolve(n.Value)
	switch tag {
	case "", "!!null", "!!bool", "!!int", "!!float", "!!timestamp":
	default:
		return nil
	}
	if k == kindFloat && text == "" && (tag == "" || tag == "!!float") {
		return refuse(n, NotFinite, "json: unsupported value: %s", n.Value)
	}
	if tag == "" || tag == k.tag() || tag == "!!float" && k == kindInt {
		return nil
	}
	return refuse(n, TagMismatch, "cannot decode %s `%s` as a %s", k.tag(), n.Value, tag)
}

func shortTag(n *yaml.Node) string {
	if rest, long := strings.CutPrefix(n.Tag, longPrefix); long {
		return "!!" + rest
	}
	return n.Tag
}

func blameKeys(n *yaml.Node, root bool) *Refusal {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key == nil {
			continue
		}
		if key.Kind == yaml.AliasNode && key.Alias != nil {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode || !root && nonString(key) {
			return refuse(key, KeyNotString, "json: unsupported type: map[interface {}]interface {}")
		}
		if seen[key.Value] {
			return refuseDuplicate(key)
		}
		seen[key.Value] = true
		if len(key.Value) > maxKeyLength/6 && jsonLength(key.Value) > maxKeyLength {
			return refuse(key, KeyTooLong, "key is longer than %d characters", maxKeyLength)
		}
		if strings.Contains(key.Value, nextLineText) {
			return refuseCharacter(key)
		}
	}
	return nil
}

// nonString tells whether a key surely is no string when yaml.v3 reads it.
func nonString(key *yaml.Node) bool {
	switch tag := shortTag(key); {
	case key.Style&quoted != 0 && key.Style&yaml.TaggedStyle == 0, key.Value == "", tag == "!!str", tag == "!!merge", key.Value == "<<":
		return false
	case tag != "":
		return true
	}
	k, _ := resolve(key.Value)
	return k != kindString
}
