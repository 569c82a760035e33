package resource

import (
	"hash/maphash"
	"slices"
	"sort"
	"sync"
)

// Set is an ordered set of resources with indexes by identity, current and
// previous: kustomize's ResMap without its linear scans. An index is made when it is
// first needed. What Change did to a resource it takes in before the next question.
type Set struct {
	list []*Resource
	next int

	places index[place]
	keys   index[key] // the same without namespaces
	names  index[string]
	kinds  index[string]

	mutex    sync.Mutex
	outdated []*Resource // since the last question their identities changed
}

// place is what identities are compared by.
type place struct {
	key
	namespace string // effective
}

// index has each resource once under every key that it has or had. It may hold more
// than that, and former members: who asks looks at the resource again. nil is for one
// that nobody has asked yet.
type index[K comparable] map[K][]*Resource

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
	s.next++
	s.admit(r, s.next)
	s.list = append(s.list, r)
	s.enter(r)
	return nil
}

// admit makes the resource a member, of this set alone.
func (s *Set) admit(r *Resource, order int) { r.member, r.order, r.entered = s, order, entered{} }

// Fill puts resources of no set into an empty one, without a look at identities.
func (s *Set) Fill(list []*Resource) {
	s.list = list
	s.next = len(list)
	for i, r := range list {
		s.admit(r, i+1)
	}
}

// Replace puts r at the place of old.
func (s *Set) Replace(old, r *Resource) {
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].order >= old.order })
	if i == len(s.list) || s.list[i] != old {
		return
	}
	old.member = nil
	s.admit(r, old.order)
	s.list[i] = r
	s.enter(r)
}

// Retain keeps the resources that keep tells, in order.
func (s *Set) Retain(keep func(*Resource) bool) {
	s.list = slices.DeleteFunc(s.list, func(r *Resource) bool {
		if keep(r) {
			return false
		}
		r.member = nil
		return true
	})
}

// Reorder puts the resources into another order.
func (s *Set) Reorder(list []*Resource) {
	s.list = list
	for i, r := range s.list {
		r.order = i + 1
	}
	s.next = len(s.list)
}

// outdate is called by Change, maybe for several resources at a time.
func (s *Set) outdate(r *Resource) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.outdated = append(s.outdated, r)
}

// update takes in what changed since the last question.
func (s *Set) update() {
	for _, r := range s.outdated {
		if r.member == s {
			s.enter(r)
		}
	}
	s.outdated = s.outdated[:0]
}

// enter puts the resource into the indexes that there are, under the identities under
// which it is not there yet.
func (s *Set) enter(r *Resource) {
	if s.places == nil && s.keys == nil && s.names == nil && s.kinds == nil {
		return
	}
	for _, p := range r.enterNew() {
		known := r.entered.places
		r.entered.places = append(r.entered.places, p)
		s.places.enter(r, p, known, placeOf)
		s.keys.enter(r, p.key, known, keyOf)
		s.names.enter(r, p.name, known, nameOf)
		s.kinds.enter(r, p.kind, known, kindOf)
	}
}

// entered are the places under which a set has a resource in its indexes, each once,
// and of what they were made: a resource that is renamed time and again only gets more
// previous identities.
type entered struct {
	places         []place
	group, version string
	previous       []Previous
}

// enterNew returns the places of the resource that it is not entered under.
func (r *Resource) enterNew() (fresh []place) {
	if r.Node == nil {
		return nil
	}
	add := func(id ID) {
		if p := id.place(); !slices.Contains(r.entered.places, p) && !slices.Contains(fresh, p) {
			fresh = append(fresh, p)
		}
	}
	add(r.ID())
	first, was := 0, r.entered.previous
	now := r.ID()
	if r.entered.group == now.Group && r.entered.version == now.Version && len(was) <= len(r.Previous) && slices.Equal(was, r.Previous[:len(was)]) {
		first = len(was)
	}
	for i := first; i < len(r.Previous); i++ {
		add(r.previousID(i))
	}
	r.entered.group, r.entered.version, r.entered.previous = now.Group, now.Version, r.Previous
	return fresh
}

func placeOf(p place) place { return p }
func keyOf(p place) key     { return p.key }
func nameOf(p place) string { return p.name }
func kindOf(p place) string { return p.kind }

// enter adds the resource under a key, unless one of the places where it is known has
// that key already.
func (x index[K]) enter(r *Resource, k K, known []place, of func(place) K) {
	if x != nil && !slices.ContainsFunc(known, func(p place) bool { return of(p) == k }) {
		x[k] = append(x[k], r)
	}
}

// find returns the members under a key, each once, in order.
func find[K comparable](s *Set, x *index[K], k K, of func(place) K) []*Resource {
	s.update()
	if *x == nil {
		*x = make(index[K], len(s.list))
		for _, r := range s.list {
			r.entered.places = append(r.entered.places, r.enterNew()...)
			for i, p := range r.entered.places {
				x.enter(r, of(p), r.entered.places[:i], of)
			}
		}
	}
	return s.members((*x)[k])
}

// members returns those that still are in the set, in order.
func (s *Set) members(found []*Resource) []*Resource {
	out := make([]*Resource, 0, len(found))
	ascending := true
	for _, r := range found {
		if r.member != s || r.Node == nil {
			continue
		}
		ascending = ascending && (len(out) == 0 || r.order > out[len(out)-1].order)
		out = append(out, r)
	}
	if !ascending {
		sort.Slice(out, func(i, j int) bool { return out[i].order < out[j].order })
	}
	return out
}

// Named returns the resources that have or had the name, in order; possibly
// others too.
func (s *Set) Named(name string) []*Resource { return find(s, &s.names, name, nameOf) }

// OfKind returns the resources that are or were of the kind, in order; possibly
// others too.
func (s *Set) OfKind(kind string) []*Resource { return find(s, &s.kinds, kind, kindOf) }

// WithCurrent returns the resources whose current identity equals id, in order.
func (s *Set) WithCurrent(id ID) []*Resource {
	return s.with(id, func(r *Resource) bool { return r.ID().Equal(id) })
}

// WithAny returns the resources of which the current or a previous identity
// equals id, in order (resWrangler.GetMatchingResourcesByAnyId).
func (s *Set) WithAny(id ID) []*Resource {
	return s.with(id, func(r *Resource) bool { return r.AnyID(id.Equal) })
}

func (s *Set) with(id ID, holds func(*Resource) bool) []*Resource {
	return slices.DeleteFunc(find(s, &s.places, id.place(), placeOf), func(r *Resource) bool { return r.Empty() || !holds(r) })
}

// WithAnyName is WithAny without regard of the namespace (ResId.GvknEquals).
func (s *Set) WithAnyName(id ID) []*Resource {
	same := func(other ID) bool { return other.key() == id.key() }
	return slices.DeleteFunc(find(s, &s.keys, id.key(), keyOf), func(r *Resource) bool { return r.Empty() || !r.AnyID(same) })
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
