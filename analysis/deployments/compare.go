package deployments

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// Change is what became of a deployment.
type Change struct {
	ID string
	// Change is diff.Added, diff.Removed or diff.Changed.
	Change diff.Change
	// Before and After are the deployment on the two sides; nil where it is not there.
	Before, After *deployment.Deployment
	// Report is what changes in what it gets; nil where that is not known on both sides.
	Report *diff.Report
	// Notes are what follows from the change for the cluster, in sentences.
	Notes []string
}

// Compare says which deployments get something else than before, sorted by ID.
func Compare(before, after *deployment.Set, options diff.Options) ([]Change, error) {
	c := comparison{options: options, owners: map[string]*deployment.Deployment{}}
	for _, d := range after.Deployments {
		for _, out := range d.Outputs {
			c.owners[objectOf(d.Cluster, d, out)] = d
		}
	}
	var changes []Change
	for _, p := range pairs(before, after) {
		change, err := c.compare(p.before, p.after)
		if err != nil {
			return nil, err
		}
		if change != nil {
			changes = append(changes, *change)
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.ID, b.ID) })
	return changes, nil
}

type pair struct{ before, after *deployment.Deployment }

// pairs puts together what has one ID on one cluster, and then what is the only one with
// its ID on both sides: the folder of the cluster has another name.
func pairs(before, after *deployment.Set) []pair {
	type place struct{ id, cluster string }
	at := map[place]*deployment.Deployment{}
	for _, d := range before.Deployments {
		at[place{d.ID.String(), d.Cluster}] = d
	}
	var found []pair
	taken := map[*deployment.Deployment]bool{}
	for _, d := range after.Deployments {
		old := at[place{d.ID.String(), d.Cluster}]
		if olds := before.Find(d.ID.String()); old == nil && len(olds) == 1 && len(after.Find(d.ID.String())) == 1 {
			old = olds[0]
		}
		taken[old] = true
		found = append(found, pair{old, d})
	}
	for _, d := range before.Deployments {
		if !taken[d] {
			found = append(found, pair{d, nil})
		}
	}
	return found
}

type comparison struct {
	options diff.Options
	// owners are the deployments that render an object afterwards.
	owners map[string]*deployment.Deployment
}

// objectOf names an object on a cluster.
func objectOf(cluster string, d *deployment.Deployment, out *deployment.Output) string {
	id := out.ID()
	return cluster + "\n" + d.RemoteCluster + "\n" + id.Group + "\n" + id.Kind + "\n" + id.Namespace + "\n" + id.Name
}

// compare returns nil for what stays as it was.
func (c *comparison) compare(before, after *deployment.Deployment) (*Change, error) {
	change := &Change{Change: diff.Changed, Before: before, After: after}
	switch {
	case before == nil:
		change.ID, change.Change = after.ID.String(), diff.Added
	case after == nil:
		change.ID, change.Change = before.ID.String(), diff.Removed
	default:
		change.ID = after.ID.String()
	}
	if isRendered(before) && isRendered(after) {
		var err error
		if change.Report, err = diff.Compare(resources(before), resources(after), c.options); err != nil {
			return nil, err
		}
	}
	change.Notes = c.notes(change, before, after)
	if change.Change == diff.Changed && before.Verdict == after.Verdict && len(change.Notes) == 0 && isSame(change, before, after) {
		return nil, nil
	}
	return change, nil
}

// isSame tells whether two that are there before and after come to the same, as far as
// that is known.
func isSame(c *Change, before, after *deployment.Deployment) bool {
	if c.Report != nil {
		return len(c.Report.Resources) == 0
	}
	return before.Reason == after.Reason && before.Path.Value == after.Path.Value
}

// isRendered tells whether it is known what is deployed; nothing is by one that is not
// there.
func isRendered(d *deployment.Deployment) bool {
	return d == nil || d.Verdict == deployment.Exact || d.Verdict == deployment.Partial
}

