package ide

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// root is a folder with a kustomization and, once that is done, what became of
// building it.
type root struct {
	analysis.Target
	// latest is the session of the last view that took the root over: who is untouched by
	// what changed keeps no files in memory that nobody else has.
	latest atomic.Pointer[builder.Session]

	gate  chan struct{} // taken while it is built
	mutex sync.Mutex
	// last is what an earlier view found here; nil for nothing, or once it is of no
	// more use.
	last *finding
	done *built
}

// finding is what is remembered of a root for longer than its build.
type finding struct {
	report *analysis.Report
	reads  *vfs.Reads
	// files are those in which the report's places are.
	files *vfs.Snapshot
	// resources are the files of resources, others those that are read as YAML for
	// something else, commented those with comments that may suppress something.
	resources *pathSet
	others    map[string]bool
	commented func() []string // nil where nothing was read
	unknown   bool            // see builder.Result

	// schemas is what the schemas found, nil before they were asked; its places are
	// in schemaFiles.
	schemas     *analysis.Report
	schemaFiles *vfs.Snapshot
}

// built is what became of building a root.
type built struct {
	finding
	root *root
	// components are the folders of the components in it, without symbolic links.
	components map[string]bool
	// configures is true where files configure transformers or generators in it.
	configures bool
	// included is what the build includes; nil where it broke down.
	included *analysis.Included

	schemaGate chan struct{} // taken while the schemas are asked

	memo memo // of what is derived from the result

	mutex  sync.Mutex      // guards what follows, and the schemas of the finding
	result *builder.Result // nil where it was forgotten or broke down
}

func newRoot(t analysis.Target, session *builder.Session) *root {
	r := &root{Target: t, gate: make(chan struct{}, 1)}
	r.latest.Store(session)
	return r
}

// session is one in which all that the root's build looked at is as it was.
func (r *root) session() *builder.Session { return r.latest.Load() }

func (b *built) session() *builder.Session { return b.root.session() }

// follow makes the root, which is built, one of a later session, in which nothing of what
// its build looked at is different.
func (r *root) follow(session *builder.Session) {
	r.latest.Store(session)
	b := r.current()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.files = session.Files()
	if b.schemaFiles != nil {
		b.schemaFiles = b.files
	}
}

// current returns what was built, nil before.
func (r *root) current() *built {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.done
}

