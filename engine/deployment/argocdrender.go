package deployment

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/applicationset"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// ApplicationSource is a source of an Application.
type ApplicationSource struct {
	URL  string
	Path kustomization.Text
	// Chart is that of a helm repository; IsReference says that only values files are taken from it.
	Chart       string
	IsReference bool
	// Dir is the folder on this machine, absolute; empty where it is not known.
	Dir string

	node *yaml.Node
}

// render renders all sources of an Application, one after the other.
func (a argoCD) render(s *search, d *Deployment) (ready bool, err error) {
	d.Problems, d.Outputs, d.Build, d.Builds, d.Reason, d.Verdict = nil, nil, nil, nil, "", Exact
	d.reads = vfs.NewReads()
	if d.ID.Kind == "ApplicationSet" {
		a.renderSet(s, d)
		return true, nil
	}
	var unknown []string
	rendered := false
	for i := range d.Sources {
		source := &d.Sources[i]
		if source.IsReference {
			continue
		}
		reason, err := a.renderSource(s, d, source)
		if err != nil {
			return true, err
		}
		switch {
		case d.Verdict == Fails:
			d.Outputs = nil
			return true, nil
		case reason != "":
			unknown = append(unknown, reason)
		default:
			rendered = true
		}
	}
	d.deduplicate()
	switch {
	case len(unknown) > 0 && rendered:
		d.Verdict, d.Reason = Partial, unknown[0]
	case len(unknown) > 0:
		d.Verdict, d.Reason, d.Outputs = Unknown, unknown[0], nil
	}
	return true, nil
}

// renderSource adds what one source renders. It returns the reason why that is not known; empty: it is.
func (a argoCD) renderSource(s *search, d *Deployment, source *ApplicationSource) (reason string, err error) {
	if source.Chart != "" {
		return fmt.Sprintf("the chart %s of %s is not in this repository", source.Chart, source.URL), nil
	}
	root, reason, assumption := s.origins.resolveURL(source.URL, source.Path.Value)
	if root == "" {
		return reason, nil
	}
	d.assume(assumption)
	files := s.session.Files()
	if filepath.IsAbs(source.Path.Value) {
		d.fail(builder.Problem{Code: MissingFolder, Node: source.Path.Node, Message: "the path is absolute",
			Help: "the path of a source is relative to the root of the repository"})
		return "", nil
	}
	source.Dir = s.origins.join(root, source.Path.Value)
	if !isFolder(files, source.Dir) || !vfs.Below(root, realPath(files, source.Dir)) {
		a.failMissing(s, d, source, root)
		return "", nil
	}
	source.Dir = realPath(files, source.Dir)
	if d.Dir == "" || source.Path.Node == d.Path.Node {
		d.Dir = source.Dir
	}
	node := a.withOverrides(s, d, source)
	kind, reason := a.kindOf(s, d, source, node)
	switch {
	case d.Verdict == Fails || reason != "":
		return reason, nil
	case kind == "directory":
		return a.renderDirectory(s, d, source, node)
	}
	return a.renderKustomize(s, d, source, node)
}

// assume notes what had to be taken for true, once.
func (d *Deployment) assume(assumption string) {
	if assumption != "" && !slices.Contains(d.Assumptions, assumption) {
		d.Assumptions = append(d.Assumptions, assumption)
	}
}

func (a argoCD) failMissing(s *search, d *Deployment, source *ApplicationSource, root string) {
	p := builder.Problem{Code: MissingFolder, Node: orNode(source.Path.Node, nameOf(d)),
		Message: fmt.Sprintf("the folder %s does not exist", orRoot(source.Path.Value)),
		Help:    "the path of a source is relative to the root of the repository"}
	if near := nearestFolder(s.session.Files(), root, source.Path.Value); near != "" {
		p.Help = "did you mean " + near + "?"
		if d.Set == nil {
			p.Fixes = []builder.Fix{{Title: "Change to " + near, New: near}}
		}
	}
	d.fail(p)
}

