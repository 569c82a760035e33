package fieldpath

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Match walks a path as targets do and returns every node that it leads to:
// kyaml's PathMatcher. A kind other than 0 creates what is missing on the way,
// and a node of that kind at its end; created nodes have no place. Where it
// fails, what was created is taken back. At a string with segments left it
// goes on in a copy of the document in that string, so what is created or
// changed there is in no resource. Of the options only Explain and Embedded
// count.
func Match(root *yaml.Node, path Path, create yaml.Kind, options Options) Outcome {
	m := matcher{path: path.Segments, create: create, options: options, recorder: newRecorder(path, options)}
	failure := m.run(root, 0)
	if failure != nil {
		m.undo()
	}
	return m.outcome(failure, path, failure == nil && m.changesTarget())
}

// matcher walks one path through one tree.
type matcher struct {
	path     []Segment
	create   yaml.Kind
	value    *yaml.Node // whose place created nodes take; nil for none
	options  Options
	recorder *recorder

	at      position
	drilled bool
	found   []found
	missed  Failure // the furthest place where the path went on and found nothing
	changed []saved
}

// position is what the walk knows of where it is.
type position struct {
	document *Document // nil in the resource
	created  bool      // at or below a node that was not there before
	hidden   bool      // below a null, which is all that is rendered
	detached bool      // below a node that a blank segment took out of the tree
}

// found is a node at the end of the path.
type found struct {
	node *yaml.Node
	position
	ignored bool // segments remain after "[=value]"
}

// saved is a node as it was before the walk changed it.
type saved struct {
	node, before *yaml.Node
	copied       bool // in a document
}

// run walks from the segment with that index and fails where nothing is found.
func (m *matcher) run(root *yaml.Node, segment int) *Failure {
	if failure := m.walk(root, segment); failure != nil {
		return failure
	}
	if len(m.found) == 0 {
		missed := m.missed
		return &missed
	}
	return nil
}

func (m *matcher) nodes() []*yaml.Node {
	nodes := make([]*yaml.Node, len(m.found))
	for i := range m.found {
		nodes[i] = m.found[i].node
	}
	return nodes
}

// walk applies the segments from index i on. Like PathMatcher it has three
// results: a failure ends the whole walk; without one, no more nodes in
// m.found means that this way is passed over in silence.
func (m *matcher) walk(n *yaml.Node, i int) *Failure {
	n = under(n)
	if i == len(m.path) {
		m.add(n, i)
		return nil
	}
	m.recorder.from(i, n)
	outer := m.at
	m.at.hidden = outer.hidden || n.Tag == nullTag
	failure := m.apply(n, i)
	m.at = outer
	return failure
}

func (m *matcher) apply(n *yaml.Node, i int) *Failure {
	segment := &m.path[i]
	switch {
	case segment.Kind == Index && segment.Index >= 0:
		return m.index(n, i)
	case segment.Kind == Element:
		return m.elements(n, i)
	case segment.Kind == Malformed:
		return m.fail(MalformedElement, i, n)
	case segment.Kind == Wildcard:
		return m.every(n, i)
	}
	return m.key(n, i)
}

func (m *matcher) add(n *yaml.Node, i int) {
	m.found = append(m.found, found{node: n, position: m.at, ignored: i < len(m.path)})
}

func (m *matcher) key(n *yaml.Node, i int) *Failure {
	value, kind := m.field(n, i)
	switch {
	case kind != noFailure && kind != MissingKey && kind != NullContinues:
		return m.fail(kind, i, n)
	case value == nil && m.create == 0:
		m.miss(kind, i, n)
		return nil
	case value == nil:
		value = m.createField(n, i)
	}
	m.recorder.matched(i, value)
	if value.Kind == yaml.ScalarNode && i+1 < len(m.path) {
		return m.drill(value, i+1)
	}
	return m.walk(value, i+1)
}

// field is kyaml's FieldMatcher, for which a blank name means the node itself,
// if it is an empty scalar.
func (m *matcher) field(n *yaml.Node, i int) (*yaml.Node, FailureKind) {
	if name := m.path[i].Text; name != "" {
		return lookupKey(n, name, m.options.Keys)
	}
	if kind := wrongKind(n, yaml.ScalarNode); kind != noFailure {
		return nil, NotAScalar
	}
	if n.Tag != nullTag && n.Value == "" {
		return n, noFailure
	}
	return nil, MissingKey
}

