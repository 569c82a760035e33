package build

import (
	"sync"

	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// notes keep what was found out about the nodes of resources, for builds in which the
// same nodes come up again. What was asked for longest is forgotten. They are safe for
// concurrent use.
type notes struct {
	mutex sync.Mutex
	limit int // of nodes
	// recent are those that were asked for since the bound was half reached, old those
	// before.
	recent, old map[*yaml.Node][]answer
}

type answer struct{ about, says any }

func (n *notes) get(node *yaml.Node, about any) (says any, ok bool) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	list, isRecent := n.recent[node]
	if !isRecent {
		if list = n.old[node]; list == nil {
			return nil, false
		}
		n.put(node, list)
	}
	for _, x := range list {
		if x.about == about {
			return x.says, true
		}
	}
	return nil, false
}

func (n *notes) add(node *yaml.Node, about, says any) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	list, isRecent := n.recent[node]
	if !isRecent {
		list = n.old[node]
	}
	n.put(node, append(list[:len(list):len(list)], answer{about, says}))
}

func (n *notes) put(node *yaml.Node, list []answer) {
	if n.recent == nil || len(n.recent) >= n.limit/2 {
		n.recent, n.old = map[*yaml.Node][]answer{}, n.recent
	}
	n.recent[node] = list
}

// Note returns what find finds out about the nodes of a resource of a result, or what
// it found when it was called for the very nodes in a build before. It must look at
// nothing else, and its result must not be changed. about, which can be a key of a
// map, tells the answers of different functions apart.
func (s *Session) Note(r *resource.Resource, about any, find func() any) any {
	if s.memo == nil || s.moment == 0 || !r.Shares() {
		return find()
	}
	if says, ok := s.memo.notes.get(r.Node, about); ok {
		return says
	}
	says := find()
	s.memo.notes.add(r.Node, about, says)
	return says
}