// withOverrides merges .argocd-source.yaml and .argocd-source-NAME.yaml of the folder over the source, as JSON merge
// patches. What the source is taken from stays.
func (a argoCD) withOverrides(s *search, d *Deployment, source *ApplicationSource) *yaml.Node {
	node := source.node
	for _, name := range []string{".argocd-source.yaml", ".argocd-source-" + d.ID.Name + ".yaml"} {
		f, err := vfs.Record(s.session.Files(), d.reads).ReadFile(filepath.Join(source.Dir, name))
		if err != nil {
			continue
		}
		var document yaml.Node
		if err := yaml.Unmarshal(f.Data, &document); err != nil {
			d.fail(builder.Problem{Code: Unreadable, File: s.session.FileID(f), Message: fmt.Sprintf("%s is not YAML: %s", name, err)})
			return node
		}
		if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
			continue
		}
		placeIn(document.Content[0], s.session.FileID(f))
		patch := *document.Content[0]
		patch.Content = nil
		for i := 0; i+1 < len(document.Content[0].Content); i += 2 {
			key := document.Content[0].Content[i]
			if !slices.Contains([]string{"chart", "path", "repoURL", "targetRevision"}, key.Value) {
				patch.Content = append(patch.Content, key, document.Content[0].Content[i+1])
			}
		}
		node = applicationset.MergePatch(node, &patch)
	}
	return node
}

// placeIn makes nodes that were read from a file carry its place.
func placeIn(n *yaml.Node, file text.FileID) {
	syntax.SetPlace(n, file, n.Line, n.Column)
	for _, child := range n.Content {
		placeIn(child, file)
	}
}

// kindOf says what Argo CD takes a source for: what the Application says, else by the files that are in the folder.
func (a argoCD) kindOf(s *search, d *Deployment, source *ApplicationSource, node *yaml.Node) (kind, reason string) {
	files := vfs.Record(s.session.Files(), d.reads)
	var explicit []string
	for _, field := range []string{"helm", "kustomize", "directory", "plugin"} {
		if _, n := syntax.Field(node, field); !isNull(n) && len(n.Content) > 0 {
			explicit = append(explicit, field)
		}
	}
	if len(explicit) > 1 {
		_, n := syntax.Field(node, explicit[1])
		d.fail(builder.Problem{Code: MalformedObject, Node: orNode(n, nameOf(d)), Message: fmt.Sprintf("a source is %s or %s, not both", explicit[0], explicit[1]),
			Help: "keep one of them; Application sources of several kinds go under spec.sources"})
		return "", ""
	}
	switch {
	case len(explicit) == 1:
		kind = explicit[0]
	case hasKustomization(files, source.Dir):
		kind = "kustomize"
	case isRegular(files, filepath.Join(source.Dir, "Chart.yaml")):
		kind = "helm"
	default:
		kind = "directory"
	}
	switch kind {
	case "helm":
		return kind, fmt.Sprintf("%s is a helm chart, which is not rendered", orRoot(source.Path.Value))
	case "plugin":
		return kind, "a plugin of Argo CD renders it"
	}
	return kind, ""
}

