package ide

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Renamable is what a rename at a position would change.
type Renamable struct {
	// Span is the name, in bytes of the file that was asked for, Text what it is.
	Span text.Span
	Text string
}

const nothingToRename = "there is no name here that can be changed: it would be that of a resource, a generator, a key of a ConfigMap or Secret, or a path"

const notWhole = "some folders are still being read, and what is in them may use the name"

// PrepareRename returns what can be renamed at a position, or the reason why nothing
// can. The error is for cancellation and our own mistakes.
func PrepareRename(ctx context.Context, v *workspace.View, file string, offset int) (r *Renamable, reason string, err error) {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok {
		return nil, nothingToRename, nil
	}
	if e, ok, err := pathEntryAt(ctx, v, c); err != nil {
		return nil, "", err
	} else if ok {
		s, reason := pathSegmentAt(v, c, e)
		if reason != "" {
			return nil, reason, nil
		}
		return &Renamable{s.span, s.text}, "", nil
	}
	x, table, _, reason, err := nameAt(ctx, v, c, maxDefinitionRoots)
	if err != nil || reason != "" {
		return nil, reason, err
	}
	place, _ := cursor.PartPlace(table, x.node, x.part)
	return &Renamable{place.Span, x.name()}, "", nil
}

// Rename returns what is to be changed so that what is named at a position has another
// name, everywhere; or the reason why that cannot be done. What is rendered stays the
// same but for the name.
func Rename(ctx context.Context, v *workspace.View, file string, offset int, name string) (e *workspace.Edit, reason string, err error) {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok {
		return nil, nothingToRename, nil
	}
	if e, ok, err := pathEntryAt(ctx, v, c); err != nil {
		return nil, "", err
	} else if ok {
		return renamePath(ctx, v, c, e, name)
	}
	x, _, s, reason, err := nameAt(ctx, v, c, workspace.AllScopes)
	if err != nil || reason != "" {
		return nil, reason, err
	}
	r := &renaming{view: v, symbol: s}
	if r.old, r.new, reason = newNameOf(x, s, name); reason != "" {
		return nil, reason, nil
	}
	if err := r.collect(ctx); err != nil {
		return nil, "", err
	}
	if !v.IsWhole() {
		return nil, notWhole, nil
	}
	if r.reason != "" {
		return nil, r.reason, nil
	}
	e = &workspace.Edit{Edits: r.edits}
	reason, err = r.check(ctx, e)
	return e, reason, err
}

// name is the name as it is mentioned.
func (x *mention) name() string {
	name := x.node.Value[x.part.Start:x.part.End]
	switch x.spelling {
	case asPathSegment:
		if segments := fieldpath.Parse(name).Segments; len(segments) == 1 {
			return segments[0].Text
		}
	case asPointerToken:
		return jsonpointer.Unescape(name)
	}
	return name
}

// nameAt returns the mention under the cursor, and the one thing that it means in so many
// of the roots.
func nameAt(ctx context.Context, v *workspace.View, c cursor.Cursor, limit int) (x mention, table *syntax.Table, s symbol, reason string, err error) {
	uses, err := scopesOf(ctx, v, limit, c.File)
	if err != nil {
		return x, nil, s, "", err
	}
	symbols := symbolSet{}
	for _, u := range uses {
		for _, found := range u.mentionsAt(c) {
			x, table, s = found, u.Build.Session().Table(), found.symbols[0]
			symbols.add(found.symbols...)
		}
	}
	switch {
	case len(symbols) == 0:
		return x, nil, s, nothingToRename, nil
	case s.kind == imageEntry:
		return x, nil, s, "the name of an image is not decided here", nil
	case x.isPattern():
		return x, nil, s, "this is a pattern; rename the resource where it has its name", nil
	case len(symbols) > 1:
		return x, nil, s, fmt.Sprintf("%s is the name of %d things here; rename each where it has its name", x.name(), len(symbols)), nil
	}
	return x, table, s, "", nil
}

// isPattern tells whether a selector names what it selects by something else than one
// of the names.
func (x *mention) isPattern() bool {
	written := x.name()
	isName := func(name string) bool { return name == written || regexp.QuoteMeta(name) == written }
	return x.spelling == asPattern && !slices.ContainsFunc(x.of, func(r *resource.Resource) bool { return hasName(r, isName) })
}

// newNameOf returns what the name is and becomes where the thing gets it: a mention
// may have the prefixes and suffixes of overlays.
func newNameOf(x mention, s symbol, name string) (was, becomes, reason string) {
	name = strings.TrimSpace(name)
	if s.kind == dataKey {
		switch {
		case len(name) > maxKey || !keyPattern().MatchString(name) || name == "." || name == "..":
			return "", "", "a key consists of letters, digits, -, _ and ."
		case name == s.key:
			return "", "", "this is its name already"
		}
		return s.key, name, ""
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune("/%\u007f\u00a0", r) }) {
		return "", "", "a name has at least one character, and neither blanks, / nor %"
	}
	for _, r := range x.of {
		before, after, ok := affixes(r, x.name())
		if !ok {
			continue
		}
		inner, hasPrefix := strings.CutPrefix(name, before)
		inner, hasSuffix := strings.CutSuffix(inner, after)
		switch {
		case !hasPrefix || !hasSuffix || inner == "":
			return "", "", fmt.Sprintf("the name stands here with what overlays add: it begins with %q and ends with %q", before, after)
		case inner == r.Named.Value:
			return "", "", "this is its name already"
		}
		return r.Named.Value, inner, ""
	}
	return "", "", "the build made this name of others; rename the resource where it has its own"
}

