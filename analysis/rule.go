package analysis

import (
	"github.com/kustomize-lsp/kls/engine/build"
)

// Rule is one kind of mistake and its documentation. The problems of the engine
// whose code is the rule's name are reported under it; a rule with a Check finds
// more in what a build recorded.
type Rule struct {
	// Name names the mistake, in kebab case.
	Name string
	// Severity is that of a mistake with which the build succeeds. One that makes
	// it fail is always an Error.
	Severity Severity
	// NeverFails is true for what says that something is not known: whatever its
	// severity, it does not count for --fail-on, since unknown alone is no failure.
	NeverFails bool
	// Provisional is true for what is wrong with a base only while it is rendered
	// alone: where every kustomization that includes it mends the mistake, as with a
	// patch that supplies a missing field, it is not reported.
	Provisional bool
	// Title is one line that says what is wrong, without a full stop.
	Title string
	// Why says, in Markdown, what happens and why it matters.
	Why string
	// Remedy says, in Markdown, what to do.
	Remedy string
	// Check reports what the rule finds in one build; nil where the engine finds it.
	Check func(*Pass)
}

// Pass hands one build to a rule.
type Pass struct {
	Session *build.Session
	Result  *build.Result

	rule   *Rule
	shared *shared
	found  []build.Problem
}

// Report records a problem under the rule's name. What is Fatal or Beyond about
// a build the engine alone decides.
func (p *Pass) Report(problem build.Problem) {
	problem.Code = build.Code(p.rule.Name)
	problem.Fatal, problem.Beyond = false, false
	p.found = append(p.found, problem)
}

// Layers returns the kustomizations of the build, each before those that it includes.
func (p *Pass) Layers() []*build.Layer {
	if p.Result.Root == nil {
		return nil
	}
	layers := []*build.Layer{p.Result.Root}
	for i := 0; i < len(layers); i++ {
		for _, included := range layers[i].Facts.Included {
			if included.Layer != nil {
				layers = append(layers, included.Layer)
			}
		}
	}
	return layers
}
