package lsp

import (
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Scratch has temporary files.
type Scratch interface {
	// Write writes a read-only file in the place of an earlier one of the same name,
	// and returns its path.
	Write(name string, content []byte) (path string, err error)
	// Close deletes all files; it may be called again.
	Close() error
}

// showScratch writes a text to a temporary file and has it shown, for clients that
// show no virtual documents. It returns nil where there can be no such files.
func (s *server) showScratch(ctx context.Context, able abilities, v virtual, suffix string, content []byte, line int) (*uri.URI, error) {
	if able.showsVirtual() || s.options.Scratch == nil {
		return nil, nil
	}
	sum := fnv.New32a()
	fmt.Fprintf(sum, "%+v", v)
	path, err := s.options.Scratch.Write(fmt.Sprintf("%s-%08x%s", filepath.Base(v.root), sum.Sum32(), suffix), content)
	if err != nil {
		return nil, err
	}
	written := uri.File(path)
	if !v.diff && suffix == scratchPreview {
		s.virtuals.wrote(path, v)
	}
	if !able.showsDocuments {
		return &written, nil
	}
	at := protocol.Position{Line: uint32(max(line, 0))}
	params := &protocol.ShowDocumentParams{URI: written, TakeFocus: yes(), Selection: &protocol.Range{Start: at, End: at}}
	if suffix == scratchPage {
		params.External, params.Selection = yes(), nil
	}
	if _, err := s.client.ShowDocument(ctx, params); err != nil && ctx.Err() == nil {
		s.log("window/showDocument: %v", err) // the client has the result all the same
	}
	return &written, nil
}

// closeScratch deletes the temporary files: when the client says that it ends, since
// it may not wait for long, and at the end.
func (s *server) closeScratch() {
	if s.options.Scratch == nil {
		return
	}
	if err := s.options.Scratch.Close(); err != nil {
		s.log("deleting temporary files: %v", err)
	}
}

// Endings of the names of temporary files.
const (
	scratchPreview = ".preview.yaml"
	scratchDiff    = ".preview.diff"
	scratchPage    = ".graph.html"
)
