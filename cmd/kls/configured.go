package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// builds makes the options of builds out of flags and configurations. What a
// configuration wants fetched, run or read from elsewhere is only done where --trust-config allows it:
// whoever clones a repository has not agreed to that. It is safe for concurrent use.
type builds struct {
	// flags are what the command line says; LoadRestrictor is empty where it says
	// nothing.
	flags   builder.Options
	outside outsideFlags
	trust   bool
	err     io.Writer

	mutex   sync.Mutex
	runners map[string]builder.Outside
	refused map[string]bool
}

// newBuilds returns an error for a load restrictor that there is not.
func newBuilds(loadRestrictor string, outside outsideFlags, trust bool, err io.Writer) (*builds, error) {
	b := &builds{flags: builder.Options{LoadRestrictor: loadRestrictor}, outside: outside, trust: trust, err: err}
	if _, wrong := outside.buildLimits(); wrong != nil {
		return nil, wrong
	}
	return b, checkBuildOptions(builder.Options{LoadRestrictor: orDefault(loadRestrictor)})
}

// in returns the options of the build of a root, by its folder, as the
// configurations among the files have them.
func (b *builds) in(files *vfs.Snapshot) func(dir string) builder.Options {
	configs := config.New(files)
	return func(dir string) builder.Options { return b.of(configs.Build(dir)) }
}

// of returns the options of a build of which a configuration says that.
func (b *builds) of(c config.Build) builder.Options {
	options := b.flags
	if options.LoadRestrictor == "" {
		options.LoadRestrictor = b.restrictor(c)
	}
	options.Limits, _ = b.outside.buildLimits() // its mistakes were told
	options.AddManagedByLabel = options.AddManagedByLabel || isTrue(c.EnableManagedByLabel)
	options.Outside = b.runner(c)
	return options
}

// restrictor is what a configuration wants, as far as it is trusted.
func (b *builds) restrictor(c config.Build) string {
	if b.trust || c.LoadRestrictor != load.NoRestrictions {
		return c.LoadRestrictor
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.refuse("loadRestrictor")
	return load.NoRestrictionsRefused
}

// refuse remembers a permission that is not given. The caller holds the mutex.
func (b *builds) refuse(name string) {
	if b.refused == nil {
		b.refused = map[string]bool{}
	}
	b.refused[name] = true
}

// runner returns the same runner for all builds that are allowed the same.
func (b *builds) runner(c config.Build) builder.Outside {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	flags := b.outside
	to := &flags.config
	for _, permission := range []struct {
		name   string
		wanted *bool
		to     *bool
	}{
		{"enableRemote", c.EnableRemote, &to.EnableRemote},
		{"enableHelm", c.EnableHelm, &to.Helm.Enabled},
		{"enableAlphaPlugins", c.EnableAlphaPlugins, &to.Functions.EnableAlphaPlugins},
		{"enableExec", c.EnableExec, &to.Functions.EnableExec},
		{"network", c.Network, &to.Functions.Network},
	} {
		switch {
		case !isTrue(permission.wanted) || *permission.to:
		case b.trust:
			*permission.to = true
		default:
			b.refuse(permission.name)
		}
	}
	if to.Helm.KubeVersion == "" {
		to.Helm.KubeVersion = c.HelmKubeVersion
	}
	if len(to.Helm.APIVersions) == 0 {
		to.Helm.APIVersions = c.HelmAPIVersions
	}
	key := keyOf(flags.config)
	if b.runners == nil {
		b.runners = map[string]builder.Outside{}
	}
	if b.runners[key] == nil {
		b.runners[key] = flags.runner(b.err)
	}
	return b.runners[key]
}

// keyOf tells permissions apart: all else is the same for all builds of a command.
func keyOf(c external.Config) string {
	return fmt.Sprint(c.EnableRemote, c.Helm, c.Functions)
}

// warn says what was not allowed.
func (b *builds) warn() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if len(b.refused) == 0 {
		return
	}
	var names []string
	for name := range b.refused {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Fprintf(b.err, "%s asks for %s; --trust-config allows it\n", config.FileName, strings.Join(names, ", "))
}

func isTrue(b *bool) bool { return b != nil && *b }

const loadRestrictorUsage = "as kustomize build --load-restrictor: " + load.RootOnly + " (default) or " + load.NoRestrictions

const trustUsage = "allow what " + config.FileName + " asks to fetch, run or read from elsewhere; only for repositories that you trust"
