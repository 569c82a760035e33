package ide

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// effect describes what the entry under the cursor does; empty where the cursor is
// in no such entry.
func (u *scope) effect(ctx context.Context, c cursor.Cursor) (string, error) {
	e := cursor.EntryAt(u.Scope, c)
	if e == nil {
		return "", nil
	}
	return u.effectOfEntry(ctx, c, e)
}

// replacementFile tells of an entry of replacements that names a file what those in the
// file do: of a single one as of one that stands in the entry.
func (u *scope) replacementFile(ctx context.Context, c cursor.Cursor) (string, error) {
	for _, l := range u.Layers(c.File) {
		for i := range l.Kustomization.Replacements {
			if r := &l.Kustomization.Replacements[i]; r.Path.Node != nil && c.At(r.Node) {
				return u.replacementsIn(ctx, c, l, r.Path.Node)
			}
		}
	}
	return "", nil
}

func (u *scope) replacementsIn(ctx context.Context, c cursor.Cursor, l *builder.Layer, path *yaml.Node) (string, error) {
	var entries []*cursor.Entry
	for _, in := range l.Facts.Inputs {
		for i := range l.Facts.Replacements {
			fact := &l.Facts.Replacements[i]
			if place, ok := u.Place(fact.Entry.Node); ok && workspace.SameNode(in.Entry, path) && place.File == in.Path {
				entries = append(entries, cursor.ReplacementEntry(l, fact))
			}
		}
	}
	if len(entries) == 1 {
		return u.effectOfEntry(ctx, c, entries[0])
	}
	if len(entries) == 0 {
		return "", nil
	}
	lines := []string{fmt.Sprintf("**Replacements** · %d", len(entries)), ""}
	for i, e := range entries {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("- and %d more", len(entries)-i))
			break
		}
		what := "has nothing to copy"
		if e.Fact.Value != nil {
			what = u.source(e) + ", to " + listResources(e.Targets())
		}
		lines = append(lines, "- "+what)
	}
	return strings.Join(append(lines, markdown.NonEmpty([]string{u.where(c)})...), "\n"), nil
}

func (u *scope) effectOfEntry(ctx context.Context, c cursor.Cursor, e *cursor.Entry) (string, error) {
	found, err := cursor.EffectOf(ctx, u.Scope, e, maxTargets)
	if err != nil {
		return "", err
	}
	if e.IsWide && !found.Applied && e.Source == nil {
		return "", nil // there is nothing that it could change
	}
	changed := len(e.Targets())
	if e.IsWide {
		changed = found.Changed
	}
	parts := []string{u.title(e, found, changed), u.source(e)}
	for _, change := range found.Changes {
		parts = append(parts, diffBlock(change, changed != 1 || e.IsWide))
	}
	switch {
	case len(found.Changes) == 0 && found.Applied && !e.IsWide:
		parts = append(parts, "Nothing changes: the values are there already.")
	case changed > len(found.Changes) && len(found.Changes) == maxTargets:
		parts = append(parts, fmt.Sprintf("and %d more.", changed-len(found.Changes)))
	}
	parts = append(parts, u.problems(e)...)
	parts = append(parts, u.where(c))
	return strings.Join(markdown.NonEmpty(parts), "\n\n"), nil
}

func (u *scope) title(e *cursor.Entry, found cursor.Effect, changed int) string {
	switch {
	case e.Replacement != nil && (e.Fact == nil || e.Fact.Value == nil):
		return fmt.Sprintf("**%s** · has nothing to copy", e.What)
	case e.IsWide && changed == 0:
		if e.Source != nil {
			return fmt.Sprintf("**%s** · is used nowhere", e.What)
		}
		return fmt.Sprintf("**%s** · %s nothing", e.What, e.Verb)
	case !found.Applied && changed == 0:
		return fmt.Sprintf("**%s** · matches nothing", e.What)
	}
	number := fmt.Sprintf("%d resources", changed)
	if targets := e.Targets(); len(targets) == 1 {
		number = markdown.InlineCode(targets[0].ID().String())
	} else if changed == 1 {
		number = "1 resource"
	}
	return fmt.Sprintf("**%s** · %s %s", e.What, e.Verb, number)
}

// source says what a replacement copies or a var stands for, and where that was
// written.
func (u *scope) source(e *cursor.Entry) string {
	if e.Fact == nil || e.Fact.Value == nil {
		if e.Source == nil {
			return ""
		}
		return fmt.Sprintf("Value from %s %s", markdown.InlineCode(e.Source.ID().String()), markdown.InlineCode(e.SourcePath))
	}
	value := e.Fact.Value
	shown := fmt.Sprintf("a %s", kindName(value))
	if value.Kind == yaml.ScalarNode {
		shown = markdown.InlineCode(markdown.Shortened(value.Value))
	}
	line := "Value " + shown
	if source := e.Fact.Source; source != nil {
		path := "metadata.name"
		if p := e.Replacement.Source.FieldPath.Value; p != "" {
			path = p
		}
		line += fmt.Sprintf(" from %s %s", markdown.InlineCode(source.ID().String()), markdown.InlineCode(path))
	}
	if place, ok := u.Place(value); ok {
		line += ", written in " + u.link(e.Layer.Dir, place)
	}
	return line
}

func kindName(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		return "list"
	}
	return "mapping"
}

// link names a place as seen from a folder.
func (u *scope) link(dir string, place analysis.Place) string {
	name := workspace.RelativeTo(dir, place.File)
	line := 1
	if f, err := u.Build.Session().Files().ReadFile(place.File); err == nil {
		line, _ = text.NewLines(f.Data).OffsetToLineColumn(place.Span.Start)
	}
	return fmt.Sprintf("[%s:%d](%s#L%d)", text.EscapeMarkdown(name), line, markdown.FileURL(place.File), line)
}

// diffBlock shows a change, under the name of the resource where that was not said.
func diffBlock(c cursor.Change, named bool) string {
	lines := markdown.DiffLines(string(c.Before), string(c.After), maxDiffLines)
	if len(c.After) == 0 {
		return fmt.Sprintf("%s is deleted.", markdown.InlineCode(fmt.Sprint(c.ID)))
	}
	block := markdown.CodeBlock("diff", lines)
	if named {
		block = fmt.Sprintf("%s\n\n%s", markdown.InlineCode(fmt.Sprint(c.ID)), block)
	}
	if c.Decoded {
		block += "\n\n" + cursor.DecodedNote
	}
	return block
}

// problems are what the build has to say about the entry.
func (u *scope) problems(e *cursor.Entry) []string {
	entryPlace, ok := u.Place(e.Node)
	if !ok {
		return nil
	}
	var lines []string
	seen := map[string]bool{}
	for _, p := range u.Result.Problems {
		if place, ok := u.Place(p.Node); !ok || !cursor.IsIn(place, entryPlace) || seen[p.Message] {
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

// where says which build the hover speaks of, if that is not the one of the folder
// itself.
func (u *scope) where(c cursor.Cursor) string {
	root := u.Build.Root.Dir
	if filepath.Dir(c.File) == root && u.Others == 0 {
		return ""
	}
	line := fmt.Sprintf("*In the build of %s", markdown.InlineCode(u.View.NameOf(root)))
	if u.Others == 1 {
		line += ", one of two that use this"
	} else if u.Others > 1 {
		line += fmt.Sprintf(", one of %d that use this", u.Others+1)
	}
	return line + ".*"
}
