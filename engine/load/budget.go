package load

import (
	"bytes"
	"cmp"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Limits bound what one build may use, so that a few lines cannot make it use up the
// machine. A limit of zero has its default.
type Limits struct {
	// Nodes and Bytes bound what is copied over all files: by patches, replacements, vars,
	// labels, generators and aliases.
	Nodes, Bytes int64
	// Resources and Layers bound how many resources and kustomizations are included, each
	// counted as often as it is.
	Resources, Layers int64
	// Time is how long a build may take; negative for no end.
	Time time.Duration
}

// The defaults of Limits. The largest known trees use less than a tenth of them.
const (
	defaultNodes     = 2_000_000
	defaultBytes     = 128 << 20
	defaultResources = 200_000
	defaultLayers    = 10_000
	defaultTime      = 60 * time.Second
)

// Spent is what a build, or a layer of it, used.
type Spent struct{ Nodes, Bytes, Resources, Layers int64 }

// Budget counts what a build uses. Several goroutines may charge it at a time.
type Budget struct {
	limits                          Limits
	nodes, bytes, resources, layers atomic.Int64
	over                            atomic.Bool
	// reported is true once the user was told of an entry that exceeds the limits.
	reported bool
	// phase is what the build is doing, for the message of one that takes too long.
	phase string
}

// NewBudget returns a budget of which nothing is used.
func NewBudget(limits Limits) *Budget {
	return &Budget{phase: "reading files", limits: Limits{
		Nodes:     cmp.Or(limits.Nodes, defaultNodes),
		Bytes:     cmp.Or(limits.Bytes, defaultBytes),
		Resources: cmp.Or(limits.Resources, defaultResources),
		Layers:    cmp.Or(limits.Layers, defaultLayers),
		Time:      cmp.Or(limits.Time, defaultTime),
	}}
}

// Time is how long the build may take; negative for no end.
func (b *Budget) Time() time.Duration { return b.limits.Time }

// Begin notes what the build does from now on.
func (b *Budget) Begin(phase string) { b.phase = phase }

// Charge counts a copy, and tells whether the build may make it.
func (b *Budget) Charge(nodes, bytes int) bool {
	n, text := b.nodes.Add(int64(nodes)), b.bytes.Add(int64(bytes))
	if n > b.limits.Nodes || text > b.limits.Bytes {
		b.over.Store(true)
		return false
	}
	return true
}

// Exceeded tells whether a copy was refused.
func (b *Budget) Exceeded() bool { return b.over.Load() }

// Spent returns what was used so far.
func (b *Budget) Spent() Spent {
	return Spent{Nodes: b.nodes.Load(), Bytes: b.bytes.Load(), Resources: b.resources.Load(), Layers: b.layers.Load()}
}

// Since returns what was used since then.
func (s Spent) Since(then Spent) Spent {
	return Spent{Nodes: s.Nodes - then.Nodes, Bytes: s.Bytes - then.Bytes, Resources: s.Resources - then.Resources, Layers: s.Layers - then.Layers}
}

// Allows tells whether the build may use so much more.
func (b *Budget) Allows(more Spent) bool {
	return b.nodes.Load()+more.Nodes <= b.limits.Nodes && b.bytes.Load()+more.Bytes <= b.limits.Bytes &&
		b.resources.Load()+more.Resources <= b.limits.Resources && b.layers.Load()+more.Layers <= b.limits.Layers
}

// Spend counts what another build of a layer used: this one takes its result.
func (b *Budget) Spend(more Spent) {
	b.nodes.Add(more.Nodes)
	b.bytes.Add(more.Bytes)
	b.resources.Add(more.Resources)
	b.layers.Add(more.Layers)
}

// ChargeCopies counts copies of a tree, and reports the entry that makes too many.
func (b *Loader) ChargeCopies(l *trace.Layer, acc *accumulator.Accumulator, entry, tree *yaml.Node, copies int) bool {
	if copies == 0 {
		return true
	}
	nodes, bytes := syntax.Weigh(tree)
	return b.Charge(l, acc, entry, nodes, bytes, copies)
}

// Charge counts copies of something of a size, and reports the entry that makes too many.
func (b *Loader) Charge(l *trace.Layer, acc *accumulator.Accumulator, entry *yaml.Node, nodes, bytes, copies int) bool {
	return b.Budget.Charge(nodes*copies, bytes*copies) || b.OverBudget(l, acc, entry)
}

// ChargeResource counts a resource, and reports the entry that includes one too many.
func (b *Loader) ChargeResource(l *trace.Layer, acc *accumulator.Accumulator, entry *yaml.Node) bool {
	if b.Budget.resources.Add(1) <= b.Budget.limits.Resources {
		return true
	}
	b.Budget.over.Store(true)
	b.exceed(l, acc, problem.Problem{Node: entry,
		Message: fmt.Sprintf("with this there would be more than %d resources, counting each one as often as it is included", b.Budget.limits.Resources),
		Help:    "what depends on them is not checked; --limit resources=… raises the limit"})
	return false
}

// enter counts a layer, and reports the entry that includes one too many.
func (b *Loader) enter(l *trace.Layer, entry *yaml.Node, name string) bool {
	if b.Budget.layers.Add(1) <= b.Budget.limits.Layers {
		return true
	}
	b.exceed(l, nil, problem.Problem{Node: entry,
		Message: fmt.Sprintf("%s is not included: there would be more than %d kustomizations, counting each as often as it is included", name, b.Budget.limits.Layers),
		Help:    "what depends on it is not checked; --limit layers=… raises the limit"})
	return false
}

// OverBudget reports an entry that would copy more than the build may, and returns false.
func (b *Loader) OverBudget(l *trace.Layer, acc *accumulator.Accumulator, entry *yaml.Node) bool {
	b.Budget.over.Store(true)
	b.exceed(l, acc, problem.Problem{Node: entry,
		Message: fmt.Sprintf("this copies more than a build may: %d values and %s of text", b.Budget.limits.Nodes, sizeOf(b.Budget.limits.Bytes)),
		Help:    "the entry is left out, and what depends on it is not checked; --limit build-nodes=… and --limit build-text=… raise the limits"})
	return false
}

// exceed reports a problem with the budget, the first one only: the entry that exceeds
// the limits is the one to look at. What the build makes is then unknown.
func (b *Loader) exceed(l *trace.Layer, acc *accumulator.Accumulator, p problem.Problem) {
	b.Lacking, b.Unfinished = true, true
	if acc != nil {
		acc.Unknown = true
	}
	if b.Budget.reported {
		return
	}
	b.Budget.reported = true
	p.Code = problem.BuildLimit
	b.Report(l, p)
}

// OutOfTime is the problem of a build that took longer than it may.
func (b *Loader) OutOfTime() problem.Problem {
	return problem.Problem{Code: problem.BuildLimit, Message: fmt.Sprintf("the build did not end within %s; it was %s", b.Budget.limits.Time, b.Budget.phase),
		Help: "nothing of it is checked; --limit build-time=… gives it more"}
}

func sizeOf(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// ChargedDocuments returns the documents of a file, after the build was charged for what
// its aliases copy; nil, with the entry reported, where that is too much.
func (b *Loader) ChargedDocuments(l *trace.Layer, acc *accumulator.Accumulator, entry *yaml.Node, f *vfs.File) *Documents {
	if !MayHaveAliases(f.Data) {
		return b.Sources.DocumentsOf(f)
	}
	if b.Budget.Exceeded() {
		b.OverBudget(l, acc, entry)
		return nil
	}
	docs := b.Sources.DocumentsOf(f)
	nodes, bytes := 0, 0
	for _, n := range docs.Nodes {
		more, text := syntax.Weigh(n)
		nodes, bytes = nodes+more, bytes+text
	}
	if !b.Charge(l, acc, entry, nodes, bytes, 1) {
		return nil
	}
	return docs
}

// MayHaveAliases is true for a text in which an anchor and an alias may stand.
func MayHaveAliases(text []byte) bool {
	return bytes.IndexByte(text, '&') >= 0 && bytes.IndexByte(text, '*') >= 0
}
