// Package ide answers what an editor asks about a position or a file in a tree of
// kustomizations: plain data in, plain data out. Positions are byte offsets in files named
// by absolute path; it knows no protocol. It decides nothing about kustomize: every answer
// is a view of what builds recorded.
package ide

import (
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/deployed"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
)

// How much a hover shows.
const (
	maxTargets   = 3
	maxDiffLines = 12
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

// Divider stands between the parts of a hover.
const Divider = "\n\n---\n\n"

// HoverAt tells of an entry of a kustomization what it matches and changes, of a
// segment of a field path what it leads to, of a field of a resource or a patch
// what becomes of it, and what fields are for. It is nil where there is nothing to
// tell.
func HoverAt(ctx context.Context, v *workspace.View, file string, offset int) (*Hover, error) {
	if said, err := deployed.HoverAt(ctx, v, file, offset); err != nil {
		return nil, err
	} else if said != nil {
		return &Hover{Span: said.Span, Markdown: said.Markdown}, nil
	}
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok {
		return nil, nil
	}
	used, err := scopeOf(ctx, v, file)
	if err != nil {
		return nil, err
	}
	if used != nil {
		c, _ = cursor.New(used.Build.Session(), file, offset)
	}
	if line, ok := used.inputLine(c); ok {
		return used.hoverLine(ctx, c, line)
	}
	if c.Node == nil || c.Blank {
		return nil, nil
	}
	hover := &Hover{}
	var parts []string
	if used != nil {
		for _, tell := range []func(context.Context, cursor.Cursor) (string, error){used.segment, used.pointerSegment, used.spec, used.fieldUses, used.effect,
			used.replacementFile, used.generated, used.configured, used.included} {
			part, err := tell(ctx, c)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
		if len(markdown.NonEmpty(parts)) > 0 {
			hover.Root = used.Build.Root.Dir
		}
	}
	parts = append(parts, documentation(c, used))
	hover.Markdown = strings.Join(markdown.NonEmpty(parts), Divider)
	hover.Description = describeKubernetes(v, used, c)
	if hover.Markdown == "" && hover.Description == "" {
		return nil, nil
	}
	hover.Span = c.InnerSpan()
	if span, ok := used.partSpan(c, parts); ok {
		hover.Span = span
	}
	return hover, nil
}

// partSpan returns the part of a path that the first that has something to tell told of.
func (u *scope) partSpan(c cursor.Cursor, parts []string) (span text.Span, ok bool) {
	switch {
	case u == nil:
	case parts[0] != "":
		_, span, ok = segment(c, fieldpath.Parse(c.Node.Value))
	case parts[1] != "":
		_, span = u.pointerAt(c, cursor.EntryAt(u.Scope, c))
		ok = true
	case parts[2] != "":
		var p specPart
		p, ok = u.specPart(c)
		span = p.span
	}
	return span, ok
}

// documentation describes the field whose key the cursor is on: of the kustomization, or
// of a file with replacements, with the configuration of transformers or of a plugin, or
// of a JSON6902 patch.
func documentation(c cursor.Cursor, used *scope) string {
	if root, inner, ok := c.InEmbedded(); ok && cursor.IsPatchList(root) {
		return describeOperation(inner)
	}
	if !c.OnKey {
		return ""
	}
	if !c.IsKustomization() && used.roleOf(c.File) == workspace.PatchRole {
		return describeOperation(c.Location)
	}
	if f := c.Field(fields(c, used)); f != nil {
		return markdown.Field(f)
	}
	return ""
}

// fields are those of the kustomization, or of a file with replacements, with the
// configuration of transformers or of a plugin; nil for another file.
func fields(c cursor.Cursor, used *scope) *kustomization.Struct {
	switch {
	case c.IsKustomization():
		return kustomization.Fields()
	case len(c.Steps) == 0:
		return nil
	}
	switch used.roleOf(c.File) {
	case workspace.ReplacementRole:
		f, _ := kustomization.Fields().Field("replacements")
		return f.Struct
	case workspace.ConfigurationRole:
		return kustomization.TransformerConfigFields()
	case workspace.PluginRole:
		return kustomization.PluginFields(syntax.FieldText(c.Steps[0].Parent, "kind"))
	}
	return nil
}

// roleOf returns what the first layer that names a file uses it for.
func (u *scope) roleOf(file string) workspace.Role {
	if u == nil {
		return workspace.NoRole
	}
	for _, l := range workspace.Layers(u.Result) {
		if r, _ := workspace.RoleIn(l, file); r != workspace.NoRole {
			return r
		}
	}
	return workspace.NoRole
}

// describeOperation describes a field of an operation of a JSON6902 patch.
func describeOperation(c syntax.Location) string {
	if !c.OnKey || len(c.Steps) != 2 || c.Steps[0].Key != nil || c.Steps[1].Key == nil {
		return ""
	}
	for _, f := range markdown.OperationFields {
		if f.Name == c.Steps[1].Key.Value {
			return fmt.Sprintf("**%s**\n\n%s", f.Name, f.Doc)
		}
	}
	return ""
}
