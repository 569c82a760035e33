package builder

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// addResources reads the files and builds the folders that resources lists
// (KustTarget.accumulateResources): kustomize tries each as a file first.
func (b *builder) addResources(l *Layer, acc *accumulator) {
	b.readAhead(l, l.Kustomization.Resources)
	entries := map[string]kustomization.Text{}
	for _, entry := range l.Kustomization.Resources {
		if b.stopped() {
			return
		}
		met := len(b.problems)
		b.addResource(l, acc, entry)
		named := l.cleanEntry(entry.Value)
		first, again := entries[named]
		if !again {
			entries[named] = entry
			continue
		}
		b.reportRepeated(l, entry, first, met)
	}
}

// cleanEntry is an entry in the form in which two that name the same are equal.
func (l *Layer) cleanEntry(entry string) string {
	if _, isRepository := ParseRepositoryURL(entry); entry == "" || isURL(entry) || isRepository {
		return entry
	}
	return join(l.Dir, entry)
}

// reportRepeated reports an entry that names what an earlier one names: kustomize
// adds everything again and refuses the first resource that is there already. The
// one problem stands for those of the single resources, which are the problems
// from index met on.
func (b *builder) reportRepeated(l *Layer, entry, first kustomization.Text, met int) {
	fatal := false
	kept := b.problems[:met]
	for _, p := range b.problems[met:] {
		if p.Code == DuplicateResource {
			fatal = fatal || p.Fatal
			continue
		}
		kept = append(kept, p)
	}
	b.problems = kept
	b.report(l, Problem{Code: DuplicateEntry, Fatal: fatal, Node: entry.Node,
		Message: fmt.Sprintf("%s is listed already", entry.Value), Help: "take one of the entries out",
		Related: []Related{{Node: first.Node, Message: "the other entry"}}, Fixes: b.withoutLine(entry.Node)})
}

// withoutLine is the fix that removes an entry of a list where it has a line of its
// own, with nothing else in it. Another file may have been meant: it is not safe.
func (b *builder) withoutLine(entry *yaml.Node) []Fix {
	file, span := syntax.NodeSpan(b.session.table, entry)
	source := b.session.table.Source(file)
	if source == nil {
		return nil
	}
	content := source.Text()
	start := bytes.LastIndexByte(content[:span.Start], '\n') + 1
	length := bytes.IndexByte(content[span.End:], '\n') + 1
	end := span.End + length
	if length == 0 {
		end = len(content)
	}
	if string(bytes.TrimSpace(content[start:span.Start])) != "-" || len(bytes.TrimSpace(content[span.End:end])) > 0 {
		return nil
	}
	return []Fix{{Title: "Remove the entry", File: file, Span: text.Span{Start: start, End: end}}}
}

// readAhead reads and parses the files among the entries on all processors, so
// that they are there when their turn comes. It decides and reports nothing.
func (b *builder) readAhead(l *Layer, entries []kustomization.Text) {
	const few = 8 // files that are read faster one after the other
	if len(entries) < few {
		return
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(entries)) {
		workers.Go(func() {
			for b.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(entries) {
					return
				}
				if path := entries[i].Value; !isURL(path) && b.isFile(l, path) {
					if f, _ := b.read(l, path); f != nil {
						b.session.documentsOf(f)
					}
				}
			}
		})
	}
	workers.Wait()
}

func (b *builder) addResource(l *Layer, acc *accumulator, entry kustomization.Text) {
	path := entry.Value
	if _, isRepository := ParseRepositoryURL(path); isURL(path) || isRepository && !b.isFile(l, path) {
		b.addRemote(l, acc, entry)
		return
	}
	if b.isFolder(l, path) || path == "" || hasDotsInSegment(path) && !b.isFile(l, path) {
		if child := b.openFolder(l, entry, false); child != nil {
			b.include(l, acc, entry, child)
		} else {
			acc.unknown = true
		}
		return
	}
	f, p := b.tryLoad(l, path)
	if f == nil {
		p.Node = entry.Node
		b.report(l, p)
		b.addMeant(l, acc, entry, p)
		return
	}
	b.addDocuments(l, acc, entry, b.session.documentsOf(f), f.Path)
}

// include adds what a folder or repository of resources makes.
func (b *builder) include(l *Layer, acc *accumulator, entry kustomization.Text, child *Layer) {
	l.Facts.Included = append(l.Facts.Included, Included{Entry: entry, Layer: child})
	b.mergeAccumulator(l, acc, b.accumulated(child, false), entry)
}

