package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const root = "/tree"

// adaptive, as the debounce of a setup, leaves it to the server.
const adaptive = time.Duration(-1)

// patience is how long a test waits for what must come: so long that only what hangs
// takes longer, on the slowest machine.
const patience = 30 * time.Second

// editor is a client at the other end of two pipes.
type editor struct {
	protocol.UnimplementedClient
	t        testing.TB
	server   protocol.Server
	conn     jsonrpc2.Conn
	ended    chan error
	log      *safeBuffer
	encoding text.Encoding
	result   *protocol.InitializeResult

	mutex      sync.Mutex
	news       chan struct{}
	published  map[string][]protocol.Diagnostic // by path
	untitled   map[uri.URI][]protocol.Diagnostic
	versions   map[string]int32 // that was published
	registered []string
	// refreshed are the virtual documents that changed, shownDocuments what the
	// server wanted shown.
	refreshed      []uri.URI
	shownDocuments []*protocol.ShowDocumentParams
	// lensesRefreshed is how often the lenses were to be asked for again.
	lensesRefreshed int
	onDisk          map[string]string
	buffers         map[string]string
	sentVersion     map[string]int32
	settings        map[string]string
	// refreshes counts workspace/diagnostic/refresh, progress are the values of
	// $/progress by token, verdicts the last kls/verdicts, pushes counts what was
	// published.
	refreshes int
	progress  map[string][]string
	verdicts  []string
	pushes    int
	watch     func() // is called after each push; nil for nothing
}

type setup struct {
	tree         map[string]string // below root
	source       vfs.Source
	folders      []string
	capabilities func(*protocol.ClientCapabilities)
	debounce     time.Duration
	options      func(*lsp.Options)
	processID    *int32
	initial      map[string]any    // initializationOptions
	settings     map[string]string // what the client answers, encoded, by scope: a path or nothing
}

func open(t testing.TB, s setup) *editor {
	t.Helper()
	e := start(t, s)
	e.initialize(s)
	return e
}

// start starts a server without a word to it.
func start(t testing.TB, s setup) *editor {
	t.Helper()
	e := &editor{t: t, ended: make(chan error, 1), log: &safeBuffer{}, news: make(chan struct{}, 1),
		published: map[string][]protocol.Diagnostic{}, untitled: map[uri.URI][]protocol.Diagnostic{}, versions: map[string]int32{},
		onDisk: map[string]string{}, buffers: map[string]string{}, sentVersion: map[string]int32{}, settings: s.settings, progress: map[string][]string{}}
	files := map[string][]byte{}
	for name, content := range s.tree {
		path := filepath.Join(root, name)
		files[path], e.onDisk[path] = []byte(content), content
	}
	options := lsp.Options{Source: s.source, Log: e.log, Debounce: s.debounce, Check: analysis.Options{Rules: rules.All()}}
	if options.Source == nil {
		options.Source = vfs.Memory(files)
	}
	switch options.Debounce {
	case 0:
		options.Debounce = time.Millisecond
	case adaptive:
		options.Debounce = 0
	}
	if s.options != nil {
		s.options(&options)
	}
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { e.ended <- lsp.Serve(ctx, serverIn, serverOut, options) }()
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipes{clientIn, clientOut}), jsonrpc2.WithCodec(protocolCodec{}))
	e.conn.Go(ctx, protocol.CancelHandler(inOrder(protocol.ClientHandler(e, e.other))))
	e.server = protocol.ServerDispatcher(e.conn)
	t.Cleanup(func() {
		cancel()
		_ = e.conn.Close()
		if t.Failed() {
			t.Logf("the server's log:\n%s", e.log.String())
		}
	})
	return e
}

// inOrder handles notifications one after the other, as editors do: what was published
// last is what is shown. Requests may wait for others.
func inOrder(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, request *jsonrpc2.Request) (any, error) {
		if request.IsCall() {
			jsonrpc2.Async(ctx)
		}
		return next(ctx, request)
	}
}

