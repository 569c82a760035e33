package deployment

import (
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// instance is an Application of an ApplicationSet in all overlays that render the set.
type instance struct {
	set  written // where the name of the set is written
	name string
}

// made reports what is wrong with the Applications that sets make. A set in a base is rendered by many overlays, and
// lists name clusters of which some overlay has none: a mistake is one only where every overlay has it that makes the
// Application. Of parameters that stand for any cluster it is one only where all Applications of the set have it.
func (r *review) made() {
	type key struct {
		instance
		code builder.Code
		at   written
	}
	count, total, ofSet := map[key]int{}, map[instance]int{}, map[written]int{}
	inSet := map[key]int{}
	eachProblem := func(d *Deployment, do func(p builder.Problem, k key)) {
		seen := map[key]bool{}
		for _, p := range append(d.Problems[:len(d.Problems):len(d.Problems)], d.fatalProblems()...) {
			k := key{instance: d.instance(), code: p.Code}
			if p.Node != nil {
				k.at = writtenAt(p.Node)
			}
			if !seen[k] {
				seen[k] = true
				do(p, k)
			}
		}
	}
	for _, d := range r.set.Deployments {
		if !d.isMade() {
			continue
		}
		total[d.instance()]++
		ofSet[d.instance().set]++
		eachProblem(d, func(_ builder.Problem, k key) {
			count[k]++
			k.name = ""
			inSet[k]++
		})
	}
	told := map[key]bool{}
	for _, d := range r.set.Deployments {
		if !d.isMade() {
			continue
		}
		eachProblem(d, func(p builder.Problem, k key) {
			all := k
			all.name = ""
			everywhere := inSet[all] == ofSet[k.set]
			if told[k] || count[k] < total[k.instance] || d.Element.Open && !everywhere {
				return
			}
			told[k] = true
			if from := d.Element.From; from != nil && from.Line != 0 {
				p.Related = append(p.Related, builder.Related{Node: from, Message: "for " + d.ID.Name + ", which comes from here"})
			}
			r.report(d, p)
		})
	}
}

func (d *Deployment) instance() instance {
	at := instance{name: d.ID.Name}
	if n := syntax.Lookup(d.Set.Node, "metadata", "name"); n != nil {
		at.set = writtenAt(n)
	}
	return at
}
