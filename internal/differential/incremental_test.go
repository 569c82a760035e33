package differential

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// TestIncrementalBuilds edits random trees and builds all kustomizations of them in
// one chain of sessions. Whatever a session took over from earlier builds, what comes
// out must be what a fresh session makes of the same files.
func TestIncrementalBuilds(t *testing.T) {
	trees := uint64(60)
	if testing.Short() {
		trees = 20
	}
	for seed := range trees {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := newEditing(seed)
			for step := range 12 {
				if step > 0 {
					e.edit()
				}
				if !e.compare(t) {
					t.Fatalf("seed %d, step %d, after %s", seed, step, strings.Join(e.log, ", "))
				}
			}
		})
	}
}

// editing is a tree that changes, and the session that follows it.
type editing struct {
	*rand.Rand
	tree, other Tree
	files       *vfs.Snapshot
	session     *builder.Session
	log         []string
	last        string              // the file that was edited last
	texts       map[string][][]byte // what files were before, the newest last
}

func newEditing(seed uint64) *editing {
	e := &editing{Rand: rand.New(rand.NewPCG(seed, 77))}
	e.tree, _ = Random(seed)
	e.other, _ = Random(seed + 1000)
	e.files = vfs.NewSnapshot(vfs.Memory(e.tree.absolute()))
	e.session = builder.NewSession(e.files).Remember(10_000)
	return e
}

func (t Tree) absolute() map[string][]byte {
	files := map[string][]byte{}
	for path, text := range t {
		files["/"+path] = text
	}
	return files
}

// edit changes a file in one of the ways in which people do.
func (e *editing) edit() {
	path := slices.Sorted(maps.Keys(e.tree))[e.IntN(len(e.tree))]
	if e.last != "" && e.IntN(2) == 0 {
		path = e.last // people stay in one file for some time
	}
	e.last = path
	text := string(e.tree[path])
	lines := strings.SplitAfter(text, "\n")
	at := e.IntN(len(lines))
	how := []string{"insert", "remove", "repeat", "word", "swap", "other", "comment", "delete", "back", "back"}[e.IntN(10)]
	switch how {
	case "insert":
		added := []string{"namePrefix: in-\n", "namespace: red\n", "commonLabels: {a: b}\n", "images: [{name: nginx, newTag: \"9\"}]\n", "  x: y\n", "- z\n"}
		lines = slices.Insert(lines, at, added[e.IntN(len(added))])
	case "remove":
		lines = slices.Delete(lines, at, at+1)
	case "repeat":
		lines = slices.Insert(lines, at, lines[at])
	case "word":
		lines[at] = strings.Replace(lines[at], "e", []string{"e", "é", "o", "", " e"}[e.IntN(5)], 1)
	case "swap":
		with := e.IntN(len(lines))
		lines[at], lines[with] = lines[with], lines[at]
	case "comment":
		lines = slices.Insert(lines, at, "# 💙\r\n")
	}
	changed := []byte(strings.Join(lines, ""))
	switch before := e.texts[path]; {
	case how == "back" && len(before) > 0:
		changed = before[max(0, len(before)-1-e.IntN(3))]
	case how == "other" && e.other[path] != nil:
		changed = e.other[path]
	case how == "delete" && e.IntN(3) > 0:
		changed = nil // an empty file
	case how == "delete":
		// Back to what it was at first, where that is known.
		changed = e.other[path]
	}
	if changed == nil {
		changed = []byte{}
	}
	e.log = append(e.log, how+" "+path)
	if e.texts == nil {
		e.texts = map[string][][]byte{}
	}
	e.texts[path] = append(e.texts[path], e.tree[path])
	e.tree[path] = changed
	e.files = e.files.With("/"+path, changed)
	e.session = e.session.Derive(e.files, "/"+path)
}

// compare builds every kustomization in random order and holds it against one that is
// built from scratch.
func (e *editing) compare(t *testing.T) bool {
	folders := e.tree.Kustomizations()
	e.Shuffle(len(folders), func(i, j int) { folders[i], folders[j] = folders[j], folders[i] })
	for _, folder := range folders {
		options := builder.Options{Analyze: e.IntN(4) > 0}
		got := digest(t.Context(), e.session, "/"+folder, options)
		fresh := builder.NewSession(vfs.NewSnapshot(vfs.Memory(e.tree.absolute()))).Remember(10_000)
		want := digest(t.Context(), fresh, "/"+folder, options)
		if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s: from scratch (-), incremental (+)\n%s", folder, diff)
			return false
		}
	}
	return true
}

// digest is all that can be seen of a build, as text.
func digest(ctx context.Context, session *builder.Session, dir string, options builder.Options) string {
	result, err := session.Build(ctx, dir, options)
	if err != nil {
		return err.Error()
	}
	d := &digester{table: session.Table()}
	text, err := result.YAML(ctx)
	d.printf("%s\n%v unknown %v\n", text, err, result.Unknown)
	for _, p := range result.Problems {
		d.problem(p)
	}
	for _, r := range result.Resources {
		d.printf("%s origin %+v state %+v entry %s named %s\n", r.ID(), r.Origin, r.State, d.place(r.Entry), d.place(r.Named))
		d.places(r.Node)
	}
	if result.Root != nil {
		d.layer(result.Root)
	}
	d.explain(ctx, session, dir, result, options)
	return d.String()
}

