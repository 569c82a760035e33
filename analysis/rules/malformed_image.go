package rules

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules/pods"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

func checkMalformedImage(p *analysis.Pass) {
	type malformed struct{}
	for _, r := range p.Result.Resources {
		for _, node := range r.Note(malformed{}, func() any { return malformedImages(r) }).([]*yaml.Node) {
			problem := builder.Problem{Node: node, Layer: p.Result.Root, Message: fmt.Sprintf("the image %q %s", node.Value, wrongImage(node.Value))}
			if written := newNameOf(p, node.Value); written != nil {
				problem.Node = written
			}
			p.Report(problem)
		}
	}
}

func malformedImages(r *resource.Resource) (found []*yaml.Node) {
	of, ok := pods.Of(r)
	if !ok {
		return found
	}
	for _, container := range of.Containers() {
		if image, node := syntax.TextAt(container, "image"); wrongImage(image) != "" {
			found = append(found, node)
		}
	}
	return found
}

// newNameOf returns the newName with a tag that an image begins with.
func newNameOf(p *analysis.Pass, image string) *yaml.Node {
	for _, l := range p.Layers() {
		for _, i := range l.Kustomization.Images {
			if name := i.NewName; strings.Contains(name.Value, ":") && strings.HasPrefix(image, name.Value+":") {
				return name.Node
			}
		}
	}
	return nil
}

// wrongImage says what is wrong with an image; "" for nothing, and of what is filled in
// later.
func wrongImage(image string) string {
	if image == "" || schema.HoldsTemplate(image) || strings.ContainsAny(image, "$<>%{}") {
		return ""
	}
	name, _, _ := strings.Cut(image, "@")
	last := name[strings.LastIndexByte(name, '/')+1:]
	repository, _, _ := strings.Cut(last, ":")
	switch {
	case strings.ContainsAny(image, " \t\n"):
		return "has a blank"
	case strings.Count(last, ":") > 1:
		return "has two tags"
	case strings.ToLower(repository) != repository && strings.ToUpper(repository) != repository:
		return "has a capital in its name"
	}
	return ""
}
