package analysis

import (
	"maps"
	"slices"
	"sync"
)

// Running is a check as far as it has come, for those who show what is found before
// its end. The zero value is ready for one check. It is safe for concurrent use.
type Running struct {
	// Changed, where it is not nil, is called after each target, from several
	// goroutines.
	Changed func()

	mutex      sync.Mutex
	components []Target
	// roots, and components that are checked alone, by their index among all.
	roots, alone map[int]checkedRoot
	// open are the folders of the targets that are not checked yet, as they were given,
	// by their folders without symbolic links.
	open map[string]string
}

// Found returns what the targets that are checked so far come to, as Check would report
// it, and the folders of the others, sorted. A component is one of these until a root
// includes it.
func (r *Running) Found() (found *Report, open []string) {
	r.mutex.Lock()
	roots, alone, components := byIndex(r.roots), byIndex(r.alone), r.components
	open = slices.Sorted(maps.Values(r.open))
	r.mutex.Unlock()
	return newReport(roots, components, alone), open
}

// byIndex returns the targets in the order in which Check puts them together: what is
// said of a mistake that several share depends on it.
func byIndex(checked map[int]checkedRoot) []checkedRoot {
	var list []checkedRoot
	for _, i := range slices.Sorted(maps.Keys(checked)) {
		list = append(list, checked[i])
	}
	return list
}

func (r *Running) begin(c *checker, targets, components []Target) {
	if r == nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.components, r.open = components, map[string]string{}
	r.roots, r.alone = map[int]checkedRoot{}, map[int]checkedRoot{}
	for _, t := range targets {
		r.open[c.realPath(t.Dir)] = t.Dir
	}
}

func (r *Running) done(c *checker, i int, root checkedRoot, alone bool) {
	if r == nil {
		return
	}
	r.add(c.realPath(root.Dir), i, root, alone)
	if r.Changed != nil {
		r.Changed()
	}
}

func (r *Running) add(dir string, i int, root checkedRoot, alone bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.open, dir)
	if alone {
		r.alone[i] = root
		return
	}
	r.roots[i] = root
	for _, component := range root.components {
		delete(r.open, component)
	}
}
