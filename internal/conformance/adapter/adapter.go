// Package adapter runs kls's engine behind the API of kustomize's package krusty. It is compiled here, so that it
// keeps up with the engine, and runs as a copy inside upstream's module: see package conformance.
//
// It translates and decides nothing: what the engine refuses is an error, what it builds becomes a ResMap.
package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/kustomize/api/resmap"
	upstream "sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// timeLimit ends a build that hangs, so that the other tests still run.
const timeLimit = 30 * time.Second

// Options are those of krusty, which cannot be imported here: krusty imports this package.
type Options struct {
	LoadRestrictions  types.LoadRestrictions
	Reorder           string
	AddManagedByLabel bool
	Plugins           *types.PluginConfig
}

// refusal is an error of a build that ended with problems of the user's, as opposed to one of ours.
type refusal struct{ problems string }

func (r refusal) Error() string { return r.problems }

// Refused tells whether the engine refused to build for a mistake in what it was given.
func Refused(err error) bool {
	return errors.As(err, new(refusal))
}

// Run builds the kustomization in the folder path of the file system. A panic of the engine is an error here, since
// it would end the whole test process.
func Run(fSys filesys.FileSystem, path string, options Options) (built resmap.ResMap, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("the engine panicked: %v", panicked)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	cache, err := os.MkdirTemp("", "kls-conformance-cache-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cache)
	result, err := builder.NewSession(vfs.NewSnapshot(source{fSys})).Build(ctx, absolute(fSys, path), options.engine(cache))
	if err != nil {
		return nil, err
	}
	if result.Failed() || result.Unknown {
		return nil, refusal{problemText(result)}
	}
	return resMap(ctx, result)
}

// engine returns the options of the engine; what it fetches goes into the folder cache.
func (o Options) engine(cache string) builder.Options {
	return builder.Options{
		LoadRestrictor:    o.LoadRestrictions.String(),
		Reorder:           o.Reorder,
		AddManagedByLabel: o.AddManagedByLabel,
		Outside:           external.New(outside(o.Plugins, cache)),
	}
}

// outside allows what the options of krusty allow; remote files and repositories always are.
func outside(plugins *types.PluginConfig, cache string) external.Config {
	config := external.Config{EnableRemote: true, CacheDir: cache}
	if plugins == nil {
		return config
	}
	helm, functions := plugins.HelmConfig, plugins.FnpLoadingOptions
	config.Helm = external.Helm{Enabled: helm.Enabled, Command: helm.Command,
		KubeVersion: helm.KubeVersion, APIVersions: helm.ApiVersions, Debug: helm.Debug}
	config.Functions = external.Functions{
		EnableAlphaPlugins: plugins.PluginRestrictions == types.PluginRestrictionsNone,
		EnableExec:         functions.EnableExec, Network: functions.Network, Env: functions.Env,
		Mounts: functions.Mounts, AsCurrentUser: functions.AsCurrentUser,
	}
	return config
}

// absolute gives the engine the path that kustomize's loader would use. What is no folder stays as it is: the engine
// has to refuse it.
func absolute(fSys filesys.FileSystem, path string) string {
	folder, file, err := fSys.CleanedAbs(path)
	if err != nil {
		return path
	}
	return folder.Join(file)
}

func problemText(result *builder.Result) string {
	var lines []string
	for _, problem := range result.Problems {
		lines = append(lines, fmt.Sprint(problem))
	}
	return strings.Join(lines, "\n")
}

// resMap hands over the resources node by node, without printing and parsing them again, and holds what the engine
// prints against what kustomize prints of the same nodes.
func resMap(ctx context.Context, result *builder.Result) (resmap.ResMap, error) {
	built := resmap.New()
	for _, resource := range result.Resources {
		node := kyaml.NewRNode(resource.Node)
		if err := built.Append(&upstream.Resource{RNode: *node}); err != nil {
			return nil, err
		}
	}
	ours, err := result.YAML(ctx)
	theirs, theirError := built.AsYaml()
	switch refused := new(render.Refusal); {
	case errors.As(err, &refused) && theirError != nil:
		// What cannot be printed is still a result to kustomize, and its tests ask AsYaml themselves.
		return built, nil
	case err != nil || theirError != nil:
		return nil, fmt.Errorf("printing: the engine says %v, kustomize says %v", err, theirError)
	}
	if !bytes.Equal(ours, theirs) {
		return nil, fmt.Errorf("the engine prints its own resources differently\n--- engine\n%s--- kustomize\n%s", ours, theirs)
	}
	return built, nil
}

// source gives the engine the file system of a test, in memory or on disk. The one in memory says in its own way that
// there is no such file, so that is asked for and not read from the error.
type source struct{ fSys filesys.FileSystem }

func (s source) ReadFile(path string) ([]byte, error) {
	if !s.fSys.Exists(path) {
		return nil, missing("open", path)
	}
	return s.fSys.ReadFile(path)
}

func (s source) IsDir(path string) (bool, error) {
	if !s.fSys.Exists(path) {
		return false, missing("stat", path)
	}
	return s.fSys.IsDir(path), nil
}

func (s source) ReadDir(path string) ([]fs.DirEntry, error) {
	if !s.fSys.IsDir(path) {
		return nil, missing("open", path)
	}
	names, err := s.fSys.ReadDir(path)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var entries []fs.DirEntry
	for _, name := range names {
		entries = append(entries, entry{name: name, folder: s.fSys.IsDir(filepath.Join(path, name))})
	}
	return entries, nil
}

func (s source) EvalSymlinks(path string) (string, error) {
	if !s.fSys.Exists(path) {
		return "", missing("lstat", path)
	}
	folder, file, err := s.fSys.CleanedAbs(path)
	if err != nil {
		return "", err
	}
	return folder.Join(file), nil
}

func missing(operation, path string) error {
	return &fs.PathError{Op: operation, Path: path, Err: fs.ErrNotExist}
}

// entry is a folder's entry as far as the tests' file systems know it.
type entry struct {
	name   string
	folder bool
}

func (e entry) Name() string { return e.name }
func (e entry) IsDir() bool  { return e.folder }

func (e entry) Type() fs.FileMode {
	if e.folder {
		return fs.ModeDir
	}
	return 0
}

func (e entry) Info() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }
