// Package applicationset makes the Applications of an ApplicationSet, as the controller of Argo CD v3 does
// (applicationset/generators and applicationset/utils of github.com/argoproj/argo-cd), without a cluster: the list,
// git, matrix and merge generators, and the cluster generator as far as the clusters are known.
//
// Which Applications exist may hang on what the repository does not say. Such an Element has a Condition; generators
// that ask a service (pull requests, SCM providers, plugins, …) give a reason why nothing is known.
package applicationset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// maxElements is how many Applications a set may have; kls expands no more.
const maxElements = 10_000

// Values are the parameters of one element, as a template sees them.
type Values map[string]any

// Element is an Application that a set makes.
type Element struct {
	// Application is the object; its nodes carry the places of the template.
	Application *yaml.Node
	Values      Values
	// From is the entry that the element comes from: an element of a list, a pattern of folders, a generator.
	From *yaml.Node
	// Condition says when the Application exists; empty: it does.
	Condition string
	// Open says that the parameters stand for any of several clusters that nobody has named.
	Open bool
}

// Problem is a mistake because of which Argo CD makes nothing of a set.
type Problem struct {
	Node    *yaml.Node
	Message string
}

// Result is what a set makes.
type Result struct {
	Elements []Element
	// Unknown says why further elements may exist; empty: there are none.
	Unknown []string
	// Problems are mistakes; then there are no elements.
	Problems []Problem
}

// Repository is the checkout as git generators see it. Paths are relative to its root and have slashes.
type Repository interface {
	// Is tells whether a URL is that of the checkout.
	Is(url string) bool
	// Folders returns all folders but hidden ones and what is in these, in lexical order.
	Folders() []string
	// Files returns all files but those of git itself, in lexical order.
	Files() []string
	// Read returns the content of a file.
	Read(path string) ([]byte, error)
}

// Cluster is a cluster that is registered with Argo CD.
type Cluster struct {
	Name, Server        string
	Labels, Annotations map[string]string
}

// Generate makes the Applications of a set. Clusters is nil where nobody has said which there are.
func Generate(set *yaml.Node, repository Repository, clusters []Cluster) Result {
	_, spec := syntax.Field(set, "spec")
	g := &generation{set: set, repository: repository, clusters: clusters, renderer: &renderer{goTemplate: isTrue(spec, "goTemplate")}}
	if options := syntax.Lookup(spec, "goTemplateOptions"); options != nil {
		for _, option := range options.Content {
			g.renderer.options = append(g.renderer.options, option.Value)
		}
	}
	g.nestedSelectors = isTrue(spec, "applyNestedSelectors")
	g.run(spec)
	if len(g.problems) > 0 {
		return Result{Problems: g.problems, Unknown: g.unknown}
	}
	return Result{Elements: g.elements, Unknown: g.unknown}
}

type generation struct {
	set             *yaml.Node
	repository      Repository
	clusters        []Cluster
	renderer        *renderer
	nestedSelectors bool

	elements []Element
	unknown  []string
	problems []Problem
}

func (g *generation) run(spec *yaml.Node) {
	_, list := syntax.Field(spec, "generators")
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	base := syntax.Lookup(spec, "template")
	_, patch := syntax.Field(spec, "templatePatch")
	for _, entry := range list.Content {
		found, err := g.elementsOf(entry, nil)
		if err != nil {
			g.fail(entry, err)
			continue
		}
		template := mergeTemplates(ownTemplate(entry), base)
		for _, p := range found {
			application, err := g.render(template, patch, p.values)
			if err != nil {
				g.fail(orNode(p.from, entry), err)
				return
			}
			g.elements = append(g.elements, Element{Application: application, Values: p.values, From: p.from, Condition: p.condition, Open: p.open})
			if len(g.elements) > maxElements {
				g.elements, g.unknown = nil, append(g.unknown, fmt.Sprintf("it makes more than %d Applications, which kls does not expand", maxElements))
				return
			}
		}
	}
}

