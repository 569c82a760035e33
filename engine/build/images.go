package build

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// setImages is kustomize's ImageTagTransformer: for each entry first every
// "image" in a list named containers or initContainers, wherever it stands, then
// the configured fields (api/filters/imagetag).
func (b *builder) setImages(l *Layer, acc *accumulator, images []kustomization.Image, fields []kustomization.FieldSpec) {
	if len(images) == 0 {
		return
	}
	patterns := make([]*regexp.Regexp, len(images))
	for i, image := range images {
		patterns[i] = imagePattern(image)
	}
	sites := b.imageSites(l, acc, images[0].Node, fields, matchesAny(patterns))
	for i, image := range images {
		fact := ImageFact{Entry: image}
		pattern := patterns[i]
		for _, s := range sites.matching(pattern) {
			after := b.record(Step{l, "ImageTagTransformer", image.Node}, s.resource)
			fact.Nodes, fact.Resources = append(fact.Nodes, s.node), append(fact.Resources, s.resource)
			if b.options.Analyze {
				fact.Written = append(fact.Written, syntax.Copy(s.node))
			}
			sites.change(s, image, pattern)
			after()
		}
		l.Facts.Images = append(l.Facts.Images, fact)
		if len(fact.Nodes) == 0 && !acc.unknown {
			b.reportNoImage(l, image, sites)
		}
	}
}

// matchesAny returns a function that tells of a text whether any of the patterns
// matches it, and looks at each text once.
func matchesAny(patterns []*regexp.Regexp) func(string) bool {
	known := map[string]bool{}
	return func(text string) bool {
		matched, ok := known[text]
		if !ok {
			matched = slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p != nil && p.MatchString(text) })
			known[text] = matched
		}
		return matched
	}
}

// imageSite is a scalar that holds an image.
type imageSite struct {
	resource *resource.Resource
	node     *yaml.Node
	value    string // under which it is indexed
	times    int    // how often it is reached, and so changed
}

// imageSites are all images of the resources, by their text: an entry looks at
// each distinct text once.
type imageSites map[string][]*imageSite

// changes tells of a text whether it is going to be changed; who holds one is made
// the resource's own before.
func (b *builder) imageSites(l *Layer, acc *accumulator, entry *yaml.Node, fields []kustomization.FieldSpec, changes func(image string) bool) imageSites {
	sites := imageSites{}
	specs := newSpecs(fields)
	resources := acc.set.List()
	of := make([][]fieldSpec, len(resources))
	for i, r := range resources {
		of[i] = specs.of(r.ID())
	}
	read := make([]imagesOfResource, len(resources))
	onAllCores(len(resources), func(i int) {
		if resources[i].ID().Kind != "CustomResourceDefinition" {
			read[i].found, read[i].refused = imagesIn(resources[i], of[i])
		}
	})
	for i, r := range resources {
		found, refused, of := read[i].found, read[i].refused, of[i]
		if slices.ContainsFunc(found, func(s *imageSite) bool { return changes(s.value) }) {
			ownImages(r, of, changes)
			found, refused = imagesIn(r, of)
		}
		for _, s := range found {
			sites[s.value] = append(sites[s.value], s)
		}
		for _, p := range refused {
			b.reportWalk(l, entry, r, p.spec, p.err)
		}
	}
	return sites
}

// imagesOfResource are the images in one resource.
type imagesOfResource struct {
	found   []*imageSite
	refused []refusedImage
}

// refusedImage is a value that was found where an image was looked for.
type refusedImage struct {
	spec fieldSpec
	err  *walkError
}

// imagesIn returns the images of a resource in the order in which they are reached.
func imagesIn(r *resource.Resource, specs []fieldSpec) (found []*imageSite, refused []refusedImage) {
	add := func(n *yaml.Node) *walkError {
		if n.Tag == "!!null" && n.Kind == yaml.ScalarNode {
			return nil
		}
		if n.Kind != yaml.ScalarNode {
			return &walkError{n, "an image was expected here, and this is " + describeNode(n)}
		}
		for _, s := range found {
			if s.node == n {
				s.times++
				return nil
			}
		}
		found = append(found, &imageSite{resource: r, node: n, value: n.Value, times: 1})
		return nil
	}
	if err := eachContainerImage(r.Node, add); err != nil {
		refused = append(refused, refusedImage{fieldSpec{FieldSpec: kustomization.FieldSpec{Path: "containers/image"}}, err})
	}
	never := func(*yaml.Node) bool { return false }
	for _, spec := range specs {
		if leads(r.Node, spec.steps, false, never) { // a null becomes a list
			r.OwnField(spec.steps[0].name)
		}
		if err := spec.apply(r.Node, creation{}, add); err != nil {
			refused = append(refused, refusedImage{spec, err})
		}
	}
	return found, refused
}

