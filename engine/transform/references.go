package transform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// FixReferences writes the new names of resources into the fields that refer to
// them (api/filters/nameref). Which fields those are the transformer
// configuration says; a field's text is held against the previous names.
func (b *Transformer) FixReferences(l *trace.Layer, acc *accumulator.Accumulator) {
	if acc.Config == nil {
		return
	}
	resources := acc.Set.List()
	f := &referenceFixer{builder: b, layer: l, acc: acc, resources: resources, specs: map[[3]string][]reference{}}
	// What a name refers to may hang on what was fixed before.
	if b.Finals != nil && !slices.ContainsFunc(acc.Config.NameReference, changesIdentities) {
		f.names, f.remembers = b.Finals.NamesOf(resources), true
		if b.Finals.Settled = len(acc.Vars) == 0; b.Finals.Settled {
			b.Names = f.names
		}
	} else {
		f.names = memo.NewNameIndex(resources, nil)
	}
	references := make([][]reference, len(resources))
	repeats := make([]bool, len(resources))
	parallel.ForEach(len(resources), func(i int) { repeats[i] = f.repeats(resources[i]) })
	for i, r := range resources {
		if !repeats[i] {
			references[i] = f.referencesOf(r.OriginalID())
		}
	}
	parallel.ForEach(len(resources), func(i int) {
		if !repeats[i] {
			references[i] = f.met(resources[i], references[i])
		}
	})
	for i, r := range resources {
		if repeats[i] {
			f.repeat(r)
		} else {
			f.learn(r, references[i])
		}
	}
}

type referenceFixer struct {
	builder   *Transformer
	layer     *trace.Layer
	acc       *accumulator.Accumulator
	resources []*resource.Resource
	names     *memo.NameIndex
	specs     map[[3]string][]reference
	remembers bool        // of each resource what came of it
	trail     *memo.Trail // of the resource that is worked on, nil where none is kept
}

// reference is a field that may hold the name of a resource of a kind.
type reference struct {
	fieldSpec
	group, version, kind string // of the resource that is referred to
}

// referencesOf returns the fields of a kind, chosen by its original identity.
func (f *referenceFixer) referencesOf(id resource.ID) []reference {
	kind := [3]string{id.Group, id.Version, id.Kind}
	refs, ok := f.specs[kind]
	if ok {
		return refs
	}
	for _, target := range f.acc.Config.NameReference {
		for _, spec := range target.FieldSpecs {
			if id.IsSelected(spec.Group, spec.Version, spec.Kind) {
				compiled := compileOne(spec)
				compiled.Create = false
				refs = append(refs, reference{compiled, target.Group, target.Version, target.Kind})
			}
		}
	}
	f.specs[kind] = refs
	return refs
}

// met returns those of the references whose fields the resource has. What may change
// is made the resource's own.
func (f *referenceFixer) met(r *resource.Resource, references []reference) (met []reference) {
	for _, ref := range references {
		if !meets(r.Node, ref.steps) {
			continue
		}
		met = append(met, ref)
		if !r.OwnsField(ref.steps[0].name) && leads(r.Node, ref.steps, false, f.mayRefer) {
			r.CopyAhead(ref.steps[0].name)
		}
	}
	return met
}

// fix works on the references whose fields the resource has.
func (f *referenceFixer) fix(r *resource.Resource, references []reference) {
	var after func()
	if len(f.referencesOf(r.OriginalID())) > 0 && !f.checkAPIVersion(r) || len(references) == 0 {
		return
	}
	r.Change(func(*resource.Edit) { after = f.write(r, references) })
	after()
}

// write returns what is to be called once the resource has changed.
func (f *referenceFixer) write(r *resource.Resource, references []reference) (after func()) {
	for _, ref := range references {
		err := ref.apply(r.Node, creation{}, func(n *yaml.Node) *walkError {
			if after == nil {
				after = f.builder.Record(trace.Step{Layer: f.layer, Transformer: "NameReferenceTransformer"}, r)
			}
			return f.fixNode(r, ref, n)
		})
		if err != nil {
			f.builder.reportWalk(f.layer, r.Entry, r, ref.fieldSpec, err)
		}
	}
	if after == nil {
		return advice.Nothing
	}
	return after
}

