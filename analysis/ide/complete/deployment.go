package complete

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// completeDeployment suggests what a Flux Kustomization can name: folders, components,
// other deployments, sources, variables that what it renders asks for, and resources that
// it renders. It returns false where the slot is in something else.
func (c *completer) completeDeployment() bool {
	if kind := syntax.FieldText(c.slot.Root, "kind"); kind != "Kustomization" ||
		!strings.HasPrefix(syntax.FieldText(c.slot.Root, "apiVersion"), deployment.FluxGroup) {
		return false
	}
	set, err := c.view.Deployments(c.ctx, c.file)
	if err != nil {
		c.err = err
		return true
	}
	d := deploymentCompleter{completer: c, set: set, of: c.deploymentHere(set)}
	before := len(c.choices)
	d.complete()
	return len(c.choices) > before
}

// deploymentHere returns the deployment of the object that the slot is in; nil where it is
// not known, as while its name is typed.
func (c *completer) deploymentHere(set *deployment.Set) *deployment.Deployment {
	metadata := syntax.Lookup(c.slot.Root, "metadata", "name")
	for _, d := range set.Deployments {
		if p, _ := d.PathOf(c.view.Session()); p == c.file && metadata != nil && d.ID.Name == metadata.Value {
			return d
		}
	}
	return nil
}

type deploymentCompleter struct {
	*completer
	set *deployment.Set
	of  *deployment.Deployment // nil where it is not known
}

func (d *deploymentCompleter) complete() {
	way, value := d.way()
	if len(way) < 2 || way[0] != "spec" {
		return
	}
	switch at := strings.Join(way[1:], "."); {
	case at == "path" && value:
		d.folders(d.set.Root, true)
	case at == "components.0" && value:
		if dir := d.dir(); dir != "" {
			d.folders(dir, false)
		}
	case at == "dependsOn.0.name" && value:
		d.others(d.sibling("namespace"))
	case at == "dependsOn.0.namespace" && value:
		for _, other := range d.set.Deployments {
			d.add(choice{label: other.ID.Namespace, value: other.ID.Namespace, kind: SuggestResource})
		}
	case at == "sourceRef.name" && value:
		for _, other := range d.set.Deployments {
			if other == d.of {
				continue
			}
			if kind := d.sibling("kind"); kind == "" || kind == other.Source.ID.Kind {
				d.add(choice{label: other.Source.ID.Name, value: other.Source.ID.Name, kind: SuggestResource, detail: other.Source.ID.Kind})
			}
		}
	case strings.HasPrefix(at, "patches.0.target.") && value:
		d.targets(way[len(way)-1])
	case at == "postBuild.substitute" && d.slot.OnKey:
		d.variables()
	case at == "postBuild.substituteFrom.0.name" && value:
		d.suppliers()
	}
}

// dir is the folder that the object deploys, as it stands in the text.
func (d *deploymentCompleter) dir() string {
	if d.of != nil && d.of.Dir != "" {
		return d.of.Dir
	}
	if n := syntax.Lookup(d.slot.Root, "spec", "path"); n != nil {
		return filepath.Join(d.set.Root, filepath.FromSlash(n.Value))
	}
	return ""
}

// folders suggests folders: for a path those with a kustomization or resources, else
// components.
func (d *deploymentCompleter) folders(base string, forPath bool) {
	typed := d.slot.Typed
	folder := typed[:strings.LastIndexByte(typed, '/')+1]
	if folder == "" && forPath {
		folder = "./"
	}
	entries, err := d.view.Files().ReadDir(filepath.Join(base, filepath.FromSlash(folder)))
	if err != nil {
		return
	}
	if !forPath && strings.Trim(strings.ReplaceAll(folder, "../", ""), "./") == "" {
		d.add(choice{label: folder + "../", value: folder + "../", kind: SuggestFolder, rank: 50})
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := folder + e.Name()
		isComponent, has := d.kustomizationIn(filepath.Join(base, filepath.FromSlash(name)))
		switch {
		case has && isComponent != forPath:
			d.add(choice{label: name, value: name, kind: SuggestFolder})
		case forPath && !has && d.holdsYAML(filepath.Join(base, filepath.FromSlash(name))):
			d.add(choice{label: name, value: name, kind: SuggestFolder, detail: "without a kustomization", rank: 10})
		default:
			d.add(choice{label: name + "/", value: name + "/", kind: SuggestFolder, rank: 30})
		}
	}
}

func (d *deploymentCompleter) holdsYAML(dir string) bool {
	entries, err := d.view.Files().ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && isYAML(e.Name()) })
}

// others suggests deployments to depend on: those of the namespace, else all with a name
// that is not the object's own.
func (d *deploymentCompleter) others(namespace string) {
	if namespace == "" && d.of != nil {
		namespace = d.of.ID.Namespace
	}
	for _, other := range d.set.Deployments {
		if d.of != nil && other.ID == d.of.ID || namespace != "" && other.ID.Namespace != namespace {
			continue
		}
		d.add(choice{label: other.ID.Name, value: other.ID.Name, kind: SuggestResource, detail: other.Path.Value})
	}
}

// targets suggests what the deployment renders for a field of a patch's target.
func (d *deploymentCompleter) targets(field string) {
	for _, r := range d.resources() {
		id := r.ID()
		if kind := d.sibling("kind"); field == "name" && kind != "" && kind != id.Kind {
			continue
		}
		value := map[string]string{"kind": id.Kind, "name": id.Name, "group": id.Group, "version": id.Version, "namespace": id.Namespace}[field]
		d.add(choice{label: value, value: value, kind: SuggestResource})
	}
}

// resources are those that the folder of the object builds to: with its options or, where
// the text of the object cannot be read while it is typed, without.
func (d *deploymentCompleter) resources() []*resource.Resource {
	if d.of != nil && d.of.Build != nil {
		return d.of.Build.Resources
	}
	roots, err := d.view.Roots(d.ctx)
	if err != nil || roots[d.dir()] == nil {
		d.err = err
		return nil
	}
	b, err := d.view.Build(d.ctx, roots[d.dir()])
	if err != nil {
		d.err = err
		return nil
	}
	result, err := d.view.Trace(d.ctx, b)
	if err != nil || result == nil {
		d.err = err
		return nil
	}
	return result.Resources
}

// variables suggests names that what is rendered asks for and that nothing supplies, and
// then the others.
func (d *deploymentCompleter) variables() {
	for _, name := range deployment.Wanted(d.resources()) {
		if d.has(name) {
			continue
		}
		ch := choice{label: name, kind: SuggestKey, detail: "nothing supplies it", key: true, shape: scalarShape}
		if d.of != nil && d.of.Variable(name) != nil {
			ch.rank, ch.detail = 20, "supplied by "+d.of.Variable(name).From
		}
		d.add(ch)
	}
}

// suppliers suggests ConfigMaps and Secrets of the namespace that deployments render.
func (d *deploymentCompleter) suppliers() {
	for _, other := range d.set.Deployments {
		for _, out := range other.Outputs {
			id := out.ID()
			if id.Group != "" || id.Kind != d.sibling("kind") || d.of != nil && id.Namespace != d.of.ID.Namespace {
				continue
			}
			d.add(choice{label: id.Name, value: id.Name, kind: SuggestResource, detail: path.Join(id.Kind, id.Namespace)})
		}
	}
}
