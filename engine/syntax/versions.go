package syntax

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// What was made of a file outlives an edit elsewhere in it. Its nodes carry places of
// the version that they were read from; a table tells where that stands in the version
// of its own moment.

// versions are the texts that one file had in the course of time. Each but the first was
// made of another one by an edit, so they are a tree: how lines moved from one to any
// other is told by the edits between them. Thus it is the same by way of a third: what
// was compared there, and found to stand in one place, stands in one place still.
type versions struct {
	mutex sync.Mutex
	list  []version // the last ones
	edits map[text.FileID]*edit
	moved map[[2]text.FileID]movement // from the first text to the second, which is in the list
}

// edit is how a text came to be: its lines moved from another one. The distance is the
// number of edits since the first text.
type edit struct {
	from     text.FileID
	distance int
	moved    movement
}

// version is the text of a file from a moment on. Moments are counted by histories:
// those of one tell nothing of those of another.
type version struct {
	history any
	moment  int
	id      text.FileID
}

// keptVersions is how many versions of a file are known: people take back what they
// did last.
const keptVersions = 16

// movement tells where the lines of a text are in another: in the same order as here,
// and those that are in none of them are not there.
type movement []lines

// lines are the lines from the first to before the end, 1-based, that are further down by
// shift.
type lines struct{ first, end, shift int }

// allLines is the end of lines that go on to the end of the text.
const allLines = 1 << 30

// At returns a table of the same texts for a moment of a history.
func (t *Table) At(history any, moment int) *Table {
	return &Table{registry: t.registry, history: history, moment: moment}
}

// AddVersion is Add for a file of which another text is known. Where the content is
// that of one of its last versions it is that text, and added is false.
func (t *Table) AddVersion(other text.FileID, content []byte) (id text.FileID, added bool) {
	before := t.Source(other)
	of := before.versions.Load()
	if of == nil {
		// No moment is known at which that text counted.
		before.versions.CompareAndSwap(nil, &versions{list: []version{{id: other}}, edits: map[text.FileID]*edit{other: {}}, moved: map[[2]text.FileID]movement{}})
		of = before.versions.Load()
	}
	of.mutex.Lock()
	defer of.mutex.Unlock()
	for _, v := range slices.Backward(of.list) {
		if bytes.Equal(t.Source(v.id).content, content) {
			id = v.id
			break
		}
	}
	if id == 0 {
		next := &Source{path: before.path, content: content}
		next.versions.Store(of)
		id, added = t.add(next), true
		of.edits[id] = of.editTo(t, next, other)
	}
	of.list = append(of.list, version{t.history, t.moment, id})
	if len(of.list) > keptVersions {
		of.list = slices.Clone(of.list[1:])
		maps.DeleteFunc(of.moved, func(pair [2]text.FileID, _ movement) bool {
			return !slices.ContainsFunc(of.list, func(x version) bool { return x.id == pair[1] })
		})
	}
	return id, added
}

// editTo returns the edit by which a text was made of the other one; where little of that
// is left, of that of the last ones of which most is.
func (v *versions) editTo(t *Table, next *Source, other text.FileID) *edit {
	from, before := other, t.Source(other)
	head, tail := commonLines(before.content, next.content)
	if common := head + tail; common < min(len(before.content), len(next.content))/2 {
		for _, x := range slices.Backward(v.list) {
			last := t.Source(x.id)
			if h, l := commonLines(last.content, next.content); h+l > common {
				from, before, head, tail, common = x.id, last, h, l, h+l
			}
		}
	}
	return &edit{from, v.edits[from].distance + 1, movementOf(before, next, head, tail)}
}

// current returns the text that the file has at a moment; zero where that is not known.
func (v *versions) current(history any, moment int) text.FileID {
	var last version
	for _, x := range v.list {
		if x.history == history && x.moment <= moment && (last.id == 0 || x.moment >= last.moment) {
			last = x
		}
	}
	return last.id
}

// Place is the function Place, where what a node was read from may have moved since:
// it returns the place in the version of the table's moment. What does not stand there
// any more keeps the place it had.
func (t *Table) Place(n *yaml.Node) (file text.FileID, line, column int) {
	file, line, column = Place(n)
	if t.history == nil {
		return file, line, column
	}
	source := t.Source(file)
	if source == nil {
		return file, line, column
	}
	v := source.versions.Load()
	if v == nil {
		return file, line, column
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	now := v.current(t.history, t.moment)
	if now == 0 || now == file {
		return file, line, column
	}
	if moved, ok := v.movement(file, now).of(line); ok {
		return now, moved, column
	}
	return file, line, column
}

// movement returns how the lines of the text a moved to the text b.
func (v *versions) movement(a, b text.FileID) movement {
	pair := [2]text.FileID{a, b}
	var down []*edit // from where a leads to, to b, the last one first
	m, to := movement{{1, allLines, 0}}, b
	for a != to {
		if known, ok := v.moved[[2]text.FileID{a, to}]; ok {
			m = m.then(known)
			break
		}
		if up, e := v.edits[a], v.edits[to]; up.distance > e.distance {
			m = m.then(up.moved.back())
			a = up.from
		} else {
			down = append(down, e)
			to = e.from
		}
	}
	for _, e := range slices.Backward(down) {
		m = m.then(e.moved)
	}
	v.moved[pair] = m
	return m
}

// movementOf returns how lines moved between texts of which so many bytes are the same.
func movementOf(a, b *Source, head, tail int) movement {
	if tail == 0 && len(a.content) == len(b.content) && head == len(a.content) {
		return movement{{1, allLines, 0}}
	}
	var m movement
	if end, _ := a.Lines().OffsetToMark(head); end > 1 {
		m = append(m, lines{1, end, 0})
	}
	if tail > 0 {
		first, _ := a.Lines().OffsetToMark(len(a.content) - tail)
		moved, _ := b.Lines().OffsetToMark(len(b.content) - tail)
		m = append(m, lines{first, allLines, moved - first})
	}
	return m
}

// of returns where a line is.
func (m movement) of(line int) (moved int, ok bool) {
	for _, l := range m {
		if line >= l.first && line < l.end {
			return line + l.shift, true
		}
	}
	return 0, false
}

// then returns where the lines are after another movement.
func (m movement) then(next movement) movement {
	var both movement
	for _, l := range m {
		for _, n := range next {
			first, end := max(l.first, n.first-l.shift), min(l.end, n.end-l.shift)
			if first >= end {
				continue
			}
			shift := l.shift + n.shift
			if last := len(both) - 1; last >= 0 && both[last].end == first && both[last].shift == shift {
				both[last].end = end
			} else {
				both = append(both, lines{first, end, shift})
			}
		}
	}
	return both
}

// back returns the way back.
func (m movement) back() movement {
	back := make(movement, len(m))
	for i, l := range m {
		back[i] = lines{l.first + l.shift, l.end + l.shift, -l.shift}
	}
	return back
}

// commonLines returns how many bytes two texts have in common at their beginning and
// at their end, in whole lines that do not overlap.
func commonLines(a, b []byte) (head, tail int) {
	most := min(len(a), len(b))
	for head < most && a[head] == b[head] {
		head++
	}
	if head < len(a) || head < len(b) {
		head = bytes.LastIndexByte(a[:head], '\n') + 1
	}
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	begins := func(content []byte) bool {
		at := len(content) - tail
		return at == 0 || content[at-1] == '\n'
	}
	if !begins(a) || !begins(b) {
		next := bytes.IndexByte(a[len(a)-tail:], '\n')
		if next < 0 {
			return head, 0
		}
		tail -= next + 1
	}
	return head, tail
}
