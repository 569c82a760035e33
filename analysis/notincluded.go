package analysis

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// FileNotIncluded is the rule of a resource's file that no kustomization includes.
const FileNotIncluded = "file-not-included"

// Inclusion finds the files that nothing includes, out of what all builds of a
// check looked at: its Add is an Options.Built. It is safe for concurrent use.
type Inclusion struct {
	// Strays, where it is not nil, remembers what was found in files that nothing
	// includes, for the next check.
	Strays *Strays
	// Memory, where it is not nil, remembers which files those were. Layout is what the
	// snapshot is of: as long as it is the same, no file came, went or moved, and the
	// same folders are asked for. It is compared with ==.
	Memory *InclusionMemory
	Layout any

	mutex sync.Mutex
	list  []*Included
}

// Strays remembers of files whether they hold resources. The zero value remembers
// nothing yet. It is safe for concurrent use.
type Strays struct{ byPath sync.Map }

type cachedStray struct {
	file  *vfs.File
	stray stray
	ok    bool
}

// in is newStray, for a nil receiver too.
func (k *Strays) in(f *vfs.File) (stray, bool) {
	if k == nil {
		return newStray(f)
	}
	if known, ok := k.byPath.Load(f.Path); ok && known.(cachedStray).file == f {
		return known.(cachedStray).stray, known.(cachedStray).ok
	}
	s, ok := newStray(f)
	k.byPath.Store(f.Path, cachedStray{f, s, ok})
	return s, ok
}

// Included is what the build of one root says of files that are included.
type Included struct {
	// dir is the folder of the root as it was asked for, empty for a component;
	// layer is the same as the build knows it.
	dir, layer string
	reads      *vfs.Reads
	// hides is true where more may be included than the build got to see.
	hides bool
	// layers are the folders of the kustomizations in it, and sources those of the
	// files of resources that they name.
	layers  map[string]bool
	sources []string
	// list are the resources, as kind and original name; see has.
	list    [][2]string
	once    parallel.Once
	objects map[[2]string]bool

	signing   parallel.Once
	signature vfs.Signature
}

// isLike tells whether two say the same of files.
func (in *Included) isLike(other *Included, seed maphash.Seed) bool {
	if in == other {
		return true
	}
	if in.dir != other.dir || in.layer != other.layer || in.hides != other.hides || !maps.Equal(in.layers, other.layers) || !slices.Equal(in.sources, other.sources) {
		return false
	}
	for _, one := range []*Included{in, other} {
		one.signing.Do(func() { one.signature = one.reads.Signature(seed) })
	}
	return in.signature.Equal(other.signature)
}

// InclusionMemory remembers what one check found out about the files that nothing
// includes for the next. Its zero value remembers nothing. It is safe for concurrent
// use.
type InclusionMemory struct {
	mutex  sync.Mutex
	seed   maphash.Seed
	seeded bool
	layout any
	known  *included
}

// take returns what is known where builds say the same of files as those it is known of.
func (m *InclusionMemory) take(layout any, list []*Included) *included {
	if m == nil {
		return nil
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if !m.seeded {
		m.seed, m.seeded = maphash.MakeSeed(), true
	}
	if m.known == nil || m.layout != layout || len(m.known.list) != len(list) {
		return nil
	}
	for i, one := range list {
		if !one.isLike(m.known.list[i], m.seed) {
			return nil
		}
	}
	return m.known
}

func (m *InclusionMemory) put(layout any, known *included) {
	if m != nil {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.layout, m.known = layout, known
	}
}

// has tells whether there is a resource of a kind and original name. Hardly anybody
// asks.
func (in *Included) has(object [2]string) bool {
	in.once.Do(func() {
		in.objects = make(map[[2]string]bool, len(in.list))
		for _, known := range in.list {
			in.objects[known] = true
		}
	})
	return in.objects[object]
}

// IncludedIn returns what the build of the root in a folder says.
func IncludedIn(dir string, result *builder.Result) *Included {
	in := &Included{reads: result.Reads, hides: result.Unknown || result.Failed(),
		layers: map[string]bool{}, list: result.Originals()}
	if l := result.Root; l != nil && l.Kustomization.Kind.Value != kustomization.KindComponent {
		in.dir, in.layer = dir, l.Dir
	}
	pass := Pass{Result: result}
	for _, l := range pass.Layers() {
		in.layers[l.Dir] = true
		for _, included := range l.Facts.Included {
			if included.Layer == nil && included.Path != "" {
				if dir := filepath.Dir(included.Path); len(in.sources) == 0 || in.sources[len(in.sources)-1] != dir {
					in.sources = append(in.sources, dir)
				}
			}
		}
	}
	return in
}

// Add takes in a build that is done.
func (x *Inclusion) Add(dir string, result *builder.Result) {
	if result != nil {
		x.Include(IncludedIn(dir, result))
	}
}

// Include takes in what the build of a root says.
func (x *Inclusion) Include(in *Included) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.list = append(x.list, in)
}

