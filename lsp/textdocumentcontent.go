package lsp

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/rogpeppe/go-internal/diff"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

type virtualAbilities struct {
	virtualDocuments bool // it has the capability
	showsDocuments   bool
}

var virtualFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		a.virtualDocuments = c.Workspace.TextDocumentContent != nil
		a.showsDocuments = c.Window.ShowDocument != nil && c.Window.ShowDocument.Support
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.Workspace.TextDocumentContent = &protocol.TextDocumentContentOptions{Schemes: []string{virtualScheme}}
	},
}

// showsVirtual tells whether the client shows virtual documents.
func (a abilities) showsVirtual() bool { return a.virtualDocuments || a.initial.VirtualDocuments }

// TextDocumentContent answers workspace/textDocumentContent: the text of a virtual
// document.
func (s *server) TextDocumentContent(ctx context.Context, params *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	now := s.moment()
	jsonrpc2.Async(ctx)
	v, ok := virtualOf(now, params.URI)
	if !ok {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%s is not a document of kls", params.URI))
	}
	content, err := s.virtualText(ctx, now.view, v)
	if err != nil {
		return nil, err
	}
	s.gave(params.URI, v, now.view, content)
	return &protocol.TextDocumentContentResult{Text: content}, nil
}

// gave notes what the client was given, so that it is told once that is another. A
// change that came meanwhile was looked at too early for that, so it is again.
func (s *server) gave(u uri.URI, v virtual, view *workspace.View, content string) {
	s.virtuals.asked(u, v, content)
	s.wakeIfBehind(view)
}

// gaveBeside is gave for a text that is no answer to who shows the document, who may
// have an older one.
func (s *server) gaveBeside(u uri.URI, v virtual, view *workspace.View, content string) {
	s.virtuals.keep(func() shown { return shown{u, v, s.virtuals.hash(content)} })
	s.wakeIfBehind(view)
}

func (s *server) wakeIfBehind(view *workspace.View) {
	s.mutex.Lock()
	behind := s.view != view
	s.mutex.Unlock()
	if behind {
		s.publisher.wake()
	}
}

// virtualText returns the text of a virtual document.
func (s *server) virtualText(ctx context.Context, view *workspace.View, v virtual) (string, error) {
	if v.diff {
		other := v
		other.diff = false
		before, err := s.virtualText(ctx, view, other)
		if err != nil {
			return "", err
		}
		now, err := s.virtualText(ctx, view, virtual{root: v.root, resource: v.resource, deployment: v.deployment})
		return string(diff.Diff(v.against, []byte(before), "now", []byte(now))), err
	}
	if v.against == againstHead {
		return s.atHead(ctx, view, v)
	}
	rendered, err := preview.Render(ctx, view, v.rendering())
	if err != nil {
		return "", err
	}
	if rendered == nil {
		return noKustomization, nil
	}
	return string(rendered.Text), nil
}

const noKustomization = "# There is no kustomization here.\n"

// atHead returns what was rendered of the last commit when somebody asked for it.
func (s *server) atHead(ctx context.Context, view *workspace.View, v virtual) (string, error) {
	if content, ok := s.virtuals.head(v); ok {
		return content, nil
	}
	return s.loadHead(ctx, view, v)
}

// loadHead renders a root as the last commit has it. It is empty where the commit
// does not have it.
func (s *server) loadHead(ctx context.Context, view *workspace.View, v virtual) (string, error) {
	content, err := s.renderHead(ctx, view, v)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		content = fmt.Sprintf("# The last commit cannot be read: %v\n", err)
	}
	s.virtuals.keepHead(v, content)
	return content, nil
}

