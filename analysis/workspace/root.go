package workspace

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Root is a folder with a kustomization and, once that is done, what became of
// building it.
type Root struct {
	analysis.Target
	// latest is the session of the last view that took the root over: who is untouched by
	// what changed keeps no files in memory that nobody else has.
	latest atomic.Pointer[builder.Session]

	gate  chan struct{} // taken while it is built
	mutex sync.Mutex
	// last is what an earlier view found here; nil for nothing, or once it is of no
	// more use.
	last *outcome
	done *Build
	// before is the build that the last view had which built the root, until it is built again: see LastScope.
	before *Build
}

// outcome is what is remembered of a root for longer than its build.
type outcome struct {
	Report *analysis.Report
	Reads  *vfs.Reads
	// files are those in which the report's places are.
	files *vfs.Snapshot
	// resources are the files of resources, others those that are read as YAML for
	// something else, commented those with comments that may suppress something.
	resources *pathSet
	others    map[string]bool
	commented func() []string // nil where nothing was read
	Unknown   bool            // see builder.Result

	// schemas is what the schemas found, nil before they were asked; its places are
	// in schemaFiles.
	schemas     *analysis.Report
	schemaFiles *vfs.Snapshot
}

// Build is what became of building a root.
type Build struct {
	outcome
	Root *Root
	// components are the folders of the components in it, without symbolic links.
	components map[string]bool
	// Configures is true where files configure transformers or generators in it.
	Configures bool
	// included is what the build includes; nil where it broke down.
	included *analysis.Included

	schemaGate chan struct{} // taken while the schemas are asked

	memo memo // of what is derived from the result

	mutex  sync.Mutex      // guards what follows, and the schemas of the finding
	result *builder.Result // nil where it was forgotten or broke down
}

func newRoot(t analysis.Target, session *builder.Session) *Root {
	r := &Root{Target: t, gate: make(chan struct{}, 1)}
	r.latest.Store(session)
	return r
}

// session is one in which all that the root's build looked at is as it was.
func (r *Root) session() *builder.Session { return r.latest.Load() }

func (b *Build) Session() *builder.Session { return b.Root.session() }

// follow makes the root, which is built, one of a later session, in which nothing of what
// its build looked at is different.
func (r *Root) follow(session *builder.Session) {
	r.latest.Store(session)
	b := r.Current()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.files = session.Files()
	if b.schemaFiles != nil {
		b.schemaFiles = b.files
	}
}

// lastBuild returns what was built, here or before the last changes; nil for nothing.
func (r *Root) lastBuild() *Build {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return cmp.Or(r.done, r.before)
}

// Current returns what was built, nil before.
func (r *Root) Current() *Build {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.done
}

// check builds the root, unless that was done. Whoever asks meanwhile waits for
// it, or for its context: also where a disk keeps the build from noticing that it
// was given up.
func (r *Root) check(ctx context.Context, options analysis.Options, results *cache) (*Build, error) {
	select {
	case r.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if b := r.Current(); b != nil {
		<-r.gate
		return b, nil
	}
	type outcome struct {
		built    *Build
		err      error
		panicked string // what for, and where; empty for no panic
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if reason := recover(); reason != nil {
				o.panicked = fmt.Sprintf("%s: %v\n%s", r.Dir, reason, debug.Stack())
			}
			<-r.gate
			done <- o
		}()
		o.built, o.err = r.build(ctx, options, results)
	}()
	select {
	case o := <-done:
		if o.panicked != "" {
			panic(o.panicked) // it is the fault of this request alone
		}
		return o.built, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.panicked != "" && options.Log != nil {
				fmt.Fprintln(options.Log, o.panicked) // whoever asked is gone
			}
		}()
		return nil, ctx.Err()
	}
}

// build builds the root. The caller holds the gate.
func (r *Root) build(ctx context.Context, options analysis.Options, results *cache) (*Build, error) {
	session := r.session()
	b := &Build{Root: r, components: map[string]bool{}, schemaGate: make(chan struct{}, 1),
		outcome: outcome{Reads: vfs.NewReads(), files: session.Files(), resources: &pathSet{}, others: map[string]bool{}}}
	var result *builder.Result
	options.Kubernetes = nil // that comes later, see checkSchemas
	options.Built = func(_ string, made *builder.Result) { result = made }
	report, err := analysis.CheckRoot(ctx, session, r.Target, options)
	if err != nil {
		return nil, err
	}
	b.Report = report
	b.note(result)
	results.add(b, result, maxCached(options))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.done, r.before = b, nil
	return b, nil
}

// note remembers what the build read and included.
func (b *Build) note(result *builder.Result) {
	if result == nil {
		return
	}
	b.included = analysis.IncludedIn(b.Root.Dir, result)
	b.Reads, b.Unknown = result.Reads, result.Unknown
	// What holds the build itself would keep it, and what was found before it, in memory.
	files, reads := b.files, b.Reads
	b.commented = parallel.OnceValue(func() []string { return analysis.Commented(files, reads) })
	for _, l := range Layers(result) {
		k := l.Kustomization
		b.Configures = b.Configures || len(k.Transformers)+len(k.Generators)+len(k.Validators) > 0
		if l.Component {
			b.components[l.Dir] = true
		}
		b.resources.list = slices.Grow(b.resources.list, len(l.Facts.Included))
		for _, included := range l.Facts.Included {
			if included.Path != "" {
				b.resources.add(included.Path)
			}
		}
		for _, used := range configurationUses(l) {
			b.others[used.path] = true
		}
	}
}

