package structure

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Fold is a part of a file that can be folded into its first line.
type Fold struct {
	// Span is in bytes, and takes several lines.
	Span    text.Span
	Comment bool
}

// maxFolds bounds an answer.
const maxFolds = 10_000

// Folds returns what can be folded in a file: entries, items, documents and runs of
// comments, each line beginning one at most.
func Folds(v *workspace.View, file string) []Fold {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil
	}
	w := &folding{table: v.Session().Table(), lines: text.NewLines(f.Data), content: f.Data, begins: map[int]bool{}}
	parsed := v.Session().Tree(f)
	for _, d := range parsed.Documents {
		if d.Root == nil {
			continue
		}
		if _, span := syntax.NodeSpan(w.table, d.Root); len(parsed.Documents) > 1 {
			w.add(Fold{Span: span})
		}
		w.node(d.Root)
	}
	w.comments()
	slices.SortFunc(w.folds, func(a, b Fold) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return w.folds
}

type folding struct {
	table   *syntax.Table
	lines   *text.Lines
	content []byte
	folds   []Fold
	begins  map[int]bool // lines, 1-based
}

func (w *folding) node(n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			_, span := syntax.EntrySpan(w.table, n.Content[i], n.Content[i+1])
			w.add(Fold{Span: span})
			w.node(n.Content[i+1])
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			_, span := syntax.NodeSpan(w.table, item)
			w.add(Fold{Span: span})
			w.node(item)
		}
	}
}

func (w *folding) add(f Fold) {
	f.Span.End = f.Span.Start + len(bytes.TrimRight(w.content[f.Span.Start:max(f.Span.Start, f.Span.End)], " \t\r\n"))
	first, _ := w.lines.OffsetToLineColumn(f.Span.Start)
	last, _ := w.lines.OffsetToLineColumn(f.Span.End)
	if last > first && !w.begins[first] && len(w.folds) < maxFolds {
		w.begins[first] = true
		w.folds = append(w.folds, f)
	}
}

// comments adds the runs of lines that are comments. A line of a text in a block that
// begins with # folds as well, which does no harm.
func (w *folding) comments() {
	run := Fold{Span: text.Span{Start: -1}, Comment: true}
	for line := range w.lines.Count() {
		span := w.lines.LineSpan(line)
		trimmed := bytes.TrimLeft(w.content[span.Start:span.End], " \t")
		if len(trimmed) > 0 && trimmed[0] == '#' {
			if run.Span.Start < 0 {
				run.Span.Start = span.End - len(trimmed)
			}
			run.Span.End = span.End
			continue
		}
		if run.Span.Start >= 0 {
			w.add(run)
		}
		run.Span.Start = -1
	}
	if run.Span.Start >= 0 {
		w.add(run)
	}
}
