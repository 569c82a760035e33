package deployment

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// ArgoGroup is the API group of Argo CD's Applications.
const ArgoGroup = "argoproj.io"

// argoNamespace is where Argo CD is installed, and so where an Application is that names no namespace.
const argoNamespace = "argocd"

// argoCD renders Applications as Argo CD v3 does: it runs `kustomize edit` with the options of the Application, and
// then `kustomize build` (util/kustomize and reposerver/repository of github.com/argoproj/argo-cd).
type argoCD struct{}

func (argoCD) markers() []string { return []string{ArgoGroup} }

func (argoCD) isObject(id resource.ID) bool {
	return id.Group == ArgoGroup && (id.Kind == "Application" || id.Kind == "ApplicationSet")
}

func (a argoCD) deployments(c *checkout, object *resource.Resource) []*Deployment {
	if object.ID().Kind == "ApplicationSet" {
		return a.setDeployments(c, object)
	}
	if d := a.application(object); d != nil {
		return []*Deployment{d}
	}
	return nil
}

// application returns the deployment of an Application; nil for one that is not complete.
func (a argoCD) application(object *resource.Resource) *Deployment {
	_, in := syntax.Field(object.Node, "spec")
	id := object.ID()
	if in == nil || id.Name == "" {
		return nil
	}
	d := &Deployment{ID: ID{"Application", id.Namespace, id.Name}, Object: object, tool: a}
	if d.ID.Namespace == "" {
		d.ID.Namespace = argoNamespace
	}
	for _, source := range applicationSources(in) {
		d.Sources = append(d.Sources, ApplicationSource{URL: value(source, "repoURL").Value, Path: value(source, "path"),
			Chart: value(source, "chart").Value, IsReference: value(source, "ref").Value != "" && value(source, "path").Value == "", node: source})
	}
	if len(d.Sources) == 0 {
		return nil
	}
	main := d.Sources[0]
	if i := slices.IndexFunc(d.Sources, func(s ApplicationSource) bool { return s.Path.Value != "" }); i >= 0 {
		main = d.Sources[i]
	}
	d.Path = main.Path
	d.Source = Source{ID: ID{Name: main.URL}, Node: value(main.node, "repoURL").Node}
	d.DestinationNamespace = value(in, "destination", "namespace").Value
	server, name := value(in, "destination", "server").Value, value(in, "destination", "name").Value
	switch {
	case name != "" && name != "in-cluster":
		d.RemoteCluster = name
	case server != "" && server != "https://kubernetes.default.svc":
		d.RemoteCluster = server
	}
	d.Prune = isTrue(in, "syncPolicy", "automated", "prune")
	return d
}

func applicationSources(spec *yaml.Node) []*yaml.Node {
	if _, list := syntax.Field(spec, "sources"); list != nil && list.Kind == yaml.SequenceNode && len(list.Content) > 0 {
		return slices.DeleteFunc(slices.Clone(list.Content), func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode })
	}
	if _, one := syntax.Field(spec, "source"); one != nil && one.Kind == yaml.MappingNode {
		return []*yaml.Node{one}
	}
	return nil
}

// options are what an Application says about one of its sources of the kind kustomize.
type argoOptions struct {
	*spec
	deployment *Deployment
	source     ApplicationSource
	// unknownVariable is one that stands in an option, and whose value only Argo CD knows.
	unknownVariable string
}

// overlay does what Argo CD does to the kustomization before it builds it.
func (o *argoOptions) overlay() *builder.Overlay {
	if o.node == nil || len(o.node.Content) == 0 {
		return nil
	}
	edit := func(root builder.Root) []builder.Problem {
		k := root.Kustomization
		for field, at := range map[string]*kustomization.Text{"namePrefix": &k.NamePrefix, "nameSuffix": &k.NameSuffix} {
			if t, ok := o.text(o.node, field); ok && t.Value != "" {
				*at = t
			}
		}
		o.setImages(k)
		o.setReplicas(k)
		o.addLabels(k)
		o.addAnnotations(k)
		if t, ok := o.text(o.node, "namespace"); ok && t.Value != "" {
			k.Namespace = t
		}
		o.addPatches(k)
		o.addComponents(root)
		return o.problems
	}
	return &builder.Overlay{Edit: edit, Rewrites: o.edits()}
}

