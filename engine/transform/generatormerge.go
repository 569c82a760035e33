package transform

import (
	"encoding/base64"
	"fmt"
	"slices"
	"sort"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// addGenerated adds a generated resource, or merges it with the one of the same
// identity, current or previous (resWrangler.appendReplaceOrMerge), which it
// returns. The generator is nil for a resource from elsewhere.
func (b *Transformer) addGenerated(l *trace.Layer, acc *accumulator.Accumulator, g *kustomization.Generator, r *resource.Resource) (base *resource.Resource) {
	matches := acc.Set.WithAny(r.ID())
	switch {
	case len(matches) > 1:
		b.Report(l, problem.Problem{Code: problem.GeneratorNameTaken, Fatal: true, Node: r.Entry,
			Message: fmt.Sprintf("%d resources could take what %s generates", len(matches), r.ID())})
	case len(matches) == 1 && r.Behavior == resource.Replace:
		b.takeMetadata(l, acc, r, matches[0])
		return matches[0]
	case len(matches) == 1 && r.Behavior == resource.Merge:
		b.mergeData(l, acc, g, r, matches[0])
		return matches[0]
	case len(matches) == 1:
		b.reportExists(l, g, r, matches[0])
	case r.Behavior == resource.Merge || r.Behavior == resource.Replace:
		b.addWithoutBase(l, acc, g, r)
	default:
		b.AppendResource(l, acc, r)
	}
	return nil
}

// takeMetadata puts r in the place of old, with the labels and annotations of
// both, and old's name and namespace (Resource.CopyMergeMetaDataFieldsFrom).
func (b *Transformer) takeMetadata(l *trace.Layer, acc *accumulator.Accumulator, r, old *resource.Resource) {
	after := b.Record(trace.Step{Layer: l, Transformer: string(r.ID().Kind) + "Generator", Entry: r.Entry}, old)
	defer after()
	r.Change(func(e *resource.Edit) { copyMetadata(e, old) })
	if !r.ID().Equal(old.ID()) {
		b.Report(l, problem.Problem{Code: problem.GeneratorNoBase, Fatal: true, Node: r.Entry,
			Message: fmt.Sprintf("%s no longer exists: it became %s", r.ID(), old.ID()),
			Related: []problem.Related{{Node: problem.NameNode(old), Message: "this one"}}})
		return
	}
	b.Succeed(acc, old, r)
}

// copyMetadata gives a resource the labels and annotations of another besides its own,
// and the name, namespace and state of that.
func copyMetadata(r *resource.Edit, old *resource.Resource) {
	r.Own()
	metadata := ensureMap(r.Node, "metadata")
	for _, name := range []string{"labels", "annotations"} {
		_, theirs := syntax.Field(old.Metadata(), name)
		_, ours := syntax.Field(metadata, name)
		ClearField(metadata, name)
		if merged := mergeStrings(theirs, ours, stringNode); len(merged.Content) > 0 {
			add(metadata, name, merged)
		}
	}
	id := old.ID()
	setField(metadata, "name", id.Name)
	if _, name := syntax.Field(old.Metadata(), "name"); name != nil {
		_, n := syntax.Field(metadata, "name")
		syntax.CopyPlace(n, name)
	}
	if id.Namespace == "" {
		ClearField(metadata, "namespace")
	} else {
		setField(metadata, "namespace", id.Namespace)
		if _, namespace := syntax.Field(old.Metadata(), "namespace"); namespace != nil {
			_, n := syntax.Field(metadata, "namespace")
			syntax.CopyPlace(n, namespace)
		}
	}
	// Of the internal annotations the old ones count, but whether a hash is
	// wanted both must say.
	needsHash, mergesData := r.NeedsHash && old.NeedsHash, r.Behavior == resource.Merge
	r.State = old.State
	r.NeedsHash, r.Named = needsHash, old.Named
	r.Transformations = old.Transformations
	if r.Origin == nil || mergesData {
		r.Origin = old.Origin
	}
}

func (b *Transformer) mergeData(l *trace.Layer, acc *accumulator.Accumulator, g *kustomization.Generator, r, old *resource.Resource) {
	source := old.Node
	if isSecret(r) {
		var wrong *yaml.Node
		if source, wrong = withStringData(old.Node); wrong != nil {
			b.Report(l, problem.Problem{Code: problem.UnexpectedValueType, Fatal: true, Node: wrong,
				Message: fmt.Sprintf("data and stringData of %s must be mappings of texts, to be merged", old.ID()),
				Related: []problem.Related{{Node: r.Entry, Message: "the generator that merges"}}})
		}
	}
	merged := b.mergeValues(l, g, r, source)
	r.Change(func(e *resource.Edit) {
		mergeDataMap(e, source, "data")
		mergeDataMap(e, old.Node, "binaryData")
	})
	b.takeMetadata(l, acc, r, old)
	if merged {
		b.noteMergeValues(l, r)
	}
}

// mergeDataMap sets a data map of r to that of the old resource with r's keys
// over it (Resource.MergeDataMapFrom): values are strings afterwards, and what
// is not UTF-8 is base64 in binaryData.
func mergeDataMap(r *resource.Edit, old *yaml.Node, name string) {
	r.OwnField(name)
	_, theirs := syntax.Field(old, name)
	_, ours := syntax.Field(r.Node, name)
	ClearField(r.Node, name)
	if merged := mergeStrings(theirs, ours, dataNode); len(merged.Content) > 0 {
		add(r.Node, name, merged)
	}
}

// mergeStrings returns a new mapping, sorted by key, of both with the second's
// values winning.
func mergeStrings(first, second *yaml.Node, value func(*yaml.Node) *yaml.Node) *yaml.Node {
	merged := &yaml.Node{Kind: yaml.MappingNode}
	values := map[string][2]*yaml.Node{}
	for _, m := range []*yaml.Node{first, second} {
		if m == nil || m.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(m.Content); i += 2 {
			values[m.Content[i].Value] = [2]*yaml.Node{m.Content[i], m.Content[i+1]}
		}
	}
	for _, key := range sortedKeys(values) {
		name := plain(key)
		syntax.CopyPlace(name, values[key][0])
		merged.Content = append(merged.Content, name, value(values[key][1]))
	}
	return merged
}

func dataNode(n *yaml.Node) *yaml.Node {
	s := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: nullableText(n)}
	syntax.CopyPlace(s, n)
	return literalIfLines(s)
}

