package transform

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Annotations by which kustomize talks to functions (api/internal/plugins/utils).
const (
	idAnnotation       = "kustomize.config.k8s.io/id"
	hashAnnotation     = "kustomize.config.k8s.io/needs-hash"
	behaviorAnnotation = "kustomize.config.k8s.io/behavior"
)

// callFunction runs a plugin that is not built in and takes over what it makes:
// a generator's resources are added, a transformer's replace what was there.
func (b *Transformer) callFunction(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, generator bool) error {
	text, err := functionConfig(config)
	if err != nil {
		return err
	}
	request := load.FunctionRequest{Dir: l.Dir, Config: text, Load: b.loadFor(l)}
	if !generator {
		if request.Input, err = b.functionInput(acc); err != nil {
			return err
		}
	}
	result, err := b.Outside().Function(b.Ctx, request)
	if err != nil {
		return err
	}
	if result.NotRun != "" {
		b.Report(l, problem.Problem{Code: problem.ExternalNotRun, Node: problem.NameNode(config),
			Message: fmt.Sprintf("%s was not run: %s", config.ID(), result.NotRun),
			Help:    "kustomize ignores it silently"})
	}
	made, err := readMade(result.Output, config.Node)
	if err != nil {
		return err
	}
	if generator {
		return b.takeGenerated(l, acc, config, made)
	}
	return b.takeTransformed(l, acc, config, made)
}

// functionConfig is the YAML of a plugin's configuration, with its origin where
// origins are kept.
func functionConfig(config *resource.Resource) ([]byte, error) {
	n := syntax.Copy(config.Node)
	if config.Origin != nil {
		(&resource.Resource{Node: n}).Change(func(e *resource.Edit) {
			annotate(e, originAnnotation, encodeOrigin(newOriginYAML(config.Origin)), nil)
		})
	}
	return render.Document(nil, n)
}

// functionInput is the YAML of the resources as kustomize hands them out: with
// an annotation for the identity and those in which it keeps its state.
func (b *Transformer) functionInput(acc *accumulator.Accumulator) ([]byte, error) {
	nodes := make([]*yaml.Node, acc.Set.Len())
	texts := newOriginTexts()
	for i, r := range acc.Set.List() {
		c := &resource.Resource{Node: syntax.Copy(r.Node)}
		c.Origin, c.Transformations = r.Origin, r.Transformations
		c.Change(func(e *resource.Edit) {
			writeInternal(e, r.State)
			texts.write(e)
			setAnnotation(e, idAnnotation, idText(r.ID()))
		})
		nodes[i] = c.Node
	}
	return render.Resources(b.Ctx, nodes)
}

// setAnnotation is annotate for a key that may be there.
func setAnnotation(r *resource.Edit, key, value string) {
	if _, annotations := syntax.Field(r.Metadata(), "annotations"); annotations != nil && annotations.Kind == yaml.MappingNode {
		ClearField(annotations, key)
	}
	annotate(r, key, value, nil)
}

func idText(id resource.ID) string {
	text, err := yaml.Marshal(struct {
		Group     string `yaml:"group,omitempty"`
		Kind      string `yaml:"kind,omitempty"`
		Name      string `yaml:"name,omitempty"`
		Namespace string `yaml:"namespace,omitempty"`
		Version   string `yaml:"version,omitempty"`
	}{id.Group, id.Kind, id.Name, id.Namespace, id.Version})
	if err != nil {
		return "" // a struct of strings encodes
	}
	return string(text)
}

// readMade reads resources that were made by a program: they carry the place of
// the node that asked for them.
func readMade(output []byte, at *yaml.Node) ([]*yaml.Node, error) {
	table := syntax.NewTable()
	nodes, problems := syntax.ReadDocuments(table, table.Add("", output))
	for _, p := range problems {
		if p.Refused {
			return nil, errors.New("its output is refused: " + problem.SyntaxMessage(p))
		}
	}
	for _, n := range nodes {
		placeAll(n, at)
	}
	return nodes, nil
}

func placeAll(n, at *yaml.Node) {
	n.Line, n.Column = 0, 0
	if at != nil {
		syntax.CopyPlace(n, at)
	}
	for _, child := range n.Content {
		placeAll(child, at)
	}
}