func (e *editor) initialize(s setup) {
	e.t.Helper()
	if s.folders == nil {
		s.folders = []string{root}
	}
	params := &protocol.InitializeParams{ProcessID: s.processID}
	var folders []protocol.WorkspaceFolder
	for _, f := range s.folders {
		folders = append(folders, protocol.WorkspaceFolder{URI: uri.File(f), Name: filepath.Base(f)})
	}
	params.WorkspaceFolders = protocol.NewNullable(folders)
	params.Capabilities = protocol.ClientCapabilities{
		TextDocument: &protocol.TextDocumentClientCapabilities{
			Hover: &protocol.HoverClientCapabilities{ContentFormat: []protocol.MarkupKind{protocol.MarkupKindMarkdown}},
			PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{
				DiagnosticsCapabilities: protocol.DiagnosticsCapabilities{RelatedInformation: new(true), CodeDescriptionSupport: new(true),
					TagSupport: protocol.ClientDiagnosticsTagOptions{ValueSet: []protocol.DiagnosticTag{protocol.DiagnosticTagDeprecated}}},
			},
		},
	}
	if s.initial != nil {
		encoded, err := json.Marshal(s.initial)
		e.must(err)
		params.InitializationOptions = encoded
	}
	if s.capabilities != nil {
		s.capabilities(&params.Capabilities)
	}
	result, err := e.server.Initialize(e.context(), params)
	if err != nil {
		e.t.Fatal(err)
	}
	e.result = result
	switch result.Capabilities.PositionEncoding {
	case protocol.PositionEncodingKindUTF8:
		e.encoding = text.UTF8
	case protocol.PositionEncodingKindUTF32:
		e.encoding = text.UTF32
	}
	e.must(e.server.Initialized(e.context(), &protocol.InitializedParams{}))
}

func (e *editor) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	e.t.Cleanup(cancel)
	return ctx
}

func (e *editor) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// PublishDiagnostics implements protocol.Client.
func (e *editor) PublishDiagnostics(_ context.Context, params *protocol.PublishDiagnosticsParams) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.pushes++
	if !params.URI.IsFile() {
		e.untitled[params.URI] = params.Diagnostics
		select {
		case e.news <- struct{}{}:
		default:
		}
		return nil
	}
	path := params.URI.FsPath()
	e.published[path] = params.Diagnostics
	if version, ok := params.Version.Get(); ok {
		if version > e.sentVersion[path] {
			e.t.Errorf("diagnostics of %s for version %d, and only %d was sent", path, version, e.sentVersion[path])
		}
		e.versions[path] = version
	}
	if e.watch != nil {
		e.watch()
	}
	select {
	case e.news <- struct{}{}:
	default:
	}
	return nil
}

// LogMessage implements protocol.Client.
func (e *editor) LogMessage(_ context.Context, params *protocol.LogMessageParams) error {
	e.note(func() { _, _ = e.log.Write([]byte(params.Message + "\n")) }) // it is memory
	return nil
}

// DiagnosticRefresh implements protocol.Client.
func (e *editor) DiagnosticRefresh(context.Context) error {
	e.note(func() { e.refreshes++ })
	return nil
}

// WorkDoneProgressCreate implements protocol.Client.
func (e *editor) WorkDoneProgressCreate(context.Context, *protocol.WorkDoneProgressCreateParams) error {
	return nil
}

// Progress implements protocol.Client.
func (e *editor) Progress(_ context.Context, params *protocol.ProgressParams) error {
	e.note(func() {
		token := fmt.Sprint(params.Token)
		e.progress[token] = append(e.progress[token], string(params.Value))
	})
	return nil
}

// LogTrace implements protocol.Client.
func (e *editor) LogTrace(_ context.Context, params *protocol.LogTraceParams) error {
	_, err := e.log.Write([]byte("trace: " + params.Message + "\n"))
	return err
}

// other takes what the protocol does not know.
func (e *editor) other(ctx context.Context, request *jsonrpc2.Request) (any, error) {
	if request.Method() == "kls/verdicts" {
		params := string(request.Params())
		e.note(func() { e.verdicts = append(e.verdicts, params) })
		return nil, nil
	}
	return jsonrpc2.MethodNotFoundHandler(ctx, request)
}

// protocolCodec lets the protocol package read and write messages.
type protocolCodec struct{}

func (protocolCodec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(v)
}

func (protocolCodec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = slices.Clone(jsonrpc2.RawMessage(data))
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// note changes what the editor knows, and lets wait look again.
func (e *editor) note(change func()) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	change()
	select {
	case e.news <- struct{}{}:
	default:
	}
}

