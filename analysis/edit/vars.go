package edit

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/text"
)

// vars are converted one by one, since some can be and others cannot: kustomize
// replaces vars once at the very end of a build, after all names are final and in
// overlays too, and replacements where they stand. The resources keep $(NAME) as it
// is, which the replacement then overwrites.

// fixVars converts the vars that can be, and returns the file that is then valid.
func (x *Fixer) fixVars(ctx context.Context, f *File) ([]Step, *File, error) {
	vars := f.field("vars")
	if vars == nil {
		return nil, f, nil
	}
	step := Step{Field: "vars", By: "replacements"}
	if shapeOf(vars.value) == shapeEmpty {
		edits := []text.Edit{f.removeField(vars, false)}
		after, reason := f.apply(edits)
		if reason == "" && !sameComments(f, after) {
			reason = "a comment in it would be lost"
		}
		if step.Skipped = reason; reason != "" {
			return []Step{step}, f, nil
		}
		var err error
		f, step.Skipped, err = x.try(ctx, f, edits, false)
		return []Step{step}, f, err
	}
	if reason := f.cannotConvertVars(vars); reason != "" {
		step.Skipped = reason
		return []Step{step}, f, nil
	}
	uses, err := x.varUses(ctx, filepath.Dir(f.path))
	if err != nil {
		return nil, nil, err
	}
	var steps []Step
	k, _ := f.read()
	for _, v := range k.Vars {
		step := Step{Field: "vars", By: "replacements", Entry: v.Name.Value}
		if f, step.Skipped, err = x.fixVar(ctx, f, v, uses[v.Name.Value]); err != nil {
			return nil, nil, err
		}
		steps = append(steps, step)
	}
	return steps, f, nil
}

func (f *File) cannotConvertVars(vars *field) string {
	replacements := f.field("replacements")
	k, _ := f.read()
	switch {
	case vars.twice || replacements != nil && replacements.twice:
		return twiceReason("vars or replacements")
	case shapeOf(vars.value) != shapeBlock || !f.isOwnLine(vars) || len(k.Vars) != len(vars.value.Content):
		return unknownForm
	}
	return ""
}

func (x *Fixer) fixVar(ctx context.Context, f *File, v kustomization.Var, uses []varUse) (*File, string, error) {
	lines, reason := replacementLines(v, uses, f.dashIndent())
	if reason != "" {
		return f, reason, nil
	}
	edits, reason := f.convertVar(v.Name.Value, lines)
	if reason != "" {
		return f, reason, nil
	}
	return x.try(ctx, f, edits, false)
}

// convertVar puts the lines of a replacement behind the others and takes the var's
// entry away; its comments go along.
func (f *File) convertVar(name string, lines []string) ([]text.Edit, string) {
	vars := f.field("vars")
	k, _ := f.read()
	i := slices.IndexFunc(k.Vars, func(v kustomization.Var) bool { return v.Name.Value == name })
	first, last := f.entryLines(vars, i)
	only := len(vars.value.Content) == 1
	if only {
		first, last = f.headComments(vars), vars.last
	}
	lines = slices.Concat(f.commentsIn(first, last), lines)
	var edits []text.Edit
	if target := f.field("replacements"); target != nil {
		var ok bool
		if edits, ok = f.extend(target, lines, false); !ok {
			return nil, "replacements is written in a form that kls cannot add to"
		}
	} else {
		lines = append([]string{"replacements:"}, shift(lines, f.dashIndent())...)
		lines = shift(lines, f.column(vars.key))
		if only {
			edits = []text.Edit{f.replaceLines(first, last, lines)}
			return edits, f.checkVar(edits, name)
		}
		edits = []text.Edit{f.insertLines(vars.last, lines)}
	}
	edits = append(edits, f.removeLines(first, last))
	return edits, f.checkVar(edits, name)
}

// checkVar lets edits pass that remove one var, add one replacement, and change
// nothing else.
func (f *File) checkVar(edits []text.Edit, name string) string {
	after, reason := f.apply(edits)
	if reason != "" {
		return reason
	}
	was, _ := f.read()
	is, _ := after.read()
	was.Vars = slices.DeleteFunc(was.Vars, func(v kustomization.Var) bool { return v.Name.Value == name })
	if n := len(is.Replacements); n == len(was.Replacements)+1 {
		is.Replacements = is.Replacements[:n-1]
	}
	switch {
	case !same(was, is):
		return unknownForm
	case !sameComments(f, after):
		return "a comment in it would be lost"
	}
	return ""
}

// entryLines returns the first and last line of an entry of a block list, with the
// comments directly above it.
func (f *File) entryLines(x *field, i int) (first, last int) {
	n := x.value.Content[i]
	above := x.line
	if i > 0 {
		above = f.lastLine(x.value.Content[i-1])
	}
	first, last = f.lineAt(f.dashBefore(n)), f.lastLine(n)
	for first-1 > above && f.isComment(first-1) {
		first--
	}
	return first, last
}

// replacementLines writes the replacement that does what the var does, its dash at
// column 0.
func replacementLines(v kustomization.Var, uses []varUse, dashIndent int) (lines []string, reason string) {
	if len(uses) == 0 {
		return nil, fmt.Sprintf("nothing that is built here uses $(%s)", v.Name.Value)
	}
	lines = append(lines, "- source:")
	lines = append(lines, selectorLines("    ", v.ObjRef)...)
	path := v.FieldPath.Value
	if path == "" {
		path = "metadata.name"
	}
	lines = append(lines, "    fieldPath: "+scalar.Write(withoutBrackets(path), 0, false), "  targets:")
	indent := blank(2 + dashIndent)
	for _, t := range targetsOf(uses) {
		if t.reason != "" {
			return nil, t.reason
		}
		lines = append(lines, indent+"- select:")
		lines = append(lines, selectorLines(indent+"    ", t.selector)...)
		lines = append(lines, indent+"  fieldPaths:")
		for _, path := range t.paths {
			lines = append(lines, indent+"  "+blank(dashIndent)+"- "+scalar.Write(path, 0, false))
		}
		if t.delimiter != "" {
			lines = append(lines, indent+"  options:", indent+"    delimiter: "+scalar.Write(t.delimiter, 0, false))
			if t.index > 0 {
				lines = append(lines, fmt.Sprintf("%s    index: %d", indent, t.index))
			}
		}
	}
	return lines, ""
}

func selectorLines(indent string, s kustomization.Selector) []string {
	var lines []string
	for _, part := range []struct{ key, value string }{
		{"group", s.Group.Value}, {"version", s.Version.Value}, {"kind", s.Kind.Value},
		{"name", s.Name.Value}, {"namespace", s.Namespace.Value},
	} {
		if part.value != "" {
			lines = append(lines, indent+part.key+": "+scalar.Write(part.value, 0, false))
		}
	}
	return lines
}

// withoutBrackets turns ports[0] into ports.0, as kustomize does with the paths of
// vars (convertSliceIndex in api/internal/accumulator).
func withoutBrackets(path string) string {
	parts := strings.Split(path, ".")
	for i, part := range parts {
		name, index, ok := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		if ok && strings.HasSuffix(part, "]") && strings.Trim(index, "0123456789") == "" && index != "" {
			parts[i] = strings.TrimPrefix(name+"."+index, ".")
		}
	}
	return strings.Join(parts, ".")
}