// mayRefer tells whether a node holds a name that may have to change.
func (f *referenceFixer) mayRefer(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.ScalarNode:
		return f.names.Before[n.Value] != nil
	case yaml.MappingNode:
		_, name := syntax.Field(n, "name")
		return name != nil && f.names.Before[name.Value] != nil
	}
	return slices.ContainsFunc(n.Content, f.mayRefer)
}

func (f *referenceFixer) fixNode(r *resource.Resource, ref reference, n *yaml.Node) *walkError {
	if n.Tag == "!!null" {
		return nil
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return f.fixScalar(r, ref, n)
	case yaml.MappingNode:
		return f.fixMapping(r, ref, n)
	}
	for _, element := range n.Content {
		if element.Tag == "!!null" {
			continue
		}
		var err *walkError
		switch element.Kind {
		case yaml.ScalarNode:
			err = f.fixScalar(r, ref, element)
		case yaml.MappingNode:
			err = f.fixMapping(r, ref, element)
		default:
			err = &walkError{element, "a name or a mapping with a name was expected here"}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *referenceFixer) fixScalar(r *resource.Resource, ref reference, n *yaml.Node) *walkError {
	var target *resource.Resource
	var err *walkError
	f.lookedUp(false, ref, n.Value)
	if known := f.names.Before[n.Value]; known != nil {
		target, err = f.choose(r, ref, n, f.reachable(r, known), sameName)
	}
	if target == nil {
		f.noteUnchanged(r, ref, n, nil)
		return err
	}
	id := target.ID()
	f.note(r, target, n)
	if id.Name == n.Value {
		return nil
	}
	return setScalar(n, id.Name, "", problem.NameNode(target))
}

// fixMapping works on a mapping with a name and maybe a namespace, such as a
// subject of a role binding.
func (f *referenceFixer) fixMapping(r *resource.Resource, ref reference, n *yaml.Node) *walkError {
	_, name := syntax.Field(n, "name")
	if name == nil {
		return &walkError{n, "a name was expected in this mapping"}
	}
	var target *resource.Resource
	var err *walkError
	f.lookedUp(false, ref, name.Value)
	if known := f.names.Before[name.Value]; known != nil {
		target, err = f.choose(r, ref, name, f.inNamespace(n, f.reachable(r, known)), sameNameAndNamespace)
	}
	if target == nil {
		f.noteUnchanged(r, ref, name, n)
		return err
	}
	id := target.ID()
	f.note(r, target, name)
	if id.Name == name.Value && id.Namespace == "" {
		return nil
	}
	if err := f.setText(n, "name", id.Name, problem.NameNode(target)); err != nil || id.Namespace == "" {
		return err
	}
	at := problem.NameNode(target)
	if _, ns := syntax.Field(target.Metadata(), "namespace"); ns != nil {
		at = ns
	}
	return f.setText(n, "namespace", id.Namespace, at)
}

// note records that a resource refers to another by a name.
func (f *referenceFixer) note(r, target *resource.Resource, name *yaml.Node) {
	f.record(r, target, name)
}

// noteUnchanged records that a resource refers to one whose name never changed, at
// which kustomize does not look. m is the mapping that the name stands in, nil for a
// name alone.
func (f *referenceFixer) noteUnchanged(r *resource.Resource, ref reference, name, m *yaml.Node) {
	if !f.builder.Options.Analyze {
		return
	}
	f.lookedUp(true, ref, name.Value)
	known := f.names.CurrentNames(f.resources)[name.Value]
	if known == nil {
		return
	}
	found := f.reachable(r, known)
	if m != nil {
		found = f.inNamespace(m, found)
	}
	id := r.ID()
	roleGroup, roleKind, isRole := roleReference(r, ref)
	found = keep(found, func(c *resource.Resource) bool {
		other := c.ID()
		return other.IsSelected(ref.group, ref.version, ref.kind) && (!isRole || other.IsSelected(roleGroup, "", roleKind)) &&
			(id.ClusterScoped || other.ClusterScoped || other.Kind == "ServiceAccount" ||
				id.EffectiveNamespace() == other.EffectiveNamespace())
	})
	if len(found) == 1 {
		f.record(r, found[0], name)
	}
}

func (f *referenceFixer) setText(m *yaml.Node, field, value string, cause *yaml.Node) *walkError {
	if _, old := syntax.Field(m, field); old != nil {
		if old.Value == value && old.Kind == yaml.ScalarNode {
			cause = old
		}
		line, column := cause.Line, cause.Column
		setField(m, field, value)
		old.Line, old.Column = line, column
		return nil
	}
	setField(m, field, value)
	_, n := syntax.Field(m, field)
	syntax.CopyPlace(n, cause)
	return nil
}

// reachable returns the candidates that a resource can refer to at all: those of
// its namespace, cluster-scoped ones, and for a role binding those in the
// namespaces of its service accounts (SubsetThatCouldBeReferencedByResource).
func (f *referenceFixer) reachable(r *resource.Resource, known *memo.Candidates) []*resource.Resource {
	id := r.ID()
	spaces := subjectNamespaces(r)
	from := known.All
	if len(spaces) == 0 {
		from = known.Near(id, f.resources)
	}
	var found []*resource.Resource
	for _, i := range from {
		c := f.resources[i]
		other := c.ID()
		if id.ClusterScoped || other.ClusterScoped || other.EffectiveNamespace() == id.EffectiveNamespace() || spaces[other.Namespace] {
			found = append(found, c)
		}
	}
	return found
}

// checkAPIVersion refuses an apiVersion that begins with a slash: kustomize loses
// the slash and then does not know its own resource (confirmNodeMatchesReferrer).
func (f *referenceFixer) checkAPIVersion(r *resource.Resource) bool {
	_, apiVersion := syntax.Field(r.Node, "apiVersion")
	if apiVersion == nil || nullableText(apiVersion) == r.ID().APIVersion() {
		return true
	}
	f.builder.Report(f.layer, problem.Problem{Code: problem.UnexpectedValueType, Fatal: true, Node: apiVersion,
		Message: fmt.Sprintf("%q is not an apiVersion", apiVersion.Value), Help: "write group/version, or the version alone"})
	return false
}

// checkSubjects refuses a role binding with a service account whose namespace is
// no text, such as an empty one (getNamespacesForRoleBinding).
func (f *referenceFixer) checkSubjects(r *resource.Resource) {
	id := r.ID()
	if id.Kind != "RoleBinding" || id.ClusterScoped || len(f.referencesOf(r.OriginalID())) == 0 {
		return
	}
	_, subjects := syntax.Field(r.Node, "subjects")
	if subjects == nil || subjects.Kind != yaml.SequenceNode {
		return
	}
	for _, s := range subjects.Content {
		_, kind := syntax.Field(s, "kind")
		key, ns := syntax.Field(s, "namespace")
		if ns == nil || kind == nil || kind.Value != "ServiceAccount" || ns.Kind == yaml.ScalarNode && ns.ShortTag() == "!!str" {
			continue
		}
		f.builder.Report(f.layer, problem.Problem{Code: problem.UnexpectedValueType, Fatal: true, Node: key,
			Message: "the namespace of a service account must be text here", Help: "give it a value or remove it"})
	}
}

// subjectNamespaces are those of a role binding's service accounts.
func subjectNamespaces(r *resource.Resource) map[string]bool {
	if r.ID().Kind != "RoleBinding" {
		return nil
	}
	_, subjects := syntax.Field(r.Node, "subjects")
	if subjects == nil || subjects.Kind != yaml.SequenceNode {
		return nil
	}
	spaces := map[string]bool{}
	for _, s := range subjects.Content {
		_, kind := syntax.Field(s, "kind")
		if _, ns := syntax.Field(s, "namespace"); ns != nil && kind != nil && kind.Value == "ServiceAccount" {
			spaces[ns.Value] = true
		}
	}
	return spaces
}

// inNamespace narrows candidates down to those in the namespace that a mapping
// names: by their original namespaces, else by their current ones.
func (f *referenceFixer) inNamespace(m *yaml.Node, found []*resource.Resource) []*resource.Resource {
	_, ns := syntax.Field(m, "namespace")
	if ns == nil {
		return found
	}
	with := func(of func(*resource.Resource) resource.ID, among []*resource.Resource) (out []*resource.Resource) {
		for _, c := range among {
			if space := of(c).EffectiveNamespace(); space == ns.Value && space != resource.NoNamespace {
				out = append(out, c)
			}
		}
		return out
	}
	if f.hasOriginalNamespace(ns.Value) {
		return with((*resource.Resource).OriginalID, found)
	}
	return with((*resource.Resource).ID, found)
}

// hasOriginalNamespace tells whether any resource came from that namespace;
// kustomize asks this before it looks at current ones.
func (f *referenceFixer) hasOriginalNamespace(ns string) bool {
	had := f.names.Namespaces[ns]
	if f.trail != nil {
		f.trail.Namespaces = append(f.trail.Namespaces, memo.NamespaceLookup{Name: ns, Had: had})
	}
	return had
}

// choose picks the resource that a name refers to (Filter.selectReferral): by
// kind, then by namespace, then by the prefixes and suffixes both have got.
func (f *referenceFixer) choose(r *resource.Resource, ref reference, name *yaml.Node, found []*resource.Resource, alike func(a, b resource.ID) bool) (*resource.Resource, *walkError) {
	id := r.ID()
	roleGroup, roleKind, isRole := roleReference(r, ref)
	found = keep(found, func(c *resource.Resource) bool {
		return wasOf(c, ref.group, ref.version, ref.kind) && (!isRole || wasOf(c, roleGroup, "", roleKind))
	})
	found = keep(found, func(c *resource.Resource) bool {
		other := c.ID()
		return id.ClusterScoped || other.ClusterScoped || other.Kind == "ServiceAccount" ||
			id.EffectiveNamespace() == other.EffectiveNamespace()
	})
	if len(found) == 1 {
		return found[0], nil
	}
	found = keep(found, func(c *resource.Resource) bool { return sameAffixes(r, c, true) })
	if len(found) > 1 {
		found = keep(found, func(c *resource.Resource) bool { return sameAffixes(r, c, false) })
	}
	if len(found) == 0 {
		return nil, nil
	}
	for _, c := range found[1:] {
		if !alike(found[0].ID(), c.ID()) {
			f.reportAmbiguous(r, ref, name, found)
			return nil, nil
		}
	}
	return found[0], nil
}

func keep(list []*resource.Resource, ok func(*resource.Resource) bool) (kept []*resource.Resource) {
	for _, r := range list {
		if ok(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

func wasOf(r *resource.Resource, group, version, kind string) bool {
	is := false
	r.PreviousIDs(func(id resource.ID) bool {
		is = id.IsSelected(group, version, kind)
		return !is
	})
	return is
}

func sameName(a, b resource.ID) bool { return a.Name == b.Name }

func sameNameAndNamespace(a, b resource.ID) bool {
	return a.Name == b.Name && a.Namespace == b.Namespace
}

// roleReference returns what a role binding's roleRef says of its target.
func roleReference(r *resource.Resource, ref reference) (group, kind string, ok bool) {
	if !strings.HasSuffix(ref.Path, "roleRef/name") {
		return "", "", false
	}
	_, role := syntax.Field(r.Node, "roleRef")
	_, g := syntax.Field(role, "apiGroup")
	_, k := syntax.Field(role, "kind")
	if g == nil || k == nil {
		return "", "", false
	}
	return g.Value, k.Value, true
}

// sameAffixes compares the prefixes and suffixes of two resources from the
// outermost inwards (Resource.PrefixesSuffixesEquals).
func sameAffixes(a, b *resource.Resource, allowEmpty bool) bool {
	same := func(x, y []string) bool {
		if allowEmpty && (len(x) == 0 || len(y) == 0) {
			return true
		}
		return sameEnding(x, y)
	}
	return same(a.Prefixes, b.Prefixes) && same(a.Suffixes, b.Suffixes)
}

func sameEnding(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b) == 0
	}
	for i := range a {
		if a[len(a)-1-i] != b[len(b)-1-i] {
			return false
		}
	}
	return true
}

func (f *referenceFixer) reportAmbiguous(r *resource.Resource, ref reference, name *yaml.Node, found []*resource.Resource) {
	p := problem.Problem{Code: problem.AmbiguousReference, Fatal: true, Node: name,
		Message: fmt.Sprintf("%q in %s of %s could mean %d resources", name.Value, ref.Path, r.ID(), len(found))}
	for _, c := range found[:min(len(found), advice.MaxCandidates)] {
		p.Related = append(p.Related, problem.Related{Node: problem.NameNode(c), Message: c.ID().String()})
	}
	f.builder.Report(f.layer, p)
}
