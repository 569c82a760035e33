package graph

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Collector puts the layers of many builds together. What a build made is read
// when it is done and then forgotten.
type Collector struct {
	session *builder.Session
	base    string

	mutex     sync.Mutex
	nodes     map[string]*Node
	edges     map[Edge]bool
	resources map[*Node]map[string]bool
	byFile    map[string]*Node // by absolute path; of a kustomization its file
	// done are the kustomizations whose entries were read.
	done map[*kustomization.Kustomization]bool
}

// NewCollector returns one for builds of the session, or of those that it was derived from. The base is
// that of Options.
func NewCollector(session *builder.Session, base string) *Collector {
	return &Collector{session: session, base: base, nodes: map[string]*Node{}, edges: map[Edge]bool{},
		resources: map[*Node]map[string]bool{}, byFile: map[string]*Node{}, done: map[*kustomization.Kustomization]bool{}}
}

// Add adds what a build included; the result is nil where it broke down. It is safe for concurrent use.
func (c *Collector) Add(dir string, result *builder.Result) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if result == nil || result.Root == nil {
		c.folder(dir, "", Kustomization)
		return
	}
	root := c.layer(result.Root)
	missing := map[place]bool{} // a build goes on with the path that was probably meant
	for _, p := range result.Problems {
		missing[placeOf(p.Node)] = missing[placeOf(p.Node)] || p.Code == problem.MissingPath && p.Node != nil
	}
	for _, l := range c.addLayers(result.Root, missing) {
		for _, p := range result.Problems {
			if p.Layer == l.layer {
				c.addProblem(l, p)
			}
		}
	}
	for _, r := range result.Resources {
		c.addResource(root, r.ID().String())
		if file, _, _ := syntax.Place(r.Node); file != 0 {
			if source := c.session.Table().Source(file); source != nil {
				if n := c.byFile[source.Path()]; n != nil && !n.Kind.IsFolder() {
					c.addResource(n, asWritten(r))
				}
			}
		}
	}
}

// asWritten is a resource's address in its file. The namespace that previous
// identities say for none is left out.
func asWritten(r *resource.Resource) string {
	id := r.OriginalID()
	if id.Namespace == resource.DefaultNamespace {
		id.Namespace = ""
	}
	return id.String()
}

func (c *Collector) addResource(n *Node, address string) {
	if c.resources[n] == nil {
		c.resources[n] = map[string]bool{}
	}
	c.resources[n][address] = true
}

// newLayer is a layer whose entries were not read before.
type newLayer struct {
	layer  *builder.Layer
	node   *Node
	fields map[place]string // the field that each node of the file stands in
}

// place is where a node was written. Copies have it in common: a problem has one of
// the node as it was.
type place struct{ line, column int }

func placeOf(n *yaml.Node) place {
	if n == nil {
		return place{}
	}
	return place{n.Line, n.Column}
}

// addLayers adds the layer and those that it includes, and returns the new ones.
func (c *Collector) addLayers(root *builder.Layer, missing map[place]bool) []newLayer {
	var added []newLayer
	queue := []*builder.Layer{root}
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		for _, included := range l.Facts.Included {
			if included.Layer != nil && !missing[placeOf(included.Entry.Node)] {
				queue = append(queue, included.Layer)
			}
		}
		// In the build of another root, a cycle may have ended at this one.
		if !c.done[l.Kustomization] || l == root {
			c.done[l.Kustomization] = true
			n := newLayer{layer: l, node: c.layer(l), fields: fieldsOf(l.Kustomization.Node)}
			c.addEntries(n, missing)
			added = append(added, n)
		}
	}
	return added
}

func (c *Collector) addEntries(n newLayer, missing map[place]bool) {
	for _, included := range n.layer.Facts.Included {
		switch entry := included.Entry.Node; {
		case missing[placeOf(entry)]:
		case included.Layer != nil:
			c.connect(n, c.layer(included.Layer), entry)
		default:
			c.connect(n, c.file(n, included.Path, n.kindOf(entry, Resource)), entry)
		}
	}
	for _, input := range n.layer.Facts.Inputs {
		if !missing[placeOf(input.Entry)] {
			c.connect(n, c.file(n, input.Path, n.kindOf(input.Entry, Configuration)), input.Entry)
		}
	}
	for _, chart := range n.layer.Kustomization.HelmCharts {
		c.connect(n, c.chart(n.layer, chart), chart.Node)
	}
}

// chart returns the node of a chart: of one without a repository the folder, where kustomize
// looks for it.
func (c *Collector) chart(l *builder.Layer, chart kustomization.HelmChart) *Node {
	if chart.Repo.Value != "" {
		id := strings.TrimSuffix(chart.Repo.Value, "/") + "/" + chart.Name.Value
		if chart.Version.Value != "" {
			id += " " + chart.Version.Value
		}
		return c.node(id, Remote)
	}
	home := defaultChartHome
	if globals := l.Kustomization.HelmGlobals; globals != nil && globals.ChartHome.Value != "" {
		home = filepath.FromSlash(globals.ChartHome.Value)
	}
	if !filepath.IsAbs(home) {
		home = filepath.Join(l.Dir, home)
	}
	dir, kind := filepath.Join(home, chart.Name.Value), Input
	if isDir, err := c.session.Files().IsDir(dir); err != nil || !isDir {
		kind = Missing
	}
	return c.node(c.idOf(l, dir), kind)
}

// defaultChartHome is the folder of charts where a kustomization names no other.
const defaultChartHome = "charts"

