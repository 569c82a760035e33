package builder

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// mergeCRDs takes what the files of crds say of their types into the
// configuration: which fields hold names, labels and annotations
// (accumulator.LoadConfigFromCRDs).
func (b *loader) mergeCRDs(l *Layer, acc *accumulator) {
	for _, path := range l.Kustomization.Crds {
		root, id, ok := b.loadConfig(l, path)
		if !ok || !b.checkStrictJSON(l, path, id) {
			continue
		}
		config, problems := kustomization.ReadCRDs(root)
		if kind := resourceKind(root); kind != "" && len(problems) > 0 {
			b.report(l, Problem{Code: WrongType, Fatal: true, Node: path.Node,
				Message: fmt.Sprintf("crds takes files of OpenAPI definitions, and %s is a %s", path.Value, kind),
				Help:    "a resource is listed under resources"})
			continue
		}
		for _, p := range problems {
			b.report(l, fromKustomization(p, id))
		}
		b.mergeInto(l, acc, config, path.Node)
	}
}

// resourceKind returns the kind of a file that is a resource, "" where it is none.
func resourceKind(root *yaml.Node) string {
	_, apiVersion := syntax.Field(root, "apiVersion")
	_, kind := syntax.Field(root, "kind")
	if apiVersion == nil || kind == nil || kind.Kind != yaml.ScalarNode {
		return ""
	}
	return kind.Value
}

// checkStrictJSON refuses a file that begins as JSON and is none: of those of crds
// only the others are read as YAML.
func (b *loader) checkStrictJSON(l *Layer, path kustomization.Text, id text.FileID) bool {
	content := b.sources.Table().Source(id).Text()
	if len(content) == 0 || content[0] != '{' {
		return true
	}
	var malformed *json.SyntaxError
	if !errors.As(json.Unmarshal(content, new(any)), &malformed) {
		return true
	}
	at := max(0, min(int(malformed.Offset)-1, len(content)-1))
	b.report(l, Problem{Code: SyntaxError, Fatal: true, File: id, Span: text.Span{Start: at, End: at + 1},
		Message: fmt.Sprintf("a file of crds that begins with { is read as JSON: %s", malformed),
		Help:    "quote keys and texts as JSON does, or write the file as YAML in block style",
		Related: []Related{{Node: path.Node, Message: "included here"}}})
	return false
}
