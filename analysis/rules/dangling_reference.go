package rules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// checkDanglingReferences compares the names in rendered resources with what was
// rendered. What another resource here mentions, such as a Certificate that makes
// a Secret, is taken to exist.
func checkDanglingReferences(p *analysis.Pass) {
	checkNamespaces(p)
	names := &names{result: p.Result, references: referencesIn(p)}
	for ref := range names.references {
		if names.reportMisplaced(p, ref) || names.exists(ref) {
			continue
		}
		near, ok := names.near(ref)
		guess := problem.GuessedMistake
		if meant := names.generated(ref); meant != nil {
			near, ok, guess = meant, true, problem.NoGuess
		}
		if !ok {
			continue
		}
		p.Report(builder.Problem{Node: ref.node, Layer: p.Result.Root, Guess: guess,
			Message: fmt.Sprintf("there is no %s %q", ref.kind, ref.node.Value),
			Related: []builder.Related{{Node: namePlace(near), Message: near.OriginalID().String()}}}.Suggest(near.OriginalID().Name))
	}
}

func namePlace(r *resource.Resource) *yaml.Node {
	if _, name := syntax.Field(r.Metadata(), "name"); name != nil && name.Line != 0 {
		return name
	}
	return r.Entry
}

// names knows what the resources of a build are called. Most names exist, so that
// nothing more is asked of it.
type names struct {
	result     *builder.Result
	references iter.Seq[reference]
	// mentions are the texts in the custom resources; nil before they are asked for, as
	// are the following: the resources by kind, and the names that references of a kind
	// use.
	mentions map[string]int
	byKind   map[string][]*resource.Resource
	referred map[[2]string]bool
	byName   map[[2]string]*resource.Resource
	// searches counts those for a near name, and compared the names that they looked at.
	searches, compared int
}

// A search for a near name looks at all names of a kind. maxSearches are made in any
// case, and then as many as need no more than maxCompared comparisons altogether.
const (
	maxSearches = 200
	maxCompared = 100_000
)

// isCustom tells a kind that does not come with Kubernetes, by its group.
func isCustom(id resource.ID) bool {
	return strings.Contains(id.Group, ".") && !strings.HasSuffix(id.Group, ".k8s.io")
}

func (n *names) exists(ref reference) bool {
	value := ref.node.Value
	builtin := ref.kind == "ServiceAccount" && value == "default" || strings.HasPrefix(value, "system:")
	if builtin || n.result.IsNamed(value) {
		return true
	}
	if isCustom(ref.from.ID()) {
		return n.mentioned(value) > 1 // it mentions it itself
	}
	return n.mentioned(value) > 0
}

// mentioned tells how often custom resources have the text.
func (n *names) mentioned(text string) int {
	if n.mentions == nil {
		n.mentions = map[string]int{}
		for _, r := range n.result.Resources {
			if isCustom(r.ID()) {
				countTexts(r.Node, n.mentions)
			}
		}
	}
	return n.mentions[text]
}

func countTexts(n *yaml.Node, counts map[string]int) {
	if n.Kind == yaml.ScalarNode {
		counts[n.Value]++
	}
	for _, child := range n.Content {
		countTexts(child, counts)
	}
}

// index makes what is asked of names that do not exist.
func (n *names) index() {
	if n.byKind != nil {
		return
	}
	n.byKind, n.referred = map[string][]*resource.Resource{}, map[[2]string]bool{}
	for _, r := range n.result.Resources {
		n.byKind[r.ID().Kind] = append(n.byKind[r.ID().Kind], r)
	}
	for ref := range n.references {
		n.referred[[2]string{ref.kind, ref.node.Value}] = true
	}
}

// near returns the resource that a reference probably means: one with a name that
// differs in a single letter, or, where nothing else refers to it, in more.
func (n *names) near(ref reference) (*resource.Resource, bool) {
	n.index()
	var candidates []string
	byName := map[string]*resource.Resource{}
	for _, r := range n.byKind[ref.kind] {
		name := r.OriginalID().Name
		candidates, byName[name] = append(candidates, name), r
	}
	n.searches, n.compared = n.searches+1, n.compared+len(candidates)
	if n.searches > maxSearches && n.compared > maxCompared {
		return nil, false
	}
	near, ok := text.Nearest(ref.node.Value, candidates)
	if !ok || differOnlyInDigits(ref.node.Value, near) {
		return nil, false
	}
	found := byName[near]
	unused := !n.referred[[2]string{ref.kind, found.ID().Name}]
	if isCustom(ref.from.ID()) { // what makes it may be a custom resource, too
		longer := len(ref.node.Value) - len(near)
		unused = unused && len(near) >= 10 && longer >= -2 && longer <= 2
	}
	return found, unused || text.IsSlip(ref.node.Value, near)
}

// generated returns the generated resource of which a reference has the name with
// the hash of another content.
func (n *names) generated(ref reference) *resource.Resource {
	at := nameHash().FindStringIndex(ref.node.Value)
	if at == nil {
		return nil
	}
	for _, r := range n.byKind[ref.kind] {
		named := func(id resource.ID) bool { return id.Name == ref.node.Value[:at[0]] }
		if r.Generated && nameHash().MatchString(r.ID().Name) && slices.ContainsFunc(r.AllIDs(), named) {
			return r
		}
	}
	return nil
}

// nameHash is the suffix that kustomize makes of the content, in its alphabet.
var nameHash = text.Regexp(`-[2456789bcdfghkmt]{10}$`)

// differOnlyInDigits tells names that are numbered, such as disk-1 and disk-2.
func differOnlyInDigits(a, b string) bool {
	withoutDigits := func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}
	return strings.Map(withoutDigits, a) == strings.Map(withoutDigits, b)
}
