// Package annotate says what editors show between the lines and words of a file: lenses and
// inlay hints.
package annotate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Lens is what stands above a line. Those that take a build have no title before
// they are resolved.
type Lens struct {
	// Span begins the thing that it is about.
	Span text.Span
	// About says what it tells.
	About LensAbout
	Title string
	// Root and Resource are what is shown when it is chosen: a root's folder and,
	// where it is not empty, a resource of it.
	Root, Resource string
}

// LensAbout is what a lens tells.
type LensAbout string

const (
	// AboutRoot: how much the kustomization renders.
	AboutRoot LensAbout = "root"
	// AboutPreview and AboutGraph lead to the preview and the graph.
	AboutPreview LensAbout = "preview"
	AboutGraph   LensAbout = "graph"
	// AboutDocument: who uses a resource, or what a patch in its own file changes.
	AboutDocument LensAbout = "document"
	// AboutPatch: what an entry of patches changes.
	AboutPatch LensAbout = "patch"
)

// maxLenses bounds the lenses of a file.
const maxLenses = 500

// Lenses returns the lenses of a file; nothing is built for them.
func Lenses(ctx context.Context, v *workspace.View, file string) ([]Lens, error) {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil, nil
	}
	parsed := v.Session().Tree(f)
	if workspace.IsKustomization(file) {
		return kustomizationLenses(ctx, v, file, parsed)
	}
	known, err := v.IsKnown(ctx, file)
	if err != nil || !known {
		return nil, err
	}
	var lenses []Lens
	for _, d := range parsed.Documents {
		span, ok := startOf(v, d.Root)
		if !ok || len(lenses) == maxLenses {
			continue
		}
		if _, kind := syntax.Field(d.Root, "kind"); kind != nil || cursor.IsPatchList(d.Root) {
			lenses = append(lenses, Lens{Span: span, About: AboutDocument})
		}
	}
	return lenses, nil
}

// startOf returns the first bytes of a node that was parsed.
func startOf(v *workspace.View, n *yaml.Node) (text.Span, bool) {
	if n == nil {
		return text.Span{}, false
	}
	id, span := syntax.NodeSpan(v.Session().Table(), n)
	return text.Span{Start: span.Start, End: span.Start}, id != 0
}

func kustomizationLenses(ctx context.Context, v *workspace.View, file string, parsed *syntax.File) ([]Lens, error) {
	roots, err := v.RootsFor(ctx, file)
	if err != nil || roots[filepath.Dir(file)] == nil || len(parsed.Documents) == 0 {
		return nil, err
	}
	root := parsed.Documents[0].Root
	start, _ := startOf(v, root)
	dir := filepath.Dir(file)
	lenses := []Lens{
		{Span: start, About: AboutRoot, Root: dir},
		{Span: start, About: AboutPreview, Title: "Preview", Root: dir},
		{Span: start, About: AboutGraph, Title: "Graph", Root: dir},
	}
	k, _ := kustomization.Read(root)
	var entries []*yaml.Node
	for _, p := range slices.Concat(k.Patches, k.PatchesJSON6902) {
		entries = append(entries, p.Node)
	}
	for _, t := range k.PatchesStrategicMerge {
		entries = append(entries, t.Node)
	}
	for _, n := range entries {
		if span, ok := startOf(v, n); ok && len(lenses) < maxLenses {
			lenses = append(lenses, Lens{Span: span, About: AboutPatch})
		}
	}
	return lenses, nil
}

// ResolveLens finds out the title of a lens of a file.
func ResolveLens(ctx context.Context, v *workspace.View, file string, l Lens) (Lens, error) {
	switch l.About {
	case AboutRoot:
		return resolveRoot(ctx, v, file, l)
	case AboutPatch:
		used, err := v.Scope(ctx, file)
		if err != nil || used == nil {
			return l, err
		}
		l.Root = used.Build.Root.Dir
		// An entry that is not finished has no part in the build.
		l.Title = "changes nothing yet"
		if c, ok := cursor.New(used.Build.Session(), file, l.Span.Start); ok {
			if e := cursor.EntryAt(used, c); e != nil {
				parts := []*yaml.Node{e.Node}
				for _, fact := range e.Patches {
					parts = append(parts, fact.Patch)
				}
				l.Title = changesTitle(used, len(e.Targets()), parts...)
			}
		}
		return l, nil
	case AboutDocument:
		return resolveDocument(ctx, v, file, l)
	}
	return l, nil
}

// changesTitle says what a patch does. What is not known is not said: how much one would
// change that fails, and what there is that was not loaded.
func changesTitle(u *workspace.Scope, targets int, parts ...*yaml.Node) string {
	switch {
	case cursor.FailuresOf(u).Among(parts...):
		return "fails"
	case targets > 0:
		return "changes " + markdown.Quantity(targets, "resource")
	case u.Build.Unknown:
		return "changes nothing that is loaded here"
	}
	return "changes nothing"
}

