package ide

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
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
}

// Hover tells of an entry of patches or replacements what it matches and changes,
// and of a field of a kustomization what it is for. It is nil where there is
// nothing to tell.
func (v *View) Hover(ctx context.Context, file string, offset int) (*Hover, error) {
	c, ok := newCursor(v.session, file, offset)
	if !ok || c.Node == nil || c.Blank {
		return nil, nil
	}
	var parts []string
	used, err := v.use(ctx, file)
	if err != nil {
		return nil, err
	}
	if used != nil {
		c, _ = newCursor(used.built.session, file, offset)
		effect, err := used.effect(ctx, c)
		if err != nil {
			return nil, err
		}
		parts = append(parts, effect)
	}
	parts = append(parts, c.documentation())
	markdown := strings.Join(nonEmpty(parts), "\n\n---\n\n")
	if markdown == "" {
		return nil, nil
	}
	return &Hover{Span: c.span(), Markdown: markdown}, nil
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

// effect describes what the entry under the cursor does; empty where the cursor is
// in no such entry.
func (u *use) effect(ctx context.Context, c cursor) (string, error) {
	e := u.entryAt(c)
	if e == nil {
		return "", nil
	}
	changes, applied, err := u.changes(ctx, e, maxTargets)
	if err != nil {
		return "", err
	}
	parts := []string{u.title(e, applied)}
	parts = append(parts, u.source(e))
	single := len(e.targets()) == 1
	for _, change := range changes {
		parts = append(parts, diffBlock(change, !single))
	}
	switch targets := len(e.targets()); {
	case len(changes) == 0 && applied:
		parts = append(parts, "Nothing changes: the values are there already.")
	case targets > len(changes) && len(changes) == maxTargets:
		parts = append(parts, fmt.Sprintf("and %d more.", targets-len(changes)))
	}
	parts = append(parts, u.problems(e)...)
	parts = append(parts, u.where(c, e))
	return strings.Join(nonEmpty(parts), "\n\n"), nil
}

func (u *use) title(e *entry, applied bool) string {
	what, verb := "Patch", "applies to"
	if e.replacement != nil {
		what, verb = "Replacement", "writes to"
	}
	targets := e.targets()
	switch {
	case e.replacement != nil && (e.fact == nil || e.fact.Value == nil):
		return fmt.Sprintf("**%s** · has nothing to copy", what)
	case !applied && len(targets) == 0:
		return fmt.Sprintf("**%s** · matches nothing", what)
	}
	number := fmt.Sprintf("%d resources", len(targets))
	if len(targets) == 1 {
		number = "`" + targets[0].ID().String() + "`"
	}
	return fmt.Sprintf("**%s** · %s %s", what, verb, number)
}

// source says what a replacement copies, and where that was written.
func (u *use) source(e *entry) string {
	if e.fact == nil || e.fact.Value == nil {
		return ""
	}
	value := e.fact.Value
	shown := fmt.Sprintf("a %s", kindName(value))
	if value.Kind == yaml.ScalarNode {
		shown = "`" + shortened(value.Value) + "`"
	}
	line := "Value " + shown
	if source := e.fact.Source; source != nil {
		path := "metadata.name"
		if p := e.replacement.Source.FieldPath.Value; p != "" {
			path = p
		}
		line += fmt.Sprintf(" from `%s` `%s`", source.ID(), path)
	}
	if place, ok := u.place(value); ok {
		line += ", written in " + u.link(e, place)
	}
	return line
}

func kindName(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		return "list"
	}
	return "mapping"
}

// shortened cuts a value to one line that can stand in backquotes.
func shortened(value string) string {
	value = strings.ReplaceAll(strings.ReplaceAll(value, "\n", "⏎"), "`", "'")
	if runes := []rune(value); len(runes) > maxValue {
		return string(runes[:maxValue]) + "…"
	}
	return value
}

// place returns where a node was written, in a file on disk.
func (u *use) place(n *yaml.Node) (analysis.Place, bool) {
	table := u.built.session.Table()
	id, span := syntax.NodeSpan(table, n)
	root, path, span := table.Resolve(id, span)
	if root == 0 {
		return analysis.Place{}, false
	}
	return analysis.Place{File: path, Span: span}, true
}

// link names a place relative to the entry's kustomization.
func (u *use) link(e *entry, place analysis.Place) string {
	name := place.File
	if relative, err := filepath.Rel(e.layer.Dir, place.File); err == nil {
		name = filepath.ToSlash(relative)
	}
	line := 1
	if f, err := u.built.session.Files().ReadFile(place.File); err == nil {
		line, _ = text.NewLines(f.Data).OffsetToLineColumn(place.Span.Start)
	}
	return fmt.Sprintf("[%s:%d](%s#L%d)", name, line, fileURL(place.File), line)
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// diffBlock shows a change, under the name of the resource where that was not said.
func diffBlock(c change, named bool) string {
	lines := diffLines(string(c.before), string(c.after), maxDiffLines)
	if len(c.after) == 0 {
		return fmt.Sprintf("`%s` is deleted.", c.id)
	}
	fence := "```"
	for strings.Contains(strings.Join(lines, "\n"), fence) {
		fence += "`"
	}
	block := fmt.Sprintf("%sdiff\n%s\n%s", fence, strings.Join(lines, "\n"), fence)
	if named {
		block = fmt.Sprintf("`%s`\n\n%s", c.id, block)
	}
	return block
}

// problems are what the build has to say about the entry.
func (u *use) problems(e *entry) []string {
	entryPlace, ok := u.place(e.node)
	if !ok {
		return nil
	}
	var lines []string
	seen := map[string]bool{}
	for _, p := range u.result.Problems {
		if !u.isWithin(p, entryPlace) || seen[p.Message] {
			continue
		}
		seen[p.Message] = true
		if len(seen) > maxTargets {
			return append(lines, "…")
		}
		line := "⚠ " + p.Message
		if p.Help != "" {
			line += " — " + p.Help
		}
		lines = append(lines, line)
	}
	return lines
}

func (u *use) isWithin(p build.Problem, outer analysis.Place) bool {
	place, ok := u.place(p.Node)
	return ok && place.File == outer.File && outer.Span.Start <= place.Span.Start && place.Span.End <= outer.Span.End
}

// where says which build the hover speaks of, if that is not the one of the folder
// itself.
func (u *use) where(c cursor, e *entry) string {
	root := u.built.root.target.Dir
	if filepath.Dir(c.file) == root && u.others == 0 {
		return ""
	}
	name := filepath.Base(root)
	if relative, err := filepath.Rel(c.dir(), root); err == nil {
		name = filepath.ToSlash(relative)
	}
	line := fmt.Sprintf("*In the build of `%s`", name)
	if u.others == 1 {
		line += ", one of two that use this"
	} else if u.others > 1 {
		line += fmt.Sprintf(", one of %d that use this", u.others+1)
	}
	return line + ".*"
}
