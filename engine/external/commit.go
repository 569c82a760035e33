package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Commit is the files of a commit of a repository on this machine: a vfs.Source
// in which they stand at the paths where the work tree has them. They are read
// from git's objects; the work tree and the index are not looked at. What lies
// outside of the repository is read from the disk, since it has no history.
//
// Contents are those of the objects: git's filters and its conversion of line
// ends are not applied. A submodule is an empty folder.
type Commit struct {
	// Root is the repository's folder, absolute and without symbolic links.
	Root string
	// Name is the commit's full name.
	Name string

	repository *localRepository

	disk    vfs.Source
	entries map[string]*treeEntry // by path below Root, with forward slashes

	mutex   sync.Mutex
	ctx     context.Context
	command *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
}

var _ vfs.Source = (*Commit)(nil)

// treeEntry is a file, a symbolic link or a folder of a commit. It is both the
// entry of its folder and the file info of it.
type treeEntry struct {
	name     string
	mode     fs.FileMode
	object   string
	size     int64         // in bytes; of a file
	children []fs.DirEntry // of a folder, sorted
}

func (e *treeEntry) Name() string               { return e.name }
func (e *treeEntry) IsDir() bool                { return e.mode.IsDir() }
func (e *treeEntry) Type() fs.FileMode          { return e.mode.Type() }
func (e *treeEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e *treeEntry) Size() int64                { return e.size }
func (e *treeEntry) Mode() fs.FileMode          { return e.mode }
func (e *treeEntry) ModTime() time.Time         { return time.Time{} }
func (e *treeEntry) Sys() any                   { return nil }

var errNoFolder = errors.New("not a folder")

// OpenCommit opens what a ref names in the repository that the folder lies in. A
// ref that ends in "..." stands, as in `git diff`, for the commit where HEAD
// parted from it. The context ends what is started to read objects; Close does so
// before.
func OpenCommit(ctx context.Context, dir, ref string) (*Commit, error) {
	repository, err := openRepository(ctx, dir)
	if err != nil {
		return nil, err
	}
	c := &Commit{Root: repository.root, repository: repository, disk: vfs.Disk(), ctx: ctx}
	if c.Name, err = repository.resolve(ctx, ref); err != nil {
		return nil, err
	}
	return c, c.list(ctx)
}

// ChangedFile is a file that differs between a commit and the work tree.
type ChangedFile struct {
	// Path is absolute.
	Path string
	// Added is true where the commit does not have the file, Removed where the work
	// tree does not.
	Added, Removed bool
}

