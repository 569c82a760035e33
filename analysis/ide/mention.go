package ide

import (
	"path"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// symbol is something that has a name, the same in every build that reads it.
type symbol struct {
	kind symbolKind
	// spot is where the resource was named, or where the entry of images names its
	// image.
	spot
	key string // of a dataKey
}

type symbolKind int

const (
	resourceName symbolKind = iota
	dataKey                 // of a ConfigMap or Secret
	imageEntry
)

// spot is the beginning of a node in a file: its line, 1-based, and column in
// runes, 1-based.
type spot struct {
	file         string
	line, column int
}

// mention is a place where a name is written, and what a build found that it means.
type mention struct {
	symbols []symbol
	// node is the scalar as it was read, part the bytes of its text that are the name.
	node *yaml.Node
	part text.Span
	// defines is true where the thing gets its name here.
	defines  bool
	spelling spelling
	// of are the resources of a resourceName.
	of []*resource.Resource
}

// symbolSet is some symbols.
type symbolSet map[symbol]bool

func (set symbolSet) add(symbols ...symbol) {
	for _, s := range symbols {
		set[s] = true
	}
}

// isOneOf tells whether one of the symbols is meant.
func (x *mention) isOneOf(symbols symbolSet) bool {
	return slices.ContainsFunc(x.symbols, func(s symbol) bool { return symbols[s] })
}

// spelling says how a name is written where it is mentioned.
type spelling int

const (
	asText spelling = iota
	asPattern
	asPathSegment  // of a field path
	asPointerToken // of a JSON6902 path
	asFileEntry    // the path of an entry of files, which gives the key its name
)

// mentions returns every place in which the build met a name. They are found out once
// and kept as long as the result.
func (u *scope) mentions() []mention {
	return workspace.Derived(u.Scope, func() []mention { return u.mentionsIn(u.Build.Session().Table()) })
}

// mentionsIn returns the mentions at the moment of a table.
func (u *scope) mentionsIn(table *syntax.Table) []mention {
	m := &mentioning{use: u, table: table, defined: symbolSet{}}
	for _, r := range u.Result.Resources {
		m.define(r)
	}
	layers := workspace.Layers(u.Result)
	for _, l := range layers {
		for _, f := range l.Facts.Generators {
			m.generator(f)
		}
	}
	for _, l := range layers {
		m.layer(l)
	}
	m.references(u.Result.Root)
	m.namespaces(layers)
	return m.list
}

type mentioning struct {
	use     *scope
	table   *syntax.Table
	list    []mention
	defined symbolSet
}

func (m *mentioning) spotOf(n *yaml.Node) (spot, bool) {
	if n == nil {
		return spot{}, false
	}
	file, line, column := m.table.Place(n)
	source := m.table.Source(file)
	if source == nil || source.Host() != nil {
		return spot{}, false
	}
	return spot{source.Path(), line, column}, true
}

// symbolsOf returns what names of the resources stand for.
func (m *mentioning) symbolsOf(list ...*resource.Resource) []symbol {
	found := make([]symbol, 0, len(list))
	seen := make(symbolSet, len(list))
	for _, r := range list {
		if at, ok := m.spotOf(r.Named); ok {
			s := symbol{kind: resourceName, spot: at}
			if !seen[s] {
				seen[s] = true
				found = append(found, s)
				m.define(r)
			}
		}
	}
	return found
}

func (m *mentioning) keysOf(key string, list ...*resource.Resource) []symbol {
	var found []symbol
	for _, r := range list {
		if kind := r.OriginalID().Kind; kind != "ConfigMap" && kind != "Secret" {
			continue
		}
		if at, ok := m.spotOf(r.Named); ok {
			found = append(found, symbol{dataKey, at, key})
		}
	}
	return found
}

// define adds where a resource got its name, once.
func (m *mentioning) define(r *resource.Resource) {
	at, ok := m.spotOf(r.Named)
	s := symbol{kind: resourceName, spot: at}
	if !ok || m.defined[s] {
		return
	}
	m.defined[s] = true
	m.list = append(m.list, mention{symbols: []symbol{s}, node: r.Named, part: cursor.Whole(r.Named), defines: true, of: []*resource.Resource{r}})
	if r.Generated || r.Node == nil {
		return
	}
	for _, name := range dataFields {
		_, data := syntax.Field(r.Node, name)
		for _, key := range keysIn(data) {
			m.add(mention{symbols: m.keysOf(key.Value, r), node: key, part: cursor.Whole(key), defines: true})
		}
	}
}

// dataFields hold the keys of a ConfigMap or Secret.
var dataFields = []string{"data", "binaryData", "stringData"}

func keysIn(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var keys []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i])
	}
	return keys
}

// add adds a mention, unless nothing is mentioned or it is not in a file.
func (m *mentioning) add(x mention) {
	if len(x.symbols) > 0 && x.node != nil && x.node.Kind == yaml.ScalarNode && x.node.Line != 0 && x.part.End > x.part.Start {
		m.list = append(m.list, x)
	}
}

// name adds a scalar that names resources.
func (m *mentioning) name(n *yaml.Node, s spelling, list ...*resource.Resource) {
	if n == nil || len(list) == 0 {
		return
	}
	m.add(mention{symbols: m.symbolsOf(list...), node: n, part: cursor.Whole(n), spelling: s, of: list})
}

// hasName tells whether the resource has or had a name for which the test holds.
func hasName(r *resource.Resource, test func(name string) bool) bool {
	return test(r.ID().Name) || slices.ContainsFunc(r.Previous, func(p resource.Previous) bool { return test(p.Name) })
}

