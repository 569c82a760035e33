package deployment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

var validName = text.Regexp(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

// substituteKey is the label and the annotation that leave a resource alone.
const substituteKey = FluxGroup + "/substitute"

// substitute replaces variables in the outputs of a deployment, resource by resource on
// the printed text (SubstituteVariables of github.com/fluxcd/pkg/kustomize).
func (s *search) substitute(d *Deployment) (ready bool, err error) {
	postBuild := syntax.Lookup(d.Object.Node, "spec", "postBuild")
	if postBuild == nil || postBuild.Kind != yaml.MappingNode {
		d.noteEncrypted()
		return true, nil
	}
	v, ready := s.variables(d, postBuild)
	if !ready {
		return false, nil
	}
	x := substitution{variables: v, deployment: d, session: s.session}
	always := value(postBuild, "substituteStrategy").Value == "Always"
	if len(v.known) > 0 || always {
		x.checkNames()
	}
	// Flux reads the variables anew for each resource, and so refuses none where it leaves
	// all resources alone.
	if !slices.ContainsFunc(d.Outputs, func(out *Output) bool { return !isLeftAlone(out) }) {
		for i := range d.Problems {
			d.Problems[i].Fatal = false
		}
	}
	if i := slices.IndexFunc(d.Problems, func(p builder.Problem) bool { return p.Fatal }); i >= 0 {
		d.Verdict, d.Reason = Fails, d.Problems[i].Message
	} else if len(v.known) > 0 || len(v.missing) > 0 || always {
		d.supplied, d.substitutes = v, true
		x.outputs()
	}
	if d.Verdict == Fails {
		d.Outputs = nil
		return true, nil
	}
	x.judge()
	d.noteEncrypted()
	return true, nil
}

// noteEncrypted says that what SOPS encrypts is not known.
func (d *Deployment) noteEncrypted() {
	if d.Verdict != Exact {
		return
	}
	for _, out := range d.Outputs {
		if isEncrypted(out.Resource) {
			d.Verdict, d.Reason = Partial, fmt.Sprintf("%s is encrypted with SOPS", out.ID())
			return
		}
	}
}

// substitution is that of one deployment.
type substitution struct {
	variables
	deployment *Deployment
	session    *builder.Session
	unknown    []string // names whose values are not known, in the order in which they were met
}

// checkNames refuses names that no expression can have.
func (x *substitution) checkNames() {
	for _, v := range x.deployment.Variables {
		if validName().MatchString(v.Name) {
			continue
		}
		x.deployment.Problems = append(x.deployment.Problems, builder.Problem{Code: InvalidVariable, Fatal: true, Node: orNode(v.Key, nameOf(x.deployment)),
			Message: fmt.Sprintf("%q cannot be the name of a variable", v.Name),
			Help:    "a name has letters, digits and underscores, and does not begin with a digit"})
	}
}

func (x *substitution) isUnknown(name string) bool {
	v := x.known[name]
	return v == nil && len(x.missing) > 0 || v != nil && !v.Known
}

func (x *substitution) lookup(name string) (string, bool) {
	if v := x.known[name]; v != nil {
		return v.Value, true
	}
	return "", x.lenient
}

// outputs replaces all outputs by what they become.
func (x *substitution) outputs() {
	x.deployment.used = map[string]bool{}
	for i, out := range x.deployment.Outputs {
		x.deployment.Outputs[i] = x.output(out)
	}
}

// isLeftAlone tells whether a resource says that nothing is to be substituted in it.
func isLeftAlone(out *Output) bool {
	return out.Labels()[substituteKey] == "disabled" || out.Annotations()[substituteKey] == "disabled"
}

// output returns what a resource becomes.
func (x *substitution) output(out *Output) *Output {
	if isLeftAlone(out) {
		return out
	}
	printed, err := printedNode(out.Node)
	if err != nil || !hasExpressions(printed) && !hasLongNumber(printed) {
		return out
	}
	next := &Output{Before: out.Before}
	next.Uses = x.uses(out.Node)
	for _, u := range next.Uses {
		x.deployment.used[u.Name] = true
	}
	if !x.check(next.Uses) {
		return out
	}
	var hidden placeholders
	result, err := evaluate(hidden.hide(printed, x.isUnknown), x.lookup)
	if err != nil {
		x.deployment.fail(builder.Problem{Code: MalformedExpression, Node: syntax.Lookup(out.Node, "metadata", "name"),
			Message: fmt.Sprintf("variables cannot be substituted in %s: %s", out.ID(), err)})
		return out
	}
	n, err := readAgain(result, hidden.show)
	if err != nil {
		x.deployment.fail(builder.Problem{Code: Unreadable, Node: syntax.Lookup(out.Node, "metadata", "name"),
			Message: fmt.Sprintf("with its variables substituted, %s is no longer YAML: %s", out.ID(), err)})
		return out
	}
	p := placing{uses: next.Uses, resolve: func(text string) string {
		result, _ := evaluate(hidden.hide(text, x.isUnknown), x.lookup)
		return hidden.show(result)
	}}
	p.place(n, out.Node)
	next.Resource = &resource.Resource{Node: n, Entry: out.Entry, Named: out.Named, Origin: out.Origin, Schema: out.Schema}
	return next
}

// uses finds the expressions in the scalars of a resource.
func (x *substitution) uses(n *yaml.Node) []Use {
	var uses []Use
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			if strings.Contains(n.Value, "${") {
				uses = append(uses, x.usesIn(n)...)
			}
			return
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(n)
	return uses
}

func (x *substitution) usesIn(n *yaml.Node) []Use {
	var uses []Use
	for _, e := range Expressions(n.Value) {
		uses = append(uses, Use{Name: e.Name, Node: n, Span: e.Span, HasDefault: e.HasDefault,
			Variable: x.known[e.Name], Unknown: x.isUnknown(e.Name)})
	}
	return uses
}

// check reports what cannot be substituted, each at its place. It returns false where
// there is something.
func (x *substitution) check(uses []Use) bool {
	fails, malformed := false, (*yaml.Node)(nil)
	for i, u := range uses {
		if u.Unknown && !slices.Contains(x.unknown, u.Name) {
			x.unknown = append(x.unknown, u.Name)
		}
		if i == 0 || uses[i-1].Node != u.Node {
			if x.checkScalar(u.Node) {
				fails, malformed = true, u.Node
			}
		}
		if u.Node != malformed && u.Variable == nil && !u.HasDefault && !u.Unknown && !x.lenient && u.Name != "" {
			fails = true
			x.deployment.fail(builder.Problem{Code: MissingVariable, Node: u.Node, Part: u.Span,
				Message: fmt.Sprintf("nothing supplies the variable %s", u.Name),
				Help:    "add it to spec.postBuild.substitute of " + x.deployment.ID.String() + ", write ${" + u.Name + ":=default}, or $${" + u.Name + "} for the text itself"})
		}
	}
	return !fails
}

// checkScalar reports an expression that cannot be read.
func (x *substitution) checkScalar(n *yaml.Node) (fails bool) {
	_, err := evaluate(n.Value, func(string) (string, bool) { return "", true })
	if err == nil {
		return false
	}
	p := builder.Problem{Code: MalformedExpression, Node: n, Message: fmt.Sprintf("a ${…} here cannot be read: %s", err),
		Help: "write $${…} for the text itself"}
	for _, e := range Expressions(n.Value) {
		if _, err := evaluate(n.Value[e.Span.Start:e.Span.End], func(string) (string, bool) { return "", true }); err != nil && e.Depth == 0 {
			p.Part, p.Message = e.Span, fmt.Sprintf("%s cannot be read: %s", shortened(n.Value[e.Span.Start:e.Span.End]), err)
			break
		}
	}
	x.deployment.fail(p)
	return true
}

func shortened(text string) string {
	const most = 40
	if line, _, more := strings.Cut(text, "\n"); more || len(line) > most {
		return line[:min(len(line), most)] + "…"
	}
	return text
}

// judge says what is not known of the outputs.
func (x *substitution) judge() {
	d := x.deployment
	if len(x.unknown) == 0 {
		if len(x.missing) > 0 {
			d.Assumptions = append(d.Assumptions, fmt.Sprintf("%s, which is not in git, is taken not to override what is", strings.Join(x.missing, ", ")))
		}
		return
	}
	d.Verdict = Partial
	name := x.unknown[0]
	if v := x.known[name]; v != nil {
		d.Reason = fmt.Sprintf("${%s} comes from %s, which is encrypted", name, v.From)
	} else {
		d.Reason = fmt.Sprintf("${%s} comes from %s, which is not in git", name, strings.Join(x.missing, " or "))
	}
	if more := len(x.unknown) - 1; more > 0 {
		d.Reason += fmt.Sprintf(" (and %d more)", more)
	}
}
