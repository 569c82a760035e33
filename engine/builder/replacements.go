package builder

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// readReplacements returns the replacements of a layer, those of files included
// (ReplacementTransformerPlugin.Config).
func (b *transformer) readReplacements(l *Layer, entries []kustomization.Replacement) []*kustomization.Replacement {
	var all []*kustomization.Replacement
	for i := range entries {
		r := &entries[i]
		switch {
		case r.Path.Value == "":
			all = append(all, r)
		case r.Source != nil || len(r.Targets) > 0:
			b.report(l, Problem{Code: MalformedReplacement, Fatal: true, Node: r.Path.Node,
				Message: "the entry has both a path and a replacement", Help: "leave one of them out"})
		default:
			all = append(all, b.readReplacementFile(l, r.Path)...)
		}
	}
	return all
}

func (b *transformer) readReplacementFile(l *Layer, path kustomization.Text) []*kustomization.Replacement {
	parsed, ok := b.loadParsed(l, path)
	if !ok || len(parsed.Documents) == 0 && len(parsed.Problems) > 0 {
		return nil
	}
	var root *yaml.Node
	if len(parsed.Documents) > 0 {
		root = parsed.Documents[0].Root
	}
	read, problems := kustomization.ReadReplacements(root)
	for _, p := range problems {
		b.report(l, fromKustomization(p, parsed.ID))
	}
	half := halfTypedIn(b.sources.Table(), parsed)
	if root != nil && root.Kind == yaml.MappingNode && half != nil {
		half[root] = true // the file is one entry
	}
	read = leaveOut(&b.loader, half, read, replacementNode)
	all := make([]*kustomization.Replacement, len(read))
	for i := range read {
		all[i] = &read[i]
	}
	return all
}

// replace applies the replacements in order (api/filters/replacement).
func (b *transformer) replace(l *Layer, acc *accumulator, replacements []*kustomization.Replacement) {
	var copies copies
	for _, r := range replacements {
		if b.stopped() {
			return
		}
		if !b.checkReplacement(l, r) {
			continue
		}
		value, source := b.replacementValue(l, acc, r)
		fact := ReplacementFact{Entry: r, Source: source, Value: syntax.Copy(value)}
		b.noteCopy(&copies, fact)
		for i := range r.Targets {
			targets, rejected := b.replaceTarget(l, acc, r, &r.Targets[i], source, value)
			fact.Targets = append(fact.Targets, targets...)
			fact.Selected = append(fact.Selected, targets)
			fact.Rejected = append(fact.Rejected, rejected...)
		}
		l.Facts.Replacements = append(l.Facts.Replacements, fact)
		b.reportIdleReplacement(l, fact)
		b.reportStale(l, &copies, fact)
	}
	dropEmpty(acc)
}

func (b *transformer) checkReplacement(l *Layer, r *kustomization.Replacement) bool {
	p := Problem{Code: MalformedReplacement, Fatal: true, Node: r.Node}
	switch {
	case r.Source == nil && r.SourceValue == nil:
		p.Message, p.Help = "the replacement has no source", "add a source that names a resource, or a sourceValue"
	case !r.HasTargets:
		p.Message, p.Help = "the replacement has no targets", "add targets that select resources"
	case r.Source != nil && r.SourceValue != nil:
		p.Node = r.SourceValue.Node
		p.Message, p.Help = "the replacement has both source and sourceValue", "leave one of them out"
	default:
		return true
	}
	b.report(l, p)
	return false
}

// replacementValue finds the value to copy; nil where it cannot be found, which
// is then reported, or where it may come from something that was not loaded.
func (b *transformer) replacementValue(l *Layer, acc *accumulator, r *kustomization.Replacement) (*yaml.Node, *resource.Resource) {
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
		path.Value = defaultFieldPath
	}
	if mayWriteTo(r, source) {
		source.CopyAhead(fieldOfPath(b.path(path.Value))) // a target may be the same node: then the value changes with it
	}
	outcome := fieldpath.Read(source.Node, b.path(path.Value), b.pathOptions(r.Source.Options))
	if outcome.Failure != nil {
		b.reportSourcePath(l, r, path, source, outcome)
		return nil, source
	}
	if outcome.DrillDown {
		b.report(l, Problem{Code: NotInKustomize, Beyond: true, Node: path.Node,
			Message: "the path goes on inside a string, which kustomize does for targets only"})
	}
	return outcome.Nodes[0], source
}

// mayWriteTo tells whether a resource may be among the targets of a replacement.
func mayWriteTo(r *kustomization.Replacement, x *resource.Resource) bool {
	return slices.ContainsFunc(r.Targets, func(t kustomization.ReplacementTarget) bool {
		if t.Select == nil {
			return false
		}
		m, problems := newMatcher(t.Select)
		return len(problems) > 0 || len(m.malformed()) > 0 || m.selectsMetadata(x) && m.selectsAny(x)
	})
}