func (g *generation) fail(n *yaml.Node, err error) {
	var unknown unknownError
	switch {
	case errors.As(err, &unknown):
		g.unknown = append(g.unknown, unknown.reason)
	case errors.Is(err, ErrUnrepeatable):
		g.unknown = append(g.unknown, ErrUnrepeatable.Error())
	default:
		g.problems = append(g.problems, Problem{n, err.Error()})
	}
}

// unknownError says that what a generator makes cannot be known.
type unknownError struct{ reason string }

func (e unknownError) Error() string { return e.reason }

func unknown(format string, args ...any) error { return unknownError{fmt.Sprintf(format, args...)} }

// ownTemplate returns the template inside of a generator; nil for none.
func ownTemplate(entry *yaml.Node) *yaml.Node {
	for i := 0; i+1 < len(entry.Content); i += 2 {
		if _, template := syntax.Field(entry.Content[i+1], "template"); template != nil && entry.Content[i].Value != "selector" {
			return template
		}
	}
	return nil
}

// mergeTemplates fills what the template of a generator leaves empty from that of the set.
func mergeTemplates(own, base *yaml.Node) *yaml.Node {
	switch {
	case isEmpty(own):
		return base
	case base == nil || own.Kind != yaml.MappingNode || base.Kind != yaml.MappingNode:
		return own
	}
	merged := *own
	merged.Content = slices.Clone(own.Content)
	for i := 0; i+1 < len(base.Content); i += 2 {
		key, value := base.Content[i], base.Content[i+1]
		at := slices.IndexFunc(own.Content, func(n *yaml.Node) bool { return n.Value == key.Value })
		if at < 0 || at%2 != 0 {
			merged.Content = append(merged.Content, key, value)
			continue
		}
		merged.Content[at+1] = mergeTemplates(own.Content[at+1], value)
	}
	return &merged
}

// isEmpty tells whether Go's zero value would be read from a node.
func isEmpty(n *yaml.Node) bool {
	switch {
	case n == nil || n.ShortTag() == "!!null":
		return true
	case n.Kind == yaml.ScalarNode:
		return n.Value == "" || n.ShortTag() == "!!bool" && n.Value == "false" || n.ShortTag() == "!!int" && n.Value == "0"
	}
	return len(n.Content) == 0
}

// render makes the Application of one element.
func (g *generation) render(template, patch *yaml.Node, values Values) (*yaml.Node, error) {
	if template == nil {
		return nil, errors.New("the set has no template")
	}
	rendered, err := g.renderer.node(template, values)
	if err != nil {
		return nil, err
	}
	_, metadata := syntax.Field(rendered, "metadata")
	application := mapping("apiVersion", scalar("argoproj.io/v1alpha1"), "kind", scalar("Application"))
	made := &yaml.Node{Kind: yaml.MappingNode}
	if metadata != nil {
		made = &yaml.Node{Kind: yaml.MappingNode, Line: metadata.Line, Column: metadata.Column}
		for i := 0; i+1 < len(metadata.Content); i += 2 {
			if metadata.Content[i].Value != "namespace" {
				made.Content = append(made.Content, metadata.Content[i], metadata.Content[i+1])
			}
		}
	}
	_, spec := syntax.Field(rendered, "spec")
	application.Content = append(application.Content, scalar("metadata"), made)
	if spec != nil {
		application.Content = append(application.Content, scalar("spec"), spec)
	}
	if !isEmpty(patch) {
		if application, err = g.patched(application, patch, values); err != nil {
			return nil, err
		}
	}
	if namespace := syntax.Lookup(g.set, "metadata", "namespace"); namespace != nil {
		// Those of a set are in its own namespace, whatever the template says.
		_, metadata := syntax.Field(application, "metadata")
		setField(metadata, "namespace", namespace)
	}
	return application, nil
}

