package resource

import (
	"hash/maphash"
	"slices"
	"sort"
)

// Set is an ordered set of resources with an index by identity, current and
// previous: kustomize's ResMap without its linear scans. The index is made when
// it is first needed and kept up to date by Append, Replace and Update.
type Set struct {
	list []*Resource
	next int
	// Both indexes are nil when they are not valid.
	index map[place][]*Resource
	names map[key][]*Resource // the same without namespaces, made only for vars
	// Each resource under every name, and every kind, that it has or had, made for
	// selectors. They may hold more than that: who asks looks at the resource again.
	byName, byKind map[string][]*Resource
}

// place is what identities are compared by.
type place struct {
	key
	namespace string // effective
}

// List returns the resources in order. The slice must not be changed.
func (s *Set) List() []*Resource { return s.list }

// Len returns the number of resources.
func (s *Set) Len() int { return len(s.list) }

// Append adds the resource unless one with the same current identity is there,
// which is then returned (resWrangler.Append).
func (s *Set) Append(r *Resource) (conflict *Resource) {
	if same := s.WithCurrent(r.ID()); len(same) > 0 {
		return same[0]
	}
	s.add(r)
	return nil
}

// Fill puts resources of no set into an empty one, without a look at identities.
func (s *Set) Fill(list []*Resource) {
	s.list = list
	s.next = len(list)
	for i, r := range list {
		r.order, r.member = i+1, s
	}
}

// add appends without a look at identities.
func (s *Set) add(r *Resource) {
	s.next++
	r.order = s.next
	r.member = s
	s.list = append(s.list, r)
	if s.index != nil {
		s.enter(r)
	}
	s.enterLoose(r)
}

// Replace puts r at the place of old.
func (s *Set) Replace(old, r *Resource) {
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].order >= old.order })
	if i == len(s.list) || s.list[i] != old {
		return
	}
	r.order = old.order
	r.member, old.member = s, nil
	s.list[i] = r
	s.enterLoose(r)
	if s.index != nil {
		s.leave(old)
		s.enter(r)
	}
}

// Retain keeps the resources that keep tells, in order.
func (s *Set) Retain(keep func(*Resource) bool) {
	n := len(s.list)
	s.list = slices.DeleteFunc(s.list, func(r *Resource) bool { return !keep(r) })
	if len(s.list) != n {
		s.Invalidate()
	}
}

// Reorder puts the resources into another order.
func (s *Set) Reorder(list []*Resource) {
	s.list = list
	for i, r := range s.list {
		r.order = i + 1
	}
	s.next = len(s.list)
}

// Invalidate must be called after the identities of many resources changed.
func (s *Set) Invalidate() {
	s.Renamed()
	s.byKind = nil
}

// Renamed is Invalidate where none has come to be of another kind.
func (s *Set) Renamed() { s.index, s.names, s.byName = nil, nil, nil }

// Update must be called after the identity of one resource changed.
func (s *Set) Update(r *Resource) {
	if s.index != nil {
		s.leave(r)
		s.enter(r)
	}
	s.enterLoose(r)
}

// Named returns the resources that have or had the name, in order; possibly
// others too.
func (s *Set) Named(name string) []*Resource {
	if s.byName == nil {
		s.byName = make(map[string][]*Resource, len(s.list))
		for _, r := range s.list {
			enterNames(s.byName, r)
		}
	}
	return s.members(s.byName[name])
}

// OfKind returns the resources that are or were of the kind, in order; possibly
// others too.
func (s *Set) OfKind(kind string) []*Resource {
	if s.byKind == nil {
		s.byKind = map[string][]*Resource{}
		for _, r := range s.list {
			enterKinds(s.byKind, r)
		}
	}
	return s.members(s.byKind[kind])
}

func (s *Set) enterLoose(r *Resource) {
	if s.byName != nil {
		enterNames(s.byName, r)
	}
	if s.byKind != nil {
		enterKinds(s.byKind, r)
	}
}

func enterNames(index map[string][]*Resource, r *Resource) {
	if r.Node == nil {
		return
	}
	last := r.ID().Name
	enterUnder(index, last, r)
	for _, p := range r.Previous {
		if p.Name != last {
			last = p.Name
			enterUnder(index, last, r)
		}
	}
}

