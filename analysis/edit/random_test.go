package edit

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/differential"
	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// randomTrees is the number of trees, buildable how many of them build with kustomize
// at least; most random trees do not, somewhere.
const (
	randomTrees = 60
	buildable   = 50
)

// Random trees are made older: what is new in them is written with the fields of
// years ago, in several styles and with comments everywhere. kustomize must render
// the same of each folder after every file was fixed, and no comment may be lost.
func TestFixKeepsWhatKustomizeRenders(t *testing.T) {
	ctx := context.Background()
	outcomes := map[string]int{}
	builds, tried := 0, 0
	for seed := uint64(0); tried < randomTrees; seed++ {
		tree, _ := differential.Random(seed)
		a := ager{Rand: rand.New(rand.NewPCG(seed, 1))}
		for _, folder := range tree.Kustomizations() {
			name := path.Join(folder, "kustomization.yaml")
			if text, ok := tree[name]; ok {
				tree[name] = a.age(t, tree, folder, text)
			}
		}
		before := renderAll(tree)
		if !slices.Contains(slices.Collect(maps.Values(before)), refused) {
			builds++
		} else if tried-builds >= randomTrees-buildable {
			continue
		}
		tried++
		fixer, err := NewFixer(ctx, vfs.NewSnapshot(vfs.Memory(absolute(tree))), "/", withoutOptions)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range tree.Kustomizations() {
			name := path.Join(folder, "kustomization.yaml")
			fixed, reason, err := fixer.Fix(ctx, "/"+folder)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, folder, err)
			}
			if reason != "" {
				outcomes[reason]++
				continue
			}
			for _, s := range fixed.Steps {
				key := s.Field + " converted"
				if s.Skipped != "" {
					key = s.Field + " skipped"
				}
				if s.Skipped == unknownForm {
					key = s.Field + " not understood"
				}
				outcomes[key]++
			}
			for _, word := range strings.Fields(string(tree[name])) {
				if strings.HasPrefix(word, "comment") && !bytes.Contains(fixed.After, []byte(word)) {
					t.Errorf("seed %d: %s is lost\n%s\n---\n%s", seed, word, tree[name], fixed.After)
				}
			}
			tree[name] = fixed.After
		}
		after := renderAll(tree)
		for folder, was := range before {
			if is := after[folder]; is != was {
				t.Errorf("seed %d: %s renders differently\n%s\n---\n%s\n%s", seed, folder, was, is, tree)
			}
		}
	}
	t.Log(outcomes)
	for _, field := range []string{"bases", "imageTags", "env", "patchesStrategicMerge", "patchesJson6902", "commonLabels"} {
		if outcomes[field+" converted"] == 0 {
			t.Errorf("%s was never converted", field)
		}
	}
}

func absolute(tree differential.Tree) map[string][]byte {
	files := map[string][]byte{}
	for name, text := range tree {
		files["/"+name] = text
	}
	return files
}

const refused = "refused"

// renderAll returns what kustomize renders of each folder, or that it refuses to.
func renderAll(tree differential.Tree) map[string]string {
	fSys := filesys.MakeFsInMemory()
	for name, text := range tree {
		_ = fSys.WriteFile("/"+name, text)
	}
	rendered := map[string]string{}
	for _, folder := range tree.Kustomizations() {
		rendered[folder] = renderOne(fSys, "/"+folder)
	}
	return rendered
}

func renderOne(fSys filesys.FileSystem, folder string) (printed string) {
	defer func() {
		if recover() != nil {
			printed = "panic"
		}
	}()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fSys, folder)
	if err != nil {
		return refused
	}
	text, err := resources.AsYaml()
	if err != nil {
		return refused
	}
	return string(text)
}

// ager writes kustomization files as they were written years ago.
type ager struct {
	*rand.Rand
	comments int
}