// pathSet is a set of paths that is made when it is asked: of many nobody asks.
type pathSet struct {
	list []string
	once parallel.Once
	set  map[string]bool
}

func (s *pathSet) add(path string) { s.list = append(s.list, path) }

// has must not be called before all were added.
func (s *pathSet) has(path string) bool {
	s.once.Do(func() {
		s.set = make(map[string]bool, len(s.list))
		for _, p := range s.list {
			s.set[p] = true
		}
	})
	return s.set[path]
}

// checkSchemas holds the resources against the schemas, unless that was done or
// there are none.
func (b *Build) checkSchemas(ctx context.Context, options analysis.Options, results *cache) error {
	if options.Kubernetes == nil {
		b.Root.forget()
		return nil
	}
	if b.remember().schemas != nil {
		return nil
	}
	select {
	case b.schemaGate <- struct{}{}:
		defer func() { <-b.schemaGate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if b.remember().schemas != nil {
		return nil
	}
	found := &analysis.Report{}
	result, err := b.trace(ctx, options, results)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && result != nil:
		if found, err = analysis.CheckSchemas(ctx, b.Session(), b.Root.Target, result, options); err != nil {
			return err
		}
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.schemas, b.schemaFiles = found, b.files
	b.Root.forget()
	return nil
}

// remember returns what was found.
func (b *Build) remember() outcome {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.outcome
}

// previous returns what an earlier view found, nil for nothing.
func (r *Root) previous() *outcome {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.last
}

// forget drops what an earlier view found, once all of it was found anew.
func (r *Root) forget() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.last = nil
}

// trace returns what the build recorded; it is built again where that was
// forgotten. It is nil where the build broke down.
func (b *Build) trace(ctx context.Context, options analysis.Options, results *cache) (*builder.Result, error) {
	b.mutex.Lock()
	result := b.result
	b.mutex.Unlock()
	if result != nil {
		return result, nil
	}
	again := options.Of(b.Root.Dir)
	again.Analyze, again.Incomplete = true, b.Root.Component
	result, err := b.Session().Build(ctx, b.Root.Dir, again)
	if err != nil {
		return nil, err
	}
	results.add(b, result, maxCached(options))
	return result, nil
}

// Build returns what becomes of a root; it is built where it was not.
func (v *View) Build(ctx context.Context, r *Root) (*Build, error) {
	return r.check(ctx, v.options, v.cache)
}

// BuildApart builds a root in another way than the view does. Nobody else sees the result.
func (v *View) BuildApart(ctx context.Context, r *Root, options analysis.Options) (*Build, error) {
	return newRoot(r.Target, v.session).check(ctx, options, &cache{})
}

// Trace returns what the build of a root recorded; it is built again where that was
// forgotten. It is nil where the build broke down.
func (v *View) Trace(ctx context.Context, b *Build) (*builder.Result, error) {
	return v.TraceApart(ctx, b, v.options)
}

// TraceApart is trace of what was built by buildApart.
func (v *View) TraceApart(ctx context.Context, b *Build, options analysis.Options) (*builder.Result, error) {
	return b.trace(ctx, options, v.cache)
}

// Layers returns the kustomizations of a build, each before those it includes.
func Layers(result *builder.Result) []*builder.Layer {
	pass := analysis.Pass{Result: result}
	return pass.Layers()
}

// cache bounds how many results stay in memory: those of the roots that were built
// last, one of each root. Reports and read-sets stay, and what is known of files
// that nothing includes.
type cache struct {
	closing   closing
	strays    analysis.Strays
	inclusion analysis.InclusionMemory

	mutex     sync.Mutex
	list      []cachedResult
	resources int
	memo      memo // see shared
}

type cachedResult struct {
	of   *Build
	size int // in resources
}

// closing are the diagnostics that come once everything is checked, such as comments
// that suppress nothing. While a check goes on, those of the last one count.
type closing struct {
	mutex  sync.Mutex
	report *analysis.Report
	files  *vfs.Snapshot // in which the places are
}

func (c *closing) set(report *analysis.Report, files *vfs.Snapshot) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.report, c.files = report, files
}

func (c *closing) get() (*analysis.Report, *vfs.Snapshot) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.report, c.files
}

// add keeps the result of a build, and forgets what it takes the place of.
func (k *cache) add(b *Build, result *builder.Result, limit int) {
	if result == nil {
		return
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	same := func(r cachedResult) bool { return r.of.Root.Dir == b.Root.Dir }
	if i := slices.IndexFunc(k.list, same); i >= 0 {
		k.drop(i)
	}
	b.keep(result)
	k.list = append(k.list, cachedResult{b, 1 + len(result.Resources)})
	k.resources += 1 + len(result.Resources)
	for len(k.list) > 1 && k.resources > limit {
		k.drop(0)
	}
}

// clear forgets all results.
func (k *cache) clear() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for len(k.list) > 0 {
		k.drop(0)
	}
}

func (k *cache) drop(i int) {
	k.resources -= k.list[i].size
	k.list[i].of.keep(nil)
	k.list = slices.Delete(k.list, i, i+1)
}

func (b *Build) keep(result *builder.Result) {
	if result == nil {
		b.memo.clear()
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.result = result
}

// Verdict returns what becomes of the root.
func (b *Build) Verdict() analysis.Verdict {
	for _, r := range b.Report.Roots {
		if r.Dir == b.Root.Dir {
			return r.Verdict
		}
	}
	return ""
}