// renderKustomize builds the folder with the options of the Application.
func (a argoCD) renderKustomize(s *search, d *Deployment, source *ApplicationSource, node *yaml.Node) (reason string, err error) {
	_, in := syntax.Field(node, "kustomize")
	options := &argoOptions{spec: &spec{node: in}, deployment: d, source: *source}
	build := s.checkout.argoConfig.buildOptions()
	build.Analyze, build.Within, build.Overlay = s.settings.Analyze, s.set.Root, options.overlay()
	d.assume(s.checkout.argoConfig.assumption(s.session))
	if version := value(in, "version").Value; version != "" {
		d.assume(fmt.Sprintf("kustomize %s renders as v5.8.2 does", version))
	}
	result, err := s.session.Build(s.ctx, source.Dir, build)
	if err != nil {
		return "", err
	}
	if d.Build == nil {
		d.Build, d.Options = result, build
	} else {
		d.Builds = append(d.Builds, result)
	}
	for _, p := range result.Problems {
		if p.Fatal && d.Verdict != Fails {
			d.Verdict, d.Reason = Fails, p.Message
		}
	}
	switch {
	case d.Verdict == Fails:
		return "", nil
	case slices.ContainsFunc(result.Problems, func(p builder.Problem) bool { return p.Code == problem.ExternalNotRun }):
		return "it includes a helm chart or a function, which was not run", nil
	case result.Unknown:
		return "it includes what is not in this repository and was not loaded", nil
	case options.unknownVariable != "":
		reason = fmt.Sprintf("${%s} is known only to Argo CD", options.unknownVariable)
	}
	for _, r := range result.Resources {
		d.Outputs = append(d.Outputs, d.filled(&Output{Resource: r, Before: r}))
	}
	if reason != "" { // the places where it stands are visible
		d.Verdict, d.Reason = Partial, reason
	}
	return "", nil
}

// filled returns an output in the namespace of the destination, if it has none and needs one. The namespace of one that is
// cluster-scoped, which Argo CD ignores, stays visible.
func (d *Deployment) filled(out *Output) *Output {
	id, namespace := out.ID(), d.DestinationNamespace
	if id.ClusterScoped || id.Namespace != "" || namespace == "" {
		return out
	}
	node := *out.Node
	node.Content = slices.Clone(out.Node.Content)
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != "metadata" || node.Content[i+1].Kind != yaml.MappingNode {
			continue
		}
		metadata := *node.Content[i+1]
		metadata.Content = slices.Clone(metadata.Content)
		node.Content[i+1] = &metadata
		value := scalar("!!str", namespace)
		if n := syntax.Lookup(d.Object.Node, "spec", "destination", "namespace"); n != nil {
			syntax.CopyPlace(value, n)
		}
		if _, empty := syntax.Field(&metadata, "namespace"); empty != nil { // null or an empty text
			metadata.Content[slices.Index(metadata.Content, empty)] = value
			continue
		}
		metadata.Content = append(metadata.Content, scalar("!!str", "namespace"), value)
	}
	return &Output{Resource: &resource.Resource{Node: &node, Entry: out.Entry, Named: out.Named, Origin: out.Origin, Schema: out.Schema}, Before: out.Before,
		filled: true}
}

// unfill takes back the namespace of objects that a CustomResourceDefinition of some deployment makes cluster-scoped.
func (s *search) unfill() {
	type kind struct{ group, kind string }
	scoped := map[kind]bool{}
	for _, d := range s.known {
		for _, out := range d.Outputs {
			if id := out.ID(); id.Kind == "CustomResourceDefinition" && value(out.Node, "spec", "scope").Value == "Cluster" {
				scoped[kind{value(out.Node, "spec", "group").Value, value(out.Node, "spec", "names", "kind").Value}] = true
			}
		}
	}
	if len(scoped) == 0 {
		return
	}
	for _, d := range s.known {
		for i, out := range d.Outputs {
			if id := out.ID(); out.filled && scoped[kind{id.Group, id.Kind}] {
				d.Outputs[i] = &Output{Resource: out.Before, Before: out.Before}
			}
		}
	}
}

// deduplicate leaves the last of outputs that are one object.
func (d *Deployment) deduplicate() {
	type object struct{ group, kind, namespace, name string }
	last := map[object]int{}
	for i, out := range d.Outputs {
		id := out.ID()
		last[object{id.Group, id.Kind, id.Namespace, id.Name}] = i
	}
	if len(last) == len(d.Outputs) {
		return
	}
	var left []*Output
	for i, out := range d.Outputs {
		id := out.ID()
		if last[object{id.Group, id.Kind, id.Namespace, id.Name}] == i {
			left = append(left, out)
		}
	}
	d.Outputs = left
}

