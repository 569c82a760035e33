package graph

import (
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	yaml "go.yaml.in/yaml/v3"
)

// AddDeployments adds what is deployed: each deployment with the folder and the
// components that it deploys, the deployments that it renders, and those that it waits
// for. Roots that nothing deploys are marked.
func (g *Graph) AddDeployments(session *builder.Session, set *deployment.Set, base string) {
	d := deployed{graph: g, session: session, set: set, base: base, byID: map[string]*Node{}, nodes: map[*deployment.Deployment]*Node{},
		expanded: map[*Node]bool{}}
	for _, n := range g.Nodes {
		d.byID[n.ID] = n
	}
	for _, x := range set.Deployments {
		d.add(x)
	}
	for _, x := range set.Deployments {
		d.connect(x)
	}
	d.markOrphans()
	g.sort()
}

type deployed struct {
	graph   *Graph
	session *builder.Session
	set     *deployment.Set
	base    string
	byID    map[string]*Node
	nodes   map[*deployment.Deployment]*Node
	// expanded are the folders whose contents are in the graph.
	expanded map[*Node]bool
}

func (d *deployed) add(x *deployment.Deployment) {
	id := x.ID.String()
	if len(d.set.Find(id)) > 1 {
		id += "@" + relative(d.set.Root, x.Cluster)
	}
	n := d.node(id, Deployment)
	n.Path, _ = x.PathOf(d.session)
	switch x.Verdict {
	case deployment.Fails:
		n.Verdict = analysis.Fails
	case deployment.Unknown:
		n.Verdict = analysis.Unknown
	default:
		n.Verdict = analysis.Builds
	}
	for _, out := range x.Outputs {
		n.Resources = append(n.Resources, out.ID().String())
	}
	slices.Sort(n.Resources)
	d.nodes[x] = n
}

func (d *deployed) node(id string, kind Kind) *Node {
	n := d.byID[id]
	if n == nil {
		n = &Node{ID: id, Kind: kind}
		d.byID[id] = n
		d.graph.Nodes = append(d.graph.Nodes, n)
	}
	return n
}

func (d *deployed) connect(x *deployment.Deployment) {
	if x.Dir != "" {
		folder := d.folder(x.Dir)
		d.edge(x, folder, "path", x.Path.Node)
		d.generated(folder, x)
	}
	for _, c := range x.Components() {
		if x.Dir != "" && c.Value != "" {
			d.edge(x, d.folder(filepath.Join(x.Dir, c.Value)), "components", c)
		}
	}
	for _, on := range x.DependsOn {
		for _, other := range d.set.Find(on.ID.String()) {
			if other.Cluster == x.Cluster {
				d.edge(x, d.nodes[other], "dependsOn", on.Node)
			}
		}
	}
	if x.Parent != nil {
		d.edge(x.Parent, d.nodes[x], "deploys", nil)
	}
}

// folder returns the node of a folder, which has one already where it has a kustomization.
func (d *deployed) folder(dir string) *Node {
	id := relative(d.base, dir)
	if n := d.byID[id]; n != nil {
		return n
	}
	if isDir, err := d.session.Files().IsDir(dir); err != nil || !isDir {
		return d.node(id, Missing)
	}
	return d.node(id, Kustomization)
}

func (d *deployed) edge(from *deployment.Deployment, to *Node, field string, at *yaml.Node) {
	e := Edge{From: d.nodes[from], To: to, Field: field}
	if at != nil {
		file, path, span := d.session.NodeSpan(at)
		if source := d.session.Table().Source(file); source != nil && path == e.From.Path {
			e.Line, _ = source.Lines().OffsetToLineColumn(span.Start)
		}
	}
	d.graph.Edges = append(d.graph.Edges, e)
}

// generated adds what a folder without a kustomization includes when it is deployed.
func (d *deployed) generated(folder *Node, x *deployment.Deployment) {
	if folder.Path != "" || x.Build == nil || x.Build.Root == nil || d.expanded[folder] {
		return
	}
	d.expanded[folder] = true
	for _, in := range x.Build.Root.Facts.Included {
		if in.Layer != nil && in.Layer.Dir != x.Dir {
			d.graph.Edges = append(d.graph.Edges, Edge{From: folder, To: d.folder(in.Layer.Dir), Field: "resources"})
		}
	}
}

// markOrphans marks the roots that nothing deploys and nothing includes.
func (d *deployed) markOrphans() {
	if len(d.nodes) == 0 {
		return
	}
	reached := map[*Node]bool{}
	for _, e := range d.graph.Edges {
		reached[e.To] = reached[e.To] || e.From != e.To
	}
	for _, n := range d.graph.Nodes {
		n.Undeployed = n.Kind == Kustomization && !reached[n]
	}
}