// withStringData returns a copy of a secret with stringData encoded into data, as
// the API server does and kustomize before it merges (normalizeSecretStringData);
// wrong is the node over which kustomize refuses to, if any.
func withStringData(n *yaml.Node) (with, wrong *yaml.Node) {
	_, plain := syntax.Field(n, "stringData")
	if plain == nil || plain.Tag == "!!null" {
		return n, nil
	}
	if plain.Kind != yaml.MappingNode {
		return n, plain
	}
	for i := 1; i < len(plain.Content); i += 2 {
		if plain.Content[i].Kind != yaml.ScalarNode {
			return n, plain.Content[i]
		}
	}
	if len(plain.Content) == 0 {
		return n, nil
	}
	n = syntax.Copy(n)
	data := ensureMap(n, "data")
	if data == nil {
		_, data = syntax.Field(n, "data")
		return n, data
	}
	for i := 0; i+1 < len(plain.Content); i += 2 {
		key, value := plain.Content[i], plain.Content[i+1]
		ClearField(data, key.Value)
		add(data, key.Value, secretValue(pair{key.Value, nullableText(value), key, value}))
	}
	return n, nil
}

// encodeBase64 is base64 in lines of 70 characters, with a line break at the end
// where there are several (kyaml's encodeBase64).
func encodeBase64(s string) string {
	const width = 70
	encoded := base64.StdEncoding.EncodeToString([]byte(s))
	if len(encoded) < width {
		return encoded
	}
	var out []byte
	for chunk := range slices.Chunk([]byte(encoded), width) {
		out = append(append(out, chunk...), '\n')
	}
	return string(out)
}

func (b *Transformer) reportExists(l *trace.Layer, g *kustomization.Generator, r, old *resource.Resource) {
	p := problem.Problem{Code: problem.GeneratorNameTaken, Fatal: true, Node: r.Entry,
		Message: fmt.Sprintf("%s is there already", r.ID()),
		Help:    "set behavior to merge or replace to change it, or give another name",
		Related: []problem.Related{{Node: problem.NameNode(old), Message: "the other one"}}}
	if g != nil && g.Behavior.Node != nil {
		p.Node = g.Behavior.Node
		p.Fixes = []problem.Fix{{Title: "Change behavior to merge", New: "merge"}, {Title: "Change behavior to replace", New: "replace"}}
	} else if g != nil && g.Name.Node != nil {
		p.Node = g.Name.Node
		for _, behavior := range []string{"merge", "replace"} {
			for _, fix := range b.AddField(g.Node, g.Name.Node, "behavior: "+behavior) {
				fix.Title = "Add behavior: " + behavior
				p.Fixes = append(p.Fixes, fix)
			}
		}
	}
	b.Report(l, p)
}

