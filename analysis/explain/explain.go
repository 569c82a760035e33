// Package explain answers where a rendered value comes from: where it was written,
// and which steps of the build changed it. It matches and looks up nothing by
// itself; every answer is a view of a build that was watched. It knows neither
// output formats nor editors.
package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Explanation is where a field of a rendered resource comes from, or the resource
// as a whole.
type Explanation struct {
	// Resource is the address of the resource by its rendered name. Field is the
	// path as it was asked for, empty for the whole resource.
	Resource, Field string
	Value           Value
	// Written is where the value was written: the text there is the value, or what
	// configures the transformer that made it.
	Written Place
	// Read is where the resource begins that was read or generated, and Included
	// the entry of a kustomization that brought it in.
	Read, Included Place
	// Steps are what changed the value, in order.
	Steps []Step
}

// Step is one change of a value.
type Step struct {
	// Transformer is kustomize's name, as in its transformer annotations.
	Transformer string
	// Place is that of the entry of the kustomization that asks for the change.
	Place         Place
	Before, After Value
	// Deployment is the deployment in whose object the place is; empty for none.
	Deployment string
	// Variables are those that were substituted in a deployment.
	Variables []Variable
}

// Variable is one that was substituted.
type Variable struct {
	// Expression is the ${…} that the name stood in.
	Name, Expression string
	// Written is where its value stands; not known for a default, or what is not in git.
	Written Place
	// From says in words what supplies it.
	From string
	// Deployment is the one in whose object it is supplied; empty for none.
	Deployment string
}

// Answer is what a build says to a question.
type Answer struct {
	// Result is the build.
	Result *builder.Result
	// Explanation is nil where Missing says why there is none.
	Explanation *Explanation
	Missing     *Missing
}

// Explain builds the kustomization in a folder, an absolute path, and explains what
// the address names: Kind[.group]/[namespace/]name[:FIELDPATH]. A path is written
// as in the source of a replacement and may go on inside an embedded document. The
// error is that of builder.Session.Build.
func Explain(ctx context.Context, session *builder.Session, dir, address string, options builder.Options) (*Answer, error) {
	w := newWatch(occursIn(address))
	options.Recorder = w
	result, err := session.Build(ctx, dir, options)
	if err != nil {
		return nil, err
	}
	index, field, missing := Find(result.Resources, address)
	if missing != nil {
		return &Answer{Result: result, Missing: missing}, nil
	}
	r := result.Resources[index]
	if h := w.histories[r]; h != nil && h.passed > 0 {
		// The name tells nothing, since it was replaced as a whole.
		return Again(session.Table(), r, index, field, func(recorder builder.Recorder) (*builder.Result, error) {
			options.Recorder = recorder
			return session.Build(ctx, dir, options)
		})
	}
	answer := &Answer{Result: result}
	x := explainer{session.Table(), result, w}
	answer.Explanation, answer.Missing = x.explain(r, field)
	return answer, nil
}

// Again explains a field of the resource that is at an index among those of a build, which
// is made once more for that. The error is that of build.
func Again(table *syntax.Table, r *resource.Resource, index int, field string, build func(builder.Recorder) (*builder.Result, error)) (*Answer, error) {
	w := newWatch(likely(r))
	result, err := build(w)
	if err != nil {
		return nil, err
	}
	answer := &Answer{Result: result}
	x := explainer{table, result, w}
	answer.Explanation, answer.Missing = x.explain(result.Resources[index], field)
	return answer, nil
}

// explainer explains the fields of one build that was watched.
type explainer struct {
	table  *syntax.Table
	result *builder.Result
	watch  *watch
}

func (x *explainer) explain(r *resource.Resource, field string) (*Explanation, *Missing) {
	e := &Explanation{Resource: r.ID().String(), Field: field, Value: NewValue(r.Node), Written: PlaceOf(x.table, r.Node),
		Read: PlaceOf(x.table, r.Node), Included: PlaceOf(x.table, r.Entry)}
	path := fieldpath.Parse(field)
	if field != "" {
		outcome := fieldpath.Get(r.Node, path, fieldpath.Options{Explain: true, Embedded: x.table.AddEmbedded})
		if outcome.Failure != nil {
			return nil, noField(r, path, outcome.Failure)
		}
		e.Value, e.Written = NewValue(outcome.Nodes[0]), x.written(r, path, outcome)
	}
	e.addSteps(x.table, x.watch.histories[r], field, path)
	if last := len(e.Steps) - 1; last >= 0 && e.Steps[last].keptPlace() {
		e.Written = e.Steps[last].Place
	}
	return e, nil
}

// Written returns the value of a field of a rendered resource, also inside of a document
// that is embedded in a string, and where it was written; nil where there is none.
func Written(table *syntax.Table, result *builder.Result, r *resource.Resource, field string) (*yaml.Node, Place) {
	path := fieldpath.Parse(field)
	outcome := fieldpath.Get(r.Node, path, fieldpath.Options{Explain: true, Embedded: table.AddEmbedded})
	if outcome.Failure != nil || len(outcome.Nodes) == 0 {
		return nil, Place{}
	}
	x := explainer{table, result, &watch{}}
	return outcome.Nodes[0], x.written(r, path, outcome)
}

// baseOf returns what a generator merged into a resource; nil for nothing.
func baseOf(l *builder.Layer, r *resource.Resource) *resource.Resource {
	if l == nil {
		return nil
	}
	for i := range l.Facts.Generators {
		if f := &l.Facts.Generators[i]; f.Made == r && f.Base != nil {
			return f.Base
		}
	}
	for _, in := range l.Facts.Included {
		if in.Layer != nil {
			if base := baseOf(in.Layer, r); base != nil {
				return base
			}
		}
	}
	return nil
}

