// Package external reaches what lies beyond the files of a build: git
// repositories and files on the network, the helm program, functions and
// plugins. It is the only package of the engine that uses the network or starts a
// process, and does neither unless it was allowed. It knows nothing of resources:
// it hands over folders and texts, which package build reads.
package external

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/load"
)

// Config says what is allowed and how it is done. The zero value allows nothing.
type Config struct {
	// EnableRemote allows git repositories, also those on this machine, and files
	// on the network. `kustomize build` asks for no such permission.
	EnableRemote bool
	// Offline takes what was allowed from the cache, or not at all.
	Offline bool
	// Timeout limits each git command and request, where a repository's URL says
	// nothing else, and each run of another program. 0: 27 seconds, as in
	// kustomize, and 5 minutes.
	Timeout time.Duration
	// CacheDir is the folder to keep what was fetched in. Empty: a folder of kls in
	// the user's cache folder.
	CacheDir string
	// HTTPClient is used for files; nil: one without a peculiarity.
	HTTPClient *http.Client

	Helm      Helm
	Functions Functions

	// Progress, where it is not nil, gets a line for each thing that is fetched.
	Progress io.Writer
	// Log, where it is not nil, gets what functions print on their standard error.
	Log io.Writer
}

// Helm are the flags of kustomize build for charts.
type Helm struct {
	Enabled bool
	// Command is the helm program; empty: helm.
	Command string
	// KubeVersion, APIVersions and Debug count for charts that do not say it
	// themselves.
	KubeVersion string
	APIVersions []string
	Debug       bool
}

// Functions are the flags of kustomize build for functions and plugins.
type Functions struct {
	// EnableAlphaPlugins allows containers and the plugins in the plugin home.
	EnableAlphaPlugins bool
	// EnableExec allows functions that are programs too. Without it kustomize
	// passes over them.
	EnableExec bool
	// Network gives containers that ask for it the network.
	Network bool
	// Env are variables for functions, as NAME=value, or NAME for one to hand on.
	Env []string
	// Mounts are further mounts for containers, in docker's notation.
	Mounts []string
	// AsCurrentUser runs containers as this user and not as nobody.
	AsCurrentUser bool
}

// Runner is a builder.Outside. What it fetched it does not fetch again, and what
// could not be had it does not ask for again, until Forget.
type Runner struct {
	config Config
	pulls  sync.Mutex

	mutex  sync.Mutex
	clones *memo[string]
	files  *memo[[]byte]
}

var _ builder.Outside = (*Runner)(nil)

// New returns a runner. Nothing is touched before it is asked for something.
func New(config Config) *Runner {
	r := &Runner{config: config}
	r.Forget()
	return r
}

// Forget makes the runner ask anew for whatever may have changed: branches, tags,
// files, and what failed.
func (r *Runner) Forget() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.clones, r.files = newMemo[string](), newMemo[[]byte]()
}

func (r *Runner) memos() (clones *memo[string], files *memo[[]byte]) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.clones, r.files
}

func (r *Runner) progress(format string, arguments ...any) {
	if r.config.Progress != nil {
		fmt.Fprintf(r.config.Progress, format+"\n", arguments...)
	}
}

// notCached is the error for what offline mode cannot give.
func notCached() error {
	return fmt.Errorf("it is not in the cache, and fetching is %w in offline mode", load.ErrSwitchedOff)
}

// memo makes each value once. It is safe for concurrent use.
type memo[T any] struct {
	mutex   sync.Mutex
	entries map[string]*memoEntry[T]
}

type memoEntry[T any] struct {
	turn  chan struct{} // holds an element while somebody makes the value
	done  bool
	value T
	err   error
}

func newMemo[T any]() *memo[T] { return &memo[T]{entries: map[string]*memoEntry[T]{}} }

// get returns the value of a key, or the error that making it gave. An error of
// somebody's cancelled context is not kept.
func (m *memo[T]) get(ctx context.Context, key string, make func() (T, error)) (value T, err error) {
	e := m.entry(key)
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return value, ctx.Err()
	}
	defer func() { <-e.turn }()
	if e.done {
		return e.value, e.err
	}
	value, err = make()
	if err != nil && ctx.Err() != nil {
		return value, ctx.Err()
	}
	e.done, e.value, e.err = true, value, err
	return value, err
}

func (m *memo[T]) entry(key string) *memoEntry[T] {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	e, ok := m.entries[key]
	if !ok {
		e = &memoEntry[T]{turn: make(chan struct{}, 1)}
		m.entries[key] = e
	}
	return e
}