// Configuration implements protocol.Client.
func (e *editor) Configuration(_ context.Context, params *protocol.ConfigurationParams) ([]protocol.LSPAny, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var answers []protocol.LSPAny
	for _, item := range params.Items {
		scope := ""
		if item.ScopeURI != nil {
			scope = item.ScopeURI.FsPath()
		}
		answer := e.settings[scope]
		if answer == "" || item.Section == nil || *item.Section != "kls" {
			answer = "null"
		}
		answers = append(answers, protocol.LSPAny(answer))
	}
	return answers, nil
}

// RegisterCapability implements protocol.Client.
func (e *editor) RegisterCapability(_ context.Context, params *protocol.RegistrationParams) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, r := range params.Registrations {
		e.registered = append(e.registered, r.Method+" "+string(r.RegisterOptions))
	}
	select {
	case e.news <- struct{}{}:
	default:
	}
	return nil
}

// TextDocumentContentRefresh implements protocol.Client.
func (e *editor) TextDocumentContentRefresh(_ context.Context, params *protocol.TextDocumentContentRefreshParams) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.refreshed = append(e.refreshed, params.URI)
	select {
	case e.news <- struct{}{}:
	default:
	}
	return nil
}

// CodeLensRefresh implements protocol.Client.
func (e *editor) CodeLensRefresh(context.Context) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.lensesRefreshed++
	select {
	case e.news <- struct{}{}:
	default:
	}
	return nil
}

// ShowDocument implements protocol.Client.
func (e *editor) ShowDocument(_ context.Context, params *protocol.ShowDocumentParams) (*protocol.ShowDocumentResult, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.shownDocuments = append(e.shownDocuments, params)
	return &protocol.ShowDocumentResult{Success: true}, nil
}

func (e *editor) uri(name string) uri.URI { return uri.File(e.path(name)) }

func (e *editor) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}

// open opens a file, with the text that it has on disk or another one.
func (e *editor) open(name string, content ...string) {
	e.t.Helper()
	path := e.path(name)
	body := e.onDisk[path]
	if len(content) > 0 {
		body = content[0]
	}
	e.mutex.Lock()
	e.sentVersion[path]++
	version := e.sentVersion[path]
	e.mutex.Unlock()
	e.buffers[path] = body
	e.must(e.server.DidOpen(e.context(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: e.uri(name), LanguageID: "yaml", Version: version, Text: body}}))
}

// replace replaces the first occurrence of a text by an incremental edit.
func (e *editor) replace(name, old, with string) {
	e.t.Helper()
	body := e.buffers[e.path(name)]
	at := strings.Index(body, old)
	if at < 0 {
		e.t.Fatalf("%s has no %q", name, old)
	}
	e.edit(name, at, at+len(old), with)
}

// edit replaces the bytes between two offsets.
func (e *editor) edit(name string, start, end int, with string) {
	e.t.Helper()
	path := e.path(name)
	body := e.buffers[path]
	lines := text.NewLines([]byte(body))
	e.buffers[path] = body[:start] + with + body[end:]
	e.send(name, &protocol.TextDocumentContentChangePartial{
		Range: protocol.Range{Start: e.position(lines, start), End: e.position(lines, end)}, Text: with})
}

func (e *editor) position(lines *text.Lines, offset int) protocol.Position {
	p := lines.OffsetToPosition(offset, e.encoding)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// send sends changes as the next version.
func (e *editor) send(name string, changes ...protocol.TextDocumentContentChangeEvent) {
	e.t.Helper()
	path := e.path(name)
	e.mutex.Lock()
	e.sentVersion[path]++
	version := e.sentVersion[path]
	e.mutex.Unlock()
	e.must(e.server.DidChange(e.context(), &protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: e.uri(name)}, Version: version},
		ContentChanges: changes}))
}

func (e *editor) close(name string) {
	e.t.Helper()
	delete(e.buffers, e.path(name))
	e.must(e.server.DidClose(e.context(), &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}}))
}