// ownImages makes the fields of a resource its own in which images change.
func ownImages(r *resource.Resource, specs []fieldSpec, changes func(string) bool) {
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
			return &walkError{container, "a container was expected here, and this is " + describeNode(container)}
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

// matching returns the sites whose image the pattern matches.
func (sites imageSites) matching(pattern *regexp.Regexp) []*imageSite {
	if pattern == nil {
		return nil
	}
	prefix, _ := pattern.LiteralPrefix()
	var found []*imageSite
	for _, value := range sortedKeys(sites) {
		if strings.HasPrefix(value, prefix) && pattern.MatchString(value) {
			found = append(found, sites[value]...)
		}
	}
	return found
}

// change changes an image as often as kustomize does, which shows in a tagSuffix.
func (sites imageSites) change(s *imageSite, image kustomization.Image, pattern *regexp.Regexp) {
	for i := 0; i < s.times && pattern.MatchString(s.node.Value); i++ {
		setScalar(s.node, newImage(s.node.Value, image), "", image.Node)
	}
	if s.node.Value != s.value {
		list := sites[s.value]
		for i, other := range list {
			if other == s {
				list = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		sites[s.value] = list
		if len(list) == 0 {
			delete(sites, s.value)
		}
		s.value = s.node.Value
		sites[s.value] = append(sites[s.value], s)
	}
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

func (b *builder) reportNoImage(l *Layer, image kustomization.Image, sites imageSites) {
	if image.Name.Value == "" {
		return
	}
	p := Problem{Code: NoSuchImage, Node: image.Name.Node, Message: fmt.Sprintf("no image is named %q", image.Name.Value)}
	var names []string
	for _, value := range sortedKeys(sites) {
		name, _, _ := SplitImage(value)
		names = append(names, name)
	}
	if near, ok := nearestImage(image.Name.Value, names); ok {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []Fix{{Title: "Change to " + near, New: near}}
	}
	b.report(l, p)
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
		case similar(last, other):
			like = append(like, image)
		}
	}
	if len(same) == 1 && same[0] != name {
		return same[0], true
	}
	return text.Nearest(name, append(same, like...))
}

// setReplicas is kustomize's ReplicaCountTransformer.
func (b *builder) setReplicas(l *Layer, acc *accumulator, replicas []kustomization.Replica, fields []kustomization.FieldSpec) {
	specs := compile(fields)
	for _, replica := range replicas {
		fact := ReplicaFact{Entry: replica}
		for _, spec := range specs {
			for _, r := range acc.set.Named(replica.Name.Value) {
				if hasIDOf(r, replica.Name.Value, spec) {
					fact.Targets = append(fact.Targets, r)
					b.setReplicasOf(l, acc, r, replica, spec)
				}
			}
		}
		l.Facts.Replicas = append(l.Facts.Replicas, fact)
		if len(fact.Targets) == 0 && !acc.unknown {
			b.reportNoReplica(l, acc, replica, specs)
		}
	}
}

func hasIDOf(r *resource.Resource, name string, spec fieldSpec) bool {
	if r.Empty() {
		return false
	}
	for _, id := range r.AllIDs() {
		if id.Name == name && id.IsSelected(spec.Group, spec.Version, spec.Kind) {
			return true
		}
	}
	return false
}

func (b *builder) setReplicasOf(l *Layer, acc *accumulator, r *resource.Resource, replica kustomization.Replica, spec fieldSpec) {
	if now := r.ID(); !now.IsSelected(spec.Group, spec.Version, spec.Kind) {
		return
	}
	after := b.record(Step{l, "ReplicaCountTransformer", replica.Node}, r)
	defer after()
	cause := replica.CountNode
	if cause == nil {
		cause = replica.Node
	}
	err := spec.applyTo(r, creation{yaml.ScalarNode, "!!int"}, func(n *yaml.Node) *walkError {
		return setScalar(n, fmt.Sprint(replica.Count), "!!int", cause)
	})
	if err != nil {
		b.reportWalk(l, replica.Node, r, spec, err)
	}
	if spec.isIdentity() {
		r.Changed()
		acc.set.Update(r)
	}
}

func (b *builder) reportNoReplica(l *Layer, acc *accumulator, replica kustomization.Replica, specs []fieldSpec) {
	p := Problem{Code: NoSuchReplica, Fatal: true, Node: replica.Name.Node,
		Message: fmt.Sprintf("nothing that has replicas is named %q", replica.Name.Value)}
	if p.Node == nil {
		p.Node = replica.Node
	}
	var names []string
	for _, r := range acc.set.List() {
		for _, spec := range specs {
			if hasIDOf(r, r.OriginalID().Name, spec) {
				names = append(names, r.OriginalID().Name)
			}
		}
	}
	if near, ok := text.Nearest(replica.Name.Value, names); ok {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		p.Fixes = []Fix{{Title: "Change to " + near, New: near}}
	}
	b.report(l, p)
}
