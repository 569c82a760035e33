package graph

import (
	"fmt"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
)

// WriteTree writes the graph as a tree of text, from what none includes downwards.
// What was shown before is named again without what is below it. Show makes a text
// fit for where it is written to.
func (g *Graph) WriteTree(out io.Writer, show func(string) string) error {
	t := treeWriter{outgoing: g.outgoing(), shown: map[*Node]bool{}, show: show}
	for _, n := range g.Tops() {
		t.line("", "", n)
		t.below(n, "")
	}
	_, err := io.WriteString(out, t.text.String())
	return err
}

type treeWriter struct {
	outgoing map[*Node][]Edge
	shown    map[*Node]bool
	show     func(string) string
	text     strings.Builder
}

func (t *treeWriter) below(n *Node, margin string) {
	t.shown[n] = true
	edges := t.outgoing[n]
	for i, e := range edges {
		branch, next := "├── ", "│   "
		if i == len(edges)-1 {
			branch, next = "└── ", "    "
		}
		t.line(margin+branch, e.Field+": ", e.To)
		if !t.shown[e.To] {
			t.below(e.To, margin+next)
		}
	}
}

func (t *treeWriter) line(margin, field string, n *Node) {
	t.text.WriteString(margin + t.show(field+n.ID))
	var notes []string
	switch {
	case n.Kind == Missing:
		notes = append(notes, "missing")
	case n.Verdict == analysis.Fails || n.Verdict == analysis.Unknown:
		notes = append(notes, string(n.Verdict))
	}
	if n.Undeployed {
		notes = append(notes, "nothing deploys it")
	}
	if t.shown[n] && len(t.outgoing[n]) > 0 {
		notes = append(notes, "see above")
	}
	if len(notes) > 0 {
		fmt.Fprintf(&t.text, " (%s)", strings.Join(notes, ", "))
	}
	t.text.WriteByte('\n')
}