// keptPlace tells whether a step changed a text in part, as that of an embedded
// document, and so left it the place of what was there before.
func (s Step) keptPlace() bool {
	before, after := s.Before.node, s.After.node
	return before != nil && after != nil && after.Kind == yaml.ScalarNode && before.Value != after.Value &&
		before.Line != 0 && before.Line>>32 != 0 && before.Line == after.Line && before.Column == after.Column
}

// written returns where the value was written that a path led to.
func (x *explainer) written(r *resource.Resource, path fieldpath.Path, outcome fieldpath.Outcome) Place {
	if len(outcome.Documents) == 0 {
		return PlaceOf(x.table, outcome.Nodes[0])
	}
	document := outcome.Documents[0]
	start := path.Segments[document.Segment].Span.Start
	in := newInside(x.table, x.result, r, document.Host)
	host := fieldpath.Parse(strings.TrimSuffix(path.String()[:start], "."))
	if h := x.watch.histories[r]; h != nil && len(in.originals) > 0 {
		for _, c := range slices.Backward(h.steps) {
			for _, n := range []*yaml.Node{at(c.after, host.String(), host), at(c.before, host.String(), host)} {
				if n != nil && n.Kind == yaml.ScalarNode {
					in.addOriginal(n)
				}
			}
		}
	}
	return in.place(path.String()[start:], outcome.Nodes[0])
}

func (e *Explanation) addSteps(table *syntax.Table, h *history, field string, path fieldpath.Path) {
	if h == nil {
		return
	}
	for _, c := range h.steps {
		e.addStep(table, c, field, path)
	}
}

// addStep adds a step if it changed the field.
func (e *Explanation) addStep(table *syntax.Table, c change, field string, path fieldpath.Path) {
	before, after := at(c.before, field, path), at(c.after, field, path)
	s := Step{Transformer: c.step.Transformer, Before: Value{before}, After: Value{after}}
	if s.Before.equal(s.After) {
		return
	}
	if s.Place = PlaceOf(table, entryOf(c.step)); !s.Place.Known() {
		// What follows from names asks for nothing by itself: the cause is where the
		// new value comes from.
		s.Place = PlaceOf(table, firstChange(before, after))
	}
	e.Steps = append(e.Steps, s)
}

// at returns the field of a resource, or the resource where the path is empty; nil
// where it is not there.
func at(n *yaml.Node, field string, path fieldpath.Path) *yaml.Node {
	if n == nil || field == "" {
		return withoutEmptyAnnotations(n)
	}
	outcome := fieldpath.Get(n, path, fieldpath.Options{})
	if outcome.Failure != nil {
		return nil
	}
	return outcome.Nodes[0]
}

// entryOf returns the node that shows where a step is asked for: its entry, or the
// field's key where that is a list or mapping as a whole; nil for none.
func entryOf(s builder.Step) *yaml.Node {
	if s.Layer == nil {
		return s.Entry
	}
	for _, field := range []string{"vars", "commonLabels", "commonAnnotations"} {
		key, value := kustomization.FieldNode(s.Layer.Kustomization.Node, field)
		whole := s.Entry == nil && s.Transformer == "RefVarTransformer" && field == "vars"
		if value != nil && (whole || s.Entry == value) {
			return key
		}
	}
	return s.Entry
}

// firstChange returns the first scalar of a node that is not the same in the other
// one; the node itself where the two are too different.
func firstChange(before, after *yaml.Node) *yaml.Node {
	if before == nil || after == nil || before.Kind != after.Kind || len(before.Content) != len(after.Content) {
		return after
	}
	if after.Kind == yaml.ScalarNode && before.Value != after.Value {
		return after
	}
	for i, child := range after.Content {
		if found := firstChange(before.Content[i], child); found != nil {
			return found
		}
	}
	return nil
}

// noField says why a path leads nowhere.
func noField(r *resource.Resource, path fieldpath.Path, f *fieldpath.Failure) *Missing {
	missing := &Missing{Message: fmt.Sprintf("%s has no field %s", r.ID(), path)}
	if f.Segment < len(path.Segments) && len(path.Segments) > 1 {
		missing.Message += fmt.Sprintf(": %s", whyNot(path.Segments[f.Segment].Text, f))
	}
	for _, better := range []string{f.Escaped, f.Mended()} {
		if better != "" {
			missing.Candidates = append(missing.Candidates, better)
			return missing
		}
	}
	prefix := ""
	if f.Segment < len(path.Segments) {
		prefix = path.String()[:path.Segments[f.Segment].Span.Start]
	}
	for _, key := range f.Candidates[:min(len(f.Candidates), maxCandidates)] {
		missing.Candidates = append(missing.Candidates, prefix+fieldpath.Escape(key))
	}
	return missing
}

func whyNot(segment string, f *fieldpath.Failure) string {
	switch f.Kind {
	case fieldpath.UnparsableDocument:
		return fmt.Sprintf("the text that holds %q is not a document (line %d: %s)", segment, f.Line, f.Message)
	case fieldpath.IndexOutOfRange, fieldpath.EmptyList:
		return fmt.Sprintf("the list has %d elements", f.Length)
	case fieldpath.WildcardInSource:
		return "* names no single value"
	case fieldpath.ScalarContinues, fieldpath.NullContinues:
		return fmt.Sprintf("%q comes after a single value", segment)
	case fieldpath.NotAList:
		return fmt.Sprintf("%q needs a list, and this is not one", segment)
	case fieldpath.NotAMap:
		return fmt.Sprintf("%q is not an element of the list", segment)
	}
	return fmt.Sprintf("there is no %q", segment)
}
