package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// OpenRoot opens the kustomization that is built: in a folder, or in a repository
// where dir names one. It returns nil, with the problem reported, where there is
// none.
func (b *Loader) OpenRoot(dir string) *trace.Layer {
	if repository, ok := gitrepo.Parse(dir); ok {
		l, p := b.TryRepository(nil, kustomization.Text{Value: dir}, repository)
		if l == nil {
			b.Report(nil, p)
		}
		return l
	}
	l := &trace.Layer{Dir: filepath.Clean(dir)}
	real, file, err := b.resolve(l.Dir)
	if err != nil || file != "" {
		b.Report(nil, problem.Problem{Code: problem.MissingPath, Fatal: true, Message: fmt.Sprintf("%s is not a folder", dir)})
		return nil
	}
	l.Dir = real
	if p, ok := b.readKustomization(l); !ok {
		b.Report(l, p)
		return nil
	}
	return l
}

// OpenFolder opens the kustomization in the folder that an entry of l names. It
// returns nil, with the problem reported, where that is not possible
// (FileLoader.New and KustTarget.accumulateDirectory).
func (b *Loader) OpenFolder(l *trace.Layer, entry kustomization.Text, component bool) *trace.Layer {
	path := entry.Value
	if !b.enter(l, entry.Node, path) {
		return nil
	}
	fail := func(p problem.Problem) *trace.Layer {
		p.Fatal, p.Node = p.Code != problem.BuildLimit, entry.Node
		b.Report(l, p)
		return nil
	}
	if repository, ok := gitrepo.Parse(path); ok {
		child, p := b.TryRepository(l, entry, repository)
		if child == nil {
			b.Report(l, p)
			return nil
		}
		child.Component = component
		return b.CheckKind(child, entry, component)
	}
	switch {
	case path == "":
		return fail(problem.Problem{Code: problem.MissingPath, Message: "an empty path names nothing"})
	case filepath.IsAbs(path):
		return fail(problem.Problem{Code: problem.OutsideRoot, Message: fmt.Sprintf("the folder %s is an absolute path", path),
			Help: "write it relative to this file"})
	case HasDotsInSegment(path):
		return fail(problem.Problem{Code: problem.MissingPath, Message: fmt.Sprintf("%q has a path segment with \"..\" in it", path),
			Help: "kustomize refuses such a path; an entry that continues on a wrongly indented line gives one"})
	}
	dir, file, err := b.resolve(filepath.Join(l.Dir, path))
	if err != nil {
		p := b.missing(l, path)
		fail(p)
		if meant := MeantPath(p); meant != "" && b.CanInclude(l, meant) {
			return b.OpenFolder(l, kustomization.Text{Value: meant, Node: entry.Node}, component)
		}
		return nil
	}
	if file != "" {
		return fail(problem.Problem{Code: problem.WrongPathType, Message: fmt.Sprintf("%s is a file, not a folder", path)})
	}
	if l.Clone != "" && !vfs.Below(l.Clone, dir) {
		return fail(problem.Problem{Code: problem.OutsideRoot, Message: fmt.Sprintf("%s lies outside the repository that names it", path),
			Help: "a kustomization from a remote repository can only include folders of that repository"})
	}
	for up := range l.Included {
		if vfs.Below(dir, up.Dir) {
			b.Contextual = true
			return fail(cycle(l, up, dir, path))
		}
	}
	child := &trace.Layer{Dir: dir, Parent: l, Entry: entry.Node, Component: component, Origin: trace.ChildOrigin(l, path), Clone: l.Clone}
	if p, ok := b.readKustomization(child); !ok {
		return fail(p)
	}
	b.SetSchema(child)
	return b.CheckKind(child, entry, component)
}

// CheckKind refuses a component among the resources and the reverse.
func (b *Loader) CheckKind(child *trace.Layer, entry kustomization.Text, component bool) *trace.Layer {
	isComponent := child.Kustomization.Kind.Value == kustomization.KindComponent
	p := problem.Problem{Fatal: true, Node: entry.Node}
	switch {
	case component && !isComponent:
		p.Code, p.Message = problem.ResourceAsComponent, fmt.Sprintf("%s is a %s, not a component", entry.Value, child.Kustomization.Kind.Value)
		p.Help = "list it under resources"
	case !component && isComponent:
		p.Code, p.Message = problem.ComponentAsResource, entry.Value+" is a component"
		p.Help = "list it under components"
	default:
		return child
	}
	b.Report(child.Parent, p)
	return nil
}

