package builder

import (
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
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
	Edit func(root Root) []Problem
	// Generate makes a kustomization for a folder that has none; nil: such a folder
	// cannot be built.
	Generate func(root Root) []Problem
	// Lenient says that the tool reads the file without regard to fields that kustomize
	// does not know, and writes it anew: they are gone then, and an empty file is none
	// any more.
	Lenient bool
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
func (b *loader) generateRoot(l *Layer) bool {
	o := b.options.Overlay
	if o == nil || o.Generate == nil || l.Parent != nil {
		return false
	}
	if isDir, err := b.files.IsDir(l.Dir); err != nil || !isDir {
		return false
	}
	l.Kustomization = &kustomization.Kustomization{
		Kind:       kustomization.Text{Value: kustomization.KindKustomization},
		APIVersion: kustomization.Text{Value: "kustomize.config.k8s.io/v1beta1"},
	}
	l.Path = filepath.Join(l.Dir, kustomization.FileNames()[0])
	b.reportAll(l, o.Generate(Root{l.Kustomization, l.Dir, b.files, true}))
	b.overlay(l)
	return true
}

// overlay has the options of whoever deploys the root change its kustomization.
func (b *loader) overlay(l *Layer) {
	o := b.options.Overlay
	if o == nil || o.Edit == nil || l.Parent != nil {
		return
	}
	changed := *l.Kustomization
	l.Kustomization = &changed
	b.reportAll(l, o.Edit(Root{&changed, l.Dir, b.files, l.File == 0}))
}

func (b *loader) reportAll(l *Layer, problems []Problem) {
	for _, p := range problems {
		b.report(l, p)
	}
}

// mended returns those mistakes of a kustomization file that are some for the overlay. A
// field that the tool drops was not to bring in anything.
func (b *loader) mended(l *Layer, problems []Problem) []Problem {
	if o := b.options.Overlay; o == nil || !o.Lenient || l.Parent != nil {
		return problems
	}
	l.losesResources, l.losesFields = false, false
	return slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool {
		return p.Code == UnknownField || p.Code == EmptyKustomization
	})
}

// isConfined refuses a path, without symbolic links, outside of the folder that the
// build may read.
func (b *loader) isConfined(real string) error {
	if b.options.Within != "" && !vfs.Below(b.options.Within, real) {
		return &fs.PathError{Op: "read", Path: real, Err: fs.ErrNotExist}
	}
	return nil
}