// renderDirectory adds the objects in the files of a folder (findManifests of Argo CD's reposerver).
func (a argoCD) renderDirectory(s *search, d *Deployment, source *ApplicationSource, node *yaml.Node) (reason string, err error) {
	_, in := syntax.Field(node, "directory")
	w := &manifests{search: s, deployment: d, root: source.Dir, recurse: isTrue(in, "recurse"), include: value(in, "include").Value, exclude: value(in, "exclude").Value}
	w.folder(source.Dir)
	return w.reason, nil
}

// manifests reads the files of a Directory source.
type manifests struct {
	search           *search
	deployment       *Deployment
	root             string
	recurse          bool
	include, exclude string
	reason           string
}

func (w *manifests) files() vfs.Recording {
	return vfs.Record(w.search.session.Files(), w.deployment.reads)
}

func (w *manifests) folder(dir string) {
	entries, err := w.files().ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if w.recurse {
				w.folder(full)
			}
			continue
		}
		short, err := filepath.Rel(w.root, full)
		if err != nil {
			continue
		}
		short = filepath.ToSlash(short)
		switch ext := filepath.Ext(e.Name()); {
		case !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonnet"}, ext):
		case w.exclude != "" && matchesGlob(w.exclude, short), w.include != "" && !matchesGlob(w.include, short):
		case !vfs.Below(w.search.set.Root, realPath(w.search.session.Files(), full)):
		case ext == ".jsonnet":
			w.reason = short + " is written in Jsonnet, which kls does not run"
		default:
			w.file(full)
		}
	}
}

func (w *manifests) file(path string) {
	f, err := w.files().ReadFile(path)
	if err != nil {
		return
	}
	for _, object := range w.search.session.Objects(f) {
		if id := object.ID(); id.Kind != "" && id.Name != "" {
			w.deployment.Outputs = append(w.deployment.Outputs, w.deployment.filled(&Output{Resource: object, Before: object}))
		}
	}
}

// matchesGlob matches as github.com/gobwas/glob without separators: * goes over slashes, {a,b} is either.
func matchesGlob(pattern, name string) bool {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return applicationset.Wildmatch(pattern, name)
	}
	end := strings.IndexByte(pattern[open:], '}')
	if end < 0 {
		return false
	}
	const most = 64 // alternatives
	for i, one := range strings.Split(pattern[open+1:open+end], ",") {
		if i < most && matchesGlob(pattern[:open]+one+pattern[open+end+1:], name) {
			return true
		}
	}
	return false
}

// argoConfig is what the ConfigMaps argocd-cm of the repository say.
type argoConfig struct {
	objects []*resource.Resource
}

// flags returns kustomize.buildOptions, and the object that they stand in.
func (c *argoConfig) flags() (flags []string, from *resource.Resource) {
	for _, object := range c.objects {
		if options := value(object.Node, "data", "kustomize.buildOptions").Value; options != "" {
			return strings.Fields(options), object
		}
	}
	return nil, nil
}

func (c *argoConfig) buildOptions() builder.Options {
	options := builder.Options{}
	flags, _ := c.flags()
	for i, flag := range flags {
		name, val, has := strings.Cut(flag, "=")
		if !has && i+1 < len(flags) {
			val = flags[i+1]
		}
		switch name {
		case "--load-restrictor":
			if val == load.NoRestrictions {
				options.LoadRestrictor = load.NoRestrictions
			}
		case "--reorder":
			options.Reorder = val
		case "--enable-managedby-label":
			options.AddManagedByLabel = !has || val == "true"
		}
	}
	return options
}

// assumption says whose build options are used.
func (c *argoConfig) assumption(session *builder.Session) string {
	flags, from := c.flags()
	if from == nil {
		return ""
	}
	_, path, _ := session.NodeSpan(syntax.Lookup(from.Node, "metadata", "name"))
	return fmt.Sprintf("kustomize is run with %s, as argocd-cm in %s says", strings.Join(flags, " "), filepath.Base(path))
}