func enterKinds(index map[string][]*Resource, r *Resource) {
	if r.Node == nil {
		return
	}
	last := r.ID().Kind
	enterUnder(index, last, r)
	for _, p := range r.Previous {
		if p.Kind != last {
			last = p.Kind
			enterUnder(index, last, r)
		}
	}
}

func enterUnder(index map[string][]*Resource, key string, r *Resource) {
	if known := index[key]; len(known) == 0 || known[len(known)-1] != r {
		index[key] = append(known, r)
	}
}

// members returns those that still are in the set, each once, in order.
func (s *Set) members(found []*Resource) []*Resource {
	out := make([]*Resource, 0, len(found))
	ascending := true
	for _, r := range found {
		if r.member != s {
			continue
		}
		if len(out) > 0 && r.order <= out[len(out)-1].order {
			ascending = false
		}
		out = append(out, r)
	}
	if ascending {
		return out
	}
	return slices.Compact(inOrder(out))
}

// WithCurrent returns the resources whose current identity equals id, in order.
func (s *Set) WithCurrent(id ID) []*Resource {
	var found []*Resource
	for _, r := range s.at(id) {
		if !r.Empty() && r.ID().Equal(id) {
			found = append(found, r)
		}
	}
	return inOrder(found)
}

// Repeated calls yield for each resource whose current identity equals that of an
// earlier one, and for the first that has it, until it returns false.
func (s *Set) Repeated(yield func(first, r *Resource) bool) {
	// Keys of many texts make a map slow; those of two resources are hardly ever equal.
	seed := maphash.MakeSeed()
	last := make(map[uint64]int, len(s.list)) // the last one of its identity with a hash, from 1
	before := make([]int, len(s.list))        // the one before that
	for i, r := range s.list {
		if r.Empty() {
			continue
		}
		at := r.ID().place()
		hash := maphash.Comparable(seed, at)
		j := last[hash]
		for j > 0 && s.list[j-1].ID().place() != at {
			j = before[j-1]
		}
		if j == 0 {
			before[i], last[hash] = last[hash], i+1
		} else if !yield(s.list[j-1], r) {
			return
		}
	}
}

// HasRepeated tells whether two resources have the same current identity.
func (s *Set) HasRepeated() bool {
	for range s.Repeated {
		return true
	}
	return false
}

// WithAny returns the resources of which the current or a previous identity
// equals id, in order (resWrangler.GetMatchingResourcesByAnyId).
func (s *Set) WithAny(id ID) []*Resource {
	found := slices.DeleteFunc(slices.Clone(s.at(id)), (*Resource).Empty)
	return inOrder(found)
}

// WithAnyName is WithAny without regard of the namespace (ResId.GvknEquals).
func (s *Set) WithAnyName(id ID) []*Resource {
	if s.names == nil {
		s.names = map[key][]*Resource{}
		for _, r := range s.list {
			for _, own := range r.AllIDs() {
				if known := s.names[own.key()]; len(known) == 0 || known[len(known)-1] != r {
					s.names[own.key()] = append(known, r)
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s.names[id.key()]), (*Resource).Empty)
}

func (s *Set) at(id ID) []*Resource {
	if s.index == nil {
		s.index = make(map[place][]*Resource, len(s.list))
		for _, r := range s.list {
			s.enter(r)
		}
	}
	return s.index[id.place()]
}

// enter puts the resource into the index under each of its identities.
func (s *Set) enter(r *Resource) {
	s.names = nil
	r.places = r.places[:0]
	if r.Node == nil {
		return
	}
	r.places = append(r.places, r.ID().place())
	for i := range r.Previous {
		if p := r.previousID(i).place(); !slices.Contains(r.places, p) {
			r.places = append(r.places, p)
		}
	}
	for _, p := range r.places {
		s.index[p] = append(s.index[p], r)
	}
}

func (s *Set) leave(r *Resource) {
	s.names = nil
	for _, p := range r.places {
		s.index[p] = slices.DeleteFunc(s.index[p], func(x *Resource) bool { return x == r })
	}
	r.places = nil
}

func inOrder(found []*Resource) []*Resource {
	if len(found) > 1 {
		sort.Slice(found, func(i, j int) bool { return found[i].order < found[j].order })
	}
	return found
}

// Before tells whether a stands before b in their set.
func Before(a, b *Resource) bool { return a.order < b.order }
