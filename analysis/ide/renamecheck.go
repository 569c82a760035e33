package ide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// check builds every root that reads a file of the edit, before and after, and returns
// the reason why the edit must not be made: something else than the name would change.
func (r *renaming) check(ctx context.Context, e *workspace.Edit) (reason string, err error) {
	next, err := e.With(r.view)
	if err != nil {
		return "", err
	}
	var files []string
	for _, edit := range e.Edits {
		files = append(files, edit.File)
	}
	uses, err := scopesOf(ctx, r.view, workspace.AllScopes, files...)
	if err != nil {
		return "", err
	}
	for _, u := range uses {
		dir := u.Build.Root.Dir
		after, err := u.again(ctx, u.Build.Session().Derive(next.Files()), dir)
		if err != nil {
			return "", err
		}
		c := &renameComparison{symbol: r.symbol, before: u.Result, after: after, table: &mentioning{table: u.Build.Session().Table()}}
		if r.symbol.kind == dataKey {
			c.keys = [2]string{r.old, r.new}
		} else {
			c.names = [2]string{r.old, r.new}
		}
		if reason := c.compare(); reason != "" {
			reason = r.view.ShortPath(dir) + ": " + reason
			if len(r.patterns) > 0 {
				reason += fmt.Sprintf("; a pattern names it as well (%s)", r.view.ShowPlace(r.patterns[0]))
			}
			return reason, nil
		}
		if reason, err := unprintable(ctx, u.Result, after); err != nil || reason != "" {
			return reason, err
		}
	}
	return "", nil
}

// unprintable tells of what could be printed before, and could not be any more: a key that
// is read as something else than text, say.
func unprintable(ctx context.Context, before, after *builder.Result) (reason string, err error) {
	problems, err := after.Unprintable(ctx)
	if err != nil || len(problems) == 0 {
		return "", err
	}
	if known, err := before.Unprintable(ctx); err != nil || len(known) > 0 {
		return "", err
	}
	return problems[0].Message, nil
}

// again builds the root of the use in other files.
func (u *scope) again(ctx context.Context, session *builder.Session, dir string) (*builder.Result, error) {
	options := u.View.Options().Of(dir)
	options.Analyze, options.Incomplete = true, u.Build.Root.Component
	return session.Build(ctx, dir, options)
}

// renameComparison holds what a root renders after a change against what it rendered before.
type renameComparison struct {
	symbol        symbol
	before, after *builder.Result
	table         *mentioning // of before
	// names are the own name of the resource, keys its key, before and after; empty
	// for none.
	names, keys [2]string
	// moved is true where files were moved: the origins in annotations may differ.
	moved bool

	// rendered are the names that resources have in the end, before and after, where
	// they differ.
	rendered map[string]string
	partner  map[*resource.Resource]*resource.Resource
}

// compare returns what is not the same; empty where nothing is.
func (c *renameComparison) compare() string {
	if reason := c.problems(); reason != "" {
		return reason
	}
	if reason := c.pair(); reason != "" {
		return reason
	}
	if reason := c.references(); reason != "" {
		return reason
	}
	for _, r := range c.before.Resources {
		if c.moved && r.ID().Group == deployment.FluxGroup {
			continue // its paths change with the folders: deployed.CheckMoved says what comes of that
		}
		if !c.same(r.Node, c.partner[r].Node) {
			return fmt.Sprintf("%s would change beyond the name", r.ID())
		}
	}
	return ""
}

// problems tells of a mistake that was not there before.
func (c *renameComparison) problems() string {
	met := map[builder.Code]int{}
	for _, p := range c.before.Problems {
		met[p.Code]++
	}
	for _, p := range c.after.Problems {
		if met[p.Code]--; met[p.Code] < 0 {
			return p.Message
		}
	}
	if len(c.before.Resources) != len(c.after.Resources) {
		return fmt.Sprintf("there would be %d resources in place of %d", len(c.after.Resources), len(c.before.Resources))
	}
	return ""
}

