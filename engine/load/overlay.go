package load

import (
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Overlay is what somebody else than a kustomization that includes it does to the
// kustomization that is built: a tool that deploys it has options of its own, which it
// writes into the file before it renders it. It is one more layer of the same build, so
// that what it does is traced like the rest.
type Overlay struct {
	// Edit changes the kustomization of the root. It is handed a copy whose lists are
	// shared: they may be appended to and replaced, not written into. What it returns
	// is reported. May be nil.
	Edit func(root Root) []problem.Problem
	// Generate makes a kustomization for a folder that has none; nil: such a folder
	// cannot be built.
	Generate func(root Root) []problem.Problem
	// Lenient says that the tool reads the file without regard to fields that kustomize
	// does not know, and writes it anew: they are gone then, and an empty file is none
	// any more.
	Lenient bool
	// Rewrites says that the tool writes the file anew, so that an empty one is none any more.
	Rewrites bool
	// Library says that the tool uses kustomize as a library, which does not know its
	// own version.
	Library bool
}

// Root is the kustomization that an overlay changes, and where it stands.
type Root struct {
	Kustomization *kustomization.Kustomization
	Dir           string
	Files         vfs.Recording
	// Generated says that there is no kustomization file.
	Generated bool
}

// generateRoot makes the kustomization of a root that has no file for one.
func (b *Loader) generateRoot(l *trace.Layer) bool {
	o := b.Options.Overlay
	if o == nil || o.Generate == nil || l.Parent != nil {
		return false
	}
	if isDir, err := b.Files.IsDir(l.Dir); err != nil || !isDir {
		return false
	}
	l.Kustomization = &kustomization.Kustomization{
		Kind:       kustomization.Text{Value: kustomization.KindKustomization},
		APIVersion: kustomization.Text{Value: "kustomize.config.k8s.io/v1beta1"},
	}
	l.Path = filepath.Join(l.Dir, kustomization.FileNames()[0])
	b.reportAll(l, o.Generate(Root{l.Kustomization, l.Dir, b.Files, true}))
	b.overlay(l)
	return true
}

// overlay has the options of whoever deploys the root change its kustomization.
func (b *Loader) overlay(l *trace.Layer) {
	o := b.Options.Overlay
	if o == nil || o.Edit == nil || l.Parent != nil {
		return
	}
	changed := *l.Kustomization
	l.Kustomization = &changed
	b.reportAll(l, o.Edit(Root{&changed, l.Dir, b.Files, l.File == 0}))
}

func (b *Loader) reportAll(l *trace.Layer, problems []problem.Problem) {
	for _, p := range problems {
		b.Report(l, p)
	}
}

// mended returns those mistakes of a kustomization file that are some for the overlay. A
// field that the tool drops was not to bring in anything.
func (b *Loader) mended(l *trace.Layer, problems []problem.Problem) []problem.Problem {
	o := b.Options.Overlay
	if o == nil || !o.Lenient && !o.Rewrites || l.Parent != nil {
		return problems
	}
	if o.Lenient {
		l.LosesResources, l.LosesFields = false, false
	}
	return slices.DeleteFunc(slices.Clone(problems), func(p problem.Problem) bool {
		return o.Lenient && p.Code == problem.UnknownField || p.Code == problem.EmptyKustomization
	})
}

// isConfined refuses a path, without symbolic links, outside of the folder that the
// build may read.
func (b *Loader) isConfined(real string) error {
	if b.Options.Within != "" && !vfs.Below(b.Options.Within, real) {
		return &fs.PathError{Op: "read", Path: real, Err: fs.ErrNotExist}
	}
	return nil
}
