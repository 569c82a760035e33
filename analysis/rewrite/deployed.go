package rewrite

import (
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Chooser returns the deployment that somebody means.
type Chooser func(*deployment.Set) (*deployment.Deployment, error)

// deployed is what is deployed from a checkout at one moment.
type deployed struct {
	session *builder.Session
	set     *deployment.Set
	of      *deployment.Deployment
}

func find(ctx context.Context, files *vfs.Snapshot, path string, choose Chooser) (*deployed, error) {
	d := &deployed{session: builder.NewSession(files)}
	var err error
	if d.set, err = deployments.Find(ctx, d.session, path, config.New(files), nil); err != nil {
		return nil, err
	}
	d.of, err = choose(d.set)
	return d, err
}

func (d *deployed) rendered() *rendered { return &rendered{d.of.Build, resourcesOf(d.of)} }

func resourcesOf(d *deployment.Deployment) []*resource.Resource {
	list := make([]*resource.Resource, len(d.Outputs))
	for i, out := range d.Outputs {
		list[i] = out.Resource
	}
	return list
}

// PlanDeployed is Plan for what a deployment gets: a variable that supplies the value is changed where it is supplied, and
// so are the options of the deployment; anything else in the kustomization that it deploys. The path lies in the checkout.
// Of the request Root is not used.
func (p *Planner) PlanDeployed(ctx context.Context, path string, choose Chooser, request Request) (*Change, *Refusal, error) {
	change, now, texts := &Change{}, p.files, map[string][]byte{}
	for _, set := range request.Sets {
		before, err := find(ctx, now, path, choose)
		if err != nil {
			return nil, nil, err
		}
		w, refusal := p.beginDeployed(before, now, set)
		if refusal != nil {
			return nil, refusal, nil
		}
		if w.isThere() {
			change.Done = append(change.Done, Done{Address: set.Address})
			continue
		}
		found, others, refusal, err := w.findDeployed(ctx, before, path, choose, request, set)
		if err != nil || refusal != nil {
			return nil, refusal, err
		}
		for path, content := range found.files {
			now = now.With(path, content)
			texts[path] = content
		}
		change.Done = append(change.Done, Done{set.Address, found.how, found.main})
		change.Follows = append(change.Follows, found.proof.follows...)
		change.Others = append(change.Others, others...)
	}
	for path, content := range texts {
		f := File{Path: path, After: content}
		if old, err := p.files.ReadFile(path); err == nil {
			f.Before = old.Data
		}
		change.Files = append(change.Files, f)
	}
	slices.SortFunc(change.Files, func(a, b File) int { return compareText(a.Path, b.Path) })
	return change, nil, nil
}

func (p *Planner) beginDeployed(d *deployed, files *vfs.Snapshot, set Set) (*work, *Refusal) {
	if d.of.Verdict != deployment.Exact || d.of.Build == nil {
		return nil, &Refusal{Address: set.Address, Reason: d.of.ID.String() + " is not known completely: " + d.of.Reason}
	}
	w := &work{Planner: p, files: files, root: d.of.Dir, layer: d.of.Dir, session: d.session, before: d.rendered()}
	index, field, missing := explain.Find(w.before.list, set.Address)
	if missing != nil {
		return nil, &Refusal{Address: set.Address, Reason: missing.Message, Candidates: missing.Candidates}
	}
	t, reason := resolve(index, w.before.list[index], field)
	if reason != "" {
		return nil, &Refusal{Address: set.Address, Reason: reason}
	}
	w.target = t
	if w.value = fit(set, t); w.value == nil && (t.node == nil || t.isIdentity()) {
		return nil, &Refusal{Address: set.Address, Reason: "there is no such value to take away"}
	}
	return w, nil
}

// findDeployed returns the first candidate that is proven in what is deployed, and which other deployments it changes.
func (w *work) findDeployed(ctx context.Context, before *deployed, path string, choose Chooser, request Request, set Set) (*candidate, []Root, *Refusal, error) {
	answer, err := deployments.Explain(ctx, before.session, before.set, before.of, set.Address)
	if err != nil {
		return nil, nil, nil, err
	}
	refusal := &Refusal{Address: set.Address, Reason: "no way to write it could be proven"}
	candidates := w.supplied(before, answer.Explanation)
	inRoot := New(w.files, w.options)
	inRoot.Name = w.Name
	rooted := Request{Root: w.root, Layer: request.Layer, Sets: []Set{set}}
	out := before.of.Outputs[w.target.resource]
	rooted.Sets[0].Address = out.Before.OriginalID().String() + ":" + w.target.field
	if text, ok := w.templated(answer.Explanation); ok {
		rooted.Sets[0].Value, rooted.Sets[0].Text = word(text), text
	}
	planned, refused, err := inRoot.Plan(ctx, rooted)
	switch {
	case err != nil:
		return nil, nil, nil, err
	case refused != nil:
		refusal.Nearest = refused.Reason
	default:
		c := candidate{how: planned.Done[0].How, main: planned.Done[0].File, files: map[string][]byte{}}
		for _, f := range planned.Files {
			c.files[f.Path] = f.After
		}
		candidates = append(candidates, c)
	}
	for _, c := range candidates {
		if len(c.files) == 0 {
			continue
		}
		files := w.files
		for path, content := range c.files {
			files = files.With(path, content)
		}
		after, err := find(ctx, files, path, choose)
		if err != nil || after.of.Verdict != deployment.Exact {
			refusal.Nearest = c.how + " in " + w.name(c.main) + ", but the deployment would not be known completely"
			continue // also one that is gone
		}
		if c.proof = w.judge(after.rendered()); c.proof.kind != proven {
			refusal.Nearest = c.how + " in " + w.name(c.main) + ", but " + c.proof.failure
			continue
		}
		others := otherDeployments(before, after)
		if request.Only && len(others) > 0 {
			refusal.Nearest = c.how + " in " + w.name(c.main) + ", but " + others[0].ID + " would change, too"
			continue
		}
		return &c, others, nil, nil
	}
	return nil, nil, refusal, nil
}

// supplied are the candidates that change a variable where it is supplied, or an option of a deployment.
func (w *work) supplied(d *deployed, e *explain.Explanation) []candidate {
	if e == nil {
		return nil
	}
	var all []candidate
	if n := len(e.Steps); n > 0 && e.Steps[n-1].Transformer == deployments.Substitution {
		if w.value == nil || w.value.Kind != yaml.ScalarNode {
			return nil
		}
		step := e.Steps[n-1]
		for _, v := range step.Variables {
			pre, post, ok := strings.Cut(step.Before.Text(), v.Expression)
			rest, starts := strings.CutPrefix(w.value.Value, pre)
			value, ends := strings.CutSuffix(rest, post)
			if ok && starts && ends && v.Written.Known() {
				all = append(all, w.inPlace("the variable "+v.Name, v.Written, word(value))...)
			}
		}
		return all
	}
	if at := e.Written; w.value != nil && at.Known() && d.set.Writer(d.session, at.File, at.Line) != nil {
		all = append(all, w.inPlace("the option of the deployment", e.Written, w.value)...)
	}
	return all
}

// templated is the value with the variables that are in it now, as far as it has what these supply: the text around them
// changes, and they stay.
func (w *work) templated(e *explain.Explanation) (string, bool) {
	if e == nil || len(e.Steps) == 0 || w.value == nil || w.value.Kind != yaml.ScalarNode {
		return "", false
	}
	step := e.Steps[len(e.Steps)-1]
	if step.Transformer != deployments.Substitution || len(step.Variables) != 1 {
		return "", false
	}
	expression := step.Variables[0].Expression
	pre, post, _ := strings.Cut(step.Before.Text(), expression)
	supplied := strings.TrimSuffix(strings.TrimPrefix(step.After.Text(), pre), post)
	if supplied == "" || !strings.Contains(w.value.Value, supplied) {
		return "", false
	}
	return strings.Replace(w.value.Value, supplied, expression, 1), true
}

// inPlace replaces the scalar at a place.
func (w *work) inPlace(how string, place explain.Place, value *yaml.Node) []candidate {
	content := w.read(place.File)
	if content == nil {
		return nil
	}
	d, way, inner := locate(content, text.NewLines(content).LineColumnToOffset(place.Line, place.Column))
	if d == nil || d.valueSpan(way[len(way)-1].node).Start != inner {
		return nil
	}
	edits, ok := d.replace(way, value)
	if !ok {
		return nil
	}
	after, ok := applied(content, d, edits)
	if !ok {
		return nil
	}
	return []candidate{{how: how, files: map[string][]byte{place.File: after}, main: place.File}}
}

// otherDeployments returns what changes in the other deployments of a checkout.
func otherDeployments(before, after *deployed) []Root {
	var changed []Root
	for _, was := range before.set.Deployments {
		if was == before.of {
			continue
		}
		root := Root{ID: was.ID.String()}
		i := slices.IndexFunc(after.set.Deployments, func(d *deployment.Deployment) bool { return d.ID == was.ID && d.Cluster == was.Cluster })
		if i < 0 {
			root.Unknown = "it would no longer be there"
			changed = append(changed, root)
			continue
		}
		old, now := resourcesOf(was), resourcesOf(after.set.Deployments[i])
		expected := make([]*yaml.Node, len(old))
		for j, r := range old {
			expected[j] = r.Node
		}
		for _, d := range compare(old, expected, now) {
			root.Changes = append(root.Changes, named(old, d))
		}
		if was.Verdict != after.set.Deployments[i].Verdict {
			root.Unknown = after.set.Deployments[i].Reason
		}
		if len(root.Changes) > 0 || root.Unknown != "" {
			changed = append(changed, root)
		}
	}
	return changed
}
