package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/text"
	"sigs.k8s.io/kustomize/api/types"
)

// Chart renders a chart with the helm program, as kustomize's
// HelmChartInflationGenerator does (api/internal/builtins): a chart that is not
// in the chart home is pulled into it.
func (r *Runner) Chart(ctx context.Context, request builder.ChartRequest) ([]byte, error) {
	if !r.config.Helm.Enabled {
		return nil, load.ErrSwitchedOff
	}
	c, err := r.newChart(request)
	if err != nil {
		return nil, err
	}
	if c.temporary, err = os.MkdirTemp("", "kls-helm-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(c.temporary)
	if c.configHome == "" {
		c.configHome = filepath.Join(c.temporary, "helm")
	}
	if err := c.checkVersion(ctx); err != nil {
		return nil, err
	}
	release, err := c.pull(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return c.render(ctx)
}

// chart is a chart that is being rendered.
type chart struct {
	types.HelmChart
	runner *Runner
	load   func(path string) ([]byte, error)
	// home is the folder that holds the chart's, configHome is helm's, temporary
	// is ours.
	home, configHome, temporary string
}

func (r *Runner) newChart(request builder.ChartRequest) (*chart, error) {
	args, err := r.chartArguments(request)
	if err != nil {
		return nil, err
	}
	c := &chart{HelmChart: args, runner: r, load: request.Load,
		home: chartHome(request, args), configHome: request.Globals.ConfigHome.Value}
	if c.ValuesFile == "" {
		c.ValuesFile = filepath.Join(c.home, c.Name, "values.yaml")
	}
	for i, file := range c.AdditionalValuesFiles {
		if _, err := c.load(file); err != nil {
			return nil, fmt.Errorf("the additional values file %s: %w", file, err)
		}
		c.AdditionalValuesFiles[i] = filepath.Join(request.Dir, file)
	}
	return c, nil
}

// chartArguments turns the configuration into the type that knows helm's flags.
func (r *Runner) chartArguments(request builder.ChartRequest) (types.HelmChart, error) {
	from, defaults := request.Chart, r.config.Helm
	c := types.HelmChart{
		Name: from.Name.Value, Version: from.Version.Value, Repo: from.Repo.Value,
		ReleaseName: from.ReleaseName.Value, Namespace: from.Namespace.Value, NameTemplate: from.NameTemplate.Value,
		ValuesFile: from.ValuesFile.Value, ValuesMerge: from.ValuesMerge.Value, KubeVersion: from.KubeVersion.Value,
		IncludeCRDs: from.IncludeCRDs, SkipHooks: from.SkipHooks, SkipTests: from.SkipTests,
		Debug: from.Debug || defaults.Debug, Devel: from.Devel,
	}
	for _, file := range from.AdditionalValuesFiles {
		c.AdditionalValuesFiles = append(c.AdditionalValuesFiles, file.Value)
	}
	for _, version := range from.APIVersions {
		c.ApiVersions = append(c.ApiVersions, version.Value)
	}
	// Kustomize means its flags to win, but reads the chart's own over them.
	if c.KubeVersion == "" {
		c.KubeVersion = defaults.KubeVersion
	}
	if len(c.ApiVersions) == 0 {
		c.ApiVersions = defaults.APIVersions
	}
	if c.ValuesMerge == "" {
		c.ValuesMerge = mergeOverride
	}
	var err error
	if c.ValuesInline, err = inlineValues(from.ValuesInline); err != nil {
		return c, err
	}
	return c, checkChart(c)
}

// checkChart refuses what kustomize refuses: a name that begins with a dash would
// be an option to helm.
func checkChart(c types.HelmChart) error {
	switch {
	case c.Name == "":
		return errors.New("it has no name")
	case strings.HasPrefix(c.ReleaseName, "-"):
		return fmt.Errorf("the releaseName %q begins with a dash", c.ReleaseName)
	case strings.HasPrefix(c.Name, "-"):
		return fmt.Errorf("the name %q begins with a dash", c.Name)
	case !slices.Contains([]string{mergeDeep, mergeOverride, mergeReplace}, c.ValuesMerge):
		return fmt.Errorf("valuesMerge is merge, override or replace, and not %q", c.ValuesMerge)
	}
	return nil
}

// chartHome is the folder that holds the chart's; each version of a chart from a
// repository has one of its own.
func chartHome(request builder.ChartRequest, c types.HelmChart) string {
	home := request.Globals.ChartHome.Value
	if home == "" {
		home = types.HelmDefaultHome
	}
	if !filepath.IsAbs(home) {
		home = filepath.Join(request.Dir, home)
	}
	if c.Version != "" && c.Repo != "" {
		return filepath.Join(home, c.Name+"-"+c.Version)
	}
	return home
}

func (c *chart) render(ctx context.Context) ([]byte, error) {
	var err error
	if c.ValuesFile, err = c.writeValues(); err != nil {
		return nil, err
	}
	return c.helm(ctx, c.AsHelmArgs(c.home))
}

var versionNumber = text.Regexp(`v?\d+(\.\d+)+`)

func (c *chart) checkVersion(ctx context.Context) error {
	out, err := c.helm(ctx, []string{"version", "--short"})
	if err != nil {
		return err
	}
	version := strings.TrimPrefix(string(versionNumber().Find(out)), "v")
	major, _, _ := strings.Cut(version, ".")
	switch {
	case version == "":
		return fmt.Errorf("helm does not tell its version but %q", out)
	case major != "3" && major != "4":
		return fmt.Errorf("helm 3 or 4 is needed, and this is %s", version)
	}
	return nil
}

// pull fetches a chart that is not there. What it returns is to be called when the
// chart is not needed any more.
func (c *chart) pull(ctx context.Context) (release func(), err error) {
	// Two layers may want the same chart at the same time.
	unlock := c.runner.pulls.Unlock
	c.runner.pulls.Lock()
	folder := filepath.Join(c.home, c.Name)
	switch {
	case isFolder(folder):
	case c.Repo == "":
		err = fmt.Errorf("there is no chart in %s, and no repo to pull it from", folder)
	case c.runner.config.Offline:
		err = fmt.Errorf("there is no chart in %s, and pulling it is %w in offline mode", folder, load.ErrSwitchedOff)
	default:
		c.runner.progress("pulling the helm chart %s from %s", c.Name, redact(c.Repo))
		if _, err = c.helm(ctx, c.pullArguments()); err == nil && c.Version == "" && c.runner.isCached(folder) {
			// A commit in the cache must not keep what was the newest version today.
			return func() { os.RemoveAll(folder); unlock() }, nil
		}
	}
	unlock()
	return func() {}, err
}

func (c *chart) pullArguments() []string {
	arguments := []string{"pull", "--untar", "--untardir", c.home}
	if strings.HasPrefix(c.Repo, "oci://") {
		arguments = append(arguments, strings.TrimSuffix(c.Repo, "/")+"/"+c.Name)
	} else {
		arguments = append(arguments, "--repo", c.Repo, c.Name)
	}
	if c.Version != "" {
		arguments = append(arguments, "--version", c.Version)
	}
	if c.Devel {
		arguments = append(arguments, "--devel")
	}
	return arguments
}

func (c *chart) helm(ctx context.Context, arguments []string) ([]byte, error) {
	command := c.runner.config.Helm.Command
	if command == "" {
		command = "helm"
	}
	environment := append(os.Environ(), "HELM_CONFIG_HOME="+c.configHome,
		"HELM_CACHE_HOME="+c.configHome+"/.cache", "HELM_DATA_HOME="+c.configHome+"/.data")
	out, _, err := process{path: command, arguments: arguments, environment: environment,
		timeout: orDefault(c.runner.config.Timeout, programTimeout)}.run(ctx)
	if err != nil && slices.Contains(arguments, "--debug") && len(out) > 0 {
		err = fmt.Errorf("%w\nhelm printed:\n%s", err, out)
	}
	return out, err
}