func (a *ager) age(t *testing.T, tree differential.Tree, folder string, text []byte) []byte {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return text
	}
	root := doc.Content[0]
	a.move(root, "resources", "bases", func(n *yaml.Node) *yaml.Node {
		if _, isFile := tree[path.Join(folder, n.Value)]; isFile {
			return nil
		}
		return n
	})
	a.move(root, "images", "imageTags", func(n *yaml.Node) *yaml.Node { return n })
	a.move(root, "patches", "patchesStrategicMerge", oldMerge)
	a.move(root, "patches", "patchesJson6902", oldJSONPatch)
	a.oldLabels(root)
	for _, name := range []string{"configMapGenerator", "secretGenerator"} {
		for _, entry := range listOf(root, name) {
			if envs := listOf(entry, "envs"); len(envs) == 1 {
				*valueOf(entry, "envs") = *envs[0]
				keyOf(entry, "envs").Value = "env"
			}
		}
	}
	a.decorate(root)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2 + 2*a.IntN(2))
	if err := encoder.Encode(&doc); err != nil {
		t.Fatal(err)
	}
	aged := out.String()
	if yaml.Unmarshal(out.Bytes(), new(yaml.Node)) != nil {
		return text // yaml.v3 prints some comments so that nobody can read them
	}
	if a.IntN(4) == 0 {
		aged = strings.ReplaceAll(aged, "\n", "\r\n")
	}
	if a.IntN(4) == 0 {
		aged = strings.TrimRight(aged, "\r\n")
	}
	return []byte(aged)
}

// move takes some entries of a list, as the function rewrites them, into an older one.
func (a *ager) move(root *yaml.Node, from, to string, rewrite func(*yaml.Node) *yaml.Node) {
	if a.IntN(3) == 0 || valueOf(root, to) != nil {
		return
	}
	var kept, moved []*yaml.Node
	for _, n := range listOf(root, from) {
		if old := rewrite(n); old != nil && a.IntN(4) > 0 {
			moved = append(moved, old)
		} else {
			kept = append(kept, n)
		}
	}
	if len(moved) == 0 {
		return
	}
	valueOf(root, from).Content = kept
	if len(kept) == 0 && a.IntN(2) == 0 {
		removeKey(root, from)
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: moved}
	a.insert(root, to, list)
}

func (a *ager) insert(root *yaml.Node, name string, value *yaml.Node) {
	at := 2 * a.IntN(len(root.Content)/2+1)
	pair := []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, value}
	root.Content = append(root.Content[:at:at], append(pair, root.Content[at:]...)...)
}

func oldMerge(n *yaml.Node) *yaml.Node {
	if len(n.Content) != 2 || valueOf(n, "path") == nil && valueOf(n, "patch") == nil {
		return nil
	}
	return n.Content[1]
}

func oldJSONPatch(n *yaml.Node) *yaml.Node {
	patch, target := valueOf(n, "patch"), valueOf(n, "target")
	if target == nil || valueOf(target, "name") == nil || valueOf(n, "options") != nil || patch != nil && !strings.Contains(patch.Value, "op") {
		return nil
	}
	return n
}

func (a *ager) oldLabels(root *yaml.Node) {
	for i, entry := range listOf(root, "labels") {
		if pairs := valueOf(entry, "pairs"); pairs != nil && valueOf(root, "commonLabels") == nil && a.IntN(3) > 0 {
			list := valueOf(root, "labels")
			list.Content = append(list.Content[:i:i], list.Content[i+1:]...)
			if len(list.Content) == 0 {
				removeKey(root, "labels")
			}
			a.insert(root, "commonLabels", pairs)
			return
		}
	}
}

// decorate puts comments at fields and entries, and some lists into brackets.
func (a *ager) decorate(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		key.HeadComment = a.comment()
		plain := value.Kind == yaml.SequenceNode
		for _, n := range value.Content {
			plain = plain && n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "\n")
		}
		if plain && a.IntN(3) == 0 {
			value.Style = yaml.FlowStyle
			value.LineComment = a.comment()
			continue
		}
		for _, n := range value.Content {
			n.HeadComment = a.comment()
			if n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "\n") {
				n.LineComment = a.comment()
			}
		}
	}
}

func (a *ager) comment() string {
	if a.IntN(3) > 0 {
		return ""
	}
	a.comments++
	return fmt.Sprintf("# comment%d.", a.comments)
}

func keyOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Kind == yaml.MappingNode && n.Content[i].Value == name {
			return n.Content[i]
		}
	}
	return nil
}

func valueOf(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Kind == yaml.MappingNode && n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func listOf(n *yaml.Node, name string) []*yaml.Node {
	if list := valueOf(n, name); list != nil && list.Kind == yaml.SequenceNode {
		return list.Content
	}
	return nil
}

func removeKey(n *yaml.Node, name string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			return
		}
	}
}