// takeGenerated adds what a generator made: by annotations it says how
// (utils.UpdateResourceOptions).
func (b *Transformer) takeGenerated(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, made []*yaml.Node) error {
	var resources []*resource.Resource
	for _, n := range made {
		r := load.NewResource(n, config.Node)
		var hash, behavior string
		var ok bool
		r.Change(func(e *resource.Edit) {
			hash, ok = cutAnnotation(e, hashAnnotation)
			behavior, _ = cutAnnotation(e, behaviorAnnotation)
		})
		if ok {
			needsHash, err := strconv.ParseBool(hash)
			if err != nil {
				return fmt.Errorf("the annotation %s has the value %q, which is neither true nor false", hashAnnotation, hash)
			}
			r.NeedsHash = r.NeedsHash || needsHash
		}
		r.Behavior = load.BehaviorOf(behavior)
		if r.Origin = readOrigin(r); r.Origin == nil {
			r.Origin = PluginOrigin(config)
		}
		resources = append(resources, r)
	}
	for _, r := range resources {
		b.addGenerated(l, acc, nil, r)
	}
	return nil
}

// cutAnnotation takes an annotation out of a resource.
func cutAnnotation(r *resource.Edit, key string) (value string, ok bool) {
	_, annotations := syntax.Field(r.Metadata(), "annotations")
	_, v := syntax.Field(annotations, key)
	if v == nil {
		return "", false
	}
	ClearField(annotations, key)
	if len(annotations.Content) == 0 {
		ClearField(r.Metadata(), "annotations")
	}
	return v.Value, true
}

// takeTransformed takes over what a transformer returned: a resource replaces the
// one of its identity or is added, and what was not returned is gone
// (utils.UpdateResMapValues).
func (b *Transformer) takeTransformed(l *trace.Layer, acc *accumulator.Accumulator, config *resource.Resource, made []*yaml.Node) error {
	known := originsByText(acc.Set.List()...)
	kept := map[*resource.Resource]bool{}
	var returned resource.Set
	step := trace.Step{Layer: l, Transformer: config.ID().Kind, Entry: config.Node}
	for _, n := range made {
		r := load.NewResource(n, config.Node)
		r.Change(func(e *resource.Edit) { cutAnnotation(e, idAnnotation) })
		b.Scoped(r)
		if returned.Append(&resource.Resource{Node: n}) != nil {
			return fmt.Errorf("it returns %s twice", r.ID())
		}
		same := acc.Set.WithCurrent(r.ID())
		if len(same) > 1 {
			return fmt.Errorf("%d resources are %s", len(same), r.ID())
		}
		r.Change(known.restore)
		if len(same) == 0 {
			b.AppendResource(l, acc, r)
			kept[r] = true
			continue
		}
		b.takeOver(step, same[0], r)
		kept[same[0]] = true
	}
	acc.Set.Retain(func(r *resource.Resource) bool { return kept[r] })
	return nil
}

// takeOver gives a resource the content and state of another that stands for it;
// what is equal keeps its place.
func (b *Transformer) takeOver(step trace.Step, old, r *resource.Resource) {
	keepPlaces(r.Node, old.Node)
	b.Change(step, old, func(e *resource.Edit) {
		refVars := old.RefVars
		e.Put(r.Node)
		e.State = r.State
		e.RefVars = refVars
		e.Origin, e.Transformations = r.Origin, r.Transformations
	})
}

// keepPlaces gives what is equal in both trees the place that it has in the old one.
func keepPlaces(n, old *yaml.Node) {
	if n.Kind != old.Kind {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Value == old.Value && n.ShortTag() == old.ShortTag() {
			syntax.CopyPlace(n, old)
		}
		return
	case yaml.MappingNode:
		values := make(map[string][2]*yaml.Node, len(old.Content)/2)
		for i := 0; i+1 < len(old.Content); i += 2 {
			values[old.Content[i].Value] = [2]*yaml.Node{old.Content[i], old.Content[i+1]}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if entry, ok := values[n.Content[i].Value]; ok {
				syntax.CopyPlace(n.Content[i], entry[0])
				keepPlaces(n.Content[i+1], entry[1])
			}
		}
	case yaml.SequenceNode:
		keepElementPlaces(n, old)
	}
	syntax.CopyPlace(n, old)
}

