package ide

import (
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
)

// How much a hover shows.
const (
	maxTargets   = 3
	maxDiffLines = 12
	maxValue     = 120 // in characters
)

// Hover is what is shown beside a position.
type Hover struct {
	// Span is what it is about, in the file that was asked for.
	Span     text.Span
	Markdown string
	// Description is what the schemas of Kubernetes say, apart because other servers
	// may say it too; it is Markdown, and empty for nothing.
	Description string
	// Root is the folder of the root whose build it speaks of; empty for none.
	Root string
}

// Rule stands between the parts of a hover.
const Rule = "\n\n---\n\n"

// Hover tells of an entry of a kustomization what it matches and changes, of a
// segment of a field path what it leads to, of a field of a resource or a patch
// what becomes of it, and what fields are for. It is nil where there is nothing to
// tell.
func (v *View) Hover(ctx context.Context, file string, offset int) (*Hover, error) {
	c, ok := newCursor(v.session, file, offset)
	if !ok || c.Node == nil || c.Blank {
		return nil, nil
	}
	used, err := v.use(ctx, file)
	if err != nil {
		return nil, err
	}
	hover := &Hover{}
	var parts []string
	if used != nil {
		c, _ = newCursor(used.built.session, file, offset)
		for _, tell := range []func(context.Context, cursor) (string, error){used.segment, used.fieldUses, used.effect, used.generated, used.included} {
			part, err := tell(ctx, c)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
		if len(nonEmpty(parts)) > 0 {
			hover.Root = used.built.root.target.Dir
		}
	}
	parts = append(parts, c.documentation())
	hover.Markdown = strings.Join(nonEmpty(parts), Rule)
	hover.Description = v.describeKubernetes(used, c)
	if hover.Markdown == "" && hover.Description == "" {
		return nil, nil
	}
	hover.Span = c.span()
	return hover, nil
}

func nonEmpty(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// documentation describes the field of the kustomization whose key the cursor is on.
func (c cursor) documentation() string {
	if !c.isKustomization() || !c.OnKey {
		return ""
	}
	f := c.field(kustomization.Fields())
	if f == nil {
		return ""
	}
	return describeField(f)
}

func describeField(f *kustomization.Field) string {
	title := fmt.Sprintf("**%s** · %s", f.Name, typeName(f))
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
	return strings.Join(nonEmpty(parts), "\n\n")
}

func typeName(f *kustomization.Field) string {
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
