package markdown

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
)

// OperationFields are those of an operation, with what they are for.
var OperationFields = []struct{ Name, Doc, Body string }{
	{"op", "What to do.", "${1|replace,add,remove,test,copy,move|}"},
	{"path", "Where: a JSON pointer. `~1` is a slash within a key and `~0` a tilde.", ""},
	{"value", "The value to add, to set or to test.", ""},
	{"from", "Where the value comes from, of copy and move.", ""},
}

func Field(f *kustomization.Field) string {
	title := fmt.Sprintf("**%s** · %s", f.Name, TypeName(f))
	if f.Required {
		title += " · required"
	}
	if f.Since != "" {
		title += " · since kustomize " + f.Since
	}
	parts := []string{title, f.Doc}
	if len(f.Enum) > 0 {
		parts = append(parts, "One of `"+strings.Join(f.Enum, "`, `")+"`.")
	}
	if f.Default != "" {
		parts = append(parts, fmt.Sprintf("Default: `%s`.", f.Default))
	}
	switch {
	case f.Deprecated && f.ReplacedBy != "":
		parts = append(parts, fmt.Sprintf("Deprecated: use `%s`.", f.ReplacedBy))
	case f.Deprecated:
		parts = append(parts, "Deprecated.")
	}
	switch f.Support {
	case kustomization.InKlsOnly:
		parts = append(parts, "Only kls knows this field; kustomize refuses it.")
	case kustomization.InProposalOnly:
		parts = append(parts, "This was proposed but never became part of kustomize.")
	}
	return strings.Join(NonEmpty(parts), "\n\n")
}

func TypeName(f *kustomization.Field) string {
	if f.Type == kustomization.TypeList {
		return "list of " + plural(f.Element)
	}
	return f.Type.String()
}

func plural(t kustomization.Type) string {
	switch t {
	case kustomization.TypeText:
		return "texts"
	case kustomization.TypeObject:
		return "mappings"
	}
	return t.String()
}

func NonEmpty(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// CodeBlock puts lines between fences.
func CodeBlock(language string, lines []string) string {
	content := text.Visible(strings.Join(lines, "\n"))
	fence := "```"
	for strings.Contains(content, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%s%s\n%s\n%s", fence, language, content, fence)
}
