package schema

import (
	"encoding/binary"
	"hash/maphash"
	"strings"
	"sync"

	yaml "go.yaml.in/yaml/v3"
)

// cleanSet remembers of which resources nothing was found, by what they say: most
// resources of a build are as they were in the last one, and hashing them is far
// cheaper than validating. It keeps those that were asked for last, up to a bound.
type cleanSet struct {
	mutex       sync.Mutex
	seeds       [2]maphash.Seed
	recent, old map[[2]uint64]struct{}
}

// maxClean is how many resources are remembered, each with 16 bytes.
const maxClean = 200_000

func newCleanSet() *cleanSet {
	return &cleanSet{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, recent: map[[2]uint64]struct{}{}}
}

// key is the same for resources of which the same is to be said.
func (c *cleanSet) key(resource *yaml.Node) [2]uint64 {
	text := appendContent(make([]byte, 0, 2048), resource, false)
	return [2]uint64{maphash.Bytes(c.seeds[0], text), maphash.Bytes(c.seeds[1], text)}
}

func (c *cleanSet) has(key [2]uint64) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, ok := c.recent[key]; ok {
		return true
	}
	_, ok := c.old[key]
	if ok {
		c.keep(key)
	}
	return ok
}

func (c *cleanSet) add(key [2]uint64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.keep(key)
}

func (c *cleanSet) keep(key [2]uint64) {
	if len(c.recent) >= maxClean/2 {
		c.old, c.recent = c.recent, map[[2]uint64]struct{}{}
	}
	c.recent[key] = struct{}{}
}

// appendContent appends all of a node that a validation can depend on. Of names in
// the metadata, which prefixes and namespaces change in every resource at once, that
// is only that they are text.
func appendContent(dst []byte, n *yaml.Node, inMetadata bool) []byte {
	dst = append(dst, byte(n.Kind), byte(n.Style))
	dst = appendText(appendText(dst, n.Tag), n.Value)
	dst = binary.AppendUvarint(dst, uint64(len(n.Content)))
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			key := n.Content[i-1].Value
			if inMetadata && (key == "name" || key == "namespace") && isPlainName(child) {
				dst = append(dst, 't')
				continue
			}
			dst = appendContent(dst, child, key == "metadata")
			continue
		}
		dst = appendContent(dst, child, false)
	}
	if n.Alias != nil {
		dst = appendContent(dst, n.Alias, false)
	}
	return dst
}

// isPlainName tells of a text that nothing is filled into later.
func isPlainName(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" &&
		strings.Trim(n.Value, "abcdefghijklmnopqrstuvwxyz0123456789.-") == ""
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}
