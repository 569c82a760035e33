package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// virtualQuestion is a request about a line of a virtual document, or of a temporary
// file that stands for one.
type virtualQuestion struct {
	abilities
	view *workspace.View
	of   virtual
	line int // 0-based
}

// askVirtual is ask for virtual documents; false for any other.
func (s *server) askVirtual(ctx context.Context, p protocol.TextDocumentPositionParams) (virtualQuestion, bool) {
	now := s.moment()
	of, ok := s.virtualAt(now, p.TextDocument.URI)
	if ok {
		jsonrpc2.Async(ctx)
	}
	return virtualQuestion{abilities: s.abilities, view: now.view, of: of, line: toPosition(p.Position).Line}, ok
}

// rendered returns what is shown; nil for a difference and for what was.
func (q virtualQuestion) rendered(ctx context.Context) (*preview.Rendered, error) {
	if q.of.diff || q.of.against == againstHead {
		return nil, nil
	}
	return preview.Render(ctx, q.view, q.of.rendering())
}

// virtualDefinition leads from a line of rendered text to where its value was
// written.
func (s *server) virtualDefinition(ctx context.Context, q virtualQuestion) (protocol.DefinitionResult, error) {
	rendered, err := q.rendered(ctx)
	if err != nil || rendered == nil || q.line >= len(rendered.Written) || !rendered.Written[q.line].Known() {
		return nil, err
	}
	place := rendered.Written[q.line]
	at := s.newConverter(q.view).toPosition(place)
	return protocol.LocationSlice{{URI: s.uri(place.File), Range: protocol.Range{Start: at, End: at}}}, nil
}

// virtualHover explains a line of rendered text.
func (s *server) virtualHover(ctx context.Context, q virtualQuestion) (*protocol.Hover, error) {
	rendered, err := q.rendered(ctx)
	if err != nil || rendered == nil {
		return nil, err
	}
	e, err := preview.ExplainLine(ctx, q.view, rendered, q.line)
	if err != nil || e == nil {
		return nil, err
	}
	story := preview.Story{Dir: q.of.root, Plain: !q.markdown}
	line := text.NewLines(rendered.Text)
	about := fromSpan(line, line.LineSpan(q.line), q.encoding)
	return &protocol.Hover{Contents: markup(q.abilities, story.Explanation(e)), Range: &about}, nil
}

// markup returns a text of Markdown as the client shows it.
func markup(able abilities, content string) *protocol.MarkupContent {
	if !able.markdown {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plainText(content)}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: content}
}
