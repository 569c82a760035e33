// Package complete suggests what can stand at a position: fields, values, paths, and the
// resources and fields that are there at that moment of the build.
package complete

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/schema"
)

// maxSuggestions bounds how many suggestions are made at once.
const maxSuggestions = 200

// Completion is what could be typed at a position.
type Completion struct {
	// Suggestions are in the order in which they are shown.
	Suggestions []Suggestion
	// Incomplete is true where there are more, of which some may fit better once
	// more is typed.
	Incomplete bool
}

// SuggestionKind says what a suggestion is.
type SuggestionKind string

// The kinds of suggestions.
const (
	SuggestField     SuggestionKind = "field"     // a key whose meaning is known
	SuggestKey       SuggestionKind = "key"       // a key that is there in a resource
	SuggestElement   SuggestionKind = "element"   // an element of a list
	SuggestValue     SuggestionKind = "value"     // a value that is there already
	SuggestChoice    SuggestionKind = "choice"    // one of few values that are allowed
	SuggestResource  SuggestionKind = "resource"  // part of the identity of a resource
	SuggestFile      SuggestionKind = "file"      // a path
	SuggestFolder    SuggestionKind = "folder"    // a path
	SuggestOperation SuggestionKind = "operation" // of a JSON 6902 patch
	SuggestRule      SuggestionKind = "rule"      // of kls
)

// Suggestion is one thing that could be typed.
type Suggestion struct {
	Label  string
	Kind   SuggestionKind
	Detail string // in one line
	// Documentation is in Markdown.
	Documentation string
	Deprecated    bool
	// Filter is what the text before the position in Insert is held against.
	Filter string
	// Text takes the place of Replace, or of the part of it before the position,
	// which is Insert: offsets in the file. Its later lines have all of their
	// indentation.
	Text            string
	Replace, Insert text.Span
	// Snippet is Text with tab stops; empty where there are none.
	Snippet string
}

// At suggests what could be typed at an offset of a file. It is nil where
// nothing is known of the place.
func At(ctx context.Context, v *workspace.View, file string, offset int) (*Completion, error) {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil, nil // as of any file that is not there
	}
	offset = max(0, min(offset, len(f.Data)))
	if offset > 0 && offset < len(f.Data) && f.Data[offset-1] == '\r' && f.Data[offset] == '\n' {
		offset-- // there is no place between the two
	}
	c := &completer{ctx: ctx, view: v, file: file, offset: offset, content: f.Data}
	if c.suppression() {
		return c.completion(), c.err
	}
	var found bool
	if c.slot, found = syntax.FindSlot(f.Data, offset); found {
		c.complete()
	}
	if len(c.choices) == 0 && (!found || c.slot.Quote != 0) && c.err == nil {
		if within, ok := syntax.FindWithin(f.Data, offset); ok {
			c.completeWithin(within)
		}
	}
	if c.err == nil {
		c.err = ctx.Err()
	}
	return c.completion(), c.err
}

// completer collects the suggestions for one slot.
type completer struct {
	ctx    context.Context
	view   *workspace.View
	file   string
	offset int // in content
	// content is the text of the file, or, where host is set, that of a string in it.
	content []byte
	host    *syntax.Within
	slot    syntax.Slot

	// wanted tells which layers use the file; nil for the one whose kustomization it is.
	wanted func(*builder.Layer) bool
	kinds  *schema.Kubernetes // see schema
	// schemaElsewhere is true where others suggest what the schemas of resources have.
	schemaElsewhere bool

	choices []choice
	seen    map[string]bool
	err     error
}

// complete looks for what kind of file it is.
func (c *completer) complete() {
	switch {
	case filepath.Base(c.file) == config.FileName:
		c.completeConfig()
	case workspace.IsKustomization(c.file):
		c.completeKustomization()
	default:
		c.completeOther()
	}
}

// completeWithin completes in a string: a patch, or the file that a string is.
func (c *completer) completeWithin(within syntax.Within) {
	inner := *c
	inner.host, inner.content, inner.offset = &within, within.Text, within.Offset
	var ok bool
	inner.slot, ok = syntax.FindSlot(within.Text, within.Offset)
	if !ok {
		return
	}
	if workspace.IsKustomization(c.file) {
		inner.completeInlinePatch(within)
	} else if isYAML(c.file) {
		inner.completePluginPatch(within)
	}
	c.choices, c.host, c.slot, c.err = inner.choices, inner.host, inner.slot, inner.err
	c.content, c.offset = inner.content, inner.offset
}

// last returns the step that leads to the slot.
func (c *completer) last() syntax.Step {
	if n := len(c.slot.Steps); n > 0 {
		return c.slot.Steps[n-1]
	}
	return syntax.Step{}
}

// before returns the steps that lead to the collection that the slot is in.
func (c *completer) before() []syntax.Step {
	return c.slot.Steps[:max(0, len(c.slot.Steps)-1)]
}

// alone tells whether the slot is a key with nothing beside it: what is typed
// there could as well become a value in the place of the mapping.
func (c *completer) alone() bool {
	return c.slot.OnKey && !c.slot.Flow && !c.slot.Colon && len(c.last().Parent.Content) == 2
}

// sibling returns the text of another field of the mapping that the slot is in.
func (c *completer) sibling(name string) string { return syntax.FieldText(c.last().Parent, name) }
