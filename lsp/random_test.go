package lsp_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// forest is a tree in which most files depend on others.
var forest = map[string]string{
	"base/kustomization.yaml":      "resources:\n- deploy.yaml\n- config.yaml\nconfigMapGenerator:\n- name: generated\n  files: [settings.txt]\n",
	"base/deploy.yaml":             shop["base/deploy.yaml"],
	"base/config.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\ndata:\n  host: example.com\n  app.json: '{\"url\": \"x\"}'\n",
	"base/settings.txt":            "größer = 💙\n",
	"component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- path: patch.yaml\n  target: {kind: Deployment}\n",
	"component/patch.yaml":         "- {op: replace, path: /spec/replicas, value: 3}\n",
	"prod/kustomization.yaml":      "resources:\n- ../base\ncomponents:\n- ../component\nreplacements:\n- path: copies.yaml\nimages:\n- name: nginx\n  newTag: '2'\n",
	"prod/copies.yaml":             "source: {kind: ConfigMap, name: config, fieldPath: data.host}\ntargets:\n- select: {name: config}\n  fieldPaths: [data.app\\.json.url]\n",
	"test/kustomization.yaml":      "resources: [../prod]\nnamePrefix: test-\npatchesStrategicMerge:\n- |-\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: web}\n  spec: {paused: true}\n",
}

// pieces are what the random edits put in.
var pieces = []string{"", "", "x", "\n", "  ", "- ", ": ", "'", "\"", "{", "}", "[", "]", "web", "wbe", "config", "kind: Component\n",
	"resources: [../base]\n", "../test", "ä€💙", "#", "---\n", "|", "&a ", "*a", "\t", "\r\n", "namePrefix: a-\n", "data.", "null"}

// TestRandomEdits edits random places of random files. Now and then it waits, and
// what the server found by building only what changed must be what a check of the
// same texts from scratch finds.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	edits, together := 10_000, 50
	if testing.Short() {
		edits = 200
	}
	random := rand.New(rand.NewPCG(7, 11))
	e := open(t, setup{tree: forest})
	tree := maps.Clone(forest)
	names := slices.Sorted(maps.Keys(forest))
	opened := map[string]bool{}
	wrong := 0
	for i := range edits {
		name := names[random.IntN(len(names))]
		switch {
		case !opened[name]:
			e.open(name, tree[name])
			opened[name] = true
		case random.IntN(15) == 0:
			// Most edits break something: back to the beginning, to break something else.
			e.close(name)
			delete(opened, name)
			tree[name] = forest[name]
			continue
		}
		body := tree[name]
		start := random.IntN(len(body) + 1)
		end := min(len(body), start+[]int{0, 0, 0, 1, 3, 12}[random.IntN(6)])
		start, end = runeStart(body, start), runeStart(body, end)
		e.edit(name, start, end, pieces[random.IntN(len(pieces))])
		tree[name] = e.buffers[e.path(name)]
		if i%together == together-1 {
			want := fromScratch(t, tree)
			wrong += len(want)
			e.expect(want...)
		}
	}
	if wrong < edits/together {
		t.Errorf("only %d mistakes were met: the edits break too little", wrong)
	}
	if log := e.log.String(); strings.Contains(log, "goroutine") {
		t.Errorf("something panicked:\n%s", log)
	}
}

// runeStart moves an offset to where a character and no half of a line break begins.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && (s[at]&0xC0 == 0x80 || s[at] == '\n' && s[at-1] == '\r') {
		at--
	}
	return at
}
