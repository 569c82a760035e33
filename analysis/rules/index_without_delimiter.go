package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// checkIndexWithoutDelimiter looks for options.index where nothing is split.
func checkIndexWithoutDelimiter(p *analysis.Pass) {
	for _, l := range p.Layers() {
		for _, fact := range l.Facts.Replacements {
			if fact.Entry.Source != nil {
				reportIndexWithoutDelimiter(p, l, fact.Entry.Source.Options)
			}
			for i := range fact.Entry.Targets {
				reportIndexWithoutDelimiter(p, l, fact.Entry.Targets[i].Options)
			}
		}
	}
}

func reportIndexWithoutDelimiter(p *analysis.Pass, l *builder.Layer, o *kustomization.FieldOptions) {
	if o == nil || o.Delimiter.Value != "" {
		return
	}
	if _, index := kustomization.FieldNode(o.Node, "index"); index != nil {
		p.Report(builder.Problem{Node: index, Layer: l, Message: "index has no effect without a delimiter: the whole value is taken",
			Help: "set delimiter to the text between the parts"})
	}
}
