package fieldpath

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// Get walks a path as sources do and returns the one node that it leads to:
// kyaml's Lookup, which takes the first element that has exactly the value of
// "[name=value]". Where kustomize fails at a string with segments left, Get
// parses the string as JSON, else as YAML, and goes on inside, as often as
// documents are nested; Outcome.DrillDown then tells so.
//
// The node is the one in root, not a copy, unless it is inside a document.
// It may be null or empty, which Read refuses. Of the options only Explain and
// Embedded count.
func Get(root *yaml.Node, path Path, options Options) Outcome {
	outcome, _ := get(root, path, options)
	return outcome
}

// get also returns the document that the node stands in; nil for the resource.
func get(root *yaml.Node, path Path, options Options) (Outcome, *Document) {
	w := sourceWalk{path: path, recorder: newRecorder(path, options), options: options}
	node := w.run(root)
	outcome := Outcome{Failure: w.failure, DrillDown: w.document != nil}
	if node != nil {
		outcome.Nodes = []*yaml.Node{node}
	}
	w.recorder.finish(&outcome, path)
	return outcome, w.document
}

// Read is Get, and then what a replacement does with its source: null and
// empty maps and lists are refused, and the options' Delimiter and Index take
// a part of a scalar's text, in a copy of the node that keeps its place.
func Read(root *yaml.Node, path Path, options Options) Outcome {
	outcome, document := get(root, path, options)
	if outcome.Failure != nil {
		return outcome
	}
	end := Failure{Segment: len(path.Segments), Node: outcome.Nodes[0], Document: document}
	value, kind := refine(outcome.Nodes[0], options, &end)
	if kind != noFailure {
		end.Kind = kind
		outcome.Failure, outcome.Nodes = &end, nil
		return outcome
	}
	outcome.Nodes[0] = value
	return outcome
}

func refine(node *yaml.Node, options Options, failure *Failure) (*yaml.Node, FailureKind) {
	switch {
	case isNilOrEmpty(node):
		return nil, EmptySource
	case options.Delimiter == "":
		return node, noFailure
	case node.Kind != yaml.ScalarNode:
		return nil, DelimiterOnNonScalar
	}
	parts := strings.Split(node.Value, options.Delimiter)
	if options.Index < 0 || options.Index >= len(parts) {
		failure.Length = len(parts)
		return nil, IndexOutOfBoundsForSource
	}
	part := *node
	part.Value = parts[options.Index]
	return &part, noFailure
}

// isNilOrEmpty is kyaml's IsYNodeNilOrEmpty: "" is a value, null is none.
func isNilOrEmpty(n *yaml.Node) bool {
	collection := n != nil && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode)
	return n == nil || n.Tag == nullTag || collection && len(n.Content) == 0 || n.IsZero()
}

type sourceWalk struct {
	path     Path
	options  Options
	recorder *recorder
	document *Document
	failure  *Failure
}

func (w *sourceWalk) run(root *yaml.Node) *yaml.Node {
	node := under(root)
	for i := range w.path.trimmed {
		segment := &w.path.trimmed[i]
		if segment.Kind == Blank {
			continue
		}
		if node = w.drill(node, i); node == nil {
			return nil
		}
		w.recorder.from(i, node)
		next, kind := lookup(node, segment, w.options.Keys)
		if next == nil {
			w.fail(kind, i, node)
			return nil
		}
		node = next
		w.recorder.matched(i, node)
	}
	return node
}

// drill opens the documents that hold the next segment: usually none, and more
// than one where a document is nothing but a quoted document.
func (w *sourceWalk) drill(node *yaml.Node, i int) *yaml.Node {
	if w.path.trimmed[i].Kind == Wildcard || w.path.trimmed[i].Kind == Malformed {
		return node
	}
	for node.Kind == yaml.ScalarNode && node.Tag != nullTag && node.ShortTag() == stringTag {
		document, failure := openDocument(node, w.document, i, w.options, parseSource)
		if failure != nil {
			w.failure = failure
			return nil
		}
		if isWord(document) {
			return node
		}
		w.document = document
		w.recorder.opened(i, document)
		node = under(document.Root)
	}
	return node
}

func (w *sourceWalk) fail(kind FailureKind, i int, node *yaml.Node) {
	w.failure = &Failure{Kind: kind, Segment: i, Node: node, Document: w.document}
	if kind == IndexOutOfRange {
		w.failure.Length = len(node.Content)
	}
}

// lookup applies one segment as kyaml's PathGetter does. The segment is one
// of Path.trimmed and not blank. Null is a map without keys and an empty list.
func lookup(n *yaml.Node, segment *Segment, keys *Keys) (*yaml.Node, FailureKind) {
	n = under(n)
	switch segment.Kind {
	case Wildcard:
		return nil, WildcardInSource
	case Malformed:
		return nil, MalformedElement
	case Index, Last:
		return lookupIndex(n, segment)
	case Element:
		return lookupElement(n, segment)
	}
	return lookupKey(n, segment.Text, keys)
}

func lookupIndex(n *yaml.Node, segment *Segment) (*yaml.Node, FailureKind) {
	index := segment.Index
	if segment.Kind == Index && index < 0 {
		return nil, NegativeIndex
	}
	if kind := wrongKind(n, yaml.SequenceNode); kind != noFailure {
		return nil, kind
	}
	if segment.Kind == Last {
		index = len(n.Content) - 1
	}
	switch {
	case index < 0:
		return nil, EmptyList
	case index >= len(n.Content):
		return nil, IndexOutOfRange
	}
	return n.Content[index], noFailure
}

func lookupElement(n *yaml.Node, segment *Segment) (*yaml.Node, FailureKind) {
	if kind := wrongKind(n, yaml.SequenceNode); kind != noFailure {
		return nil, kind
	}
	for _, element := range n.Content {
		if isExact(element, segment) {
			return element, noFailure
		}
	}
	return nil, NoElementMatches
}

// isExact tells whether a source's "[name=value]" takes the element. For
// "[=value]" the text of any node counts, and that of a map or list is "".
func isExact(element *yaml.Node, segment *Segment) bool {
	if segment.Name == "" {
		return element.Value == segment.Value
	}
	element = under(element)
	if element.Kind != yaml.MappingNode || element.Tag == nullTag {
		return false
	}
	value := valueOf(element, segment.Name)
	return value != nil && value.Value == segment.Value
}

func lookupKey(n *yaml.Node, key string, keys *Keys) (*yaml.Node, FailureKind) {
	if n.Tag == nullTag {
		return nil, NullContinues
	}
	if kind := wrongKind(n, yaml.MappingNode); kind != noFailure {
		return nil, kind
	}
	if value := keys.value(n, key); value != nil {
		return value, noFailure
	}
	return nil, MissingKey
}

// valueOf returns the value of the first such key of a mapping, or nil.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// wrongKind is kyaml's ErrorIfInvalid: null passes for everything.
func wrongKind(n *yaml.Node, want yaml.Kind) FailureKind {
	switch {
	case n.Tag == nullTag || n.Kind == want:
		return noFailure
	case n.Kind == 0:
		return EmptyDocument
	case n.Kind == yaml.ScalarNode:
		return ScalarContinues
	case want == yaml.MappingNode:
		return NotAMap
	}
	return NotAList
}

// under returns the content of a document node, and any other node itself.
func under(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		return n.Content[0]
	}
	return n
}

const (
	nullTag   = "!!null"
	stringTag = "!!str"
)
