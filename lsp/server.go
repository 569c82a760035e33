// Package lsp serves editors over the Language Server Protocol, version 3.18. It
// is the only package that knows the protocol: a handler takes the view of the
// moment, calls one function of analysis/ide, and converts. It reads no network
// and starts no process.
//
// Notifications are handled in the order in which they come; they only replace
// the view. Requests take the view that was there when they came and run beside
// whatever follows.
package lsp

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Options are what a server needs from outside.
type Options struct {
	// Version is told to the client.
	Version string
	// Source holds the files; nil for the disk.
	Source vfs.Source
	// Check says how kustomizations are checked.
	Check analysis.Options
	// Commit, where it is not nil, opens the files of the commit that a ref names in
	// the repository of a folder: asked for by people only, never by the server
	// itself. The function that it returns ends the reading.
	Commit func(ctx context.Context, dir, ref string) (vfs.Source, func() error, error)
	// Scratch, where it is not nil, has files for clients that show no others.
	Scratch Scratch
	// Log, where it is not nil, gets a line for each thing that went wrong.
	Log io.Writer
	// Debounce is how long the server waits after a change for the next one
	// before it checks; 0 leaves that to the user and to how long checks take.
	Debounce time.Duration
	// After is the clock; nil for time.After.
	After func(time.Duration) <-chan time.Time
	// Alive, where it is not nil, tells whether a process is there: the server ends
	// when the client's is gone.
	Alive func(pid int) bool
}

// ErrNoShutdown is returned where the client ended the server without asking it to
// shut down before.
var ErrNoShutdown = errors.New("the client sent exit without shutdown")

// Serve talks to one client until it says exit, its streams end, or the context is
// done. Nothing but messages is written to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, options Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newServer(ctx, options)
	connection := jsonrpc2.NewConn(tolerate(stream{in, out}, s.log), jsonrpc2.WithCodec(codec{}))
	s.client, s.conn = protocol.ClientDispatcher(connection), connection
	cancels := &cancellation{panicked: s.logStack, cancels: map[jsonrpc2.ID]context.CancelFunc{}}
	connection.Go(ctx, s.guard(cancels.handler(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler))))
	go s.sendPosted(ctx)
	published := make(chan struct{})
	go func() {
		defer close(published)
		s.publisher.run(ctx)
	}()
	err := s.wait(ctx, connection)
	cancel()
	stop(connection, published)
	s.closeScratch()
	return err
}

// wait waits for the end.
func (s *server) wait(ctx context.Context, connection jsonrpc2.Conn) error {
	exit := func() error {
		if !s.isShutDown() {
			return ErrNoShutdown
		}
		return nil
	}
	for {
		select {
		case <-s.exited:
			return exit()
		case <-connection.Done():
			// A client may say exit and close its end at once: what it said counts.
			// Notifications are handled before the end of the stream is seen.
			select {
			case <-s.exited:
				return exit()
			default:
				return connection.Err()
			}
		case <-ctx.Done():
			return nil
		case <-s.options.After(parentInterval):
			if s.parentIsGone() {
				return nil
			}
		}
	}
}

// parentInterval is how often the server looks whether its client is there.
const parentInterval = 5 * time.Second

// stop closes the connection. A read from a terminal and a write that the client
// does not take cannot be interrupted, so they are not waited for long.
func stop(connection jsonrpc2.Conn, published <-chan struct{}) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = connection.Close() // the peer may be gone already
		<-published
	}()
	select {
	case <-closed:
	case <-time.After(time.Second):
	}
}

// stream makes one of the two ends.
type stream struct {
	io.Reader
	io.Writer
}

// Close closes those ends that can be closed.
func (s stream) Close() error {
	var failed error
	for _, end := range []any{s.Reader, s.Writer} {
		if c, ok := end.(io.Closer); ok {
			failed = errors.Join(failed, c.Close())
		}
	}
	return failed
}

// codec lets the protocol package read and write parameters and results.
type codec struct{}

// Marshal implements jsonrpc2.Codec.
func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal implements jsonrpc2.Codec.
func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// server is what is known of one client.
type server struct {
	protocol.UnimplementedServer
	options   Options
	client    protocol.Client
	conn      jsonrpc2.Conn
	publisher *publisher
	// life ends with the server.
	life context.Context
	// connected is true once messages may go to the client's log.
	connected atomic.Bool
	trace     atomic.Value // of protocol.TraceValue
	watcher   *vfs.Watcher // of the goroutine that watches; nil where nothing can be
	// marks are how the diagnostics of rules are shown, by their names.
	marks  map[string]analysis.Mark
	posted chan func(context.Context) error
	checks atomic.Int64 // those that were shown
	// exited is closed by the exit notification.
	exited   chan struct{}
	exitOnce sync.Once
	logMutex sync.Mutex

	// phase is of the enumeration below; abilities do not change once it is running.
	phase atomic.Int32
	abilities

	// mutex is never held over the disk, a build or a message.
	mutex     sync.Mutex
	view      *workspace.View
	stale     []string              // what changed on disk since the view, see latest
	documents map[uri.URI]*document // those that are open
	changes   int                   // how often one of them was opened or changed
	// untitled are the documents that are in no file yet; untitledCount is how many
	// there were.
	untitled      map[uri.URI]*untitled
	untitledCount int
	virtuals      virtuals
	shows         shows
	folders       []folder
	settings      []scoped
	answered      answered
	tokened       tokened
	suggested     *complete.Completion // the last one, where its documentation may be asked for
	parent        int                  // process id, 0 for none
}

const (
	uninitialized int32 = iota
	initializing
	running
	shutDown
)

func newServer(ctx context.Context, options Options) *server {
	if options.Source == nil {
		options.Source = vfs.Disk()
	}
	if options.After == nil {
		options.After = time.After
	}
	if options.Check.Config == nil {
		options.Check.Config = config.New(vfs.NewSnapshot(options.Source))
	}
	s := &server{options: options, life: ctx, exited: make(chan struct{}), documents: map[uri.URI]*document{}, untitled: map[uri.URI]*untitled{},
		posted: make(chan func(context.Context) error, maxPosted)}
	if options.Log != nil {
		s.options.Check.Log = logWriter{s}
	}
	s.view = workspace.New(vfs.NewSnapshot(options.Source), nil, s.options.Check)
	s.publisher = newPublisher(s)
	s.watcher = vfs.NewWatcher(options.Source, vfs.IsToolFolder)
	s.marks = map[string]analysis.Mark{}
	for _, r := range options.Check.Rules {
		s.marks[r.Name] = r.Mark
	}
	return s
}

// background runs something beside the requests until it is done or the server ends.
func (s *server) background(run func(context.Context)) {
	go func() {
		defer func() {
			if reason := recover(); reason != nil {
				s.logStack("the server", reason, debug.Stack())
			}
		}()
		run(s.life)
	}()
}
