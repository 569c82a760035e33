package builder

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// copies remembers what the replacements of a layer copied, to see whether it is
// changed after that. It is kept for diagnostics only.
type copies struct {
	bySource map[*resource.Resource][]copied
}

// copied is what one replacement read.
type copied struct {
	entry *kustomization.Replacement
	value *yaml.Node // as it was then
}

// noteCopy remembers what a replacement read from a resource.
func (b *adviser) noteCopy(c *copies, fact ReplacementFact) {
	if !b.options.Analyze || fact.Source == nil || fact.Value == nil {
		return
	}
	if c.bySource == nil {
		c.bySource = map[*resource.Resource][]copied{}
	}
	c.bySource[fact.Source] = append(c.bySource[fact.Source], copied{fact.Entry, syntax.Copy(fact.Value)})
}

// reportStale reports what the replacements before this one copied and this one
// changes: they have the old value.
func (b *adviser) reportStale(l *Layer, c *copies, fact ReplacementFact) {
	for _, written := range fact.Targets {
		var fresh []copied
		for _, earlier := range c.bySource[written] {
			path := earlier.entry.Source.FieldPath
			if path.Value == "" {
				path.Value = defaultFieldPath
			}
			now := fieldpath.Read(written.Node, b.path(path.Value), b.pathOptions(earlier.entry.Source.Options))
			if now.Failure == nil && sameNode(now.Nodes[0], earlier.value) {
				fresh = append(fresh, earlier)
				continue
			}
			at := path.Node
			if at == nil {
				at = selectorNode(&earlier.entry.Source.Selector, earlier.entry.Node)
			}
			b.report(l, Problem{Code: ReplacementSourceChangedLater, Node: at,
				Message: fmt.Sprintf("a later replacement changes %s of %s; this one has copied what it was before", path.Value, written.ID()),
				Help:    "move this replacement behind the other one",
				Related: []Related{{Node: fact.Entry.Node, Message: "the later replacement"}}})
		}
		if c.bySource[written] != nil {
			c.bySource[written] = fresh
		}
	}
}

// reportIdleReplacement reports a replacement that wrote to resources and changed
// none of them, over which kustomize says nothing.
func (b *adviser) reportIdleReplacement(l *Layer, fact ReplacementFact) {
	changed, applied := b.effects[fact.Entry.Node]
	if !applied || changed || b.unfinished {
		return
	}
	p := Problem{Code: ReplacementNoChange, Node: fact.Entry.Node, Message: "the replacement changes nothing: what it writes is there already"}
	for _, r := range fact.Targets[:min(len(fact.Targets), maxCandidates)] {
		p.Related = append(p.Related, Related{Node: nameNode(r), Message: "written to " + r.ID().String()})
	}
	b.report(l, p)
}