// patched applies the templatePatch. All lists of an Application that one would patch are replaced whole; the project
// is not changed by one.
func (g *generation) patched(application, patch *yaml.Node, values Values) (*yaml.Node, error) {
	source, err := g.renderer.replace(patch.Value, values)
	if err != nil {
		return nil, err
	}
	var content yaml.Node
	if err := yaml.Unmarshal([]byte(source), &content); err != nil {
		return nil, fmt.Errorf("templatePatch is not YAML once its parameters are in: %w", err)
	}
	if len(content.Content) == 0 || content.Content[0].ShortTag() == "!!null" {
		return application, nil
	}
	if content.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("templatePatch is not a mapping once its parameters are in")
	}
	root := content.Content[0]
	placeAll(root, patch)
	before := syntax.Lookup(application, "spec", "project")
	after := MergePatch(application, root)
	if _, spec := syntax.Field(after, "spec"); spec != nil && before != nil {
		setField(spec, "project", before)
	}
	return after, nil
}

// MergePatch applies a JSON merge patch (RFC 7396) with the $patch directives of Kubernetes' strategic merge. Neither node
// is changed.
func MergePatch(to, patch *yaml.Node) *yaml.Node {
	if patch.Kind != yaml.MappingNode {
		return patch
	}
	out := &yaml.Node{Kind: yaml.MappingNode, Line: patch.Line, Column: patch.Column}
	if to != nil && to.Kind == yaml.MappingNode {
		out.Line, out.Column = to.Line, to.Column
		if _, directive := syntax.Field(patch, "$patch"); directive == nil || directive.Value != "replace" {
			out.Content = slices.Clone(to.Content)
		}
	}
	for i := 0; i+1 < len(patch.Content); i += 2 {
		key, value := patch.Content[i], patch.Content[i+1]
		_, directive := syntax.Field(value, "$patch")
		switch {
		case key.Value == "$patch":
		case value.ShortTag() == "!!null" || directive != nil && directive.Value == "delete":
			removeField(out, key.Value)
		default:
			_, was := syntax.Field(out, key.Value)
			setField(out, key.Value, MergePatch(was, value))
		}
	}
	return out
}

// placeAll says of a document that was made of a template that it stands where the template does.
func placeAll(n, at *yaml.Node) {
	syntax.CopyPlace(n, at)
	for _, child := range n.Content {
		placeAll(child, at)
	}
}

// node replaces parameters in all texts below a node, keys included.
func (r *renderer) node(n *yaml.Node, values Values) (*yaml.Node, error) {
	out := *n
	switch n.Kind {
	case yaml.ScalarNode:
		if n.ShortTag() != "!!str" {
			return n, nil
		}
		replaced, err := r.replace(n.Value, values)
		if err != nil {
			return nil, err
		}
		if replaced == n.Value {
			return n, nil
		}
		out.Value, out.Tag, out.Style = replaced, "!!str", 0
		return &out, nil
	case yaml.MappingNode, yaml.SequenceNode:
		out.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			replaced, err := r.node(child, values)
			if err != nil {
				return nil, err
			}
			out.Content[i] = replaced
		}
		return &out, nil
	}
	return n, nil
}

func mapping(content ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i < len(content); i += 2 {
		n.Content = append(n.Content, scalar(content[i].(string)), content[i+1].(*yaml.Node))
	}
	return n
}

func scalar(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func setField(in *yaml.Node, name string, value *yaml.Node) {
	for i := 0; i+1 < len(in.Content); i += 2 {
		if in.Content[i].Value == name {
			in.Content[i+1] = value
			return
		}
	}
	in.Content = append(in.Content, scalar(name), value)
}

func removeField(in *yaml.Node, name string) {
	for i := 0; i+1 < len(in.Content); i += 2 {
		if in.Content[i].Value == name {
			in.Content = slices.Delete(in.Content, i, i+2)
			return
		}
	}
}

func isTrue(in *yaml.Node, name string) bool {
	_, n := syntax.Field(in, name)
	return n != nil && n.ShortTag() == "!!bool" && n.Value == "true"
}

func orNode(n, other *yaml.Node) *yaml.Node {
	if n == nil {
		return other
	}
	return n
}