// check builds the root, unless that was done. Whoever asks meanwhile waits for
// it, or for its context: also where a disk keeps the build from noticing that it
// was given up.
func (r *root) check(ctx context.Context, options analysis.Options, kept *kept) (*built, error) {
	select {
	case r.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if b := r.current(); b != nil {
		<-r.gate
		return b, nil
	}
	type outcome struct {
		built    *built
		err      error
		panicked any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			<-r.gate
			done <- o
		}()
		o.built, o.err = r.build(ctx, options, kept)
	}()
	select {
	case o := <-done:
		if o.panicked != nil {
			panic(o.panicked) // it is the fault of this request alone
		}
		return o.built, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// build builds the root. The caller holds the gate.
func (r *root) build(ctx context.Context, options analysis.Options, kept *kept) (*built, error) {
	session := r.session()
	b := &built{root: r, components: map[string]bool{}, schemaGate: make(chan struct{}, 1),
		finding: finding{reads: vfs.NewReads(), files: session.Files(), resources: &pathSet{}, others: map[string]bool{}}}
	var result *builder.Result
	options.Kubernetes = nil // that comes later, see checkSchemas
	options.Built = func(_ string, made *builder.Result) { result = made }
	report, err := analysis.CheckRoot(ctx, session, r.Target, options)
	if err != nil {
		return nil, err
	}
	b.report = report
	b.note(result)
	kept.add(b, result, maxKept(options))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.done = b
	return b, nil
}

// note remembers what the build read and included.
func (b *built) note(result *builder.Result) {
	if result == nil {
		return
	}
	b.included = analysis.IncludedIn(b.root.Dir, result)
	b.reads, b.unknown = result.Reads, result.Unknown
	// What holds the build itself would keep it, and what was found before it, in memory.
	files, reads := b.files, b.reads
	b.commented = sync.OnceValue(func() []string { return analysis.Commented(files, reads) })
	for _, l := range layersOf(result) {
		k := l.Kustomization
		b.configures = b.configures || len(k.Transformers)+len(k.Generators)+len(k.Validators) > 0
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
	once sync.Once
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
func (b *built) checkSchemas(ctx context.Context, options analysis.Options, kept *kept) error {
	if options.Kubernetes == nil {
		b.root.forget()
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
	result, err := b.trace(ctx, options, kept)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && result != nil:
		if found, err = analysis.CheckSchemas(ctx, b.session(), b.root.Target, result, options); err != nil {
			return err
		}
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.schemas, b.schemaFiles = found, b.files
	b.root.forget()
	return nil
}

// remember returns what was found.
func (b *built) remember() finding {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.finding
}

// earlier returns what an earlier view found, nil for nothing.
func (r *root) earlier() *finding {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.last
}

// forget drops what an earlier view found, once all of it was found anew.
func (r *root) forget() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.last = nil
}

// trace returns what the build recorded; it is built again where that was
// forgotten. It is nil where the build broke down.
func (b *built) trace(ctx context.Context, options analysis.Options, kept *kept) (*builder.Result, error) {
	b.mutex.Lock()
	result := b.result
	b.mutex.Unlock()
	if result != nil {
		return result, nil
	}
	again := options.Of(b.root.Dir)
	again.Analyze, again.Incomplete = true, b.root.Component
	result, err := b.session().Build(ctx, b.root.Dir, again)
	if err != nil {
		return nil, err
	}
	kept.add(b, result, maxKept(options))
	return result, nil
}

// build returns what becomes of a root; it is built where it was not.
func (v *View) build(ctx context.Context, r *root) (*built, error) {
	return r.check(ctx, v.options, v.kept)
}

// buildApart builds a root in another way than the view does. Nobody else sees the result.
func (v *View) buildApart(ctx context.Context, r *root, options analysis.Options) (*built, error) {
	return newRoot(r.Target, v.session).check(ctx, options, &kept{})
}

// trace returns what the build of a root recorded; it is built again where that was
// forgotten. It is nil where the build broke down.
func (v *View) trace(ctx context.Context, b *built) (*builder.Result, error) {
	return v.traceApart(ctx, b, v.options)
}

// traceApart is trace of what was built by buildApart.
func (v *View) traceApart(ctx context.Context, b *built, options analysis.Options) (*builder.Result, error) {
	return b.trace(ctx, options, v.kept)
}

// layersOf returns the kustomizations of a build, each before those it includes.
func layersOf(result *builder.Result) []*builder.Layer {
	pass := analysis.Pass{Result: result}
	return pass.Layers()
}

// kept bounds how many results stay in memory: those of the roots that were built
// last, one of each root. Reports and read-sets stay, and what is known of files
// that nothing includes.
type kept struct {
	closing   closing
	strays    analysis.Strays
	inclusion analysis.InclusionMemory

	mutex     sync.Mutex
	list      []keptResult
	resources int
	memo      memo // see shared
}

type keptResult struct {
	of   *built
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
func (k *kept) add(b *built, result *builder.Result, limit int) {
	if result == nil {
		return
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	same := func(r keptResult) bool { return r.of.root.Dir == b.root.Dir }
	if i := slices.IndexFunc(k.list, same); i >= 0 {
		k.drop(i)
	}
	b.keep(result)
	k.list = append(k.list, keptResult{b, 1 + len(result.Resources)})
	k.resources += 1 + len(result.Resources)
	for len(k.list) > 1 && k.resources > limit {
		k.drop(0)
	}
}

// clear forgets all results.
func (k *kept) clear() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for len(k.list) > 0 {
		k.drop(0)
	}
}

func (k *kept) drop(i int) {
	k.resources -= k.list[i].size
	k.list[i].of.keep(nil)
	k.list = slices.Delete(k.list, i, i+1)
}

func (b *built) keep(result *builder.Result) {
	if result == nil {
		b.memo.clear()
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.result = result
}

// verdict returns what becomes of the root.
func (b *built) verdict() analysis.Verdict {
	for _, r := range b.report.Roots {
		if r.Dir == b.root.Dir {
			return r.Verdict
		}
	}
	return ""
}
