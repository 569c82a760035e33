package load

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// mergeCRDs takes what the files of crds say of their types into the
// configuration: which fields hold names, labels and annotations
// (accumulator.LoadConfigFromCRDs).
func (b *Loader) mergeCRDs(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, path := range l.Kustomization.Crds {
		root, id, ok := b.LoadConfig(l, path)
		if !ok || !b.checkStrictJSON(l, path, id) {
			continue
		}
		config, problems := kustomization.ReadCRDs(root)
		if kind := resourceKind(root); kind != "" && len(problems) > 0 {
			b.Report(l, problem.Problem{Code: problem.WrongType, Fatal: true, Node: path.Node,
				Message: fmt.Sprintf("crds takes files of OpenAPI definitions, and %s is a %s", path.Value, kind),
				Help:    "a resource is listed under resources"})
			continue
		}
		for _, p := range problems {
			b.Report(l, problem.FromKustomization(p, id))
		}
		b.MergeInto(l, acc, config, path.Node)
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
func (b *Loader) checkStrictJSON(l *trace.Layer, path kustomization.Text, id text.FileID) bool {
	content := b.Sources.Table().Source(id).Text()
	if len(content) == 0 || content[0] != '{' {
		return true
	}
	var malformed *json.SyntaxError
	if !errors.As(json.Unmarshal(content, new(any)), &malformed) {
		return true
	}
	at := max(0, min(int(malformed.Offset)-1, len(content)-1))
	b.Report(l, problem.Problem{Code: problem.SyntaxError, Fatal: true, File: id, Span: text.Span{Start: at, End: at + 1},
		Message: fmt.Sprintf("a file of crds that begins with { is read as JSON: %s", malformed),
		Help:    "quote keys and texts as JSON does, or write the file as YAML in block style",
		Related: []problem.Related{{Node: path.Node, Message: "included here"}}})
	return false
}
