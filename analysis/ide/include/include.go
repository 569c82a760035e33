// Package include answers who includes what: step by step, as the call hierarchy of editors
// has it, and as the whole graph.
package include

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Item is a kustomization, or another file that kustomizations name.
type Item struct {
	// Name is the folder of a kustomization, relative to the folder that is looked
	// into, or the name of the file, and Detail what it is.
	Name, Detail string
	Kind         structure.SymbolKind
	// File is the kustomization file, or the other file.
	File string
}

// Edge is an item and where the kustomization that includes names what it
// includes.
type Edge struct {
	Item Item
	// Spans are in bytes of the file that includes.
	Spans []text.Span
}

// ItemAt returns what the include graph has at a position: what the entry there
// names, else the file itself. False means that the graph does not have it.
func ItemAt(ctx context.Context, v *workspace.View, file string, offset int) (Item, bool, error) {
	if c, ok := cursor.New(v.Session(), file, offset); ok {
		if e, ok := cursor.PathEntryAt(v, c); ok {
			if named, ok := v.FileAt(e.Target); ok {
				return itemOf(v, named), true, nil
			}
		}
	}
	if workspace.IsKustomization(file) {
		return itemOf(v, file), true, nil
	}
	including, err := Includers(ctx, v, file)
	return itemOf(v, file), len(including) > 0, err
}

func itemOf(v *workspace.View, file string) Item {
	if !workspace.IsKustomization(file) {
		return Item{Name: filepath.Base(file), Detail: v.ShortPath(filepath.Dir(file)), Kind: structure.ItemSymbol, File: file}
	}
	return Item{Name: v.ShortPath(filepath.Dir(file)), Detail: filepath.Base(file), Kind: structure.KustomizationSymbol, File: file}
}

// Includers returns the kustomizations that name the file, or its folder where it is
// a kustomization file.
func Includers(ctx context.Context, v *workspace.View, file string) ([]Edge, error) {
	entries, err := cursor.PathEntriesNaming(ctx, v, file)
	if err != nil {
		return nil, err
	}
	var includes []Edge
	for _, e := range entries {
		place, ok := cursor.PathPlace(v, e)
		if !ok {
			continue
		}
		if n := len(includes); n == 0 || includes[n-1].Item.File != e.File {
			includes = append(includes, Edge{Item: itemOf(v, e.File)})
		}
		last := &includes[len(includes)-1]
		last.Spans = append(last.Spans, place.Span)
	}
	return includes, nil
}

// Included returns what a kustomization file names and is there, in its order.
func Included(v *workspace.View, file string) []Edge {
	if !workspace.IsKustomization(file) {
		return nil
	}
	var includes []Edge
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
			includes = append(includes, Edge{Item: itemOf(v, named)})
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
