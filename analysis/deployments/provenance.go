package deployments

import (
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Substitution is the transformer of the step that substitutes variables.
const Substitution = "postBuild.substitute"

// Explain explains what an address names in the output of a deployment, as
// explain.Explain does for a folder: the steps of the build, those that the options of
// the deployment and of its parents ask for among them, and the variables after them.
func Explain(ctx context.Context, session *builder.Session, set *deployment.Set, d *deployment.Deployment, address string) (*explain.Answer, error) {
	index, field, missing := explain.Find(resourcesOf(d), address)
	if missing != nil {
		return &explain.Answer{Result: d.Build, Missing: missing}, nil
	}
	p := provenance{session, session.Table(), set, d}
	answer, err := explain.Again(p.table, d.Outputs[index].Before, index, field, func(recorder builder.Recorder) (*builder.Result, error) {
		again, err := d.Again(ctx, session, recorder)
		if err != nil {
			return nil, err
		}
		p.of = again
		return again.Build, nil
	})
	if err != nil {
		return nil, err
	}
	p.extend(answer, p.of.Outputs[index], field)
	return answer, nil
}

func resourcesOf(d *deployment.Deployment) []*resource.Resource {
	resources := make([]*resource.Resource, len(d.Outputs))
	for i, out := range d.Outputs {
		resources[i] = out.Resource
	}
	return resources
}

// provenance says where what a deployment renders comes from.
type provenance struct {
	session *builder.Session
	table   *syntax.Table
	set     *deployment.Set
	of      *deployment.Deployment
}

// extend adds to what a build says what the deployment does.
func (p *provenance) extend(answer *explain.Answer, out *deployment.Output, field string) {
	before, after, written := out.Before.Node, out.Node, explain.Place{}
	if field != "" {
		before, _ = explain.Written(p.table, p.of.Build, out.Before, field)
		after, written = explain.Written(p.table, p.of.Build, out.Resource, field)
	}
	if after == nil {
		return // substitution took it away, or it was never there: the build says so
	}
	if answer.Explanation == nil {
		// A key on the way is a variable.
		answer.Missing, answer.Explanation = nil, &explain.Explanation{Written: written, Read: explain.PlaceOf(p.table, out.Before.Node),
			Included: explain.PlaceOf(p.table, out.Entry)}
	}
	e := answer.Explanation
	e.Resource, e.Field, e.Value = out.ID().String(), field, explain.NewValue(after)
	for i := range e.Steps {
		e.Steps[i].Deployment = p.writer(e.Steps[i].Place)
	}
	if variables := p.variablesIn(before); len(variables) > 0 {
		e.Steps = append(e.Steps, explain.Step{Transformer: Substitution, Place: variables[0].Written, Deployment: variables[0].Deployment,
			Before: explain.NewValue(before), After: e.Value, Variables: variables})
	}
}

// writer names the deployment in whose object a place is; empty for none.
func (p *provenance) writer(at explain.Place) string {
	if d := p.set.Writer(p.session, at.File, at.Line); at.Known() && d != nil {
		return d.ID.String()
	}
	return ""
}

// variablesIn returns the variables in a value as it was before, each once.
func (p *provenance) variablesIn(n *yaml.Node) []explain.Variable {
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		return p.variables(n.Value)
	}
	var all []explain.Variable
	for _, child := range n.Content {
		all = append(all, p.variablesIn(child)...)
	}
	return distinct(all)
}

func distinct(all []explain.Variable) []explain.Variable {
	var kept []explain.Variable
	for _, v := range all {
		if !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// variables returns those in a text, each once.
func (p *provenance) variables(text string) []explain.Variable {
	var all []explain.Variable
	used := 0 // what stands in an expression before this byte is a default that is not used
	for _, e := range deployment.Expressions(text) {
		if e.Span.Start < used {
			continue
		}
		if v := p.of.Variable(e.Name); v != nil && v.Value != "" {
			used = e.Span.End
		}
		all = append(all, p.variable(e, text[e.Span.Start:e.Span.End]))
	}
	return distinct(all)
}

const fromDefault = "its default"

func (p *provenance) variable(e deployment.Expression, written string) explain.Variable {
	x := explain.Variable{Name: e.Name, Expression: written}
	v := p.of.Variable(e.Name)
	switch {
	case v == nil && len(p.of.Missing()) > 0:
		x.From = strings.Join(p.of.Missing(), " or ") + ", which is not in git"
	case v == nil && e.HasDefault:
		x.From = fromDefault
	case v == nil:
		x.From = "nothing"
	case v.Node != nil:
		x.Written, x.From = explain.PlaceOf(p.table, v.Node), v.From
	default:
		x.From = v.From
		if source := p.table.Source(v.File); source != nil {
			line, column := source.Lines().OffsetToLineColumn(v.Span.Start)
			x.Written = explain.Place{File: source.Path(), Line: line, Column: column}
		}
	}
	x.Deployment = p.writer(x.Written)
	return x
}

// Blame renders a deployment once more and returns its lines, each with the place where it
// was written and the variables in it, and the outputs that they are of. The error is
// ctx's, or a *render.Refusal.
func Blame(ctx context.Context, session *builder.Session, set *deployment.Set, d *deployment.Deployment) ([]explain.Line, []*deployment.Output, error) {
	again, err := d.Again(ctx, session, explain.Unwatched)
	if err != nil {
		return nil, nil, err
	}
	p := provenance{session, session.Table(), set, again}
	var lines []explain.Line
	for i, out := range again.Outputs {
		if i > 0 {
			lines = append(lines, explain.Line{Text: "---", Resource: -1})
		}
		of, err := explain.BlameResource(p.table, again.Build, out.Resource, out.Original)
		if err != nil {
			return nil, nil, err
		}
		for _, line := range of {
			line.Resource = i
			line.Variables = p.inLine(out, line)
			lines = append(lines, line)
		}
	}
	return lines, again.Outputs, nil
}

// inLine returns the variables that were substituted in a line.
func (p *provenance) inLine(out *deployment.Output, line explain.Line) []explain.Variable {
	var all []explain.Variable
	if line.Part <= 0 && line.Key != nil {
		all = p.variablesOf(out, line.Key, -1)
	}
	if line.Value != nil && line.Value.Kind == yaml.ScalarNode && !isHeader(line) {
		all = append(all, p.variablesOf(out, line.Value, line.Part)...)
	}
	// A default stands in the line itself.
	return slices.DeleteFunc(distinct(all), func(v explain.Variable) bool { return v.From == fromDefault })
}

// isHeader tells whether a line only begins a literal block, whose text is below it.
func isHeader(line explain.Line) bool {
	return line.Part < 0 && strings.Contains(line.Value.Value, "\n") && strings.HasSuffix(strings.TrimRight(line.Text, "+-2"), " |")
}

func (p *provenance) variablesOf(out *deployment.Output, n *yaml.Node, part int) []explain.Variable {
	was := out.Original(n)
	if was == n {
		return nil
	}
	if part < 0 {
		return p.variables(was.Value)
	}
	if lines := strings.Split(was.Value, "\n"); part < len(lines) {
		return p.variables(lines[part])
	}
	return nil
}
