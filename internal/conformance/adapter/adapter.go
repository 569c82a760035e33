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
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/kustomize/api/resmap"
	upstream "sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kustomize-lsp/kls/engine/build"
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
	result, err := build.Build(ctx, vfs.NewSnapshot(source{fSys}), absolute(fSys, path), build.Options{
		LoadRestrictor:    options.LoadRestrictions.String(),
		Reorder:           options.Reorder,
		AddManagedByLabel: options.AddManagedByLabel,
	})
	if err != nil {
		return nil, err
	}
	if result.Failed() {
		return nil, refusal{problemText(result)}
	}
	return resMap(ctx, result)
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

func problemText(result *build.Result) string {
	var lines []string
	for _, problem := range result.Problems {
		lines = append(lines, fmt.Sprint(problem))
	}
	return strings.Join(lines, "\n")
}

// resMap hands over the resources node by node, without printing and parsing them again, and holds what the engine
// prints against what kustomize prints of the same nodes.
func resMap(ctx context.Context, result *build.Result) (resmap.ResMap, error) {
	built := resmap.New()
	for _, resource := range result.Resources {
		node := kyaml.NewRNode(resource.Node)
		if err := built.Append(&upstream.Resource{RNode: *node}); err != nil {
			return nil, err
		}
	}
	ours, err := result.YAML(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(ours, theirs) {
		return nil, fmt.Errorf("the engine prints its own resources differently\n--- engine\n%s--- kustomize\n%s", ours, theirs)
	}
	return built, nil
}

// source gives the engine the file system of a test, in memory or on disk.
type source struct{ fSys filesys.FileSystem }

func (s source) ReadFile(path string) ([]byte, error) { return s.fSys.ReadFile(path) }

func (s source) ReadDir(path string) ([]string, error) { return s.fSys.ReadDir(path) }

func (s source) IsDir(path string) bool { return s.fSys.IsDir(path) }

func (s source) EvalSymlinks(path string) (string, error) {
	folder, file, err := s.fSys.CleanedAbs(path)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder.String(), file), nil
}