// edits tells whether an option makes Argo CD write the kustomization file anew.
func (o *argoOptions) edits() bool {
	for _, field := range []string{"namePrefix", "nameSuffix", "images", "replicas", "commonLabels", "commonAnnotations", "namespace", "patches", "components"} {
		if _, n := syntax.Field(o.node, field); !isNull(n) && (n.Value != "" || len(n.Content) > 0) {
			return true
		}
	}
	return false
}

// refuse reports what `kustomize edit` refuses.
func (o *argoOptions) refuse(n *yaml.Node, message, help string) {
	o.problems = append(o.problems, builder.Problem{Code: RefusedOption, Fatal: true, Node: n, Message: message, Help: help})
}

var argoVariable = text.Regexp(`\$(?:\$|\{[^}]*\}|[A-Za-z_][A-Za-z0-9_]*)`)

// expanded replaces $NAME and ${NAME} as Argo CD does. The revision is known only to it: such a name stays.
func (o *argoOptions) expanded(s string) string {
	in := syntax.Lookup(o.deployment.Object.Node, "spec")
	known := map[string]string{"ARGOCD_APP_NAME": o.deployment.ID.Name, "ARGOCD_APP_NAMESPACE": o.deployment.DestinationNamespace,
		"ARGOCD_APP_PROJECT_NAME": value(in, "project").Value, "ARGOCD_APP_SOURCE_PATH": o.source.Path.Value,
		"ARGOCD_APP_SOURCE_REPO_URL": o.source.URL, "ARGOCD_APP_SOURCE_TARGET_REVISION": value(o.source.node, "targetRevision").Value}
	return argoVariable().ReplaceAllStringFunc(s, func(found string) string {
		name := strings.Trim(found[1:], "{}")
		switch {
		case found == "$$":
			return "$"
		case strings.HasPrefix(name, "ARGOCD_APP_REVISION"):
			o.unknownVariable = name
			return "${" + name + "}"
		}
		return known[name]
	})
}

// setImages is `kustomize edit set image`: an entry takes the place of the one of its name whole, * keeps what that had,
// and the list is sorted by name.
func (o *argoOptions) setImages(k *kustomization.Kustomization) {
	entries := o.texts(o.node, "images")
	if len(entries) == 0 {
		return
	}
	const keep = "*"
	images := map[string]kustomization.Image{}
	for _, entry := range entries {
		image, ok := parseImage(o.expanded(entry.Value), entry.Node)
		if !ok {
			o.refuse(entry.Node, fmt.Sprintf("%q is not an image that kustomize edit set image takes", entry.Value),
				"write NAME=NEWNAME:NEWTAG, NAME:NEWTAG or NAME@DIGEST")
			return
		}
		images[image.Name.Value] = image
	}
	for _, known := range k.Images {
		image, ok := images[known.Name.Value]
		if !ok {
			images[known.Name.Value] = known
			continue
		}
		for _, part := range []struct {
			at  *kustomization.Text
			was kustomization.Text
		}{{&image.NewName, known.NewName}, {&image.NewTag, known.NewTag}, {&image.Digest, known.Digest}} {
			if part.at.Value == keep {
				*part.at, image.TagSuffix = part.was, kustomization.Text{}
			}
		}
		images[known.Name.Value] = image
	}
	k.Images = nil
	for _, image := range images {
		for _, at := range []*kustomization.Text{&image.NewName, &image.NewTag, &image.Digest} {
			if at.Value == keep {
				*at, image.TagSuffix = kustomization.Text{}, kustomization.Text{}
			}
		}
		k.Images = append(k.Images, image)
	}
	slices.SortFunc(k.Images, func(a, b kustomization.Image) int { return strings.Compare(a.Name.Value, b.Name.Value) })
}

