package builder

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// openRoot opens the kustomization that is built: in a folder, or in a repository
// where dir names one. It returns nil, with the problem reported, where there is
// none.
func (b *loader) openRoot(dir string) *Layer {
	if repository, ok := ParseRepositoryURL(dir); ok {
		l, p := b.tryRepository(nil, kustomization.Text{Value: dir}, repository)
		if l == nil {
			b.report(nil, p)
		}
		return l
	}
	l := &Layer{Dir: filepath.Clean(dir)}
	real, file, err := b.resolve(l.Dir)
	if err != nil || file != "" {
		b.report(nil, Problem{Code: MissingPath, Fatal: true, Message: fmt.Sprintf("%s is not a folder", dir)})
		return nil
	}
	l.Dir = real
	if p, ok := b.readKustomization(l); !ok {
		b.report(l, p)
		return nil
	}
	return l
}

// openFolder opens the kustomization in the folder that an entry of l names. It
// returns nil, with the problem reported, where that is not possible
// (FileLoader.New and KustTarget.accumulateDirectory).
func (b *loader) openFolder(l *Layer, entry kustomization.Text, component bool) *Layer {
	path := entry.Value
	fail := func(p Problem) *Layer {
		p.Fatal, p.Node = true, entry.Node
		b.report(l, p)
		return nil
	}
	if repository, ok := ParseRepositoryURL(path); ok {
		child, p := b.tryRepository(l, entry, repository)
		if child == nil {
			b.report(l, p)
			return nil
		}
		child.Component = component
		return b.checkKind(child, entry, component)
	}
	switch {
	case path == "":
		return fail(Problem{Code: MissingPath, Message: "an empty path names nothing"})
	case filepath.IsAbs(path):
		return fail(Problem{Code: OutsideRoot, Message: fmt.Sprintf("the folder %s is an absolute path", path),
			Help: "write it relative to this file"})
	case hasDotsInSegment(path):
		return fail(Problem{Code: MissingPath, Message: fmt.Sprintf("%q has a path segment with \"..\" in it", path),
			Help: "kustomize refuses such a path; an entry that continues on a wrongly indented line gives one"})
	}
	dir, file, err := b.resolve(filepath.Join(l.Dir, path))
	if err != nil {
		p := b.missing(l, path)
		fail(p)
		if meant := meantPath(p); meant != "" && b.canInclude(l, meant) {
			return b.openFolder(l, kustomization.Text{Value: meant, Node: entry.Node}, component)
		}
		return nil
	}
	if file != "" {
		return fail(Problem{Code: WrongPathType, Message: fmt.Sprintf("%s is a file, not a folder", path)})
	}
	if l.Clone != "" && !vfs.Below(l.Clone, dir) {
		return fail(Problem{Code: OutsideRoot, Message: fmt.Sprintf("%s lies outside the repository that names it", path),
			Help: "kustomize lets a kustomization from a repository include folders of that repository only"})
	}
	for up := range l.included {
		if vfs.Below(dir, up.Dir) {
			b.contextual = true
			return fail(cycle(l, up, dir, path))
		}
	}
	child := &Layer{Dir: dir, Parent: l, Entry: entry.Node, Component: component, Origin: childOrigin(l, path), Clone: l.Clone}
	if p, ok := b.readKustomization(child); !ok {
		return fail(p)
	}
	b.setSchema(child)
	return b.checkKind(child, entry, component)
}

// checkKind refuses a component among the resources and the reverse.
func (b *loader) checkKind(child *Layer, entry kustomization.Text, component bool) *Layer {
	isComponent := child.Kustomization.Kind.Value == kustomization.KindComponent
	p := Problem{Fatal: true, Node: entry.Node}
	switch {
	case component && !isComponent:
		p.Code, p.Message = ResourceAsComponent, fmt.Sprintf("%s is no component but a %s", entry.Value, child.Kustomization.Kind.Value)
		p.Help = "list it under resources"
	case !component && isComponent:
		p.Code, p.Message = ComponentAsResource, entry.Value+" is a component"
		p.Help = "list it under components"
	default:
		return child
	}
	b.report(child.Parent, p)
	return nil
}

