package rules

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

var _ = register(analysis.Rule{
	Name:     "second-document",
	Severity: analysis.Warning,
	Title:    "A kustomization file has a second document",
	Why: "kustomize reads the first document of the file, and none of what follows the next `---`, without a\n" +
		"word.",
	Remedy: `Put everything into one document, or into files and folders of their own.`,
	Check:  checkSecondDocument,
})

// checkSecondDocument looks into every kustomization file of the build.
func checkSecondDocument(p *analysis.Pass) {
	table := p.Session.Table()
	for _, l := range p.Layers() {
		source := table.Source(l.File)
		if source == nil || !bytes.Contains(source.Text(), []byte("\n---")) {
			continue
		}
		documents := syntax.Parse(table, l.File).Documents
		for _, d := range documents[min(1, len(documents)):] {
			if d.Root != nil {
				p.Report(build.Problem{File: l.File, Span: d.Span, Layer: l,
					Message: "kustomize does not read this document"})
			}
		}
	}
}
