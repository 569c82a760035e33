package build

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
)

// mergeCRDs takes what the files of crds say of their types into the
// configuration: which fields hold names, labels and annotations
// (accumulator.LoadConfigFromCRDs).
func (b *builder) mergeCRDs(l *Layer, acc *accumulator) {
	for _, path := range l.Kustomization.Crds {
		root, id, ok := b.loadConfig(l, path)
		if !ok || !b.checkStrictJSON(l, path, id) {
			continue
		}
		config, problems := kustomization.ReadCRDs(root)
		for _, p := range problems {
			b.report(l, fromKustomization(p, id))
		}
		b.mergeInto(l, acc, config, path.Node)
	}
}

// checkStrictJSON refuses a file that begins as JSON and is none: of those of crds
// only the others are read as YAML.
func (b *builder) checkStrictJSON(l *Layer, path kustomization.Text, id text.FileID) bool {
	content := b.session.table.Source(id).Text()
	if len(content) == 0 || content[0] != '{' {
		return true
	}
	var malformed *json.SyntaxError
	if !errors.As(json.Unmarshal(content, new(any)), &malformed) {
		return true
	}
	at := max(0, min(int(malformed.Offset)-1, len(content)-1))
	b.report(l, Problem{Code: Syntax, Fatal: true, File: id, Span: text.Span{Start: at, End: at + 1},
		Message: fmt.Sprintf("a file of crds that begins with { is read as JSON: %s", malformed),
		Help:    "quote keys and texts as JSON does, or write the file as YAML in block style",
		Related: []Related{{Node: path.Node, Message: "included here"}}})
	return false
}