func (s *server) renderHead(ctx context.Context, view *workspace.View, v virtual) (content string, err error) {
	if s.options.Commit == nil {
		return "", fmt.Errorf("this server does not read commits")
	}
	source, done, err := s.options.Commit(ctx, v.root, "HEAD")
	if err != nil {
		return "", err
	}
	defer func() {
		if failed := done(); err == nil {
			err = failed
		}
	}()
	rendered, err := preview.Render(ctx, view.Of(vfs.NewSnapshot(source), []string{v.root}), v.rendering())
	if err != nil || rendered == nil {
		return "", err
	}
	return string(rendered.Text), nil
}

// virtuals are the virtual documents that the client has.
type virtuals struct {
	mutex sync.Mutex
	seed  maphash.Seed
	shown []shown // the one asked for last at the end
	heads []head
	// files are the documents that were written to temporary files, by path.
	files map[string]virtual
}

// shown is a document that was asked for, and the hash of its text.
type shown struct {
	uri  uri.URI
	of   virtual
	hash uint64
}

// head is what was rendered of a commit.
type head struct {
	of   virtual
	text string
}

const (
	maxShown = 32
	maxHeads = 8
)

func (d *virtuals) hash(content string) uint64 {
	if d.seed == (maphash.Seed{}) {
		d.seed = maphash.MakeSeed()
	}
	return maphash.String(d.seed, content)
}

// asked notes what the client was given.
func (d *virtuals) asked(u uri.URI, v virtual, content string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.shown = append(without(d.shown, func(s shown) bool { return s.uri == u }, maxShown-1), shown{u, v, d.hash(content)})
}

// take forgets a document, and tells whether it was there and has another text by
// now. A client that still shows it asks again.
func (d *virtuals) take(u uri.URI, content string) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for i, s := range d.shown {
		if s.uri == u && s.hash != d.hash(content) {
			d.shown = append(d.shown[:i:i], d.shown[i+1:]...)
			return true
		}
	}
	return false
}

// keep notes a document with a text, unless one is noted already: that is older, and
// the client has to be told of the change.
func (d *virtuals) keep(document func() shown) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	one := document()
	if !slices.ContainsFunc(d.shown, func(s shown) bool { return s.uri == one.uri }) {
		d.shown = append(without(d.shown, func(shown) bool { return false }, maxShown-1), one)
	}
}

func (d *virtuals) all() []shown {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return append([]shown(nil), d.shown...)
}

func (d *virtuals) head(v virtual) (string, bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, h := range d.heads {
		if h.of == v {
			return h.text, true
		}
	}
	return "", false
}

func (d *virtuals) keepHead(v virtual, content string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.heads = append(without(d.heads, func(h head) bool { return h.of == v }, maxHeads-1), head{v, content})
}

// without returns the elements that are not dropped, the last of them up to a number.
func without[T any](list []T, drop func(T) bool, limit int) []T {
	var kept []T
	for _, one := range list {
		if !drop(one) {
			kept = append(kept, one)
		}
	}
	return kept[max(0, len(kept)-limit):]
}

func (d *virtuals) wrote(path string, v virtual) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.files == nil {
		d.files = map[string]virtual{}
	}
	d.files[path] = v
}

func (d *virtuals) writtenTo(path string) (virtual, bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	v, ok := d.files[path]
	return v, ok
}

// refreshVirtual tells the client of the virtual documents whose text changed.
func (s *server) refreshVirtual(ctx context.Context, view *workspace.View) {
	s.mutex.Lock()
	shows := s.showsVirtual()
	s.mutex.Unlock()
	if !shows {
		return
	}
	for _, d := range s.virtuals.all() {
		content, err := s.virtualText(ctx, view, d.of)
		if err != nil {
			return // there is a newer view, or the server ends
		}
		if s.virtuals.take(d.uri, content) {
			if err := s.client.TextDocumentContentRefresh(ctx, &protocol.TextDocumentContentRefreshParams{URI: d.uri}); err != nil {
				s.virtuals.keep(func() shown { return d }) // the client may not have been told
				s.logFailure("workspace/textDocumentContent/refresh", err, ctx)
			}
		}
	}
}
