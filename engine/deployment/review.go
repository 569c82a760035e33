package deployment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Finding is a mistake of a deployment.
type Finding struct {
	Deployment *Deployment
	builder.Problem
}

// written is where a node was written, by which it is known in all its copies.
type written struct{ line, column int }

func writtenAt(n *yaml.Node) written { return written{n.Line, n.Column} }

// Findings returns what is wrong with the deployments: what each came to by itself, what
// its options do not do, and how the deployments stand to each other. What a parent
// writes into many is a mistake only where it does nothing in any of them.
func (s *Set) Findings(session *builder.Session) []Finding {
	r := &review{set: s, table: session.Table(), byID: map[ID][]*Deployment{}}
	for _, d := range s.Deployments {
		r.byID[d.ID] = append(r.byID[d.ID], d)
	}
	for _, d := range s.Deployments {
		if !d.isMade() {
			for _, p := range slices.Concat(d.Problems, d.fatalProblems()) {
				r.report(d, p)
			}
		}
		r.dependencies(d)
		if d.isKnown() {
			r.healthChecks(d)
			r.namespaces(d)
			r.changedTypes(d)
		}
	}
	r.made()
	r.projects()
	r.cycles()
	r.options()
	r.variables()
	r.owners()
	r.lost()
	return r.found
}

func (d *Deployment) isKnown() bool { return d.Verdict == Exact || d.Verdict == Partial }

type review struct {
	set   *Set
	table *syntax.Table
	byID  map[ID][]*Deployment
	found []Finding
}

func (r *review) report(d *Deployment, p builder.Problem) {
	r.found = append(r.found, Finding{d, p})
}

// fatalProblems are what makes the builds of a deployment fail.
func (d *Deployment) fatalProblems() []builder.Problem {
	var fatal []builder.Problem
	for _, b := range d.AllBuilds() {
		for _, p := range b.Problems {
			if p.Fatal {
				fatal = append(fatal, p)
			}
		}
	}
	return fatal
}

// isMade tells whether an ApplicationSet makes the deployment.
func (d *Deployment) isMade() bool { return d.Set != nil && d.ID.Kind == "Application" }

// dependencies reports what a deployment waits for and nobody deploys, where all that
// its cluster gets is known.
func (r *review) dependencies(d *Deployment) {
	if d.Parent == nil && d.Folder == "" || !r.isClusterKnown(d.Cluster) {
		return
	}
	for _, on := range d.DependsOn {
		if len(r.byID[on.ID]) > 0 || on.Node == nil {
			continue
		}
		p := builder.Problem{Code: UnknownDependency, Node: on.Node, Message: fmt.Sprintf("nothing deploys %s, so %s is never deployed", on.ID, d.ID)}
		r.suggest(&p, on)
		r.report(d, p)
	}
}

func (r *review) isClusterKnown(cluster string) bool {
	return !slices.ContainsFunc(r.set.Deployments, func(d *Deployment) bool { return d.Cluster == cluster && !d.isKnown() })
}

// suggest says which deployment was probably meant.
func (r *review) suggest(p *builder.Problem, on Reference) {
	id := on.ID
	var names []string
	for _, d := range r.set.Deployments {
		if d.ID.Name == id.Name {
			p.Help = fmt.Sprintf("%s is in namespace %s", id.Name, d.ID.Namespace)
			if on.Namespace != nil {
				p.Node, p.Fixes = on.Namespace, []builder.Fix{{Title: "Change to " + d.ID.Namespace, New: d.ID.Namespace}}
			}
			return
		}
		if d.ID.Namespace == id.Namespace {
			names = append(names, d.ID.Name)
		}
	}
	if near, ok := text.Nearest(id.Name, names); ok {
		p.Help, p.Fixes = fmt.Sprintf("did you mean %s?", near), []builder.Fix{{Title: "Change to " + near, New: near}}
	}
}

