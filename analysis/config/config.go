// Package config reads .kls.yaml: the versions that are deployed with, severities
// of rules, what is left out, and the options by which each root is built, so that
// what is checked is what is deployed. A mistake in the file is a Problem, and the
// rest of the file counts. It allows nothing by itself: what may be fetched and
// run, the caller decides.
package config

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// FileName is the name of the file, which is searched upward.
const FileName = ".kls.yaml"

// Files is what is read from: a vfs.Snapshot or a vfs.Recording of one.
type Files interface {
	ReadFile(path string) (*vfs.File, error)
	IsDir(path string) (bool, error)
	EvalSymlinks(path string) (string, error)
}

// Config is one configuration. Nothing in it is set where there is no file.
type Config struct {
	// Dir is the folder that it lies in, an absolute path: globs are relative to it.
	Dir string
	// Kustomize and Kubernetes are the versions that deploy and that are deployed to,
	// as they are written; empty for none.
	Kustomize, Kubernetes string
	// Problems are the mistakes in it.
	Problems []Problem
	// Rules are the names of rules in it, which this package does not know.
	Rules []Name
	// Deployments say what the checkout does not about what is deployed from it.
	Deployments Deployments

	scope
	overrides []override
	exclude   *globs
	defaults  *userDefaults // nil for none
}

// Deployments are the settings of deployments; paths are absolute.
type Deployments struct {
	Repositories           []string
	Sources, Substitutions map[string]string
	Lenient                bool
	// Clusters are those that are registered with Argo CD; nil where that is not said.
	Clusters []Cluster
	// Undeployed is the most that a finding counts that concerns only roots which nothing
	// deploys; empty: it counts as any other.
	Undeployed Level
}

// Cluster is a cluster that is registered with Argo CD.
type Cluster struct {
	Name, Server        string
	Labels, Annotations map[string]string
}

// Problem is a mistake in the file.
type Problem struct {
	File text.FileID
	Span text.Span
	// Message says what is wrong, Help what to do about it; Help may be empty.
	Message, Help string
	// New, where it is not empty, is to take the place of the span.
	New string
}

// Name is a name that somebody else has to judge.
type Name struct {
	Text string
	File text.FileID
	Span text.Span
}

// Level is what is said about a rule: off, or the name of a severity.
type Level string

// Off keeps a rule from being reported.
const Off Level = "off"

// scope is what can be said of everything and of some paths.
type scope struct {
	rules map[string]Level
	build Build
}

type override struct {
	paths *globs
	scope
}

// Build are options of builds; nil and empty where nothing is said.
type Build struct {
	LoadRestrictor string
	// RestrictorOfUser is true where the user's settings say the former, and no file.
	RestrictorOfUser     bool
	EnableManagedByLabel *bool
	EnableRemote         *bool
	EnableHelm           *bool
	HelmKubeVersion      string
	HelmAPIVersions      []string
	EnableAlphaPlugins   *bool
	EnableExec           *bool
	Network              *bool
}

// Reader reads configurations, each version of a file once. It is safe for concurrent use.
type Reader struct {
	// Table and ID name the texts in which problems are.
	Table *syntax.Table
	ID    func(*vfs.File) text.FileID

	mutex sync.Mutex
	known map[*vfs.File]*Config
}

// Find returns the configuration that counts in a folder, an absolute path: the
// nearest one upward, up to the root of the git repository. The result is never nil;
// the error is of reading.
func (r *Reader) Find(files Files, dir string) (*Config, error) {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, FileName)
		if isDir, err := files.IsDir(path); err == nil && !isDir {
			if LeadsOutside(files, path) {
				return elsewhere(path, r.ID), nil
			}
			read, err := files.ReadFile(path)
			if err != nil {
				return &Config{}, err
			}
			return r.read(read), nil
		}
		if isTop(files, dir) {
			return &Config{}, nil
		}
	}
}

func (r *Reader) read(f *vfs.File) *Config {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c, ok := r.known[f]
	if !ok {
		if r.known == nil {
			r.known = map[*vfs.File]*Config{}
		}
		c = readConfig(f, r.Table, r.ID(f))
		r.known[f] = c
	}
	return c
}

// LeadsOutside tells whether a path, which has to be absolute, is that of a link which
// leads out of the git repository that the link is in, or out of its folder where that
// is in none. Nobody meant such a file to be shown who did not write the link.
func LeadsOutside(files Files, path string) bool {
	real, err := files.EvalSymlinks(path)
	if err != nil {
		return false // there is nothing to read
	}
	dir, err := files.EvalSymlinks(filepath.Dir(path))
	if err != nil || real == filepath.Join(dir, filepath.Base(path)) {
		return err != nil
	}
	return !vfs.Below(repositoryOf(files, dir), real)
}

