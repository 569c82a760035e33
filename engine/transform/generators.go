package transform

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

func (b *Transformer) Generate(l *trace.Layer, acc *accumulator.Accumulator, g *kustomization.Generator, kind string, global *kustomization.GeneratorOptions, origin *resource.Origin) {
	if g.Name.Value == "" {
		b.Report(l, problem.Problem{Code: problem.GeneratorWithoutName, Fatal: true, Node: g.Node, Message: "the generator has no name"})
		return
	}
	b.checkMergeValues(l, g)
	pairs := b.generatorPairs(l, g)
	r := &resource.Resource{Node: b.generated(g, kind, pairs, global), Entry: g.Node, Named: g.Name.Node, Origin: origin}
	options := mergeOptions(g.Options, global)
	r.NeedsHash, r.Generated = !options.DisableNameSuffixHash, true
	r.Behavior = load.BehaviorOf(g.Behavior.Value)
	fact := trace.GeneratorFact{Entry: g, Made: r}
	for _, p := range pairs {
		fact.Keys = append(fact.Keys, trace.KeyFact{Name: p.key, Node: p.node})
	}
	fact.Base = b.addGenerated(l, acc, g, r)
	l.Facts.Generators = append(l.Facts.Generators, fact)
}

// pair is one key of a generator.
type pair struct {
	key, value string
	node       *yaml.Node // the entry, or the place of the line in an env file
	written    *yaml.Node // the place of the value
}

// generatorPairs reads the sources: envs, then literals, then files
// (kv.loader.Load); a bad one is reported and left out.
func (b *Transformer) generatorPairs(l *trace.Layer, g *kustomization.Generator) []pair {
	var pairs []pair
	seen := map[string]*yaml.Node{}
	add := func(p pair) {
		if first, ok := seen[p.key]; ok {
			b.Report(l, problem.Problem{Code: problem.GeneratorDuplicateKey, Fatal: true, Node: p.node,
				Message: fmt.Sprintf("the key %q is there already", p.key),
				Related: []problem.Related{{Node: first, Message: "first given here"}}})
			return
		}
		seen[p.key] = p.node
		pairs = append(pairs, p)
	}
	for _, env := range g.Envs {
		if f := b.loadInput(l, env); f != nil && b.Charge(l, nil, env.Node, envLineNodes, 0, 1+bytes.Count(f.Data, []byte{'\n'})) {
			b.readEnv(l, f, env, add)
		}
	}
	for _, literal := range g.Literals {
		b.readLiteral(l, literal, add)
	}
	for _, file := range g.Files {
		b.readFile(l, file, add)
	}
	return pairs
}

func (b *Transformer) loadInput(l *trace.Layer, t kustomization.Text) *vfs.File {
	f := b.Load(l, t.Node, t.Value)
	if f != nil && !b.Charge(l, nil, t.Node, 1, len(f.Data), 1) {
		return nil
	}
	if f != nil {
		l.Facts.Inputs = append(l.Facts.Inputs, trace.Input{Entry: t.Node, Path: f.Path, File: b.Sources.FileID(f)})
	}
	return f
}

func (b *Transformer) readLiteral(l *trace.Layer, literal kustomization.Text, add func(pair)) {
	key, value, ok := strings.Cut(literal.Value, "=")
	if !ok || key == "" {
		b.Unfinished = true
		b.Report(l, problem.Problem{Code: problem.MalformedGeneratorSource, Fatal: true, Node: literal.Node,
			Message: fmt.Sprintf("the literal %q is not of the form key=value", literal.Value)})
		return
	}
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		value = value[1 : n-1]
	}
	b.rememberLiteral(literal)
	written := literal.Node
	if written != nil && written.Kind == yaml.MappingNode && len(written.Content) == 2 {
		written = written.Content[1]
	}
	add(pair{key, value, literal.Node, written})
}

func (b *Transformer) readFile(l *trace.Layer, source kustomization.Text, add func(pair)) {
	key, file, named := strings.Cut(source.Value, "=")
	switch {
	case !named:
		key, file = path.Base(source.Value), source.Value
	case key == "" || file == "" || strings.Contains(file, "="):
		b.Report(l, problem.Problem{Code: problem.MalformedGeneratorSource, Fatal: true, Node: source.Node,
			Message: fmt.Sprintf("%q is neither a path nor of the form key=path", source.Value)})
		return
	}
	f := b.loadInput(l, kustomization.Text{Value: file, Node: source.Node})
	if f != nil {
		at := &yaml.Node{Kind: yaml.ScalarNode}
		syntax.SetPlace(at, b.Sources.FileID(f), 1, 1)
		add(pair{key, string(f.Data), source.Node, at})
	}
}