// at is a position in a file: before the first occurrence of a text, or inside it
// where a ‸ stands.
func (e *editor) at(name, needle string) protocol.TextDocumentPositionParams {
	e.t.Helper()
	content, ok := e.buffers[e.path(name)]
	if !ok {
		content = e.onDisk[e.path(name)]
	}
	before, after, _ := strings.Cut(needle, "‸")
	at := strings.Index(content, before+after)
	if at < 0 {
		e.t.Fatalf("%s has no %q", name, needle)
	}
	if strings.Contains(needle, "‸") {
		at += len(before)
	}
	return protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)},
		Position: e.position(text.NewLines([]byte(content)), at)}
}

func (e *editor) hover(name, needle string) string {
	e.t.Helper()
	hover, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: e.at(name, needle)})
	if err != nil {
		e.t.Fatal(err)
	}
	if hover == nil {
		return ""
	}
	return hover.Contents.(*protocol.MarkupContent).Value
}

// definition returns where a position leads to, as "file:line:character", 0-based.
func (e *editor) definition(name, needle string) []string {
	e.t.Helper()
	result, err := e.server.Definition(e.context(), &protocol.DefinitionParams{TextDocumentPositionParams: e.at(name, needle)})
	if err != nil {
		e.t.Fatal(err)
	}
	var places []string
	show := func(u uri.URI, r protocol.Range) {
		places = append(places, fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(u.FsPath(), root+"/"), r.Start.Line, r.Start.Character))
	}
	switch list := result.(type) {
	case protocol.LocationSlice:
		for _, l := range list {
			show(l.URI, l.Range)
		}
	case protocol.DefinitionLinkSlice:
		for _, l := range list {
			show(l.TargetURI, l.TargetSelectionRange)
		}
	}
	return places
}

// shown returns what the editor shows now: "file:line:character severity rule",
// 0-based and sorted.
func (e *editor) shown() []string {
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(e.published)) {
		for _, d := range e.published[path] {
			lines = append(lines, fmt.Sprintf("%s:%d:%d %s %s", strings.TrimPrefix(path, root+"/"),
				d.Range.Start.Line, d.Range.Start.Character, severityNames[d.Severity], d.Code.(protocol.String)))
		}
	}
	slices.Sort(lines)
	return lines
}

var severityNames = map[protocol.DiagnosticSeverity]string{
	protocol.DiagnosticSeverityError: "error", protocol.DiagnosticSeverityWarning: "warning",
	protocol.DiagnosticSeverityInformation: "info", protocol.DiagnosticSeverityHint: "hint",
}

// expect waits until exactly these diagnostics are shown.
func (e *editor) expect(want ...string) {
	e.t.Helper()
	slices.Sort(want)
	var got []string
	if !e.wait(func() bool { got = e.shown(); return slices.Equal(got, want) }) {
		e.t.Fatalf("shown:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// diagnostics returns what is shown in a file, by its path.
func (e *editor) diagnostics(path string) []protocol.Diagnostic {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.published[path]
}

// settle waits until the newest version of a file was checked.
func (e *editor) settle(name string) {
	e.t.Helper()
	path := e.path(name)
	if !e.wait(func() bool { return e.versions[path] == e.sentVersion[path] }) {
		e.t.Fatalf("%s was not checked: version %d of %d", name, e.versions[path], e.sentVersion[path])
	}
}

// wait waits until the condition holds of what was published.
func (e *editor) wait(condition func() bool) bool {
	deadline := time.After(patience)
	for {
		e.mutex.Lock()
		holds := condition()
		e.mutex.Unlock()
		if holds {
			return true
		}
		select {
		case <-e.news:
		case <-deadline:
			return false
		}
	}
}

// quit shuts the server down in order.
func (e *editor) quit() {
	e.t.Helper()
	e.must(e.server.Shutdown(e.context()))
	e.must(e.server.Exit(e.context()))
	e.expectEnd(nil)
}

func (e *editor) expectEnd(want error) {
	e.t.Helper()
	select {
	case err := <-e.ended:
		if !errors.Is(err, want) || want == nil && err != nil {
			e.t.Errorf("the server ended with %v, want %v", err, want)
		}
	case <-time.After(patience):
		e.t.Fatal("the server did not end")
	}
}

type pipes struct {
	io.ReadCloser
	out io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.out.Write(b) }

func (p pipes) Close() error { return errors.Join(p.ReadCloser.Close(), p.out.Close()) }

type safeBuffer struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.Write(p)
}

func (b *safeBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.String()
}