// keepElementPlaces pairs the elements of two lists by name where they have one,
// else by position.
func keepElementPlaces(n, old *yaml.Node) {
	named := map[string]*yaml.Node{}
	for _, e := range old.Content {
		if _, name := syntax.Field(e, "name"); name != nil {
			named[name.Value] = e
		}
	}
	for i, e := range n.Content {
		if _, name := syntax.Field(e, "name"); name != nil {
			if o, ok := named[name.Value]; ok {
				keepPlaces(e, o)
			}
		} else if i < len(old.Content) {
			keepPlaces(e, old.Content[i])
		}
	}
}

// knownOrigins finds the origins and transformations of resources by the text of
// the annotation in which they went through a function.
type knownOrigins struct {
	origins map[string]*resource.Origin
	lists   map[string]*resource.Transformation
}

func originsByText(resources ...*resource.Resource) knownOrigins {
	known := knownOrigins{map[string]*resource.Origin{}, map[string]*resource.Transformation{}}
	texts := newOriginTexts()
	for _, r := range resources {
		if r.Origin != nil {
			known.origins[texts.origin(r.Origin)] = r.Origin
		}
		if r.Transformations != nil {
			known.lists[texts.list(r.Transformations)] = r.Transformations
		}
	}
	return known
}

// restore sets a resource's origin and transformations by its annotations.
func (k knownOrigins) restore(r *resource.Edit) {
	annotations := r.Annotations()
	r.Transformations = k.lists[annotations[transformationsAnnotation]]
	if origin, ok := k.origins[annotations[originAnnotation]]; ok {
		r.Origin = origin
	} else {
		r.Origin = readOrigin(r.Resource)
	}
	cutAnnotation(r, originAnnotation)
	cutAnnotation(r, transformationsAnnotation)
}

// readOrigin reads the origin annotation; nil where there is none or it is no
// origin.
func readOrigin(r *resource.Resource) *resource.Origin {
	text := r.Annotations()[originAnnotation]
	var y originYAML
	if text == "" || yaml.Unmarshal([]byte(text), &y) != nil {
		return nil
	}
	o := &resource.Origin{Path: y.Path, Repo: y.Repo, Ref: y.Ref, ConfiguredIn: y.ConfiguredIn}
	if y.ConfiguredBy != nil {
		o.ConfiguredBy = resource.Object(*y.ConfiguredBy)
	}
	return o
}

// writeInternal writes a state into the annotations of a resource that kustomize
// keeps it in: the reverse of adoptInternal.
func writeInternal(r *resource.Edit, state resource.State) {
	write := func(name, value string) {
		if cutAnnotation(r, load.InternalPrefix+name); value != "" {
			setAnnotation(r, load.InternalPrefix+name, value)
		}
	}
	var names, spaces, kinds []string
	for _, p := range state.Previous {
		names, spaces, kinds = append(names, p.Name), append(spaces, p.Namespace), append(kinds, p.Kind)
	}
	write("previousNames", strings.Join(names, ","))
	write("previousNamespaces", strings.Join(spaces, ","))
	write("previousKinds", strings.Join(kinds, ","))
	write("prefixes", strings.Join(state.Prefixes, ","))
	write("suffixes", strings.Join(state.Suffixes, ","))
	write("needsHashSuffix", when(state.NeedsHash, "enabled"))
	write("helm-generated", when(state.Helm, "true"))
	write("generatorBehavior", string(state.Behavior))
}

func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

// loadFor returns a function that reads files for a layer within its load
// restriction. Its error is a *loadError.
func (b *Transformer) loadFor(l *trace.Layer) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if load.IsURL(path) {
			f, err := b.RemoteFile(path)
			if err != nil {
				return nil, err
			}
			return f.Data, nil
		}
		f, p := b.TryLoad(l, path)
		if f == nil {
			return nil, &loadError{path, p}
		}
		return f.Data, nil
	}
}

// loadError is why a file could not be read for a chart or function.
type loadError struct {
	path    string
	problem problem.Problem
}

func (e *loadError) Error() string { return e.problem.Message }
