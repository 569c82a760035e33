package config

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Defaults are what a user's settings say of the files below a folder. What a
// configuration file says of the same thing comes before them.
type Defaults struct {
	// Dir is an absolute path; the patterns of Exclude are relative to it.
	Dir string
	// Kustomize and Kubernetes are versions; empty for none.
	Kustomize, Kubernetes string
	// LoadRestrictor is as in Build; empty for none.
	LoadRestrictor string
	// Rules are levels by the names of rules.
	Rules map[string]Level
	// ClassesOff are the classes of rules that are not reported, but for rules of
	// which something is said.
	ClassesOff []string
	// Schemas say where resource files are held against schemas.
	Schemas Schemas
	// Exclude are patterns as in the file. What is no pattern has no effect.
	Exclude []string
}

// Schemas say whether somebody else holds resource files against schemas, so that
// nothing is to be told twice.
type Schemas int

const (
	// Here: nobody else does.
	Here Schemas = iota
	// UnlessMarked: those do it that have a comment for yaml-language-server.
	UnlessMarked
	// Elsewhere: yaml-language-server does.
	Elsewhere
)

// WithDefaults returns the same configurations with a user's settings beneath them:
// of several that speak of a folder, the one with the longest Dir counts.
func (s *Set) WithDefaults(defaults []Defaults) *Set {
	next := New(s.files)
	for _, d := range defaults {
		known := &userDefaults{Defaults: d}
		for _, pattern := range d.Exclude {
			if g, ok := parseGlob(pattern); ok {
				known.exclude.add(g)
			}
		}
		next.defaults = append(next.defaults, known)
	}
	slices.SortStableFunc(next.defaults, func(a, b *userDefaults) int { return len(b.Dir) - len(a.Dir) })
	return next
}

// On returns the configurations of other files, with the same settings beneath.
func (s *Set) On(files Files) *Set {
	next := New(files)
	next.defaults = s.defaults
	return next
}

// userDefaults are defaults that are ready for use.
type userDefaults struct {
	Defaults
	exclude globs
}

// defaultsFor returns the settings that count in a folder, nil for none.
func (s *Set) defaultsFor(dir string) *userDefaults {
	for _, d := range s.defaults {
		if d.Dir == "" || vfs.Below(d.Dir, dir) {
			return d
		}
	}
	return nil
}

// beneath returns what a file says, and what it does not say from the settings.
func (d *userDefaults) beneath(c *Config) *Config {
	if d == nil {
		return c
	}
	both := *c
	if both.Kustomize == "" {
		both.Kustomize = d.Kustomize
	}
	if both.Kubernetes == "" {
		both.Kubernetes = d.Kubernetes
	}
	if both.build.LoadRestrictor == "" {
		both.build.LoadRestrictor, both.build.RestrictorOfUser = d.LoadRestrictor, true
	}
	both.rules = map[string]Level{}
	maps.Copy(both.rules, d.Rules)
	maps.Copy(both.rules, c.rules)
	both.defaults = d
	return &both
}

// ClassIsOff tells whether the settings keep the rules of a class from being
// reported in a file, an absolute path.
func (s *Set) ClassIsOff(class, file string) bool {
	d := s.For(filepath.Dir(file)).defaults
	return d != nil && slices.Contains(d.ClassesOff, class)
}

// Schemas returns what the settings say of a file, an absolute path.
func (s *Set) Schemas(file string) Schemas {
	if d := s.For(filepath.Dir(file)).defaults; d != nil {
		return d.Schemas
	}
	return Here
}

func (d *userDefaults) excludes(path string) bool {
	if d == nil {
		return false
	}
	short, err := filepath.Rel(d.Dir, path)
	return err == nil && d.exclude.match(filepath.ToSlash(short))
}