// cycles reports deployments that wait for each other, each circle once.
func (r *review) cycles() {
	state := map[*Deployment]int{} // 1: on the way, 2: done
	var way []*Deployment
	var visit func(d *Deployment)
	visit = func(d *Deployment) {
		state[d], way = 1, append(way, d)
		for _, on := range d.DependsOn {
			for _, next := range r.byID[on.ID] {
				switch {
				case next.Cluster != d.Cluster:
				case state[next] == 0:
					visit(next)
				case state[next] == 1:
					r.reportCycle(d, on, way[slices.Index(way, next):])
				}
			}
		}
		state[d], way = 2, way[:len(way)-1]
	}
	for _, d := range r.set.Deployments {
		if state[d] == 0 {
			visit(d)
		}
	}
}

func (r *review) reportCycle(d *Deployment, on Reference, circle []*Deployment) {
	var names []string
	for _, c := range circle {
		names = append(names, c.ID.Name)
	}
	names = append(names, circle[0].ID.Name)
	p := builder.Problem{Code: DependencyCycle, Node: on.Node,
		Message: fmt.Sprintf("these wait for each other, so none is ever deployed: %s", strings.Join(names, " → "))}
	for _, c := range circle {
		for _, other := range c.DependsOn {
			if c != d && slices.ContainsFunc(circle, func(x *Deployment) bool { return x.ID == other.ID }) {
				p.Related = append(p.Related, builder.Related{Node: other.Node, Message: c.ID.String() + " waits for " + other.ID.Name})
			}
		}
	}
	r.report(d, p)
}

// healthChecks reports a check of an object that is not rendered, where a name is nearly
// that of one that is, or where only Flux makes objects of the kind.
func (r *review) healthChecks(d *Deployment) {
	for _, check := range d.HealthChecks {
		var names []string
		found := false
		for _, out := range d.Outputs {
			id := out.ID()
			if id.Kind != check.ID.Kind {
				continue
			}
			found = found || id.Name == check.ID.Name && (check.ID.Namespace == "" || id.Namespace == check.ID.Namespace)
			names = append(names, id.Name)
		}
		near, isNear := text.Nearest(check.ID.Name, names)
		if found || check.Node == nil || !isNear && !(check.ID.Kind == "HelmRelease" && len(names) > 0) {
			continue
		}
		p := builder.Problem{Code: MissingHealthCheck, Node: check.Node,
			Message: fmt.Sprintf("%s is waited for, and %s does not render it", check.ID, d.ID)}
		switch {
		case near == check.ID.Name:
			p.Help = "it is rendered in another namespace"
		case isNear:
			p.Help, p.Fixes = fmt.Sprintf("did you mean %s?", near), []builder.Fix{{Title: "Change to " + near, New: near}}
		}
		r.report(d, p)
	}
}

// namespaces reports resources whose files name another namespace than the one that they
// are put into.
func (r *review) namespaces(d *Deployment) {
	target := d.TargetNamespace.Value
	if target == "" {
		return
	}
	for _, out := range d.Outputs {
		before := out.Before.Previous
		if len(before) == 0 || before[0].Namespace == "default" || before[0].Namespace == target || out.ID().Namespace != target || out.Before.Named == nil {
			continue
		}
		r.report(d, builder.Problem{Code: OtherNamespace, Node: out.Before.Named,
			Message: fmt.Sprintf("%s is written for namespace %s, and %s puts it into %s", before[0].Name, before[0].Namespace, d.ID, target),
			Related: []builder.Related{{Node: d.TargetNamespace.Node, Message: "by this targetNamespace"}}})
	}
}

// changedTypes reports values that a variable makes a number, a boolean or null of where
// the API server takes only text.
func (r *review) changedTypes(d *Deployment) {
	for _, out := range d.Outputs {
		if len(out.Uses) == 0 {
			continue
		}
		textual := textFields(out)
		seen := map[*yaml.Node]bool{}
		for _, u := range out.Uses {
			if u.After == nil || seen[u.After] || !textual[u.After] || isText(u.After) {
				continue
			}
			seen[u.After] = true
			r.report(d, builder.Problem{Code: TextBecomesValue, Node: u.Node, Part: u.Span,
				Message: fmt.Sprintf("with its variables substituted this is %s, and the API server accepts only text here", describe(u.After)),
				Help:    fmt.Sprintf("quotes around ${%s} are gone when Flux substitutes it; supply a value with quotes in it, as '\"%s\"'", u.Name, u.After.Value)})
		}
	}
}

