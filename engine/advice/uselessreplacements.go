package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Copies remembers what the replacements of a layer copied, to see whether it is
// changed after that. It is kept for diagnostics only.
type Copies struct {
	bySource map[*resource.Resource]copiedByHead
}

// copiedByHead are copies by the head of the path that they were read from.
type copiedByHead map[pathHead][]copied

// pathHead are the first two fields of a path. Writing below one head leaves what is read below another as it was. It is
// empty for a path that may lead below several.
type pathHead [2]string

func headOf(path fieldpath.Path) (head pathHead) {
	if load.FieldOfPath(path) == "" || len(path.Segments) < len(head) {
		return pathHead{}
	}
	for i := range head {
		s := path.Segments[i]
		if s.Kind != fieldpath.Key || strings.TrimSpace(s.Text) != s.Text {
			return pathHead{}
		}
		head[i] = s.Text
	}
	return head
}

// copied is what one replacement read.
type copied struct {
	entry *kustomization.Replacement
	path  kustomization.Text
	value *yaml.Node // as it was then
}

// NoteCopy remembers what a replacement read from a resource.
func (b *Adviser) NoteCopy(c *Copies, fact trace.ReplacementFact) {
	if !b.Options.Analyze || fact.Source == nil || fact.Value == nil {
		return
	}
	if c.bySource == nil {
		c.bySource = map[*resource.Resource]copiedByHead{}
	}
	if c.bySource[fact.Source] == nil {
		c.bySource[fact.Source] = copiedByHead{}
	}
	path := fact.Entry.Source.FieldPath
	if path.Value == "" {
		path.Value = load.DefaultFieldPath
	}
	head := headOf(b.Path(path.Value))
	of := c.bySource[fact.Source]
	of[head] = append(of[head], copied{fact.Entry, path, syntax.Copy(fact.Value)})
}

// ReportStale reports what the replacements before this one copied and this one
// changes: they have the old value.
func (b *Adviser) ReportStale(l *trace.Layer, c *Copies, fact trace.ReplacementFact) {
	for i, selected := range fact.Selected {
		heads := b.writtenHeads(fact.Entry.Targets[i].FieldPaths)
		for _, written := range selected {
			of := c.bySource[written]
			if len(of) == 0 {
				continue
			}
			if heads == nil || written.Tangled() {
				for _, head := range slices.SortedFunc(maps.Keys(of), func(a, b pathHead) int { return slices.Compare(a[:], b[:]) }) {
					of[head] = b.freshOf(l, of[head], written, fact)
				}
				continue
			}
			for _, head := range append(heads, pathHead{}) {
				if len(of[head]) > 0 {
					of[head] = b.freshOf(l, of[head], written, fact)
				}
			}
		}
	}
}

// writtenHeads are the heads of paths that are written to; nil stands for any.
func (b *Adviser) writtenHeads(paths []kustomization.Text) []pathHead {
	if len(paths) == 0 {
		paths = []kustomization.Text{{Value: load.DefaultFieldPath}}
	}
	heads := make([]pathHead, len(paths), len(paths)+1)
	for i, path := range paths {
		if heads[i] = headOf(b.Path(path.Value)); heads[i] == (pathHead{}) {
			return nil
		}
	}
	return heads
}

// freshOf returns those copies that still are what their source has, and reports the others.
func (b *Adviser) freshOf(l *trace.Layer, of []copied, written *resource.Resource, fact trace.ReplacementFact) (fresh []copied) {
	for _, earlier := range of {
		path := earlier.path
		now := fieldpath.Read(written.Node, b.Path(path.Value), b.PathOptions(earlier.entry.Source.Options))
		if now.Failure == nil && equal.Trees(now.Nodes[0], earlier.value) {
			fresh = append(fresh, earlier)
			continue
		}
		at := path.Node
		if at == nil {
			at = SelectorNode(&earlier.entry.Source.Selector, earlier.entry.Node)
		}
		b.Report(l, problem.Problem{Code: problem.ReplacementSourceChangedLater, Node: at,
			Message: fmt.Sprintf("a later replacement changes %s of %s; this one copied the old value", path.Value, written.ID()),
			Help:    "move this replacement after the other one",
			Related: []problem.Related{{Node: fact.Entry.Node, Message: "the later replacement"}}})
	}
	return fresh
}

// ReportUselessReplacement reports a replacement that wrote to resources and changed
// none of them, over which kustomize says nothing.
func (b *Adviser) ReportUselessReplacement(l *trace.Layer, fact trace.ReplacementFact) {
	changed, applied := b.Effects[fact.Entry.Node]
	if !applied || changed || b.Unfinished {
		return
	}
	p := problem.Problem{Code: problem.ReplacementNoChange, Node: fact.Entry.Node, Message: "the replacement changes nothing: what it writes is there already"}
	for _, r := range fact.Targets[:min(len(fact.Targets), MaxCandidates)] {
		p.Related = append(p.Related, problem.Related{Node: problem.NameNode(r), Message: "written to " + r.ID().String()})
	}
	b.Report(l, p)
}
