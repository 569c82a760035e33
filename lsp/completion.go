package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

type completionAbilities struct {
	snippets       bool
	insertReplace  bool // edits with two ranges
	completionTags bool
	// markdownDocs is true where documentation may have markup, laterDocs where it
	// may be asked for when an item is looked at.
	markdownDocs, laterDocs bool
	// insertsAsIs is true where the client can be told not to indent what it inserts;
	// indents where it does so unasked.
	insertsAsIs, indents bool
}

var completionFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		known := c.TextDocument.Completion
		if known == nil {
			return
		}
		a.indents = known.InsertTextMode == protocol.InsertTextModeAdjustIndentation
		if item := known.CompletionItem; item != nil {
			a.snippets, a.insertReplace = isTrue(item.SnippetSupport), isTrue(item.InsertReplaceSupport)
			a.completionTags = can(item.TagSupport.ValueSet, protocol.CompletionItemTagDeprecated)
			a.markdownDocs = can(item.DocumentationFormat, protocol.MarkupKindMarkdown)
			a.laterDocs = can(item.ResolveSupport.Properties, "documentation")
			a.insertsAsIs = can(item.InsertTextModeSupport.ValueSet, protocol.InsertTextModeAsIs)
		}
	},
	offer: func(a *abilities, c *protocol.ServerCapabilities) {
		c.CompletionProvider = &protocol.CompletionOptions{
			TriggerCharacters: []string{" ", "/", ".", "[", "=", ",", "{", "\"", "'"}, ResolveProvider: &a.laterDocs}
	},
}

// Completion answers textDocument/completion.
func (s *server) Completion(ctx context.Context, params *protocol.CompletionParams) (protocol.CompletionResult, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	completion, err := complete.At(ctx, q.view, q.path, q.offset)
	if err != nil || completion == nil {
		return nil, err
	}
	list := &protocol.CompletionList{IsIncomplete: completion.Incomplete, Items: make([]protocol.CompletionItem, len(completion.Suggestions))}
	for i, suggestion := range completion.Suggestions {
		list.Items[i] = q.fromSuggestion(i, suggestion)
	}
	if q.laterDocs {
		s.keepDocs(completion)
	}
	return list, nil
}

// CompletionResolve answers completionItem/resolve with the documentation of an item
// of the last list.
func (s *server) CompletionResolve(ctx context.Context, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	s.mutex.Lock()
	a, kept := s.abilities, s.suggested
	s.mutex.Unlock()
	jsonrpc2.Async(ctx)
	var at int
	sort, _ := item.SortText.Get()
	if _, err := fmt.Sscanf(sort, "%d", &at); err == nil && kept != nil && at >= 0 && at < len(kept.Suggestions) && kept.Suggestions[at].Label == item.Label {
		item.Documentation = a.toDocs(kept.Suggestions[at])
	}
	return item, nil
}

func (s *server) keepDocs(completion *complete.Completion) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.suggested = completion
}

func (a *abilities) toDocs(suggestion complete.Suggestion) protocol.InlayHintTooltip {
	switch {
	case suggestion.Documentation == "":
		return nil
	case a.markdownDocs:
		return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: suggestion.Documentation}
	}
	return protocol.String(plainText(suggestion.Documentation))
}

var suggestionKinds = map[complete.SuggestionKind]protocol.CompletionItemKind{
	complete.SuggestField: protocol.CompletionItemKindProperty, complete.SuggestKey: protocol.CompletionItemKindField,
	complete.SuggestElement: protocol.CompletionItemKindVariable, complete.SuggestValue: protocol.CompletionItemKindValue,
	complete.SuggestChoice: protocol.CompletionItemKindEnumMember, complete.SuggestResource: protocol.CompletionItemKindReference,
	complete.SuggestFile: protocol.CompletionItemKindFile, complete.SuggestFolder: protocol.CompletionItemKindFolder,
	complete.SuggestOperation: protocol.CompletionItemKindKeyword, complete.SuggestRule: protocol.CompletionItemKindConstant,
}

func (q question) fromSuggestion(i int, suggestion complete.Suggestion) protocol.CompletionItem {
	item := protocol.CompletionItem{
		Label: suggestion.Label, Kind: suggestionKinds[suggestion.Kind],
		SortText:         protocol.NewOptional(fmt.Sprintf("%04d", i)),
		FilterText:       protocol.NewOptional(suggestion.Filter),
		InsertTextFormat: protocol.InsertTextFormatPlainText,
	}
	if suggestion.Detail != "" {
		item.Detail = protocol.NewOptional(suggestion.Detail)
	}
	if suggestion.Deprecated && q.completionTags {
		item.Tags = []protocol.CompletionItemTag{protocol.CompletionItemTagDeprecated}
	}
	if !q.laterDocs {
		item.Documentation = q.toDocs(suggestion)
	}
	text := suggestion.Text
	if q.snippets && suggestion.Snippet != "" {
		text, item.InsertTextFormat = suggestion.Snippet, protocol.InsertTextFormatSnippet
	}
	if strings.Contains(text, "\n") {
		if q.insertsAsIs {
			item.InsertTextMode = protocol.InsertTextModeAsIs
		} else if q.indents {
			text = strings.ReplaceAll(text, "\n"+q.indentation(), "\n")
		}
	}
	item.TextEdit = q.fromEdit(suggestion, text)
	return item
}

// fromEdit gives a client that knows no second range the whole word.
func (q question) fromEdit(suggestion complete.Suggestion, text string) protocol.CompletionItemTextEdit {
	replace, insert := fromSpan(q.lines, suggestion.Replace, q.encoding), fromSpan(q.lines, suggestion.Insert, q.encoding)
	if q.insertReplace {
		return &protocol.InsertReplaceEdit{NewText: text, Insert: insert, Replace: replace}
	}
	return &protocol.TextEdit{NewText: text, Range: replace}
}

// indentation is that of the line of the position, up to it.
func (q question) indentation() string {
	line, _ := q.lines.OffsetToLineColumn(q.offset)
	span := q.lines.LineSpan(line - 1)
	written := string(q.content[span.Start:q.offset])
	return written[:len(written)-len(strings.TrimLeft(written, " "))]
}
