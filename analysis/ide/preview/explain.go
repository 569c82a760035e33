package preview

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
)

// maxExplainedRoots is of how many roots an explanation of a line tells.
const maxExplainedRoots = 12

// ExplainFile says what becomes of the line around a byte offset of a file in each
// root that uses it, the nearest first.
func ExplainFile(ctx context.Context, v *workspace.View, file string, offset int) ([]*explain.Use, error) {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil, nil
	}
	line, _ := text.NewLines(f.Data).OffsetToLineColumn(offset)
	readers, _, err := v.Readers(ctx, file, maxExplainedRoots)
	if err != nil {
		return nil, err
	}
	roots := make([]string, len(readers))
	for i, r := range readers {
		roots[i] = r.Dir
	}
	uses, err := explain.ExplainLines(ctx, v.Session(), roots, file, line, v.Options().Of)
	return slices.DeleteFunc(uses, func(u *explain.Use) bool { return !u.Dropped && len(u.Fields) == 0 }), err
}

// Origins are where the resources of a root come from.
type Origins struct {
	// Dir is the folder of the root.
	Dir  string
	List []explain.Origin
}

// ExplainWhole says of a file, or a folder, where the resources come from that the root
// renders which shows best what it does: those that were written in the file, where there
// are any, else all. It is nil where no root uses it.
func ExplainWhole(ctx context.Context, v *workspace.View, path string) (*Origins, error) {
	dir, ok, err := v.RootFor(ctx, path)
	if err != nil || !ok {
		return nil, err
	}
	b, err := builtFor(ctx, v, Rendering{Root: dir})
	if err != nil || b == nil {
		return nil, err
	}
	result, err := v.Trace(ctx, b)
	if err != nil || result == nil {
		return nil, err
	}
	list := explain.Origins(b.Session().Table(), result)
	elsewhere := func(o explain.Origin) bool { return o.Read.File != path }
	if !workspace.IsKustomization(path) && slices.ContainsFunc(list, func(o explain.Origin) bool { return !elsewhere(o) }) {
		list = slices.DeleteFunc(list, elsewhere)
	}
	return &Origins{dir, list}, nil
}

// ExplainAddress explains what an address names in a root, see explain.Explain. It is nil
// where there is no such root.
func ExplainAddress(ctx context.Context, v *workspace.View, dir, address string) (*explain.Answer, error) {
	roots, err := v.RootsFor(ctx, dir)
	if err != nil || roots[dir] == nil {
		return nil, err
	}
	return explain.Explain(ctx, v.Session(), dir, address, v.Options().Of(dir))
}

// Story tells of explanations for people.
type Story struct {
	// Dir is the folder that files are named from.
	Dir string
	// Plain is true for plain text, else it is Markdown.
	Plain bool
}

// maxStorySteps, maxStoryFields and maxStoryOrigins bound a story.
const (
	maxStorySteps   = 12
	maxStoryFields  = 8
	maxStoryOrigins = 200
)

// Explanation tells where a value comes from and what changed it.
func (s Story) Explanation(e *explain.Explanation) string {
	lines := []string{s.title(e)}
	if e.Field != "" && e.Value.Present() {
		lines[0] += " = " + s.value(e.Value)
	}
	if e.Written.Known() {
		lines = append(lines, "written in "+s.place(e.Written))
	}
	lines = append(lines, s.steps(e)...)
	return strings.Join(lines, s.lineBreak())
}

// Origins tells where resources come from.
func (s Story) Origins(o *Origins) string {
	lines := []string{"In " + s.code(workspace.RelativeTo(s.Dir, o.Dir)) + ":\n"}
	for i, origin := range o.List {
		if i == maxStoryOrigins {
			lines = append(lines, fmt.Sprintf("… and %d more resources", len(o.List)-i))
			break
		}
		line := "- " + s.code(origin.Resource)
		if origin.Read.Known() {
			line += " written in " + s.place(origin.Read)
		}
		if origin.Included.Known() && origin.Included != origin.Read {
			line += ", included by " + s.place(origin.Included)
		}
		lines = append(lines, line)
	}
	if len(o.List) == 0 {
		lines = append(lines, "there are no resources")
	}
	return strings.Join(lines, "\n")
}

// Uses tells what becomes of a line.
func (s Story) Uses(uses []*explain.Use) string {
	var parts []string
	for _, u := range uses {
		part := "In " + s.code(workspace.RelativeTo(s.Dir, u.Dir)) + ":"
		if u.Dropped {
			part += s.lineBreak() + "the resource is not in the output"
		}
		for i, e := range u.Fields {
			if i == maxStoryFields {
				part += s.lineBreak() + fmt.Sprintf("… and %d more fields", len(u.Fields)-i)
				break
			}
			part += s.lineBreak() + s.use(e)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n\n")
}

func (s Story) use(e *explain.Explanation) string {
	line := s.title(e) + " = " + s.value(e.Value)
	if !e.Value.Present() {
		line = s.title(e) + " is gone"
	}
	return strings.Join(append([]string{line}, s.steps(e)...), s.lineBreak())
}

func (s Story) steps(e *explain.Explanation) []string {
	var lines []string
	for i, step := range e.Steps {
		if i == maxStorySteps {
			return append(lines, fmt.Sprintf("… and %d more steps", len(e.Steps)-i))
		}
		line := "- " + step.Transformer
		if step.Place.Known() {
			line += " in " + s.place(step.Place)
		}
		if e.Field != "" {
			line += ": " + s.value(step.Before) + " → " + s.value(step.After)
		}
		lines = append(lines, line)
	}
	return lines
}

func (s Story) title(e *explain.Explanation) string {
	if e.Field == "" {
		return s.code(e.Resource)
	}
	return s.code(e.Resource) + " " + s.code(e.Field)
}

func (s Story) value(v explain.Value) string {
	switch {
	case !v.Present():
		return "nothing"
	case v.Text() == "":
		return s.code(`""`)
	}
	return s.code(v.OneLine(markdown.MaxValue))
}

func (s Story) place(p explain.Place) string {
	name := fmt.Sprintf("%s:%d", workspace.RelativeTo(s.Dir, p.File), p.Line)
	if s.Plain {
		return name
	}
	return fmt.Sprintf("[%s](%s#L%d)", text.EscapeMarkdown(name), markdown.FileURL(p.File), p.Line)
}

func (s Story) code(text string) string {
	if s.Plain {
		return text
	}
	return markdown.InlineCode(text)
}

func (s Story) lineBreak() string {
	if s.Plain {
		return "\n"
	}
	return "  \n"
}