// addProblem adds what an entry names and the build did not have.
func (c *Collector) addProblem(n newLayer, p builder.Problem) {
	if p.Node == nil || p.Node.Kind != yaml.ScalarNode || n.fields[placeOf(p.Node)] == "" {
		return
	}
	path := p.Node.Value
	if field := n.fields[placeOf(p.Node)]; strings.HasSuffix(field, "Generator") {
		if _, after, keyed := strings.Cut(path, "="); keyed {
			path = after
		}
	}
	switch p.Code {
	case problem.RemoteNotLoaded, problem.RemoteFails:
		c.connect(n, c.node(path, Remote), p.Node)
	case problem.MissingPath:
		if !filepath.IsAbs(path) {
			path = filepath.Join(n.layer.Dir, path)
		}
		c.connect(n, c.node(c.idOf(n.layer, path), Missing), p.Node)
	}
}

// addReport adds the verdicts and the diagnostics.
func (c *Collector) addReport(report *analysis.Report) {
	for _, root := range report.Roots {
		kind := Kustomization
		if root.Verdict == analysis.IsComponent {
			kind = Component
		}
		n := c.folder(root.Dir, "", kind)
		if kind == Kustomization {
			n.Verdict = root.Verdict
		}
	}
	for _, d := range report.Diagnostics {
		n := c.byFile[d.File]
		if n == nil {
			n = c.nodes[relative(c.base, filepath.Dir(d.File))]
		}
		if n != nil {
			n.Diagnostics = append(n.Diagnostics, Diagnostic{d.Severity, d.Rule, d.Message, c.line(d.Place)})
		}
	}
}

func (c *Collector) line(p analysis.Place) int {
	f, err := c.session.Files().ReadFile(p.File)
	if err != nil {
		return 1
	}
	line, _ := c.session.Table().Source(c.session.FileID(f)).Lines().OffsetToLineColumn(p.Span.Start)
	return line
}

func (c *Collector) connect(n newLayer, to *Node, entry *yaml.Node) {
	e := Edge{From: n.node, To: to, Field: n.fields[placeOf(entry)]}
	if entry != nil {
		file, line, _ := c.session.Table().Place(entry)
		if source := c.session.Table().Source(file); source != nil && source.Host() == nil {
			e.Line = line
		}
	}
	if e.Field == "" {
		e.Field = string(to.Kind) // an entry of a plugin's configuration
	}
	c.edges[e] = true
}

// layer returns the node of a layer.
func (c *Collector) layer(l *builder.Layer) *Node {
	kind := Kustomization
	if l.Component || l.Kustomization.Kind.Value == kustomization.KindComponent {
		kind = Component
	}
	if l.Clone == "" {
		return c.folder(l.Dir, l.Path, kind)
	}
	n := c.node(c.idOf(l, l.Dir), kind)
	if l.Repository != nil {
		n.Kind = Remote
	}
	return n
}

// folder returns the node of a kustomization's folder. Its file may not be known.
func (c *Collector) folder(dir, file string, kind Kind) *Node {
	if real, err := c.session.Files().EvalSymlinks(dir); err == nil {
		dir = real
	}
	n := c.node(relative(c.base, dir), kind)
	for _, name := range kustomization.FileNames() {
		if file == "" {
			if isDir, err := c.session.Files().IsDir(filepath.Join(dir, name)); err == nil && !isDir {
				file = filepath.Join(dir, name)
			}
		}
	}
	if n.Path == "" {
		n.Path = file
	}
	if n.Path != "" {
		c.byFile[n.Path] = n
	}
	return n
}

// file returns the node of a file that a layer reads.
func (c *Collector) file(n newLayer, path string, kind Kind) *Node {
	if strings.Contains(path, "://") {
		return c.node(path, Remote)
	}
	f := c.node(c.idOf(n.layer, path), kind)
	if n.layer.Clone == "" {
		f.Path = path
		c.byFile[path] = f
	}
	return f
}

func (c *Collector) node(id string, kind Kind) *Node {
	n, ok := c.nodes[id]
	if !ok {
		n = &Node{ID: id, Kind: kind}
		c.nodes[id] = n
	}
	return n
}

// idOf names a path that a layer leads to: in a repository, by the repository.
func (c *Collector) idOf(l *builder.Layer, path string) string {
	for up := l; up != nil && l.Clone != ""; up = up.Parent {
		if up.Repository == nil {
			continue
		}
		if path == up.Dir {
			return up.Repository.Raw
		}
		return up.Repository.Raw + " " + relative(l.Clone, path)
	}
	return relative(c.base, path)
}

// fieldsOf returns in which field of a kustomization each of its nodes stands.
func fieldsOf(root *yaml.Node) map[place]string {
	fields, seen := map[place]string{}, map[*yaml.Node]bool{}
	var mark func(n *yaml.Node, field string)
	mark = func(n *yaml.Node, field string) {
		if n == nil || seen[n] {
			return
		}
		seen[n], fields[placeOf(n)] = true, field
		mark(n.Alias, field)
		for _, child := range n.Content {
			mark(child, field)
		}
	}
	if root != nil && root.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(root.Content); i += 2 {
			mark(root.Content[i+1], root.Content[i].Value)
		}
	}
	return fields
}

// kindOf says what an entry names, by the field that it stands in.
func (n newLayer) kindOf(entry *yaml.Node, otherwise Kind) Kind {
	switch n.fields[placeOf(entry)] {
	case "resources", "bases":
		return Resource
	case "patches", "patchesStrategicMerge", "patchesJson6902":
		return Patch
	case "configMapGenerator", "secretGenerator", "helmCharts", "helmChartInflationGenerator":
		return Input
	case "":
		return otherwise
	}
	return Configuration
}
