package graph

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"io"
	"strings"
)

// assets are the page and Cytoscape.js, which draws it. The library is kept as
// gzip, and unpacked for a page only.
//
//go:embed assets/page.html assets/page.css assets/page.js assets/cytoscape.min.js.gz
var assets embed.FS

// The data of the page: nodes by number, rows with the number of their card.
type (
	pageGraph struct {
		Nodes []pageNode `json:"nodes"`
		Edges []pageEdge `json:"edges"`
		Links []pageLink `json:"links"`
	}
	pageNode struct {
		jsonNode
		Label  string  `json:"label"`
		X      float64 `json:"x"` // of the middle
		Y      float64 `json:"y"`
		Width  float64 `json:"w"`
		Height float64 `json:"h"`
		// Card is the number of the card that the row is in; -1 for a card.
		Card     int           `json:"card"`
		Worst    string        `json:"worst,omitempty"`
		Headings []pageHeading `json:"headings,omitempty"`
	}
	pageHeading struct {
		Label string  `json:"label"`
		X     float64 `json:"x"`
		Y     float64 `json:"y"`
		Width float64 `json:"w"`
	}
	pageEdge struct {
		From  int    `json:"from"`
		To    int    `json:"to"`
		Field string `json:"field"`
		Line  int    `json:"line"`
	}
	pageLink struct {
		From  int     `json:"from"`
		To    int     `json:"to"`
		Field string  `json:"field"`
		Y     float64 `json:"y"` // from the top of the target
	}
)

// WriteHTML writes the graph as one page that needs nothing else.
func (g *Graph) WriteHTML(out io.Writer) error {
	data, err := json.Marshal(g.page()) // with <, > and & escaped
	if err != nil {
		return err
	}
	library, err := unpack("assets/cytoscape.min.js.gz")
	if err != nil {
		return err
	}
	parts := map[string]string{"DATA": string(data), "LIBRARY": string(library)}
	for name, file := range map[string]string{"STYLE": "assets/page.css", "SCRIPT": "assets/page.js", "PAGE": "assets/page.html"} {
		text, err := assets.ReadFile(file)
		if err != nil {
			return err
		}
		parts[name] = string(text)
	}
	// One pass, so that nothing in the data is taken for a place to fill.
	_, err = strings.NewReplacer("/*STYLE*/", parts["STYLE"], "/*LIBRARY*/", parts["LIBRARY"],
		"/*SCRIPT*/", parts["SCRIPT"], "/*DATA*/", parts["DATA"]).WriteString(out, parts["PAGE"])
	return err
}

func unpack(name string) ([]byte, error) {
	packed, err := assets.ReadFile(name)
	if err != nil {
		return nil, err
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

func (g *Graph) page() pageGraph {
	layout := g.Arrange()
	number := map[*Node]int{}
	p := pageGraph{Nodes: []pageNode{}, Edges: []pageEdge{}, Links: []pageLink{}}
	add := func(n *Node, label string, x, y, width, height float64, card int) {
		number[n] = len(p.Nodes)
		node := pageNode{jsonNode: n.json(), Label: label, X: x + width/2, Y: y + height/2, Width: width, Height: height, Card: card}
		if worst := n.Worst(); worst > 0 {
			node.Worst = worst.String()
		}
		p.Nodes = append(p.Nodes, node)
	}
	for _, c := range layout.Cards {
		card := len(p.Nodes)
		add(c.Node, c.Label, c.X, c.Y, c.Width, c.Height, -1)
		for _, h := range c.Headings {
			p.Nodes[card].Headings = append(p.Nodes[card].Headings, pageHeading{h.Label, c.X + h.X, c.Y + h.Y + headingHeight/2, h.Width})
		}
		for _, r := range c.Rows {
			add(r.Node, r.Label, c.X+r.X, c.Y+r.Y, r.Width, rowHeight, card)
		}
	}
	for _, e := range g.Edges {
		p.Edges = append(p.Edges, pageEdge{number[e.From], number[e.To], e.Field, e.Line})
	}
	for _, l := range layout.Links {
		p.Links = append(p.Links, pageLink{number[l.From.Node], number[l.To.Node], l.Field, l.Y})
	}
	return p
}
