package workspace

import (
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// EachPathField calls found for each value in a kustomization whose field names files.
func EachPathField(root *yaml.Node, found func(*yaml.Node, *kustomization.Field)) {
	eachPathField(root, kustomization.Fields(), found)
}

func eachPathField(n *yaml.Node, fields *kustomization.Struct, found func(*yaml.Node, *kustomization.Field)) {
	if n == nil || n.Kind != yaml.MappingNode || fields == nil {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		field, _ := fields.Field(n.Content[i].Value)
		if field == nil {
			continue
		}
		values := []*yaml.Node{n.Content[i+1]}
		if values[0].Kind == yaml.SequenceNode {
			values = values[0].Content
		}
		for _, value := range values {
			if field.Path {
				found(value, field)
			} else {
				eachPathField(value, field.Struct, found)
			}
		}
	}
}

// NamedPath returns the path that a value of a kustomization file names, as an absolute
// one, and the bytes of the value that are the path. It is false for a value that names no
// path, such as a URL or a patch that stands there itself.
func NamedPath(file string, n *yaml.Node, field *kustomization.Field) (part text.Span, target string, ok bool) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return part, "", false
	}
	part = text.Span{End: len(n.Value)}
	if at := strings.IndexByte(n.Value, '='); field.Name == "files" && at >= 0 {
		part.Start = at + 1
	}
	path := n.Value[part.Start:part.End]
	if path == "" || strings.ContainsAny(path, "\n:") {
		return part, "", false
	}
	target = filepath.FromSlash(path)
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	return part, target, true
}