func cycle(l, up *Layer, dir, path string) Problem {
	p := Problem{Code: IncludeCycle, Message: fmt.Sprintf("%s leads back to a folder that includes this one", path)}
	if up.Dir != dir {
		p.Message = fmt.Sprintf("%s contains the folder %s, which is being built", path, filepath.Base(up.Dir))
	}
	for at := l; at != nil && at.Entry != nil && at != up; at = at.Parent {
		p.Related = append(p.Related, Related{Node: at.Entry, Message: "included here"})
	}
	return p
}

// hasDotsInSegment finds "a/b..c": kustomize refuses a folder with such a segment
// (hasAmbiguousPathSegment in api/internal/loader).
func hasDotsInSegment(path string) bool {
	for _, part := range strings.Split(filepath.ToSlash(path), "/") {
		if part != "." && part != ".." && strings.Contains(part, "..") {
			return true
		}
	}
	return false
}

// load reads a file that an entry of l names, within the load restriction. It
// returns nil, with the problem reported, where that is not possible
// (FileLoader.Load).
//
// Where the path is probably a misspelling, the file that was meant is returned
// after the report, so that what follows from the mistake is not reported too.
func (b *loader) load(l *Layer, entry *yaml.Node, path string) *vfs.File {
	if isURL(path) {
		f, err := b.remoteFile(path)
		if err != nil {
			b.unfinished = true
			b.report(l, b.remoteProblem(kustomization.Text{Value: path, Node: entry}, err))
		}
		return f
	}
	f, p := b.tryLoad(l, path)
	if f != nil {
		return f
	}
	p.Node = entry
	b.report(l, p)
	if meant := meantPath(p); meant != "" && !b.isFolder(l, meant) {
		f, _ = b.tryLoad(l, meant)
	}
	b.unfinished = b.unfinished || f == nil
	return f
}

// tryLoad is load without the report; the problem is fatal, but for one of a file that
// is not read for want of trust.
func (b *loader) tryLoad(l *Layer, path string) (*vfs.File, Problem) {
	f, p := b.read(l, path)
	switch {
	case p.Code == MissingPath:
		return nil, b.missing(l, path)
	case p.Code == OutsideRoot && !p.Fatal:
		b.lacking = true
	}
	return f, p
}

// read is tryLoad without a look at what was meant: several may read at a time.
func (b *loader) read(l *Layer, path string) (*vfs.File, Problem) {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(l.Dir, path)
	}
	full, p := b.restricted(l, path, full)
	if full == "" {
		return nil, p
	}
	f, err := b.files.ReadFile(full)
	switch {
	case err == nil:
		return f, Problem{}
	case errors.Is(err, fs.ErrNotExist):
		return nil, Problem{Code: MissingPath}
	case errors.Is(err, vfs.ErrTooLarge):
		return nil, Problem{Code: WrongPathType, Fatal: true, Message: fmt.Sprintf("%s is too large to be read", path)}
	}
	return nil, Problem{Code: WrongPathType, Fatal: true, Message: fmt.Sprintf("%s cannot be read as a file", path)}
}

// restricted returns where a file is read, or an empty path with the problem of one that
// may not be read (LoadRestrictorFunc in api/internal/loader).
func (b *loader) restricted(l *Layer, path, full string) (string, Problem) {
	free := b.options.LoadRestrictor == NoRestrictions && l.Clone == ""
	dir, file, err := b.resolve(full)
	switch {
	case err != nil:
		return "", Problem{Code: MissingPath}
	case file == "":
		return "", Problem{Code: WrongPathType, Fatal: true, Message: fmt.Sprintf("%s is a folder, not a file", path)}
	case vfs.Below(l.Dir, dir) || free && b.options.Within != "":
		return filepath.Join(dir, file), Problem{}
	case isSystem(dir):
		return "", Problem{Code: OutsideRoot, Fatal: true, Message: fmt.Sprintf("%s is a file of the operating system, and is never read", path)}
	case free:
		return full, Problem{}
	}
	return "", b.outsideFolder(path)
}

// isSystem is true for folders whose files are no files but say how the machine is, and
// hold secrets of whoever runs kls.
func isSystem(dir string) bool {
	return slices.ContainsFunc([]string{"/proc", "/sys", "/dev"}, func(system string) bool { return vfs.Below(filepath.FromSlash(system), dir) })
}

