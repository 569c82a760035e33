package rules

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

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