func (m *mentioning) layer(l *builder.Layer) {
	for i := range l.Facts.Patches {
		m.patch(&l.Facts.Patches[i])
	}
	for i := range l.Facts.Replacements {
		m.replacement(&l.Facts.Replacements[i])
	}
	for _, f := range l.Facts.Replicas {
		m.name(f.Entry.Name.Node, asText, f.Targets...)
	}
	for _, f := range l.Facts.Vars {
		m.name(f.Var.ObjRef.Name.Node, asText, f.Source)
	}
	for _, f := range l.Facts.Images {
		m.image(f)
	}
}

func (m *mentioning) patch(f *builder.PatchFact) {
	if f.Selector != nil {
		m.name(f.Selector.Name.Node, asPattern, f.Targets...)
	}
	if f.Patch == nil {
		return
	}
	if f.Patch.Kind == yaml.SequenceNode {
		m.operations(f)
		return
	}
	name := syntax.Lookup(f.Patch, "metadata", "name")
	if name != nil && !(f.Selector != nil && f.Options.AllowNameChange) {
		var named []*resource.Resource
		for _, r := range f.Targets {
			if hasName(r, func(own string) bool { return own == name.Value }) {
				named = append(named, r)
			}
		}
		m.name(name, asText, named...)
	}
	for _, field := range dataFields {
		_, data := syntax.Field(f.Patch, field)
		for _, key := range keysIn(data) {
			m.add(mention{symbols: m.keysOf(key.Value, f.Targets...), node: key, part: cursor.Whole(key)})
		}
	}
}

// operations adds the keys of ConfigMaps in the paths of a JSON6902 patch.
func (m *mentioning) operations(f *builder.PatchFact) {
	for _, operation := range f.Patch.Content {
		for _, field := range []string{"path", "from"} {
			_, n := syntax.Field(operation, field)
			if n == nil || !strings.HasPrefix(n.Value, "/") {
				continue
			}
			keys := jsonpointer.Keys(n.Value)
			if len(keys) < 2 || !slices.Contains(dataFields, keys[0]) {
				continue
			}
			m.add(mention{symbols: m.keysOf(keys[1], f.Targets...), node: n, part: jsonpointer.Spans(n.Value)[1], spelling: asPointerToken})
		}
	}
}

func (m *mentioning) replacement(f *builder.ReplacementFact) {
	if source := f.Entry.Source; source != nil && f.Source != nil {
		m.name(source.Name.Node, asText, f.Source)
		m.fieldPath(source.FieldPath, f.Source)
	}
	for i, selected := range f.Selected {
		target := &f.Entry.Targets[i]
		if target.Select != nil {
			m.name(target.Select.Name.Node, asPattern, selected...)
		}
		for _, path := range target.FieldPaths {
			m.fieldPath(path, selected...)
		}
	}
	rejected := map[*kustomization.Selector][]*resource.Resource{}
	var order []*kustomization.Selector
	for _, r := range f.Rejected {
		if rejected[r.Reject] == nil {
			order = append(order, r.Reject)
		}
		rejected[r.Reject] = append(rejected[r.Reject], r.Resource)
	}
	for _, reject := range order {
		m.name(reject.Name.Node, asPattern, rejected[reject]...)
	}
}

// fieldPath adds the key of a ConfigMap or Secret in a field path.
func (m *mentioning) fieldPath(written kustomization.Text, list ...*resource.Resource) {
	if written.Node == nil {
		return
	}
	segments := fieldpath.Parse(written.Value).Segments
	if len(segments) < 2 || !slices.Contains(dataFields, segments[0].Text) || segments[1].Kind != fieldpath.Key {
		return
	}
	m.add(mention{symbols: m.keysOf(segments[1].Text, list...), node: written.Node, part: segments[1].Span, spelling: asPathSegment})
}

func (m *mentioning) image(f builder.ImageFact) {
	name := f.Entry.Name.Node
	at, ok := m.spotOf(name)
	if !ok {
		return
	}
	s := []symbol{{kind: imageEntry, spot: at}}
	m.add(mention{symbols: s, node: name, part: cursor.Whole(name), defines: true})
	for _, n := range f.Written {
		image, _, _ := transform.SplitImage(n.Value)
		m.add(mention{symbols: s, node: n, part: text.Span{End: len(image)}})
	}
}

// generator adds the keys that a generator gives, and its name where it names what
// is there already.
func (m *mentioning) generator(f builder.GeneratorFact) {
	if f.Base != nil {
		m.name(f.Entry.Name.Node, asText, f.Base)
	} else {
		m.define(f.Made)
	}
	for _, key := range f.Keys {
		x := mention{symbols: m.keysOf(key.Name, f.Made), node: key.Node, defines: true}
		if n := key.Node; n != nil && n.Kind == yaml.MappingNode && len(n.Content) > 0 {
			x.node = n.Content[0] // the older form of a literal
		}
		if x.node == nil {
			continue
		}
		switch value := x.node.Value; {
		case value == key.Name || strings.HasPrefix(value, key.Name+"="):
			x.part = text.Span{End: len(key.Name)}
			if slices.ContainsFunc(f.Entry.Files, func(t kustomization.Text) bool { return t.Node == x.node && t.Value == key.Name }) {
				x.spelling = asFileEntry
			}
		case path.Base(value) == key.Name:
			x.part = text.Span{Start: len(value) - len(key.Name), End: len(value)}
			x.spelling = asFileEntry
		}
		m.add(x)
	}
	for _, merged := range f.Entry.MergeValues {
		if n := merged.Key.Node; n != nil {
			m.add(mention{symbols: m.keysOf(merged.Key.Value, f.Made), node: n, part: cursor.Whole(n)})
		}
	}
}
