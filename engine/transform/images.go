package transform

import (
	"container/heap"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// SetImages is kustomize's ImageTagTransformer: for each entry first every
// "image" in a list named containers or initContainers, wherever it stands, then
// the configured fields (api/filters/imagetag). The entries change each image in
// their order; since none looks at another image, each resource is done with at once.
func (b *Transformer) SetImages(l *trace.Layer, acc *accumulator.Accumulator, images []kustomization.Image, fields []kustomization.FieldSpec) {
	if len(images) == 0 {
		return
	}
	key := memo.StepKey{Transformer: "ImageTagTransformer"}
	facts := make([]trace.ImageFact, len(images))
	patterns := make([]*regexp.Regexp, len(images))
	for i, image := range images {
		facts[i].Entry, patterns[i] = image, imagePattern(image)
		key.Content = append(key.Content, image.Node)
	}
	c := &imageChange{b: b, layer: l, images: images, patterns: patterns, facts: facts, specs: newSpecs(fields), entries: newImageEntries(images, patterns)}
	resources := acc.Set.List()
	for _, r := range resources {
		c.specs.of(r.ID()) // which several are going to ask
	}
	read := make([]imagesOfResource, len(resources))
	b.Each(resources, memo.Work{Step: trace.Step{Layer: l, Transformer: key.Transformer, Entry: images[0].Node}, Key: key, Copies: memo.NothingOwned,
		ComesTo: func(r *resource.Resource) bool { return r.ID().Kind != "CustomResourceDefinition" },
		Prepare: func(i int, r *resource.Resource) {
			read[i] = imagesIn(r, c.specs.known[kindOf(r.ID())], false)
		},
		Change: func(i int, r *resource.Resource) (any, bool) { return c.change(r, read[i]), true },
		Found:  func(_ int, r *resource.Resource, found any) { c.note(r, found.(imagesNote)) },
	})
	for _, fact := range facts {
		l.Facts.Images = append(l.Facts.Images, fact)
		if len(fact.Nodes) == 0 && !acc.Unknown {
			b.reportNoImage(l, fact.Entry, c.values)
		}
	}
}

// imageChange changes the images of one resource after the other.
type imageChange struct {
	b        *Transformer
	layer    *trace.Layer
	images   []kustomization.Image
	patterns []*regexp.Regexp
	facts    []trace.ImageFact
	specs    *specsByKind
	entries  *imageEntries
	values   map[string]bool // of all images, in the end
}

// imagesNote is what was found in a resource and done to it.
type imagesNote struct {
	values  []string // of all images, in the end
	changes []imageNote
}

// imageNote is an image that an entry changed, as it was and as it is in the end.
type imageNote struct {
	entry         int
	node, written *yaml.Node
}

// change changes the images of a resource that were found in it.
func (c *imageChange) change(r *resource.Resource, found imagesOfResource) (note imagesNote) {
	if !found.incomplete && !slices.ContainsFunc(found.sites, func(s *imageSite) bool { return c.entries.match(s.node.Value) }) {
		return c.written(r, found)
	}
	r.Change(func(e *resource.Edit) {
		specs := c.specs.of(e.ID())
		ownImages(e, specs, c.entries.match)
		found = imagesIn(e.Resource, specs, true)
		note.changes = c.write(e, found)
	})
	note.values = c.written(r, found).values
	return note
}

// written reports what was found in the place of images, and returns the images.
func (c *imageChange) written(r *resource.Resource, found imagesOfResource) (note imagesNote) {
	for _, p := range found.refused {
		c.b.reportWalk(c.layer, c.images[0].Node, r, p.spec, p.err)
	}
	for _, s := range found.sites {
		note.values = append(note.values, s.node.Value)
	}
	return note
}

// write writes what the entries say into the images that were found: the first entry into all that it matches, and so on.
func (c *imageChange) write(r *resource.Edit, found imagesOfResource) (changes []imageNote) {
	var turns imageTurns
	for at, s := range found.sites {
		turns.add(c.entries.after(-1, s.node.Value), at)
	}
	for len(turns) > 0 {
		turn := heap.Pop(&turns).(imageTurn)
		s := found.sites[turn.site]
		if pattern := c.patterns[turn.entry]; pattern.MatchString(s.node.Value) {
			after := c.b.Record(trace.Step{Layer: c.layer, Transformer: "ImageTagTransformer", Entry: c.images[turn.entry].Node}, r.Resource)
			change := imageNote{entry: turn.entry, node: s.node}
			if c.b.Options.Analyze {
				change.written = syntax.Copy(s.node)
			}
			changes = append(changes, change)
			// As often as kustomize comes to it, which shows in a tagSuffix.
			for range s.times {
				if pattern.MatchString(s.node.Value) {
					setScalar(s.node, newImage(s.node.Value, c.images[turn.entry]), "", c.images[turn.entry].Node)
				}
			}
			after()
		}
		turns.add(c.entries.after(turn.entry, s.node.Value), turn.site)
	}
	for i := range changes {
		changes[i].node = syntax.Copy(changes[i].node) // later steps may change it
	}
	return changes
}

func (c *imageChange) note(r *resource.Resource, note imagesNote) {
	for _, value := range note.values {
		if c.values == nil {
			c.values = map[string]bool{}
		}
		c.values[value] = true
	}
	for _, change := range note.changes {
		fact := &c.facts[change.entry]
		fact.Nodes, fact.Resources = append(fact.Nodes, change.node), append(fact.Resources, r)
		if c.b.Options.Analyze {
			fact.Written = append(fact.Written, change.written)
		}
	}
}

// imageSite is a scalar that holds an image.
type imageSite struct {
	node  *yaml.Node
	times int // how often it is reached, and so changed
}

// imagesOfResource are the images in one resource, in the order in which they are
// reached.
type imagesOfResource struct {
	sites   []*imageSite
	refused []refusedImage
	// incomplete is true where a null has to become a list first.
	incomplete bool
}

// refusedImage is a value that was found where an image was looked for.
type refusedImage struct {
	spec fieldSpec
	err  *walkError
}

// imagesIn returns the images of a resource. Where it may be changed, a null at the place
// of a list becomes one.
func imagesIn(r *resource.Resource, specs []fieldSpec, change bool) (found imagesOfResource) {
	sites := map[*yaml.Node]*imageSite{}
	add := func(n *yaml.Node) *walkError {
		if n.Tag == "!!null" && n.Kind == yaml.ScalarNode {
			return nil
		}
		if n.Kind != yaml.ScalarNode {
			return &walkError{n, "an image was expected here, and this is " + selector.DescribeNode(n)}
		}
		if s := sites[n]; s != nil {
			s.times++
			return nil
		}
		sites[n] = &imageSite{node: n, times: 1}
		found.sites = append(found.sites, sites[n])
		return nil
	}
	if err := eachContainerImage(r.Node, add); err != nil {
		found.refused = append(found.refused, refusedImage{fieldSpec{FieldSpec: kustomization.FieldSpec{Path: "containers/image"}}, err})
	}
	never := func(*yaml.Node) bool { return false }
	for _, spec := range specs {
		if !change && leads(r.Node, spec.steps, false, never) {
			found.incomplete = true
			continue
		}
		if err := spec.apply(r.Node, creation{}, add); err != nil {
			found.refused = append(found.refused, refusedImage{spec, err})
		}
	}
	return found
}

// ownImages makes the fields of a resource its own in which images change.
func ownImages(r *resource.Edit, specs []fieldSpec, changes func(string) bool) {
	wanted := func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && changes(n.Value) }
	own := map[string]bool{}
	for _, spec := range specs {
		if leads(r.Node, spec.steps, false, wanted) {
			own[spec.steps[0].name] = true
		}
	}
	if r.Node.Kind != yaml.MappingNode {
		r.Own()
		return
	}
	for i := 0; i+1 < len(r.Node.Content); i += 2 {
		part := yaml.Node{Kind: yaml.MappingNode, Content: r.Node.Content[i : i+2]}
		eachContainerImage(&part, func(n *yaml.Node) *walkError {
			if wanted(n) {
				own[r.Node.Content[i].Value] = true
			}
			return nil
		})
	}
	for name := range own {
		r.OwnField(name)
	}
}

