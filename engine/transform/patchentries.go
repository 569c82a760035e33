package transform

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// patchEntry is an entry of patches, patchesJson6902 or patchesStrategicMerge,
// read and parsed.
type patchEntry struct {
	node    *yaml.Node        // the entry
	target  *selector.Matcher // nil where there is none
	options kustomization.PatchOptions

	merges     []*yaml.Node     // strategic merge patches
	operations *load.Operations // a JSON6902 patch
}

// fact is what is recorded of one of the entry's patches.
func (e *patchEntry) fact(p *yaml.Node, targets ...*resource.Resource) trace.PatchFact {
	fact := trace.PatchFact{Entry: e.node, Patch: p, Options: e.options, Targets: targets}
	if e.target != nil {
		fact.Selector = e.target.Selector
	}
	return fact
}

// ReadPatches reads the entries of patches (PatchTransformerPlugin.Config).
func (b *Transformer) ReadPatches(l *trace.Layer, patches []kustomization.Patch) []patchEntry {
	var entries []patchEntry
	for _, p := range patches {
		if e, ok := b.readPatch(l, p); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func (b *Transformer) readPatch(l *trace.Layer, p kustomization.Patch) (patchEntry, bool) {
	e := patchEntry{node: p.Node, options: p.Options}
	source, ok := b.patchSource(l, p)
	if !ok {
		return e, false
	}
	if docs := source.Documents; len(docs.Nodes) == 0 && !docs.Refused() {
		b.Report(l, problem.Problem{Code: problem.PatchNoChange, Node: source.Node, Message: "the patch is empty: it changes nothing"})
		return e, false // kustomize does not even look at the target
	}
	if !b.readTarget(l, p.Target, &e) {
		return e, false
	}
	merges := source.Documents
	mergeable := !merges.Refused()
	if mergeable && !mayBeList(source.Text) {
		return b.withMerges(l, e, merges)
	}
	operations := b.OperationsOf(source)
	switch {
	case mergeable && len(merges.Nodes) > 0 && operations.Valid() && len(operations.List) > 0:
		b.Report(l, problem.Problem{Code: problem.PatchUnparsable, Fatal: true, Node: source.Node,
			Message: "the patch can be read both as a strategic merge and as JSON6902"})
		return e, false
	case mergeable:
		return b.withMerges(l, e, merges)
	case operations.Valid():
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
func (b *Transformer) withMerges(l *trace.Layer, e patchEntry, merges *load.Documents) (patchEntry, bool) {
	e.merges = merges.Nodes
	b.ReportSyntax(l, merges, nil)
	return e, b.checkMerges(l, &e)
}

// checkMerges refuses what kustomize refuses of strategic merge patches when it
// applies them.
func (b *Transformer) checkMerges(l *trace.Layer, e *patchEntry) bool {
	if e.target == nil || len(e.merges) == 1 {
		return true
	}
	b.Report(l, problem.Problem{Code: problem.SeveralPatchesWithTarget, Fatal: true, Node: e.target.Selector.Node,
		Message: fmt.Sprintf("an entry with a target takes one patch, and this one holds %d", len(e.merges)),
		Help:    "remove the target, or give each patch an entry of its own"})
	return false
}

func (b *Transformer) checkOperations(l *trace.Layer, source load.PatchSource, e *patchEntry) bool {
	if e.target == nil {
		b.Report(l, problem.Problem{Code: problem.MalformedPatchEntry, Fatal: true, Node: source.Node,
			Message: "a JSON6902 patch needs a target",
			Help:    "add a target with kind and name of the resources to patch"})
		return false
	}
	return true
}

func (b *Transformer) patchSource(l *trace.Layer, p kustomization.Patch) (load.PatchSource, bool) {
	inline := strings.TrimSpace(p.Patch.Value)
	switch {
	case inline == "" && p.Path.Value == "":
		b.Report(l, problem.Problem{Code: problem.MalformedPatchEntry, Fatal: true, Node: p.Node,
			Message: "the entry has neither patch nor path",
			Help:    "write the patch itself under patch, or its file under path"})
	case inline != "" && p.Path.Value != "":
		b.Report(l, problem.Problem{Code: problem.MalformedPatchEntry, Fatal: true, Node: p.Path.Node,
			Message: "the entry has both patch and path", Help: "remove one of them",
			Related: []problem.Related{{Node: p.Patch.Node, Message: "the patch itself"}}})
	case inline != "":
		return b.trimmedSource(p.Patch), true
	default:
		return b.fileSource(l, p.Path)
	}
	return load.PatchSource{}, false
}

func (b *Transformer) inlineSource(t kustomization.Text) load.PatchSource {
	docs := b.Sources.DocumentsIn(t.Node, t.Value)
	return load.PatchSource{Node: t.Node, File: docs.File, Text: strings.TrimSpace(t.Value), Documents: docs}
}

// trimmedSource is inlineSource of a text that kustomize trims before it reads it
// (PatchTransformerPlugin.Config): a block scalar at its end loses line breaks.
func (b *Transformer) trimmedSource(t kustomization.Text) load.PatchSource {
	source := b.inlineSource(t)
	if trimmed := strings.TrimRightFunc(t.Value, unicode.IsSpace); strings.TrimLeft(trimmed, " \t") != trimmed {
		// The first line loses its indentation, and the text its structure.
		source.Documents = b.Sources.DocumentsIn(&yaml.Node{Kind: yaml.ScalarNode, Value: source.Text}, source.Text)
		return source
	}
	if n := len(source.Documents.Nodes); n > 0 && strings.TrimSpace(t.Value) != t.Value {
		source.Documents = source.Documents.WithLast(trimmedEnd(source.Documents.Nodes[n-1], t.Value))
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

func (b *Transformer) fileSource(l *trace.Layer, path kustomization.Text) (load.PatchSource, bool) {
	f := b.Load(l, path.Node, path.Value)
	if f == nil {
		return load.PatchSource{}, false
	}
	docs := b.ChargedDocuments(l, nil, path.Node, f)
	if docs == nil {
		return load.PatchSource{}, false
	}
	l.Facts.Inputs = append(l.Facts.Inputs, trace.Input{Entry: path.Node, Path: f.Path, File: docs.File})
	return load.PatchSource{Node: path.Node, File: docs.File, Text: string(f.Data), Documents: docs}, true
}

func (b *Transformer) readTarget(l *trace.Layer, s *kustomization.Selector, e *patchEntry) bool {
	if s == nil {
		return true
	}
	m, problems := selector.NewMatcher(s)
	for _, p := range problems {
		b.Report(l, p)
	}
	e.target = m
	return len(problems) == 0
}

func (b *Transformer) reportUnparsable(l *trace.Layer, source load.PatchSource, operations *load.Operations) {
	b.Unfinished = true
	p := problem.Problem{Code: problem.PatchUnparsable, Fatal: true, Node: source.Node,
		Message: "this is neither a strategic merge patch nor a JSON6902 patch"}
	if broken := operations.Broken; broken != nil {
		p = problem.SyntaxProblem(*broken, nil)
		p.Fatal, p.Related = true, []problem.Related{{Node: source.Node, Message: "read for this"}}
		b.Report(l, p)
		return
	}
	if operations.IsList() {
		p.Message = "this is not a JSON6902 patch: " + operations.Message()
		operations.Show(&p, source)
		operations.ExplainFlow(&p, source)
		b.Report(l, p)
		return
	}
	for _, s := range source.Documents.Problems {
		if s.Refused {
			of := problem.SyntaxProblem(s, nil)
			p.Message = "this is not a patch: " + strings.TrimPrefix(of.Message, "this is not a resource: ")
			p.Node, p.File, p.Span, p.Help, p.Fixes = of.Node, of.File, of.Span, of.Help, of.Fixes
			p.Related = []problem.Related{{Node: source.Node, Message: "read for this"}}
			if operations.IsOne() {
				p.Message = "this is not a patch: a JSON6902 patch is a list of operations, and this is a single one"
				p.Help = "put - before op, and indent the other fields"
			}
			break
		}
	}
	b.Report(l, p)
}

// ReadStrategicMerges reads patchesStrategicMerge: each entry is the patch itself
// or, where it cannot be that, the path of a file (loadFromPaths).
func (b *Transformer) ReadStrategicMerges(l *trace.Layer, paths []kustomization.Text) []patchEntry {
	var entries []patchEntry
	merges := 0
	for _, t := range paths {
		source := b.inlineSource(t)
		if source.Documents.Refused() {
			var ok bool
			if source, ok = b.fileSource(l, t); !ok {
				merges++ // reported
				continue
			}
		}
		b.ReportSyntax(l, source.Documents, t.Node)
		if !source.Documents.Refused() {
			entries = append(entries, patchEntry{node: t.Node, merges: source.Documents.Nodes})
			merges += len(source.Documents.Nodes)
		} else {
			merges++ // reported
		}
	}
	if len(paths) > 0 && merges == 0 {
		b.Report(l, problem.Problem{Code: problem.PatchUnparsable, Fatal: true, Node: paths[0].Node, Message: "the patches are empty"})
	}
	return entries
}

// ReadJSONPatches reads patchesJson6902 (PatchJson6902TransformerPlugin.Config).
func (b *Transformer) ReadJSONPatches(l *trace.Layer, patches []kustomization.Patch) []patchEntry {
	var entries []patchEntry
	for _, p := range patches {
		e := patchEntry{node: p.Node}
		if p.Target == nil || p.Target.Name.Value == "" {
			b.Report(l, problem.Problem{Code: problem.MalformedPatchEntry, Fatal: true, Node: p.Node, Message: "the entry needs a target with a name"})
			continue
		}
		source, ok := b.patchSource(l, p)
		if !ok || !b.readTarget(l, p.Target, &e) {
			continue
		}
		operations := b.OperationsOf(source)
		if !operations.Valid() || len(operations.List) == 0 {
			p := problem.Problem{Code: problem.PatchUnparsable, Fatal: true, Node: source.Node,
				Message: "this is not a JSON6902 patch" + problem.Suffixed(operations.Message())}
			operations.Show(&p, source)
			b.Report(l, p)
			continue
		}
		e.operations = operations
		entries = append(entries, e)
	}
	return entries
}
