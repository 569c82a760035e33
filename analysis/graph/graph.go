// Package graph tells what includes what: the kustomizations of a tree, the files
// and folders that they name, and what was found in them. It is a view of builds;
// the formats in which people and programs look at a graph are here too.
package graph

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
)

// Kind says what a node is.
type Kind string

const (
	Kustomization Kind = "kustomization"
	Component     Kind = "component"
	// Resource is a file with resources.
	Resource Kind = "resource"
	Patch    Kind = "patch"
	// Input is a file that a generator or a chart reads.
	Input Kind = "input"
	// Configuration is a file that says how something is done: crds,
	// configurations, openapi, replacements, plugins.
	Configuration Kind = "configuration"
	// Remote is a repository, a file on the network or a chart.
	Remote Kind = "remote"
	// Deployment is a Flux Kustomization, named by its ID.
	Deployment Kind = "deployment"
	// Missing is named by an entry, and not there.
	Missing Kind = "missing"
)

// IsFolder tells whether a node of the kind can name others.
func (k Kind) IsFolder() bool { return k == Kustomization || k == Component || k == Deployment }

// Graph is what includes what.
type Graph struct {
	// Nodes are sorted by ID.
	Nodes []*Node
	// Edges are sorted by where they start and their order in the file.
	Edges []Edge
}

// Node is a kustomization's folder, a file, or something beyond this machine.
type Node struct {
	// ID is the path below the base folder with forward slashes, or a URL. For a
	// kustomization it is that of the folder.
	ID   string
	Kind Kind
	// Path is the absolute path of the file, for a kustomization that of its
	// kustomization file; empty for what is not on this disk.
	Path string
	// Verdict is that of a root, and empty for others.
	Verdict analysis.Verdict
	// Resources are the addresses of what a root renders, or of what is in a file.
	Resources   []string
	Diagnostics []Diagnostic
	// Undeployed says of a root that nothing deploys it, where anything is deployed.
	Undeployed bool
}

// Diagnostic is one that is reported in a node's file.
type Diagnostic struct {
	Severity analysis.Severity
	Rule     string
	Message  string
	// Line is 1-based.
	Line int
}

// Worst returns the greatest severity among a node's diagnostics, 0 without any. A
// root that fails has an error, which may be reported in another file.
func (n *Node) Worst() analysis.Severity {
	worst := analysis.Severity(0)
	if n.Verdict == analysis.Fails {
		worst = analysis.Error
	}
	for _, d := range n.Diagnostics {
		worst = max(worst, d.Severity)
	}
	return worst
}

// Edge says that one node names another.
type Edge struct {
	From, To *Node
	// Field is the field of the kustomization that has the entry, Line the entry's
	// 1-based line in its file, 0 where it has none.
	Field string
	Line  int
}

// Options say what a graph is made of.
type Options struct {
	// Base is the folder that IDs are relative to: absolute, without symbolic links.
	Base  string
	Check analysis.Options
}

// Make builds the targets and returns the graph of what they include. The error
// is for cancellation.
func Make(ctx context.Context, session *builder.Session, targets []analysis.Target, options Options) (*Graph, error) {
	c := NewCollector(session, options.Base)
	check := options.Check
	check.Built = c.Add
	report, err := analysis.Check(ctx, session, targets, check)
	if err != nil {
		return nil, err
	}
	review := analysis.Review{Files: session.Files(), Rules: check.Rules, Config: check.Config}
	return c.Graph(review.Apply(report)), nil
}

// WithoutFiles returns the graph of the kustomizations and of what is remote.
func (g *Graph) WithoutFiles() *Graph {
	isFile := func(n *Node) bool { return !n.Kind.IsFolder() && n.Kind != Remote }
	return &Graph{
		Nodes: slices.DeleteFunc(slices.Clone(g.Nodes), isFile),
		Edges: slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return isFile(e.To) }),
	}
}

// Tops returns the nodes that none names, in their order, and one of each cycle
// that none leads into.
func (g *Graph) Tops() []*Node {
	named := map[*Node]bool{}
	for _, e := range g.Edges {
		named[e.To] = named[e.To] || e.From != e.To
	}
	seen := map[*Node]bool{}
	outgoing := g.outgoing()
	var tops []*Node
	add := func(n *Node) {
		tops = append(tops, n)
		for queue := []*Node{n}; len(queue) > 0; queue = queue[1:] {
			if seen[queue[0]] {
				continue
			}
			seen[queue[0]] = true
			for _, e := range outgoing[queue[0]] {
				queue = append(queue, e.To)
			}
		}
	}
	for _, n := range g.Nodes {
		if !named[n] {
			add(n)
		}
	}
	for _, n := range g.Nodes {
		if !seen[n] {
			add(n)
		}
	}
	return tops
}

func (g *Graph) outgoing() map[*Node][]Edge {
	from := map[*Node][]Edge{}
	for _, e := range g.Edges {
		from[e.From] = append(from[e.From], e)
	}
	return from
}

// Graph returns what was collected, with what a report on the builds has found.
func (c *Collector) Graph(report *analysis.Report) *Graph {
	c.addReport(report)
	g := &Graph{}
	for _, n := range c.nodes {
		for address := range c.resources[n] {
			n.Resources = append(n.Resources, address)
		}
		slices.Sort(n.Resources)
		g.Nodes = append(g.Nodes, n)
	}
	for e := range c.edges {
		g.Edges = append(g.Edges, e)
	}
	g.sort()
	return g
}

func (g *Graph) sort() {
	slices.SortFunc(g.Nodes, func(a, b *Node) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.From.ID, b.From.ID), a.Line-b.Line, strings.Compare(a.To.ID, b.To.ID), strings.Compare(a.Field, b.Field))
	})
}

// relative returns a path as it is seen from a folder, with forward slashes.
func relative(base, path string) string {
	short, err := filepath.Rel(base, path)
	if err != nil {
		short = path
	}
	return filepath.ToSlash(short)
}
