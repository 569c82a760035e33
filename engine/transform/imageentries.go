package transform

import (
	"cmp"
	"container/heap"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// imageEntries finds the entries of images that match an image without asking each of them: most have a name whose last
// element, after the registry and its folders, is there literally in each image that they match.
type imageEntries struct {
	patterns []*regexp.Regexp // nil for a name that is none
	byLast   map[string][]int // entries by the last element of their name, ascending
	others   []int            // those whose name may match any last element, ascending
	known    map[string]bool
}

func newImageEntries(images []kustomization.Image, patterns []*regexp.Regexp) *imageEntries {
	e := &imageEntries{patterns: patterns, byLast: map[string][]int{}, known: map[string]bool{}}
	for i, image := range images {
		if patterns[i] == nil {
			continue
		}
		if last, literal := lastElement(image.Name.Value); literal {
			e.byLast[last] = append(e.byLast[last], i)
		} else {
			e.others = append(e.others, i)
		}
	}
	return e
}

// lastElement returns the last element of a name, and whether all that the name matches has it: the only operator in the
// name is a dot, before the last slash.
func lastElement(name string) (last string, literal bool) {
	slash := strings.LastIndexByte(name, '/') + 1
	undotted := strings.ReplaceAll(name[:slash], ".", "") + name[slash:]
	return name[slash:], regexp.QuoteMeta(undotted) == undotted
}

// after returns the first entry behind the given one that may match the image, or -1.
func (e *imageEntries) after(entry int, image string) int {
	first := len(e.patterns)
	look := func(entries []int) {
		if at, _ := slices.BinarySearch(entries, entry+1); at < len(entries) {
			first = min(first, entries[at])
		}
	}
	look(e.others)
	slash := 0
	for at := range len(image) {
		switch image[at] {
		case '/':
			slash = at + 1
		case ':', '@':
			look(e.byLast[image[slash:at]])
		}
	}
	look(e.byLast[image[slash:]])
	if first == len(e.patterns) {
		return -1
	}
	return first
}

// match tells whether any entry matches the image, and looks at each image once.
func (e *imageEntries) match(image string) bool {
	matched, ok := e.known[image]
	if !ok {
		for entry := e.after(-1, image); entry >= 0 && !matched; entry = e.after(entry, image) {
			matched = e.patterns[entry].MatchString(image)
		}
		e.known[image] = matched
	}
	return matched
}

// imageTurns are the entries whose turn it is to change images, the first entry on top.
type imageTurns []imageTurn

type imageTurn struct{ entry, site int }

// add adds a turn unless there is no entry.
func (t *imageTurns) add(entry, site int) {
	if entry >= 0 {
		heap.Push(t, imageTurn{entry, site})
	}
}

func (t imageTurns) Len() int      { return len(t) }
func (t imageTurns) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t imageTurns) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(t[i].entry, t[j].entry), cmp.Compare(t[i].site, t[j].site)) < 0
}
func (t *imageTurns) Push(x any) { *t = append(*t, x.(imageTurn)) }
func (t *imageTurns) Pop() any {
	last := len(*t) - 1
	x := (*t)[last]
	*t = (*t)[:last]
	return x
}