func describe(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!null":
		return "null"
	case "!!bool":
		return "the boolean " + n.Value
	}
	return "the number " + n.Value
}

// textFields returns the scalars of a resource that the API server takes for text only.
func textFields(out *Output) map[*yaml.Node]bool {
	found := map[*yaml.Node]bool{}
	kind := out.ID().Kind
	var walk func(n *yaml.Node, textual bool, depth int)
	walk = func(n *yaml.Node, textual bool, depth int) {
		switch n.Kind {
		case yaml.ScalarNode:
			if textual {
				found[n] = true
			}
		case yaml.SequenceNode:
			for _, item := range n.Content {
				walk(item, textual, depth+1)
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				walk(n.Content[i+1], textual || isTextField(kind, n, n.Content[i].Value, depth), depth+1)
			}
		}
	}
	walk(out.Node, false, 0)
	return found
}

func isTextField(kind string, in *yaml.Node, key string, depth int) bool {
	switch key {
	case "annotations", "labels", "matchLabels":
		return depth > 0
	case "data", "stringData":
		return depth == 0 && (kind == "ConfigMap" || kind == "Secret")
	case "args", "command":
		_, image := syntax.Field(in, "image")
		return image != nil
	case "value":
		_, name := syntax.Field(in, "name")
		return name != nil && len(in.Content) == 4 && slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod"}, kind)
	}
	return false
}

// options reports what the options of deployments do not do: patches, images and the like
// that stand in the objects. Those that a parent writes into many have to do something in one.
func (r *review) options() {
	type option struct {
		finding Finding
		silent  bool // in one deployment it does something, or that is not known
	}
	options := map[written]*option{}
	var order []written
	for _, d := range r.set.Deployments {
		idle := map[written]builder.Problem{}
		for _, b := range d.AllBuilds() {
			for _, p := range b.Problems {
				if isIdle(p.Code) && p.Node != nil {
					idle[r.outermost(p.Node)] = p
				}
			}
		}
		for _, at := range r.optionsOf(d) {
			o := options[at]
			if o == nil {
				o = &option{}
				options[at] = o
				order = append(order, at)
			}
			p, isIdle := r.idleAt(idle, at, d)
			if !isIdle || !d.isKnown() {
				o.silent = true
			} else if o.finding.Deployment == nil {
				o.finding = Finding{d, p}
			}
		}
	}
	for _, at := range order {
		if o := options[at]; !o.silent && o.finding.Deployment != nil {
			r.found = append(r.found, o.finding)
		}
	}
}

func isIdle(code builder.Code) bool {
	switch code {
	case problem.PatchNoTarget, problem.PatchNoMatch, problem.PatchNoChange, problem.ImageNoMatch:
		return true
	}
	return false
}

// optionLists are the patches and images that stand in the object of a deployment.
func (d *Deployment) optionLists() []*yaml.Node {
	_, in := syntax.Field(d.Object.Node, "spec")
	holders := []*yaml.Node{in}
	for _, source := range d.Sources {
		_, kustomize := syntax.Field(source.node, "kustomize")
		holders = append(holders, kustomize)
	}
	var lists []*yaml.Node
	for _, holder := range holders {
		for _, field := range []string{"patches", "images", "patchesStrategicMerge", "patchesJson6902"} {
			if _, list := syntax.Field(holder, field); list != nil && list.Kind == yaml.SequenceNode {
				lists = append(lists, list)
			}
		}
	}
	return lists
}

// optionsOf returns where the patches and images of a deployment are written.
func (r *review) optionsOf(d *Deployment) []written {
	var at []written
	for _, list := range d.optionLists() {
		for _, entry := range list.Content {
			if entry.Line != 0 {
				at = append(at, writtenAt(entry))
			}
		}
	}
	return at
}

