// Package preview shows what roots render to, where each line of that was written, and
// what becomes of a line.
package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Rendering names a text that a root renders to.
type Rendering struct {
	// Root is the folder of the kustomization.
	Root string
	// Resource is the address of the only resource that is wanted:
	// Kind[.group]/[namespace/]name; empty for all.
	Resource string
	// Incoming leaves out what the kustomization itself changes: what is wanted is
	// what its resources, generators and components bring in.
	Incoming bool
	// Deployment names the deployment of the checkout Root whose output is wanted, as
	// deployments.NameOf does; empty for the kustomization in Root.
	Deployment string
}

// Rendered is a text, and where each line of it was written.
type Rendered struct {
	Rendering
	Verdict analysis.Verdict
	Text    []byte
	// Written has a place for each line of the text; the zero value for what was
	// written nowhere.
	Written []explain.Place

	result *builder.Result
	list   []*resource.Resource // that lines are of
	lines  []renderedLine
}

// renderedLine is what a line shows: a value of a resource, or nothing.
type renderedLine struct {
	resource int // index in list, -1 for none
	value    *yaml.Node
}

// Render renders a root, as far as it can be rendered: mistakes that make it fail
// are told in comments above the rest. It is nil where there is no kustomization.
func Render(ctx context.Context, v *workspace.View, r Rendering) (*Rendered, error) {
	if r.Deployment != "" {
		return renderDeployment(ctx, v, r)
	}
	b, err := builtFor(ctx, v, r)
	if err != nil || b == nil {
		return nil, err
	}
	if known := workspace.Shared[renderings](v).find(b, r); known != nil {
		return known, nil
	}
	result, err := v.TraceApart(ctx, b, optionsOf(v, r))
	if err != nil || result == nil {
		return nil, err
	}
	w := &renderer{Rendered: &Rendered{Rendering: r, result: result, list: result.Resources}, session: b.Session(), lines: map[string]*text.Lines{}}
	w.header(b)
	if err := w.resources(ctx); err != nil {
		return nil, err
	}
	workspace.Shared[renderings](v).add(b, w.Rendered)
	return w.Rendered, nil
}

// builtFor returns what became of the root of a rendering; nil where there is none.
func builtFor(ctx context.Context, v *workspace.View, r Rendering) (*workspace.Build, error) {
	roots, err := v.RootsFor(ctx, r.Root)
	if err != nil {
		return nil, err
	}
	root := roots[r.Root]
	if root == nil {
		return nil, nil
	}
	if !r.Incoming {
		return v.Build(ctx, root)
	}
	return v.BuildApart(ctx, root, optionsOf(v, r))
}

// optionsOf returns the options with which a rendering is built.
func optionsOf(v *workspace.View, r Rendering) analysis.Options {
	options := v.Options()
	if !r.Incoming {
		return options
	}
	options.Build.Incoming = true
	if of := options.BuildOf; of != nil {
		options.BuildOf = func(c config.Build) builder.Options {
			o := of(c)
			o.Incoming = true
			return o
		}
	}
	return options
}

// LineOf returns the 0-based line of the text that comes from a 1-based line of a
// file; false where there is none.
func (r *Rendered) LineOf(file string, line int) (int, bool) {
	at := slices.IndexFunc(r.Written, func(p explain.Place) bool { return p.File == file && p.Line == line })
	return at, at >= 0
}

// renderer writes a rendered text.
type renderer struct {
	*Rendered
	session *builder.Session
	out     bytes.Buffer
	lines   map[string]*text.Lines
}

func (w *renderer) line(s string, written explain.Place, resource int, value *yaml.Node) {
	w.out.WriteString(s)
	w.out.WriteByte('\n')
	w.Written = append(w.Written, written)
	w.Rendered.lines = append(w.Rendered.lines, renderedLine{resource, value})
}

// comment writes lines that are no part of what is rendered.
func (w *renderer) comment(s string, written explain.Place) {
	for line := range strings.SplitSeq(s, "\n") {
		w.line(strings.TrimRight("# "+line, " "), written, -1, nil)
	}
}

// header says why this is not what would be deployed, where it is not.
func (w *renderer) header(b *workspace.Build) {
	switch w.Verdict = b.Verdict(); w.Verdict {
	case analysis.Unknown:
		w.comment("This needs what kls does not load or run while you type: something is missing here.", explain.Place{})
		return
	case analysis.Fails:
	default:
		return
	}
	w.comment("This does not build:", explain.Place{})
	for _, d := range b.Report.Diagnostics {
		if d.Severity != analysis.Error {
			continue
		}
		at := w.placeOf(d.Place)
		message, more, _ := strings.Cut(d.Text(), "\n")
		w.comment(fmt.Sprintf("\n%s:%d:%d: %s [%s]", workspace.RelativeTo(b.Root.Dir, at.File), at.Line, at.Column, message, d.Rule), at)
		if more != "" {
			w.comment("  "+strings.ReplaceAll(more, "\n", "\n  "), at)
		}
	}
	w.comment("\nWhat can be rendered all the same:", explain.Place{})
}

