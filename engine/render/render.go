// Package render prints resources the way `kustomize build` prints them, byte
// for byte, straight from their nodes.
//
// kustomize sends every resource through four libraries: yaml.v3 encodes the
// node, yaml.v3 decodes that text into maps, encoding/json encodes the maps,
// and sigs.k8s.io/yaml (that is yaml.v2) decodes the JSON and encodes it again
// with sorted keys. This package computes the result of that journey in one
// walk. What the journey does to ordinary text is known exactly and done
// directly; a document that holds something whose fate depends on yaml.v3's
// inner workings (merge keys, explicit tags, comments inside flow collections,
// odd folded text) takes the first half of the journey through yaml.v3 itself
// (roundtrip.go).
//
// The package does not read files, does not know resources from other nodes
// and never changes a node.
package render

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/parallel"

	yaml "go.yaml.in/yaml/v3"
)

// Document appends to dst what kustomize prints for one resource
// (resource.AsYAML of kustomize's api module), ending in a line break, without
// a `---` line. Alias nodes print as their targets.
//
// The error is a *Refusal where kustomize refuses to print the node; dst is
// then returned as it was given.
func Document(dst []byte, n *yaml.Node) ([]byte, error) {
	w := walker{}
	return w.document(dst, n)
}

// Checker finds out of one resource after the other whether it can be printed. The zero
// value is ready; it is for one goroutine.
type Checker struct {
	walker walker
	text   []byte // of the last one; nobody wants it, but its memory
}

// Check returns the error of Document.
func (c *Checker) Check(n *yaml.Node) error {
	text, err := c.walker.document(c.text[:0], n)
	c.text = text
	return err
}

// CheckField tells whether the value of a resource's field can surely be printed, whatever else the resource has.
func (c *Checker) CheckField(key, value *yaml.Node) bool {
	resource := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, value}}
	text, err := c.walker.print(c.text[:0], resource, false)
	c.text = text
	return err == nil && c.walker.aliasNodes == 0
}

// chunkSize is how many resources a worker takes at a time: enough that taking
// costs nothing, few enough that the last chunk does not keep one core busy
// while the others wait.
const chunkSize = 16

// Resources prints resources in their order with `---` lines between them
// (ResMap.AsYaml of kustomize's api module), using all cores. The error is
// ctx's, or the *Refusal of the first resource that kustomize refuses, with
// the resource's Index.
func Resources(ctx context.Context, nodes []*yaml.Node) ([]byte, error) {
	chunks := make([]chunk, (len(nodes)+chunkSize-1)/chunkSize)
	var walkers sync.Pool   // a worker goes on with what it has learnt
	var failed atomic.Int64 // the first resource of the first chunk that is known to fail
	failed.Store(math.MaxInt64)
	parallel.Each(len(nodes), chunkSize, func(first, end int) {
		if int64(first) > failed.Load() {
			return
		}
		w, ok := walkers.Get().(*walker)
		if !ok {
			w = &walker{}
		}
		c := w.chunk(ctx, nodes[first:end], first)
		walkers.Put(w)
		if chunks[first/chunkSize] = c; c.err != nil {
			failed.Store(min(int64(first), failed.Load())) // one that is lost costs time alone
		}
	})
	return join(chunks)
}

// A chunk is the printed form of consecutive resources.
type chunk struct {
	text []byte
	err  error
}

// chunk prints the resources; every one but the very first resource of all
// (index 0) is preceded by its separator.
func (w *walker) chunk(ctx context.Context, nodes []*yaml.Node, first int) chunk {
	// Chunks of one build are much alike, so the last one tells the size.
	text := make([]byte, 0, w.lastSize+w.lastSize/8)
	for i, n := range nodes {
		if err := ctx.Err(); err != nil {
			return chunk{err: err}
		}
		if first+i > 0 {
			text = append(text, "---\n"...)
		}
		var err error
		if text, err = w.document(text, n); err != nil {
			var refusal *Refusal
			if errors.As(err, &refusal) {
				refusal.Index = first + i
			}
			return chunk{err: err}
		}
	}
	w.lastSize = len(text)
	return chunk{text: text}
}

// join concatenates the chunks. All before the first failed one are complete, so the
// error of that one is the first.
func join(chunks []chunk) ([]byte, error) {
	size := 0
	for _, c := range chunks {
		if c.err != nil {
			return nil, c.err
		}
		size += len(c.text)
	}
	if len(chunks) == 1 {
		return chunks[0].text, nil
	}
	out := make([]byte, 0, size)
	for _, c := range chunks {
		out = append(out, c.text...)
	}
	return out, nil
}