func (b *loader) outsideFolder(path string) Problem {
	if b.options.LoadRestrictor == NoRestrictionsRefused {
		return Problem{Code: OutsideRoot,
			Message: fmt.Sprintf("%s lies outside this kustomization's folder, and was not read", path),
			Help:    "what depends on it is not checked; that the configuration allows it counts with --trust-config only"}
	}
	return Problem{Code: OutsideRoot, Fatal: true,
		Message: fmt.Sprintf("%s lies outside this kustomization's folder", path),
		Help:    "kustomize reads files only from the folder of the kustomization and below; include the folder that holds it as a base, or build with --load-restrictor LoadRestrictionsNone"}
}

// missing is the problem of a path that names nothing, with the path beside it
// that was probably meant.
func (b *loader) missing(l *Layer, path string) Problem {
	p := Problem{Code: MissingPath, Fatal: true, Message: fmt.Sprintf("%s does not exist", path)}
	if meant := b.nearestPath(l, path); meant != "" {
		p.Help = fmt.Sprintf("did you mean %s?", meant)
		p.Fixes = []Fix{{Title: "Change to " + meant, New: meant}}
	}
	return p
}

// nearestPath looks along the path for the first name that is not there, and
// returns the path with the nearest one in its place, if that leads somewhere.
func (b *loader) nearestPath(l *Layer, path string) string {
	if !b.mayHaveMeant() {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i, part := range parts {
		above := strings.Join(parts[:i], "/")
		if part == "" || part == "." || part == ".." || b.exists(l, strings.Join(parts[:i+1], "/")) {
			continue
		}
		entries, err := b.files.ReadDir(filepath.Clean(join(l.Dir, above)))
		if err != nil {
			return ""
		}
		var names []string
		for _, e := range entries {
			rest := append([]string{e.Name()}, parts[i+1:]...)
			candidate := strings.Join(append(slices.Clone(parts[:i]), rest...), "/")
			switch {
			case slices.Contains(kustomization.FileNames(), e.Name()) || lists(l, candidate):
			case e.Name() == part+".yaml" || e.Name() == part+".yml":
				return candidate
			case len(rest) == 1 || b.exists(l, candidate):
				names = append(names, e.Name())
			}
		}
		near, ok := text.Nearest(part, names)
		if !ok {
			return ""
		}
		return strings.Join(append(append(slices.Clone(parts[:i]), near), parts[i+1:]...), "/")
	}
	return ""
}

func (b *loader) exists(l *Layer, path string) bool {
	_, _, err := b.resolve(join(l.Dir, path))
	return err == nil
}

// lists tells whether the path is an entry of resources or components, and so
// hardly what another entry was meant to be.
func lists(l *Layer, path string) bool {
	if l.Kustomization == nil {
		return false
	}
	same := func(t kustomization.Text) bool { return filepath.Clean(t.Value) == filepath.Clean(path) }
	return slices.ContainsFunc(l.Kustomization.Resources, same) || slices.ContainsFunc(l.Kustomization.Components, same)
}

// meantPath returns the path that a missing one was probably meant to be.
func meantPath(p Problem) string {
	if p.Code == MissingPath && len(p.Fixes) == 1 {
		return p.Fixes[0].New
	}
	return ""
}

// canInclude tells whether the path is a folder with a kustomization file that
// does not lead back here.
func (b *loader) canInclude(l *Layer, path string) bool {
	b.contextual = true
	dir, file, err := b.resolve(join(l.Dir, path))
	if err != nil || file != "" {
		return false
	}
	for up := range l.included {
		if vfs.Below(dir, up.Dir) {
			return false
		}
	}
	for _, name := range kustomization.FileNames() {
		if b.isFile(&Layer{Dir: dir}, name) {
			return true
		}
	}
	return false
}

// resolve returns a path without symbolic links, split into folder and file; file
// is empty for a folder (filesys.CleanedAbs).
func (b *loader) resolve(path string) (dir, file string, err error) {
	real, err := b.files.EvalSymlinks(path)
	if err == nil {
		err = b.isConfined(real)
	}
	if err != nil {
		return "", "", err
	}
	isDir, err := b.files.IsDir(real)
	if err != nil {
		return "", "", err
	}
	if isDir {
		return real, "", nil
	}
	return filepath.Dir(real), filepath.Base(real), nil
}

func (b *loader) isFile(l *Layer, path string) bool {
	_, file, err := b.resolve(join(l.Dir, path))
	return err == nil && file != ""
}

func (b *loader) isFolder(l *Layer, path string) bool {
	_, file, err := b.resolve(join(l.Dir, path))
	return err == nil && file == ""
}
