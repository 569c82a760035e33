// Package trace has what a build records: its layers, the facts about what their entries did, and the steps that changed
// resources. Diagnostics, hovers and previews are views of it.
package trace

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Layer is one kustomization in the tree of a build. A folder that is included
// twice makes two layers.
type Layer struct {
	// Dir is the folder, absolute and without symbolic links; Path the
	// kustomization file in it.
	Dir, Path string
	File      text.FileID
	// Kustomization is never nil; a file that cannot be read gives an empty one.
	Kustomization *kustomization.Kustomization
	// Parent is the layer that includes this one, Entry the node of its entry.
	Parent *Layer
	Entry  *yaml.Node
	// Component is true where it was included as a component.
	Component bool
	// Origin is the folder as origin annotations name it; nil where the build
	// does not write them.
	Origin *resource.Origin
	// Repository is what Entry names where that is a git repository; nil for a
	// folder. Clone is the folder, without symbolic links, of the repository that
	// Dir lies in; empty outside of one. kustomize never lets a kustomization in a
	// clone read what lies outside its own folder, whatever the load restrictor.
	Repository *gitrepo.URL
	Clone      string

	Facts Facts

	// losesResources and losesFields say what could not be read of the file.
	LosesResources, LosesFields bool
	// Half are the entries of the file that are left out.
	Half map[*yaml.Node]bool
}

// Included calls yield for the layer and those that include it, the nearest first.
// It ends at a repository: kustomize clones into a folder of its own each time, so
// that no folder outside can be met again.
func (l *Layer) Included(yield func(*Layer) bool) {
	for up := l; up != nil && yield(up); up = up.Parent {
		if up.Repository != nil {
			return
		}
	}
}

// ChildOrigin is the origin of a folder, file or repository that a layer names
// (resource.Origin.Append).
func ChildOrigin(l *Layer, path string) *resource.Origin {
	if l.Origin == nil {
		return nil
	}
	o := *l.Origin
	if r, ok := gitrepo.Parse(path); ok {
		o.Repo, o.Ref, o.Path = r.Clone, r.Ref, ""
		if path = filepath.Join("/", r.Path)[1:]; path == "" {
			path = "notCloned" // what kustomize writes for a repository's own folder
		}
	}
	o.Path = filepath.Join(o.Path, path)
	return &o
}
