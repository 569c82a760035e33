package patch

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// JSON6902 returns what the operations make of a resource, which is not changed and
// shares no node with the result. It does what kustomize's api/filters/patchjson6902 does with gopkg.in/evanphx/json-patch.v4,
// which takes the whole resource through JSON: afterwards keys are sorted,
// numbers are float64s, and strings have the style that yaml.v3 gives them,
// also without any operation. Comments are gone.
//
// What is not touched keeps its place; an added or replaced value has that of
// the operation's value, and a moved or copied one keeps its own. After a
// failure there is no result. The oddities are the operations that did
// something that the author can hardly have meant, and that kustomize does
// without a word. The resource must be free of aliases, and no document node.
//
// It fails where charge does not allow to copy so many nodes and bytes of text
// more: each copy can double the resource.
func JSON6902(doc *yaml.Node, operations []Operation, charge func(nodes, bytes int) bool) (*yaml.Node, []Oddity, *Failure) {
	root, err := toJSONForm(doc)
	if err != nil {
		return nil, nil, &Failure{Reason: NotJSON, Operation: -1, Detail: err.Error()}
	}
	e := editor{root: root, charge: charge, raws: map[*yaml.Node]string{}, nulls: map[*yaml.Node]bool{}}
	for i := range operations {
		e.at, e.operation = i, &operations[i]
		if failure := e.apply(); failure != nil {
			return nil, e.oddities, failure
		}
	}
	if e.root.Kind != yaml.MappingNode {
		return nil, e.oddities, &Failure{Reason: RootNotMapping, Operation: e.at}
	}
	if err := toYAMLForm(e.root); err != nil {
		return nil, e.oddities, &Failure{Reason: NotJSON, Operation: -1, Detail: err.Error()}
	}
	return e.root, e.oddities, nil
}

// editor applies operations to a tree in JSON form.
type editor struct {
	root      *yaml.Node
	at        int // index of the operation
	operation *Operation
	oddities  []Oddity
	charge    func(nodes, bytes int) bool
	raws      map[*yaml.Node]string // JSON text of strings, where it is not encoding/json's
	nulls     map[*yaml.Node]bool   // nulls that are an operation's value: json-patch tells them from others
}

func (e *editor) apply() *Failure {
	switch e.operation.Kind {
	case "add":
		return e.add()
	case "remove":
		return e.remove()
	case "replace":
		return e.replace()
	case "move":
		return e.move()
	case "test":
		return e.test()
	case "copy":
		return e.copy()
	}
	return e.fail(Failure{Reason: UnknownOperation})
}

func (e *editor) add() *Failure {
	target, failure := e.find(pathPointer)
	if failure != nil {
		return failure
	}
	if !e.operation.HasValue {
		e.note(NoValue)
	}
	return e.put(target, e.newValue())
}

func (e *editor) remove() *Failure {
	target, failure := e.find(pathPointer)
	if failure != nil {
		return failure
	}
	return e.cut(target)
}

func (e *editor) replace() *Failure {
	if e.operation.HasPath && e.operation.Path == "" {
		return e.replaceRoot()
	}
	target, failure := e.find(pathPointer)
	if failure != nil {
		return failure
	}
	if !e.operation.HasValue {
		e.note(NoValue)
	}
	if target.container.Kind == yaml.MappingNode {
		if target.field() < 0 {
			e.note(ReplaceAdds)
		}
		return e.put(target, e.newValue())
	}
	i, failure := e.index(target, len(target.container.Content))
	if failure != nil {
		return failure
	}
	value := e.newValue()
	keepPlaces(target.container.Content[i], value)
	target.container.Content[i] = value
	return nil
}

// replaceRoot replaces the whole resource. Without a value, json-patch panics.
func (e *editor) replaceRoot() *Failure {
	value := e.newValue()
	if value.Kind == yaml.ScalarNode {
		return e.fail(Failure{Reason: RootNotMapping})
	}
	keepPlaces(e.root, value)
	e.root = value
	return nil
}

func (e *editor) move() *Failure {
	source, failure := e.find(fromPointer)
	if failure != nil {
		return failure
	}
	value, failure := e.get(source)
	if failure != nil {
		return failure
	}
	if failure := e.cut(source); failure != nil {
		return failure
	}
	target, failure := e.find(pathPointer)
	if failure != nil {
		return failure
	}
	return e.put(target, value)
}