func (w *renderer) placeOf(p analysis.Place) explain.Place {
	lines, ok := w.lines[p.File]
	if !ok {
		lines = text.NewLines(nil)
		if f, err := w.session.Files().ReadFile(p.File); err == nil {
			lines = text.NewLines(f.Data)
		}
		w.lines[p.File] = lines
	}
	line, column := lines.OffsetToLineColumn(p.Span.Start)
	return explain.Place{File: p.File, Line: line, Column: column}
}

// resources writes those that are wanted.
func (w *renderer) resources(ctx context.Context) error {
	list := w.list
	first, end := 0, len(list)
	if w.Resource != "" {
		index, _, missing := explain.Find(list, w.Resource)
		if missing != nil {
			w.comment(missing.Message, explain.Place{})
			for _, candidate := range missing.Candidates {
				w.comment("  "+candidate, explain.Place{})
			}
			w.Text = w.out.Bytes()
			return nil
		}
		first, end = index, index+1
	}
	written, err := w.blame(ctx, list[first:end])
	if err != nil {
		return err
	}
	for i, r := range list[first:end] {
		if i > 0 {
			w.line("---", explain.Place{}, -1, nil)
		}
		if refused := written[i].refused; refused != nil {
			w.comment(fmt.Sprintf("%s cannot be printed: %s", r.ID(), refused.Detail), explain.PlaceOf(w.session.Table(), r.Node))
			continue
		}
		for _, line := range written[i].lines {
			w.line(line.Text, line.Written, first+i, line.Value)
		}
	}
	w.Text = w.out.Bytes()
	return nil
}

// blamed are the lines of one resource, or why it cannot be printed.
type blamed struct {
	lines   []explain.Line
	refused *render.Refusal
}

// blame finds out where the lines of resources were written, on all cores.
func (w *renderer) blame(ctx context.Context, list []*resource.Resource) ([]blamed, error) {
	written := make([]blamed, len(list))
	return written, parallel.Do(ctx, len(list), func(ctx context.Context, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		lines, err := explain.BlameResource(w.session.Table(), w.result, list[i], nil)
		refused := new(render.Refusal)
		if errors.As(err, &refused) {
			written[i].refused = refused
		} else if err != nil {
			return err
		}
		written[i].lines = lines
		return nil
	})
}

// question returns what a 0-based line of the text is about: the address of a
// resource, and of a field of it where there is one.
func (r *Rendered) question(line int) (address string, ok bool) {
	if line < 0 || line >= len(r.lines) || r.lines[line].resource < 0 {
		return "", false
	}
	of := r.list[r.lines[line].resource]
	address = of.ID().String()
	if value := r.lines[line].value; value != nil {
		if field, ok := explain.FieldOf(of.Node, value); ok {
			address += ":" + field
		}
	}
	return address, true
}

// ExplainLine explains what a 0-based line of the text shows; nil where it shows
// nothing of a resource.
func ExplainLine(ctx context.Context, v *workspace.View, r *Rendered, line int) (*explain.Explanation, error) {
	address, ok := r.question(line)
	if !ok {
		return nil, nil
	}
	if r.Deployment != "" && !r.Incoming {
		set, d, err := deploymentOf(ctx, v, r.Rendering)
		if err != nil || d == nil {
			return nil, err
		}
		answer, err := deployments.Explain(ctx, v.Session(), set, d, address)
		if err != nil {
			return nil, err
		}
		return answer.Explanation, nil
	}
	if r.Deployment != "" {
		return nil, nil
	}
	answer, err := explain.Explain(ctx, v.Session(), r.Root, address, optionsOf(v, r.Rendering).Of(r.Root))
	if err != nil {
		return nil, err
	}
	return answer.Explanation, nil
}

// renderings bounds how many rendered texts stay in memory: those that were asked
// for last.
type renderings struct {
	mutex sync.Mutex
	list  []cachedRendering
}

type cachedRendering struct {
	of   *workspace.Build
	text *Rendered
}

const maxRenderings = 4

// find returns a text that was rendered of the same build before. One of an
// incoming build is never found: it is built anew each time.
func (k *renderings) find(b *workspace.Build, r Rendering) *Rendered {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	for _, kept := range k.list {
		if kept.of == b && kept.text.Rendering == r {
			return kept.text
		}
	}
	return nil
}

// add keeps a text, and forgets those of earlier builds of the root.
func (k *renderings) add(b *workspace.Build, r *Rendered) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	same := func(kept cachedRendering) bool {
		return kept.text.Rendering == r.Rendering || kept.of != b && kept.text.Root == r.Root && kept.text.Incoming == r.Incoming
	}
	k.list = append(slices.DeleteFunc(k.list, same), cachedRendering{b, r})
	if len(k.list) > maxRenderings {
		k.list = slices.Delete(k.list, 0, 1)
	}
}
