package graph

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// WriteDOT writes the graph in Graphviz's language.
func (g *Graph) WriteDOT(out io.Writer) error {
	var b strings.Builder
	b.WriteString("digraph kustomizations {\n  rankdir=LR;\n  node [shape=note, fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8, color=\"#666666\"];\n")
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "  %s [%s];\n", quoteDOT(n.ID), dotStyles[n.Kind])
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  %s -> %s [label=%s];\n", quoteDOT(e.From.ID), quoteDOT(e.To.ID), quoteDOT(e.Field))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(out, b.String())
	return err
}

var dotStyles = map[Kind]string{
	Kustomization: `shape=folder, style=filled, fillcolor="#dbeafe"`,
	Component:     `shape=component, style=filled, fillcolor="#ede9fe"`,
	Resource:      `style=filled, fillcolor="#ffffff"`,
	Patch:         `style=filled, fillcolor="#fef3c7"`,
	Input:         `style=filled, fillcolor="#dcfce7"`,
	Configuration: `style=filled, fillcolor="#f3f4f6"`,
	Remote:        `shape=box, style=dashed`,
	Deployment:    `shape=box3d, style=filled, fillcolor="#ccfbf1"`,
	Missing:       `style=dashed, color="#dc2626", fontcolor="#dc2626"`,
}

// quoteDOT makes a string of Graphviz's: only quotes, and backslashes, which
// would begin an escape, need one.
func quoteDOT(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(visible(text)) + `"`
}

// visible is a text in which nothing is hidden, and no credentials are shown.
func visible(s string) string { return text.Visible(text.WithoutCredentials(s)) }

// WriteMermaid writes the graph as a Mermaid flowchart.
func (g *Graph) WriteMermaid(out io.Writer) error {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	number := map[*Node]int{}
	for i, n := range g.Nodes {
		number[n] = i
		open, end := "[", "]"
		if n.Kind.IsFolder() {
			open, end = "([", "])"
		}
		fmt.Fprintf(&b, "  n%d%s\"%s\"%s:::%s\n", i, open, quoteMermaid(n.ID), end, n.Kind)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  n%d -->|\"%s\"| n%d\n", number[e.From], quoteMermaid(e.Field), number[e.To])
	}
	b.WriteString(mermaidStyles)
	_, err := io.WriteString(out, b.String())
	return err
}

const mermaidStyles = `  classDef kustomization fill:#dbeafe,stroke:#2563eb,color:#111827
  classDef component fill:#ede9fe,stroke:#7c3aed,color:#111827
  classDef resource fill:#ffffff,stroke:#9ca3af,color:#111827
  classDef patch fill:#fef3c7,stroke:#d97706,color:#111827
  classDef input fill:#dcfce7,stroke:#16a34a,color:#111827
  classDef configuration fill:#f3f4f6,stroke:#6b7280,color:#111827
  classDef remote fill:#ffffff,stroke:#6b7280,stroke-dasharray:4,color:#111827
  classDef deployment fill:#ccfbf1,stroke:#0d9488,color:#111827
  classDef missing fill:#fee2e2,stroke:#dc2626,color:#7f1d1d
`

// quoteMermaid writes what Mermaid or Markdown would read something into as
// Mermaid's escapes.
func quoteMermaid(text string) string {
	var b strings.Builder
	for _, r := range visible(text) {
		if strings.ContainsRune("\"#;`<>&*_~|\\\n[](){}@", r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// The JSON form, version 1. IDs are paths relative to the base folder.
type (
	jsonGraph struct {
		Version int        `json:"version"`
		Nodes   []jsonNode `json:"nodes"`
		Edges   []jsonEdge `json:"edges"`
	}
	jsonNode struct {
		ID          string           `json:"id"`
		Kind        Kind             `json:"kind"`
		Verdict     string           `json:"verdict,omitempty"`
		Resources   []string         `json:"resources"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
		Undeployed  bool             `json:"undeployed,omitempty"`
	}
	jsonDiagnostic struct {
		Severity string `json:"severity"`
		Rule     string `json:"rule"`
		Message  string `json:"message"`
		Line     int    `json:"line"`
	}
	jsonEdge struct {
		From  string `json:"from"`
		To    string `json:"to"`
		Field string `json:"field"`
		Line  int    `json:"line,omitempty"`
	}
)

// WriteJSON writes the graph as JSON.
func (g *Graph) WriteJSON(out io.Writer) error {
	shown := jsonGraph{Version: 1, Nodes: []jsonNode{}, Edges: []jsonEdge{}}
	for _, n := range g.Nodes {
		shown.Nodes = append(shown.Nodes, n.json())
	}
	for _, e := range g.Edges {
		shown.Edges = append(shown.Edges, jsonEdge{e.From.ID, e.To.ID, e.Field, e.Line})
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(shown)
}

func (n *Node) json() jsonNode {
	j := jsonNode{ID: n.ID, Kind: n.Kind, Verdict: string(n.Verdict), Resources: append([]string{}, n.Resources...), Diagnostics: []jsonDiagnostic{}, Undeployed: n.Undeployed}
	for _, d := range n.Diagnostics {
		j.Diagnostics = append(j.Diagnostics, jsonDiagnostic{d.Severity.String(), d.Rule, d.Message, d.Line})
	}
	return j
}
