package transform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// rewritten are the resources with documents of which a path changes more than it should,
// in order.
type rewritten struct {
	path    trace.TargetPath
	format  fieldpath.Format
	changed fieldpath.Reformatting
	damaged fieldpath.Damage
	in      []*resource.Resource
}

// noteDocuments notes what writing a path did to the documents of a resource.
func (w *targetWrite) noteDocuments(path trace.TargetPath, x *resource.Resource, outcome fieldpath.Outcome) {
	for _, d := range outcome.Documents {
		if d.Reformatted == 0 && d.Damaged == 0 {
			continue
		}
		at := slices.IndexFunc(w.rewritten, func(r rewritten) bool {
			return r.path.Text == path.Text && r.format == d.Format && r.changed == d.Reformatted && r.damaged == d.Damaged
		})
		if at < 0 {
			at = len(w.rewritten)
			w.rewritten = append(w.rewritten, rewritten{path: path, format: d.Format, changed: d.Reformatted, damaged: d.Damaged})
		}
		w.rewritten[at].in = append(w.rewritten[at].in, x)
	}
}

// reportDocuments reports what noteDocuments noted, once for all resources to which the
// same was done.
func (w *targetWrite) reportDocuments() {
	for _, r := range w.rewritten {
		if r.damaged != 0 {
			w.b.Report(w.layer, problem.Problem{Code: problem.ReplacementDamages, Node: r.path.Text.Node, Message: "writing into " + r.documents() + " does damage: " + advice.Damaged(r.damaged)})
		}
		if r.changed != 0 {
			w.b.Report(w.layer, problem.Problem{Code: problem.ReplacementReformats, Node: r.path.Text.Node,
				Message: fmt.Sprintf("writing into %s %s", r.documents(), advice.Reformatted(r.changed, len(r.in) > 1))})
		}
	}
}

// documents names the documents that were rewritten.
func (r *rewritten) documents() string {
	switch n := len(r.in); n {
	case 1:
		return fmt.Sprintf("the %s document of %s", r.format, r.in[0].ID())
	case 2:
		return fmt.Sprintf("the %s documents of %s and %s", r.format, r.in[0].ID(), r.in[1].ID())
	default:
		return fmt.Sprintf("the %s documents of %s, %s and %d more", r.format, r.in[0].ID(), r.in[1].ID(), n-2)
	}
}

// writeTargets writes the value into resources.
func (b *Transformer) writeTargets(l *trace.Layer, acc *accumulator.Accumulator, r *kustomization.Replacement, t *kustomization.ReplacementTarget, source *resource.Resource, targets []*resource.Resource, value *yaml.Node, paths []trace.TargetPath) {
	w := targetWrite{b: b, layer: l, acc: acc, entry: r, target: t, value: value, paths: paths}
	// One after the other where somebody is told of single steps, and where the value
	// may change with what is written.
	inOrder := b.Options.Recorder != nil || slices.Contains(targets, source)
	if !inOrder {
		w.key = w.keyOf()
	}
	for len(targets) > 0 && !b.Stopped() && !b.Budget.Exceeded() {
		if inOrder {
			after := b.Record(trace.Step{Layer: l, Transformer: "ReplacementTransformer", Entry: r.Node}, targets[0])
			w.write(targets[:1])
			after()
			targets = targets[1:]
			continue
		}
		block := targets[:min(len(targets), maxWriteBlock)]
		w.write(block)
		targets = targets[len(block):]
	}
	w.reportDocuments()
	if b.Budget.Exceeded() {
		b.OverBudget(l, acc, r.Node)
	}
}

// maxWriteBlock is into how many resources a value is written before it is reported
// what came of it.
const maxWriteBlock = 1024

// targetWrite is what is written to the resources that a target selects.
type targetWrite struct {
	b      *Transformer
	layer  *trace.Layer
	acc    *accumulator.Accumulator
	entry  *kustomization.Replacement
	target *kustomization.ReplacementTarget
	value  *yaml.Node
	paths  []trace.TargetPath
	key    memo.StepKey // of nothing where nothing is to be remembered

	rewritten []rewritten
}

// write writes to the resources on all cores, and then reports what came of it.
func (w *targetWrite) write(targets []*resource.Resource) {
	options := w.b.PathOptions(w.target.Options)
	options.Cause = w.entry.Node
	nodes, bytes := syntax.Weigh(w.value)
	options.Allows = func() bool { return w.b.Budget.Charge(nodes, bytes) }
	outcomes := make([][]fieldpath.Outcome, len(targets))
	w.b.Each(targets, memo.Work{Step: trace.Step{Layer: w.layer, Transformer: "ReplacementTransformer", Entry: w.entry.Node}, Key: w.key, Copies: memo.NothingOwned,
		Prepare: func(i int, r *resource.Resource) {
			r.Change(func(e *resource.Edit) {
				for _, path := range w.paths {
					e.CopyAhead(load.FieldOfPath(path.Path))
					outcomes[i] = append(outcomes[i], fieldpath.Write(e.Node, path.Path, w.value, options))
				}
			})
		},
		Change: func(i int, _ *resource.Resource) (any, bool) {
			if w.b.Steps == nil {
				return nil, false
			}
			failed := slices.ContainsFunc(outcomes[i], func(o fieldpath.Outcome) bool { return o.Failure != nil })
			return advice.Gists(outcomes[i]), !failed && !w.b.Budget.Exceeded()
		},
		Found: func(i int, r *resource.Resource, found any) {
			if outcomes[i] == nil {
				outcomes[i] = found.([]fieldpath.Outcome)
			}
			w.report(r, outcomes[i])
		},
	})
}

// keyOf says what is written to a resource: the entry's other fields say to which.
func (w *targetWrite) keyOf() memo.StepKey {
	var details strings.Builder
	if o := w.target.Options; o != nil {
		fmt.Fprintf(&details, "%q %d %t", o.Delimiter.Value, o.Index, o.Create)
	}
	for _, path := range w.paths {
		fmt.Fprintf(&details, " %q", path.Text.Value)
	}
	return memo.StepKey{Transformer: "ReplacementTransformer", Details: details.String(), Content: []*yaml.Node{w.value}, Cause: w.entry.Node}
}

func (w *targetWrite) report(r *resource.Resource, outcomes []fieldpath.Outcome) {
	changed, problems := false, len(w.b.Problems)
	for i, path := range w.paths {
		w.b.ReportWrite(w.layer, w.acc, path, w.target, r, outcomes[i])
		if w.b.Options.Analyze {
			w.noteDocuments(path, r, outcomes[i])
		}
		changed = changed || outcomes[i].Changed
	}
	if w.b.Options.Analyze {
		w.b.NoteEffect(w.entry.Node, changed || len(w.b.Problems) > problems)
	}
}
