package analysis

import (
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// ResourceCheck finds mistakes in one resource, whatever else is in the build.
type ResourceCheck func(*resource.Resource) []builder.Problem

// checkResources reports what a rule finds in each resource. It does not look again at
// a resource that is as it was when the rule looked at it last.
func (p *Pass) checkResources() {
	type foundBy struct{ *Rule }
	type clean struct{}
	for _, r := range p.Result.Resources {
		passed := r.Note(clean{}, func() any { return &ruleSet{} }).(*ruleSet)
		if passed.has(p.rule.Number) {
			continue // as most are, and with few notes those are found fast
		}
		known, ok := r.Noted(foundBy{p.rule})
		if !ok {
			found := p.rule.CheckResource(r)
			if len(found) == 0 && passed.add(p.rule.Number) {
				continue
			}
			known = r.Note(foundBy{p.rule}, func() any { return found })
		}
		for _, problem := range known.([]builder.Problem) {
			problem.Layer = p.Result.Root
			p.Report(problem)
		}
	}
}

// ruleSet is a set of rules by their numbers, which are below 256; others are not in
// it. It is safe for concurrent use.
type ruleSet [4]atomic.Uint64

func (s *ruleSet) has(number int) bool {
	return s.holds(number) && s[number/64].Load()&(1<<(number%64)) != 0
}

func (s *ruleSet) add(number int) (ok bool) {
	if ok = s.holds(number); ok {
		s[number/64].Or(1 << (number % 64))
	}
	return ok
}

func (s *ruleSet) holds(number int) bool { return number >= 0 && number < 64*len(s) }