// repositoryOf returns the folder of the git repository that a folder is in, else the
// folder itself.
func repositoryOf(files Files, dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := files.IsDir(filepath.Join(up, ".git")); err == nil {
			return up
		}
		if up == filepath.Dir(up) {
			return dir
		}
	}
}

// elsewhere is the configuration of a file that is not read.
func elsewhere(path string, id func(*vfs.File) text.FileID) *Config {
	return &Config{Dir: filepath.Dir(path), Problems: []Problem{{File: id(&vfs.File{Path: path}),
		Message: FileName + " is a link that leads out of the repository, and is not read", Help: "put the file itself there"}}}
}

func isTop(files Files, dir string) bool {
	_, err := files.IsDir(filepath.Join(dir, ".git"))
	return err == nil || dir == filepath.Dir(dir)
}

// Set finds the configurations of one snapshot and remembers them, for those who
// ask about many paths. It is safe for concurrent use.
type Set struct {
	files Files
	table *syntax.Table

	// defaults are sorted by length of Dir, the longest first.
	defaults []*userDefaults

	mutex sync.Mutex
	byDir map[string]*Config // what the files say
	whole map[string]*Config // with what the settings say
}

// New returns the configurations of a snapshot. One that cannot be read counts as
// one that says nothing: Find tells the error.
func New(files Files) *Set {
	return &Set{files: files, table: syntax.NewTable(), byDir: map[string]*Config{}, whole: map[string]*Config{}}
}

// For returns the configuration that counts in a folder, an absolute path.
func (s *Set) For(dir string) *Config {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	dir = filepath.Clean(dir)
	known, ok := s.whole[dir]
	if !ok {
		known = s.defaultsFor(dir).beneath(s.find(dir))
		s.whole[dir] = known
	}
	return known
}

func (s *Set) find(dir string) *Config {
	if known, ok := s.byDir[dir]; ok {
		return known
	}
	var c *Config
	path := filepath.Join(dir, FileName)
	switch isDir, err := s.files.IsDir(path); {
	case err == nil && !isDir:
		c = &Config{Dir: dir}
		if LeadsOutside(s.files, path) {
			break // Find says so
		}
		if read, err := s.files.ReadFile(path); err == nil {
			c = readConfig(read, s.table, s.table.Add(read.Path, read.Data))
		}
	case isTop(s.files, dir):
		c = &Config{Dir: dir}
	default:
		c = s.find(filepath.Dir(dir))
	}
	s.byDir[dir] = c
	return c
}

// Level returns what is said about a rule in a file, an absolute path; empty for
// nothing.
func (s *Set) Level(rule, file string) Level {
	level, _ := s.LevelAndOrigin(rule, file)
	return level
}

// LevelAndOrigin is Level, and the part of the file that says so: rules, or overrides[N], counted from 0.
func (s *Set) LevelAndOrigin(rule, file string) (said Level, origin string) {
	c := s.For(filepath.Dir(file))
	if said = c.rules[rule]; said != "" {
		origin = "rules"
	}
	for i, o := range c.overrides {
		if level, has := o.rules[rule]; has && o.paths.match(c.relative(file)) {
			said, origin = level, fmt.Sprintf("overrides[%d]", i)
		}
	}
	return said, origin
}

// Excluded tells whether nothing is to be checked or reported in a file or folder,
// an absolute path.
func (s *Set) Excluded(path string) bool {
	c := s.For(filepath.Dir(path))
	return c.exclude.match(c.relative(path)) || c.defaults.excludes(path)
}

// Build returns what is said about the build of a root, by its folder.
func (s *Set) Build(dir string) Build {
	c := s.For(dir)
	b := c.build
	for _, o := range c.overrides {
		if o.paths.match(c.relative(dir)) {
			b = b.with(o.build)
		}
	}
	return b
}

// with returns the options with what others say about them.
func (b Build) with(o Build) Build {
	if o.LoadRestrictor != "" {
		b.LoadRestrictor, b.RestrictorOfUser = o.LoadRestrictor, o.RestrictorOfUser
	}
	if o.HelmKubeVersion != "" {
		b.HelmKubeVersion = o.HelmKubeVersion
	}
	if o.HelmAPIVersions != nil {
		b.HelmAPIVersions = o.HelmAPIVersions
	}
	for _, pair := range []struct{ to, from **bool }{
		{&b.EnableManagedByLabel, &o.EnableManagedByLabel}, {&b.EnableRemote, &o.EnableRemote}, {&b.EnableHelm, &o.EnableHelm},
		{&b.EnableAlphaPlugins, &o.EnableAlphaPlugins}, {&b.EnableExec, &o.EnableExec}, {&b.Network, &o.Network},
	} {
		if *pair.from != nil {
			*pair.to = *pair.from
		}
	}
	return b
}

// relative returns a path as globs see it.
func (c *Config) relative(path string) string {
	short, err := filepath.Rel(c.Dir, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(short)
}
