package structure

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// maxWorkspaceSymbols bounds an answer.
const maxWorkspaceSymbols = 200

// WorkspaceSymbol is a resource, a generator or a kustomization of the workspace.
type WorkspaceSymbol struct {
	// Name is Kind/name of a resource or generator, and the folder of a kustomization,
	// relative to the folder that is looked into.
	Name string
	Kind SymbolKind
	analysis.Place
}

// WorkspaceSymbols returns the symbols in all files that are read, whose name has the
// characters of the query in their order; the best first.
func WorkspaceSymbols(ctx context.Context, v *workspace.View, query string) ([]WorkspaceSymbol, error) {
	all, err := allSymbols(ctx, v)
	if err != nil {
		return nil, err
	}
	type scored struct {
		WorkspaceSymbol
		score int
	}
	var found []scored
	for _, s := range all {
		if score, ok := fuzzyScore(s.Name, query); ok {
			found = append(found, scored{s, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	var symbols []WorkspaceSymbol
	for _, s := range found[:min(len(found), maxWorkspaceSymbols)] {
		symbols = append(symbols, s.WorkspaceSymbol)
	}
	return symbols, nil
}

// fuzzyScore tells whether the name has all characters of the query in their order,
// without regard of case, and how well: what stands together, at the beginning of a
// word or in the name behind the kind counts more.
func fuzzyScore(name, query string) (score int, ok bool) {
	lower, wanted := strings.ToLower(name), strings.ToLower(strings.TrimSpace(query))
	switch at := strings.Index(lower, wanted); {
	case lower == wanted || strings.HasSuffix(lower, "/"+wanted):
		return 1000, true
	case at == 0 || at > 0 && isWordStart([]rune(lower[:at])):
		return 500, true
	case at > 0:
		return 300, true
	}
	runes, last := []rune(lower), -1
	i := 0
	for _, w := range wanted {
		for i < len(runes) && runes[i] != w {
			i++
		}
		if i == len(runes) {
			return 0, false
		}
		if i == last+1 || isWordStart(runes[:i]) {
			score += 5
		}
		last = i
		i++
	}
	return score, true
}

// isWordStart tells whether a word begins behind these characters.
func isWordStart(before []rune) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	return !unicode.IsLetter(last) && !unicode.IsDigit(last)
}

// symbolIndex keeps the symbols of each version of a file from one question to the
// next; views that follow on each other share it.
type symbolIndex struct {
	mutex sync.Mutex
	files map[*vfs.File][]WorkspaceSymbol
}

// allSymbols returns the symbols of the kustomizations that were found and of all
// files that they read: of what was never built, those that it names. Nothing is built.
func allSymbols(ctx context.Context, v *workspace.View) ([]WorkspaceSymbol, error) {
	roots, err := v.Roots(ctx)
	if err != nil {
		return nil, err
	}
	all, paths := []WorkspaceSymbol{}, map[string]bool{}
	var mutex sync.Mutex // guards both
	err = inParallel(ctx, workspace.SortedRoots(roots), func(r *workspace.Root) {
		file, ok := v.FileAt(r.Dir)
		if !ok {
			return
		}
		read, built := r.LastReads()
		if !built {
			read = v.NamedPaths(file)
		}
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, WorkspaceSymbol{Name: v.ShortPath(r.Dir), Kind: KustomizationSymbol, Place: analysis.Place{File: file}})
		paths[file] = true
		for _, path := range read {
			paths[path] = true
		}
	})
	if err != nil {
		return nil, err
	}
	inFiles, err := workspace.Shared[symbolIndex](v).of(ctx, v.Files(), slices.Collect(maps.Keys(paths)))
	return append(all, inFiles...), err
}

// of returns the symbols of the files, in no order. It forgets those of all others.
func (x *symbolIndex) of(ctx context.Context, files *vfs.Snapshot, paths []string) ([]WorkspaceSymbol, error) {
	next := make(map[*vfs.File][]WorkspaceSymbol, len(paths))
	var mutex sync.Mutex // guards it
	err := inParallel(ctx, paths, func(path string) {
		f, err := files.ReadFile(path)
		if err != nil {
			return // a folder, say
		}
		symbols, known := x.find(f)
		if !known {
			symbols = symbolsOfFile(f)
		}
		mutex.Lock()
		defer mutex.Unlock()
		next[f] = symbols
	})
	if err != nil {
		return nil, err
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.files = next
	return slices.Concat(slices.Collect(maps.Values(next))...), nil
}

// inParallel does something for each of a list, several at a time.
func inParallel[T any](ctx context.Context, list []T, do func(T)) error {
	return parallel.Do(ctx, len(list), func(ctx context.Context, i int) error {
		do(list[i])
		return ctx.Err()
	})
}

func (x *symbolIndex) find(f *vfs.File) ([]WorkspaceSymbol, bool) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	symbols, known := x.files[f]
	return symbols, known
}

func symbolsOfFile(f *vfs.File) []WorkspaceSymbol {
	word := "kind"
	if workspace.IsKustomization(f.Path) {
		word = "Generator"
	}
	if !bytes.Contains(f.Data, []byte(word)) {
		return nil
	}
	if heads, ok := headsOf(f.Data); ok && !workspace.IsKustomization(f.Path) {
		return symbolsOfHeads(f.Path, heads)
	}
	table := syntax.NewTable()
	var symbols []WorkspaceSymbol
	add := func(name string, kind SymbolKind, n *yaml.Node) {
		_, span := syntax.NodeSpan(table, n)
		symbols = append(symbols, WorkspaceSymbol{name, kind, analysis.Place{File: f.Path, Span: span}})
	}
	for _, d := range syntax.Parse(table, table.Add(f.Path, f.Data)).Documents {
		if workspace.IsKustomization(f.Path) {
			for _, kind := range []string{"ConfigMap", "Secret"} {
				for _, name := range generatorNames(d.Root, kind) {
					add(kind+"/"+name.Value, GeneratorSymbol, name)
				}
			}
			break // kustomize reads no other
		}
		if name := syntax.Lookup(d.Root, "metadata", "name"); name != nil && name.Value != "" && resourceTitle(d.Root) != "" {
			add(resourceTitle(d.Root), ResourceSymbol, name)
		}
	}
	return symbols
}

// generatorNames returns the names of the generators of a kind.
func generatorNames(root *yaml.Node, kind string) []*yaml.Node {
	_, list := syntax.Field(root, strings.ToLower(kind[:1])+kind[1:]+"Generator")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	var names []*yaml.Node
	for _, item := range list.Content {
		if _, name := syntax.Field(item, "name"); name != nil && name.Value != "" {
			names = append(names, name)
		}
	}
	return names
}
