package transform

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// ReadReplacements returns the replacements of a layer, those of files included
// (ReplacementTransformerPlugin.Config).
func (b *Transformer) ReadReplacements(l *trace.Layer, entries []kustomization.Replacement) []*kustomization.Replacement {
	var all []*kustomization.Replacement
	for i := range entries {
		r := &entries[i]
		switch {
		case r.Path.Value == "":
			all = append(all, r)
		case r.Source != nil || len(r.Targets) > 0:
			b.Report(l, problem.Problem{Code: problem.MalformedReplacement, Fatal: true, Node: r.Path.Node,
				Message: "the entry has both a path and a replacement", Help: "remove one of them"})
		default:
			all = append(all, b.readReplacementFile(l, r.Path)...)
		}
	}
	return all
}

func (b *Transformer) readReplacementFile(l *trace.Layer, path kustomization.Text) []*kustomization.Replacement {
	parsed, ok := b.LoadParsed(l, path)
	if !ok || len(parsed.Documents) == 0 && len(parsed.Problems) > 0 {
		return nil
	}
	var root *yaml.Node
	if len(parsed.Documents) > 0 {
		root = parsed.Documents[0].Root
	}
	read, problems := kustomization.ReadReplacements(root)
	for _, p := range problems {
		b.Report(l, problem.FromKustomization(p, parsed.ID))
	}
	half := load.HalfTypedIn(b.Sources.Table(), parsed)
	if root != nil && root.Kind == yaml.MappingNode && half != nil {
		half[root] = true // the file is one entry
	}
	read = load.LeaveOut(&b.Loader, half, read, load.ReplacementNode)
	all := make([]*kustomization.Replacement, len(read))
	for i := range read {
		all[i] = &read[i]
	}
	return all
}

// Replace applies the replacements in order (api/filters/replacement).
func (b *Transformer) Replace(l *trace.Layer, acc *accumulator.Accumulator, replacements []*kustomization.Replacement) {
	var copies advice.Copies
	for _, r := range replacements {
		if b.Stopped() {
			return
		}
		if !b.checkReplacement(l, r) {
			continue
		}
		if b.Budget.Exceeded() {
			break
		}
		value, source := b.replacementValue(l, acc, r)
		if value != nil && !b.ChargeCopies(l, acc, r.Node, value, 1) { // for the fact
			break
		}
		fact := trace.ReplacementFact{Entry: r, Source: source, Value: syntax.Copy(value)}
		b.NoteCopy(&copies, fact)
		for i := range r.Targets {
			targets, rejected := b.replaceTarget(l, acc, r, &r.Targets[i], source, value)
			fact.Targets = append(fact.Targets, targets...)
			fact.Selected = append(fact.Selected, targets)
			fact.Rejected = append(fact.Rejected, rejected...)
		}
		l.Facts.Replacements = append(l.Facts.Replacements, fact)
		b.ReportUselessReplacement(l, fact)
		b.ReportStale(l, &copies, fact)
	}
	DropEmpty(acc)
}

func (b *Transformer) checkReplacement(l *trace.Layer, r *kustomization.Replacement) bool {
	p := problem.Problem{Code: problem.MalformedReplacement, Fatal: true, Node: r.Node}
	switch {
	case r.Source == nil && r.SourceValue == nil:
		p.Message, p.Help = "the replacement has no source", "add a source that names a resource, or a sourceValue"
	case !r.HasTargets:
		p.Message, p.Help = "the replacement has no targets", "add targets that select resources"
	case r.Source != nil && r.SourceValue != nil:
		p.Node = r.SourceValue.Node
		p.Message, p.Help = "the replacement has both source and sourceValue", "remove one of them"
	default:
		return true
	}
	b.Report(l, p)
	return false
}

// replacementValue finds the value to copy; nil where it cannot be found, which
// is then reported, or where it may come from something that was not loaded.
func (b *Transformer) replacementValue(l *trace.Layer, acc *accumulator.Accumulator, r *kustomization.Replacement) (*yaml.Node, *resource.Resource) {
	if r.SourceValue != nil {
		n := &yaml.Node{Kind: yaml.ScalarNode, Value: r.SourceValue.Value}
		if at := r.SourceValue.Node; at != nil {
			n.Line, n.Column = at.Line, at.Column
		}
		return n, nil
	}
	source := b.findSource(l, acc, r)
	if source == nil {
		return nil, nil
	}
	path := r.Source.FieldPath
	if path.Value == "" {
		path.Value = load.DefaultFieldPath
	}
	if mayWriteTo(r, source) {
		source.CopyAhead(load.FieldOfPath(b.Path(path.Value))) // a target may be the same node: then the value changes with it
	}
	outcome := fieldpath.Read(source.Node, b.Path(path.Value), b.PathOptions(r.Source.Options))
	if outcome.Failure != nil {
		b.ReportSourcePath(l, r, path, source, outcome)
		return nil, source
	}
	if outcome.DrillDown {
		b.Report(l, problem.Problem{Code: problem.NotInKustomize, Beyond: true, Node: path.Node,
			Message: "the path continues inside a string, which kustomize supports for targets only"})
	}
	return outcome.Nodes[0], source
}

// mayWriteTo tells whether a resource may be among the targets of a replacement.
func mayWriteTo(r *kustomization.Replacement, x *resource.Resource) bool {
	return slices.ContainsFunc(r.Targets, func(t kustomization.ReplacementTarget) bool {
		if t.Select == nil {
			return false
		}
		m, problems := selector.NewMatcher(t.Select)
		return len(problems) > 0 || len(m.Malformed()) > 0 || m.SelectsMetadata(x) && m.SelectsAny(x)
	})
}

