package affected_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// tree has all the ways in which a kustomization can name a file.
func tree() map[string]string {
	return map[string]string{
		"/r/base/kustomization.yaml":  "resources: [a.yaml, sub]\nconfigurations: [conf.yaml]\nreplacements: [{path: repl.yaml}]\n",
		"/r/base/a.yaml":              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n",
		"/r/base/conf.yaml":           "commonLabels: [{path: spec/labels, create: true, kind: ConfigMap}]\n",
		"/r/base/repl.yaml":           "- source: {kind: ConfigMap, name: a, fieldPath: data.k}\n  targets: [{select: {name: s}, fieldPaths: [data.k]}]\n",
		"/r/base/sub/Kustomization":   "resources: [s.yaml]\n",
		"/r/base/sub/s.yaml":          "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata: {k: w}\n",
		"/r/comp/kustomization.yaml":  "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml}]\n",
		"/r/comp/p.yaml":              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {patched: x}\n",
		"/r/one/kustomization.yaml":   "resources: [../base]\ncomponents: [../comp]\ncommonLabels: {a: b}\n",
		"/r/two/kustomization.yaml":   "resources: [../base/sub]\nconfigMapGenerator: [{name: g, files: [k=f.txt], envs: [e.env]}]\n",
		"/r/two/f.txt":                "text",
		"/r/two/e.env":                "A=b\n",
		"/r/three/kustomization.yaml": "resources: [../base/sub]\ntransformers: [t.yaml]\npatchesStrategicMerge: [m.yaml]\npatchesJson6902: [{path: j.yaml, target: {version: v1, kind: ConfigMap, name: s}}]\n",
		"/r/three/t.yaml":             "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\npath: tp.yaml\ntarget: {kind: ConfigMap}\n",
		"/r/three/tp.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: any}\ndata: {t: t}\n",
		"/r/three/m.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata: {m: m}\n",
		"/r/three/j.yaml":             "- {op: add, path: /data/j, value: j}\n",
		"/r/four/kustomization.yaml":  "namePrefix: x-\nresources: [../three]\n",
		"/r/nobody.yaml":              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nobody}\n",
	}
}

var roots = []string{"/r/base", "/r/base/sub", "/r/four", "/r/one", "/r/three", "/r/two"}

// TestFindAgainstKustomize changes files at random and asks kustomize which roots
// render differently: the graph names all of them, and a look at both sides none else.
func TestFindAgainstKustomize(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	differing, spared := 0, 0
	for range 60 {
		before, now := tree(), tree()
		change(random, now)
		want := differingRoots(t, before, now)
		request := requestFor(before, now)
		byGraph := find(t, request)
		for _, dir := range want {
			if !slices.Contains(byGraph, dir) {
				t.Errorf("%s renders differently and is not named\nchanged: %v", dir, request.Files)
			}
		}
		differing, spared = differing+len(want), spared+len(roots)-len(byGraph)
		request.Exact = true
		exact, err := affected.Find(context.Background(), request)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range exact {
			if r.Change == affected.Changed && !slices.Contains(want, r.Dir) {
				t.Errorf("%s renders equal and is named\nchanged: %v", r.Dir, request.Files)
			}
		}
		for _, dir := range want {
			if !slices.ContainsFunc(exact, func(r affected.Root) bool { return r.Dir == dir }) {
				t.Errorf("%s renders differently and is not named exactly\nchanged: %v", dir, request.Files)
			}
		}
	}
	if differing < 30 || spared < 60 {
		t.Errorf("the changes were odd: %d roots differ, %d are spared", differing, spared)
	}
}

// change edits, removes or adds a file or two.
func change(random *rand.Rand, files map[string]string) {
	paths := slices.Sorted(maps.Keys(files))
	for range 1 + random.IntN(2) {
		p := paths[random.IntN(len(paths))]
		switch random.IntN(8) {
		case 0:
			delete(files, p)
		case 1:
			files[p] = "# a comment\n" + files[p]
		case 2:
			files[path.Dir(p)+"/new.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n"
		case 3:
			files[path.Dir(p)+"/kustomization.yml"] = "namePrefix: second-\n"
		default:
			files[p] = strings.NewReplacer("k: v", "k: v2", "k: w", "k: w2", "data: {", "data: {more: yes-please, ", "text", "other",
				"A=b", "A=c", "value: j", "value: jj", "name: x", "name: xx", "namePrefix: x-", "namePrefix: y-", "a: b", "a: c").Replace(files[p])
		}
	}
}

// differingRoots asks kustomize. A root that fails on both sides does not count.
func differingRoots(t *testing.T, before, now map[string]string) []string {
	t.Helper()
	var dirs []string
	for _, dir := range roots {
		old, oldErr := kustomize(t, before, dir)
		current, err := kustomize(t, now, dir)
		hasFile := false
		for _, name := range []string{"/kustomization.yaml", "/kustomization.yml", "/Kustomization"} {
			_, ok := now[dir+name]
			hasFile = hasFile || ok
		}
		if hasFile && (oldErr == nil) != (err == nil) || err == nil && !bytes.Equal(old, current) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func kustomize(t *testing.T, files map[string]string, dir string) ([]byte, error) {
	t.Helper()
	disk := filesys.MakeFsInMemory()
	for p, text := range files {
		if err := disk.WriteFile(p, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, dir)
	if err != nil {
		return nil, err
	}
	return made.AsYaml()
}

func requestFor(before, now map[string]string) affected.Request {
	request := affected.Request{Dir: "/r", Now: side(now), Before: func() (affected.Side, error) { return side(before), nil }}
	paths := maps.Clone(before)
	maps.Copy(paths, now)
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		old, was := before[p]
		current, is := now[p]
		if old != current || was != is {
			request.Files = append(request.Files, affected.File{Path: p, Added: !was, Removed: !is})
		}
	}
	return request
}

func side(files map[string]string) affected.Side {
	memory := map[string][]byte{}
	for p, text := range files {
		memory[p] = []byte(text)
	}
	return affected.Side{Session: builder.NewSession(vfs.NewSnapshot(vfs.Memory(memory)))}
}

func find(t *testing.T, request affected.Request) []string {
	t.Helper()
	found, err := affected.Find(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, r := range found {
		dirs = append(dirs, r.Dir)
	}
	return dirs
}

// TestFindReadsNoResources holds that the graph costs less than a build: it opens
// kustomization files only.
func TestFindReadsNoResources(t *testing.T) {
	files := map[string][]byte{"/r/kustomization.yaml": []byte("resources: [a.yaml, b.yaml]\n"), "/r/a.yaml": []byte("a: b\n"), "/r/b.yaml": []byte("a: b\n")}
	source := opened{vfs.Memory(files)}
	request := affected.Request{Dir: "/r", Files: []affected.File{{Path: "/r/b.yaml"}},
		Now: affected.Side{Session: builder.NewSession(vfs.NewSnapshot(affected.Listing(source)))}}
	if got := find(t, request); fmt.Sprint(got) != "[/r]" {
		t.Errorf("found %v", got)
	}
}

// opened fails for what only a build has to read.
type opened struct{ vfs.Source }

func (o opened) ReadFile(name string) ([]byte, error) {
	if path.Base(name) != "kustomization.yaml" {
		panic(errors.New(name + " was read"))
	}
	return o.Source.ReadFile(name)
}