func resources(d *deployment.Deployment) []*resource.Resource {
	if d == nil {
		return nil
	}
	return resourcesOf(d)
}

// notes says what a change means for the cluster that the resources do not show.
func (c *comparison) notes(change *Change, before, after *deployment.Deployment) []string {
	var notes []string
	if before == nil {
		return nil
	}
	if after != nil && before.Verdict != after.Verdict {
		note := fmt.Sprintf("it was %s and is %s now", before.Verdict, after.Verdict)
		if after.Reason != "" {
			note += ": " + after.Reason
		}
		notes = append(notes, note)
	}
	if after != nil && before.Path.Value != after.Path.Value {
		notes = append(notes, fmt.Sprintf("its path was %s and is %s now", before.Path.Value, after.Path.Value))
	}
	if !isRendered(after) {
		return notes
	}
	gone, moved := c.gone(change, before, after)
	if gone > 0 {
		notes = append(notes, fateOf(gone, before, after))
	}
	for _, m := range moved {
		note := fmt.Sprintf("%s deployed by %s now", are(m.count), m.to)
		if before.Prune {
			note += "; until that has taken them over, they may be deleted"
		}
		notes = append(notes, note)
	}
	return notes
}

// fateOf says what becomes on the cluster of objects that a deployment does not render any more.
func fateOf(gone int, before, after *deployment.Deployment) string {
	prune := "prune: true"
	if before.ID.Kind != "Kustomization" {
		prune = "automated pruning"
	}
	switch {
	case after == nil && before.Set != nil:
		return fmt.Sprintf("%s deleted from the cluster with the Application, which the ApplicationSet %s no longer makes", are(gone), before.Set.ID().Name)
	case !before.Prune:
		return fmt.Sprintf("%s on the cluster, since it does not have %s", stay(gone), prune)
	case after == nil:
		return fmt.Sprintf("%s deleted from the cluster, since it had %s", are(gone), prune)
	}
	return fmt.Sprintf("%s deleted from the cluster, since it has %s", are(gone), prune)
}

func are(n int) string {
	if n == 1 {
		return "1 resource is"
	}
	return fmt.Sprintf("%d resources are", n)
}

func stay(n int) string {
	if n == 1 {
		return "1 resource stays"
	}
	return fmt.Sprintf("%d resources stay", n)
}

type movedTo struct {
	to    string
	count int
}

// gone counts the objects that a deployment does not render any more: those that no
// deployment does, and those that another one does. One that has another hash in its name
// is not gone.
func (c *comparison) gone(change *Change, before, after *deployment.Deployment) (gone int, moved []movedTo) {
	renamed := map[string]bool{}
	if change.Report != nil {
		for _, r := range change.Report.Resources {
			renamed[r.Before] = r.After != ""
		}
	}
	cluster := before.Cluster
	if after != nil {
		cluster = after.Cluster
	}
	for _, out := range before.Outputs {
		owner := c.owners[objectOf(cluster, before, out)]
		switch {
		case renamed[out.ID().String()]:
		case owner == nil:
			gone++
		case after == nil || owner.ID != after.ID:
			if i := slices.IndexFunc(moved, func(m movedTo) bool { return m.to == owner.ID.String() }); i >= 0 {
				moved[i].count++
			} else {
				moved = append(moved, movedTo{owner.ID.String(), 1})
			}
		}
	}
	return gone, moved
}

// Touched returns the deployments that read one of some paths, or whose parents do: where
// it is not known what there was before, they may get something else now.
func Touched(set *deployment.Set, paths []string) []*deployment.Deployment {
	reads := func(d *deployment.Deployment) bool {
		return slices.ContainsFunc(paths, d.IsTouched)
	}
	var found []*deployment.Deployment
	for _, d := range set.Deployments {
		for up := d; up != nil; up = up.Parent {
			if reads(up) {
				found = append(found, d)
				break
			}
		}
	}
	return found
}
