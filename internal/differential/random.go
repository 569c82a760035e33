package differential

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// Random returns the tree of a seed and the folder in it that is to be built. The same seed gives the same bytes.
//
// Most of what a tree says fits together, since two refusals teach little; a small part is wrong or odd on purpose.
func Random(seed uint64) (Tree, string) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), tree: Tree{}}
	kinds := []func(*generator) string{(*generator).layeredTree, (*generator).layeredTree, (*generator).layeredTree,
		(*generator).configuredTree, (*generator).referenceTree, (*generator).textTree, (*generator).identityTree}
	folder := pick(g, kinds...)(g)
	return g.tree, folder
}

// layeredTree is one or two bases, perhaps a component, and up to two overlays on top.
func (g *generator) layeredTree() string {
	top := g.base("base")
	if g.chance(0.2) {
		other := g.base("other")
		top = g.overlay("both", top, other)
	}
	for _, name := range []string{"overlay", "top"} {
		if g.chance(0.7) {
			top = g.overlay(name, top)
		}
	}
	return top.folder
}

// generator writes one tree.
type generator struct {
	*rand.Rand
	tree    Tree
	written int // files beside kustomization files so far, to name the next
	// configured is true where layers get configMakers' fields, too.

	configured bool
	// folder is the one that is written, and odd how often a piece of text is, in a tree that is written as text.
	folder string
	odd    float64
}

// layer is one kustomization while it is written, and what can be seen from the one above it.
type layer struct {
	folder string

	objects []*yaml.Node // the resources below, as their files have them
	fields  map[string]any
}

func (g *generator) base(folder string) *layer {
	l := &layer{folder: folder, fields: map[string]any{}}
	var resources []any
	for range 1 + g.IntN(3) {
		objects := g.objects(l)
		l.objects = append(l.objects, objects...)
		resources = append(resources, g.file(l, ".yaml", g.documents(objects)))
	}
	l.fields["resources"] = resources
	return g.finish(l, "Kustomization")
}

func (g *generator) overlay(folder string, below ...*layer) *layer {
	l := &layer{folder: folder, fields: map[string]any{}}
	var resources []any
	for _, b := range below {
		resources = append(resources, "../"+b.folder)
		l.objects = append(l.objects, b.objects...)
	}
	if g.chance(0.3) {
		objects := g.objects(l)
		l.objects = append(l.objects, objects...)
		resources = append(resources, g.file(l, ".yaml", g.documents(objects)))
	}
	l.fields["resources"] = resources
	if g.chance(0.25) {
		l.fields["components"] = []any{"../" + g.component(folder+"-part", l).folder}
	}
	return g.finish(l, "Kustomization")
}

// component writes one that changes what the layer has.
func (g *generator) component(folder string, above *layer) *layer {
	l := &layer{folder: folder, fields: map[string]any{}, objects: above.objects}
	return g.finish(l, "Component")
}

// finish gives the layer some fields and writes its file.
func (g *generator) finish(l *layer, kind string) *layer {
	for _, field := range fieldMakers {
		if !g.chance(field.chance) {
			continue
		}
		if value := field.make(g, l); value != nil {
			l.fields[field.name] = value
		}
	}
	if g.configured {
		for _, field := range configMakers {
			if g.chance(field.chance) {
				l.fields[field.name] = field.make(g, l)
			}
		}
	}
	if g.chance(0.8) || kind == "Component" {
		l.fields["kind"] = kind
		l.fields["apiVersion"] = "kustomize.config.k8s.io/v1beta1"
		if kind == "Component" {
			l.fields["apiVersion"] = "kustomize.config.k8s.io/v1alpha1"
		}
	}
	g.tree[l.folder+"/kustomization.yaml"] = g.print(g.shuffled(encode(l.fields)))
	return l
}

// file writes a file beside the layer's kustomization and returns its name.
func (g *generator) file(l *layer, extension string, text []byte) string {
	g.written++
	name := fmt.Sprintf("file-%d%s", g.written, extension)
	g.tree[l.folder+"/"+name] = text
	return name
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

// pick returns one of the values.
func pick[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

// some returns at least one and at most limit values, each made anew.
func some[T any](g *generator, limit int, make func() T) []T {
	var values []T
	for range 1 + g.IntN(limit) {
		values = append(values, make())
	}
	return values
}

// word is a name for things that need one; now and then one that YAML reads as something else.
func (g *generator) word() string {
	if g.chance(0.05) {
		return pick(g, "true", "0123", "1e3", "no", "~", "é-ü", "a: b", "x #y", " pad ", "")
	}
	return pick(g, "red", "green", "blue", "one", "two", "prod", "dev")
}

// typo spoils a word now and then.
func (g *generator) typo(word string) string {
	if len(word) < 2 || !g.chance(0.008) {
		return word
	}
	at := g.IntN(len(word) - 1)
	return word[:at] + word[at+1:]
}

// encode turns plain Go values into nodes; a *yaml.Node in them stays as it is. Mappings come out sorted. It does not go
// through text, as yaml.Node.Encode does, which does not survive every string.
func encode(value any) *yaml.Node {
	switch value := value.(type) {
	case *yaml.Node:
		return value
	case map[string]any:
		return encodeMap(value)
	case map[string]string:
		return encodeMap(value)
	case []any:
		return encodeList(value)
	case []string:
		return encodeList(value)
	case []*yaml.Node:
		return encodeList(value)
	case []map[string]any:
		return encodeList(value)
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case string:
		node := &yaml.Node{}
		node.SetString(value)
		return node
	default:
		var node yaml.Node
		if err := node.Encode(value); err != nil {
			panic(fmt.Sprintf("the generator made a value that YAML cannot hold: %v", err))
		}
		return &node
	}
}

func encodeMap[V any](values map[string]V) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		node.Content = append(node.Content, encode(key), encode(values[key]))
	}
	return node
}

func encodeList[V any](values []V) *yaml.Node {
	node := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, value := range values {
		node.Content = append(node.Content, encode(value))
	}
	return node
}

// parse reads a template of ours.
func parse(text string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(strings.TrimPrefix(text, "\n")), &document); err != nil {
		panic(fmt.Sprintf("the generator has a template that does not parse: %v\n%s", err, text))
	}
	return document.Content[0]
}

// Overlay puts a random layer on top of a folder of the tree, for the resources that the folder renders.
func Overlay(seed uint64, tree Tree, folder string, resources []*yaml.Node) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), tree: tree}
	g.configured = g.chance(0.5)
	return g.overlay("overlay", &layer{folder: folder, objects: resources}).folder
}