// envLineNodes is how many copied values a line of an env file takes as much memory as,
// with the mistakes that it may have.
const envLineNodes = 8

// readEnv reads lines of key=value (kv.loader.keyValuesFromLines).
func (b *Transformer) readEnv(l *trace.Layer, f *vfs.File, entry kustomization.Text, add func(pair)) {
	id := b.Sources.FileID(f)
	for number, offset := 0, 0; offset < len(f.Data); number++ {
		end := bytes.IndexByte(f.Data[offset:], '\n')
		next := offset + end + 1
		if end < 0 {
			end, next = len(f.Data)-offset, len(f.Data)
		}
		line := bytes.TrimSuffix(f.Data[offset:offset+end], []byte("\r"))
		b.readEnvLine(l, id, offset, number, line, entry, add)
		offset = next
	}
}

func (b *Transformer) readEnvLine(l *trace.Layer, id text.FileID, offset, number int, line []byte, entry kustomization.Text, add func(pair)) {
	p := problem.Problem{Code: problem.UnreadableEnvLine, Fatal: true, File: id, Span: text.Span{Start: offset, End: offset + len(line)},
		Related: []problem.Related{{Node: entry.Node, Message: "read for this"}}}
	switch {
	case !utf8.Valid(line):
		p.Message = "the line is not UTF-8"
	case len(line) > maxEnvLine:
		p.Message = fmt.Sprintf("the line is longer than the %d bytes that kustomize reads", maxEnvLine)
	default:
		if number == 0 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		pair := envPair(id, number, string(line))
		if pair.key != "" { // kustomize passes over "=value"
			add(pair)
		}
		return
	}
	b.Report(l, p)
}

// envPair reads a line, of that 0-based number, of an env file; the key is empty
// where it gives none.
func envPair(id text.FileID, number int, line string) pair {
	trimmed := strings.TrimLeftFunc(line, unicode.IsSpace)
	if trimmed == "" || trimmed[0] == '#' {
		return pair{}
	}
	key, value, _ := strings.Cut(trimmed, "=")
	at, written := &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &yaml.Node{Kind: yaml.ScalarNode}
	syntax.SetPlace(at, id, number+1, 1)
	syntax.SetPlace(written, id, number+1, 1+utf8.RuneCountInString(strings.TrimSuffix(line, value)))
	return pair{key, value, at, written}
}

// maxEnvLine is the longest line that kustomize's scanner takes, in bytes.
const maxEnvLine = 64*1024 - 1

// mergeOptions adds the layer's generatorOptions to a generator's own
// (types.MergeGlobalOptionsIntoLocal).
func mergeOptions(own, global *kustomization.GeneratorOptions) kustomization.GeneratorOptions {
	var merged kustomization.GeneratorOptions
	if own != nil {
		merged = *own
	}
	if global == nil {
		return merged
	}
	merged.Labels = mergePairs(merged.Labels, global.Labels)
	merged.Annotations = mergePairs(merged.Annotations, global.Annotations)
	merged.DisableNameSuffixHash = merged.DisableNameSuffixHash || global.DisableNameSuffixHash
	merged.Immutable = merged.Immutable || global.Immutable
	return merged
}

func mergePairs(own, global []kustomization.Pair) []kustomization.Pair {
	merged := append([]kustomization.Pair(nil), own...)
	for _, p := range global {
		known := false
		for _, q := range own {
			known = known || p.Key.Value == q.Key.Value
		}
		if !known {
			merged = append(merged, p)
		}
	}
	return merged
}

