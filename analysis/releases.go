package analysis

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// behaviors are what an older release refuses, or does not do, though all fields
// of it exist: the first release that has it, and what to call it. The releases
// of fields are in kustomization.Field.
var behaviors = map[builder.Feature]struct{ since, what string }{
	// kustomize pull request 5679, in api v0.21.0. Before, the path is not found.
	trace.TargetDrillDown: {"5.8.0", "a target's path that goes on inside a string"},
	// setValueInStructuredData takes the options from api v0.21.2 on. Before,
	// delimiter and index are ignored there, and the whole string is replaced.
	trace.TargetDrillDownOptions: {"5.8.2", "a delimiter for a target inside a string"},
	// PatchTransformer keeps a list of patches from api v0.15.0 on. Before, "Multiple
	// Strategic-Merge Patches in one `patches` entry is not allowed".
	trace.SeveralPatches: {"5.2.0", "several patches in one entry"},
	// The replacement filter asks for wildcards itself up to api v0.12.1: "cannot
	// support create option in a multi-value target".
	trace.CreateWithWildcard: {"5.0.0", "create with a * in the path"},
}

// judgeByRelease answers for the release of kustomize that renders the root, if one
// is said: what only kls has makes the root fail, and so does what came after it.
func (c *checker) judgeByRelease(dir string, result *builder.Result, problems []builder.Problem) []builder.Problem {
	if c.options.Config == nil {
		return problems
	}
	used, ok := config.ParseRelease(c.options.Config.For(dir).Kustomize)
	if !ok {
		return problems
	}
	for i := range problems {
		problems[i].Fatal = problems[i].Fatal || problems[i].Beyond
	}
	return append(problems, newerThan(used, result)...)
}

// newerThan returns a problem for each use of what came after a release.
func newerThan(used config.Release, result *builder.Result) []builder.Problem {
	var found []builder.Problem
	pass := Pass{Result: result}
	for _, l := range pass.Layers() {
		w := fieldWalker{used: used, layer: l}
		if l.Kustomization != nil {
			w.mapping(l.Kustomization.Node, kustomization.Fields())
		}
		found = append(found, w.found...)
		for _, use := range l.Facts.Features {
			b := behaviors[use.Feature]
			if isNewer(b.since, used) {
				found = append(found, newer(l, use.Node, b.what, b.since, used))
			}
		}
	}
	return found
}

func isNewer(since string, used config.Release) bool {
	first, ok := config.ParseRelease(since)
	return ok && used.Before(first)
}

func newer(l *builder.Layer, n *yaml.Node, what, since string, used config.Release) builder.Problem {
	return builder.Problem{Code: problem.NotInKustomize, Fatal: true, Beyond: true, Node: n, Layer: l,
		Message: fmt.Sprintf("%s came with kustomize %s", what, since),
		Help:    fmt.Sprintf("the configuration says that kustomize %s renders this", used)}
}

// fieldWalker finds the fields of a kustomization file that came after a release.
type fieldWalker struct {
	used  config.Release
	layer *builder.Layer
	found []builder.Problem
}

func (w *fieldWalker) mapping(n *yaml.Node, s *kustomization.Struct) {
	if n == nil || n.Kind != yaml.MappingNode || s == nil {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		f, _ := s.Field(key.Value)
		if f == nil {
			continue
		}
		if isNewer(f.Since, w.used) {
			w.found = append(w.found, newer(w.layer, key, fmt.Sprintf("%q", f.Name), f.Since, w.used))
			continue
		}
		w.value(value, f)
	}
}

func (w *fieldWalker) value(n *yaml.Node, f *kustomization.Field) {
	switch {
	case n.Kind == yaml.SequenceNode && f.Type == kustomization.TypeList:
		for _, item := range n.Content {
			w.mapping(item, f.Struct)
		}
	case f.Type == kustomization.TypeObject:
		w.mapping(n, f.Struct)
	}
}