// parseImage reads NAME=NEWNAME:TAG@DIGEST.
func parseImage(arg string, n *yaml.Node) (image kustomization.Image, ok bool) {
	key, rest, renamed := strings.Cut(arg, "=")
	if !renamed {
		key, rest = "", arg
	}
	name, tag, digest := transform.SplitImage(rest)
	if name == arg {
		return image, false
	}
	part := func(value string) kustomization.Text { return kustomization.Text{Value: value, Node: n} }
	image = kustomization.Image{Node: n, Name: part(name), NewTag: part(tag), Digest: part(digest)}
	if key != "" {
		image.Name, image.NewName = part(key), part(name)
	}
	return image, true
}

// setReplicas is `kustomize edit set replicas`.
func (o *argoOptions) setReplicas(k *kustomization.Kustomization) {
	entries := o.objects(o.node, "replicas")
	if len(entries) == 0 {
		return
	}
	replicas := map[string]kustomization.Replica{}
	for _, entry := range entries {
		name, count := value(entry, "name"), value(entry, "count")
		number, err := strconv.ParseInt(count.Value, 10, 64)
		if err != nil || strings.Contains(name.Value, "=") {
			o.refuse(orNode(count.Node, entry), fmt.Sprintf("the count of replicas %q is not a number", name.Value), "write a whole number")
			return
		}
		replicas[name.Value] = kustomization.Replica{Node: entry, Name: name, Count: number, CountNode: count.Node}
	}
	for _, known := range k.Replicas {
		if _, ok := replicas[known.Name.Value]; !ok {
			replicas[known.Name.Value] = known
		}
	}
	k.Replicas = nil
	for _, replica := range replicas {
		k.Replicas = append(k.Replicas, replica)
	}
	slices.SortFunc(k.Replicas, func(a, b kustomization.Replica) int { return strings.Compare(a.Name.Value, b.Name.Value) })
}

// pairs returns a mapping of texts as `kustomize edit add` gets it, as arguments KEY:VALUE; expand says that variables in
// the values are replaced.
func (o *argoOptions) pairs(field string, expand bool) []kustomization.Pair {
	_, n := syntax.Field(o.node, field)
	switch {
	case isNull(n):
		return nil
	case n.Kind != yaml.MappingNode:
		o.wrong(n, field, "a mapping")
		return nil
	}
	var pairs []kustomization.Pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if !isText(v) {
			o.wrong(v, "the value of "+key.Value, "text")
			continue
		}
		val := v.Value
		if expand {
			val = o.expanded(val)
		}
		name, val, _ := strings.Cut(key.Value+":"+val, ":")
		if name == "" {
			o.refuse(key, fmt.Sprintf("an entry of %s has no key", field), "")
			continue
		}
		if len(val) >= 2 && val[0] == '"' && val[len(val)-1] == '"' {
			val = val[1 : len(val)-1]
		}
		pairs = append(pairs, kustomization.Pair{Key: kustomization.Text{Value: name, Node: key}, Value: kustomization.Text{Value: val, Node: v}})
	}
	return pairs
}

// addPairs adds to a sorted list. What is there already is an error, unless it is forced.
func (o *argoOptions) addPairs(to []kustomization.Pair, pairs []kustomization.Pair, kind string, force bool) []kustomization.Pair {
	to = slices.Clone(to)
	for _, p := range pairs {
		at, there := slices.BinarySearchFunc(to, p, func(a, b kustomization.Pair) int { return strings.Compare(a.Key.Value, b.Key.Value) })
		switch {
		case !there:
			to = slices.Insert(to, at, p)
		case force:
			to[at] = p
		default:
			option := "forceCommonLabels"
			if kind == "annotation" {
				option = "forceCommonAnnotations"
			}
			problem := builder.Problem{Code: LabelConflict, Fatal: true, Node: p.Key.Node,
				Message: fmt.Sprintf("the kustomization file has the %s %s already, so Argo CD refuses to add it", kind, p.Key.Value),
				Help:    "set " + option + ": true to override it, or leave it out here"}
			if there := to[at].Key.Node; there != nil && there.Line != 0 {
				problem.Related = []builder.Related{{Node: there, Message: "it is set here"}}
			}
			o.problems = append(o.problems, problem)
		}
	}
	return to
}