// generated makes the resource (generators.MakeConfigMap, MakeSecret).
func (b *Transformer) generated(g *kustomization.Generator, kind string, pairs []pair, global *kustomization.GeneratorOptions) *yaml.Node {
	name := placed(&yaml.Node{Kind: yaml.ScalarNode, Value: g.Name.Value, Tag: "!!str"}, g.Name.Node)
	metadata := mapping("name", name)
	if g.Namespace.Value != "" {
		add(metadata, "namespace", placed(&yaml.Node{Kind: yaml.ScalarNode, Value: g.Namespace.Value, Tag: "!!str"}, g.Namespace.Node))
	}
	n := mapping("apiVersion", placed(textNode("v1"), g.Node))
	add(n, "kind", placed(textNode(kind), g.Node))
	add(n, "metadata", metadata)
	syntax.CopyPlace(n, g.Node)
	if kind == "Secret" {
		t := kustomization.Text{Value: "Opaque", Node: g.Node}
		if g.Type.Value != "" {
			t = g.Type
		}
		add(n, "type", placed(&yaml.Node{Kind: yaml.ScalarNode, Value: t.Value, Tag: "!!str"}, t.Node))
		data := &yaml.Node{Kind: yaml.MappingNode}
		for _, p := range pairs {
			addPlaced(data, p.key, secretValue(p), p.node)
		}
		add(n, "data", data)
	} else {
		addConfigMapData(n, pairs)
	}
	options := mergeOptions(g.Options, global)
	addPairsTo(metadata, "labels", options.Labels)
	addPairsTo(metadata, "annotations", options.Annotations)
	if options.Immutable {
		add(n, "immutable", placed(&yaml.Node{Kind: yaml.ScalarNode, Value: "true", Tag: "!!bool"}, immutableNode(g, global)))
	}
	return n
}

// immutableNode is the node of the options that make a generated resource
// immutable.
func immutableNode(g *kustomization.Generator, global *kustomization.GeneratorOptions) *yaml.Node {
	for _, o := range []*kustomization.GeneratorOptions{g.Options, global} {
		if o != nil && o.Immutable && o.Node != nil {
			return o.Node
		}
	}
	return g.Node
}

func addConfigMapData(n *yaml.Node, pairs []pair) {
	for _, p := range pairs {
		value, field := configMapValue(p)
		m := ensureMap(n, field)
		addPlaced(m, p.key, value, p.node)
	}
}

func addPairsTo(metadata *yaml.Node, name string, pairs []kustomization.Pair) {
	if len(pairs) == 0 {
		return
	}
	m := &yaml.Node{Kind: yaml.MappingNode}
	for _, p := range pairs {
		value := &yaml.Node{Kind: yaml.ScalarNode}
		value.SetString(p.Value.Value)
		value.Style = yaml.SingleQuotedStyle
		addPlaced(m, p.Key.Value, placed(value, p.Value.Node), p.Key.Node)
	}
	add(metadata, name, m)
}

func mapping(key string, value *yaml.Node) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode}
	add(m, key, value)
	return m
}

func add(m *yaml.Node, key string, value *yaml.Node) {
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}

// addPlaced is add with the place of the node for the key.
func addPlaced(m *yaml.Node, key string, value, at *yaml.Node) {
	add(m, key, value)
	placed(m.Content[len(m.Content)-2], at)
}

func plain(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

// textNode is a string as a parser reads it, where plain is one that a setter made.
func textNode(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: value, Tag: "!!str"}
}

// placed gives a node the place of another, if there is one.
func placed(n, at *yaml.Node) *yaml.Node {
	if at != nil {
		syntax.CopyPlace(n, at)
	}
	return n
}

// configMapValue returns the value as it stands in a ConfigMap, and under which
// field: data, or binaryData for what is not UTF-8 (makeConfigMapValueRNode).
func configMapValue(p pair) (value *yaml.Node, field string) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: p.value}
	field = "data"
	if !utf8.ValidString(p.value) {
		field, n.Value = "binaryData", encodeBase64(p.value)
	}
	return placed(literalIfLines(n), p.written), field
}

func secretValue(p pair) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: encodeBase64(p.value)}
	return placed(literalIfLines(n), p.written)
}

func literalIfLines(n *yaml.Node) *yaml.Node {
	if strings.Contains(n.Value, "\n") {
		n.Style = yaml.LiteralStyle
	}
	return quoted(n)
}

// quoted gives a string quotes where YAML 1.1 would not take it for one, as
// kyaml's FieldSetter does. Later changes keep the quotes, and so it shows.
func quoted(n *yaml.Node) *yaml.Node {
	if n.Style == 0 && scalar.NonStringInYAML11(n.Value) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
