package ide

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
)

// IncludeItem is a kustomization, or another file that kustomizations name.
type IncludeItem struct {
	// Name is the folder of a kustomization, relative to the folder that is looked
	// into, or the name of the file, and Detail what it is.
	Name, Detail string
	Kind         structure.SymbolKind
	// File is the kustomization file, or the other file.
	File string
}

// Include is an item and where the kustomization that includes names what it
// includes.
type Include struct {
	Item IncludeItem
	// Spans are in bytes of the file that includes.
	Spans []text.Span
}

// IncludeItemAt returns what the include graph has at a position: what the entry there
// names, else the file itself. False means that the graph does not have it.
func IncludeItemAt(ctx context.Context, v *workspace.View, file string, offset int) (IncludeItem, bool, error) {
	if c, ok := cursor.New(v.Session(), file, offset); ok {
		if e, ok := cursor.PathEntryAt(v, c); ok {
			if named, ok := v.FileAt(e.Target); ok {
				return includeItem(v, named), true, nil
			}
		}
	}
	if workspace.IsKustomization(file) {
		return includeItem(v, file), true, nil
	}
	including, err := Includers(ctx, v, file)
	return includeItem(v, file), len(including) > 0, err
}

func includeItem(v *workspace.View, file string) IncludeItem {
	if !workspace.IsKustomization(file) {
		return IncludeItem{Name: filepath.Base(file), Detail: v.ShortPath(filepath.Dir(file)), Kind: structure.ItemSymbol, File: file}
	}
	return IncludeItem{Name: v.ShortPath(filepath.Dir(file)), Detail: filepath.Base(file), Kind: structure.KustomizationSymbol, File: file}
}

// Includers returns the kustomizations that name the file, or its folder where it is
// a kustomization file.
func Includers(ctx context.Context, v *workspace.View, file string) ([]Include, error) {
	found, err := pathReferences(ctx, v, file)
	if err != nil {
		return nil, err
	}
	var includes []Include
	for _, r := range sortedReferences(found) {
		if n := len(includes); n == 0 || includes[n-1].Item.File != r.File {
			includes = append(includes, Include{Item: includeItem(v, r.File)})
		}
		last := &includes[len(includes)-1]
		last.Spans = append(last.Spans, r.Span)
	}
	return includes, nil
}

// Included returns what a kustomization file names and is there, in its order.
func Included(v *workspace.View, file string) []Include {
	if !workspace.IsKustomization(file) {
		return nil
	}
	var includes []Include
	at := map[string]int{}
	for _, e := range cursor.PathEntriesIn(v, file) {
		named, ok := v.FileAt(e.Target)
		place, known := cursor.PathPlace(v, e)
		if !ok || !known {
			continue
		}
		i, again := at[named]
		if !again {
			i = len(includes)
			at[named] = i
			includes = append(includes, Include{Item: includeItem(v, named)})
		}
		includes[i].Spans = append(includes[i].Spans, place.Span)
	}
	return includes
}

// Head returns what shows a file: its first line that is no comment.
func Head(v *workspace.View, file string) analysis.Place {
	place := analysis.Place{File: file}
	if symbols, _ := structure.ReadOutline(v, file); len(symbols) > 0 {
		place.Span = symbols[0].Selection
	}
	return place
}
