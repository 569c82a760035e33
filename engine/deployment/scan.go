package deployment

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/applicationset"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// sourceGroup is the API group of what Flux fetches.
const sourceGroup = "source.toolkit.fluxcd.io"

// checkout is what stands in the files below a folder, as far as it has to do with
// deployments: objects that deploy, and which kustomization lists which file.
type checkout struct {
	session *builder.Session
	tools   []tool
	root    string

	candidates []*candidate
	sources    []*resource.Resource
	// folders are those with a kustomization; listedIn has, by each file and folder that
	// one lists as a resource or component, the folders whose kustomizations do. patches
	// are files that kustomizations use for something else.
	folders  map[string]*kustomization.Kustomization
	listedIn map[string][]string
	patches  map[string]bool

	argoConfig argoConfig
	projects   []*resource.Resource // AppProjects
	origins    *origins
	settings   Settings
	// sets are what the ApplicationSets that were met make; listing is what git generators see.
	sets    map[*resource.Resource]applicationset.Result
	listing *listing
}

// candidate is an object that stands in a file.
type candidate struct {
	object *resource.Resource
	path   string // of the file
	tool   tool
}

func newCheckout(session *builder.Session, root string, tools []tool) *checkout {
	c := &checkout{session: session, tools: tools, root: root, folders: map[string]*kustomization.Kustomization{},
		listedIn: map[string][]string{}, patches: map[string]bool{}, sets: map[*resource.Resource]applicationset.Result{}}
	c.walk(root)
	if len(c.candidates) > 0 {
		c.readKustomizations()
		c.candidates = slices.DeleteFunc(c.candidates, func(x *candidate) bool {
			return c.patches[x.path] && len(c.listedIn[x.path]) == 0
		})
	}
	return c
}

// walk looks for objects in the files of a folder and below. The templates of a chart
// are no objects.
func (c *checkout) walk(dir string) {
	files := c.session.Files()
	entries, err := files.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		switch ext := filepath.Ext(e.Name()); {
		case e.IsDir() && e.Name() == "templates" && isFile(files, filepath.Join(dir, "Chart.yaml")):
		case e.IsDir():
			if !vfs.IsToolFolder(e.Name()) {
				c.walk(full)
			}
		case slices.Contains(kustomization.FileNames(), e.Name()) && c.folders[dir] == nil:
			c.folder(dir, full)
		case ext == ".yaml" || ext == ".yml" || ext == ".json":
			c.file(full)
		}
	}
}

// folder notes a kustomization, unless it is an object of a tool that has its name.
func (c *checkout) folder(dir, path string) {
	f, err := c.session.Files().ReadFile(path)
	if err != nil {
		return
	}
	if k := c.session.Kustomization(f); strings.HasPrefix(k.APIVersion.Value, FluxGroup) {
		c.file(path)
	} else {
		c.folders[dir] = k
	}
}

func (c *checkout) file(path string) {
	f, err := c.session.Files().ReadFile(path)
	if err != nil || !c.isMarked(f.Data) {
		return
	}
	for _, object := range c.session.Objects(f) {
		id := object.ID()
		if id.Group == sourceGroup {
			c.sources = append(c.sources, object)
			continue
		}
		if id.Group == ArgoGroup && id.Kind == "AppProject" {
			c.projects = append(c.projects, object)
		}
		if id.Group == "" && id.Kind == "ConfigMap" && id.Name == argoConfigMap {
			c.argoConfig.objects = append(c.argoConfig.objects, object)
		}
		for _, t := range c.tools {
			if t.isObject(id) {
				c.candidates = append(c.candidates, &candidate{object, path, t})
			}
		}
	}
}

func (c *checkout) isMarked(data []byte) bool {
	return bytes.Contains(data, []byte(argoConfigMap)) || slices.ContainsFunc(c.tools, func(t tool) bool {
		return slices.ContainsFunc(t.markers(), func(marker string) bool { return bytes.Contains(data, []byte(marker)) })
	})
}

func (c *checkout) readKustomizations() {
	for dir, k := range c.folders {
		for _, entry := range slices.Concat(k.Resources, k.Components) {
			if path, ok := local(dir, entry.Value); ok {
				c.listedIn[path] = append(c.listedIn[path], dir)
			}
		}
		for _, p := range slices.Concat(k.Patches, k.PatchesJSON6902) {
			if path, ok := local(dir, p.Path.Value); ok {
				c.patches[path] = true
			}
		}
		for _, entry := range slices.Concat(k.PatchesStrategicMerge, k.Configurations, k.Generators, k.Transformers, k.Validators, k.Crds) {
			if path, ok := local(dir, entry.Value); ok {
				c.patches[path] = true
			}
		}
	}
	for _, dirs := range c.listedIn {
		slices.Sort(dirs)
	}
}

func local(dir, path string) (string, bool) {
	if path == "" || strings.ContainsAny(path, "\n:") {
		return "", false
	}
	return filepath.Join(dir, path), !filepath.IsAbs(path)
}

func isFile(files *vfs.Snapshot, path string) bool {
	isDir, err := files.IsDir(path)
	return err == nil && !isDir
}

func isFolder(files *vfs.Snapshot, path string) bool {
	isDir, err := files.IsDir(path)
	return err == nil && isDir
}