// eachContainerImage calls f for the image of each element of a list under
// containers or initContainers (imagetag.LegacyFilter).
func eachContainerImage(n *yaml.Node, f func(*yaml.Node) *walkError) *walkError {
	switch n.Kind {
	case yaml.SequenceNode:
		for _, element := range n.Content {
			if err := eachContainerImage(element, f); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if err := eachContainerImage(value, f); err != nil {
				return err
			}
			if (key.Value == "containers" || key.Value == "initContainers") && value.Kind == yaml.SequenceNode {
				if err := imagesOf(value, f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func imagesOf(containers *yaml.Node, f func(*yaml.Node) *walkError) *walkError {
	for _, container := range containers.Content {
		if container.Tag == "!!null" {
			continue
		}
		if container.Kind != yaml.MappingNode {
			return &walkError{container, "a container was expected here, and this is " + selector.DescribeNode(container)}
		}
		if _, image := field(container, "image"); image != nil {
			if err := f(image); err != nil {
				return err
			}
		}
	}
	return nil
}

// imagePattern matches images with the entry's name: the name is a regular
// expression from the start, a tag and a digest may follow (image.IsImageMatched).
// It is nil for a name that is none, which matches nothing.
func imagePattern(image kustomization.Image) *regexp.Regexp {
	pattern, err := regexp.Compile("^" + image.Name.Value + `(:[a-zA-Z0-9_.{}-]*)?(@[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$`)
	if err != nil {
		return nil
	}
	return pattern
}

// newImage returns an image with the name, tag and digest of an entry
// (imageTagUpdater.SetImageValue).
func newImage(value string, image kustomization.Image) string {
	name, tag, digest := SplitImage(value)
	if image.NewName.Value != "" {
		name = image.NewName.Value
	}
	newTag, newDigest := image.NewTag.Value, image.Digest.Value
	switch {
	case newTag != "" && newDigest != "":
		tag, digest = newTag, newDigest
	case newTag != "":
		tag, digest = newTag, ""
	case newDigest != "":
		tag, digest = "", newDigest
	case image.TagSuffix.Value != "":
		tag, digest = tag+image.TagSuffix.Value, ""
	}
	if tag != "" {
		name += ":" + tag
	}
	if digest != "" {
		name += "@" + digest
	}
	return name
}

// SplitImage splits an image into name, tag and digest (image.Split).
func SplitImage(value string) (name, tag, digest string) {
	from := max(strings.IndexByte(value, '/'), 0)
	rest := value[from:]
	at, colon := strings.IndexByte(rest, '@'), strings.IndexByte(rest, ':')
	switch {
	case at < 0 && colon < 0:
		return value, "", ""
	case at >= 0 && (colon < 0 || at < colon):
		return value[:from+at], "", strings.TrimPrefix(value[from+at:], "@")
	case at >= 0:
		return value[:from+colon], value[from+colon+1 : from+at], value[from+at+1:]
	}
	return value[:from+colon], value[from+colon+1:], ""
}

func (b *Transformer) reportNoImage(l *trace.Layer, image kustomization.Image, values map[string]bool) {
	if image.Name.Value == "" {
		return
	}
	p := problem.Problem{Code: problem.ImageNoMatch, Node: image.Name.Node, Message: fmt.Sprintf("no image is named %q", image.Name.Value)}
	if !b.MayHaveMeant() {
		b.Report(l, p)
		return
	}
	var names []string
	for _, value := range sortedKeys(values) {
		name, _, _ := SplitImage(value)
		names = append(names, name)
	}
	if near, ok := nearestImage(image.Name.Value, names); ok {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []problem.Fix{{Title: "Change to " + near, New: near}}
	}
	b.Report(l, p)
}

// nearestImage is the image that was most likely meant: one of the same name in
// another registry, else one whose name is much like it. A registry in common makes
// two long names alike, and tells nothing.
func nearestImage(name string, images []string) (string, bool) {
	untagged, _, _ := SplitImage(name)
	last := path.Base(untagged)
	var same, like []string
	slices.Sort(images)
	for _, image := range slices.Compact(images) {
		switch other := path.Base(image); {
		case other == last:
			same = append(same, image)
		case advice.Similar(last, other):
			like = append(like, image)
		}
	}
	if len(same) == 1 && same[0] != name {
		return same[0], true
	}
	return text.Nearest(name, append(same, like...))
}

// SetReplicas is kustomize's ReplicaCountTransformer.
func (b *Transformer) SetReplicas(l *trace.Layer, acc *accumulator.Accumulator, replicas []kustomization.Replica, fields []kustomization.FieldSpec) {
	specs := compile(fields)
	for _, replica := range replicas {
		fact := trace.ReplicaFact{Entry: replica}
		for _, spec := range specs {
			for _, r := range acc.Set.Named(replica.Name.Value) {
				if hasIDOf(r, replica.Name.Value, spec) {
					fact.Targets = append(fact.Targets, r)
					b.setReplicasOf(l, r, replica, spec)
				}
			}
		}
		l.Facts.Replicas = append(l.Facts.Replicas, fact)
		if len(fact.Targets) == 0 && !acc.Unknown {
			b.reportNoReplica(l, acc, replica, specs)
		}
	}
}

func hasIDOf(r *resource.Resource, name string, spec fieldSpec) bool {
	if r.Empty() {
		return false
	}
	return r.AnyID(func(id resource.ID) bool {
		return id.Name == name && id.IsSelected(spec.Group, spec.Version, spec.Kind)
	})
}

func (b *Transformer) setReplicasOf(l *trace.Layer, r *resource.Resource, replica kustomization.Replica, spec fieldSpec) {
	if now := r.ID(); !now.IsSelected(spec.Group, spec.Version, spec.Kind) {
		return
	}
	cause := replica.CountNode
	if cause == nil {
		cause = replica.Node
	}
	b.Change(trace.Step{Layer: l, Transformer: "ReplicaCountTransformer", Entry: replica.Node}, r, func(e *resource.Edit) {
		err := spec.applyTo(e, creation{yaml.ScalarNode, "!!int"}, func(n *yaml.Node) *walkError {
			return setScalar(n, fmt.Sprint(replica.Count), "!!int", cause)
		})
		if err != nil {
			b.reportWalk(l, replica.Node, r, spec, err)
		}
	})
}

func (b *Transformer) reportNoReplica(l *trace.Layer, acc *accumulator.Accumulator, replica kustomization.Replica, specs []fieldSpec) {
	p := problem.Problem{Code: problem.ReplicaNoMatch, Fatal: true, Node: replica.Name.Node,
		Message: fmt.Sprintf("no resource with replicas is named %q", replica.Name.Value)}
	if p.Node == nil {
		p.Node = replica.Node
	}
	if !b.MayHaveMeant() {
		b.Report(l, p)
		return
	}
	var names []string
	for _, r := range acc.Set.List() {
		for _, spec := range specs {
			if hasIDOf(r, r.OriginalID().Name, spec) {
				names = append(names, r.OriginalID().Name)
			}
		}
	}
	if near, ok := text.Nearest(replica.Name.Value, names); ok {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []problem.Fix{{Title: "Change to " + near, New: near}}
	}
	b.Report(l, p)
}
