package rules

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

var _ = register(analysis.Rule{
	Name:     "ignored-document",
	Class:    analysis.Kustomization,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Warning,
	Title:    "A document is not read",
	Why: "kustomize reads the first document of a kustomization file, and none of what follows the next\n" +
		"`---`, without a word. In a file of resources it reads all that begin with `---` on a line of its\n" +
		"own, and passes over what follows `...` or a line that ends the document in another way.",
	Remedy: "Put everything of a kustomization into one document, or into files and folders of their own, and\n" +
		"begin each resource with `---`.",
	Check: checkIgnoredDocument,
})

// checkIgnoredDocument looks into every kustomization file of the build; what is
// passed over in files of resources the engine tells.
func checkIgnoredDocument(p *analysis.Pass) {
	table := p.Session.Table()
	for _, l := range p.Layers() {
		source := table.Source(l.File)
		if source == nil || !bytes.Contains(source.Text(), []byte("\n---")) {
			continue
		}
		documents := syntax.Parse(table, l.File).Documents
		for _, d := range documents[min(1, len(documents)):] {
			if d.Root != nil {
				p.Report(builder.Problem{File: l.File, Span: d.Span, Layer: l,
					Message: "kustomize does not read this document"})
			}
		}
	}
}