func resolveRoot(ctx context.Context, v *workspace.View, file string, l Lens) (Lens, error) {
	roots, err := v.RootsFor(ctx, file)
	if err != nil {
		return l, err
	}
	own := roots[filepath.Dir(file)]
	switch {
	case own == nil:
		return l, nil
	case own.Component:
		readers, all, err := v.Readers(ctx, file, maxNames)
		l.Title = "component of " + namesOf(v, readers, all)
		return l, err
	}
	used, err := v.ScopeIn(ctx, own, 0)
	if err != nil || used == nil {
		return l, err
	}
	switch used.Build.Verdict() {
	case analysis.Fails:
		l.Title = "does not build"
	case analysis.Unknown:
		l.Title = markdown.Quantity(len(used.Result.Resources), "resource") + " and what is not loaded here"
	default:
		l.Title = markdown.Quantity(len(used.Result.Resources), "resource")
	}
	if by := deployedTitle(v, used.Result.Root.Dir); by != "" {
		l.Title += ", " + by
	}
	return l, nil
}

// maxLensRoots is in how many roots a lens looks at what becomes of a resource.
const maxLensRoots = 32

// maxNames is how many roots are named one by one.
const maxNames = 3

// namesOf names roots, the first of so many, or counts them where they are many.
func namesOf(v *workspace.View, roots []*workspace.Root, all int) string {
	if all == 0 {
		return "no root"
	}
	if all > maxNames {
		return markdown.Quantity(all, "root")
	}
	var names []string
	for _, r := range roots {
		names = append(names, v.NameOf(r.Dir))
	}
	return strings.Join(names, ", ")
}

// resolveDocument tells of a resource who uses and patches it, and of a patch what it
// changes in the nearest root.
func resolveDocument(ctx context.Context, v *workspace.View, file string, l Lens) (Lens, error) {
	readers, all, err := v.Readers(ctx, file, maxLensRoots)
	if err != nil {
		return l, err
	}
	var users []*workspace.Root
	patches := map[analysis.Place]bool{}
	for _, r := range readers {
		used, err := v.ScopeIn(ctx, r, 0)
		if err != nil {
			return l, err
		}
		if used == nil {
			continue
		}
		n := documentAt(used, file, l.Span.Start)
		if entry, targets := patchedBy(used, n); entry != nil && l.Root == "" {
			l.Title, l.Root = changesTitle(used, targets, entry, n), r.Dir
			return l, nil
		}
		for _, x := range used.Result.Resources {
			if !workspace.SameNode(x.Node, n) {
				continue
			}
			if users = append(users, r); l.Root == "" {
				l.Root, l.Resource = r.Dir, x.ID().String()
			}
			addPatches(used, x, patches)
		}
	}
	switch {
	case len(users) == 0: // they read it, and make nothing of it
		l.Title = "used by " + namesOf(v, readers, all)
	case all > len(readers):
		// What the others patch is not known, and how many they are is.
		l.Title = "used by " + namesOf(v, users, all)
		return l, nil
	default:
		l.Title = "used by " + namesOf(v, users, len(users))
	}
	if len(patches) > 0 {
		l.Title += fmt.Sprintf(" · patched by %d", len(patches))
	}
	return l, nil
}

// documentAt returns the root of the document at an offset of a file.
func documentAt(u *workspace.Scope, file string, offset int) *yaml.Node {
	f, err := u.Build.Session().Files().ReadFile(file)
	if err != nil {
		return nil
	}
	if d := u.Build.Session().Tree(f).DocumentAt(offset); d != nil {
		return d.Root
	}
	return nil
}

// patchedBy returns an entry that applies the document, and to how many resources all
// do; nil where it is no patch.
func patchedBy(u *workspace.Scope, n *yaml.Node) (entry *yaml.Node, targets int) {
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Patches {
			if workspace.SameNode(f.Patch, n) {
				entry, targets = f.Entry, targets+len(f.Targets)
			}
		}
	}
	return entry, targets
}

// addPatches adds the places of the entries of patches and replacements that were
// applied to a resource.
func addPatches(u *workspace.Scope, r *resource.Resource, patches map[analysis.Place]bool) {
	failures := cursor.FailuresOf(u)
	add := func(targets []*resource.Resource, entry *yaml.Node, parts ...*yaml.Node) {
		if !slices.Contains(targets, r) || failures.Among(append(parts, entry)...) {
			return
		}
		if place, ok := u.Place(entry); ok {
			patches[place] = true
		}
	}
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Patches {
			add(f.Targets, f.Entry, f.Patch)
		}
		for _, f := range l.Facts.Replacements {
			add(f.Targets, f.Entry.Node)
		}
	}
}

// deployedTitle says which deployments get the kustomization in a folder; empty for none.
func deployedTitle(v *workspace.View, dir string) string {
	by := v.DeployedBy(dir)
	switch {
	case len(by) == 0:
		return ""
	case len(by) > maxNames:
		return fmt.Sprintf("deployed by %d", len(by))
	}
	var names []string
	for _, d := range by {
		names = append(names, d.ID.String())
	}
	return "deployed by " + strings.Join(names, ", ")
}
