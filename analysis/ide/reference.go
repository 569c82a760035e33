package ide

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// maxReferences bounds an answer.
const maxReferences = 2000

// Reference is a place where something is named.
type Reference struct {
	analysis.Place
	// Defines is true where it gets its name.
	Defines bool
}

// References returns every place that names what stands at a position, in all roots
// that use it: a resource, a key of a ConfigMap or Secret, an image, a file or folder,
// a field that field paths lead to. Of a file itself, asked where nothing else is
// named, it is the entries that name the file.
func References(ctx context.Context, v *workspace.View, file string, offset int) ([]Reference, error) {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok {
		return nil, nil
	}
	if e, ok := cursor.PathEntryAt(v, c); ok {
		return pathReferences(ctx, v, e.Target)
	}
	uses, err := scopesOf(ctx, v, maxDefinitionRoots, file)
	if err != nil {
		return nil, err
	}
	symbols := symbolsAt(uses, c)
	aboutFile := c.IsAboutFile() && len(symbols) == 0
	if s, ok := headOf(c); ok && len(symbols) == 0 {
		symbols.add(s)
	}
	var found []Reference
	if len(symbols) > 0 {
		if found, err = symbolReferences(ctx, v, symbols); err != nil {
			return nil, err
		}
	}
	if aboutFile {
		more, err := pathReferences(ctx, v, file)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if len(found) == 0 {
		for _, u := range uses {
			more, err := u.fieldReferences(ctx, c, "")
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	return sortedReferences(found), nil
}

func sortedReferences(found []Reference) []Reference {
	slices.SortFunc(found, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	found = slices.CompactFunc(found, func(a, b Reference) bool { return a.Place == b.Place })
	return found[:min(len(found), maxReferences)]
}

// symbolsAt returns what is named under the cursor.
func symbolsAt(uses []*scope, c cursor.Cursor) symbolSet {
	found := symbolSet{}
	for _, u := range uses {
		for _, x := range u.mentionsAt(c) {
			found.add(x.symbols...)
		}
	}
	return found
}

// mentionsAt returns the mentions that the cursor is in.
func (u *scope) mentionsAt(c cursor.Cursor) []mention {
	table := u.Build.Session().Table()
	var found []mention
	for _, x := range u.mentions() {
		id, _, _ := syntax.Place(x.node)
		if source := table.Source(id); source == nil || source.Path() != c.File {
			continue
		}
		if place, ok := cursor.PartPlace(table, x.node, x.part); ok && place.File == c.File && place.Span.Contains(c.Offset) {
			found = append(found, x)
		}
	}
	return found
}

// headOf returns the resource whose kind or apiVersion the cursor is on.
func headOf(c cursor.Cursor) (symbol, bool) {
	if len(c.Steps) == 0 || c.IsKustomization() {
		return symbol{}, false
	}
	last := c.Steps[len(c.Steps)-1]
	if last.Key == nil || last.Key.Value != "kind" && last.Key.Value != "apiVersion" {
		return symbol{}, false
	}
	name := syntax.Lookup(last.Parent, "metadata", "name")
	if name == nil {
		return symbol{}, false
	}
	_, line, column := syntax.Place(name)
	return symbol{kind: resourceName, spot: spot{c.File, line, column}}, true
}

// symbolReferences returns where the symbols are mentioned, in every build that reads
// where they are defined. A build that has no file of its own in which the names can
// stand is left out.
func symbolReferences(ctx context.Context, v *workspace.View, symbols symbolSet) ([]Reference, error) {
	near, err := scopesOf(ctx, v, maxDefinitionRoots, filesOf(symbols)...)
	if err != nil {
		return nil, err
	}
	s := &referenceSearch{view: v, symbols: symbols, looked: map[string]bool{}, names: map[symbol]string{}}
	for _, u := range near {
		s.lookIn(u)
	}
	if len(near) < maxDefinitionRoots {
		return s.found, nil
	}
	reading, err := v.RootsReading(ctx, filesOf(symbols)...)
	if err != nil {
		return nil, err
	}
	reading = slices.DeleteFunc(reading, func(r *workspace.Root) bool { return !s.mayMention(r) || s.lookBefore(r) })
	if err := v.CheckAll(ctx, reading); err != nil {
		return nil, err
	}
	for _, r := range reading {
		if len(s.found) >= maxReferences {
			break
		}
		u, err := scopeIn(ctx, v, r)
		if err != nil {
			return nil, err
		}
		if u != nil {
			s.lookIn(u)
		}
	}
	return s.found, nil
}

// referenceSearch looks for mentions of symbols in one build after the other.
type referenceSearch struct {
	view    *workspace.View
	symbols symbolSet
	found   []Reference
	// looked are the files that were read by the builds so far.
	looked map[string]bool
	// names are those that the symbols have where they get them.
	names map[symbol]string
}

func (s *referenceSearch) lookIn(u *scope) {
	for _, x := range u.mentions() {
		if s.add(u.Build.Session().Table(), x); x.defines && x.isOneOf(s.symbols) {
			for _, of := range x.symbols {
				s.names[of] = x.name()
			}
		}
	}
	for _, path := range u.Build.Reads.Files() {
		s.looked[path] = true
	}
}

func (s *referenceSearch) add(table *syntax.Table, x mention) {
	if !x.isOneOf(s.symbols) {
		return
	}
	if place, ok := cursor.PartPlace(table, x.node, x.part); ok {
		s.found = append(s.found, Reference{place, x.defines})
	}
}

// lookBefore looks in the build that a root had before the last changes. False means that it has to be built: a file of
// its own changed, or the symbols have other names since.
func (s *referenceSearch) lookBefore(r *workspace.Root) bool {
	last := s.view.LastScope(r, s.looked)
	if last == nil {
		return false
	}
	table := s.view.Session().Table()
	mentions := (&scope{last}).mentionsIn(table)
	same, other := false, false
	for _, x := range mentions {
		for _, of := range x.symbols {
			if name, known := s.names[of]; known && x.defines {
				same, other = same || name == x.name(), other || name != x.name()
			}
		}
	}
	if !same || other {
		return false
	}
	for _, x := range mentions {
		s.add(table, x)
	}
	return true
}

// mayMention tells whether the root reads a file that was not looked at, and in which one
// of the names can stand: as it is, or as a pattern.
func (s *referenceSearch) mayMention(r *workspace.Root) bool {
	files, known := r.LastReads()
	if !known || len(s.names) == 0 {
		return true
	}
	return slices.ContainsFunc(files, func(path string) bool {
		if s.looked[path] {
			return false
		}
		f, err := s.view.Files().ReadFile(path)
		if err != nil {
			return false
		}
		for _, name := range s.names {
			if bytes.Contains(f.Data, []byte(longestWord(name))) {
				return true
			}
		}
		return bytes.Contains(f.Data, []byte(".*")) || bytes.Contains(f.Data, []byte(".+"))
	})
}

// longestWord returns the longest part of a name that is written in the same way in a
// pattern, a field path and a JSON pointer.
func longestWord(name string) string {
	longest := ""
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("./~\\[]=", r) }) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	return longest
}

func filesOf(symbols symbolSet) []string {
	var files []string
	for s := range symbols {
		if !slices.Contains(files, s.file) {
			files = append(files, s.file)
		}
	}
	return files
}

// pathReferences returns the entries that name a file, or the folder of a
// kustomization file.
func pathReferences(ctx context.Context, v *workspace.View, target string) ([]Reference, error) {
	entries, err := cursor.PathEntriesNaming(ctx, v, target)
	var found []Reference
	for _, e := range entries {
		if place, ok := cursor.PathPlace(v, e); ok {
			found = append(found, Reference{Place: place})
		}
	}
	return found, err
}

// Highlight returns what is named in the file of a position and is the same as what
// stands there, as the build says that shows best what the file does: a resource, a key,
// an image, a path, or a field that field paths lead to.
func Highlight(ctx context.Context, v *workspace.View, file string, offset int) ([]Reference, error) {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok {
		return nil, nil
	}
	var found []Reference
	if e, ok := cursor.PathEntryAt(v, c); ok {
		for _, other := range cursor.PathEntriesIn(v, file) {
			if place, ok := cursor.PathPlace(v, other); ok && other.Target == e.Target {
				found = append(found, Reference{Place: place})
			}
		}
		return sortedReferences(found), nil
	}
	u, err := scopeOf(ctx, v, file)
	if err != nil || u == nil {
		return nil, err
	}
	symbols := symbolsAt([]*scope{u}, c)
	for _, x := range u.mentions() {
		if !x.isOneOf(symbols) {
			continue
		}
		if place, ok := cursor.PartPlace(u.Build.Session().Table(), x.node, x.part); ok && place.File == file {
			found = append(found, Reference{place, x.defines})
		}
	}
	if len(found) == 0 {
		c, _ = cursor.New(u.Build.Session(), file, offset)
		if found, err = u.fieldReferences(ctx, c, file); err != nil {
			return nil, err
		}
	}
	return sortedReferences(found), nil
}
