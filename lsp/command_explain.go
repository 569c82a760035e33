package lsp

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
)

// explainResult is what kls.explain answers.
type explainResult struct {
	Markdown string `json:"markdown"`
	Text     string `json:"text"`
	// Explanation is what kls explain --format json prints: an object for a line of
	// a rendered text, a list of what becomes of it for a line of a file. Files are
	// relative to the workspace folder that they are in.
	Explanation any `json:"explanation"`
}

// explainCommand tells of a line of a rendered text where its value comes from, and
// of a line of a file what becomes of it.
func (s *server) explainCommand(ctx context.Context, asked commandCall) (any, error) {
	if err := asked.needsFile(); err != nil {
		return nil, err
	}
	if asked.Position == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the argument needs a position")
	}
	encoder := explain.Encoder{File: s.nameInFolder}
	if asked.virtual != nil {
		e, err := explainVirtual(ctx, asked.view, *asked.virtual, toPosition(*asked.Position).Line)
		if err != nil || e == nil {
			return nil, err
		}
		story := ide.Story{Dir: asked.virtual.root}
		plain := ide.Story{Dir: story.Dir, Plain: true}
		return explainResult{story.Explanation(e), plain.Explanation(e), encoder.Explanation(e)}, nil
	}
	uses, err := asked.explainFile(ctx)
	if err != nil || len(uses) == 0 {
		return nil, err
	}
	story := ide.Story{Dir: filepath.Dir(asked.path)}
	plain := ide.Story{Dir: story.Dir, Plain: true}
	encoded := []explain.JSONUse{}
	for _, u := range uses {
		encoded = append(encoded, encoder.Use(u.Dir, u.Use))
	}
	return explainResult{story.Uses(uses), plain.Uses(uses), encoded}, nil
}

// explainVirtual explains a 0-based line of a virtual document; nil where there is
// nothing to explain, as in a difference.
func explainVirtual(ctx context.Context, view *ide.View, v virtual, line int) (*explain.Explanation, error) {
	if v.diff || v.against == againstHead {
		return nil, nil
	}
	rendered, err := view.Render(ctx, v.rendering())
	if err != nil || rendered == nil {
		return nil, err
	}
	return view.ExplainLine(ctx, rendered, line)
}

func (c commandCall) explainFile(ctx context.Context) ([]ide.LineUse, error) {
	content, err := readFile(c.view, c.path)
	if err != nil {
		return nil, nil // there is no such file
	}
	offset := text.NewLines(content).PositionToOffset(toPosition(*c.Position), c.encoding)
	return c.view.ExplainFile(ctx, c.path, offset)
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