type digester struct {
	strings.Builder
	table *syntax.Table
}

func (d *digester) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func (d *digester) place(n *yaml.Node) string {
	if n == nil {
		return "nowhere"
	}
	file, span := syntax.NodeSpan(d.table, n)
	_, path, span := d.table.Resolve(file, span)
	return fmt.Sprintf("%s %d-%d", path, span.Start, span.End)
}

func (d *digester) places(n *yaml.Node) {
	d.printf("%s %q\n", d.place(n), n.Value)
	for _, child := range n.Content {
		d.places(child)
	}
}

func (d *digester) problem(p builder.Problem) {
	layer := ""
	if p.Layer != nil {
		layer = p.Layer.Path
	}
	file := ""
	if source := d.table.Source(p.File); source != nil {
		file = source.Path()
	}
	d.printf("problem %s fatal %v beyond %v at %s %v %s %v: %s; %s in %s\n", p.Code, p.Fatal, p.Beyond, d.place(p.Node), p.Part, file, p.Span, p.Message, p.Help, layer)
	for _, related := range p.Related {
		d.printf("  %s %s\n", d.place(related.Node), related.Message)
	}
	for _, fix := range p.Fixes {
		d.printf("  fix %s %v %s %d %v %s\n", fix.Title, fix.Safe, fix.New, fix.Length, fix.Span, d.place(fix.Node))
	}
}

func (d *digester) layer(l *builder.Layer) {
	parent := ""
	if l.Parent != nil {
		parent = l.Parent.Path
	}
	d.printf("layer %s in %s entry %s component %v origin %+v\n", l.Path, parent, d.place(l.Entry), l.Component, l.Origin)
	f := l.Facts
	for _, fact := range f.Patches {
		d.printf("patch %s %s: %s\n", d.place(fact.Entry), d.place(fact.Patch), ids(fact.Targets...))
	}
	for _, fact := range f.Replacements {
		value := ""
		if fact.Value != nil {
			value = fact.Value.Value
		}
		d.printf("replacement %s %q from %s: %s\n", d.place(fact.Entry.Node), value, ids(fact.Source), ids(fact.Targets...))
		for _, selected := range fact.Selected {
			d.printf("  %s\n", ids(selected...))
		}
		for _, rejected := range fact.Rejected {
			d.printf("  rejected %s %s\n", d.place(rejected.Reject.Node), ids(rejected.Resource))
		}
	}
	for _, fact := range f.Images {
		d.printf("image %s: %s\n", fact.Entry.Name.Value, ids(fact.Resources...))
		for i, n := range fact.Nodes {
			d.printf("  %s %s\n", n.Value, d.place(n))
			if i < len(fact.Written) {
				d.printf("  %s %s\n", fact.Written[i].Value, d.place(fact.Written[i]))
			}
		}
	}
	for _, fact := range f.Replicas {
		d.printf("replica %s: %s\n", fact.Entry.Name.Value, ids(fact.Targets...))
	}
	for _, fact := range f.Generators {
		d.printf("generator %s: %s %s %v\n", d.place(fact.Entry.Node), ids(fact.Made), ids(fact.Base), len(fact.Keys))
	}
	for _, fact := range f.Vars {
		d.printf("var %s: %s\n", fact.Var.Name.Value, ids(fact.Source))
	}
	for _, fact := range f.References {
		d.printf("reference %s to %s: %s, was %s\n", ids(fact.Referrer), ids(fact.Target), d.place(fact.Node), fact.Written.Value)
	}
	d.printf("inputs %d features %d\n", len(f.Inputs), len(f.Features))
	for _, included := range f.Included {
		d.printf("included %s %s\n", d.place(included.Entry.Node), included.Path)
		if included.Layer != nil {
			if included.Layer.Parent != l {
				d.printf("the layer has another parent\n")
			}
			d.layer(included.Layer)
		}
	}
}

func ids(resources ...*resource.Resource) string {
	var all []string
	for _, r := range resources {
		if r == nil {
			all = append(all, "none")
			continue
		}
		all = append(all, r.OriginalID().String()+" now "+r.ID().String())
	}
	return strings.Join(all, ", ")
}

// explain asks of the first resources where their names come from.
func (d *digester) explain(ctx context.Context, session *builder.Session, dir string, result *builder.Result, options builder.Options) {
	for _, r := range result.Resources[:min(3, len(result.Resources))] {
		answer, err := explain.Explain(ctx, session, dir, r.ID().String()+":metadata.name", options)
		if err != nil || answer.Explanation == nil {
			d.printf("explain %s: %v\n", r.ID(), err)
			continue
		}
		x := answer.Explanation
		d.printf("explain %s %s: %s, %v, %v, %v\n", x.Resource, x.Field, x.Value.Text(), x.Written, x.Read, x.Included)
		for _, step := range x.Steps {
			d.printf("  %s %v %s %s\n", step.Transformer, step.Place, step.Before.Text(), step.After.Text())
		}
	}
}