// addDocuments adds the resources of a file; path is where it was read.
func (b *builder) addDocuments(l *Layer, acc *accumulator, entry kustomization.Text, docs *documents, path string) {
	l.Facts.Included = append(l.Facts.Included, Included{Entry: entry, File: docs.file, Path: path})
	b.reportSyntax(l, docs, entry.Node)
	acc.unknown = acc.unknown || docs.refused()
	origin := childOrigin(l, entry.Value)
	for _, n := range docs.nodes {
		r := sharedResource(n, entry.Node)
		r.Named, r.Origin = syntax.Lookup(n, "metadata", "name"), origin
		b.appendResource(l, acc, r)
	}
}

// addMeant goes on after a path that names nothing with the one that was probably
// meant. Without one, what the resources lack is not known any more: mistakes
// that follow from this one are not reported.
func (b *builder) addMeant(l *Layer, acc *accumulator, entry kustomization.Text, p Problem) {
	meant := meantPath(p)
	if meant == "" || b.isFolder(l, meant) && !b.canInclude(l, meant) {
		acc.unknown = true
		return
	}
	b.addResource(l, acc, kustomization.Text{Value: meant, Node: entry.Node})
}

// addComponents builds the components on top of what is there
// (KustTarget.accumulateComponents).
func (b *builder) addComponents(l *Layer, acc *accumulator) {
	for _, entry := range l.Kustomization.Components {
		child := b.openFolder(l, entry, true)
		if child == nil {
			acc.unknown = true
			continue
		}
		l.Facts.Included = append(l.Facts.Included, Included{Entry: entry, Layer: child})
		b.accumulate(child, acc)
		b.addAnew(l, acc, entry)
	}
}

// addAnew does what is left of kustomize adding all that a component leaves behind
// to an empty accumulator (KustTarget.accumulateDirectory): resources that got one
// identity are refused, and so are field specs that conflict once they are sorted.
func (b *builder) addAnew(l *Layer, acc *accumulator, entry kustomization.Text) {
	b.checkRepeated(l, acc, entry)
	config := acc.config
	acc.config = nil
	b.mergeInto(l, acc, config, entry.Node)
}

func (b *builder) checkRepeated(l *Layer, acc *accumulator, entry kustomization.Text) {
	for first, r := range acc.set.Repeated {
		b.report(l, Problem{Code: DuplicateResource, Fatal: true, Node: entry.Node,
			Message: fmt.Sprintf("with this component there would be two %s", r.ID()),
			Related: []Related{{Node: nameNode(first), Message: "one"}, {Node: nameNode(r), Message: "the other"}}})
	}
}

// mergeAccumulator adds what a child made (ResAccumulator.MergeAccumulator).
func (b *builder) mergeAccumulator(l *Layer, acc, child *accumulator, entry kustomization.Text) {
	if child.from == nil || !child.from.scoped { // else they have the schema already
		for _, r := range child.set.List() {
			b.scoped(r)
		}
	}
	if acc.set.Len() == 0 && (child.from != nil && child.from.distinct || !child.set.HasRepeated()) {
		acc.set.Fill(child.set.List())
	} else {
		for _, r := range child.set.List() {
			b.appendResource(l, acc, r)
		}
	}
	b.mergeInto(l, acc, child.config, entry.Node)
	for _, v := range child.vars {
		b.addVar(l, acc, v)
	}
	acc.unknown = acc.unknown || child.unknown
}

func (b *builder) appendResource(l *Layer, acc *accumulator, r *resource.Resource) {
	b.scoped(r)
	other := acc.set.Append(r)
	if other == nil {
		return
	}
	id := r.ID()
	b.report(l, Problem{Code: DuplicateResource, Fatal: true, Node: nameNode(r),
		Message: fmt.Sprintf("%s is there already", id),
		Help:    "two resources of one build cannot have the same group, version, kind, namespace and name",
		Related: []Related{
			{Node: nameNode(other), Message: "the other one"},
			{Node: r.Entry, Message: "this one is included here"},
			{Node: other.Entry, Message: "the other one is included here"},
		}})
}

// nameNode returns the node that shows a resource best: its name, else its root.
func nameNode(r *resource.Resource) *yaml.Node {
	if _, name := syntax.Field(r.Metadata(), "name"); name != nil && name.Line != 0 {
		return name
	}
	if r.Node != nil && r.Node.Line != 0 {
		return r.Node
	}
	return r.Entry
}

func (b *builder) isFolder(l *Layer, path string) bool {
	_, file, err := b.resolve(join(l.Dir, path))
	return err == nil && file == ""
}

