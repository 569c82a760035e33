package ide

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// included tells of an entry of resources or components what it brings in.
func (u *scope) included(_ context.Context, c cursor.Cursor) (string, error) {
	for _, l := range u.Layers(c.File) {
		for _, in := range l.Facts.Included {
			if c.At(in.Entry.Node) {
				said := u.describeIncluded(in)
				if at, _ := c.Place(kustomization.Fields()); in.Layer == nil && at.Named("generators", "transformers", "validators") {
					said = u.describePlugins(in, at.Field.Name)
				}
				return strings.Join(markdown.NonEmpty([]string{said, u.where(c)}), "\n\n"), nil
			}
		}
	}
	return "", nil
}

func (u *scope) describeIncluded(in builder.Included) string {
	resources := u.resourcesOf(in)
	what := "Resources"
	switch {
	case in.Layer != nil && in.Layer.Component:
		what = "Component"
	case in.Layer != nil:
		what = "Base"
	}
	said := fmt.Sprintf("**%s** · %s", what, listResources(resources))
	if what == "Component" {
		if changed := changedBy(in.Layer); changed > 0 {
			said += fmt.Sprintf(" · changes %s", markdown.Quantity(changed, "resource"))
		}
	}
	return said
}

// describePlugins names what the configurations of plugins in a file make, or which they
// are where they make nothing.
func (u *scope) describePlugins(in builder.Included, field string) string {
	made := u.resourcesWhere(func(entry *yaml.Node) bool {
		place, ok := u.Place(entry)
		return ok && place.File == in.Path
	})
	if field == "generators" {
		return "**Generators** · " + listResources(made)
	}
	var names []string
	for _, d := range syntax.Parse(u.Build.Session().Table(), in.File).Documents {
		if kind := syntax.FieldText(d.Root, "kind"); kind != "" {
			names = append(names, markdown.InlineCode(kind))
		}
	}
	if len(names) > 2*maxListed {
		names = append(names[:2*maxListed], "…")
	}
	return fmt.Sprintf("**%s** · %s", strings.ToUpper(field[:1])+field[1:], strings.Join(names, ", "))
}

// maxListed is up to how many resources are named one by one.
const maxListed = 4

func listResources(list []*resource.Resource) string {
	if len(list) == 0 {
		return "no resources"
	}
	var names []string
	if len(list) <= maxListed {
		for _, r := range list {
			names = append(names, markdown.InlineCode(r.ID().String()))
		}
		return strings.Join(names, ", ")
	}
	kinds := map[string]int{}
	for _, r := range list {
		kinds[r.ID().Kind]++
	}
	sorted := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(kinds[b]-kinds[a], cmp.Compare(a, b)) })
	for _, kind := range sorted[:min(len(sorted), 2*maxListed)] {
		names = append(names, fmt.Sprintf("%d %s", kinds[kind], text.EscapeMarkdown(kind)))
	}
	if len(sorted) > len(names) {
		names = append(names, "…")
	}
	return fmt.Sprintf("%d resources: %s", len(list), strings.Join(names, ", "))
}

// resourcesOf returns the resources of the result that came in with an entry.
func (u *scope) resourcesOf(in builder.Included) []*resource.Resource {
	if in.Layer == nil {
		return u.resourcesWhere(func(entry *yaml.Node) bool { return workspace.SameNode(entry, in.Entry.Node) })
	}
	files := map[text.FileID]bool{}
	addFiles(in.Layer, files)
	return u.resourcesWhere(func(entry *yaml.Node) bool {
		file, _, _ := syntax.Place(entry)
		return file != 0 && files[file]
	})
}

// resourcesWhere returns the resources that an entry brought in: of one that a
// generator merged with another, also that one's entry.
func (u *scope) resourcesWhere(wanted func(entry *yaml.Node) bool) []*resource.Resource {
	bases := map[*resource.Resource]*resource.Resource{}
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Generators {
			if f.Base != nil {
				bases[f.Made] = f.Base
			}
		}
	}
	var list []*resource.Resource
	for _, r := range u.Result.Resources {
		for from := r; from != nil; from = bases[from] {
			if from.Entry != nil && wanted(from.Entry) {
				list = append(list, r)
				break
			}
		}
	}
	return list
}

// addFiles adds the kustomization files of a layer and of those that it includes.
func addFiles(l *builder.Layer, files map[text.FileID]bool) {
	if files[l.File] {
		return
	}
	files[l.File] = true
	for _, in := range l.Facts.Included {
		if in.Layer != nil {
			addFiles(in.Layer, files)
		}
	}
}

// changedBy returns how many resources the entries of a layer were applied to.
func changedBy(l *builder.Layer) int {
	changed := map[*resource.Resource]bool{}
	add := func(list []*resource.Resource) {
		for _, r := range list {
			changed[r] = true
		}
	}
	for _, f := range l.Facts.Patches {
		add(f.Targets)
	}
	for _, f := range l.Facts.Replacements {
		add(f.Targets)
	}
	for _, f := range l.Facts.Images {
		add(f.Resources)
	}
	for _, f := range l.Facts.Replicas {
		add(f.Targets)
	}
	for _, f := range l.Facts.Generators {
		if f.Base != nil {
			add([]*resource.Resource{f.Made})
		}
	}
	return len(changed)
}