// addLabels is `kustomize edit add label`.
func (o *argoOptions) addLabels(k *kustomization.Kustomization) {
	pairs := o.pairs("commonLabels", true)
	force, templates := isTrue(o.node, "forceCommonLabels"), isTrue(o.node, "labelIncludeTemplates")
	switch {
	case len(pairs) == 0:
		return
	case !isTrue(o.node, "labelWithoutSelector"):
		if templates {
			_, n := syntax.Field(o.node, "labelIncludeTemplates")
			o.refuse(n, "labelIncludeTemplates needs labelWithoutSelector", "set labelWithoutSelector: true, or leave this out")
			return
		}
		k.CommonLabels = o.addPairs(k.CommonLabels, pairs, "label", force)
		return
	}
	k.Labels = slices.Clone(k.Labels)
	at := slices.IndexFunc(k.Labels, func(l kustomization.Label) bool { return !l.IncludeSelectors && l.IncludeTemplates == templates })
	if at < 0 {
		_, n := syntax.Field(o.node, "commonLabels")
		at = len(k.Labels)
		k.Labels = append(k.Labels, kustomization.Label{Node: n, IncludeTemplates: templates})
	}
	k.Labels[at].Pairs = o.addPairs(k.Labels[at].Pairs, pairs, "label", force)
}

// addAnnotations is `kustomize edit add annotation`.
func (o *argoOptions) addAnnotations(k *kustomization.Kustomization) {
	if pairs := o.pairs("commonAnnotations", isTrue(o.node, "commonAnnotationsEnvsubst")); len(pairs) > 0 {
		k.CommonAnnotations = o.addPairs(k.CommonAnnotations, pairs, "annotation", isTrue(o.node, "forceCommonAnnotations"))
	}
}

// addPatches appends patches to the file as they are.
func (o *argoOptions) addPatches(k *kustomization.Kustomization) {
	k.Patches = slices.Clip(k.Patches)
	for _, entry := range o.objects(o.node, "patches") {
		p := kustomization.Patch{Node: entry, Target: o.selector(entry)}
		p.Path, _ = o.text(entry, "path")
		p.Patch, _ = o.text(entry, "patch")
		p.Options = kustomization.PatchOptions{AllowNameChange: isTrue(entry, "options", "allowNameChange"), AllowKindChange: isTrue(entry, "options", "allowKindChange")}
		k.Patches = append(k.Patches, p)
	}
}

// addComponents is `kustomize edit add component`. One that is listed already is left out.
func (o *argoOptions) addComponents(root builder.Root) {
	k := root.Kustomization
	k.Components = slices.Clip(k.Components)
	for _, c := range o.texts(o.node, "components") {
		_, err := root.Files.EvalSymlinks(filepath.Join(root.Dir, c.Value))
		switch {
		case err != nil && isTrue(o.node, "ignoreMissingComponents"):
		case err != nil && isLocal(c.Value):
			o.problems = append(o.problems, builder.Problem{Code: MissingComponent, Fatal: true, Node: c.Node,
				Message: fmt.Sprintf("the component %s does not exist", c.Value),
				Help:    "the path is relative to the folder of the source"})
		case !slices.ContainsFunc(k.Components, func(known kustomization.Text) bool { return known.Value == c.Value }):
			k.Components = append(k.Components, c)
		}
	}
}
