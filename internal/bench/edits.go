package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/gentree"
)

// editedApps is the size of the tree that is edited: 1,201 resources.
const editedApps = 300

// editing is a file of the tree that somebody types in.
type editing struct {
	name, path string
	// text returns the file's text after so many keystrokes.
	text func(files map[string][]byte, keystroke int) string
}

var editings = []editing{
	{"a patch on 300 resources", gentree.Overlay + "/resources.yaml", func(files map[string][]byte, keystroke int) string {
		return strings.Replace(string(files[gentree.Overlay+"/resources.yaml"]), "cpu: 100m", fmt.Sprintf("cpu: %dm", 100+keystroke), 1)
	}},
	{"a patch on one resource", gentree.Overlay + "/kustomization.yaml", func(files map[string][]byte, keystroke int) string {
		return strings.Replace(string(files[gentree.Overlay+"/kustomization.yaml"]), "patches:\n", fmt.Sprintf(
			"patches:\n- target: {kind: Deployment, name: app-0001}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": %d}]'\n", keystroke), 1)
	}},
	{"a line in the base", "base/app-0001/deployment.yaml", func(files map[string][]byte, keystroke int) string {
		return strings.Replace(string(files["base/app-0001/deployment.yaml"]), "replicas: 2", fmt.Sprintf("replicas: %d", keystroke), 1)
	}},
	{"a prefix of all names", gentree.Overlay + "/kustomization.yaml", func(files map[string][]byte, keystroke int) string {
		return strings.Replace(string(files[gentree.Overlay+"/kustomization.yaml"]), "namePrefix: big-", fmt.Sprintf("namePrefix: big%d-", keystroke), 1)
	}},
}

// measureEdits prints what one keystroke costs where results are kept between edits, and where files alone are.
func measureEdits(ctx context.Context, out io.Writer, rounds int) error {
	fmt.Fprintf(out, "\n## Typing\n\nOne keystroke until the diagnostics of an overlay with %d resources, the median of many, and what the "+
		"heap holds after them beyond what it held when the overlay was opened: with what is kept between edits, and with parsed files alone.\n\n"+
		"| edit | kept | heap | files alone | heap | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: |\n", gentree.Resources(editedApps))
	for _, e := range editings {
		kept, heap, err := e.measure(ctx, rounds, true)
		if err != nil {
			return err
		}
		alone, aloneHeap, err := e.measure(ctx, rounds, false)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %s | %s | %.1f MiB | %s | %.1f MiB | %.1f × |\n", e.name, seconds(kept), heap, seconds(alone), aloneHeap,
			alone.Seconds()/kept.Seconds())
	}
	return nil
}

// measure returns the median time of a keystroke, and the heap that it left behind in MiB.
func (e editing) measure(ctx context.Context, rounds int, keeps bool) (time.Duration, float64, error) {
	const warm = 4 // keystrokes after which the same is kept each time
	files, contents := gentree.Files(editedApps), map[string][]byte{}
	for path, text := range files {
		contents["/"+path] = text
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(contents)))
	if keeps {
		session = session.Remember(100_000)
	}
	options := analysis.Options{Rules: rules.All()}
	target := analysis.Target{Dir: "/" + gentree.Overlay}
	check := func() error {
		_, err := analysis.CheckRoot(ctx, session, target, options)
		return err
	}
	if err := check(); err != nil {
		return 0, 0, err
	}
	opened := heapInUse()
	var times []time.Duration
	for keystroke := range warm + 4*rounds {
		path := "/" + e.path
		before := session.Files()
		session = session.Derive(before.With(path, bytes.Clone([]byte(e.text(files, keystroke)))), path)
		start := time.Now()
		if err := check(); err != nil {
			return 0, 0, err
		}
		if keystroke >= warm {
			times = append(times, time.Since(start))
		}
	}
	heap := float64(heapInUse()-opened) / (1 << 20)
	runtime.KeepAlive(session)
	slices.Sort(times)
	return times[len(times)/2], heap, nil
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
