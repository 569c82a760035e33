// Package structure says what files consist of: their outlines and symbols, folds,
// selections, links, the parts that are coloured, and how a file is formatted. Hardly any
// of that takes a build.
package structure

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Symbol is something in a file that has a name.
type Symbol struct {
	Name, Detail string
	Kind         SymbolKind
	// Span is all of it, in bytes, Selection what names it, which lies within.
	Span, Selection text.Span
	Children        []Symbol
}

// SymbolKind says what a symbol is.
type SymbolKind int

// The kinds of symbols.
const (
	KustomizationSymbol SymbolKind = iota
	ResourceSymbol
	GeneratorSymbol
	FieldSymbol // with a single value
	ListSymbol
	MappingSymbol
	ItemSymbol // of a list
)

// Bounds of an outline.
const (
	maxOutlineDepth = 8
	maxOutline      = 5000
)

// Outline returns what stands in a file: the entries of a kustomization by what they are
// about, resources by kind and name, and what else a kustomization reads by its fields,
// or by the keys of its lines. Files that none reads are left to others.
func Outline(ctx context.Context, v *workspace.View, file string) ([]Symbol, error) {
	symbols, rest := ReadOutline(v, file)
	if len(symbols) > 0 || workspace.IsKustomization(file) {
		return symbols, nil
	}
	readers, _, err := v.Readers(ctx, file, 1)
	if err != nil || len(readers) == 0 {
		return nil, err
	}
	used, err := v.ScopeIn(ctx, readers[0], 0)
	if err != nil || used == nil {
		return nil, err
	}
	if lines := lineSymbols(used, file); len(lines) > 0 {
		return lines, nil
	}
	return rest, nil
}

// ReadOutline returns what is known without a build: the symbols of a kustomization or of
// resources, and those of other documents.
func ReadOutline(v *workspace.View, file string) (symbols, rest []Symbol) {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil, nil // as of any file that is not there
	}
	o := &outline{table: v.Session().Table(), content: f.Data}
	for _, d := range v.Session().Tree(f).Documents {
		switch {
		case d.Root == nil:
		case workspace.IsKustomization(file):
			symbols = append(symbols, o.children(d.Root, 1)...)
		case resourceTitle(d.Root) != "":
			symbols = append(symbols, o.resource(d))
		default:
			rest = append(rest, o.children(d.Root, 1)...)
		}
	}
	return symbols, rest
}

type outline struct {
	table   *syntax.Table
	content []byte
	count   int
}

// lineSymbols returns the keys of an env file; nothing for another file.
func lineSymbols(u *workspace.Scope, file string) []Symbol {
	f, err := u.Build.Session().Files().ReadFile(file)
	if err != nil {
		return nil // it is gone by now
	}
	content := f.Data
	var symbols []Symbol
	lines := text.NewLines(content)
	known := map[int]bool{}
	for _, l := range workspace.Layers(u.Result) {
		for i := range l.Facts.Generators {
			f := &l.Facts.Generators[i]
			if !workspace.ReadsLines(l, f, file) {
				continue
			}
			for _, key := range f.Keys {
				place, ok := u.Place(key.Node)
				line, _ := lines.OffsetToLineColumn(place.Span.Start)
				if !ok || place.File != file || known[line] || len(symbols) == maxOutline {
					continue
				}
				known[line] = true
				span := lines.LineSpan(line - 1)
				_, value, _ := bytes.Cut(content[span.Start:span.End], []byte("="))
				selection := text.Span{Start: place.Span.Start, End: min(place.Span.Start+len(key.Name), span.End)}
				symbols = append(symbols, Symbol{Name: printable(key.Name), Detail: printable(string(value)), Kind: FieldSymbol, Span: span, Selection: selection})
			}
		}
	}
	slices.SortFunc(symbols, func(a, b Symbol) int { return a.Span.Start - b.Span.Start })
	return symbols
}

func (o *outline) resource(d *syntax.Document) Symbol {
	_, span := syntax.NodeSpan(o.table, d.Root)
	s := Symbol{Name: resourceTitle(d.Root), Kind: ResourceSymbol, Span: span, Selection: o.firstLine(span)}
	if name := syntax.Lookup(d.Root, "metadata", "name"); name != nil {
		_, s.Selection = syntax.NodeSpan(o.table, name)
	}
	if namespace := syntax.Lookup(d.Root, "metadata", "namespace"); namespace != nil {
		s.Detail = namespace.Value
	}
	s.Children = o.children(d.Root, 1)
	return s.tidy()
}

// resourceTitle is Kind/name, the kind alone where there is no name, and empty for
// what is no resource.
func resourceTitle(n *yaml.Node) string {
	_, kind := syntax.Field(n, "kind")
	if kind == nil || kind.Kind != yaml.ScalarNode || kind.Value == "" {
		return ""
	}
	if name := syntax.Lookup(n, "metadata", "name"); name != nil && name.Value != "" {
		return kind.Value + "/" + name.Value
	}
	return kind.Value
}