// ChangedSince returns the files that differ between what the ref names (see
// OpenCommit) and the work tree, untracked ones included and ignored ones not,
// sorted. A file that was renamed is two.
func ChangedSince(ctx context.Context, dir, ref string) ([]ChangedFile, error) {
	repository, err := openRepository(ctx, dir)
	if err != nil {
		return nil, err
	}
	commit, err := repository.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	commands := [][]string{
		// In a submodule with changes git would start another git, with that one's configuration.
		{"diff", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "-z",
			"--end-of-options", commit, "--"},
		{"ls-files", "--others", "--exclude-standard", "-z"},
	}
	var printed [2][]byte
	err = parallel.Do(ctx, len(commands), func(ctx context.Context, i int) (err error) {
		printed[i], err = repository.git(ctx, commands[i]...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return changedFiles(repository.root, string(printed[0]), string(printed[1])), nil
}

// changedFiles reads what git printed: "M", "path", "A", "path", … of what it
// tracks, and just paths of what it does not. A file that git was told to forget
// and that is still there is in both.
func changedFiles(root, tracked, untracked string) []ChangedFile {
	byPath := map[string]ChangedFile{}
	parts := strings.Split(strings.TrimSuffix(tracked, "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		path := filepath.Join(root, filepath.FromSlash(parts[i+1]))
		byPath[path] = ChangedFile{Path: path, Added: parts[i] == "A", Removed: parts[i] == "D"}
	}
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name == "" {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		known, ok := byPath[path]
		byPath[path] = ChangedFile{Path: path, Added: !ok || known.Added}
	}
	return slices.SortedFunc(maps.Values(byPath), func(a, b ChangedFile) int { return strings.Compare(a.Path, b.Path) })
}

// resolve returns the full name of the commit that a ref names.
func (r *localRepository) resolve(ctx context.Context, ref string) (string, error) {
	name, fork := strings.CutSuffix(ref, "...")
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	found := err == nil
	if found && fork {
		out, err = r.git(ctx, "merge-base", "HEAD", strings.TrimSpace(string(out)))
	}
	if err != nil && ctx.Err() == nil {
		return "", r.noCommit(ctx, ref, name, found)
	}
	return strings.TrimSpace(string(out)), err
}

// list reads the names of all files of the commit.
func (c *Commit) list(ctx context.Context) error {
	out, err := c.repository.git(ctx, "ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", c.Name)
	if err != nil {
		return err
	}
	c.entries = map[string]*treeEntry{".": {name: ".", mode: fs.ModeDir}}
	for line := range bytes.SplitSeq(out, []byte{0}) {
		if len(line) == 0 {
			continue
		}
		// "100644 blob 1f7a… 123\tpath"
		facts, name, _ := strings.Cut(string(line), "\t")
		fields := strings.Fields(facts)
		if len(fields) != 4 {
			return fmt.Errorf("git ls-tree prints %q", line)
		}
		e := &treeEntry{name: path.Base(name), object: fields[2]}
		switch fields[0] {
		case "120000":
			e.mode = fs.ModeSymlink
		case "160000":
			e.mode = fs.ModeDir
		}
		e.size, _ = strconv.ParseInt(fields[3], 10, 64) // "-" for a submodule
		c.add(name, e)
	}
	for _, e := range c.entries {
		slices.SortFunc(e.children, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return nil
}

// add puts an entry into its folder, which it makes where it is new.
func (c *Commit) add(name string, e *treeEntry) {
	c.entries[name] = e
	for child, at := e, path.Dir(name); ; at = path.Dir(at) {
		folder, ok := c.entries[at]
		if !ok {
			folder = &treeEntry{name: path.Base(at), mode: fs.ModeDir}
			c.entries[at] = folder
		}
		folder.children = append(folder.children, child)
		if ok {
			return
		}
		child = folder
	}
}

// maxLinks bounds the symbolic links on the way to one path, as Linux does.
const maxLinks = 40

// EvalSymlinks is vfs.Source's: links of the commit are followed within it.
func (c *Commit) EvalSymlinks(path string) (string, error) {
	_, real, err := c.find(path)
	return real, err
}

// find returns the entry of a path without symbolic links; nil for what lies
// outside of the repository.
func (c *Commit) find(name string) (*treeEntry, string, error) {
	name = filepath.Clean(name)
	for range maxLinks {
		if !c.holds(name) {
			real, err := c.disk.EvalSymlinks(name)
			if err != nil || !c.holds(real) || real == name {
				return nil, real, err
			}
			name = real // a link from outside into the repository
			continue
		}
		target, entry, err := c.step(name)
		switch {
		case err != nil:
			return nil, "", err
		case target == "":
			return entry, name, nil
		}
		name = target
	}
	return nil, "", &fs.PathError{Op: "stat", Path: name, Err: errors.New("too many symbolic links")}
}

// step looks for a path in the repository. Where a link is on the way, it returns
// the path with the first one replaced by its target.
func (c *Commit) step(name string) (target string, entry *treeEntry, err error) {
	below, err := filepath.Rel(c.Root, name)
	if err != nil {
		return "", nil, err
	}
	below = filepath.ToSlash(below)
	if e, ok := c.entries[below]; ok && e.mode&fs.ModeSymlink == 0 {
		return "", e, nil // a path with a link on the way is no key
	}
	at, folder := ".", "."
	for part := range strings.SplitSeq(below, "/") {
		if !c.entries[at].IsDir() {
			return "", nil, &fs.PathError{Op: "stat", Path: name, Err: errNoFolder}
		}
		folder, at = at, path.Join(at, part)
		e, ok := c.entries[at]
		switch {
		case !ok:
			return "", nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
		case e.mode&fs.ModeSymlink == 0:
			continue
		}
		link, err := c.object(e)
		if err != nil {
			return "", nil, err
		}
		to := filepath.FromSlash(string(link))
		if !filepath.IsAbs(to) {
			to = filepath.Join(c.Root, filepath.FromSlash(folder), to)
		}
		return filepath.Join(to, strings.TrimPrefix(below, at)), nil, nil
	}
	return "", nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

func (c *Commit) holds(name string) bool { return vfs.Below(c.Root, name) }

// IsDir is vfs.Source's.
func (c *Commit) IsDir(path string) (bool, error) {
	e, real, err := c.find(path)
	switch {
	case err != nil:
		return false, err
	case e == nil:
		return c.disk.IsDir(real)
	}
	return e.IsDir(), nil
}

// ReadDir is vfs.Source's.
func (c *Commit) ReadDir(path string) ([]fs.DirEntry, error) {
	e, real, err := c.find(path)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return c.disk.ReadDir(real)
	case !e.IsDir():
		return nil, &fs.PathError{Op: "readdir", Path: path, Err: errNoFolder}
	}
	return slices.Clone(e.children), nil
}

// ReadFile is vfs.Source's.
func (c *Commit) ReadFile(path string) ([]byte, error) {
	e, real, err := c.find(path)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return c.disk.ReadFile(real)
	case e.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	case e.size > vfs.MaxFileSize:
		return nil, &fs.PathError{Op: "read", Path: path, Err: vfs.ErrTooLarge}
	}
	return c.object(e)
}

// object returns the contents of an object. One git process answers all
// questions, one after the other.
func (c *Commit) object(e *treeEntry) ([]byte, error) {
	if e.size > vfs.MaxFileSize {
		return nil, vfs.ErrTooLarge
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := c.start(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c.input, e.object+"\n"); err != nil {
		return nil, err
	}
	header, err := c.output.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	fields := strings.Fields(header) // "1f7a… blob 123", or "1f7a… missing"
	if len(fields) != 3 {
		return nil, fmt.Errorf("git has no object %s", strings.TrimSpace(header))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, fmt.Errorf("git cat-file prints %q", header)
	}
	data := make([]byte, size+1) // a line break follows
	if _, err := io.ReadFull(c.output, data); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	return data[:size:size], nil
}

func (c *Commit) start() (err error) {
	if c.command != nil {
		return nil
	}
	p := c.repository.process("cat-file", "--batch")
	command := exec.CommandContext(c.ctx, p.path, p.arguments...)
	command.Dir, command.Env = p.dir, p.environment
	if c.input, err = command.StdinPipe(); err != nil {
		return err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	c.output = bufio.NewReader(output)
	if err := command.Start(); err != nil {
		return failure("git", err, nil)
	}
	c.command = command
	return nil
}

// Close ends the git process. A commit that is closed can be read no more.
func (c *Commit) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.command == nil {
		return nil
	}
	err := c.input.Close()
	waited := c.command.Wait()
	c.command = nil
	if c.ctx.Err() != nil {
		return nil // it was ended, as was asked for
	}
	return errors.Join(err, waited)
}

// Export writes the files of the commit into a folder of the disk, for programs
// that read them by themselves. Nothing is written outside of the folder, whatever
// links the commit has.
func (c *Commit) Export(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		if err := c.export(root, filepath.FromSlash(name), c.entries[name]); err != nil {
			return err
		}
	}
	return nil
}

func (c *Commit) export(root *os.Root, name string, e *treeEntry) error {
	if e.IsDir() {
		return root.MkdirAll(name, 0o755)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	data, err := c.object(e)
	if err != nil {
		return err
	}
	if e.mode&fs.ModeSymlink != 0 {
		return root.Symlink(string(data), name)
	}
	return root.WriteFile(name, data, 0o755)
}