// included is what all builds together say.
type included struct {
	files  *vfs.Snapshot
	strays *Strays
	list   []*Included
	// read are the files that were read, by folder.
	read            map[string]map[string]bool
	layers, sources map[string]bool
	// hidden is what the builds looked at that hide something.
	hidden vfs.Union
	// unbuilt tells of folders whether one at or above them is a kustomization that was
	// not built, as far as that was asked.
	unbuilt map[string]bool
	// unread are the files in their folders that no build read.
	unread []unread
}

// unread is a file that no build read, and the folder of the kustomization that it
// belongs to.
type unread struct{ dir, name, owner string }

// diagnostics returns what is found in the folders of which complete is true: all
// that could include their files was checked.
func (x *Inclusion) diagnostics(files *vfs.Snapshot, severity Severity, complete func(path string) bool) []Diagnostic {
	x.mutex.Lock()
	list := slices.Clone(x.list)
	x.mutex.Unlock()
	in := included{}
	if known := x.Memory.take(x.Layout, list); known != nil {
		in = *known
		in.files, in.list = files, list
	} else {
		in = included{files: files, strays: x.Strays, list: list, read: map[string]map[string]bool{},
			layers: map[string]bool{}, sources: map[string]bool{}, unbuilt: map[string]bool{}}
		in.look()
	}
	var found []Diagnostic
	for _, u := range in.unread {
		if !complete(u.dir) {
			continue
		}
		if d, ok := in.check(u, severity); ok {
			found = append(found, d)
		}
	}
	x.Memory.put(x.Layout, &in)
	return found
}

// look finds the files that no build read.
func (in *included) look() {
	var all, hiding []*vfs.Reads
	for _, one := range in.list {
		if all = append(all, one.reads); one.hides {
			hiding = append(hiding, one.reads)
		}
		maps.Copy(in.layers, one.layers)
		for _, dir := range one.sources {
			in.sources[dir] = true
		}
	}
	in.hidden = vfs.Together(hiding...)
	for path := range vfs.FilesOf(all...) {
		dir := filepath.Dir(path)
		if in.read[dir] == nil {
			in.read[dir] = map[string]bool{}
		}
		in.read[dir][path] = true
	}
	folders := maps.Clone(in.layers)
	maps.Copy(folders, in.sources)
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if owner, ok := in.owner(dir); ok {
			in.lookInto(dir, owner)
		}
	}
}

// owner returns the folder of the kustomization that the files of a folder belong
// to: the folder itself or the next one above. It is not ok where something else
// could read them: a build that is not known whole, a kustomization that was not
// built, a helm chart.
func (in *included) owner(dir string) (owner string, ok bool) {
	for owner = dir; !in.layers[owner]; owner = filepath.Dir(owner) {
		name := filepath.Base(owner)
		if owner == filepath.Dir(owner) || strings.HasPrefix(name, ".") || in.hasFile(owner, "Chart.yaml") || in.isKustomization(owner) {
			return "", false
		}
	}
	return owner, !in.isUnbuilt(owner) && !in.hidden.Has(owner) && !in.hasFile(owner, "Chart.yaml")
}

// isUnbuilt tells whether the folder or one above it is a kustomization that was not
// built.
func (in *included) isUnbuilt(dir string) bool {
	up := filepath.Dir(dir)
	if up == dir {
		return false
	}
	known, ok := in.unbuilt[dir]
	if !ok {
		known = !in.layers[dir] && in.isKustomization(dir) || in.isUnbuilt(up)
		in.unbuilt[dir] = known
	}
	return known
}

func (in *included) isKustomization(dir string) bool {
	return slices.ContainsFunc(kustomization.FileNames(), func(name string) bool { return in.hasFile(dir, name) })
}

func (in *included) hasFile(dir, name string) bool {
	isDir, err := in.files.IsDir(filepath.Join(dir, name))
	return err == nil && !isDir
}

// lookInto finds those in one folder.
func (in *included) lookInto(dir, owner string) {
	entries, err := in.files.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if isManifestName(e) && !in.read[dir][filepath.Join(dir, e.Name())] {
			in.unread = append(in.unread, unread{dir, e.Name(), owner})
		}
	}
}

// check reports a file if it holds resources and nothing speaks of it.
func (in *included) check(u unread, severity Severity) (Diagnostic, bool) {
	if in.isMentioned(u.name, u.dir, u.owner) {
		return Diagnostic{}, false
	}
	f, err := in.files.ReadFile(filepath.Join(u.dir, u.name))
	if err != nil {
		return Diagnostic{}, false
	}
	s, ok := in.strays.in(f)
	if !ok {
		return Diagnostic{}, false
	}
	return in.report(s, u.owner, severity), true
}