// idleAt returns the problem of an entry: at the entry itself or at something in it.
func (r *review) idleAt(idle map[written]builder.Problem, at written, d *Deployment) (found builder.Problem, ok bool) {
	if len(idle) == 0 {
		return found, false
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if p, has := idle[writtenAt(n)]; has && !ok {
			found, ok = p, true
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	for _, list := range d.optionLists() {
		for _, entry := range list.Content {
			if writtenAt(entry) == at {
				walk(entry)
			}
		}
	}
	return found, ok
}

// outermost returns where the scalar stands that holds the document of a node, or the
// node itself where it stands in none that an object holds.
func (r *review) outermost(n *yaml.Node) written {
	at := n
	file, _, _ := syntax.Place(at)
	if source := r.table.Source(file); source != nil && source.Host() != nil {
		return writtenAt(source.Host())
	}
	return writtenAt(at)
}

// lost reports entries of an object's options that are not in it any more once its parent
// has rendered it: a patch of an object that is no kind of Kubernetes replaces lists whole.
func (r *review) lost() {
	byName := map[written]*Deployment{}
	for _, d := range r.set.Deployments {
		if name := nameOf(d); name != nil && name.Line != 0 {
			byName[writtenAt(name)] = d
		}
	}
	for _, object := range r.set.written {
		name := syntax.Lookup(object.Node, "metadata", "name")
		if name == nil || byName[writtenAt(name)] == nil {
			continue
		}
		d := byName[writtenAt(name)]
		if d.Parent == nil {
			continue
		}
		for _, field := range []string{"patches", "components", "images", "dependsOn", "healthChecks"} {
			kept := map[written]bool{}
			if now := syntax.Lookup(d.Object.Node, "spec", field); now != nil {
				for _, entry := range now.Content {
					kept[writtenAt(entry)] = true
				}
			}
			before := syntax.Lookup(object.Node, "spec", field)
			if before == nil || before.Kind != yaml.SequenceNode {
				continue
			}
			for _, entry := range before.Content {
				if !kept[writtenAt(entry)] {
					r.report(d, builder.Problem{Code: OptionLost, Node: entry,
						Message: fmt.Sprintf("this entry of %s has no effect: %s replaces the whole list", field, d.Parent.ID)})
				}
			}
		}
	}
}

// variables reports what is supplied and used by no deployment that it is supplied to.
func (r *review) variables() {
	used := map[written]bool{}
	unused := map[written]Finding{}
	var order []written
	for _, d := range r.set.Deployments {
		for _, v := range d.Variables {
			if v.From != "" || v.Key == nil || v.Key.Line == 0 {
				continue
			}
			at := writtenAt(v.Key)
			if d.used[v.Name] || d.used == nil && !d.isKnown() {
				used[at] = true
			} else if _, has := unused[at]; !has {
				order = append(order, at)
				unused[at] = Finding{d, builder.Problem{Code: UnusedVariable, Node: v.Key, Message: fmt.Sprintf("nothing that %s renders uses ${%s}", d.ID, v.Name)}}
			}
		}
	}
	for _, at := range order {
		if !used[at] {
			r.found = append(r.found, unused[at])
		}
	}
}

// owners reports objects that two deployments of one cluster render.
func (r *review) owners() {
	type object struct{ cluster, remote, id string }
	first := map[object]*Deployment{}
	outputs := map[object]*Output{}
	for _, d := range r.inOrder() {
		for _, out := range d.Outputs {
			id := out.ID()
			at := object{d.Cluster, d.RemoteCluster, id.Group + "/" + id.Kind + "/" + id.Namespace + "/" + id.Name}
			other := first[at]
			if other == nil {
				first[at], outputs[at] = d, out
				continue
			}
			if other == d || out.Before.Node == nil || other.Element.Condition != "" || d.Element.Condition != "" {
				continue
			}
			r.report(d, builder.Problem{Code: TwoOwners, Node: syntax.Lookup(out.Node, "metadata", "name"),
				Message: fmt.Sprintf("%s is deployed by %s and by %s, which take it from each other", out.ID(), other.ID, d.ID),
				Related: []builder.Related{{Node: syntax.Lookup(outputs[at].Node, "metadata", "name"), Message: "deployed by " + other.ID.String()}}})
		}
	}
}

func (r *review) inOrder() []*Deployment {
	return slices.SortedFunc(slices.Values(r.set.Deployments), func(a, b *Deployment) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), compare(a, b))
	})
}
