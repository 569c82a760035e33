package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
)

// refusal says why no candidate was proven, and what comes nearest.
func (w *work) refusal(ctx context.Context) (*Refusal, error) {
	t := w.target
	address := t.r.ID().String() + ":" + t.field
	refusal := &Refusal{Address: address}
	options := w.options(w.root)
	answer, err := explain.Explain(ctx, w.session, w.root, address, options)
	if err != nil {
		return nil, err
	}
	writer, place := "", explain.Place{}
	if e := answer.Explanation; e != nil {
		place = e.Written
		if n := len(e.Steps); n > 0 {
			writer, place = transformers[e.Steps[n-1].Transformer], e.Steps[n-1].Place
		}
	}
	switch {
	case !place.Known():
		refusal.Reason = "no way to write it in " + w.name(w.layer) + " could be proven"
	case writer != "":
		refusal.Reason = fmt.Sprintf("the value is written by %s in %s:%d", writer, w.name(place.File), place.Line)
	default:
		refusal.Reason = fmt.Sprintf("the value is written in %s:%d", w.name(place.File), place.Line)
	}
	refusal.Nearest = w.nearest(place)
	return refusal, nil
}

// transformers names what kustomize's transformers are configured by.
var transformers = map[string]string{
	"ReplacementTransformer": "a replacement", "PatchTransformer": "a patch", "PatchStrategicMergeTransformer": "a patch",
	"PatchJson6902Transformer": "a patch", "ImageTagTransformer": "images", "ReplicaCountTransformer": "replicas",
	"NamespaceTransformer": "namespace", "PrefixTransformer": "namePrefix", "SuffixTransformer": "nameSuffix",
	"LabelTransformer": "labels", "AnnotationsTransformer": "commonAnnotations", "RefVarTransformer": "vars",
}

// nearest says what comes nearest to what was asked.
func (w *work) nearest(place explain.Place) string {
	if source := w.replaced(); source != "" {
		return "set its source instead: " + source
	}
	if place.Known() && !w.reads(place.File) {
		for _, l := range layersOf(w.before.result.Root) {
			other := &work{layers: []*builder.Layer{l}}
			if other.reads(place.File) && l.Dir != w.layer {
				return "write it there with --layer " + w.name(l.Dir)
			}
		}
	}
	if len(w.tried) == 0 {
		return ""
	}
	best := slices.MinFunc(w.tried, func(a, b attempt) int { return cmp.Compare(a.proof.kind, b.proof.kind) })
	return fmt.Sprintf("%s in %s, but %s", best.how, w.name(best.main), best.proof.failure)
}

// replaced returns the address of the source of the replacement that writes the value; empty where none does.
func (w *work) replaced() string {
	if w.target.node == nil {
		return ""
	}
	for _, l := range layersOf(w.before.result.Root) {
		for _, f := range slices.Backward(l.Facts.Replacements) {
			if f.Source == nil || f.Value == nil || f.Source == w.target.r || !slices.Contains(f.Targets, w.target.r) || f.Value.Value != w.target.node.Value {
				continue
			}
			if f.Entry.Source != nil && slices.Contains(w.before.list, f.Source) {
				field := f.Entry.Source.FieldPath.Value
				if field == "" {
					field = "metadata.name"
				}
				return f.Source.ID().String() + ":" + field
			}
		}
	}
	return ""
}