func (b *transformer) findSource(l *Layer, acc *accumulator, r *kustomization.Replacement) *resource.Resource {
	found := acc.withLiteralSelector(&r.Source.Selector)
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		p := Problem{Code: ReplacementSeveralSources, Fatal: true, Node: selectorNode(&r.Source.Selector, r.Node),
			Message: fmt.Sprintf("%d resources match the source (%s)", len(found), describe(&r.Source.Selector)),
			Help:    "a source must be one resource; add what tells them apart"}
		for _, other := range found[:min(len(found), maxCandidates)] {
			p.Related = append(p.Related, Related{Node: nameNode(other), Message: other.ID().String()})
		}
		b.report(l, p)
	case !acc.unknown:
		b.reportNoSource(l, acc, r)
	}
	return nil
}

// replaceTarget writes the value into the resources that a target selects, and
// returns them and those that it rejects. Without a value it only checks the target.
func (b *transformer) replaceTarget(l *Layer, acc *accumulator, r *kustomization.Replacement, t *kustomization.ReplacementTarget, source *resource.Resource, value *yaml.Node) (targets []*resource.Resource, rejected []Rejection) {
	if t.Select == nil {
		b.report(l, Problem{Code: MalformedReplacement, Fatal: true, Node: t.Node, Message: "the target has no select",
			Help: "add select with what the resources to write to have in common"})
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
	for _, x := range acc.candidates(selection.selects) {
		selected, reject := selection.decide(x)
		if reject != nil {
			rejected = append(rejected, Rejection{reject, x})
		}
		if !selected {
			continue
		}
		targets = append(targets, x)
	}
	if value != nil {
		b.writeTargets(l, acc, r, t, source, targets, value, paths)
	}
	if b.stopped() {
		return nil, nil
	}
	if len(targets) == 0 && !acc.unknown {
		b.reportNoReplacementTarget(l, acc, t, len(rejected))
	}
	return targets, rejected
}

func (b *transformer) targetPaths(t *kustomization.ReplacementTarget) []targetPath {
	if len(t.FieldPaths) == 0 {
		return []targetPath{{b.path(defaultFieldPath), kustomization.Text{Value: defaultFieldPath, Node: t.Node}}}
	}
	paths := make([]targetPath, len(t.FieldPaths))
	for i, text := range t.FieldPaths {
		paths[i] = targetPath{b.path(text.Value), text}
	}
	return paths
}

// targetMatcher decides which resources a replacement's target writes to.
type targetMatcher struct {
	selects *matcher
	rejects []*matcher
}

func (b *transformer) newTargetMatcher(l *Layer, t *kustomization.ReplacementTarget) (targetMatcher, bool) {
	m, problems := newMatcher(t.Select)
	selection := targetMatcher{selects: m}
	for _, reject := range t.Reject {
		m, more := newMatcher(reject)
		problems = append(problems, more...)
		selection.rejects = append(selection.rejects, m)
		if m.hasID() && m.hasSelectors() {
			b.report(l, Problem{Code: RejectMixesSelectors, Node: reject.Node,
				Message: "this rejects everything that the id fields match and, besides, everything that the selectors match",
				Help:    "kustomize does not take the two together; to narrow one down, use only one kind of field"})
		}
	}
	for _, p := range problems {
		b.report(l, p)
	}
	return selection, len(problems) == 0
}

// reportMalformed reports selectors that do not parse, and tells whether there are
// any. Those of select are asked of every resource, those of reject of what the
// selectors of select let through.
func (m targetMatcher) reportMalformed(b *transformer, l *Layer, acc *accumulator) bool {
	problems := m.selects.malformed()
	for i := range problems {
		problems[i].Fatal = acc.set.Len() > 0
	}
	asked := len(problems) == 0 && slices.ContainsFunc(acc.set.List(), m.selects.selectsMetadata)
	for _, reject := range m.rejects {
		for _, p := range reject.malformed() {
			p.Fatal = asked
			problems = append(problems, p)
		}
	}
	for _, p := range problems {
		b.report(l, p)
	}
	return len(problems) > 0
}

// decide tells whether the resource is written to, and if it was selected and then
// rejected, by which entry of reject.
func (m targetMatcher) decide(r *resource.Resource) (selected bool, rejectedBy *kustomization.Selector) {
	if !m.selects.selectsMetadata(r) {
		return false, nil
	}
	if !m.selects.selectsAny(r) {
		return false, nil
	}
	for _, reject := range m.rejects {
		if reject.hasSelectors() && reject.selectsMetadata(r) || reject.hasID() && reject.selectsAny(r) {
			return false, reject.selector
		}
	}
	return true, nil
}