func (b *builder) isFile(l *Layer, path string) bool {
	_, file, err := b.resolve(join(l.Dir, path))
	return err == nil && file != ""
}

// reportSyntax reports what is wrong with a text of resources.
func (b *builder) reportSyntax(l *Layer, docs *documents, entry *yaml.Node) {
	for _, p := range docs.problems {
		b.report(l, syntaxProblem(p, entry))
	}
}

func syntaxProblem(p syntax.Problem, entry *yaml.Node) Problem {
	out := Problem{Code: InvalidResource, Fatal: refuses(p), Node: p.Node, File: p.File, Span: p.Span}
	if entry != nil {
		out.Related = []Related{{Node: entry, Message: "included here"}}
	}
	switch p.Kind {
	case syntax.Malformed, syntax.InvalidCharacters, syntax.UTF16Text, syntax.InvalidSeparator:
		out.Code = SyntaxError
	case syntax.DuplicateKey:
		out.Code = DuplicateKey
	case syntax.IgnoredDocument:
		out.Code = IgnoredDocument
	}
	out.Message = syntaxMessage(p)
	switch p.Kind {
	case syntax.MissingKind:
		suggestKey(&out, p.Node, "kind")
	case syntax.MissingName:
		showMissingName(&out, p.Node)
	}
	return out
}

// showMissingName points a problem at what stands where the name of a resource should.
func showMissingName(p *Problem, n *yaml.Node) {
	_, metadata := syntax.Field(n, "metadata")
	switch {
	case metadata == nil:
		suggestKey(p, n, "metadata")
	case metadata.Kind == yaml.MappingNode:
		p.Node = metadata
		suggestKey(p, metadata, "name")
		if key, name := syntax.Field(metadata, "name"); name != nil {
			p.Node, p.Message = key, "the metadata.name is no text"
			if name.Kind == yaml.MappingNode && name.Style&yaml.FlowStyle != 0 {
				p.Help = "quote what stands in braces"
			}
		}
	case metadata.Kind == yaml.ScalarNode && metadata.Value != "":
		p.Node, p.Message = metadata, "the metadata is a text, so that the resource has no name"
		if strings.HasPrefix(metadata.Value, "name") {
			p.Help = "write name: with a colon and a space after it"
		}
	}
}

// refuses tells whether a text with this mistake cannot be built. kustomize would
// go on to expand aliases beyond all bounds until it is killed.
func refuses(p syntax.Problem) bool { return p.Refused || p.Kind == syntax.ExpansionLimit }

// suggestKey points a problem at the key of a mapping that was probably meant to
// be the missing one.
func suggestKey(p *Problem, m *yaml.Node, missing string) {
	if m == nil || m.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		if _, near := text.Nearest(key.Value, []string{missing}); near && key.Kind == yaml.ScalarNode {
			p.Node, p.Help = key, fmt.Sprintf("did you mean %s?", missing)
			p.Fixes = []Fix{{Title: "Change to " + missing, New: missing}}
			return
		}
	}
}

func syntaxMessage(p syntax.Problem) string {
	switch p.Kind {
	case syntax.Malformed:
		return "this is not YAML: " + p.Detail
	case syntax.InvalidCharacters:
		return "the text has bytes that no YAML may have"
	case syntax.UTF16Text:
		return "the text is UTF-16; save it as UTF-8"
	case syntax.InvalidSeparator:
		return "a line that begins with --- separates documents and may only hold a comment"
	case syntax.IgnoredDocument:
		return "kustomize does not read this document: start it with --- on a line of its own"
	case syntax.NotAnObject:
		return "this is not a resource: it has neither kind, apiVersion nor metadata"
	case syntax.MissingKind:
		return "the resource has no kind"
	case syntax.MissingName:
		return "the resource has no metadata.name"
	case syntax.DuplicateMergeKey:
		return "a mapping can have only one merge key <<"
	case syntax.InvalidMerge:
		return "the merge key << takes a mapping or a list of mappings"
	case syntax.AliasCycle:
		return "an anchor holds an alias of itself"
	case syntax.ExpansionLimit:
		return "the aliases expand to too many nodes"
	case syntax.DuplicateKey:
		return "the mapping has this key already" + suffixed(p.Detail)
	case syntax.InvalidList:
		return "the list cannot be taken apart" + suffixed(p.Detail)
	}
	return string(p.Kind) + suffixed(p.Detail)
}

func suffixed(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + detail
}