// pair finds for each resource the one that it becomes.
func (c *renameComparison) pair() string {
	c.rendered, c.partner = map[string]string{}, map[*resource.Resource]*resource.Resource{}
	byID := map[resource.ID][]*resource.Resource{}
	for _, r := range c.after.Resources {
		id := withoutHash(r)
		byID[id] = append(byID[id], r)
	}
	namespace := ""
	for _, r := range c.before.Resources {
		if c.isRenamed(r) && r.ID().Kind == "Namespace" {
			namespace = r.ID().Name
		}
	}
	for _, r := range c.before.Resources {
		id := withoutHash(r)
		// A step may give the name whatever the resource's own is.
		named := id
		if namespace != "" && id.Namespace == namespace {
			named.Namespace = strings.Replace(namespace, c.names[0], c.names[1], 1)
		}
		if before, after, ok := affixes(r, id.Name); ok && c.isRenamed(r) {
			named.Name = before + c.names[1] + after
		}
		if len(byID[named]) > 0 {
			id = named
		}
		if len(byID[id]) == 0 {
			return fmt.Sprintf("%s would no longer be there", r.ID())
		}
		other := byID[id][0]
		byID[id] = byID[id][1:]
		c.partner[r] = other
		if was, is := r.ID().Name, other.ID().Name; was != is {
			c.rendered[was] = is
		}
	}
	return ""
}

// isRenamed tells whether the resource is the one that gets another name.
func (c *renameComparison) isRenamed(r *resource.Resource) bool {
	at, ok := c.table.spotOf(r.Named)
	return ok && c.names[0] != "" && at == c.symbol.spot
}

// withoutHash is the identity before the hash of the contents came to the name.
func withoutHash(r *resource.Resource) resource.ID {
	id := r.ID()
	if n := len(r.Previous); r.NeedsHash && n > 0 {
		id.Name = r.Previous[n-1].Name
	}
	return id
}

// references tells of a name that would mean another resource than before, or none.
func (c *renameComparison) references() string {
	count := func(result *builder.Result, of func(*resource.Resource) *resource.Resource) map[[2]*resource.Resource]int {
		counts := map[[2]*resource.Resource]int{}
		if result.Root != nil {
			for _, f := range result.Root.Facts.References {
				counts[[2]*resource.Resource{of(f.Referrer), of(f.Target)}]++
			}
		}
		return counts
	}
	before := count(c.before, func(r *resource.Resource) *resource.Resource { return c.partner[r] })
	after := count(c.after, func(r *resource.Resource) *resource.Resource { return r })
	for pair, n := range before {
		if pair[0] != nil && pair[1] != nil && after[pair] != n {
			return fmt.Sprintf("%s would no longer refer to %s", pair[0].ID(), pair[1].ID())
		}
	}
	for pair, n := range after {
		if before[pair] < n && slices.Contains(c.after.Resources, pair[0]) && slices.Contains(c.after.Resources, pair[1]) {
			return fmt.Sprintf("%s would refer to %s, and did not before", pair[0].ID(), pair[1].ID())
		}
	}
	return ""
}

// same compares two nodes, apart from the names.
func (c *renameComparison) same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case yaml.MappingNode:
		return c.sameMapping(a, b)
	case yaml.SequenceNode:
		return slices.EqualFunc(a.Content, b.Content, c.same)
	}
	return a.ShortTag() == b.ShortTag() && c.sameText(a.Value, b.Value)
}

// sameMapping compares without regard of the order: some mappings are sorted by key.
func (c *renameComparison) sameMapping(a, b *yaml.Node) bool {
	if len(a.Content) != len(b.Content) {
		return false
	}
	at := make(map[string]int, len(b.Content)/2)
	for i := 0; i+1 < len(b.Content); i += 2 {
		at[b.Content[i].Value] = i
	}
	for i := 0; i+1 < len(a.Content); i += 2 {
		key := a.Content[i].Value
		if c.moved && isOrigin(key) {
			continue
		}
		j, ok := at[key]
		if !ok && c.keys[0] == key && key != "" {
			j, ok = at[c.keys[1]]
		}
		if !ok {
			return false
		}
		if !c.same(a.Content[i+1], b.Content[j+1]) {
			return false
		}
	}
	return true
}

// isOrigin tells of the annotations that name files.
func isOrigin(key string) bool {
	return key == "config.kubernetes.io/origin" || key == "alpha.config.kubernetes.io/transformations"
}

// sameText compares two values: where they differ, one is the other with the new
// names in the places of the old ones.
func (c *renameComparison) sameText(a, b string) bool {
	if a == b || c.rendered[a] == b && b != "" {
		return true
	}
	if c.keys[0] != "" && a == c.keys[0] {
		return b == c.keys[1]
	}
	if c.names[0] == "" && len(c.rendered) == 0 {
		return false
	}
	for was, is := range c.rendered {
		if strings.Contains(a, was) && strings.ReplaceAll(a, was, is) == b {
			return true
		}
	}
	return c.names[0] != "" && strings.ReplaceAll(a, c.names[0], c.names[1]) == b
}
