package builder

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// addResources reads the files and builds the folders that resources lists
// (KustTarget.accumulateResources): kustomize tries each as a file first.
func (b *builder) addResources(l *trace.Layer, acc *accumulator.Accumulator) {
	b.readAhead(l, l.Kustomization.Resources)
	entries := map[string]kustomization.Text{}
	for _, entry := range l.Kustomization.Resources {
		if b.Stopped() {
			return
		}
		met := len(b.Problems)
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
func cleanEntry(l *trace.Layer, entry string) string {
	if _, isRepository := gitrepo.Parse(entry); entry == "" || load.IsURL(entry) || isRepository {
		return entry
	}
	return trace.Join(l.Dir, entry)
}

// reportRepeated reports an entry that names what an earlier one names: kustomize
// adds everything again and refuses the first resource that is there already. The
// one problem stands for those of the single resources, which are the problems
// from index met on.
func (b *builder) reportRepeated(l *trace.Layer, entry, first kustomization.Text, met int) {
	fatal := false
	kept := b.Problems[:met]
	for _, p := range b.Problems[met:] {
		if p.Code == problem.DuplicateResource {
			fatal = fatal || p.Fatal
			continue
		}
		kept = append(kept, p)
	}
	b.Problems = kept
	b.Report(l, problem.Problem{Code: problem.DuplicateEntry, Fatal: fatal, Node: entry.Node,
		Message: fmt.Sprintf("%s is listed already", entry.Value), Help: "remove one of the entries",
		Related: []problem.Related{{Node: first.Node, Message: "the other entry"}}, Fixes: problem.WithoutLine(b.Sources.Table(), entry.Node)})
}

// readAhead reads and parses the files among the entries on all processors, so
// that they are there when their turn comes. It decides and reports nothing.
func (b *builder) readAhead(l *trace.Layer, entries []kustomization.Text) {
	const few = 8 // files that are read faster one after the other
	if len(entries) < few {
		return
	}
	parallel.Each(len(entries), 1, func(i, _ int) {
		if path := entries[i].Value; b.Ctx.Err() == nil && !load.IsURL(path) && b.IsFile(l, path) {
			if f, _ := b.Read(l, path); f != nil && !load.MayHaveAliases(f.Data) {
				b.Sources.DocumentsOf(f)
			}
		}
	})
}

func (b *builder) addResource(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text) {
	path := entry.Value
	if _, isRepository := gitrepo.Parse(path); load.IsURL(path) || isRepository && !b.IsFile(l, path) {
		b.addRemote(l, acc, entry)
		return
	}
	if b.IsFolder(l, path) || path == "" || load.HasDotsInSegment(path) && !b.IsFile(l, path) {
		if child := b.OpenFolder(l, entry, false); child != nil {
			b.include(l, acc, entry, child)
		} else {
			acc.Unknown = true
		}
		return
	}
	f, p := b.TryLoad(l, path)
	if f == nil {
		p.Node = entry.Node
		b.Report(l, p)
		b.addMeant(l, acc, entry, p)
		return
	}
	if docs := b.ChargedDocuments(l, acc, entry.Node, f); docs != nil {
		b.addDocuments(l, acc, entry, docs, f.Path)
	}
}

// include adds what a folder or repository of resources makes.
func (b *builder) include(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text, child *trace.Layer) {
	l.Facts.Included = append(l.Facts.Included, trace.Included{Entry: entry, Layer: child})
	b.mergeAccumulator(l, acc, b.accumulated(child, false), entry)
}

// addDocuments adds the resources of a file; path is where it was read.
func (b *builder) addDocuments(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text, docs *load.Documents, path string) {
	l.Facts.Included = append(l.Facts.Included, trace.Included{Entry: entry, File: docs.File, Path: path})
	b.ReportSyntax(l, docs, entry.Node)
	acc.Unknown = acc.Unknown || docs.Refused()
	origin := trace.ChildOrigin(l, entry.Value)
	for _, n := range docs.Nodes {
		if !b.ChargeResource(l, acc, entry.Node) {
			return
		}
		r := load.SharedResource(n, entry.Node)
		r.Named, r.Origin = syntax.Lookup(n, "metadata", "name"), origin
		b.AppendResource(l, acc, r)
	}
}

// addMeant goes on after a path that names nothing with the one that was probably
// meant. Without one, what the resources lack is not known any more: mistakes
// that follow from this one are not reported.
func (b *builder) addMeant(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text, p problem.Problem) {
	meant := load.MeantPath(p)
	if meant == "" || b.IsFolder(l, meant) && !b.CanInclude(l, meant) {
		acc.Unknown = true
		return
	}
	b.addResource(l, acc, kustomization.Text{Value: meant, Node: entry.Node})
}

// addComponents builds the components on top of what is there
// (KustTarget.accumulateComponents).
func (b *builder) addComponents(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, entry := range l.Kustomization.Components {
		if b.Stopped() || !b.Charge(l, acc, entry.Node, countIdentities(acc), 0, identityCost) {
			return
		}
		child := b.OpenFolder(l, entry, true)
		if child == nil {
			acc.Unknown = true
			continue
		}
		l.Facts.Included = append(l.Facts.Included, trace.Included{Entry: entry, Layer: child})
		b.accumulate(child, acc)
		b.addAnew(l, acc, entry)
	}
}

// identityCost is how many copied values going through an identity costs as much as.
const identityCost = 4

// countIdentities counts what a component goes through: all resources, under all names
// that they have had.
func countIdentities(acc *accumulator.Accumulator) (count int) {
	for _, r := range acc.Set.List() {
		count += 1 + len(r.Previous)
	}
	return count
}

// addAnew does what is left of kustomize adding all that a component leaves behind
// to an empty accumulator (KustTarget.accumulateDirectory): resources that got one
// identity are refused, and so are field specs that conflict once they are sorted.
func (b *builder) addAnew(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text) {
	b.checkRepeated(l, acc, entry)
	config := acc.Config
	acc.Config = nil
	b.MergeInto(l, acc, config, entry.Node)
}

func (b *builder) checkRepeated(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text) {
	for first, r := range acc.Set.Repeated {
		b.Report(l, problem.Problem{Code: problem.DuplicateResource, Fatal: true, Node: entry.Node,
			Message: fmt.Sprintf("with this component there would be two %s", r.ID()),
			Related: []problem.Related{{Node: problem.NameNode(first), Message: "one"}, {Node: problem.NameNode(r), Message: "the other"}}})
	}
}

// mergeAccumulator adds what a child made (ResAccumulator.MergeAccumulator).
func (b *builder) mergeAccumulator(l *trace.Layer, acc, child *accumulator.Accumulator, entry kustomization.Text) {
	if !child.Scoped { // else they have the schema already
		for _, r := range child.Set.List() {
			b.Scoped(r)
		}
	}
	if acc.Set.Len() == 0 && (child.Distinct || !child.Set.HasRepeated()) {
		acc.Set.Fill(child.Set.List())
	} else {
		for _, r := range child.Set.List() {
			b.AppendResource(l, acc, r)
		}
	}
	b.MergeInto(l, acc, child.Config, entry.Node)
	for _, v := range child.Vars {
		b.AddVar(l, acc, v)
	}
	acc.Unknown = acc.Unknown || child.Unknown
}

// addRemote adds what an entry of resources names beyond this machine: kustomize
// asks an http(s) URL for a file first, and takes it for a repository where that
// gives no resources (KustTarget.accumulateResources).
func (b *builder) addRemote(l *trace.Layer, acc *accumulator.Accumulator, entry kustomization.Text) {
	repository, isRepository := gitrepo.Parse(entry.Value)
	var docs *load.Documents
	if load.IsURL(entry.Value) && !b.isStored(repository, isRepository) {
		f, err := b.RemoteFile(entry.Value)
		if err != nil && !isRepository {
			acc.Unknown = true
			b.Report(l, b.RemoteProblem(entry, err))
			return
		}
		if f != nil {
			docs = b.Sources.DocumentsOf(f)
			if !docs.Refused() || !isRepository {
				b.addDocuments(l, acc, entry, docs, f.Path)
				return
			}
		}
	}
	child, p := b.TryRepository(l, entry, repository)
	switch {
	case child != nil:
		if child = b.CheckKind(child, entry, false); child != nil {
			b.include(l, acc, entry, child)
			return
		}
	case docs != nil && p.Code != problem.RemoteNotLoaded:
		// A text with a mistake is likelier than a repository that cannot be had.
		b.ReportSyntax(l, docs, entry.Node)
	default:
		b.Report(l, p)
	}
	acc.Unknown = true
}

// isStored spares asking for a file where the entry is known as a repository.
func (b *builder) isStored(repository gitrepo.URL, isRepository bool) bool {
	if !isRepository {
		return false
	}
	_, ok := b.Outside().Stored(repository)
	return ok
}