// Keys of ConfigMaps and Secrets. The bound, in bytes, is not in the expression: that
// would make it large, and it is made at every start.
var keyPattern = text.Regexp(`^[-._a-zA-Z0-9]+$`)

const maxKey = 253

// affixes returns what stands before and after the resource's own name in one of its
// names: some of the prefixes and suffixes that it got, the innermost first.
func affixes(r *resource.Resource, name string) (before, after string, ok bool) {
	own := r.Named.Value
	for i := range len(r.Prefixes) + 1 {
		before = ""
		for _, prefix := range r.Prefixes[:i] {
			before = prefix + before
		}
		for j := range len(r.Suffixes) + 1 {
			if after = strings.Join(r.Suffixes[:j], ""); before+own+after == name {
				return before, after, true
			}
		}
	}
	return "", "", false
}

// renaming collects the edits of a rename.
type renaming struct {
	view     *workspace.View
	symbol   symbol
	old, new string
	edits    []analysis.FileEdit
	// patterns are the places that name the thing by a pattern, which stay.
	patterns []analysis.Place
	reason   string
}

// collect finds every mention, in all roots that read where the thing is defined; and
// what else is meant there in any root.
func (r *renaming) collect(ctx context.Context) error {
	uses, err := scopesOf(ctx, r.view, workspace.AllScopes, r.symbol.file)
	if err != nil {
		return err
	}
	for _, u := range uses {
		table := u.Build.Session().Table()
		for _, x := range u.mentions() {
			if slices.Contains(x.symbols, r.symbol) {
				r.mention(table, x)
			}
		}
	}
	if r.reason != "" {
		return nil
	}
	edited := map[string][]text.Span{}
	for _, e := range r.edits {
		edited[e.File] = append(edited[e.File], e.Span)
	}
	if uses, err = scopesOf(ctx, r.view, workspace.AllScopes, slices.Sorted(maps.Keys(edited))...); err != nil {
		return err
	}
	for _, u := range uses {
		table := u.Build.Session().Table()
		for _, x := range u.mentions() {
			id, _, _ := syntax.Place(x.node)
			if source := table.Source(id); source != nil && edited[source.Path()] != nil {
				r.others(u, x, edited[source.Path()])
			}
		}
	}
	return nil
}

// mention adds the edit of one place.
func (r *renaming) mention(table *syntax.Table, x mention) {
	place, ok := cursor.PartPlace(table, x.node, x.part)
	if !ok || r.reason != "" {
		return
	}
	if x.isPattern() {
		r.patterns = append(r.patterns, place)
		return
	}
	written, reason := r.written(x)
	if reason != "" {
		r.reason = fmt.Sprintf("%s: %s", r.view.ShowPlace(place), reason)
		return
	}
	part := x.part
	if x.spelling == asFileEntry {
		part, written = text.Span{}, written+"="
	}
	edit, ok := analysis.EditScalar(table, x.node, part, written)
	if !ok && isLineOfText(table, x.node) {
		edit, ok = analysis.FileEdit{Place: place, New: written}, true
	}
	if !ok || !r.view.IsInFolders(edit.File) {
		r.reason = fmt.Sprintf("%s: the name stands there as well and cannot be changed", r.view.ShowPlace(place))
		return
	}
	if !slices.Contains(r.edits, edit) {
		r.edits = append(r.edits, edit)
	}
}

// isLineOfText tells whether the node is a key in an env file, which is no YAML.
func isLineOfText(table *syntax.Table, n *yaml.Node) bool {
	id, _, column := syntax.Place(n)
	source := table.Source(id)
	return source != nil && source.Host() == nil && column == 1 && n.Tag == "" && n.Style == 0 && !workspace.IsKustomization(source.Path())
}

// written returns the new name as it is to be written at a mention.
func (r *renaming) written(x mention) (written, reason string) {
	if r.symbol.kind == dataKey {
		switch x.spelling {
		case asPathSegment:
			if !fieldpath.CanEscape(r.new) {
				return "", "a field path cannot name such a key"
			}
			return fieldpath.Escape(r.new), ""
		case asPointerToken:
			return jsonpointer.Escape(r.new), ""
		}
		return r.new, ""
	}
	name := x.name()
	for _, one := range x.of {
		if before, after, ok := affixes(one, name); ok {
			return before + r.new + after, ""
		}
		quoted := ""
		hasName(one, func(known string) bool {
			before, after, ok := affixes(one, known)
			if ok = ok && x.spelling == asPattern && regexp.QuoteMeta(known) == name; ok {
				quoted = regexp.QuoteMeta(before + r.new + after)
			}
			return ok
		})
		if quoted != "" {
			return quoted, ""
		}
	}
	return "", "the build made this name of others"
}

// others gives up where something else is named at a place that is edited.
func (r *renaming) others(u *scope, x mention, edited []text.Span) {
	other := slices.IndexFunc(x.symbols, func(s symbol) bool { return s != r.symbol })
	if other < 0 || r.reason != "" {
		return
	}
	place, ok := cursor.PartPlace(u.Build.Session().Table(), x.node, x.part)
	if !ok {
		return
	}
	if slices.ContainsFunc(edited, func(span text.Span) bool { return span.Start <= place.Span.Start && span.End >= place.Span.End }) {
		s := x.symbols[other]
		r.reason = fmt.Sprintf("%s names something else as well, in %s: what is named in %s, line %d",
			r.view.ShowPlace(place), r.view.ShortPath(u.Build.Root.Dir), r.view.ShortFile(s.file), s.line)
	}
}