func cycle(l, up *trace.Layer, dir, path string) problem.Problem {
	p := problem.Problem{Code: problem.IncludeCycle, Message: fmt.Sprintf("%s leads back to a folder that includes this one", path)}
	if up.Dir != dir {
		p.Message = fmt.Sprintf("%s contains the folder %s, which is being built", path, filepath.Base(up.Dir))
	}
	for at := l; at != nil && at.Entry != nil && at != up; at = at.Parent {
		p.Related = append(p.Related, problem.Related{Node: at.Entry, Message: "included here"})
	}
	return p
}

// HasDotsInSegment finds "a/b..c": kustomize refuses a folder with such a segment
// (hasAmbiguousPathSegment in api/internal/loader).
func HasDotsInSegment(path string) bool {
	for _, part := range strings.Split(filepath.ToSlash(path), "/") {
		if part != "." && part != ".." && strings.Contains(part, "..") {
			return true
		}
	}
	return false
}

// Load reads a file that an entry of l names, within the load restriction. It
// returns nil, with the problem reported, where that is not possible
// (FileLoader.Load).
//
// Where the path is probably a misspelling, the file that was meant is returned
// after the report, so that what follows from the mistake is not reported too.
func (b *Loader) Load(l *trace.Layer, entry *yaml.Node, path string) *vfs.File {
	if IsURL(path) {
		f, err := b.RemoteFile(path)
		if err != nil {
			b.Unfinished = true
			b.Report(l, b.RemoteProblem(kustomization.Text{Value: path, Node: entry}, err))
		}
		return f
	}
	f, p := b.TryLoad(l, path)
	if f != nil {
		return f
	}
	p.Node = entry
	b.Report(l, p)
	if meant := MeantPath(p); meant != "" && !b.IsFolder(l, meant) {
		f, _ = b.TryLoad(l, meant)
	}
	b.Unfinished = b.Unfinished || f == nil
	return f
}

// TryLoad is load without the report; the problem is fatal, but for one of a file that
// is not read for want of trust.
func (b *Loader) TryLoad(l *trace.Layer, path string) (*vfs.File, problem.Problem) {
	f, p := b.Read(l, path)
	switch {
	case p.Code == problem.MissingPath:
		return nil, b.missing(l, path)
	case p.Code == problem.OutsideRoot && !p.Fatal:
		b.Lacking = true
	}
	return f, p
}

// Read is tryLoad without a look at what was meant: several may read at a time.
func (b *Loader) Read(l *trace.Layer, path string) (*vfs.File, problem.Problem) {
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(l.Dir, path)
	}
	full, p := b.restricted(l, path, full)
	if full == "" {
		return nil, p
	}
	f, err := b.Files.ReadFile(full)
	switch {
	case err == nil:
		return f, problem.Problem{}
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.Problem{Code: problem.MissingPath}
	case errors.Is(err, vfs.ErrTooLarge):
		return nil, problem.Problem{Code: problem.BuildLimit, Message: fmt.Sprintf("%s is larger than files may be, and is not read", path),
			Help: "what depends on it is not checked; --limit file-size=… raises the limit"}
	}
	return nil, problem.Problem{Code: problem.WrongPathType, Fatal: true, Message: fmt.Sprintf("%s cannot be read as a file", path)}
}

// restricted returns where a file is read, or an empty path with the problem of one that
// may not be read (LoadRestrictorFunc in api/internal/loader).
func (b *Loader) restricted(l *trace.Layer, path, full string) (string, problem.Problem) {
	free := b.Options.LoadRestrictor == NoRestrictions && l.Clone == ""
	dir, file, err := b.resolve(full)
	switch {
	case err != nil:
		return "", problem.Problem{Code: problem.MissingPath}
	case file == "":
		return "", problem.Problem{Code: problem.WrongPathType, Fatal: true, Message: fmt.Sprintf("%s is a folder, not a file", path)}
	case vfs.Below(l.Dir, dir) || free && b.Options.Within != "":
		return filepath.Join(dir, file), problem.Problem{}
	case isSystem(dir):
		return "", problem.Problem{Code: problem.OutsideRoot, Fatal: true, Message: fmt.Sprintf("%s is a file of the operating system, and is never read", path)}
	case free:
		return full, problem.Problem{}
	}
	return "", b.outsideFolder(path)
}

// isSystem is true for folders whose files are no files but say how the machine is, and
// hold secrets of whoever runs kls.
func isSystem(dir string) bool {
	return slices.ContainsFunc([]string{"/proc", "/sys", "/dev"}, func(system string) bool { return vfs.Below(filepath.FromSlash(system), dir) })
}

func (b *Loader) outsideFolder(path string) problem.Problem {
	if b.Options.LoadRestrictor == NoRestrictionsRefused {
		return problem.Problem{Code: problem.OutsideRoot,
			Message: fmt.Sprintf("%s lies outside this kustomization's folder, and was not read", path),
			Help:    "what depends on it is not checked; that the configuration allows it counts with --trust-config only"}
	}
	return problem.Problem{Code: problem.OutsideRoot, Fatal: true,
		Message: fmt.Sprintf("%s lies outside this kustomization's folder", path),
		Help:    "kustomize reads files only from the folder of the kustomization and below; include the folder that holds it as a base, or build with --load-restrictor LoadRestrictionsNone"}
}

