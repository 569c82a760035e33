package lsp

import (
	"cmp"
	"context"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/uri"
)

// previewResult is what kls.preview answers.
type previewResult struct {
	URI     uri.URI `json:"uri"`
	Root    uri.URI `json:"root"`
	Verdict string  `json:"verdict"`
	Text    string  `json:"text"`
	// Files are what Lines refer to.
	Files []uri.URI `json:"files"`
	// Lines have for each line of the text the index in Files and the 0-based line
	// and character there; nil for what was written nowhere.
	Lines []*[3]uint32 `json:"lines"`
	// At is the 0-based line of the text that comes from the position that was asked
	// about; left out where there is none.
	At *int `json:"at,omitempty"`
	// File is the temporary file with the text, for a client without virtual
	// documents.
	File *uri.URI `json:"file,omitempty"`
}

// previewCommand renders the root that a file belongs to.
func (s *server) previewCommand(ctx context.Context, asked commandCall) (any, error) {
	v, ok, err := s.virtualFor(ctx, asked)
	if err != nil || !ok {
		return nil, err
	}
	rendered, err := preview.Render(ctx, asked.view, v.rendering())
	if err != nil || rendered == nil {
		return nil, err
	}
	if asked.showsVirtual() {
		s.gaveBeside(s.virtualURI(v), v, asked.view, string(rendered.Text))
	}
	convert := s.newConverter(asked.view)
	result := previewResult{URI: s.virtualURI(v), Root: s.uri(v.root), Verdict: string(rendered.Verdict), Text: string(rendered.Text)}
	result.Files, result.Lines = convert.toLines(rendered.Written)
	shown := 0
	if line, ok := lineOf(asked, rendered); ok {
		result.At, shown = &line, line
	}
	result.File, err = s.showScratch(ctx, asked.abilities, v, scratchPreview, rendered.Text, shown)
	return result, err
}

// virtualFor returns the preview of the root that the command is asked about; false
// where there is none.
func (s *server) virtualFor(ctx context.Context, asked commandCall) (virtual, bool, error) {
	if err := asked.needsFile(); err != nil {
		return virtual{}, false, err
	}
	if v, ok, err := s.deploymentFor(ctx, asked); ok || err != nil {
		return v, ok, err
	}
	root, ok, err := asked.view.RootFor(ctx, asked.path)
	v := virtual{root: root, resource: asked.Resource}
	if asked.virtual != nil && v.resource == "" {
		v.resource = asked.virtual.resource
	}
	return v, ok, err
}

// deploymentFor returns the preview of what a deployment gets, where the command is asked
// about the object of one, or names one; false where it is not.
func (s *server) deploymentFor(ctx context.Context, asked commandCall) (virtual, bool, error) {
	v := virtual{resource: asked.Resource, deployment: asked.Deployment}
	switch {
	case asked.virtual != nil:
		v.root, v.deployment, v.resource = asked.virtual.root, asked.virtual.deployment, cmp.Or(v.resource, asked.virtual.resource)
		return v, v.deployment != "", nil
	case asked.Deployment != "":
		set, err := asked.view.Deployments(ctx, asked.path)
		if err != nil {
			return v, false, err
		}
		v.root = set.Root
		return v, true, nil
	}
	offset := -1
	if asked.Position != nil {
		f, err := asked.view.Files().ReadFile(asked.path)
		if err != nil {
			return v, false, nil
		}
		offset = text.NewLines(f.Data).PositionToOffset(toPosition(*asked.Position), asked.encoding)
	}
	var ok bool
	var err error
	v.root, v.deployment, ok, err = preview.DeploymentAt(ctx, asked.view, asked.path, offset)
	return v, ok, err
}

// lineOf returns the line of the text that comes from the position asked about.
func lineOf(asked commandCall, rendered *preview.Rendered) (int, bool) {
	if asked.Position == nil || asked.virtual != nil {
		return 0, false
	}
	return rendered.LineOf(asked.path, toPosition(*asked.Position).Line+1)
}

// toLines converts the places of the lines of a text.
func (c *converter) toLines(places []explain.Place) ([]uri.URI, []*[3]uint32) {
	files, index := []uri.URI{}, map[string]int{}
	lines := make([]*[3]uint32, len(places))
	for i, p := range places {
		if !p.Known() {
			continue
		}
		at, known := index[p.File]
		if !known {
			at = len(files)
			index[p.File] = at
			files = append(files, c.server.uri(p.File))
		}
		position := c.toPosition(p)
		lines[i] = &[3]uint32{uint32(at), position.Line, position.Character}
	}
	return files, lines
}
