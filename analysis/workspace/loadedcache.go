package workspace

import (
	"hash/fnv"
	"io"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// history is a list of changes, the last one first.
type history struct {
	paths  []string
	before *history
	length int
}

// maxHistory is how many changes are remembered.
const maxHistory = 500

func (h *history) after(paths []string) *history {
	if h.length >= maxHistory {
		return &history{}
	}
	return &history{paths: slices.Clone(paths), before: h, length: h.length + 1}
}

// since calls changed for each path that changed since an earlier moment, until it
// returns false. It returns true where it came there.
func (h *history) since(earlier *history, changed func(string) bool) bool {
	for ; h != nil && h != earlier; h = h.before {
		if slices.ContainsFunc(h.paths, func(path string) bool { return !changed(path) }) {
			return false
		}
	}
	return h != nil
}

// loadedCache keeps what was loaded when somebody looked last, for each moment: while
// one goes on typing in a place, nothing of it changes.
type loadedCache struct {
	mutex    sync.Mutex
	byMoment map[builder.Moment]*cachedLoaded
}

type cachedLoaded struct {
	key     loadedKey
	history *history
	loaded  *builder.Loaded
}

// loadedKey is what a moment depends on besides files that are not being edited.
type loadedKey struct {
	file, root string
	// earlier is a hash of what the file says about the steps before the moment.
	earlier uint64
	// broken is true where the file could not be read whole.
	broken bool
}

// show shows what is loaded at a moment: what is kept, where that still holds, else
// what load finds. Where the file is broken and nothing is found, it is what there was
// before it broke.
func (x *loadedCache) show(v *View, moment builder.Moment, key loadedKey, load func(keep func(*builder.Loaded)) error, look func(*builder.Loaded)) error {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	last := x.byMoment[moment]
	if last != nil && last.key == key {
		reads := last.loaded.Reads()
		holds := func(path string) bool { return path == key.file || !reads.Touches(path) }
		if v.history.since(last.history, holds) {
			last.history = v.history
			look(last.loaded)
			return nil
		}
	}
	before := last
	if !key.broken || last == nil || last.key.file != key.file || last.key.root != key.root || last.key.broken {
		delete(x.byMoment, moment)
		before = nil
	}
	seen := false
	err := load(func(loaded *builder.Loaded) {
		if before != nil && len(loaded.Resources()) == 0 {
			return
		}
		seen = true
		look(loaded)
		if loaded.Reads() == nil {
			return
		}
		if x.byMoment == nil {
			x.byMoment = map[builder.Moment]*cachedLoaded{}
		}
		x.byMoment[moment] = &cachedLoaded{key, v.history, loaded}
	})
	if err == nil && !seen && before != nil {
		look(before.loaded)
	}
	return err
}

// laterFields are fields of a kustomization that come into play at a moment or after
// it.
var laterFields = map[builder.Moment][]string{
	transform.BeforeReplacements: {"replacements"},
	transform.BeforeTransformers: {"patches", "patchesStrategicMerge", "patchesJson6902", "namespace", "namePrefix", "nameSuffix",
		"labels", "commonLabels", "commonAnnotations", "replicas", "images", "imageTags", "replacements"},
}

// EarlierFields hashes what a kustomization says, apart from what comes into play
// later only.
func EarlierFields(root *yaml.Node, moment builder.Moment) uint64 {
	hash := fnv.New64a()
	var write func(n *yaml.Node)
	write = func(n *yaml.Node) {
		_, _ = io.WriteString(hash, n.Tag+"\x00"+n.Value+"\x01") // a hash takes everything
		for _, child := range n.Content {
			write(child)
		}
		_, _ = io.WriteString(hash, "\x02")
	}
	if root == nil || root.Kind != yaml.MappingNode {
		return 0
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if name := root.Content[i].Value; name != syntax.StandIn && !slices.Contains(laterFields[moment], name) {
			write(root.Content[i])
			write(root.Content[i+1])
		}
	}
	return hash.Sum64()
}
