package analysis

import (
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Rule is one kind of mistake and its documentation. The problems of the engine
// whose code is the rule's name are reported under it; a rule with a Check finds
// more in what a build recorded.
type Rule struct {
	// Name names the mistake, in kebab case.
	Name string
	// Class is what the rule is about.
	Class Class
	// Mark says how an editor shows what is reported; empty for nothing special.
	Mark Mark
	// Severity is that of a mistake with which the build succeeds. One that makes
	// it fail is always an Error.
	Severity Severity
	// NeverFails is true for what says that something is not known: whatever its
	// severity, it does not count for --fail-on, since unknown alone is no failure.
	NeverFails bool
	// Includers says what the kustomizations have to do with it that include the one
	// with the mistake.
	Includers Includers
	// Complete is true for what can be told only of a build that is known whole:
	// nothing in it failed or is switched off.
	Complete bool
	// Title is one line that says what is wrong, without a full stop.
	Title string
	// Why says, in Markdown, what happens and why it matters.
	Why string
	// Remedy says, in Markdown, what to do.
	Remedy string
	// Check reports what the rule finds in one build, and CheckResource in each of its
	// resources; both are nil where the engine finds it.
	Check         func(*Pass)
	CheckResource ResourceCheck
	// Number is the rule's own among all rules, from 0.
	Number int
}

// Includers says in which of the kustomizations that include another a mistake of
// that one has to be there, for it to be reported.
type Includers string

// The quantifiers.
const (
	// Regardless is for what is wrong whoever includes it.
	Regardless Includers = ""
	// InAny is for what an including kustomization can mend, as with a patch that
	// supplies a missing field: at least one that includes it still has to have it.
	InAny Includers = "any"
	// InEvery is for what is right as soon as it is of use in one: all have to have it.
	InEvery Includers = "every"
	// InEveryUse is InEvery for components alone, since what any other kustomization
	// does is the same wherever it is included.
	InEveryUse Includers = "every-use"
)

// Class is a group of rules that people switch off together.
type Class string

// The classes.
const (
	Kustomization Class = "kustomization" // the file itself, and what it includes
	Resources     Class = "resources"     // what kustomize asks of every resource
	Selectors     Class = "selectors"     // of patches and replacements
	Patches       Class = "patches"
	Replacements  Class = "replacements" // and vars
	Generators    Class = "generators"
	Transformers  Class = "transformers" // images, replicas, namespace
	References    Class = "references"   // from a resource to another by name
	Schema        Class = "schema"       // what the API server accepts
	Outside       Class = "outside"      // remote bases, charts, functions
	Deployments   Class = "deployments"  // what Flux makes of a kustomization
	Style         Class = "style"
	Own           Class = "kls" // kls's own comments and configuration
)

// Classes returns all classes.
func Classes() []Class {
	return []Class{Kustomization, Resources, Selectors, Patches, Replacements, Generators, Transformers, References, Schema,
		Outside, Deployments, Style, Own}
}

// Mark is a way in which an editor shows a place, apart from the severity.
type Mark string

// The marks.
const (
	// Unnecessary is for text that has no effect: it is faded.
	Unnecessary Mark = "unnecessary"
	// Deprecated is for what there is something newer for: it is struck out.
	Deprecated Mark = "deprecated"
)

// Pass hands one build to a rule.
type Pass struct {
	Session *builder.Session
	Result  *builder.Result

	rule   *Rule
	shared *shared
	found  []builder.Problem
}

// Once returns what several rules need to know of a build, which is made for the first
// that asks. about tells different things apart; it is compared with ==.
func (p *Pass) Once(about any, make func() any) any {
	made, ok := p.shared.made[about]
	if !ok {
		if made = make(); p.shared.made == nil {
			p.shared.made = map[any]any{}
		}
		p.shared.made[about] = made
	}
	return made
}

// Report records a problem under the rule's name. What is Fatal or Beyond about
// a build the engine alone decides.
func (p *Pass) Report(problem builder.Problem) {
	problem.Code = builder.Code(p.rule.Name)
	problem.Fatal, problem.Beyond = false, false
	p.found = append(p.found, problem)
}

// IsComplete tells whether a build says all that there is: nothing is missing from
// what it rendered.
func (p *Pass) IsComplete() bool {
	r := p.Result
	return r.Root != nil && !r.Unknown && !r.Failed() && r.Root.Kustomization.Kind.Value != kustomization.KindComponent
}

// run reports what the pass's rule finds.
func (p *Pass) run() {
	if p.rule.Complete && !p.IsComplete() {
		return
	}
	if p.rule.Check != nil {
		p.rule.Check(p)
	}
	if p.rule.CheckResource != nil {
		p.checkResources()
	}
}

// Layers returns the kustomizations of the build, each before those that it includes.
func (p *Pass) Layers() []*builder.Layer {
	if p.Result.Root == nil {
		return nil
	}
	layers := []*builder.Layer{p.Result.Root}
	for i := 0; i < len(layers); i++ {
		for _, included := range layers[i].Facts.Included {
			if included.Layer != nil {
				layers = append(layers, included.Layer)
			}
		}
	}
	return layers
}
