package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Fixed is what came of one kustomization file.
type Fixed struct {
	Path          string
	Before, After []byte
	Steps         []Step
}

// Step is what became of one deprecated field, or of one var.
type Step struct {
	// Field is the deprecated field, By the one that replaces it. Entry names a var.
	Field, By, Entry string
	// Skipped says why the field was left as it is; empty where it was converted.
	Skipped string
}

// Fixer converts deprecated fields and holds every conversion against the builds
// that the file takes part in. What it converted it takes into account from then
// on, though it writes nothing.
type Fixer struct {
	// Options returns the options of the build of a root.
	Options func(dir string) builder.Options
	// Name shows a folder in a reason.
	Name func(dir string) string
	// Only is the one deprecated field that is converted; empty for all.
	Only string

	tree    *Tree
	session *builder.Session
	// rendered keeps what roots render as long as nothing changes them.
	rendered map[string]rendered
}

// NewFixer returns a fixer for kustomization files at or below a folder, an absolute
// path: builds outside of it are not looked at.
func NewFixer(ctx context.Context, files *vfs.Snapshot, folder string, options func(dir string) builder.Options) (*Fixer, error) {
	tree, err := ReadTree(ctx, files, folder)
	if err != nil {
		return nil, err
	}
	return &Fixer{Options: options, Name: filepath.ToSlash, tree: tree, session: builder.NewSession(files), rendered: map[string]rendered{}}, nil
}

// Fix converts the deprecated fields of the kustomization in a folder. The reason
// says why its file cannot be edited at all. The error is for cancellation, IO and
// our own mistakes.
func (x *Fixer) Fix(ctx context.Context, dir string) (fixed *Fixed, reason string, err error) {
	dir = realPath(x.session.Files(), dir)
	path, reason := Find(x.session.Files(), dir)
	if reason != "" {
		return nil, reason, nil
	}
	read, err := x.session.Files().ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	fixed = &Fixed{Path: path, Before: read.Data, After: read.Data}
	f, reason := Open(path, read.Data)
	if reason != "" {
		return fixed, reason, nil
	}
	for _, c := range Conversions() {
		if !c.InFile(f) || !x.wants(c.Field) {
			continue
		}
		step := Step{Field: c.Field, By: c.By}
		edits, reason := c.Edits(f)
		if step.Skipped = reason; reason == "" {
			if f, step.Skipped, err = x.try(ctx, f, edits, c.Equal); err != nil {
				return nil, "", err
			}
		}
		fixed.Steps = append(fixed.Steps, step)
	}
	if x.wants("vars") {
		steps, after, err := x.fixVars(ctx, f)
		if err != nil {
			return nil, "", err
		}
		f, fixed.Steps = after, append(fixed.Steps, steps...)
	}
	fixed.After = f.text
	return fixed, "", nil
}

func (x *Fixer) wants(field string) bool { return x.Only == "" || x.Only == field }

// try makes the edits where no build comes out differently, and returns the file
// that is then valid.
func (x *Fixer) try(ctx context.Context, f *File, edits []text.Edit, equal bool) (*File, string, error) {
	after, reason := f.apply(edits)
	if reason != "" {
		return f, reason, nil
	}
	if !equal {
		if reason, err := x.differs(ctx, after); reason != "" || err != nil {
			return f, reason, err
		}
	}
	x.session = x.with(after)
	return after, "", nil
}

func (x *Fixer) with(f *File) *builder.Session {
	return x.session.Derive(x.session.Files().With(f.path, f.text))
}

// differs builds all roots that the file takes part in with and without the change,
// and returns the reason why the change must not be made, if there is one.
func (x *Fixer) differs(ctx context.Context, after *File) (reason string, err error) {
	dir := filepath.Dir(after.path)
	roots := x.tree.Roots(dir)
	if len(roots) == 0 {
		return "no kustomization that was looked at includes this component", nil
	}
	changed := x.with(after)
	for _, root := range roots {
		was, err := x.render(ctx, root)
		if err != nil {
			return "", err
		}
		if was.undecided != "" {
			return fmt.Sprintf("%s %s, so that the result cannot be compared", x.Name(root), was.undecided), nil
		}
		is, err := renderRoot(ctx, changed, root, x.Options(root))
		switch {
		case err != nil:
			return "", err
		case is.undecided != "":
			return fmt.Sprintf("%s would no longer build", x.Name(root)), nil
		case !bytes.Equal(was.output, is.output):
			return fmt.Sprintf("%s would render differently: %s", x.Name(root), firstDifference(was.output, is.output)), nil
		}
	}
	return "", nil
}

// rendered is what a root renders, or why that is not known.
type rendered struct {
	output    []byte
	undecided string
}

func (x *Fixer) render(ctx context.Context, root string) (rendered, error) {
	if known, ok := x.rendered[root]; ok {
		return known, nil
	}
	made, err := renderRoot(ctx, x.session, root, x.Options(root))
	if err == nil {
		x.rendered[root] = made
	}
	return made, err
}

func renderRoot(ctx context.Context, session *builder.Session, root string, options builder.Options) (rendered, error) {
	result, err := session.Build(ctx, root, options)
	switch {
	case err != nil:
		return rendered{}, err
	case result.Failed():
		return rendered{undecided: doesNotBuild}, nil
	case result.Unknown:
		return rendered{undecided: "needs what kls does not load or run"}, nil
	}
	output, err := result.YAML(ctx)
	if refusal := (*render.Refusal)(nil); errors.As(err, &refusal) {
		return rendered{undecided: doesNotBuild}, nil
	}
	return rendered{output: output}, err
}

// firstDifference shows the first line that two texts do not share.
func firstDifference(was, is []byte) string {
	a, b := strings.Split(string(was), "\n"), strings.Split(string(is), "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	switch {
	case i >= len(a):
		return fmt.Sprintf("a line %d, %q, would be added", i+1, b[i])
	case i >= len(b):
		return fmt.Sprintf("line %d, %q, would be missing", i+1, a[i])
	}
	return fmt.Sprintf("line %d would be %q and not %q", i+1, b[i], a[i])
}
