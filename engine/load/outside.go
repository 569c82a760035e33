package load

import (
	"context"
	"errors"

	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Outside is what a build may use beyond the files of its snapshot: package
// external implements it. A method returns an error that wraps ErrSwitchedOff
// for what was not allowed; the root is then unknown, and what the output could
// have supplied is not reported. Any other error is the user's to see, and fatal.
// Implementations are safe for concurrent use.
type Outside interface {
	// Repository makes a git repository available and returns the folder that
	// holds it. What is in that folder never changes.
	Repository(ctx context.Context, repository gitrepo.URL) (root string, err error)
	// Stored returns the folder of a repository that needs no network any more:
	// one whose ref is a commit and that was fetched before.
	Stored(repository gitrepo.URL) (root string, ok bool)
	// File returns the contents of an http(s) URL.
	File(ctx context.Context, url string) ([]byte, error)
	// Chart renders a helm chart and returns what helm prints.
	Chart(ctx context.Context, request ChartRequest) ([]byte, error)
	// Function runs a generator, transformer or validator that is not built in.
	Function(ctx context.Context, request FunctionRequest) (FunctionResult, error)
}

// ErrSwitchedOff is returned by Outside for what was not allowed.
var ErrSwitchedOff = errors.New("switched off")

// ChartRequest is a helm chart to render, as the HelmChartInflationGenerator
// takes it.
type ChartRequest struct {
	// Dir is the kustomization's folder.
	Dir     string
	Chart   kustomization.HelmChart
	Globals kustomization.HelmGlobals
	// Load reads a file within the kustomization's load restriction.
	Load func(path string) ([]byte, error)
}

// FunctionRequest is a KRM function or legacy plugin to run.
type FunctionRequest struct {
	// Dir is the folder of the kustomization that lists it.
	Dir string
	// Config is the YAML of the resource that configures it.
	Config []byte
	// Input is the YAML of the resources to work on; nil for a generator.
	Input []byte
	// Load reads a file within the kustomization's load restriction.
	Load func(path string) ([]byte, error)
}

// FunctionResult is what a function made of its input.
type FunctionResult struct {
	// Output is the YAML of the resources.
	Output []byte
	// NotRun says why the output is just the input; empty for a function that
	// was run. kustomize leaves some functions out without a word.
	NotRun string
}

// Outside returns what the build may use.
func (b *Loader) Outside() Outside {
	if b.Options.Outside == nil {
		return nothingOutside{}
	}
	b.Contextual = true
	return b.Options.Outside
}

// nothingOutside is an Outside in which everything is switched off.
type nothingOutside struct{}

func (nothingOutside) Repository(context.Context, gitrepo.URL) (string, error) {
	return "", ErrSwitchedOff
}
func (nothingOutside) Stored(gitrepo.URL) (string, bool)            { return "", false }
func (nothingOutside) File(context.Context, string) ([]byte, error) { return nil, ErrSwitchedOff }
func (nothingOutside) Chart(context.Context, ChartRequest) ([]byte, error) {
	return nil, ErrSwitchedOff
}
func (nothingOutside) Function(context.Context, FunctionRequest) (FunctionResult, error) {
	return FunctionResult{}, ErrSwitchedOff
}
