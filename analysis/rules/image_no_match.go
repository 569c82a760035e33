package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "image-no-match",
	Class:    analysis.Transformers,
	Severity: analysis.Warning,
	Elective: true,
	Title:    "An entry of images matches no image",
	Why: `kustomize replaces every image with the name, and says nothing where there is none. A typing
mistake, or a base that uses another registry, deploys the old image.`,
	Remedy: "Correct `name`: it is the name without tag and digest, with registry, as it stands in the resources\n" +
		"after the bases are done with it.",
})