func (e *editor) copy() *Failure {
	source, failure := e.find(fromPointer)
	if failure != nil {
		return failure
	}
	value, failure := e.get(source)
	if failure != nil {
		return failure
	}
	target, failure := e.find(pathPointer)
	if failure != nil {
		return failure
	}
	if value == nil {
		e.note(CopyOfNothing)
		return e.put(target, e.newNull())
	}
	if !e.charge(syntax.Weigh(value)) {
		return e.fail(Failure{Reason: TooMuch})
	}
	return e.put(target, e.copyOf(value, e.raws, true))
}

func (e *editor) test() *Failure {
	if e.operation.HasPath && e.operation.Path == "" {
		if !e.operation.HasValue || !e.equal(e.root, e.operation.value) {
			return e.fail(Failure{Reason: TestFailed, Deepest: e.root})
		}
		return nil
	}
	target, failure := e.find(pathPointer)
	if failure != nil {
		return failure
	}
	value, failure := e.get(target)
	if failure != nil {
		return failure
	}
	wanted := e.operation.value
	var passes bool
	if value == nil || e.isPlainNull(value) {
		passes = wanted == nil || wanted.Tag == nullTag
		if passes && value == nil {
			e.note(TestOfNothing)
		}
	} else {
		passes = wanted != nil && e.equal(value, wanted)
	}
	if !passes {
		return e.fail(Failure{Reason: TestFailed, Tokens: target.tokens, Token: len(target.tokens) - 1, Deepest: value})
	}
	return nil
}

// newValue returns a copy of the operation's value; null where it has none.
func (e *editor) newValue() *yaml.Node {
	if !e.operation.HasValue {
		return e.newNull()
	}
	value := e.copyOf(e.operation.value, e.operation.raws, false)
	if value.Tag == nullTag {
		e.nulls[value] = true
	}
	return value
}

func (e *editor) newNull() *yaml.Node {
	null := &yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag, Value: "null"}
	if e.operation.Node != nil {
		syntax.CopyPlace(null, e.operation.Node)
	}
	return null
}

// copyOf copies a value with the texts of its strings. A `copy` operation
// writes these texts anew, with the characters of HTML escaped.
func (e *editor) copyOf(n *yaml.Node, raws map[*yaml.Node]string, escaped bool) *yaml.Node {
	c := *n
	if n.Content != nil {
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = e.copyOf(child, raws, escaped)
		}
	}
	if raw, ok := raws[n]; ok {
		if escaped {
			var out bytes.Buffer
			json.HTMLEscape(&out, []byte(raw))
			raw = out.String()
		}
		e.raws[&c] = raw
	}
	if e.nulls[n] {
		e.nulls[&c] = true
	}
	return &c
}

// put adds a value, or replaces a field (json-patch's add).
func (e *editor) put(target target, value *yaml.Node) *Failure {
	container := target.container
	if container.Kind == yaml.MappingNode {
		if i := target.field(); i >= 0 {
			keepPlaces(container.Content[i+1], value)
			container.Content[i+1] = value
			return nil
		}
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: stringTag, Value: target.key()}
		syntax.CopyPlace(key, value)
		if e.operation.PathNode != nil {
			syntax.CopyPlace(key, e.operation.PathNode)
		}
		container.Content = append(container.Content, key, value)
		return nil
	}
	if target.key() == "-" {
		container.Content = append(container.Content, value)
		return nil
	}
	i, failure := e.index(target, len(container.Content)+1)
	if failure != nil {
		return failure
	}
	container.Content = slices.Insert(container.Content, i, value)
	return nil
}

// cut removes a field or an element.
func (e *editor) cut(target target) *Failure {
	container := target.container
	if container.Kind == yaml.MappingNode {
		i := target.field()
		if i < 0 {
			return e.missing(target)
		}
		container.Content = slices.Delete(container.Content, i, i+2)
		return nil
	}
	i, failure := e.index(target, len(container.Content))
	if failure != nil {
		return failure
	}
	container.Content = slices.Delete(container.Content, i, i+1)
	return nil
}

// get returns the value of a target; nil for a field that is not there.
func (e *editor) get(target target) (*yaml.Node, *Failure) {
	container := target.container
	if container.Kind == yaml.MappingNode {
		if i := target.field(); i >= 0 {
			return container.Content[i+1], nil
		}
		return nil, nil
	}
	i, failure := e.index(target, len(container.Content))
	if failure != nil {
		return nil, failure
	}
	return container.Content[i], nil
}