// missing is the problem of a path that names nothing, with the path beside it
// that was probably meant.
func (b *Loader) missing(l *trace.Layer, path string) problem.Problem {
	p := problem.Problem{Code: problem.MissingPath, Fatal: true, Message: fmt.Sprintf("%s does not exist", path)}
	if b.isDanglingLink(trace.Join(l.Dir, path)) {
		p.Message = fmt.Sprintf("%s is a symbolic link to something that does not exist", path)
		return p
	}
	if meant := b.nearestPath(l, path); meant != "" {
		p.Help = fmt.Sprintf("did you mean %s?", meant)
		p.Fixes = []problem.Fix{{Title: "Change to " + meant, New: meant}}
	}
	return p
}

// isDanglingLink tells whether a path that names nothing is a symbolic link.
func (b *Loader) isDanglingLink(path string) bool {
	path = filepath.Clean(path)
	entries, err := b.Files.ReadDir(filepath.Dir(path))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() == filepath.Base(path) && e.Type()&fs.ModeSymlink != 0
	})
}

// searchedNames is how many names in a folder are looked at for what counts as one search.
const searchedNames = 100

// nearestPath looks along the path for the first name that is not there, and
// returns the path with the nearest one in its place, if that leads somewhere.
func (b *Loader) nearestPath(l *trace.Layer, path string) string {
	if !b.MayHaveMeant() {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i, part := range parts {
		above := strings.Join(parts[:i], "/")
		if part == "" || part == "." || part == ".." || b.exists(l, strings.Join(parts[:i+1], "/")) {
			continue
		}
		entries, err := b.Files.ReadDir(filepath.Clean(trace.Join(l.Dir, above)))
		if err != nil {
			return ""
		}
		listed := listedPaths(l)
		b.Searches += len(entries) / searchedNames
		var names []string
		for _, e := range entries {
			rest := append([]string{e.Name()}, parts[i+1:]...)
			candidate := strings.Join(append(slices.Clone(parts[:i]), rest...), "/")
			switch {
			case slices.Contains(kustomization.FileNames(), e.Name()) || listed[filepath.Clean(candidate)]:
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

func (b *Loader) exists(l *trace.Layer, path string) bool {
	_, _, err := b.resolve(trace.Join(l.Dir, path))
	return err == nil
}

// listedPaths are the entries of resources and components, which are hardly what
// another entry was meant to be.
func listedPaths(l *trace.Layer) map[string]bool {
	listed := map[string]bool{}
	if l.Kustomization != nil {
		for _, t := range slices.Concat(l.Kustomization.Resources, l.Kustomization.Components) {
			listed[filepath.Clean(t.Value)] = true
		}
	}
	return listed
}

// MeantPath returns the path that a missing one was probably meant to be.
func MeantPath(p problem.Problem) string {
	if p.Code == problem.MissingPath && len(p.Fixes) == 1 {
		return p.Fixes[0].New
	}
	return ""
}

// CanInclude tells whether the path is a folder with a kustomization file that
// does not lead back here.
func (b *Loader) CanInclude(l *trace.Layer, path string) bool {
	b.Contextual = true
	dir, file, err := b.resolve(trace.Join(l.Dir, path))
	if err != nil || file != "" {
		return false
	}
	for up := range l.Included {
		if vfs.Below(dir, up.Dir) {
			return false
		}
	}
	for _, name := range kustomization.FileNames() {
		if b.IsFile(&trace.Layer{Dir: dir}, name) {
			return true
		}
	}
	return false
}

// resolve returns a path without symbolic links, split into folder and file; file
// is empty for a folder (filesys.CleanedAbs).
func (b *Loader) resolve(path string) (dir, file string, err error) {
	real, err := b.Files.EvalSymlinks(path)
	if err == nil {
		err = b.isConfined(real)
	}
	if err != nil {
		return "", "", err
	}
	isDir, err := b.Files.IsDir(real)
	if err != nil {
		return "", "", err
	}
	if isDir {
		return real, "", nil
	}
	return filepath.Dir(real), filepath.Base(real), nil
}

func (b *Loader) IsFile(l *trace.Layer, path string) bool {
	_, file, err := b.resolve(trace.Join(l.Dir, path))
	return err == nil && file != ""
}

func (b *Loader) IsFolder(l *trace.Layer, path string) bool {
	_, file, err := b.resolve(trace.Join(l.Dir, path))
	return err == nil && file == ""
}
