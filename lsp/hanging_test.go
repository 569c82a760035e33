package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
)

// stuckSource does not return from reading some files until it is released.
type stuckSource struct {
	vfs.Source
	isStuck  func(path string) bool
	asked    chan struct{} // closed once one of them is read
	once     sync.Once
	released chan struct{}
}

func newStuckSource(tree map[string]string, isStuck func(path string) bool) *stuckSource {
	files := map[string][]byte{}
	for name, content := range tree {
		files[filepath.Join(root, name)] = []byte(content)
	}
	return &stuckSource{Source: vfs.Memory(files), isStuck: isStuck, asked: make(chan struct{}), released: make(chan struct{})}
}

func (s *stuckSource) wait(path string) {
	if s.isStuck(path) {
		s.once.Do(func() { close(s.asked) })
		<-s.released
	}
}

func (s *stuckSource) ReadFile(path string) ([]byte, error) {
	s.wait(path)
	return s.Source.ReadFile(path)
}

func (s *stuckSource) ReadDir(path string) ([]fs.DirEntry, error) {
	s.wait(path)
	return s.Source.ReadDir(path)
}

// aboutEverything are requests that ask about all files, so about those too that hang.
var aboutEverything = []string{protocol.MethodWorkspaceDiagnostic, protocol.MethodWorkspaceSymbol}

// TestNoRequestWaitsForAnotherRoot has a root that is never built, since its resource, its kustomization file or its
// folder cannot be read. Every request that is offered is answered all the same where it is about files that this root does
// not read: an overlay, a patch and the base beside it.
func TestNoRequestWaitsForAnotherRoot(t *testing.T) {
	tree := maps.Clone(shop)
	tree["a-stuck-one/kustomization.yaml"] = "resources: [stuck.yaml]\n"
	tree["a-stuck-one/stuck.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stuck}\n"
	for _, stuck := range []string{"a-stuck-one/stuck.yaml", "a-stuck-one/kustomization.yaml", "a-stuck-one"} {
		for _, builtBefore := range []bool{false, true} {
			t.Run(fmt.Sprint(stuck, builtBefore), func(t *testing.T) { expectAnswersBeside(t, tree, stuck, builtBefore) })
		}
	}
}

func expectAnswersBeside(t *testing.T, tree map[string]string, stuck string, builtBefore bool) {
	source := newStuckSource(tree, func(path string) bool { return path == filepath.Join(root, stuck) })
	e := open(t, setup{source: source, tree: tree, capabilities: func(c *protocol.ClientCapabilities) {
		pulling(c)
		c.Workspace.TextDocumentContent = &protocol.TextDocumentContentClientCapabilities{}
	}})
	<-source.asked
	e.open("overlay/kustomization.yaml")
	e.open("base/deploy.yaml")
	if builtBefore {
		if lines, _, _ := e.pull("overlay/kustomization.yaml", ""); !slices.Equal(lines, []string{"5:10 warning patch-no-target"}) {
			t.Errorf("pulled are %v", lines)
		}
		e.replace("base/deploy.yaml", "replicas: 1", "replicas: 2")
	}
	for _, name := range []string{"overlay/kustomization.yaml", "overlay/patch.yaml", "base/deploy.yaml", "base/kustomization.yaml", "stray.yaml"} {
		for _, request := range slices.Concat(slices.Collect(maps.Values(requests))...) {
			if !slices.Contains(aboutEverything, request.method) {
				e.expectAnswer(name, request.method, request.more)
			}
		}
	}
	close(source.released)
	e.quit()
}

// expectAnswer sends a request and waits for its answer, also one that it is not possible.
func (e *editor) expectAnswer(name, method, more string) {
	e.t.Helper()
	answered := make(chan error, 1)
	go func() {
		var result json.RawMessage
		_, err := e.conn.Call(context.Background(), method, e.parameters(name, more), &result)
		answered <- err
	}()
	select {
	case err := <-answered:
		if err != nil && strings.Contains(err.Error(), "cancel") {
			e.t.Errorf("%s %s of %s: %v", method, more, name, err)
		}
	case <-time.After(patience):
		e.t.Errorf("%s %s of %s waits for a root that does not read it", method, more, name)
	}
}