// isManifestName tells of a file that may hold resources by its name. Links are
// another name of something, and hidden files are for tools.
func isManifestName(e fs.DirEntry) bool {
	name := e.Name()
	extension := filepath.Ext(name)
	return e.Type().IsRegular() && (extension == ".yaml" || extension == ".yml") &&
		!strings.HasPrefix(name, ".") && !slices.Contains(kustomization.FileNames(), name)
}

// isMentioned tells whether a file that was read, there or with the kustomization,
// has the name: in a comment, since it is switched off, or in the configuration of
// a program that reads it.
func (in *included) isMentioned(name, dir, owner string) bool {
	for _, folder := range []string{owner, dir} {
		for path := range in.read[folder] {
			if f, err := in.files.ReadFile(path); err == nil && bytes.Contains(f.Data, []byte(name)) {
				return true
			}
		}
	}
	return false
}

// stray is a file of resources that nothing includes.
type stray struct {
	path string
	// kind is the place of the first resource's kind.
	kind    text.Span
	objects [][2]string // kind and name
}

// configurations are groups of what looks like a resource and is configuration of
// a program.
var configurations = text.Regexp(`^(builtin|skaffold|kind\.x-k8s\.io|k3d\.io|kubeadm\.k8s\.io|eksctl\.io|audit\.k8s\.io|.*config\.k8s\.io|config\.kubernetes\.io|kuttl\.dev|chainsaw\..*)(/|$)`)

// newStray is not ok where the file is not made of resources and nothing else.
func newStray(f *vfs.File) (s stray, ok bool) {
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add(f.Path, f.Data))
	if len(parsed.Problems) > 0 {
		return s, false
	}
	s.path = f.Path
	for _, d := range parsed.Documents {
		if d.Root == nil {
			continue
		}
		_, apiVersion := syntax.Field(d.Root, "apiVersion")
		_, kind := syntax.Field(d.Root, "kind")
		_, metadata := syntax.Field(d.Root, "metadata")
		_, name := syntax.Field(metadata, "name")
		if !isText(apiVersion) || !isText(kind) || !isText(name) || configurations().MatchString(apiVersion.Value) {
			return s, false
		}
		if len(s.objects) == 0 {
			_, s.kind = syntax.NodeSpan(table, kind)
		}
		s.objects = append(s.objects, [2]string{kind.Value, name.Value})
	}
	return s, len(s.objects) > 0
}

func isText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" && n.Value != ""
}

// report says of a file that nothing includes it. Where the kustomization has such
// a resource, the file may be a patch of it, or another version.
func (in *included) report(s stray, owner string, severity Severity) Diagnostic {
	d := Diagnostic{Rule: FileNotIncluded, Severity: severity, Place: Place{s.path, s.kind},
		Message: "no kustomization includes this file", Help: "add it to resources, or remove it"}
	for _, one := range in.list {
		if one.dir != "" && one.layer == owner {
			d.Roots = append(d.Roots, one.dir)
		}
	}
	for _, object := range s.objects {
		known := slices.ContainsFunc(in.list, func(one *Included) bool { return one.layers[owner] && one.has(object) })
		if known {
			d.Help = fmt.Sprintf("there is a %s %q without it; if this is a patch, add it to patches", object[0], object[1])
			return d
		}
	}
	if edit, ok := in.addition(s.path, owner); ok {
		d.Fixes = []Fix{{Title: "Add it to resources", Edits: []FileEdit{edit}}}
	}
	return d
}

// addition is the edit that adds a file to the resources of a kustomization, if
// they are a list with dashes.
func (in *included) addition(path, owner string) (FileEdit, bool) {
	for _, name := range kustomization.FileNames() {
		f, err := in.files.ReadFile(filepath.Join(owner, name))
		if err != nil {
			continue
		}
		table := syntax.NewTable()
		parsed := syntax.Parse(table, table.Add(f.Path, f.Data))
		relative, err := filepath.Rel(owner, path)
		if err != nil || len(parsed.Documents) == 0 {
			return FileEdit{}, false
		}
		_, list := kustomization.FieldNode(parsed.Documents[0].Root, "resources")
		if list == nil || list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 || len(list.Content) == 0 {
			return FileEdit{}, false
		}
		_, last := syntax.NodeSpan(table, list.Content[len(list.Content)-1])
		line := f.Data[bytes.LastIndexByte(f.Data[:last.Start], '\n')+1 : last.Start]
		if len(bytes.Trim(line, " -")) > 0 {
			return FileEdit{}, false
		}
		end := last.End + text.LineLength(f.Data[last.End:])
		written := text.LineBreak(f.Data) + string(line) + filepath.ToSlash(relative)
		return FileEdit{Place{f.Path, text.Span{Start: end, End: end}}, written}, true
	}
	return FileEdit{}, false
}
