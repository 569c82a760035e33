package deployment

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// generate makes a kustomization of all that is below a folder without one, as
// kustomize-controller does (Generator.findOrGenerateKustomization). The entries stand
// where the object names the folder.
func generate(root builder.Root, path *yaml.Node) []builder.Problem {
	s := scan{files: root.Files, path: path}
	s.folder(root.Dir, ".")
	if root.Kustomization.Resources = s.resources; len(s.resources) == 0 {
		root.Kustomization.Namespace = kustomization.Text{Value: "_placeholder", Node: path}
	}
	root.Kustomization.FirstBase = len(s.resources)
	return nil
}

type scan struct {
	files     vfs.Recording
	path      *yaml.Node
	resources []kustomization.Text
}

// folder walks in lexical order. A folder with a kustomization is an entry itself.
func (s *scan) folder(dir, relative string) {
	entries, err := s.files.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		full, entry := filepath.Join(dir, e.Name()), relative+"/"+e.Name()
		switch {
		case isLeftOut(e.Name(), e.IsDir()):
		case e.IsDir() && !hasKustomization(s.files, full):
			s.folder(full, entry)
		case e.IsDir() || slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(e.Name())):
			s.resources = append(s.resources, kustomization.Text{Value: entry, Node: s.path})
		}
	}
}

func hasKustomization(files vfs.Recording, dir string) bool {
	return slices.ContainsFunc(kustomization.FileNames(), func(name string) bool {
		return isRegular(files, filepath.Join(dir, name))
	})
}

func isRegular(files vfs.Recording, path string) bool {
	isDir, err := files.IsDir(path)
	return err == nil && !isDir
}

// isLeftOut tells of what source-controller leaves out of an artifact by default
// (sourceignore.ExcludeVCS, ExcludeCI and ExcludeExtra of github.com/fluxcd/pkg).
func isLeftOut(name string, isDir bool) bool {
	if isDir {
		return slices.Contains([]string{".git", ".github", ".circleci"}, name)
	}
	switch name {
	case ".travis.yml", ".gitlab-ci.yml", "appveyor.yml", ".drone.yml", "cloudbuild.yaml", "codeship-services.yml",
		"codeship-steps.yml", ".goreleaser.yml", ".sops.yaml", ".flux.yaml":
		return true
	}
	return strings.HasPrefix(name, ".git")
}
