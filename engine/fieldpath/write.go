package fieldpath

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Write writes a value to every node that the path leads to, to the byte as
// copyValueToTarget of kustomize's replacement filter does for one field path.
//
// It first looks for a document in a string: it walks as a source does (so to
// exact values only) until the first scalar with segments left, writes inside
// the document as Match finds, and puts the document's new text into that
// scalar. Where any of this fails it writes to what Match finds in the target
// instead, where documents are copies that nobody sees.
//
// The value may be part of the target; it is copied for each write. With
// options.Create the missing nodes are made, in the place of the value.
// A node that is written takes the place of the value, one that equals the
// value already keeps its own, and so does the host of a document.
//
// When Outcome.Failure is set, kustomize refuses the path, and the target is
// as it was before.
func Write(target *yaml.Node, path Path, value *yaml.Node, options Options) Outcome {
	w := writer{target: target, path: path, value: value, options: options}
	inside, tried := w.writeInside()
	if tried && inside.Failure == nil {
		return inside
	}
	return w.writePlain(inside)
}

type writer struct {
	target  *yaml.Node
	path    Path
	value   *yaml.Node
	options Options

	inside  *Document // that could not be written; nil for none
	fatal   bool      // kustomize does not fall back here: it panics or never ends
	changed bool
}

// writeInside is setValueInStructuredData. It is not tried where the path does
// not lead to a document. Its failure need not be one of the whole write.
func (w *writer) writeInside() (outcome Outcome, tried bool) {
	m := w.newMatcher()
	document, failure := w.findDocument()
	if failure != nil {
		w.fatal = true
		return m.outcome(failure, w.path, false), true
	}
	if document == nil {
		return outcome, false
	}
	m.at.document, m.drilled = document, !isWord(document)
	m.recorder.walkedTo(w.target, w.path, document)
	failure = m.run(document.Root, document.Segment)
	if failure == nil {
		failure = w.setAll(&m, document)
	}
	if failure == nil {
		failure = w.store(document)
	}
	if failure != nil {
		m.undo()
		w.inside = document
		w.fatal = failure.Kind == BlankDocument || failure.Kind == NeverMatchesItself
	} else {
		w.changed = document.After != document.Before
		m.recorder.stored(document, w.options.Memory)
	}
	return m.outcome(failure, w.path, w.changed), true
}

// findDocument walks to the first scalar with segments left. kyaml looks each
// prefix of the path up from the start; one walk comes to the same.
func (w *writer) findDocument() (*Document, *Failure) {
	node := under(w.target)
	last := len(w.path.trimmed) - 1
	for i := range w.path.trimmed {
		if segment := &w.path.trimmed[i]; segment.Kind != Blank {
			next, kind := lookup(node, segment, w.options.Keys)
			if kind == EmptyList {
				return nil, &Failure{Kind: EmptyList, Segment: i, Node: node}
			}
			if next == nil {
				return nil, nil
			}
			node = next
		}
		if node.Kind == yaml.ScalarNode && i < last {
			document, _ := openDocument(node, nil, i+1, w.options, w.options.Memory.parse)
			return document, nil
		}
	}
	return nil, nil
}

// writePlain is what follows where writeInside was not tried or failed. Of two
// failures it returns the one that came further along the path.
func (w *writer) writePlain(inside Outcome) Outcome {
	if w.fatal {
		return inside
	}
	m := w.newMatcher()
	failure := m.run(w.target, 0)
	w.changed = failure == nil && m.changesTarget()
	if failure == nil {
		failure = w.setAll(&m, nil)
	}
	if failure == nil {
		return m.outcome(nil, w.path, w.changed)
	}
	m.undo()
	if inside.Failure != nil && inside.Failure.Kind != unserialisable && inside.Failure.Segment > failure.Segment {
		return inside
	}
	return m.outcome(failure, w.path, false)
}

func (w *writer) newMatcher() matcher {
	m := matcher{path: w.path.Segments, value: w.value, options: w.options, recorder: newRecorder(w.path, w.options)}
	if w.options.Create {
		m.create = w.value.Kind
	}
	return m
}

// setAll sets what was found in the document, nil for the resource. What was
// found in other documents is in copies. It sets all or nothing: upstream
// stops in the middle, but then gives up altogether.
func (w *writer) setAll(m *matcher, document *Document) *Failure {
	if w.options.Delimiter != "" {
		for _, f := range m.found {
			if f.node.Kind != yaml.ScalarNode {
				return &Failure{
					Kind: DelimiterOnNonScalar, Segment: len(w.path.Segments), Node: f.node, Document: f.document,
				}
			}
		}
	}
	for _, f := range m.found {
		if f.document != document {
			m.recorder.unwritten(w, f)
			continue
		}
		if w.options.Allows != nil && !w.options.Allows() {
			return nil
		}
		before := m.recorder.textOf(f.node)
		if set(f.node, w.value, w.options) {
			w.changed = true
		}
		m.recorder.written(w, f, before)
	}
	return nil
}

// store puts the document's new text into its host.
func (w *writer) store(document *Document) *Failure {
	failure := Failure{Segment: document.Segment, Node: document.Host, Document: document}
	if strings.TrimSpace(document.Before) == "" {
		failure.Kind = BlankDocument
		return &failure
	}
	after, err := serialise(document)
	if err != nil {
		failure.Kind, failure.Message = unserialisable, err.Error()
		return &failure
	}
	document.After = after
	document.Host.Value = after
	return nil
}

// set tells whether the node was not equal to the result before.
func set(node, value *yaml.Node, options Options) bool {
	if node.Kind != yaml.ScalarNode {
		if equal.Texts(node, value) {
			return false
		}
		*node = *syntax.Copy(value)
		return true
	}
	text := value.Value
	if options.Delimiter != "" {
		text = joined(node.Value, value, options)
	}
	if text == node.Value {
		return false
	}
	node.Value = text
	if text != value.Value && options.Cause != nil {
		value = options.Cause
	}
	syntax.CopyPlace(node, value)
	return true
}

// joined is the text of a scalar with the value as one of its parts.
func joined(old string, value *yaml.Node, options Options) string {
	part := value.Value
	if value.Tag == nullTag {
		part = ""
	}
	if options.Index < 0 {
		return part + options.Delimiter + old
	}
	start := 0
	for range options.Index {
		at := strings.Index(old[start:], options.Delimiter)
		if at < 0 {
			return old + options.Delimiter + part
		}
		start += at + len(options.Delimiter)
	}
	after := ""
	if at := strings.Index(old[start:], options.Delimiter); at >= 0 {
		after = old[start+at:]
	}
	return old[:start] + part + after
}
