package builder

import (
	"bytes"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
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
		named := cleanEntry(l, entry.Value)
		first, again := entries[named]
		if !again {
			entries[named] = entry
			continue
		}
		b.reportRepeated(l, entry, first, met)
	}
}

// cleanEntry is an entry in the form in which two that name the same are equal.
func cleanEntry(l *Layer, entry string) string {
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
	file, span := syntax.NodeSpan(b.sources.Table(), entry)
	source := b.sources.Table().Source(file)
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
	parallel.Each(len(entries), 1, func(i, _ int) {
		if path := entries[i].Value; b.ctx.Err() == nil && !isURL(path) && b.isFile(l, path) {
			if f, _ := b.read(l, path); f != nil {
				b.sources.documentsOf(f)
			}
		}
	})
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
	b.addDocuments(l, acc, entry, b.sources.documentsOf(f), f.Path)
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
	if !child.scoped { // else they have the schema already
		for _, r := range child.set.List() {
			b.scoped(r)
		}
	}
	if acc.set.Len() == 0 && (child.distinct || !child.set.HasRepeated()) {
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

// addRemote adds what an entry of resources names beyond this machine: kustomize
// asks an http(s) URL for a file first, and takes it for a repository where that
// gives no resources (KustTarget.accumulateResources).
func (b *builder) addRemote(l *Layer, acc *accumulator, entry kustomization.Text) {
	repository, isRepository := ParseRepositoryURL(entry.Value)
	var docs *documents
	if isURL(entry.Value) && !b.isStored(repository, isRepository) {
		f, err := b.remoteFile(entry.Value)
		if err != nil && !isRepository {
			acc.unknown = true
			b.report(l, b.remoteProblem(entry, err))
			return
		}
		if f != nil {
			docs = b.sources.documentsOf(f)
			if !docs.refused() || !isRepository {
				b.addDocuments(l, acc, entry, docs, f.Path)
				return
			}
		}
	}
	child, p := b.tryRepository(l, entry, repository)
	switch {
	case child != nil:
		if child = b.checkKind(child, entry, false); child != nil {
			b.include(l, acc, entry, child)
			return
		}
	case docs != nil && p.Code != RemoteNotLoaded:
		// A text with a mistake is likelier than a repository that cannot be had.
		b.reportSyntax(l, docs, entry.Node)
	default:
		b.report(l, p)
	}
	acc.unknown = true
}

// isStored spares asking for a file where the entry is known as a repository.
func (b *builder) isStored(repository RepositoryURL, isRepository bool) bool {
	if !isRepository {
		return false
	}
	_, ok := b.outside().Stored(repository)
	return ok
}