func (b *Transformer) findSource(l *trace.Layer, acc *accumulator.Accumulator, r *kustomization.Replacement) *resource.Resource {
	found := acc.WithLiteralSelector(&r.Source.Selector)
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		p := problem.Problem{Code: problem.ReplacementSeveralSources, Fatal: true, Node: advice.SelectorNode(&r.Source.Selector, r.Node),
			Message: fmt.Sprintf("%d resources match the source (%s)", len(found), selector.Describe(&r.Source.Selector)),
			Help:    "a source must be one resource; add a field that distinguishes them"}
		for _, other := range found[:min(len(found), advice.MaxCandidates)] {
			p.Related = append(p.Related, problem.Related{Node: problem.NameNode(other), Message: other.ID().String()})
		}
		b.Report(l, p)
	case !acc.Unknown:
		b.ReportNoSource(l, acc, r)
	}
	return nil
}

// replaceTarget writes the value into the resources that a target selects, and
// returns them and those that it rejects. Without a value it only checks the target.
func (b *Transformer) replaceTarget(l *trace.Layer, acc *accumulator.Accumulator, r *kustomization.Replacement, t *kustomization.ReplacementTarget, source *resource.Resource, value *yaml.Node) (targets []*resource.Resource, rejected []trace.Rejection) {
	if t.Select == nil {
		b.Report(l, problem.Problem{Code: problem.MalformedReplacement, Fatal: true, Node: t.Node, Message: "the target has no select",
			Help: "add select with the fields that identify the resources to write to"})
		return nil, nil
	}
	selection, ok := b.newTargetMatcher(l, t)
	if !ok {
		return nil, nil
	}
	paths := b.targetPaths(t)
	if selection.reportMalformed(b, l, acc) {
		return nil, nil
	}
	for _, x := range acc.Candidates(selection.selects) {
		selected, reject := selection.decide(x)
		if reject != nil {
			rejected = append(rejected, trace.Rejection{Reject: reject, Resource: x})
		}
		if !selected {
			continue
		}
		targets = append(targets, x)
	}
	if value != nil {
		b.writeTargets(l, acc, r, t, source, targets, value, paths)
	}
	if b.Stopped() {
		return nil, nil
	}
	if len(targets) == 0 && !acc.Unknown {
		b.ReportNoReplacementTarget(l, acc, t, len(rejected))
	}
	return targets, rejected
}

func (b *Transformer) targetPaths(t *kustomization.ReplacementTarget) []trace.TargetPath {
	if len(t.FieldPaths) == 0 {
		return []trace.TargetPath{{Path: b.Path(load.DefaultFieldPath), Text: kustomization.Text{Value: load.DefaultFieldPath, Node: t.Node}}}
	}
	paths := make([]trace.TargetPath, len(t.FieldPaths))
	for i, text := range t.FieldPaths {
		paths[i] = trace.TargetPath{Path: b.Path(text.Value), Text: text}
	}
	return paths
}

// targetMatcher decides which resources a replacement's target writes to.
type targetMatcher struct {
	selects *selector.Matcher
	rejects []*selector.Matcher
}

func (b *Transformer) newTargetMatcher(l *trace.Layer, t *kustomization.ReplacementTarget) (targetMatcher, bool) {
	m, problems := selector.NewMatcher(t.Select)
	selection := targetMatcher{selects: m}
	for _, reject := range t.Reject {
		m, more := selector.NewMatcher(reject)
		problems = append(problems, more...)
		selection.rejects = append(selection.rejects, m)
		if m.HasID() && m.HasSelectors() {
			b.Report(l, problem.Problem{Code: problem.RejectMixesSelectors, Node: reject.Node,
				Message: "this rejects everything that the id fields match and, besides, everything that the selectors match",
				Help:    "kustomize does not take the two together; to narrow one down, use only one kind of field"})
		}
	}
	for _, p := range problems {
		b.Report(l, p)
	}
	return selection, len(problems) == 0
}

// reportMalformed reports selectors that do not parse, and tells whether there are
// any. Those of select are asked of every resource, those of reject of what the
// selectors of select let through.
func (m targetMatcher) reportMalformed(b *Transformer, l *trace.Layer, acc *accumulator.Accumulator) bool {
	problems := m.selects.Malformed()
	for i := range problems {
		problems[i].Fatal = acc.Set.Len() > 0
	}
	asked := len(problems) == 0 && slices.ContainsFunc(acc.Set.List(), m.selects.SelectsMetadata)
	for _, reject := range m.rejects {
		for _, p := range reject.Malformed() {
			p.Fatal = asked
			problems = append(problems, p)
		}
	}
	for _, p := range problems {
		b.Report(l, p)
	}
	return len(problems) > 0
}

// decide tells whether the resource is written to, and if it was selected and then
// rejected, by which entry of reject.
func (m targetMatcher) decide(r *resource.Resource) (selected bool, rejectedBy *kustomization.Selector) {
	if !m.selects.SelectsMetadata(r) {
		return false, nil
	}
	if !m.selects.SelectsAny(r) {
		return false, nil
	}
	for _, reject := range m.rejects {
		if reject.HasSelectors() && reject.SelectsMetadata(r) || reject.HasID() && reject.SelectsAny(r) {
			return false, reject.Selector
		}
	}
	return true, nil
}
