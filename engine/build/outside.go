package build

import (
	"context"
	"errors"

	yaml "go.yaml.in/yaml/v3"
)

// Outside is what a build may use beyond the files of its snapshot: package
// external implements it. A method returns ErrSwitchedOff for what was not
// allowed; the root is then unknown, and what its output could have supplied is
// not reported. Any other error is the user's to see, and fatal.
type Outside interface {
	// Repository makes a folder of a git repository available and returns where
	// the clone's root and the folder in it are, as paths that the snapshot reads.
	Repository(ctx context.Context, url string) (*Repository, error)
	// File returns the contents of an http(s) URL.
	File(ctx context.Context, url string) ([]byte, error)
	// Chart renders a helm chart and returns the manifests.
	Chart(ctx context.Context, request ChartRequest) ([]byte, error)
	// Function runs a generator, transformer or validator that is not built in.
	Function(ctx context.Context, request FunctionRequest) ([]*yaml.Node, error)
}

// ErrSwitchedOff is returned by Outside for what was not allowed.
var ErrSwitchedOff = errors.New("switched off")

// Repository is a git repository that was made available. Repo, Path and Ref
// are what origin annotations say (resource.Origin.Append).
type Repository struct {
	// Root is the clone's folder, Dir the one in it that the URL names.
	Root, Dir       string
	Repo, Path, Ref string
}

// ChartRequest is a helm chart to render. Config is the chart's configuration as
// the HelmChartInflationGenerator takes it; Dir is the kustomization's folder.
type ChartRequest struct {
	Dir       string
	Chart     *yaml.Node
	Globals   *yaml.Node
	Namespace string
}

// FunctionRequest is a KRM function or legacy plugin to run. Input is empty for
// a generator.
type FunctionRequest struct {
	Dir       string
	Config    *yaml.Node
	Input     []*yaml.Node
	Generator bool
}
