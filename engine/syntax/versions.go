package syntax

import (
	"bytes"
	"math"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// What was made of a file outlives an edit elsewhere in it. Its nodes carry places of
// the version that they were read from; a table tells where that stands in the version
// of its own moment.

// versions are the last texts that one file had in the course of time.
type versions struct {
	mutex sync.Mutex
	list  []version
	moved map[[2]text.FileID]movement // from the first text to the second
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

// movement tells where the lines of a text are in another: those below head, 1-based,
// are where they were; those from tail on are further down by shift. Nothing stands
// for those between.
type movement struct{ head, tail, shift int }

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
		before.versions.CompareAndSwap(nil, &versions{list: []version{{id: other}}, moved: map[[2]text.FileID]movement{}})
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
	}
	of.list = append(of.list, version{t.history, t.moment, id})
	if len(of.list) > keptVersions {
		of.list = slices.Clone(of.list[1:])
		clear(of.moved)
	}
	return id, added
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
	if moved, ok := v.move(t, file, now, line); ok {
		return now, moved, column
	}
	// Two edits with something between them leave it where it is, one after the other.
	at, moved := file, line
	from := slices.IndexFunc(v.list, func(x version) bool { return x.id == file })
	for _, x := range v.list[from+1:] {
		if x.history != t.history || x.moment > t.moment || x.id == at {
			continue
		}
		var ok bool
		if moved, ok = v.move(t, at, x.id, moved); !ok {
			return file, line, column
		}
		at = x.id
		if last, ok := v.move(t, at, now, moved); ok {
			return now, last, column
		}
	}
	return file, line, column
}

// move returns the line of the text b at which a line of the text a stands.
func (v *versions) move(t *Table, a, b text.FileID, line int) (moved int, ok bool) {
	m, known := v.moved[[2]text.FileID{a, b}]
	if !known {
		m = movementOf(t.Source(a), t.Source(b))
		v.moved[[2]text.FileID{a, b}] = m
	}
	switch {
	case line < m.head:
		return line, true
	case line >= m.tail:
		return line + m.shift, true
	}
	return 0, false
}

// movementOf compares two texts by whole lines.
func movementOf(a, b *Source) movement {
	head, tail := commonLines(a.content, b.content)
	m := movement{tail: math.MaxInt}
	m.head, _ = a.Lines().OffsetToMark(head)
	if tail > 0 {
		m.tail, _ = a.Lines().OffsetToMark(len(a.content) - tail)
		moved, _ := b.Lines().OffsetToMark(len(b.content) - tail)
		m.shift = moved - m.tail
	} else if len(a.content) == len(b.content) && head == len(a.content) {
		m.head = math.MaxInt
	}
	return m
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
