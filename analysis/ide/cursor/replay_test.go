package cursor

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// TestSampleIsTheWhole holds, for every entry of all fixtures, that what it does to
// the resources of a sample is what it does to them in the whole build.
func TestSampleIsTheWhole(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	compared := 0
	for _, file := range files {
		f, err := fixture.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		compared += compareSamples(t, file, workspace.New(f.Snapshot(), []string{fixture.Root}, analysis.Options{Rules: rules.All()}))
	}
	if compared < 60 {
		t.Errorf("only %d entries changed anything", compared)
	}
}

func compareSamples(t *testing.T, name string, view *workspace.View) (compared int) {
	ctx := context.Background()
	roots, err := view.Roots(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range workspace.SortedRoots(roots) {
		used, err := view.ScopeIn(ctx, r, 0)
		if err != nil {
			t.Fatal(err)
		}
		if used == nil {
			continue
		}
		for _, e := range allEntries(used) {
			whole, err := watch(ctx, used, e, 2*maxSample, nil)
			if err != nil {
				t.Fatal(err)
			}
			sampled, err := watch(ctx, used, e, 2*maxSample, Sample(used, e))
			if err != nil {
				t.Fatal(err)
			}
			if len(whole.Changes) > 0 {
				compared++
			}
			if len(whole.Changes) > maxSample || !sampled.Applied {
				continue // then the whole is looked at anyway
			}
			if diff := cmp.Diff(shownChanges(whole), shownChanges(sampled)); diff != "" {
				t.Errorf("%s %s: %s: -whole +sample\n%s", name, r.Dir, e.What, diff)
			}
		}
	}
	return compared
}

func shownChanges(o Effect) []string {
	var shown []string
	for _, c := range o.Changes {
		shown = append(shown, fmt.Sprintf("%s\n%s=>\n%s", c.ID, c.Before, c.After))
	}
	return shown
}

// allEntries returns the entries of all layers that change resources.
func allEntries(u *workspace.Scope) []*Entry {
	var entries []*Entry
	for _, l := range workspace.Layers(u.Result) {
		add := func(n *yaml.Node) {
			c := Cursor{Table: u.Build.Session().Table(), File: l.Path}
			c.Steps = append(c.Steps, syntax.Step{Parent: l.Kustomization.Node, Value: n})
			for _, e := range []*Entry{replacementAt(u, l, c), patchAt(u, l, c), transformerAt(u, l, c)} {
				if e != nil {
					entries = append(entries, e)
					return
				}
			}
		}
		for _, f := range l.Facts.Replacements {
			entries = append(entries, &Entry{Layer: l, Node: f.Entry.Node, What: "Replacement", Replacement: f.Entry, Fact: &f})
		}
		for _, list := range [][]*yaml.Node{patchNodes(l), imageNodes(l), wideNodes(l)} {
			for _, n := range list {
				add(n)
			}
		}
	}
	return entries
}

func patchNodes(l *builder.Layer) (nodes []*yaml.Node) {
	for _, f := range l.Facts.Patches {
		nodes = append(nodes, f.Entry)
	}
	return nodes
}

func imageNodes(l *builder.Layer) (nodes []*yaml.Node) {
	for _, f := range l.Facts.Images {
		nodes = append(nodes, f.Entry.Node)
	}
	for _, f := range l.Facts.Replicas {
		nodes = append(nodes, f.Entry.Node)
	}
	for _, f := range l.Facts.Vars {
		nodes = append(nodes, f.Var.Node)
	}
	return nodes
}

func wideNodes(l *builder.Layer) (nodes []*yaml.Node) {
	for _, label := range l.Kustomization.Labels {
		nodes = append(nodes, label.Node)
	}
	for _, wide := range wideFields {
		if _, value := kustomization.FieldNode(l.Kustomization.Node, wide.field); value != nil {
			nodes = append(nodes, value)
		}
	}
	return nodes
}
