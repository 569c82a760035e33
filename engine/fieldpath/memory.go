package fieldpath

import (
	"sync"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Memory remembers what was found out about texts, so that the next build does
// not find it out again: most embedded documents are as they were. It keeps
// what was asked for last, up to a bound. It is safe for concurrent use, and
// its zero value is empty.
type Memory struct {
	mutex sync.Mutex
	// What was asked for since the bound was half reached, and what before that.
	recent, old memorized
}

// memorized is a part of a memory; bytes is about what it takes.
type memorized struct {
	bytes    int
	parsed   map[string]*yaml.Node
	verdicts map[written]verdict
}

// written is a document that was written back.
type written struct{ before, after string }

// verdict is what writing it did to the rest of it.
type verdict struct {
	reformatted Reformatting
	damaged     Damage
}

const (
	// memoryLimit is how many bytes a Memory may about take.
	memoryLimit = 32 << 20
	// nodesPerByte is about how many bytes the nodes of a text take for each of its own.
	nodesPerByte = 24
)

// parse parses a text that was not met before; nil remembers nothing.
func (m *Memory) parse(value string) (*yaml.Node, error) {
	if m == nil {
		return parseTarget(value)
	}
	m.mutex.Lock()
	known, ok := m.recent.parsed[value]
	if !ok {
		if known, ok = m.old.parsed[value]; ok {
			m.keepParsed(value, known)
		}
	}
	m.mutex.Unlock()
	if ok {
		return syntax.Copy(known), nil
	}
	root, err := parseTarget(value)
	if err != nil || hasAliases(root) {
		return root, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.keepParsed(value, syntax.Copy(root))
	return root, nil
}

// hasAliases tells of a tree that cannot be copied node by node.
func hasAliases(root *yaml.Node) (has bool) {
	visit(root, func(n *yaml.Node) { has = has || n.Kind == yaml.AliasNode })
	return has
}

func (m *Memory) keepParsed(value string, root *yaml.Node) {
	m.makeRoom(len(value) * nodesPerByte)
	if m.recent.parsed == nil {
		m.recent.parsed = map[string]*yaml.Node{}
	}
	m.recent.parsed[value] = root
}

// verdict returns what judge says of a document that was written back.
func (m *Memory) verdict(document *Document, judge func(*Document) verdict) verdict {
	if m == nil {
		return judge(document)
	}
	key := written{document.Before, document.After}
	m.mutex.Lock()
	known, ok := m.recent.verdicts[key]
	if !ok {
		if known, ok = m.old.verdicts[key]; ok {
			m.keepVerdict(key, known)
		}
	}
	m.mutex.Unlock()
	if ok {
		return known
	}
	known = judge(document)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.keepVerdict(key, known)
	return known
}

func (m *Memory) keepVerdict(key written, v verdict) {
	m.makeRoom(len(key.before) + len(key.after))
	if m.recent.verdicts == nil {
		m.recent.verdicts = map[written]verdict{}
	}
	m.recent.verdicts[key] = v
}

// makeRoom forgets what was not asked for lately where there is too much.
func (m *Memory) makeRoom(bytes int) {
	if m.recent.bytes += bytes; m.recent.bytes > memoryLimit/2 {
		m.old, m.recent = m.recent, memorized{bytes: bytes}
	}
}

// Size returns about how many bytes the memory takes.
func (m *Memory) Size() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.recent.bytes + m.old.bytes
}