// createField is kyaml's FieldSetter with a new, empty node. For a blank name
// it overwrites the node with a copy of the new one and the walk goes on in
// the new one, which is in no tree.
func (m *matcher) createField(n *yaml.Node, i int) *yaml.Node {
	value := m.newNode(m.kindBefore(i + 1))
	m.save(n)
	if m.path[i].Text == "" {
		value.Style = n.Style
		*n = *value
		m.at.detached = true
	} else {
		key := m.newNode(yaml.ScalarNode)
		key.Value = m.path[i].Text
		n.Content = append(n.Content, key, value)
	}
	m.at.created = true
	m.recorder.created(i, value)
	return value
}

// kindBefore is the kind that a created node has before the segment with that
// index (kyaml's getPathPartKind).
func (m *matcher) kindBefore(i int) yaml.Kind {
	if i == len(m.path) || m.path[i].Text == "" {
		return m.create
	}
	switch segment := &m.path[i]; {
	case segment.Kind == Element, segment.Kind == Malformed, segment.Kind == Index && segment.Index >= 0:
		return yaml.SequenceNode
	}
	return yaml.MappingNode
}

// drill goes on inside the document in a string, in a copy.
func (m *matcher) drill(host *yaml.Node, i int) *Failure {
	document, failure := openDocument(host, m.at.document, i, m.options, m.options.Memory.parse)
	if failure != nil {
		return failure
	}
	m.recorder.opened(i, document)
	m.at = position{document: document}
	m.drilled = m.drilled || !isWord(document)
	return m.walk(document.Root, i)
}

func (m *matcher) index(n *yaml.Node, i int) *Failure {
	if kind := wrongKind(n, yaml.SequenceNode); kind != noFailure {
		return m.fail(kind, i, n)
	}
	index := m.path[i].Index
	if index == len(n.Content) && m.create != 0 {
		m.append(n, i, m.newNode(m.kindBefore(i+1)))
	}
	if index >= len(n.Content) {
		return m.fail(IndexOutOfRange, i, n)
	}
	m.recorder.matched(i, n.Content[index])
	return m.walk(n.Content[index], i+1)
}

func (m *matcher) append(list *yaml.Node, i int, element *yaml.Node) {
	m.save(list)
	list.Content = append(list.Content, element)
	m.at.created = true
	m.recorder.created(i, element)
}

func (m *matcher) every(n *yaml.Node, i int) *Failure {
	if kind := wrongKind(n, yaml.SequenceNode); kind != noFailure {
		return m.fail(kind, i, n)
	}
	if len(n.Content) == 0 {
		m.miss(EmptyList, i, n)
	}
	for _, element := range n.Content {
		m.recorder.matched(i, element)
		if failure := m.walk(element, i+1); failure != nil {
			return failure
		}
	}
	return nil
}

// elements is PathMatcher's doSeq: every element that the pattern matches, or
// with create, where nothing was found, a new one that has the pattern for its
// value. kustomize then searches again, forever if the pattern does not match
// itself.
func (m *matcher) elements(n *yaml.Node, i int) *Failure {
	if kind := wrongKind(n, yaml.SequenceNode); kind != noFailure {
		return m.fail(kind, i, n)
	}
	before := len(m.found)
	if failure := m.search(n, i); failure != nil || len(m.found) > before || m.create == 0 {
		return failure
	}
	m.append(n, i, m.newElement(&m.path[i]))
	failure := m.search(n, i)
	if failure == nil && len(m.found) == before {
		return m.fail(NeverMatchesItself, i, n)
	}
	return failure
}

func (m *matcher) newElement(segment *Segment) *yaml.Node {
	value := m.newNode(yaml.ScalarNode)
	value.Value = segment.Value
	if segment.Name == "" {
		return value
	}
	key := m.newNode(yaml.ScalarNode)
	key.Value = segment.Name
	element := m.newNode(yaml.MappingNode)
	element.Content = []*yaml.Node{key, value}
	return element
}