// index returns the index that the last token means in a list. Negative ones
// count from the end, where `size` is the end.
func (e *editor) index(target target, size int) (int, *Failure) {
	i, err := strconv.Atoi(target.key())
	if err != nil {
		return 0, e.failAt(NotAnIndex, target)
	}
	if i < 0 {
		i += size
	}
	if i < 0 || i >= size {
		return 0, e.failAt(IndexOutOfRange, target)
	}
	return i, nil
}

// target is a place in the tree that need not exist: the last token of a
// pointer in the container that the other tokens lead to.
type target struct {
	container *yaml.Node
	tokens    []string
	pointer   pointer
}

func (t target) key() string { return t.tokens[len(t.tokens)-1] }

// field returns the index of the key in a mapping, or -1.
func (t target) field() int { return fieldIndex{content: t.container.Content}.find(t.key()) }

// pointer says which of the two paths of an operation is meant.
type pointer bool

const (
	pathPointer pointer = false
	fromPointer pointer = true
)

// find follows a pointer up to its last token.
func (e *editor) find(p pointer) (target, *Failure) {
	path, ok := e.operation.Path, e.operation.HasPath
	if p == fromPointer {
		path, ok = e.operation.From, e.operation.HasFrom
	}
	if !ok {
		return target{}, e.fail(Failure{Reason: NoPointer, InFrom: bool(p)})
	}
	before, tokens := jsonpointer.Split(path)
	if len(tokens) == 0 {
		return target{}, e.fail(Failure{Reason: NotAPointer, InFrom: bool(p), Deepest: e.root, Candidates: candidates(e.root)})
	}
	if before != "" {
		e.note(IgnoredStart)
	}
	found := target{container: e.root, tokens: tokens, pointer: p}
	for i := range tokens[:len(tokens)-1] {
		parent := target{container: found.container, tokens: tokens[:i+1], pointer: p}
		next, failure := e.get(parent)
		switch {
		case failure != nil:
			failure.Tokens = tokens
			return target{}, failure
		case next == nil:
			return target{}, e.fail(Failure{Reason: MissingParent, InFrom: bool(p), Tokens: tokens, Token: i,
				Deepest: found.container, Candidates: candidates(found.container)})
		case next.Kind == yaml.ScalarNode:
			return target{}, e.fail(Failure{Reason: ParentIsScalar, InFrom: bool(p), Tokens: tokens, Token: i, Deepest: next})
		}
		found.container = next
	}
	return found, nil
}

// isPlainNull tells whether json-patch holds nothing for the value; it tells
// such a null from one that an operation brought.
func (e *editor) isPlainNull(n *yaml.Node) bool {
	return n.Tag == nullTag && !e.nulls[n]
}

// equal compares a value of the resource with the value of a test as
// json-patch does: scalars by their JSON text. Lists with a null in them are
// never equal; there json-patch panics.
func (e *editor) equal(value, wanted *yaml.Node) bool {
	if value.Kind != wanted.Kind || len(value.Content) != len(wanted.Content) {
		return false
	}
	switch value.Kind {
	case yaml.MappingNode:
		return e.equalFields(value, wanted)
	case yaml.SequenceNode:
		for i := range value.Content {
			if e.isPlainNull(value.Content[i]) || wanted.Content[i].Tag == nullTag || !e.equal(value.Content[i], wanted.Content[i]) {
				return false
			}
		}
		return true
	}
	if value.Tag == stringTag && wanted.Tag == stringTag {
		return rawText(value, e.raws) == rawText(wanted, e.operation.raws)
	}
	return value.Tag == wanted.Tag && value.Value == wanted.Value
}

func (e *editor) equalFields(value, wanted *yaml.Node) bool {
	index := indexFields(wanted)
	for i := 0; i < len(value.Content); i += 2 {
		j := index.find(value.Content[i].Value)
		if j < 0 {
			return false
		}
		member, other := value.Content[i+1], wanted.Content[j+1]
		if e.isPlainNull(member) && other.Tag == nullTag {
			continue
		}
		if e.isPlainNull(member) || other.Tag == nullTag || !e.equal(member, other) {
			return false
		}
	}
	return true
}

func rawText(n *yaml.Node, raws map[*yaml.Node]string) string {
	if raw, ok := raws[n]; ok {
		return raw
	}
	return jsonText(n.Value)
}
