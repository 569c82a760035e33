package builder

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// patchEntry is an entry of patches, patchesJson6902 or patchesStrategicMerge,
// read and parsed.
type patchEntry struct {
	node    *yaml.Node // the entry
	target  *matcher   // nil where there is none
	options kustomization.PatchOptions

	merges     []*yaml.Node // strategic merge patches
	operations *operations  // a JSON6902 patch
}

// fact is what is recorded of one of the entry's patches.
func (e *patchEntry) fact(p *yaml.Node, targets ...*resource.Resource) PatchFact {
	fact := PatchFact{Entry: e.node, Patch: p, Options: e.options, Targets: targets}
	if e.target != nil {
		fact.Selector = e.target.selector
	}
	return fact
}

// readPatches reads the entries of patches (PatchTransformerPlugin.Config).
func (b *transformer) readPatches(l *Layer, patches []kustomization.Patch) []patchEntry {
	var entries []patchEntry
	for _, p := range patches {
		if e, ok := b.readPatch(l, p); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func (b *transformer) readPatch(l *Layer, p kustomization.Patch) (patchEntry, bool) {
	e := patchEntry{node: p.Node, options: p.Options}
	source, ok := b.patchSource(l, p)
	if !ok {
		return e, false
	}
	if docs := source.documents; len(docs.nodes) == 0 && !docs.refused() {
		b.report(l, Problem{Code: PatchNoChange, Node: source.node, Message: "the patch is empty: it changes nothing"})
		return e, false // kustomize does not even look at the target
	}
	if !b.readTarget(l, p.Target, &e) {
		return e, false
	}
	merges := source.documents
	mergeable := !merges.refused()
	if mergeable && !mayBeList(source.text) {
		return b.withMerges(l, e, merges)
	}
	operations := b.operationsOf(source)
	switch {
	case mergeable && len(merges.nodes) > 0 && operations.valid() && len(operations.list) > 0:
		b.report(l, Problem{Code: PatchUnparsable, Fatal: true, Node: source.node,
			Message: "the patch can be read both as a strategic merge and as JSON6902"})
		return e, false
	case mergeable:
		return b.withMerges(l, e, merges)
	case operations.valid():
		e.operations = operations
		return e, b.checkOperations(l, source, &e)
	}
	b.reportUnparsable(l, source, operations)
	return e, false
}

// mayBeList tells whether the text could be a list as YAML: what begins with a letter
// is none, and most strategic merge patches begin with one.
func mayBeList(patch string) bool {
	for line := range strings.Lines(patch) {
		if line = strings.TrimSpace(line); line == "" || line == "---" || line[0] == '#' {
			continue
		}
		return line[0]|0x20 < 'a' || line[0]|0x20 > 'z'
	}
	return true
}

// withMerges makes the entry one of strategic merge patches.
func (b *transformer) withMerges(l *Layer, e patchEntry, merges *documents) (patchEntry, bool) {
	e.merges = merges.nodes
	b.reportSyntax(l, merges, nil)
	return e, b.checkMerges(l, &e)
}

// checkMerges refuses what kustomize refuses of strategic merge patches when it
// applies them.
func (b *transformer) checkMerges(l *Layer, e *patchEntry) bool {
	if e.target == nil || len(e.merges) == 1 {
		return true
	}
	b.report(l, Problem{Code: SeveralPatchesWithTarget, Fatal: true, Node: e.target.selector.Node,
		Message: fmt.Sprintf("an entry with a target takes one patch, and this one holds %d", len(e.merges)),
		Help:    "leave the target out, or make an entry of each patch"})
	return false
}

func (b *transformer) checkOperations(l *Layer, source patchSource, e *patchEntry) bool {
	if e.target == nil {
		b.report(l, Problem{Code: MalformedPatchEntry, Fatal: true, Node: source.node,
			Message: "a JSON6902 patch needs a target",
			Help:    "add a target with kind and name of the resources to patch"})
		return false
	}
	return true
}

func (b *transformer) patchSource(l *Layer, p kustomization.Patch) (patchSource, bool) {
	inline := strings.TrimSpace(p.Patch.Value)
	switch {
	case inline == "" && p.Path.Value == "":
		b.report(l, Problem{Code: MalformedPatchEntry, Fatal: true, Node: p.Node,
			Message: "the entry has neither patch nor path",
			Help:    "give the patch itself under patch, or the file that holds it under path"})
	case inline != "" && p.Path.Value != "":
		b.report(l, Problem{Code: MalformedPatchEntry, Fatal: true, Node: p.Path.Node,
			Message: "the entry has both patch and path", Help: "leave one of them out",
			Related: []Related{{Node: p.Patch.Node, Message: "the patch itself"}}})
	case inline != "":
		return b.trimmedSource(p.Patch), true
	default:
		return b.fileSource(l, p.Path)
	}
	return patchSource{}, false
}

func (b *transformer) inlineSource(t kustomization.Text) patchSource {
	docs := b.sources.documentsIn(t.Node, t.Value)
	return patchSource{node: t.Node, file: docs.file, text: strings.TrimSpace(t.Value), documents: docs}
}

// trimmedSource is inlineSource of a text that kustomize trims before it reads it
// (PatchTransformerPlugin.Config): a block scalar at its end loses line breaks.
func (b *transformer) trimmedSource(t kustomization.Text) patchSource {
	source := b.inlineSource(t)
	if trimmed := strings.TrimRightFunc(t.Value, unicode.IsSpace); strings.TrimLeft(trimmed, " \t") != trimmed {
		// The first line loses its indentation, and the text its structure.
		source.documents = b.sources.documentsIn(&yaml.Node{Kind: yaml.ScalarNode, Value: source.text}, source.text)
		return source
	}
	if n := len(source.documents.nodes); n > 0 && strings.TrimSpace(t.Value) != t.Value {
		source.documents = source.documents.withLast(trimmedEnd(source.documents.nodes[n-1], t.Value))
	}
	return source
}

// trimmedEnd returns the node without the line breaks at the end of its last
// value, if that is a block scalar that reaches to the end of the text.
func trimmedEnd(n *yaml.Node, text string) *yaml.Node {
	last := n
	for len(last.Content) > 0 {
		last = last.Content[len(last.Content)-1]
	}
	block := last.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	tail := strings.TrimSpace(last.Value)
	if i := strings.LastIndexByte(tail, '\n'); i >= 0 {
		tail = strings.TrimSpace(tail[i:])
	}
	if !block || !strings.HasSuffix(last.Value, "\n") || !strings.HasSuffix(strings.TrimSpace(text), tail) {
		return n
	}
	n = syntax.Copy(n)
	last = n
	for len(last.Content) > 0 {
		last = last.Content[len(last.Content)-1]
	}
	last.Value = strings.TrimRightFunc(last.Value, unicode.IsSpace)
	return n
}

func (b *transformer) fileSource(l *Layer, path kustomization.Text) (patchSource, bool) {
	f := b.load(l, path.Node, path.Value)
	if f == nil {
		return patchSource{}, false
	}
	docs := b.sources.documentsOf(f)
	l.Facts.Inputs = append(l.Facts.Inputs, Input{Entry: path.Node, Path: f.Path, File: docs.file})
	return patchSource{node: path.Node, file: docs.file, text: string(f.Data), documents: docs}, true
}

func (b *transformer) readTarget(l *Layer, s *kustomization.Selector, e *patchEntry) bool {
	if s == nil {
		return true
	}
	m, problems := newMatcher(s)
	for _, p := range problems {
		b.report(l, p)
	}
	e.target = m
	return len(problems) == 0
}

func (b *transformer) reportUnparsable(l *Layer, source patchSource, operations *operations) {
	b.unfinished = true
	p := Problem{Code: PatchUnparsable, Fatal: true, Node: source.node,
		Message: "this is neither a strategic merge patch nor a JSON6902 patch"}
	if broken := operations.broken; broken != nil {
		p = syntaxProblem(*broken, nil)
		p.Fatal, p.Related = true, []Related{{Node: source.node, Message: "read for this"}}
		b.report(l, p)
		return
	}
	if operations.isList() {
		p.Message = "this is no JSON6902 patch: " + operations.message()
		operations.show(&p, source)
		b.report(l, p)
		return
	}
	for _, s := range source.documents.problems {
		if s.Refused {
			of := syntaxProblem(s, nil)
			p.Message = "this is no patch: " + strings.TrimPrefix(of.Message, "this is not a resource: ")
			p.Node, p.File, p.Span, p.Help, p.Fixes = of.Node, of.File, of.Span, of.Help, of.Fixes
			p.Related = []Related{{Node: source.node, Message: "read for this"}}
			if operations.isOne() {
				p.Message = "this is no patch: a JSON6902 patch is a list of operations, and this is one by itself"
				p.Help = "put - before op, and indent the other fields"
			}
			break
		}
	}
	b.report(l, p)
}

// readStrategicMerges reads patchesStrategicMerge: each entry is the patch itself
// or, where it cannot be that, the path of a file (loadFromPaths).
func (b *transformer) readStrategicMerges(l *Layer, paths []kustomization.Text) []patchEntry {
	var entries []patchEntry
	merges := 0
	for _, t := range paths {
		source := b.inlineSource(t)
		if source.documents.refused() {
			var ok bool
			if source, ok = b.fileSource(l, t); !ok {
				merges++ // reported
				continue
			}
		}
		b.reportSyntax(l, source.documents, t.Node)
		if !source.documents.refused() {
			entries = append(entries, patchEntry{node: t.Node, merges: source.documents.nodes})
			merges += len(source.documents.nodes)
		} else {
			merges++ // reported
		}
	}
	if len(paths) > 0 && merges == 0 {
		b.report(l, Problem{Code: PatchUnparsable, Fatal: true, Node: paths[0].Node, Message: "the patches are empty"})
	}
	return entries
}

// readJSONPatches reads patchesJson6902 (PatchJson6902TransformerPlugin.Config).
func (b *transformer) readJSONPatches(l *Layer, patches []kustomization.Patch) []patchEntry {
	var entries []patchEntry
	for _, p := range patches {
		e := patchEntry{node: p.Node}
		if p.Target == nil || p.Target.Name.Value == "" {
			b.report(l, Problem{Code: MalformedPatchEntry, Fatal: true, Node: p.Node, Message: "the entry needs a target with a name"})
			continue
		}
		source, ok := b.patchSource(l, p)
		if !ok || !b.readTarget(l, p.Target, &e) {
			continue
		}
		operations := b.operationsOf(source)
		if !operations.valid() || len(operations.list) == 0 {
			p := Problem{Code: PatchUnparsable, Fatal: true, Node: source.node,
				Message: "this is no JSON6902 patch" + suffixed(operations.message())}
			operations.show(&p, source)
			b.report(l, p)
			continue
		}
		e.operations = operations
		entries = append(entries, e)
	}
	return entries
}