func (m *matcher) search(n *yaml.Node, i int) *Failure {
	segment := &m.path[i]
	if len(n.Content) > 0 && segment.pattern.err != nil {
		failure := m.fail(InvalidRegex, i, n)
		failure.Message = segment.pattern.err.Error()
		return failure
	}
	hits := 0
	for _, element := range n.Content {
		if segment.pattern.expression == nil && lacks(element, segment) {
			continue
		}
		text, kind := elementText(element, segment)
		if kind != noFailure {
			return m.fail(kind, i, element)
		}
		if text == nil || !segment.pattern.matches(*text) {
			continue
		}
		hits++
		m.recorder.hit(i, n, element, *text)
		if segment.Name == "" {
			m.add(under(element), i+1)
		} else if failure := m.walk(element, i+1); failure != nil {
			return failure
		}
	}
	if hits == 0 {
		m.miss(NoElementMatches, i, n)
	}
	return nil
}

// lacks tells, without rendering it, of a plain word that it does not have the pattern's
// text in it: of many elements most are passed over by this.
func lacks(element *yaml.Node, segment *Segment) bool {
	if element = under(element); segment.Name != "" {
		if element.Kind != yaml.MappingNode {
			return false
		}
		element = valueOf(element, segment.Name)
	}
	return element != nil && hasOnlyWordBytes(element) && areWordBytes(segment.pattern.literal) &&
		!strings.Contains(element.Value, segment.pattern.literal)
}

// elementText is what the pattern is held against; nil where the element has
// no such field.
func elementText(element *yaml.Node, segment *Segment) (*string, FailureKind) {
	if segment.Name != "" {
		if element = under(element); element.Kind != yaml.MappingNode {
			return nil, noFailure
		}
		if element = valueOf(element, segment.Name); element == nil {
			return nil, noFailure
		}
	}
	text, err := matchText(element)
	if err != nil {
		return nil, Unrenderable
	}
	return &text, noFailure
}

func (m *matcher) newNode(kind yaml.Kind) *yaml.Node {
	n := &yaml.Node{Kind: kind}
	if m.value != nil {
		syntax.CopyPlace(n, m.value)
	}
	return n
}

// save remembers a node before it is changed. The list of its children is
// kept as it is: it only ever grows.
func (m *matcher) save(n *yaml.Node) {
	before := *n
	m.changed = append(m.changed, saved{n, &before, m.at.document != nil})
}

func (m *matcher) undo() {
	for i := len(m.changed) - 1; i >= 0; i-- {
		*m.changed[i].node = *m.changed[i].before
	}
}

func (m *matcher) fail(kind FailureKind, i int, n *yaml.Node) *Failure {
	failure := m.failure(kind, i, n)
	return &failure
}

func (m *matcher) miss(kind FailureKind, i int, n *yaml.Node) {
	missed := m.failure(kind, i, n)
	if m.missed.Kind == noFailure || i > m.missed.Segment {
		m.missed = missed
	}
	m.recorder.skipped(missed)
}

// failure is that of a segment at a node. Where the document is but a word,
// the fault is the host's: nobody meant a document.
func (m *matcher) failure(kind FailureKind, i int, n *yaml.Node) Failure {
	failure := Failure{Kind: kind, Segment: i, Node: n, Document: m.at.document}
	if d := m.at.document; d != nil && isWord(d) {
		failure.Node, failure.Document = d.Host, d.Parent
	}
	if kind == IndexOutOfRange {
		failure.Length = len(n.Content)
	}
	return failure
}

// changesTarget tells whether the walk itself changed the tree it was given,
// and not only copies of documents.
func (m *matcher) changesTarget() bool {
	for _, change := range m.changed {
		if !change.copied {
			return true
		}
	}
	return false
}

// outcome tells of the walk, and of a write where there was one.
func (m *matcher) outcome(failure *Failure, path Path, changed bool) Outcome {
	outcome := Outcome{Failure: failure, DrillDown: m.drilled, Changed: changed}
	if failure == nil {
		outcome.Nodes = m.nodes()
	}
	m.recorder.finish(&outcome, path)
	return outcome
}