// addWithoutBase reports that there is nothing to change, and goes on as if
// the generator had the name that was probably meant, else as if it created.
func (b *Transformer) addWithoutBase(l *trace.Layer, acc *accumulator.Accumulator, g *kustomization.Generator, r *resource.Resource) {
	var meant *resource.Resource
	if !acc.Unknown {
		meant = b.reportNoBase(l, acc, g, r)
	}
	switch {
	case meant == nil:
		b.Unfinished = true
		acc.Set.Append(r)
	case r.Behavior == resource.Merge:
		b.mergeData(l, acc, g, r, meant)
	default:
		b.takeMetadata(l, acc, r, meant)
	}
}

// mendNamespace offers to give a generator the namespace of the resource that it
// was meant for.
func (b *Transformer) mendNamespace(p *problem.Problem, g *kustomization.Generator, meant *resource.Resource) {
	namespace := meant.ID().Namespace
	switch {
	case g == nil || g.Name.Node == nil || namespace == "":
	case g.Namespace.Node == nil:
		p.Fixes = b.AddField(g.Node, g.Name.Node, "namespace: "+scalar.Write(namespace, 0, true))
	default:
		p.Node = g.Namespace.Node
		p.Fixes = []problem.Fix{{Title: "Change namespace to " + namespace, New: namespace}}
	}
}

// reportNoBase returns the resource that the generator was probably meant for.
func (b *Transformer) reportNoBase(l *trace.Layer, acc *accumulator.Accumulator, g *kustomization.Generator, r *resource.Resource) *resource.Resource {
	id := r.ID()
	p := problem.Problem{Code: problem.GeneratorNoBase, Fatal: true, Node: r.Entry,
		Message: fmt.Sprintf("there is no %s to %s with", id, r.Behavior)}
	if g != nil && g.Name.Node != nil {
		p.Node = g.Name.Node
	}
	var names []string
	var elsewhere []*resource.Resource
	byName := map[string]*resource.Resource{}
	for _, other := range acc.Set.OfKind(id.Kind) {
		if other.ID().Kind != id.Kind {
			continue
		}
		if other.OriginalID().Name == id.Name || other.ID().Name == id.Name {
			p.Help = fmt.Sprintf("%s is in another namespace", other.ID())
			p.Related = append(p.Related, problem.Related{Node: problem.NameNode(other), Message: "this one"})
			elsewhere = append(elsewhere, other)
		}
		names = append(names, other.OriginalID().Name)
		byName[other.OriginalID().Name] = other
	}
	sort.Strings(names)
	if len(elsewhere) == 1 {
		b.mendNamespace(&p, g, elsewhere[0])
		b.Report(l, p)
		return elsewhere[0]
	}
	if near, ok := text.Nearest(id.Name, names); ok && near != id.Name {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []problem.Fix{{Title: "Change to " + near, New: near}}
		b.Report(l, p)
		return byName[near]
	}
	if g != nil && g.Behavior.Node != nil && len(p.Related) == 0 {
		p.Node = g.Behavior.Node // nothing says that the name is wrong
	}
	b.Report(l, p)
	return nil
}

func (b *Transformer) AppendResource(l *trace.Layer, acc *accumulator.Accumulator, r *resource.Resource) {
	b.Scoped(r)
	other := acc.Set.Append(r)
	if other == nil {
		return
	}
	id := r.ID()
	b.Report(l, problem.Problem{Code: problem.DuplicateResource, Fatal: true, Node: problem.NameNode(r),
		Message: fmt.Sprintf("%s is there already", id),
		Help:    "two resources of one build cannot have the same group, version, kind, namespace and name",
		Related: []problem.Related{
			{Node: problem.NameNode(other), Message: "the other one"},
			{Node: r.Entry, Message: "this one is included here"},
			{Node: other.Entry, Message: "the other one is included here"},
		}})
}
