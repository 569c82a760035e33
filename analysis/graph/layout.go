package graph

import (
	"slices"
	"strings"
)

// Sizes, in the pixels of an unscaled picture.
const (
	characterWidth = 6.6 // about, of the 11-pixel text of rows
	titleWidth     = 7.4 // of a character of a title
	titleHeight    = 28.0
	rowHeight      = 18.0
	headingHeight  = 20.0
	padding        = 10.0
	gapAcross      = 90.0
	gapDown        = 22.0
	rowsPerColumn  = 30
	longestLabel   = 44 // characters
)

// Layout is where everything is drawn: a card for each kustomization, with a row
// for each file that it names, from the roots on the left to the bases.
type Layout struct {
	Width, Height float64
	Cards         []*Card
	// Links lead from a card to another.
	Links []Link
}

// Card is a box, by its upper left corner.
type Card struct {
	Node          *Node
	Label         string
	X, Y          float64
	Width, Height float64
	Headings      []Row
	Rows          []Row

	layer int
	order float64
}

// Row is a line in a card, by its upper left corner, with the width of its column.
type Row struct {
	Node        *Node // nil for a heading
	Label       string
	X, Y, Width float64
}

// Link is drawn from the right side of a card to the left side of another. To is
// at the height Y of the target, which is a row's where it leads to one.
type Link struct {
	From, To *Card
	Field    string
	Y        float64
}

// Arrange lays the graph out. Cards stand in columns, each to the right of all that
// include it; in a column near what they are connected with.
func (g *Graph) Arrange() *Layout {
	a := arranger{cards: map[*Node]*Card{}, rowOf: map[*Node]*Card{}, outgoing: g.outgoing()}
	a.makeCards(g)
	a.connect(g)
	a.assignLayers()
	a.place()
	return a.finish()
}

type arranger struct {
	cards    map[*Node]*Card
	rowOf    map[*Node]*Card // the card in which a file is a row
	outgoing map[*Node][]Edge
	list     []*Card
	links    []Link
	columns  [][]*Card
}

// makeCards gives folders and what several cards name a card of its own, and makes
// the rest rows.
func (a *arranger) makeCards(g *Graph) {
	for _, n := range g.Nodes {
		if n.Kind.IsFolder() || len(a.outgoing[n]) > 0 {
			a.addCard(n)
		}
	}
	for _, c := range slices.Clone(a.list) {
		a.addRows(c)
	}
	for _, n := range g.Nodes {
		if a.cards[n] == nil && a.rowOf[n] == nil {
			a.addCard(n)
		}
	}
}

func (a *arranger) addCard(n *Node) {
	c := &Card{Node: n, Label: shorten(n.ID)}
	c.Width = max(120, titleWidth*float64(runes(c.Label))+2*padding+8)
	c.Height = titleHeight
	a.cards[n] = c
	a.list = append(a.list, c)
}

// addRows fills a card with the files that its entries name, by field, and gives it
// its size. A file is a row of the first card that names it.
func (a *arranger) addRows(c *Card) {
	var fields []string
	byField := map[string][]*Node{}
	for _, e := range a.outgoing[c.Node] {
		if a.cards[e.To] != nil || a.rowOf[e.To] != nil {
			continue
		}
		a.rowOf[e.To] = c
		if byField[e.Field] == nil {
			fields = append(fields, e.Field)
		}
		byField[e.Field] = append(byField[e.Field], e.To)
	}
	y := titleHeight
	for _, field := range fields {
		c.Headings = append(c.Headings, Row{Label: field, X: padding, Y: y})
		y = c.addSection(byField[field], y+headingHeight) + 4
	}
	if len(fields) > 0 {
		c.Height = y + padding/2
	}
	for i := range c.Headings {
		c.Headings[i].Width = c.Width - 2*padding
	}
}

// addSection adds rows below each other, in columns where they are many, and
// returns where they end.
func (c *Card) addSection(nodes []*Node, y float64) float64 {
	tall := max(rowsPerColumn, (len(nodes)+7)/8)
	x, deepest := padding, y
	for len(nodes) > 0 {
		column := nodes[:min(tall, len(nodes))]
		nodes = nodes[len(column):]
		width := 60.0
		first := len(c.Rows)
		for i, n := range column {
			label := shorten(below(c.Node.ID, n.ID))
			width = max(width, characterWidth*float64(runes(label))+14)
			c.Rows = append(c.Rows, Row{Node: n, Label: label, X: x, Y: y + rowHeight*float64(i)})
		}
		for i := first; i < len(c.Rows); i++ {
			c.Rows[i].Width = width
		}
		deepest = max(deepest, y+rowHeight*float64(len(column)))
		x += width + 6
	}
	c.Width = max(c.Width, x-6+padding)
	return deepest
}

// connect makes a link of each edge that leads to another card.
func (a *arranger) connect(g *Graph) {
	known := map[Link]bool{}
	for _, e := range g.Edges {
		link := Link{From: a.cards[e.From], To: a.cards[e.To], Field: e.Field}
		if link.To == nil {
			link.To = a.rowOf[e.To]
			for _, row := range link.To.Rows {
				if row.Node == e.To && link.To != link.From {
					link.Y = row.Y + rowHeight/2
				}
			}
		}
		if link.From == nil || link.From == link.To || known[link] {
			continue
		}
		if link.Y == 0 {
			link.Y = titleHeight / 2
		}
		known[link] = true
		a.links = append(a.links, link)
	}
}

