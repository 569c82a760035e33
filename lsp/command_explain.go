package lsp

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
)

// explainResult is what kls.explain answers.
type explainResult struct {
	Markdown string `json:"markdown"`
	Text     string `json:"text"`
	// Explanation is what kls explain --format json prints: an object for an address or a
	// line of a rendered text, a list of what becomes of it for a line of a file, and one
	// of resources where there is no position. Files are relative to the workspace folder
	// that they are in.
	Explanation any `json:"explanation"`
}

// explainCommand tells of a line of a rendered text, or of a resource or field by its
// address, where the value comes from, of a line of a file what becomes of it, and of a
// file without a position where its resources come from.
func (s *server) explainCommand(ctx context.Context, asked commandCall) (any, error) {
	if err := asked.needsFile(); err != nil {
		return nil, err
	}
	encoder := explain.Encoder{File: s.nameInFolder}
	switch {
	case asked.Resource != "":
		return s.explainAddress(ctx, asked, encoder)
	case asked.Position == nil:
		origins, err := preview.ExplainWhole(ctx, asked.view, asked.path)
		if err != nil || origins == nil {
			return nil, err
		}
		story, plain := stories(origins.Dir)
		return explainResult{story.Origins(origins), plain.Origins(origins), encoder.Origins(origins.List)}, nil
	case asked.virtual != nil:
		e, err := explainVirtual(ctx, asked.view, *asked.virtual, toPosition(*asked.Position).Line)
		if err != nil || e == nil {
			return nil, err
		}
		return explained(e, asked.virtual.root, encoder), nil
	}
	uses, err := asked.explainFile(ctx)
	if err != nil || len(uses) == 0 {
		return nil, err
	}
	story, plain := stories(filepath.Dir(asked.path))
	return explainResult{story.Uses(uses), plain.Uses(uses), encoder.Uses(uses)}, nil
}

// stories tell of files as seen from a folder, in Markdown and in plain text.
func stories(dir string) (story, plain preview.Story) {
	return preview.Story{Dir: dir}, preview.Story{Dir: dir, Plain: true}
}

func explained(e *explain.Explanation, dir string, encoder explain.Encoder) explainResult {
	story, plain := stories(dir)
	return explainResult{story.Explanation(e), plain.Explanation(e), encoder.Explanation(e)}
}

func (s *server) explainAddress(ctx context.Context, asked commandCall, encoder explain.Encoder) (any, error) {
	dir, ok, err := asked.view.RootFor(ctx, asked.path)
	if err != nil || !ok {
		return nil, err
	}
	answer, err := preview.ExplainAddress(ctx, asked.view, dir, asked.Resource)
	switch {
	case err != nil || answer == nil:
		return nil, err
	case answer.Missing != nil:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, missingMessage(answer.Missing))
	}
	return explained(answer.Explanation, dir, encoder), nil
}

func missingMessage(m *explain.Missing) string {
	if len(m.Candidates) == 0 {
		return m.Message
	}
	return m.Message + "; there is " + strings.Join(m.Candidates, ", ")
}

// explainVirtual explains a 0-based line of a virtual document; nil where there is
// nothing to explain, as in a difference.
func explainVirtual(ctx context.Context, view *workspace.View, v virtual, line int) (*explain.Explanation, error) {
	if v.diff || v.against == againstHead {
		return nil, nil
	}
	rendered, err := preview.Render(ctx, view, v.rendering())
	if err != nil || rendered == nil {
		return nil, err
	}
	return preview.ExplainLine(ctx, view, rendered, line)
}

func (c commandCall) explainFile(ctx context.Context) ([]*explain.Use, error) {
	content, err := readFile(c.view, c.path)
	if err != nil {
		return nil, nil // there is no such file
	}
	offset := text.NewLines(content).PositionToOffset(toPosition(*c.Position), c.encoding)
	return preview.ExplainFile(ctx, c.view, c.path, offset)
}

// nameInFolder names a file as seen from the workspace folder that it is in, with
// forward slashes.
func (s *server) nameInFolder(path string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	name, err := filepath.Rel(s.folderOf(path), path)
	if err != nil {
		name = path
	}
	return filepath.ToSlash(name)
}