// children returns the fields of a mapping, or the items of a list.
func (o *outline) children(n *yaml.Node, depth int) []Symbol {
	if depth > maxOutlineDepth {
		return nil
	}
	var symbols []Symbol
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content) && o.count < maxOutline; i += 2 {
			symbols = append(symbols, o.field(n.Content[i], n.Content[i+1], depth))
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			if o.count >= maxOutline {
				break
			}
			symbols = append(symbols, o.item(item, i, depth))
		}
	}
	return symbols
}

func (o *outline) field(key, value *yaml.Node, depth int) Symbol {
	o.count++
	s := Symbol{Name: printable(key.Value), Kind: kindOfValue(value)}
	_, s.Span = syntax.EntrySpan(o.table, key, value)
	_, s.Selection = syntax.NodeSpan(o.table, key)
	if value.Kind == yaml.ScalarNode {
		s.Detail = printable(value.Value)
	}
	switch key.Value {
	case "configMapGenerator", "secretGenerator", "helmCharts":
		if depth == 1 && value.Kind == yaml.SequenceNode {
			s.Children = o.children(value, depth+1)
			for i := range s.Children {
				s.Children[i].Kind = GeneratorSymbol
			}
			return s.tidy()
		}
	}
	s.Children = o.children(value, depth+1)
	return s.tidy()
}

func kindOfValue(n *yaml.Node) SymbolKind {
	switch n.Kind {
	case yaml.SequenceNode:
		return ListSymbol
	case yaml.MappingNode:
		return MappingSymbol
	}
	return FieldSymbol
}

func (o *outline) item(n *yaml.Node, index, depth int) Symbol {
	o.count++
	s := Symbol{Name: itemTitle(n), Kind: ItemSymbol}
	if s.Name == "" {
		s.Name = fmt.Sprintf("[%d]", index)
	}
	_, s.Span = syntax.NodeSpan(o.table, n)
	s.Selection = o.firstLine(s.Span)
	s.Children = o.children(n, depth+1)
	return s.tidy()
}

// itemTitle says what an item of a list is about; empty where it does not tell.
func itemTitle(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		return "*" + n.Value
	}
	if n.Kind == yaml.ScalarNode {
		return printable(n.Value)
	}
	value := func(path ...string) string {
		if v := syntax.Lookup(n, path...); v != nil && v.Kind == yaml.ScalarNode {
			return printable(v.Value)
		}
		return ""
	}
	if title := resourceTitle(n); title != "" && value("metadata", "name") != "" {
		return title
	}
	target := joinSome("/", value("target", "kind"), value("target", "name"))
	if target == "" && syntax.Lookup(n, "target") != nil {
		target = joinSome(" ", value("target", "labelSelector"), value("target", "annotationSelector"))
	}
	if op := value("op"); op != "" {
		return joinSome(" ", op, value("path"))
	}
	source := joinSome("/", value("source", "kind"), value("source", "name"))
	switch {
	case source != "":
		return joinSome(" ", source, value("source", "fieldPath"))
	case value("sourceValue") != "":
		return value("sourceValue")
	case target != "" && value("path") != "":
		return value("path") + " → " + target
	}
	for _, title := range []string{value("name"), target, value("path"), value("key")} {
		if title != "" {
			return title
		}
	}
	if patch := syntax.Lookup(n, "patch"); patch != nil {
		return patchTitle(patch.Value)
	}
	if n.Kind == yaml.MappingNode && len(n.Content) > 1 && n.Content[0].Kind == yaml.ScalarNode {
		return joinSome(": ", printable(n.Content[0].Value), value(n.Content[0].Value))
	}
	return ""
}

// patchTitle names what a patch that stands in the kustomization itself is for.
func patchTitle(patch string) string {
	table := syntax.NewTable()
	for _, d := range syntax.Parse(table, table.Add("", []byte(patch))).Documents {
		if title := resourceTitle(d.Root); title != "" {
			return title
		}
	}
	return "patch"
}

func joinSome(separator string, parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, separator)
}

// maxTitle bounds a name or detail, in runes.
const maxTitle = 80

// printable returns the first line of a text, cut where it is long. It is not empty:
// clients refuse symbols without a name.
func printable(value string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(value), "\n")
	runes := []rune(strings.TrimSpace(line))
	if len(runes) > maxTitle {
		runes = append(runes[:maxTitle], '…')
	}
	if len(runes) == 0 {
		return `""`
	}
	return string(runes)
}

func (o *outline) firstLine(span text.Span) text.Span {
	if end := bytes.IndexAny(o.content[span.Start:span.End], "\r\n"); end >= 0 {
		span.End = span.Start + end
	}
	return span
}

// tidy puts the selection and the children within the span: what yaml.v3 takes from
// elsewhere, by an alias, and what a repair closed, may lie outside.
func (s Symbol) tidy() Symbol {
	for _, child := range s.Children {
		s.Span.Start, s.Span.End = min(s.Span.Start, child.Span.Start), max(s.Span.End, child.Span.End)
	}
	s.Span.Start, s.Span.End = min(s.Span.Start, s.Selection.Start), max(s.Span.End, s.Selection.End)
	return s
}