// assignLayers puts each card one column behind the last that links to it. Links
// that close a cycle do not count.
func (a *arranger) assignLayers() {
	next := map[*Card][]*Card{}
	for _, link := range a.links {
		next[link.From] = append(next[link.From], link.To)
	}
	const open, done = 1, 2
	state := map[*Card]int{}
	var order []*Card // each after all that it links to
	forward := map[[2]*Card]bool{}
	var visit func(*Card)
	visit = func(c *Card) {
		state[c] = open
		for _, to := range next[c] {
			if state[to] != open {
				forward[[2]*Card{c, to}] = true
			}
			if state[to] == 0 {
				visit(to)
			}
		}
		state[c] = done
		order = append(order, c)
	}
	for _, c := range a.list {
		if state[c] == 0 {
			visit(c)
		}
	}
	slices.Reverse(order)
	for _, c := range order {
		for _, to := range next[c] {
			if forward[[2]*Card{c, to}] {
				to.layer = max(to.layer, c.layer+1)
			}
		}
	}
	for i, c := range order {
		for len(a.columns) <= c.layer {
			a.columns = append(a.columns, nil)
		}
		c.order = float64(i)
		a.columns[c.layer] = append(a.columns[c.layer], c)
	}
}

// sweeps is how often the columns are gone through: more changes little.
const sweeps = 8

// place gives every card its place: the columns one after the other, and in each
// the cards in the order of what they are linked with, as near to it as they fit.
func (a *arranger) place() {
	x := 0.0
	for _, column := range a.columns {
		widest := 0.0
		for _, c := range column {
			c.X = x
			widest = max(widest, c.Width)
		}
		x += widest + gapAcross
		stack(column)
	}
	linked := map[*Card][]*Card{}
	for _, link := range a.links {
		linked[link.From] = append(linked[link.From], link.To)
		linked[link.To] = append(linked[link.To], link.From)
	}
	for sweep := range sweeps {
		for i := range a.columns {
			column := a.columns[i]
			if sweep%2 == 1 {
				column = a.columns[len(a.columns)-1-i]
			}
			settle(column, linked)
		}
	}
}

func stack(column []*Card) {
	y := 0.0
	for _, c := range column {
		c.Y = y
		y += c.Height + gapDown
	}
}

// settle moves the cards of a column to the height of what they are linked with,
// title to title, since that is where links end.
// Cards that would overlap form a block, which stands where its cards want to be
// on average; so nothing moves further than it has to.
func settle(column []*Card, linked map[*Card][]*Card) {
	for _, c := range column {
		c.order = c.Y
		if others := linked[c]; len(others) > 0 {
			c.order = 0
			for _, o := range others {
				c.order += o.Y / float64(len(others))
			}
		}
	}
	slices.SortStableFunc(column, func(a, b *Card) int {
		switch {
		case a.order < b.order:
			return -1
		case a.order > b.order:
			return 1
		}
		return strings.Compare(a.Node.ID, b.Node.ID)
	})
	type block struct {
		cards       []*Card
		height, sum float64 // sum of where the cards want the block's top to be
	}
	top := func(b block) float64 { return b.sum / float64(len(b.cards)) }
	var blocks []block
	for i, c := range column {
		blocks = append(blocks, block{column[i : i+1], c.Height + gapDown, c.order})
		for n := len(blocks); n > 1 && top(blocks[n-2])+blocks[n-2].height > top(blocks[n-1]); n = len(blocks) {
			above, under := blocks[n-2], blocks[n-1]
			first := i + 1 - len(under.cards) - len(above.cards)
			blocks = append(blocks[:n-2], block{column[first : i+1], above.height + under.height,
				above.sum + under.sum - above.height*float64(len(under.cards))})
		}
	}
	for _, b := range blocks {
		y := top(b)
		for _, c := range b.cards {
			c.Y = y
			y += c.Height + gapDown
		}
	}
}

// finish moves everything into the picture.
func (a *arranger) finish() *Layout {
	l := &Layout{Cards: a.list, Links: a.links}
	if len(a.list) == 0 {
		return l
	}
	highest := a.list[0].Y
	for _, c := range a.list {
		highest = min(highest, c.Y)
	}
	for _, c := range a.list {
		c.X, c.Y = c.X+gapDown, c.Y-highest+gapDown
		l.Width = max(l.Width, c.X+c.Width+gapDown)
		l.Height = max(l.Height, c.Y+c.Height+gapDown)
	}
	return l
}

// below shortens a path by the folder that it is seen from.
func below(folder, path string) string {
	if short, ok := strings.CutPrefix(path, folder+"/"); ok {
		return short
	}
	return path
}

// shorten leaves out the middle of a long label: both ends tell it from others.
func shorten(label string) string {
	all := []rune(label)
	if len(all) <= longestLabel {
		return label
	}
	const head = longestLabel / 3
	return string(all[:head]) + "…" + string(all[len(all)-(longestLabel-head-1):])
}

func runes(text string) int { return len([]rune(text)) }
